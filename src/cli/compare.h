/* SPDX-License-Identifier: MIT */
/*
 * What the files of `gpudump diff A B` give each other: two dumps side by side. What is found is
 * an object of JSON, of which text is made as well. Main thread only.
 */
#ifndef GPUDUMPFS_CLI_COMPARE_H
#define GPUDUMPFS_CLI_COMPARE_H

#include "cli/gpudump.h"
#include "compare/align.h"

#include <jansson.h>

enum { COMPARE_VERSION = 1 }; /* of the JSON that is printed */

/* One of the two dumps. */
struct compare_side {
    struct tree *tree;
    const char *path;
    struct align_key *keys; /* of all frames */
    size_t count;
};

/*
 * compare_sides.c: reads all frames of a dump in order, one replay; `wanted`: progress is shown.
 * 0 or -errno, which is told; what of a frame cannot be read is told, and -EIO the end.
 */
int compare_read_side(struct compare_side *side, bool wanted);

/* A frame's commands as they are compared: one a line. 0 or -errno. */
int compare_read_commands(struct tree *tree, uint64_t frame, struct text *out);

/* A frame's picture; without one -ENOENT. */
int compare_read_picture(struct tree *tree, uint64_t frame, struct pixels *out);

/*
 * compare_details.c: what differs in two frames, added to `found` where it has none yet: `command`
 * and `draw`; `texture` and `draw`; `picture`. 0 or -errno.
 */
int compare_commands(const struct compare_side sides[2], const struct align_pair *pair,
                     json_t *found);
int compare_textures(const struct compare_side sides[2], const struct align_pair *pair,
                     json_t *found);
int compare_pictures(const struct compare_side sides[2], const struct align_pair *pair,
                     json_t *found);

/*
 * Frames of the first dump, in order and for free(), in which a texture is sampled for the first
 * time that the second may not have: textures.tsv tells by identities, which those that are drawn
 * share with none. 0 or -errno.
 */
int compare_list_textures(const struct compare_side sides[2], uint64_t **frames, size_t *count);

/* compare_text.c: what was found, for readers. */
void compare_print(const json_t *found);

#endif

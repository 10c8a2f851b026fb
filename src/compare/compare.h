/* SPDX-License-Identifier: MIT */
/*
 * Two dumps of one format side by side, asked through their trees. What is found is an object of
 * JSON, of which text is made as well. Any thread, of a side one at a time; may take long.
 */
#ifndef GPUDUMPFS_COMPARE_COMPARE_H
#define GPUDUMPFS_COMPARE_COMPARE_H

#include "compare/align.h"
#include "compare/pixels.h"

#include <jansson.h>

enum { COMPARE_VERSION = 2 }; /* of the JSON */

/* One of the two dumps. */
struct compare_side {
    struct tree *tree;
    const char *path;       /* as it is told */
    struct align_key *keys; /* of all frames */
    size_t count;
};

/* Is told what cannot be read of a frame. */
struct compare_listener {
    void (*failed)(void *context, const struct compare_side *side, uint64_t frame, const char *what,
                   int status);
    void *context;
};

/*
 * compare_sides.c: room for the keys of all frames, but for no more than `max`. 0, -EFBIG: there
 * are more, or another -errno; the keys are the caller's to free.
 */
int compare_count_frames(struct compare_side *side, size_t max);

/* Makes a frame's key. 0, or -errno, which is told: what cannot be read is left out of the key. */
int compare_read_frame(struct compare_side *side, uint64_t frame,
                       const struct compare_listener *listener, const struct cancel *cancel);

/* A frame's commands as they are compared: one a line. 0 or -errno. */
int compare_read_commands(struct tree *tree, uint64_t frame, const struct cancel *cancel,
                          struct text *out);

/* A frame's picture; without one -ENOENT. */
int compare_read_picture(struct tree *tree, uint64_t frame, const struct cancel *cancel,
                         struct pixels *out);

/*
 * compare_details.c, compare_textures.c: what differs in two frames, added to `found` where it has
 * none yet: `command` and `draw`; `textures` and `draw`; `picture`. 0 or -errno.
 */
int compare_commands(const struct compare_side sides[2], const struct align_pair *pair,
                     const struct cancel *cancel, json_t *found);
int compare_textures(const struct compare_side sides[2], const struct align_pair *pair,
                     const struct cancel *cancel, json_t *found);
int compare_pictures(const struct compare_side sides[2], const struct align_pair *pair,
                     const struct cancel *cancel, json_t *found);

/*
 * compare_objects.c: the first of each kind of objects that one dump has and the other has not,
 * as `objects`; and of two frames the first draw that only one has, or after which their pictures
 * differ, as `draw` unless there is one. 0 or -errno.
 */
int compare_objects(const struct compare_side sides[2], const struct cancel *cancel, json_t *found);
int compare_draws(const struct compare_side sides[2], const struct align_pair *frames,
                  const struct cancel *cancel, json_t *found);

/*
 * compare_figures.c: the dumps' figures that differ, as `figures`: their name, values, and frames
 * in which they are reached. 0 or -errno.
 */
int compare_figures(const struct compare_side sides[2], const struct cancel *cancel, json_t *found);

/* Their commands in unified form, without a head; nothing where they are equal. 0 or -errno. */
int compare_write_commands(const struct compare_side sides[2], const struct align_pair *pair,
                           const struct cancel *cancel, struct text *out);

/*
 * Frames of the first dump, in order and for free(), in which a texture is sampled for the first
 * time that the second may not have: they are told apart by identities, which those that are drawn
 * share with none. 0 or -errno.
 */
int compare_list_textures(const struct compare_side sides[2], const struct cancel *cancel,
                          uint64_t **frames, size_t *count);

/* A pair's frames as they stand in JSON: null for what one has not. */
json_t *compare_frames_of(const struct align_pair *pair);

/*
 * compare_text.c: what was found, for readers: of two dumps, and what follows their names and
 * counts alone.
 */
void compare_write(const json_t *found, struct text *out);
void compare_write_found(const json_t *found, struct text *out);

#endif

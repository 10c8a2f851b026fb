/* SPDX-License-Identifier: MIT */
/*
 * Compares two dumps of one format through their trees. What is found is a JSON object, from which
 * a text is made as well. Any thread, but only one at a time for each side; may take long.
 */
#ifndef GPUDUMPFS_COMPARE_COMPARE_H
#define GPUDUMPFS_COMPARE_COMPARE_H

#include "compare/align.h"
#include "compare/pixels.h"

#include <jansson.h>

enum { COMPARE_VERSION = 2 }; /* version of the JSON format */

/* One of the two dumps. */
struct compare_side {
    struct tree *tree;
    const char *path;       /* as reports show it */
    struct align_key *keys; /* of all frames */
    size_t count;
};

/* Receives the failures to read a part (`what`) of a frame. */
struct compare_listener {
    void (*failed)(void *context, const struct compare_side *side, uint64_t frame, const char *what,
                   int status);
    void *context;
};

/*
 * compare_sides.c: counts the frames of a side and allocates their keys, which the caller frees.
 * Returns 0, -EFBIG if there are more than `max` frames, or another -errno.
 */
int compare_count_frames(struct compare_side *side, size_t max);

/*
 * Makes the key of a frame. What cannot be read is left out of the key and reported to the
 * listener. Returns 0 or -errno.
 */
int compare_read_frame(struct compare_side *side, uint64_t frame,
                       const struct compare_listener *listener, const struct cancel *cancel);

/*
 * Appends a frame's commands in the form in which they are compared, one a line. Returns 0 or
 * -errno.
 */
int compare_read_commands(struct tree *tree, uint64_t frame, const struct cancel *cancel,
                          struct text *out);

/*
 * Reads a frame's picture, for pixels_clear(). Returns 0, -ENOENT if there is none, or another
 * -errno.
 */
int compare_read_picture(struct tree *tree, uint64_t frame, const struct cancel *cancel,
                         struct pixels *out);

/*
 * compare_details.c, compare_textures.c: the next three functions find what differs in two frames,
 * and add it to `found`. An existing `command` stays, and so does an existing `draw` unless the new
 * one comes before it; existing `textures` and `picture` are replaced. They return 0 or -errno.
 *
 * This one adds `command`, `upload` and `draw`.
 */
int compare_commands(const struct compare_side sides[2], const struct align_pair *pair,
                     const struct cancel *cancel, json_t *found);

/* Adds `textures` and `draw`. */
int compare_textures(const struct compare_side sides[2], const struct align_pair *pair,
                     const struct cancel *cancel, json_t *found);

/* Adds `picture`. */
int compare_pictures(const struct compare_side sides[2], const struct align_pair *pair,
                     const struct cancel *cancel, json_t *found);

/*
 * compare_objects.c: adds as `objects`, for each kind of objects, the first one that one dump has
 * and the other lacks. Returns 0 or -errno.
 */
int compare_objects(const struct compare_side sides[2], const struct cancel *cancel, json_t *found);

/*
 * Adds as `draw`, unless there is one, the first draw that only one of two frames has, or after
 * which their pictures differ. Returns 0 or -errno.
 */
int compare_draws(const struct compare_side sides[2], const struct align_pair *frames,
                  const struct cancel *cancel, json_t *found);

/*
 * compare_figures.c: adds the figures in which the dumps differ as `figures`: their names, their
 * values, and the frames in which these are reached. Returns 0 or -errno.
 */
int compare_figures(const struct compare_side sides[2], const struct cancel *cancel, json_t *found);

/*
 * Appends the differences of two frames' commands in unified form, without the two lines of file
 * names; nothing if the commands are equal. Returns 0 or -errno.
 */
int compare_write_commands(const struct compare_side sides[2], const struct align_pair *pair,
                           const struct cancel *cancel, struct text *out);

/*
 * Finds the textures of the first dump that the second dump may lack, and stores the frames of the
 * first dump, in order, that are the first to sample one of them. The caller frees the array with
 * free(). Textures are told apart by their identities; a texture that is drawn shares its identity
 * with no other. Returns 0 or -errno.
 */
int compare_list_textures(const struct compare_side sides[2], const struct cancel *cancel,
                          uint64_t **frames, size_t *count);

/* Returns the two frames of a pair as JSON; null for a frame that one dump lacks. */
json_t *compare_frames_of(const struct align_pair *pair);

/*
 * compare_text.c: appends what was found as a text for readers, beginning with the names of the
 * dumps and the counts of frames.
 */
void compare_write(const json_t *found, struct text *out);

/* The same without the names of the dumps and the counts of frames. */
void compare_write_found(const json_t *found, struct text *out);

#endif

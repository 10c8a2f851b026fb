/* SPDX-License-Identifier: MIT */
/*
 * A comparison of two dumps. One pass over each dump makes a key of every frame; the frames are
 * aligned by these keys; and only frames that differ are examined further. One thread at a time
 * until the frames are aligned, then any thread.
 */
#ifndef GPUDUMPFS_COMPARE_COMPARISON_H
#define GPUDUMPFS_COMPARE_COMPARISON_H

#include "compare/compare.h"

/* Zeroed at first, except for the listener and the trees and paths of the sides. */
struct comparison {
    struct compare_side sides[2];
    struct compare_listener listener;
    bool unread;              /* something could not be read, and was reported to the listener */
    struct align_pair *pairs; /* all frames of both dumps, in order */
    size_t count;
    size_t *differing; /* indexes in `pairs` of the pairs that differ */
    size_t differing_count;
};

/*
 * Fills `pairs` and `differing`, after compare_read_frame() has read all frames; keeps the keys.
 * Returns 0, -ENOMEM, or -EINTR, after which it may be called again.
 */
int comparison_align(struct comparison *comparison, const struct cancel *cancel);

/* Frees what the comparison has. */
void comparison_clear(struct comparison *comparison);

/*
 * Returns whether two dumps, given by the names of their formats, have the same format; if not,
 * appends a sentence to `message`.
 */
bool comparison_is_possible(const char *const formats[2], const char *const paths[2],
                            struct text *message);

/* Returns whether only one dump has the frame of a pair. */
bool comparison_is_one_sided(const struct align_pair *pair);

/* Returns whether the commands of the two frames differ. */
bool comparison_commands_differ(const struct comparison *comparison, const struct align_pair *pair);

/* Returns whether the pictures of the two frames differ. */
bool comparison_pictures_differ(const struct comparison *comparison, const struct align_pair *pair);

/*
 * Creates the JSON object of what was found, a new reference, with version and dumps. The functions
 * down to comparison_end_found() complete it, and are to be called in this order.
 */
json_t *comparison_begin_found(const struct comparison *comparison);

/* Adds the counts of frames. */
void comparison_count_frames(const struct comparison *comparison, json_t *found);

/*
 * Adds the figures that differ, and the first objects, command, upload, textures, draw and picture
 * that differ. Returns 0 or -errno.
 */
int comparison_search(const struct comparison *comparison, const struct cancel *cancel,
                      json_t *found);

/* Adds all pairs that differ. */
void comparison_list_frames(const struct comparison *comparison, json_t *found);

/* Returns whether anything differs. Figures and objects may differ even if no frame does. */
bool comparison_differs(const struct comparison *comparison, const json_t *found);

/* Adds the result: "error" if `failed`, otherwise "differ" or "same". */
void comparison_end_found(const struct comparison *comparison, bool failed, json_t *found);

/*
 * Adds everything that differs in one pair in the same way: `frames`, and what comparison_search()
 * finds. Returns 0 or -errno.
 */
int comparison_search_pair(const struct comparison *comparison, const struct align_pair *pair,
                           const struct cancel *cancel, json_t *found);

/* Returns the first pair whose pictures differ, or NULL if there is none. */
const struct align_pair *comparison_first_picture(const struct comparison *comparison);

#endif

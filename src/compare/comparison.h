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
    bool unread;              /* something could not be read; the listener was told what */
    struct align_pair *pairs; /* all frames of both dumps in order, … */
    size_t count;
    size_t *differing; /* … and the indexes of the pairs that differ */
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

/*
 * Return whether only one dump has the frame, and whether commands or pictures of two frames
 * differ.
 */
bool comparison_is_one_sided(const struct align_pair *pair);
bool comparison_commands_differ(const struct comparison *comparison, const struct align_pair *pair);
bool comparison_pictures_differ(const struct comparison *comparison, const struct align_pair *pair);

/*
 * Build the JSON object of what was found; to be called in this order. comparison_begin_found()
 * creates it with version and dumps. comparison_count_frames() adds the counts of frames.
 * comparison_search() adds the figures that differ, and the first objects, command, upload,
 * textures, draw and picture that differ; it returns 0 or -errno. comparison_list_frames() adds all
 * pairs that differ. comparison_differs() returns whether anything differs: figures and objects may
 * do so even if no frame does. comparison_end_found() adds the result, "error" if `failed`.
 */
json_t *comparison_begin_found(const struct comparison *comparison);
void comparison_count_frames(const struct comparison *comparison, json_t *found);
int comparison_search(const struct comparison *comparison, const struct cancel *cancel,
                      json_t *found);
void comparison_list_frames(const struct comparison *comparison, json_t *found);
bool comparison_differs(const struct comparison *comparison, const json_t *found);
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

/* SPDX-License-Identifier: MIT */
/*
 * A comparison of two dumps: one pass over each makes a key of every frame, frames are aligned by
 * these, and only those that differ are looked at again. A thread at a time until the frames are
 * aligned; then any thread.
 */
#ifndef GPUDUMPFS_COMPARE_COMPARISON_H
#define GPUDUMPFS_COMPARE_COMPARISON_H

#include "compare/compare.h"

/* Zeroed but for trees and paths of the sides and the listener. */
struct comparison {
    struct compare_side sides[2];
    struct compare_listener listener;
    bool unread; /* some of what was to be compared could not be read: all of that was told */
    struct align_pair *pairs; /* all frames of both in order … */
    size_t count;
    size_t *differing; /* … and of these the ones that differ */
    size_t differing_count;
};

/*
 * Makes pairs and what differs, once all frames were read by compare_read_frame(). The keys stay.
 * 0, -ENOMEM or
 * -EINTR, which leaves it as it was.
 */
int comparison_align(struct comparison *comparison, const struct cancel *cancel);

void comparison_clear(struct comparison *comparison);

/* Whether two dumps are of one format, by its name; if not, a sentence in `message`. */
bool comparison_is_possible(const char *const formats[2], const char *const paths[2],
                            struct text *message);

bool comparison_is_one_sided(const struct align_pair *pair);
bool comparison_commands_differ(const struct comparison *comparison, const struct align_pair *pair);
bool comparison_pictures_differ(const struct comparison *comparison, const struct align_pair *pair);

/*
 * An object of JSON, in the order in which it is filled: version and dumps; with its frames
 * counted; with the figures and the first objects, command, upload, textures, draw and picture
 * that differ, 0 or -errno; with all pairs that differ; with the result, "error" if `failed`.
 * Figures and objects may differ where no frame does.
 */
json_t *comparison_begin_found(const struct comparison *comparison);
void comparison_count_frames(const struct comparison *comparison, json_t *found);
int comparison_search(const struct comparison *comparison, const struct cancel *cancel,
                      json_t *found);
void comparison_list_frames(const struct comparison *comparison, json_t *found);
bool comparison_differs(const struct comparison *comparison, const json_t *found);
void comparison_end_found(const struct comparison *comparison, bool failed, json_t *found);

/* All that differs in one pair, likewise: `frames`, and what comparison_search() finds. */
int comparison_search_pair(const struct comparison *comparison, const struct align_pair *pair,
                           const struct cancel *cancel, json_t *found);

/* The first pair whose pictures differ; NULL: there is none. */
const struct align_pair *comparison_first_picture(const struct comparison *comparison);

#endif

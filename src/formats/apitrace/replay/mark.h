/* SPDX-License-Identifier: MIT */
/*
 * Going back within a frame. If the calls of a frame set nothing that the worker cannot restore
 * (worker.md 6.11), a session somewhere in the frame can go back to the frame's beginning instead
 * of the trace's. The contents of what is drawn on are not restored, so this only serves what is
 * made of that frame alone. For the thread that has acquired the player's worker.
 */
#ifndef GPUDUMPFS_FORMATS_APITRACE_REPLAY_MARK_H
#define GPUDUMPFS_FORMATS_APITRACE_REPLAY_MARK_H

#include "formats/apitrace/replay/request.h"

enum { APITRACE_MARKS_REFUSED = 64 };

/* All zero: no mark. */
struct apitrace_mark {
    bool set;
    uint64_t frame; /* the mark is at the beginning of this frame */
    /* The last frames that were found to be unable to have a mark, each plus one; 0: no frame. */
    uint64_t refused[APITRACE_MARKS_REFUSED];
    unsigned next_refused;
};

/* Remembers that a frame cannot have a mark. */
void apitrace_mark_refuse(struct apitrace_mark *mark, uint64_t frame);

/* Returns the place of a frame's first call. */
struct apitrace_replay_goal apitrace_mark_goal(const struct apitrace_dump *dump, uint64_t frame);

/*
 * Returns whether a mark at the beginning of the request's frame, which is not set yet, would serve
 * the request and later ones.
 */
bool apitrace_mark_is_of_use(const struct apitrace_mark *mark, const struct apitrace_dump *dump,
                             const struct apitrace_request *request);

/* Returns whether the mark serves the request. */
bool apitrace_mark_serves(const struct apitrace_mark *mark, const struct apitrace_dump *dump,
                          const struct apitrace_request *request);

/*
 * Sets the mark; the feed must be at the beginning of that frame. Returns 0, even if there can be
 * no mark, or as apitrace_session_feed(), after which the session's place is not known.
 */
int apitrace_mark_set(struct apitrace_mark *mark, struct apitrace_replay_feed *feed,
                      uint64_t frame);

/*
 * Goes back to the mark, which is then removed unless it is to `stay`. Returns as
 * apitrace_session_back(), after whose failure the session's place is not known.
 */
int apitrace_mark_go_back(struct apitrace_mark *mark, struct apitrace_replay_feed *feed, bool stay);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Going back within a frame: where its calls set nothing that the worker cannot put back (worker.md
 * 6.11), a session that has been led to something in a frame goes back to the frame's beginning
 * instead of the trace's. What is drawn on is not gone back to, so it serves what is made of that
 * frame alone. The thread that has acquired the player's worker.
 */
#ifndef GPUDUMPFS_FORMATS_APITRACE_REPLAY_MARK_H
#define GPUDUMPFS_FORMATS_APITRACE_REPLAY_MARK_H

#include "formats/apitrace/replay/request.h"

enum { APITRACE_MARKS_REFUSED = 64 };

/* All zero: none. */
struct apitrace_mark {
    bool set;
    uint64_t frame; /* at whose beginning it stands */
    /* One more than each of the last frames that were found to have none; 0: no frame. */
    uint64_t refused[APITRACE_MARKS_REFUSED];
    unsigned next_refused;
};

/* The frame cannot have one. */
void apitrace_mark_refuse(struct apitrace_mark *mark, uint64_t frame);

/* The place of a frame's first call. */
struct apitrace_replay_goal apitrace_mark_goal(const struct apitrace_dump *dump, uint64_t frame);

/* Whether one at the frame's beginning would serve the request and others; it is not set yet. */
bool apitrace_mark_is_of_use(const struct apitrace_mark *mark, const struct apitrace_dump *dump,
                             const struct apitrace_request *request);

/* Whether it serves the request. */
bool apitrace_mark_serves(const struct apitrace_mark *mark, const struct apitrace_dump *dump,
                          const struct apitrace_request *request);

/* With the feed at the beginning of that frame. 0, also where there can be none, or as
 * apitrace_session_feed(): then nobody knows where the session is. */
int apitrace_mark_set(struct apitrace_mark *mark, struct apitrace_replay_feed *feed,
                      uint64_t frame);

/* Back to it; it is no more unless it is to `stay`. As apitrace_session_back(); the same. */
int apitrace_mark_go_back(struct apitrace_mark *mark, struct apitrace_replay_feed *feed, bool stay);

#endif

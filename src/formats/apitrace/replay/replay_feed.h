/* SPDX-License-Identifier: MIT */
/*
 * Drives a session of the graphics worker along the trace: it begins with the drawables known so
 * far, and is fed with the stream's bytes until it reaches a call. For a thread that has acquired
 * the session's worker.
 */
#ifndef GPUDUMPFS_FORMATS_APITRACE_REPLAY_REPLAY_FEED_H
#define GPUDUMPFS_FORMATS_APITRACE_REPLAY_REPLAY_FEED_H

#include "formats/apitrace/dump.h"
#include "worker/apitrace_session.h"

struct apitrace_replay_feed {
    struct apitrace_dump *dump;
    struct apitrace_session *session;
    uint64_t order;   /* number of calls, in the order of the listing, that the session has run */
    uint64_t next;    /* offset of the next byte to feed */
    bool hungry;      /* the session needs bytes to continue */
    bool dry;         /* the session needs bytes, and knows that there are none for now */
    uint64_t changes; /* apitrace_dump_changes() when the session began; outdated if it changes */
};

/* A place to reach: before or after the call number `call`, when `order` calls have been run. */
struct apitrace_replay_goal {
    uint64_t order, call;
    uint32_t flags; /* APITRACE_FEED_AFTER, or 0 */
};

/*
 * Returns the place of a frame's picture: before its swap, or after the last draw of all if there
 * is no swap. If that call never returned and its thread continued, it is after the call before.
 */
struct apitrace_replay_goal apitrace_replay_goal_of(const struct apitrace_dump *dump,
                                                    uint64_t frame);

/* Begins from the start. Returns as apitrace_session_reset(), or -ENOMEM. */
int apitrace_replay_feed_begin(struct apitrace_replay_feed *feed, const struct cancel *cancel);

/*
 * Runs all calls before the goal; `flags` are of enum apitrace_feed_flag. Returns as
 * apitrace_session_feed(), -ENODATA if the trace ends before the goal or its bytes have not arrived
 * yet, or -EIO if the trace cannot be read.
 */
int apitrace_replay_feed_run(struct apitrace_replay_feed *feed,
                             const struct apitrace_replay_goal *goal, uint32_t flags,
                             const struct cancel *cancel);

/* Finds out how far a cancelled run came. Returns as apitrace_session_feed(). */
int apitrace_replay_feed_sync(struct apitrace_replay_feed *feed, const struct cancel *cancel);

#endif

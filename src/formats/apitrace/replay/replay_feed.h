/* SPDX-License-Identifier: MIT */
/*
 * Leading a session of the graphics worker along the trace: it is begun with the drawables as they
 * are known, and fed with the stream's bytes until it has come to a call. For a thread that has
 * acquired the session's worker.
 */
#ifndef GPUDUMPFS_FORMATS_APITRACE_REPLAY_REPLAY_FEED_H
#define GPUDUMPFS_FORMATS_APITRACE_REPLAY_REPLAY_FEED_H

#include "formats/apitrace/dump.h"
#include "worker/apitrace_session.h"

struct apitrace_replay_feed {
    struct apitrace_dump *dump;
    struct apitrace_session *session;
    uint64_t order;   /* the session has run the first so many calls of the listing */
    uint64_t next;    /* offset of the byte to be fed next */
    bool hungry;      /* it needs bytes to go on … */
    bool dry;         /* … and was told that there are none for now */
    uint64_t changes; /* of the drawables that it was begun with */
};

/* A place to come to: before or behind a call, so many calls being done. */
struct apitrace_replay_goal {
    uint64_t order, call;
    uint32_t flags; /* APITRACE_FEED_AFTER, or 0 */
};

/*
 * Where the picture of a frame is: before its swap; without one, behind the last draw of all. If
 * that call never returned, and its thread went on, behind the one before it.
 */
struct apitrace_replay_goal apitrace_replay_goal_of(const struct apitrace_dump *dump,
                                                    uint64_t frame);

/* Begins anew. As apitrace_session_reset(), or -ENOMEM. */
int apitrace_replay_feed_begin(struct apitrace_replay_feed *feed, const struct cancel *cancel);

/*
 * Runs all calls before the goal; `flags` are of enum apitrace_feed_flag. As
 * apitrace_session_feed(), or -ENODATA: the trace ends before, or what leads there has not come
 * yet; -EIO: it cannot be read.
 */
int apitrace_replay_feed_run(struct apitrace_replay_feed *feed,
                             const struct apitrace_replay_goal *goal, uint32_t flags,
                             const struct cancel *cancel);

/* Learns how far a run came that was cancelled. As apitrace_session_feed(). */
int apitrace_replay_feed_sync(struct apitrace_replay_feed *feed, const struct cancel *cancel);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * How a session of the player (player.c) begins: whether it compiles fast or well, draws with one
 * thread or several, and has another session compile shaders ahead of it (apitrace.md 4.6). For a
 * thread that has acquired the player's worker.
 */
#ifndef GPUDUMPFS_FORMATS_APITRACE_REPLAY_STARTUP_H
#define GPUDUMPFS_FORMATS_APITRACE_REPLAY_STARTUP_H

#include "formats/apitrace/replay/route.h"

/* All zero: no session has begun. */
struct apitrace_startup {
    bool begun;        /* a session has begun at least once */
    bool fast_compile; /* the last session compiles fast, without optimising */
    bool alone;        /* all sessions draw with one thread; decided when the first one begins */
    bool little;       /* the trace draws little in total: always compile fast */
    struct apitrace_shader_prewarm *prewarm; /* or NULL */
};

/* Begins a session on a route. Returns as apitrace_replay_feed_begin(). */
int apitrace_startup_begin(struct apitrace_startup *startup, struct apitrace_replay_feed *feed,
                           struct worker *worker, const struct apitrace_rewind *rewind,
                           const struct apitrace_route *route,
                           const struct apitrace_request *request, const struct cancel *cancel);

/*
 * Returns whether the session, which does not optimise, should be replaced by one that does, since
 * the next frame in order is requested and many more may follow.
 */
bool apitrace_startup_is_outgrown(const struct apitrace_startup *startup,
                                  const struct apitrace_dump *dump,
                                  const struct apitrace_rewind *rewind,
                                  const struct apitrace_request *request);

/*
 * Ends the prewarming session. If it failed, drops the shaders that it compiled, which may be the
 * cause.
 */
void apitrace_startup_end_prewarm(struct apitrace_startup *startup, struct worker *worker);

#endif

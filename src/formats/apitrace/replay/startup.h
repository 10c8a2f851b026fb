/* SPDX-License-Identifier: MIT */
/*
 * How a session of the player (player.c) begins: compiling fast or well, drawn with one thread or
 * several, with another session that compiles shaders ahead of it or without (apitrace.md 4.6).
 * For a thread that has acquired the player's worker.
 */
#ifndef GPUDUMPFS_FORMATS_APITRACE_REPLAY_STARTUP_H
#define GPUDUMPFS_FORMATS_APITRACE_REPLAY_STARTUP_H

#include "formats/apitrace/replay/route.h"

/* All zero: no session has begun. */
struct apitrace_startup {
    bool begun;        /* one has, at least once; the last one … */
    bool fast_compile; /* … compiles fast, … */
    bool alone;        /* … and draws with one thread, as all from the first */
    bool little;       /* the trace draws little in all: always fast */
    struct apitrace_shader_prewarm *prewarm; /* NULL: none */
};

/* Begins a session on a route. As apitrace_replay_feed_begin(). */
int apitrace_startup_begin(struct apitrace_startup *startup, struct apitrace_replay_feed *feed,
                           struct worker *worker, const struct apitrace_rewind *rewind,
                           const struct apitrace_route *route,
                           const struct apitrace_request *request, const struct cancel *cancel);

/*
 * With the next frame in order requested: whether the many to come are worth a session that
 * optimises, where this one does not.
 */
bool apitrace_startup_is_outgrown(const struct apitrace_startup *startup,
                                  const struct apitrace_dump *dump,
                                  const struct apitrace_rewind *rewind,
                                  const struct apitrace_request *request);

/* Ends the one ahead. If it failed, what it has compiled goes: it may have failed of that. */
void apitrace_startup_end_prewarm(struct apitrace_startup *startup, struct worker *worker);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Compiles shaders ahead of a player that begins with nothing compiled: most of the way to its
 * first pictures is compiling, which the driver does in one thread. A second session, with a
 * process and a thread of its own, keeps ahead of the player on the same range of frames, so that
 * the player finds the shaders compiled (apitrace.md 4.6). It draws no pixels, and its failure
 * changes nothing else. One owner.
 *
 * What it is worth: without it the first frame of neverball's trace takes 1.5 times as long (1.8 s
 * for 1.3), frame 40 1.4 times, frame 76 1.3 times (1.2 s for 0.9), all frames in order 1.1 times.
 * It takes 1.1 to 1.3 times the processor time. Where little is compiled it gains nothing (glmark2
 * 1.04, xscreensaver's boing 0.98 times). Medians of 5 interleaved runs (3 of all frames) on two
 * idle processors, nothing kept from an earlier mount.
 */
#ifndef GPUDUMPFS_FORMATS_APITRACE_REPLAY_SHADER_PREWARM_H
#define GPUDUMPFS_FORMATS_APITRACE_REPLAY_SHADER_PREWARM_H

#include "formats/apitrace/dump.h"
#include "worker/apitrace_session.h"
#include "worker/worker.h"

struct apitrace_shader_prewarm;

/* Where it goes. */
struct apitrace_prewarm_range {
    uint32_t first, last; /* frames that are drawn; those before are skipped */
    /* The player's session compiles fast, and draws the last of them, or one soon after. */
    bool fast_compile;
};

/*
 * The dump is not followed; `leader` is acquired, and its process runs. Calls that its session
 * leaves out as deadly are left out. 0, and *out is NULL when prewarming is of no use; -errno.
 */
int apitrace_shader_prewarm_start(struct apitrace_dump *dump, const struct worker *leader,
                                  const struct apitrace_session *session,
                                  const struct apitrace_prewarm_range *range,
                                  struct apitrace_shader_prewarm **out);

/* Ends it, wherever it is; NULL inside: nothing. True: a call has killed its process. */
bool apitrace_shader_prewarm_end(struct apitrace_shader_prewarm **ended);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Compiles shaders ahead of a player (player.h) that begins with nothing compiled. Most of the time
 * to the player's first pictures is compilation, which the driver does in one thread. Prewarming
 * uses a second thread: another session, in a process of its own, runs the same range of frames
 * ahead of the player, and draws no pixels. The driver stores the compiled shaders in the shader
 * disk cache (worker/shader_disk_cache.h), where the player's process finds them (apitrace.md 4.6).
 * A failure of prewarming affects nothing else. One owner.
 *
 * The gain: without it the first frame of neverball's trace takes 1.5 times as long (1.8 s instead
 * of 1.3), frame 40 1.4 times, frame 76 1.3 times (1.2 s instead of 0.9), all frames in order 1.1
 * times. It takes 1.1 to 1.3 times the processor time. Where little is compiled it gains nothing
 * (glmark2 1.04, xscreensaver's boing 0.98 times). Medians of 5 interleaved runs (3 of all frames)
 * on two idle processors, with nothing kept from an earlier mount.
 */
#ifndef GPUDUMPFS_FORMATS_APITRACE_REPLAY_SHADER_PREWARM_H
#define GPUDUMPFS_FORMATS_APITRACE_REPLAY_SHADER_PREWARM_H

#include "formats/apitrace/dump.h"
#include "worker/apitrace_session.h"
#include "worker/worker.h"

struct apitrace_shader_prewarm;

/* The frames to go through. */
struct apitrace_prewarm_range {
    uint32_t first, last; /* the first and last frame that are run; earlier frames are skipped */
    /* The player's session compiles fast, and draws the last of the frames, or one soon after. */
    bool fast_compile;
};

/*
 * Starts prewarming for a dump that is not followed. `leader` is the player's worker, which must be
 * acquired, with a running process; `session` is its session. Calls that `session` leaves out
 * because they kill the process are left out here, too. Returns 0, with *out NULL if prewarming
 * would be useless, or -errno.
 */
int apitrace_shader_prewarm_start(struct apitrace_dump *dump, const struct worker *leader,
                                  const struct apitrace_session *session,
                                  const struct apitrace_prewarm_range *range,
                                  struct apitrace_shader_prewarm **out);

/*
 * Ends prewarming, wherever it is; *ended may be NULL. Returns whether it failed, such as by a call
 * that killed its process.
 */
bool apitrace_shader_prewarm_end(struct apitrace_shader_prewarm **ended);

#endif

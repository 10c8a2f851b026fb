/*
 * Compiles shaders ahead of a player that begins with nothing compiled: most of the way to its
 * first pictures is compiling, which the driver does in one thread. A second session, with a
 * process and a thread of its own, keeps ahead of the player on the same range of frames, so that
 * the player finds the shaders compiled (apitrace.md 4.6). It draws no pixels, and its failure
 * changes nothing else. One owner.
 */
#ifndef GPUDUMPFS_APITRACE_REPLAY_SHADER_PREWARM_H
#define GPUDUMPFS_APITRACE_REPLAY_SHADER_PREWARM_H

#include "formats/apitrace/dump.h"
#include "worker/apitrace.h"
#include "worker/worker.h"

struct apitrace_shader_prewarm;

/* Where it goes. */
struct apitrace_prewarm_range {
    uint32_t first, last; /* frames that are drawn; those before are skipped */
    bool hurry;           /* the player compiles in a hurry, and draws the last or one soon after */
};

/*
 * The dump does not grow; `leader` is acquired, and its process runs. Calls that its session
 * leaves out as deadly are left out. 0, and *out is NULL when prewarming is of no use; -errno.
 */
int apitrace_shader_prewarm_start(struct apitrace_dump *dump, const struct worker *leader,
                                  const struct retrace_session *session,
                                  const struct apitrace_prewarm_range *range,
                                  struct apitrace_shader_prewarm **out);

/* Ends it, wherever it is; NULL inside: nothing. Whether it has come to grief, as a call killed it.
 */
bool apitrace_shader_prewarm_end(struct apitrace_shader_prewarm **prewarm);

#endif

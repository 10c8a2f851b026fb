/*
 * A session beside that of a player which begins with nothing compiled: most of the way to its
 * first pictures is compiling, which the driver does in one thread. The scout has a process and
 * a thread of its own, and keeps ahead of the player on the same way, so that he finds compiled
 * what he comes to (apitrace.md 4.6). It draws no pixels, and what becomes of it matters to
 * nobody else. One owner.
 */
#ifndef GPUDUMPFS_APITRACE_REPLAY_SHADER_PREWARM_H
#define GPUDUMPFS_APITRACE_REPLAY_SHADER_PREWARM_H

#include "formats/apitrace/dump.h"
#include "worker/apitrace.h"
#include "worker/worker.h"

struct apitrace_scout;

/* Where it goes. */
struct apitrace_scout_way {
    uint32_t first, last; /* frames that are drawn; those before are skipped */
    bool hurry;           /* the player compiles in a hurry, and wants the last or one soon after */
};

/*
 * The dump does not grow; `leader` is acquired, and its process runs. Calls that its session
 * leaves out as deadly are left out. 0, and *out is NULL when there is no use in a scout; -errno.
 */
int apitrace_scout_start(struct apitrace_dump *dump, const struct worker *leader,
                         const struct retrace_session *session,
                         const struct apitrace_scout_way *way, struct apitrace_scout **out);

/* Ends it, wherever it is; NULL inside: nothing. Whether it has come to grief, as a call killed it.
 */
bool apitrace_scout_end(struct apitrace_scout **scout);

#endif

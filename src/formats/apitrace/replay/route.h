/* SPDX-License-Identifier: MIT */
/*
 * The way of a session to what is requested of the player (player.c): which frames before it are
 * skipped, which are drawn because the result is made of them, and which yield their own pictures
 * on the way. For a thread that has acquired the player's worker.
 */
#ifndef GPUDUMPFS_FORMATS_APITRACE_REPLAY_ROUTE_H
#define GPUDUMPFS_FORMATS_APITRACE_REPLAY_ROUTE_H

#include "formats/apitrace/replay/request.h"
#include "formats/apitrace/replay/rewind.h"

struct apitrace_route {
    uint64_t to;                     /* a frame … */
    struct apitrace_replay_goal end; /* … and the place in it */
    uint64_t drawn;   /* frames from this one on are drawn; those before only if necessary */
    uint64_t offered; /* pictures of frames from this one on are offered to the cache */
};

/* Returns the route to what is requested alone, with all that is drawn for it. */
struct apitrace_route apitrace_route_to(const struct apitrace_dump *dump,
                                        const struct apitrace_request *request);

/*
 * Returns the same with pictures of frames before it, as many as fit in their share of the cache.
 * `again`: the session begins again, so that frames before it are drawn as rewind.h says.
 */
struct apitrace_route apitrace_route_plan(const struct apitrace_dump *dump,
                                          const struct apitrace_rewind *rewind,
                                          const struct apitrace_request *request, bool again);

/*
 * Returns whether what a frame draws is discarded. For a trace that grows it is not known what
 * later frames read, so nothing is.
 */
bool apitrace_route_skips(const struct apitrace_route *route, const struct apitrace_dump *dump,
                          uint64_t frame);

/*
 * Returns whether a frame before the last one yields its picture. Frames from `whole_from` on have
 * been drawn completely.
 */
bool apitrace_route_offers(const struct apitrace_route *route, const struct apitrace_dump *dump,
                           uint64_t frame, uint32_t whole_from);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The way of a session to what is requested of the player (player.c): which frames before it are
 * skipped, which are drawn since its picture is made of them, and which give their own pictures on
 * the way. For a thread that has acquired the player's worker.
 */
#ifndef GPUDUMPFS_FORMATS_APITRACE_REPLAY_ROUTE_H
#define GPUDUMPFS_FORMATS_APITRACE_REPLAY_ROUTE_H

#include "formats/apitrace/replay/request.h"
#include "formats/apitrace/replay/rewind.h"

struct apitrace_route {
    uint64_t to;                     /* a frame, … */
    struct apitrace_replay_goal end; /* … and the place in it */
    uint64_t drawn;   /* frames from this one on are drawn, those before if need be */
    uint64_t offered; /* pictures of frames from this one on are offered to the cache */
};

/* To what is requested alone, with all that is drawn for it. */
struct apitrace_route apitrace_route_to(const struct apitrace_dump *dump,
                                        const struct apitrace_request *request);

/*
 * The same with pictures of frames before it, as many as the cache's share holds beside its own.
 * `again`: the session begins anew, so that frames before it are drawn as rewind.h says.
 */
struct apitrace_route apitrace_route_plan(const struct apitrace_dump *dump,
                                          const struct apitrace_rewind *rewind,
                                          const struct apitrace_request *request, bool again);

/* Whether what a frame draws is thrown away. Of a trace that grows it is not known what later
 * frames read, so none is. */
bool apitrace_route_skips(const struct apitrace_route *route, const struct apitrace_dump *dump,
                          uint64_t frame);

/* Whether a frame before the last one is to give its picture. `whole_from`: frames from that one
 * on have been drawn in full. */
bool apitrace_route_offers(const struct apitrace_route *route, const struct apitrace_dump *dump,
                           uint64_t frame, uint32_t whole_from);

#endif

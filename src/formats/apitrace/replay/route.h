/* SPDX-License-Identifier: MIT */
/*
 * The way of a session to the place of a request (request.h): for each frame before it, whether the
 * frame is skipped, is drawn because the result is made of it, or also yields a picture of its own
 * for the cache. For a thread that has acquired the player's worker.
 */
#ifndef GPUDUMPFS_FORMATS_APITRACE_REPLAY_ROUTE_H
#define GPUDUMPFS_FORMATS_APITRACE_REPLAY_ROUTE_H

#include "formats/apitrace/replay/request.h"
#include "formats/apitrace/replay/rewind.h"

struct apitrace_route {
    uint64_t to;                     /* the frame with the route's end */
    struct apitrace_replay_goal end; /* the route's end: a place in frame `to` */
    uint64_t drawn;   /* frames from this one on are drawn; earlier ones only if necessary */
    uint64_t offered; /* pictures of frames from this one on are offered to the cache */
};

/* Returns the route that draws only what the request needs. */
struct apitrace_route apitrace_route_to(const struct apitrace_dump *dump,
                                        const struct apitrace_request *request);

/*
 * Returns the route to a request. If a frame's end is requested, frames that are drawn on the way
 * offer their pictures to the cache, as many as fit in the part of the cache for such pictures. If
 * the session begins `again`, further frames before the requested one are drawn, as rewind.h says.
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

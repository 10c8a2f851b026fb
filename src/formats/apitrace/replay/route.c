/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/replay/route.h"

enum {
    CACHE_SHARE = 4, /* pictures that were not requested may take 1/CACHE_SHARE of the cache */
    RGB = 3,         /* bytes of a pixel */
};

/*
 * Returns how many pictures of a frame's size fit in that part of the cache, including the frame's
 * own.
 */
static uint64_t pictures_that_fit(const struct apitrace_dump *dump, uint64_t frame)
{
    const struct apitrace_presented_frame *presented = &dump->presentation.frames[frame];
    struct cache_statistics statistics;

    if (dump->base.cache == NULL)
        return 0;
    cache_statistics(dump->base.cache, &statistics);
    return statistics.budget / CACHE_SHARE / RGB / presented->width / presented->height;
}

struct apitrace_route apitrace_route_to(const struct apitrace_dump *dump,
                                        const struct apitrace_request *request)
{
    return (struct apitrace_route){.to = request->frame,
                                   .end = apitrace_request_goal(dump, request),
                                   .offered = request->frame,
                                   .drawn = apitrace_request_base(dump, request)};
}

struct apitrace_route apitrace_route_plan(const struct apitrace_dump *dump,
                                          const struct apitrace_rewind *rewind,
                                          const struct apitrace_request *request, bool again)
{
    struct apitrace_route route = apitrace_route_to(dump, request);
    uint64_t frame = request->frame, others, before;
    uint32_t base;

    if (!apitrace_request_is_of_frame(request))
        return route;
    others = pictures_that_fit(dump, frame);
    others -= others > 0;
    route.offered = others < frame ? frame - others : 0;
    before = again ? apitrace_rewind_before(rewind, frame) : 0;
    if (before > frame - route.offered)
        before = frame - route.offered;
    base = dump->presentation.frames[frame - before].base;
    if (before > 0 && base < route.drawn)
        route.drawn = base;
    return route;
}

bool apitrace_route_skips(const struct apitrace_route *route, const struct apitrace_dump *dump,
                          uint64_t frame)
{
    return frame < route->drawn && !apitrace_index_grows(&dump->index) &&
           !dump->presentation.frames[frame].full;
}

bool apitrace_route_offers(const struct apitrace_route *route, const struct apitrace_dump *dump,
                           uint64_t frame, uint32_t whole_from)
{
    const struct apitrace_presented_frame *presented = &dump->presentation.frames[frame];

    return frame >= route->offered && frame < route->to && dump->base.cache != NULL &&
           presented->drawable != APITRACE_NO_DRAWABLE && presented->base >= whole_from;
}

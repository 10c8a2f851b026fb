/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/replay/startup.h"

#include "formats/apitrace/replay/shader_prewarm.h"
#include "worker/worker.h"

enum {
    /*
     * Fast compilation is worthwhile if at least FAR_FROM frames are skipped, and at most FAR_DRAWN
     * are drawn after them.
     */
    FAR_FROM = 32,
    FAR_DRAWN = 16,
    FEW_PIXELS = 1 << 27,   /* which optimised code draws in a third of a second */
    SMALL_PIXELS = 1 << 17, /* of a frame: filling these is too little work to share */
};

/* Returns whether few frames are drawn after many that are not. Optimising would take longer. */
static bool is_far(const struct apitrace_dump *dump, const struct apitrace_route *route)
{
    return route->drawn >= FAR_FROM && route->to - route->drawn < FAR_DRAWN &&
           apitrace_route_skips(route, dump, 0);
}

/*
 * Returns whether the trace has so few pixels that optimised code is not worthwhile. Each frame's
 * pixels count once for each of its draws.
 */
static bool draws_little(const struct apitrace_dump *dump)
{
    const struct apitrace_index *index = &dump->index;
    uint64_t pixels = 0;

    if (apitrace_index_grows(index))
        return false;
    for (uint64_t frame = 0; frame < index->frame_count && pixels <= FEW_PIXELS; frame++) {
        const struct apitrace_presented_frame *presented = &dump->presentation.frames[frame];

        pixels += (uint64_t)presented->width * presented->height * index->frames[frame].draws;
    }
    return pixels <= FEW_PIXELS;
}

bool apitrace_startup_is_outgrown(const struct apitrace_startup *startup,
                                  const struct apitrace_dump *dump,
                                  const struct apitrace_rewind *rewind,
                                  const struct apitrace_request *request)
{
    return startup->fast_compile && !startup->little && request->level == NULL &&
           apitrace_rewind_reads_in_order(rewind) && !apitrace_index_grows(&dump->index) &&
           dump->index.frame_count - request->frame >= FAR_FROM;
}

/*
 * Returns whether a session compiles fast. One that begins again for few frames compiles as the
 * session before, since it cannot use shaders that were compiled otherwise.
 */
static bool compiles_fast(const struct apitrace_startup *startup, const struct apitrace_dump *dump,
                          const struct apitrace_rewind *rewind, const struct apitrace_route *route)
{
    if (startup->little)
        return true;
    if (apitrace_rewind_reads_in_order(rewind))
        return false;
    if (startup->begun && route->to - route->drawn < FAR_DRAWN)
        return startup->fast_compile;
    return is_far(dump, route);
}

/*
 * Returns whether one thread draws. It does if only one is allowed, or if all frames are small and
 * the first request is within a frame, where each look would wake the other threads. Pictures of
 * consecutive frames are drawn faster by several threads, however small the frames are.
 */
static bool draws_alone(const struct apitrace_startup *startup, const struct apitrace_dump *dump,
                        const struct apitrace_request *request)
{
    if (startup->begun)
        return startup->alone;
    if (dump->base.options->threads == 1)
        return true;
    if (apitrace_index_grows(&dump->index) ||
        (apitrace_request_is_of_frame(request) && request->level == NULL))
        return false;
    for (uint64_t frame = 0; frame < dump->index.frame_count; frame++) {
        const struct apitrace_presented_frame *presented = &dump->presentation.frames[frame];

        if ((uint64_t)presented->width * presented->height > SMALL_PIXELS)
            return false;
    }
    return true;
}

/* If this fails, drawing only takes longer. A trace that is followed has no prewarming. */
static void start_prewarm(struct apitrace_startup *startup, const struct apitrace_replay_feed *feed,
                          const struct worker *worker, const struct apitrace_route *route)
{
    const struct apitrace_index *index = &feed->dump->index;
    const uint64_t next = route->drawn + 1,
                   last = startup->fast_compile && route->to < next ? route->to : next;
    struct apitrace_prewarm_range ahead = {.first = (uint32_t)route->drawn,
                                           .last = (uint32_t)last,
                                           .fast_compile = startup->fast_compile};

    if (apitrace_index_grows(index) && !apitrace_is_early(&feed->dump->base))
        return;
    if (last >= index->follow.frames) /* all frames, except one that is not completely read */
        ahead.last = (uint32_t)index->follow.frames - 1;
    (void)apitrace_shader_prewarm_start(feed->dump, worker, feed->session, &ahead,
                                        &startup->prewarm);
}

void apitrace_startup_end_prewarm(struct apitrace_startup *startup, struct worker *worker)
{
    if (apitrace_shader_prewarm_end(&startup->prewarm))
        worker_drop_shaders(worker);
}

/*
 * If the session compiles fast, the process for prewarming starts while the session begins.
 * Otherwise prewarming first waits to see whether the session is done soon, counted from its
 * beginning.
 */
int apitrace_startup_begin(struct apitrace_startup *startup, struct apitrace_replay_feed *feed,
                           struct worker *worker, const struct apitrace_rewind *rewind,
                           const struct apitrace_route *route,
                           const struct apitrace_request *request, const struct cancel *cancel)
{
    int status;

    startup->little = draws_little(feed->dump);
    startup->fast_compile = compiles_fast(startup, feed->dump, rewind, route);
    startup->alone = draws_alone(startup, feed->dump, request);
    apitrace_startup_end_prewarm(startup, worker);
    apitrace_session_fast_compile(feed->session, startup->fast_compile);
    apitrace_session_one_thread(feed->session, startup->alone);
    if (startup->fast_compile && is_far(feed->dump, route) && worker_start(worker, cancel) == 0)
        start_prewarm(startup, feed, worker, route);
    status = apitrace_replay_feed_begin(feed, cancel);
    if (status == 0 && !startup->fast_compile)
        start_prewarm(startup, feed, worker, route);
    startup->begun |= status == 0;
    return status;
}

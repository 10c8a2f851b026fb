/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/replay/replay.h"

#include <errno.h>
#include <stdlib.h>

struct apitrace_replay_goal apitrace_watch_begin(const struct apitrace_dump *dump,
                                                 const struct apitrace_watch *watch)
{
    const uint64_t order = dump->index.frames[watch->first].first;

    return (struct apitrace_replay_goal){.order = order,
                                         .call = apitrace_index_listed(&dump->index, order)};
}

/* Lines are counted from the top, the driver's from below. */
static struct apitrace_watch_request request_of(const struct apitrace_dump *dump,
                                                const struct apitrace_watch *watch)
{
    const struct apitrace_presented_frame *presented = &dump->presentation.frames[watch->frame];
    const struct apitrace_session_drawable *drawable =
        &dump->presentation.drawables.list[presented->drawable];
    struct apitrace_watch_request request = {
        .kind = watch->kind,
        .handle = drawable->call == APITRACE_NO_CALL ? APITRACE_WATCH_IMPLICIT : drawable->handle,
        .width = presented->width,
        .height = presented->height};

    if (watch->kind == APITRACE_WATCH_PIXEL) {
        request.x = watch->column;
        request.y = presented->height - 1 - watch->line;
        request.width = request.height = 1;
    }
    return request;
}

static int collect(struct apitrace_replay_feed *feed, const struct apitrace_watch_request *request,
                   const struct cancel *cancel, struct apitrace_watched *out)
{
    struct apitrace_picture picture = {0};
    int status;

    if (request->kind == APITRACE_WATCH_PIXEL) {
        free(out->pixel.list); /* of an attempt before */
        return apitrace_session_watched_pixel(feed->session, cancel, &out->pixel);
    }
    status = apitrace_session_watched_ids(feed->session, cancel, &picture);
    if (status == 0 && (picture.width != request->width || picture.height != request->height ||
                        picture.pixel_bytes != sizeof(uint32_t))) {
        blob_unref(&picture.owner);
        status = -ERANGE;
    }
    out->ids = picture.owner;
    return status;
}

int apitrace_watch_run(struct apitrace_replay_feed *feed, const struct apitrace_watch *watch,
                       const struct cancel *cancel, struct apitrace_watched *out)
{
    const struct apitrace_watch_request request = request_of(feed->dump, watch);
    const struct apitrace_replay_goal goal = apitrace_replay_goal_of(feed->dump, watch->frame);
    int status = apitrace_session_watch(feed->session, &request, cancel);

    if (status == 0)
        status = apitrace_replay_feed_run(feed, &goal, APITRACE_FEED_WATCH, cancel);
    return status == 0 ? collect(feed, &request, cancel, out) : status;
}

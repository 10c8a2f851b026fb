/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/replay/pixel_watch.h"

#include <errno.h>
#include <stdlib.h>

enum { RGB = 3, NUMBER = sizeof(uint32_t) }; /* bytes of a pixel */

struct apitrace_replay_goal apitrace_watch_begin(const struct apitrace_dump *dump,
                                                 const struct apitrace_watch *watch)
{
    const uint64_t order = dump->index.frames[watch->first].first;

    if (watch->draw != NULL)
        return (struct apitrace_replay_goal){.order = watch->begin_order, .call = watch->begin};

    return (struct apitrace_replay_goal){.order = order,
                                         .call = apitrace_index_listed(&dump->index, order)};
}

uint64_t apitrace_watch_handle(const struct apitrace_presentation *presentation, uint32_t drawable)
{
    const struct apitrace_session_drawable *found = &presentation->drawables.list[drawable];

    return found->call == APITRACE_NO_CALL ? APITRACE_WATCH_IMPLICIT : found->handle;
}

bool apitrace_watch_narrows(const struct apitrace_dump *dump, const struct apitrace_watch *watch)
{
    const struct apitrace_presentation *presentation = &dump->presentation;

    return watch->kind == APITRACE_WATCH_PIXEL && watch->first == watch->frame &&
           watch->base == watch->frame && watch->frame < presentation->unsafe &&
           !presentation->frames[watch->frame].full && !apitrace_index_grows(&dump->index);
}

/* Lines count from the top, but the driver's from the bottom. */
static struct apitrace_watch_request request_of(const struct apitrace_dump *dump,
                                                const struct apitrace_watch *watch)
{
    const struct apitrace_presented_frame *presented = &dump->presentation.frames[watch->frame];
    struct apitrace_watch_request request = {
        .kind = watch->kind,
        .handle = apitrace_watch_handle(&dump->presentation, presented->drawable),
        .width = presented->width,
        .height = presented->height};

    if (watch->draw != NULL) {
        request.flags = APITRACE_WATCH_MAY_SPOIL;
        request.handle = watch->draw->drawable;
        request.width = watch->width;
        request.height = watch->height;
    }
    if (watch->kind == APITRACE_WATCH_PIXEL) {
        request.x = watch->column;
        request.y = presented->height - 1 - watch->line;
        request.width = request.height = 1;
        request.flags = apitrace_watch_narrows(dump, watch) ? APITRACE_WATCH_NARROW : 0;
    }
    return request;
}

void apitrace_coverage_clear(struct apitrace_coverage *coverage)
{
    blob_unref(&coverage->pixels);
    blob_unref(&coverage->colours);
}

/* Reads colours at the session's place: of what a draw is drawn on, or of a frame's picture. */
static int read_colours(struct apitrace_replay_feed *feed, const struct apitrace_watch *watch,
                        const struct apitrace_watch_request *request, const struct cancel *cancel,
                        struct apitrace_coverage *out)
{
    const struct apitrace_picture_request message = {
        .kind = APITRACE_PICTURE_COLOUR, .width = request->width, .height = request->height};
    struct apitrace_picture picture = {0};
    int status;

    if (watch->draw != NULL) {
        out->colour_bytes = 4;
        return watch->bytes == 0 ? 0
                                 : apitrace_session_draw_part(feed->session, watch->draw->width,
                                                              watch->draw->height, watch->place,
                                                              watch->bytes, cancel, &out->colours);
    }
    status = apitrace_session_picture(feed->session, &message, cancel, &picture);
    if (status == 0)
        status = apitrace_session_expect(&picture, request->width, request->height, RGB);
    out->colours = picture.owner;
    out->colour_bytes = RGB;
    return status;
}

static int collect_coverage(struct apitrace_replay_feed *feed, const struct apitrace_watch *watch,
                            const struct apitrace_watch_request *request,
                            const struct cancel *cancel, struct apitrace_coverage *out)
{
    struct apitrace_picture picture = {0};
    int status;

    apitrace_coverage_clear(out); /* of an earlier attempt */
    status = apitrace_session_watched_coverage(feed->session, cancel, &out->told, &picture);
    if (status == 0)
        status = apitrace_session_expect(&picture, request->width, request->height, NUMBER);
    out->width = picture.width;
    out->height = picture.height;
    out->pixels = picture.owner;
    return status == 0 ? read_colours(feed, watch, request, cancel, out) : status;
}

static int collect(struct apitrace_replay_feed *feed, const struct apitrace_watch *watch,
                   const struct apitrace_watch_request *request, const struct cancel *cancel,
                   struct apitrace_watched *out)
{
    struct apitrace_picture picture = {0};
    int status;

    if (request->kind == APITRACE_WATCH_PIXEL) {
        free(out->pixel.list); /* of an earlier attempt */
        return apitrace_session_watched_pixel(feed->session, cancel, &out->pixel);
    }
    if (request->kind == APITRACE_WATCH_COVERAGE)
        return collect_coverage(feed, watch, request, cancel, &out->coverage);
    status = apitrace_session_watched_ids(feed->session, cancel, &picture);
    if (status == 0)
        status = apitrace_session_expect(&picture, request->width, request->height, NUMBER);
    out->ids = picture.owner;
    return status;
}

int apitrace_watch_run(struct apitrace_replay_feed *feed, const struct apitrace_watch *watch,
                       const struct cancel *cancel, struct apitrace_watched *out)
{
    const struct apitrace_watch_request request = request_of(feed->dump, watch);
    const struct apitrace_replay_goal goal =
        watch->draw != NULL ? (struct apitrace_replay_goal){.order = watch->draw->order + 1,
                                                            .call = watch->draw->call,
                                                            .flags = APITRACE_FEED_AFTER}
                            : apitrace_replay_goal_of(feed->dump, watch->frame);
    int status = apitrace_session_watch(feed->session, &request, cancel);

    if (status == 0)
        status = apitrace_replay_feed_run(feed, &goal, APITRACE_FEED_WATCH, cancel);
    return status == 0 ? collect(feed, watch, &request, cancel, out) : status;
}

#include "formats/apitrace/replay/replay_feed.h"

#include <errno.h>
#include <stdlib.h>

struct apitrace_goal apitrace_goal_of(const struct apitrace_dump *dump, uint64_t frame)
{
    const struct apitrace_frame_record *record = &dump->index.frames[frame];
    uint64_t draw;

    if (record->function != APITRACE_NO_FUNCTION)
        return (struct apitrace_goal){.order = record->end - 1,
                                      .call = apitrace_index_listed(&dump->index, record->end - 1)};
    draw = dump->screens.last_draw; /* which changes before the trace has ended */
    return (struct apitrace_goal){.order = apitrace_record_of(&dump->index, draw).order + 1,
                                  .call = draw,
                                  .flags = RETRACE_AFTER};
}

int apitrace_feeder_begin(struct apitrace_feeder *feeder, const struct cancel *cancel)
{
    struct retrace_drawable *drawables = NULL;
    size_t count = 0;
    int status = apitrace_dump_drawables(feeder->dump, &drawables, &count, &feeder->changes);

    if (status == 0)
        status = retrace_reset(feeder->session, drawables, count, cancel);
    free(drawables);
    feeder->hungry = true;
    feeder->order = feeder->next = 0;
    return status;
}

/* One message, with the bytes that come next if some are needed. */
static int feed(struct apitrace_feeder *feeder, const struct apitrace_goal *goal, uint32_t flags,
                const struct cancel *cancel, struct retrace_progress *progress)
{
    const struct apitrace_index *index = &feeder->dump->index;
    uint64_t end = apitrace_index_totals(index).end;
    struct retrace_feed feed = {
        .offset = feeder->next, .stop = goal->call, .flags = goal->flags | flags};
    struct apitrace_stretch stretch = {0};
    int status = 0;

    if (feeder->hungry && feeder->next >= end) {
        if (apitrace_index_grows(index))
            return -ENODATA;
        feed.flags |= RETRACE_END;
    } else if (feeder->hungry) {
        uint64_t left = end - feeder->next, inside;

        status = apitrace_stream_get(&index->stream, feeder->next, cancel, &stretch);
        if (status < 0)
            return status == -EBADMSG || status == -ENODATA ? -EIO : status;
        inside = stretch.size - (feeder->next - stretch.begin);
        feed.bytes = stretch.data + (feeder->next - stretch.begin);
        feed.size = (size_t)(inside < left ? inside : left);
        if (feed.size > RETRACE_FEED_BYTES)
            feed.size = RETRACE_FEED_BYTES;
    }
    status = retrace_feed(feeder->session, &feed, cancel, progress);
    blob_unref(&stretch.blob);
    return status;
}

static void take(struct apitrace_feeder *feeder, const struct retrace_progress *progress)
{
    feeder->order = progress->listed;
    feeder->next = progress->next;
    feeder->hungry = progress->state == RETRACE_HUNGRY;
}

int apitrace_feeder_run(struct apitrace_feeder *feeder, const struct apitrace_goal *goal,
                        uint32_t flags, const struct cancel *cancel)
{
    while (feeder->order < goal->order) {
        struct retrace_progress progress = {0};
        int status = feed(feeder, goal, flags, cancel, &progress);

        if (status < 0)
            return status;
        take(feeder, &progress);
        if (progress.state == RETRACE_STOPPED)
            feeder->order = goal->order;
        else if (progress.state == RETRACE_ENDED && feeder->order < goal->order)
            return -ENODATA;
    }
    return 0;
}

int apitrace_feeder_ask(struct apitrace_feeder *feeder, const struct cancel *cancel)
{
    const struct retrace_feed stay = {
        .offset = feeder->next, .stop = RETRACE_NO_CALL, .flags = RETRACE_STAY};
    struct retrace_progress progress = {0};
    int status = retrace_feed(feeder->session, &stay, cancel, &progress);

    if (status == 0)
        take(feeder, &progress);
    return status;
}

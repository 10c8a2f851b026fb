/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/replay/replay_feed.h"

#include "formats/apitrace/decode/reader.h"

#include <errno.h>
#include <stdlib.h>

/*
 * Sets *goal and returns true if a call never returned and its thread continued, as happens when a
 * signal handler ends the program. The call is listed, and run, after all other calls, when
 * contexts may be gone. So the goal is after the call of that thread that was listed last before
 * this one was entered.
 */
static bool was_left(const struct apitrace_index *index, const struct apitrace_frame_record *frame,
                     const struct apitrace_record *entered, struct apitrace_replay_goal *goal)
{
    bool went_on = false;

    if ((entered->marks & APITRACE_INCOMPLETE) == 0)
        return false;
    for (uint64_t order = frame->end; order > frame->first; order--) {
        uint64_t number = apitrace_index_listed(index, order - 1);

        if (number == entered->number || apitrace_index_at(index, number).thread != entered->thread)
            continue;
        if (number < entered->number) {
            *goal = (struct apitrace_replay_goal){
                .order = order, .call = number, .flags = APITRACE_FEED_AFTER};
            return went_on;
        }
        went_on = true;
    }
    return false;
}

struct apitrace_replay_goal apitrace_replay_goal_of(const struct apitrace_dump *dump,
                                                    uint64_t frame)
{
    const struct apitrace_frame_record *record = &dump->index.frames[frame];
    const bool ends = record->function != APITRACE_NO_FUNCTION;
    /* The last draw changes until the trace has ended. */
    uint64_t number =
        ends ? apitrace_index_listed(&dump->index, record->end - 1) : dump->presentation.last_draw;
    const struct apitrace_record call = apitrace_index_at(&dump->index, number);
    struct apitrace_replay_goal goal;

    if (was_left(&dump->index, record, &call, &goal))
        return goal;
    if (ends)
        return (struct apitrace_replay_goal){.order = record->end - 1, .call = number};
    return (struct apitrace_replay_goal){
        .order = call.order + 1, .call = number, .flags = APITRACE_FEED_AFTER};
}

int apitrace_replay_feed_begin(struct apitrace_replay_feed *feed, const struct cancel *cancel)
{
    struct apitrace_session_drawable *drawables = NULL;
    size_t count = 0;
    int status = apitrace_dump_drawables(feed->dump, &drawables, &count, &feed->changes);

    if (status == 0)
        status = apitrace_session_reset(feed->session, drawables, count, cancel);
    free(drawables);
    feed->hungry = true;
    feed->dry = false;
    feed->order = feed->next = 0;
    return status;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/*
 * Finds the next bytes, at most `left`. The bytes of a sparse chunk are collected, since few are
 * adjacent. The caller drops `*owner`, which has the bytes.
 */
static int find_bytes(const struct apitrace_replay_feed *feed, uint64_t left,
                      const struct cancel *cancel, struct apitrace_session_feed *message,
                      struct blob **owner)
{
    const struct apitrace_stream *stream = &feed->dump->index.stream;
    struct apitrace_stretch stretch;
    uint64_t inside, all;
    int status = apitrace_stream_get(stream, feed->next, cancel, &stretch);

    if (status < 0)
        return status;
    *owner = stretch.blob;
    inside = smaller(stretch.size - (feed->next - stretch.begin), left);
    all = stretch.blob != NULL ? smaller(stream->chunks[stretch.chunk + 1].raw - feed->next, left)
                               : inside;
    message->bytes = stretch.data + (feed->next - stretch.begin);
    message->size = (size_t)smaller(inside, APITRACE_FEED_BYTES);
    if (message->size >= smaller(all, APITRACE_FEED_BYTES))
        return 0;
    message->size = (size_t)smaller(all, APITRACE_FEED_BYTES);
    blob_unref(owner);
    status = apitrace_read_blob(stream, feed->next, message->size, cancel, owner);
    message->bytes = status == 0 ? (*owner)->data : NULL;
    return status;
}

/* Sends one message, with the next bytes if some are needed. */
static int send_message(struct apitrace_replay_feed *feed, const struct apitrace_replay_goal *goal,
                        uint32_t flags, const struct cancel *cancel,
                        struct apitrace_session_progress *progress)
{
    const struct apitrace_index *index = &feed->dump->index;
    uint64_t end = apitrace_index_totals(index).end;
    struct apitrace_session_feed message = {
        .offset = feed->next, .stop = goal->call, .flags = goal->flags | flags};
    struct blob *owner = NULL;
    int status = 0;

    if (feed->hungry && feed->next >= end && apitrace_index_grows(index)) {
        if (feed->dry)
            return -ENODATA;
        feed->dry = true;
    } else if (feed->hungry && feed->next >= end) {
        message.flags |= APITRACE_FEED_END;
    } else if (feed->hungry) {
        feed->dry = false;
        status = find_bytes(feed, end - feed->next, cancel, &message, &owner);
        if (status < 0)
            return status == -EBADMSG || status == -ENODATA ? -EIO : status;
    }
    status = apitrace_session_feed(feed->session, &message, cancel, progress);
    blob_unref(&owner);
    return status;
}

static void take(struct apitrace_replay_feed *feed,
                 const struct apitrace_session_progress *progress)
{
    feed->order = progress->listed;
    feed->next = progress->next;
    feed->hungry = progress->state == APITRACE_FEED_HUNGRY;
    feed->dry &= feed->hungry;
}

int apitrace_replay_feed_run(struct apitrace_replay_feed *feed,
                             const struct apitrace_replay_goal *goal, uint32_t flags,
                             const struct cancel *cancel)
{
    while (feed->order < goal->order) {
        struct apitrace_session_progress progress = {0};
        int status = send_message(feed, goal, flags, cancel, &progress);

        if (status < 0)
            return status;
        take(feed, &progress);
        if (progress.state == APITRACE_FEED_STOPPED)
            feed->order = goal->order;
        else if (progress.state == APITRACE_FEED_ENDED && feed->order < goal->order)
            return -ENODATA;
    }
    return 0;
}

int apitrace_replay_feed_sync(struct apitrace_replay_feed *feed, const struct cancel *cancel)
{
    const struct apitrace_session_feed stay = {
        .offset = feed->next, .stop = APITRACE_NO_CALL, .flags = APITRACE_FEED_STAY};
    struct apitrace_session_progress progress = {0};
    int status = apitrace_session_feed(feed->session, &stay, cancel, &progress);

    if (status == 0)
        take(feed, &progress);
    return status;
}

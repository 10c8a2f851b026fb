/* SPDX-License-Identifier: MIT */
#include "formats/aerogpu/replay/write_history.h"

#include "base/array.h"
#include "formats/aerogpu/replay/replay.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Returns the frame in which a life begins. */
static uint32_t frame_of_life(const struct aerogpu_scan *scan, uint32_t life, uint32_t last)
{
    uint32_t low = 0, high = last;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (scan->frames[middle].lives_end <= life)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void aerogpu_write_history_init(struct aerogpu_write_history *history, struct aerogpu_dump *dump,
                                uint32_t frame, const struct aerogpu_shot *shot,
                                const struct cancel *cancel)
{
    const struct aerogpu_scan *scan = aerogpu_dump_scanned(dump);

    *history = (struct aerogpu_write_history){.dump = dump,
                                              .cancel = cancel,
                                              .end = shot->tick,
                                              .next = frame + 1,
                                              .begin = frame + 1,
                                              .length = 1};
    aerogpu_part_of(scan, shot, &history->part);
    if (shot->life != AEROGPU_NONE)
        history->first = frame_of_life(scan, shot->life, frame);
}

void aerogpu_write_history_clear(struct aerogpu_write_history *history)
{
    free(history->events.list);
    history->events = (struct aerogpu_events){0};
}

/*
 * Gets whether only the worker knows the subresource, and the depth target, in the machine's
 * current state.
 */
static void look_at(const struct aerogpu_write_history *history,
                    const struct aerogpu_machine *machine, bool *drawn, bool *depth_drawn,
                    bool *has_depth)
{
    const struct aerogpu_object *object = NULL;
    struct aerogpu_target depth;
    struct aerogpu_format_info format;

    *drawn = machine->back_drawn;
    if (history->part.life != AEROGPU_NONE) {
        const struct aerogpu_life *life =
            &aerogpu_dump_scanned(history->dump)->lives[history->part.life];

        object = aerogpu_objects_alive(&machine->objects, AEROGPU_SPACE_RESOURCE,
                                       life->object.handle, history->part.life);
        *drawn = object != NULL && object->drawn;
    }
    *has_depth = aerogpu_machine_target_of(machine, machine->pipeline.depth_stencil, &depth) &&
                 aerogpu_format_find(depth.format, &format) && format.depth;
    *depth_drawn = *has_depth && depth.texture->drawn;
}

static int add(struct aerogpu_events *events, const struct aerogpu_event *event)
{
    if (events->count == AEROGPU_EVENTS_MAX)
        return -EFBIG;
    if (ARRAY_GROW(events->list, events->count, events->capacity) != 0)
        return -ENOMEM;
    events->list[events->count++] = *event;
    return 0;
}

/*
 * Advances the machine to `tick`. Gets whether the command writes to the subresource, and the event
 * then.
 */
static int step(const struct aerogpu_write_history *history, uint64_t tick,
                struct aerogpu_event *event, bool *writes)
{
    const struct aerogpu_player *player = aerogpu_replay_player(history->dump);
    bool had_depth;
    int status;

    look_at(history, &player->machine, &event->drawn[0], &event->depth_drawn[0], &had_depth);
    status = aerogpu_replay_go_on(history->dump, tick, history->cancel);
    if (status != 0)
        return status;
    *writes =
        player->tick == tick && aerogpu_reach_find(player, aerogpu_dump_scanned(history->dump),
                                                   &history->part, &event->reach);
    if (!*writes)
        return 0;
    look_at(history, &player->machine, &event->drawn[1], &event->depth_drawn[1], &event->has_depth);
    event->tick = tick;
    event->type = player->command.type;
    event->offset = player->command.offset;
    event->where = (struct aerogpu_where){
        .record = player->record - 1,
        .submission = player->submission,
        .command = player->submission != AEROGPU_NONE ? player->command.number : 0};
    return 0;
}

int aerogpu_write_history_find(const struct aerogpu_write_history *history, uint64_t tick,
                               struct aerogpu_event *out)
{
    const struct aerogpu_machine *machine = NULL;
    bool writes = false;
    int status = aerogpu_replay_enter(history->dump, tick - 1, history->cancel, &machine);

    if (status == 0)
        status = step(history, tick, out, &writes);
    if (status != 0)
        return status;
    aerogpu_replay_leave(history->dump);
    return writes ? 0 : -ENOENT;
}

/* Marks the frames from `first` up to `end` in which something is written to the subresource. */
static int mark(struct aerogpu_write_history *history, uint32_t first, uint32_t end)
{
    const struct aerogpu_scan_frame *frames = aerogpu_dump_scanned(history->dump)->frames;
    const struct aerogpu_machine *machine = NULL;
    struct aerogpu_event event;
    uint64_t tick = frames[first].begin;
    int status = aerogpu_replay_enter(history->dump, tick, history->cancel, &machine);

    if (status != 0)
        return status;
    memset(history->written, 0, sizeof(history->written));
    for (uint32_t frame = first; frame < end; frame++)
        while (tick < frames[frame].end && tick < history->end) {
            bool writes = false;

            status = step(history, ++tick, &event, &writes);
            if (status != 0)
                return status; /* aerogpu_replay_go_on() has left the replay */
            if (writes)
                history->written[(frame - first) / 64] |= UINT64_C(1) << (frame - first) % 64;
        }
    aerogpu_replay_leave(history->dump);
    return 0;
}

/* Collects all events of one frame. */
static int collect(struct aerogpu_write_history *history, uint32_t frame)
{
    const struct aerogpu_scan_frame *found = &aerogpu_dump_scanned(history->dump)->frames[frame];
    const struct aerogpu_machine *machine = NULL;
    int status = aerogpu_replay_enter(history->dump, found->begin, history->cancel, &machine);

    if (status != 0)
        return status;
    history->events.frame = frame;
    history->events.count = 0;
    for (uint64_t tick = found->begin; tick < found->end && tick < history->end;) {
        struct aerogpu_event event = {.tick = 0};
        bool writes = false;

        status = step(history, ++tick, &event, &writes);
        if (status != 0)
            return status;
        if (writes)
            status = add(&history->events, &event);
        if (status != 0)
            break;
    }
    aerogpu_replay_leave(history->dump);
    return status;
}

/* Searches the stretch before the last one. */
static int stretch(struct aerogpu_write_history *history)
{
    uint32_t end = history->begin;
    uint32_t first =
        end - history->first > history->length ? end - history->length : history->first;
    int status = mark(history, first, end);

    history->begin = first;
    if (history->length < AEROGPU_HISTORY_STRETCH)
        history->length *= 2;
    return status;
}

int aerogpu_write_history_back(struct aerogpu_write_history *history)
{
    int status = 0;

    while (status == 0 && history->next > history->first) {
        uint32_t frame = history->next - 1;

        if (frame < history->begin)
            status = stretch(history);
        if (status != 0)
            break;
        history->next = frame;
        if ((history->written[(frame - history->begin) / 64] >> (frame - history->begin) % 64 &
             1) != 0)
            return collect(history, frame);
    }
    return status == 0 ? -ENOENT : status;
}

/* SPDX-License-Identifier: MIT */
/*
 * Finds the commands that may write to a subresource, from a picture of it back through the frames
 * to the creation of the texture. The state machine only goes forward, so frames are searched in
 * stretches, each twice as long as the one before. Only one thread may use a history at a time.
 */
#ifndef GPUDUMPFS_AEROGPU_REPLAY_WRITE_HISTORY_H
#define GPUDUMPFS_AEROGPU_REPLAY_WRITE_HISTORY_H

#include "formats/aerogpu/dump.h"
#include "formats/aerogpu/replay/reach.h"

/* A command that may write to the subresource. */
struct aerogpu_event {
    struct aerogpu_reach reach;
    uint64_t tick; /* number of commands done after it */
    const struct aerogpu_packet_type *type;
    struct aerogpu_where where;
    uint32_t offset; /* in its stream, or in its record */
    /*
     * Whether only the worker knows the subresource, and the depth target, [0] before and [1]
     * after.
     */
    bool drawn[2], depth_drawn[2];
    bool has_depth; /* a depth target is bound */
};

struct aerogpu_events {
    uint32_t frame;
    struct aerogpu_event *list; /* in the order of execution */
    size_t count, capacity;
};

enum { AEROGPU_EVENTS_MAX = 1 << 20, AEROGPU_HISTORY_STRETCH = 4096 };

struct aerogpu_write_history {
    struct aerogpu_dump *dump;
    const struct cancel *cancel;
    struct aerogpu_part part;
    uint64_t end;    /* tick of the picture */
    uint32_t first;  /* frame in which the texture is created */
    uint32_t next;   /* the frame after the one to search next */
    uint32_t begin;  /* first frame of the stretch that `written` describes */
    uint32_t length; /* of the next stretch, in frames */
    uint64_t written[AEROGPU_HISTORY_STRETCH / 64]; /* a bit for each frame from `begin` on */
    struct aerogpu_events events;
};

/* Begins a history at a picture of this frame. The scan must be made, and include the frame. */
void aerogpu_write_history_init(struct aerogpu_write_history *history, struct aerogpu_dump *dump,
                                uint32_t frame, const struct aerogpu_shot *shot,
                                const struct cancel *cancel);
void aerogpu_write_history_clear(struct aerogpu_write_history *history);

/*
 * Goes back to the next frame with commands that may write to the subresource, and stores them in
 * history->events. Returns 0; -ENOENT if there is none; -EINTR; -ENOMEM; or -EFBIG for a frame with
 * more than AEROGPU_EVENTS_MAX events.
 */
int aerogpu_write_history_back(struct aerogpu_write_history *history);

/*
 * Gets the event of the command after which `tick` commands are done, at whatever frame the history
 * is. Returns what aerogpu_write_history_back() returns; -ENOENT if the command writes nothing
 * there.
 */
int aerogpu_write_history_find(const struct aerogpu_write_history *history, uint64_t tick,
                               struct aerogpu_event *out);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The commands that may write to a subresource, from a picture of it back through the frames, to
 * where the texture is made. The state machine only goes forward, so that frames are looked
 * through in stretches, each twice as long as the one before. One thread at a time for each
 * history.
 */
#ifndef GPUDUMPFS_AEROGPU_REPLAY_WRITE_HISTORY_H
#define GPUDUMPFS_AEROGPU_REPLAY_WRITE_HISTORY_H

#include "formats/aerogpu/dump.h"
#include "formats/aerogpu/replay/reach.h"

/* A command that may write there. */
struct aerogpu_event {
    struct aerogpu_reach reach;
    uint64_t tick; /* commands done once it is */
    const struct aerogpu_packet_type *type;
    struct aerogpu_where where;
    uint32_t offset; /* in its stream, or in its record */
    /* Whether only the worker knows the subresource, and the depth target, before and after. */
    bool drawn[2], depth_drawn[2];
    bool has_depth; /* a depth target is bound */
};

struct aerogpu_events {
    uint32_t frame;
    struct aerogpu_event *list; /* in their order */
    size_t count, capacity;
};

enum { AEROGPU_EVENTS_MAX = 1 << 20, AEROGPU_HISTORY_STRETCH = 4096 };

struct aerogpu_write_history {
    struct aerogpu_dump *dump;
    const struct cancel *cancel;
    struct aerogpu_part part;
    uint64_t end;    /* tick of the picture */
    uint32_t first;  /* frame in which the texture is made */
    uint32_t next;   /* the frame behind the one that is looked at next */
    uint32_t begin;  /* of the stretch of which it is known where something is written */
    uint32_t length; /* of the next stretch */
    uint64_t written[AEROGPU_HISTORY_STRETCH / 64]; /* a bit for each frame from `begin` on */
    struct aerogpu_events events;
};

/* A picture of that frame; the scan is there, and the frame in it. */
void aerogpu_write_history_init(struct aerogpu_write_history *history, struct aerogpu_dump *dump,
                                uint32_t frame, const struct aerogpu_shot *shot,
                                const struct cancel *cancel);
void aerogpu_write_history_clear(struct aerogpu_write_history *history);

/*
 * Goes back to the next frame with commands that may write there, which are in history->events
 * then. 0, -ENOENT: there is none, -EINTR, -ENOMEM, -EFBIG: a frame with more than
 * AEROGPU_EVENTS_MAX.
 */
int aerogpu_write_history_back(struct aerogpu_write_history *history);

/*
 * Whatever the history stands at: the command that is the last of `tick` that are done. As
 * aerogpu_write_history_back(); -ENOENT: it writes nothing there.
 */
int aerogpu_write_history_find(const struct aerogpu_write_history *history, uint64_t tick,
                               struct aerogpu_event *out);

#endif

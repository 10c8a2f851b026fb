/*
 * Checkpoints of a replay, at the beginning of frames: some dozens over the whole trace,
 * further apart when they hold too much. Each has a player, and a number under which the
 * owner keeps what else belongs to it. One thread at a time.
 */
#ifndef GPUDUMPFS_AEROGPU_REPLAY_CHECKPOINTS_H
#define GPUDUMPFS_AEROGPU_REPLAY_CHECKPOINTS_H

#include "formats/aerogpu/replay/player.h"

enum { AEROGPU_CHECKPOINTS_MAX = 32 };

struct aerogpu_checkpoint {
    bool used;
    uint32_t frame;
    struct aerogpu_player player; /* between frames */
};

struct aerogpu_checkpoints {
    uint32_t every; /* frames from one to the next */
    struct aerogpu_checkpoint list[AEROGPU_CHECKPOINTS_MAX];
};

void aerogpu_checkpoints_init(struct aerogpu_checkpoints *checkpoints, uint32_t frames);
void aerogpu_checkpoints_clear(struct aerogpu_checkpoints *checkpoints);

/*
 * The free number under which to keep the player, which is at the beginning of a frame; -1:
 * there is a checkpoint already, or there is to be none.
 */
int aerogpu_checkpoints_wanted(const struct aerogpu_checkpoints *checkpoints,
                               const struct aerogpu_player *player);

/* Keeps a copy of the player. 0 or -ENOMEM. */
int aerogpu_checkpoints_add(struct aerogpu_checkpoints *checkpoints, int number,
                            const struct aerogpu_player *player);
void aerogpu_checkpoints_drop(struct aerogpu_checkpoints *checkpoints, int number);

/* The last one not beyond `tick`; -1: none. */
int aerogpu_checkpoints_find(const struct aerogpu_checkpoints *checkpoints, uint64_t tick);

/* Whether there is room for no other: how many frames a trace that grows will have is not known. */
bool aerogpu_checkpoints_full(const struct aerogpu_checkpoints *checkpoints);

/* Doubles the distance; whether number `number` has no place any more, and is to be dropped. */
void aerogpu_checkpoints_spread(struct aerogpu_checkpoints *checkpoints);
bool aerogpu_checkpoints_misaligned(const struct aerogpu_checkpoints *checkpoints, int number);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Plays a trace on a state machine, command by command: frames in their order,
 * records in a frame, commands in a submission (aerogpu.md 4.1). The caller
 * listens through the machine's effects, or looks at the machine after a step. One thread at a
 * time.
 */
#ifndef GPUDUMPFS_AEROGPU_REPLAY_PLAYER_H
#define GPUDUMPFS_AEROGPU_REPLAY_PLAYER_H

#include "base/cancel.h"
#include "formats/aerogpu/index.h"
#include "formats/aerogpu/replay/machine.h"

struct aerogpu_player {
    const struct aerogpu_index *index;
    struct aerogpu_machine machine;
    uint32_t frame, record; /* of what is next */
    uint64_t tick;          /* commands done since the beginning, refused ones included */
    uint64_t walked;        /* bytes of streams begun */
    /* The command under way, or done last. */
    struct aerogpu_command command;
    uint32_t submission; /* AEROGPU_NONE: a packet that stands alone in its record */
    const char *refusal; /* why it was refused; NULL: it was executed */
    /* Within a submission. */
    bool in_stream;
    struct aerogpu_stream stream;
    struct aerogpu_memory memory;
};

/*
 * Streams may be named by many submissions: beyond this many times the file as far as
 * their record, or so many bytes, submissions are refused.
 */
enum { AEROGPU_WALK_TIMES = 64, AEROGPU_WALK_MIN = 1 << 26 };

bool aerogpu_walked_enough(const struct aerogpu_index *index, uint32_t record, uint64_t walked);

void aerogpu_player_init(struct aerogpu_player *player, const struct aerogpu_index *index,
                         const struct aerogpu_effects *effects, void *context,
                         const struct aerogpu_limits *limits);
void aerogpu_player_clear(struct aerogpu_player *player);
/* Of a player that is not in a submission. 0, or -ENOMEM: `to` is nothing. */
int aerogpu_player_copy(struct aerogpu_player *to, const struct aerogpu_player *from);

enum aerogpu_step {
    AEROGPU_STEP_COMMAND,    /* player->command was executed, or refused */
    AEROGPU_STEP_SUBMISSION, /* a submission begins; `refusal`: it cannot be executed at all */
    AEROGPU_STEP_BROKEN,     /* its stream's framing ends it: player->stream.error */
    AEROGPU_STEP_END,        /* of the submission */
    AEROGPU_STEP_PACKET,     /* a record that holds no packet: player->stream.error */
    AEROGPU_STEP_FRAME,      /* frame player->frame - 1 is over */
    AEROGPU_STEP_DONE,       /* nothing is left */
};

/* One step. 0, or a negative errno of an effect (-ENOMEM). */
int aerogpu_player_step(struct aerogpu_player *player, enum aerogpu_step *out);

/*
 * The memory that submission `number` brings, for aerogpu_memory_clear(). What is
 * wrong with its ranges goes to `problems`, unless that is NULL. 0 or -ENOMEM.
 */
int aerogpu_memory_open(const struct aerogpu_index *index, uint32_t number,
                        struct problems *problems, struct aerogpu_memory *out);
void aerogpu_memory_clear(struct aerogpu_memory *memory);

/*
 * Checkpoints of a replay, at the beginning of frames: some dozens over the whole
 * trace, further apart when they hold too much. Each has a player, and a number under which the
 * owner keeps what else belongs to it. One thread at a time.
 */

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

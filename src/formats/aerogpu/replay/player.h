/* SPDX-License-Identifier: MIT */
/*
 * Plays a trace on a state machine, command by command: frames in their order, records in a frame,
 * commands in a submission (aerogpu.md 4.1). The caller observes commands through the machine's
 * effects, or reads the machine after a step. Only one thread may use a player at a time.
 */
#ifndef GPUDUMPFS_AEROGPU_REPLAY_PLAYER_H
#define GPUDUMPFS_AEROGPU_REPLAY_PLAYER_H

#include "base/cancel.h"
#include "formats/aerogpu/index.h"
#include "formats/aerogpu/replay/machine.h"

struct aerogpu_player {
    const struct aerogpu_index *index;
    struct aerogpu_machine machine;
    uint32_t frame, record; /* of the next step */
    uint64_t tick;          /* number of commands done since the beginning, refused ones included */
    uint64_t walked;        /* bytes of all streams begun so far */
    /* The current command, or the last one done. */
    struct aerogpu_command command;
    uint32_t submission; /* AEROGPU_NONE if the packet is alone in its record */
    const char *refusal; /* why the command was refused; NULL if it was executed */
    /* Valid within a submission. */
    bool in_stream;
    struct aerogpu_stream stream;
    struct aerogpu_memory memory;
};

/*
 * Many submissions may name the same stream, so a small file could keep a player busy for very
 * long. So submissions are refused once the streams walked have more than AEROGPU_WALK_MIN bytes,
 * and more than AEROGPU_WALK_TIMES times the length of the file up to the end of the submission's
 * record.
 */
enum { AEROGPU_WALK_TIMES = 64, AEROGPU_WALK_MIN = 1 << 26 };

/* Returns whether a submission in `record` is refused after `walked` bytes of streams. */
bool aerogpu_walked_enough(const struct aerogpu_index *index, uint32_t record, uint64_t walked);

/*
 * Initialises a player at the beginning of the trace. `effects` may be NULL. The index and
 * `effects` must outlive the player.
 */
void aerogpu_player_init(struct aerogpu_player *player, const struct aerogpu_index *index,
                         const struct aerogpu_effects *effects, void *context,
                         const struct aerogpu_limits *limits);
void aerogpu_player_clear(struct aerogpu_player *player);
/* Copies a player that is not in a submission. Returns 0, or -ENOMEM and then `to` is empty. */
int aerogpu_player_copy(struct aerogpu_player *to, const struct aerogpu_player *from);

enum aerogpu_step {
    AEROGPU_STEP_COMMAND,    /* player->command was executed or refused */
    AEROGPU_STEP_SUBMISSION, /* a submission begins; with `refusal`, none of it is executed */
    AEROGPU_STEP_BROKEN, /* a framing error ends the submission's stream: player->stream.error */
    AEROGPU_STEP_END,    /* the submission ends */
    AEROGPU_STEP_PACKET, /* a record that holds no valid packet: player->stream.error */
    AEROGPU_STEP_FRAME,  /* frame player->frame - 1 ends */
    AEROGPU_STEP_DONE,   /* nothing is left */
};

/* Executes one step. Returns 0, or a negative errno of an effect (-ENOMEM). */
int aerogpu_player_step(struct aerogpu_player *player, enum aerogpu_step *out);

/*
 * Gets the memory that submission `number` brings. The caller calls aerogpu_memory_clear(). Reports
 * defects of the submission's ranges in `problems`, unless that is NULL. Returns 0 or -ENOMEM.
 */
int aerogpu_memory_open(const struct aerogpu_index *index, uint32_t number,
                        struct problems *problems, struct aerogpu_memory *out);
void aerogpu_memory_clear(struct aerogpu_memory *memory);

/*
 * Checkpoints of a replay at the beginnings of frames: at most AEROGPU_CHECKPOINTS_MAX over the
 * complete trace, further apart if they hold too much. Each has a player, and a number under which
 * the owner keeps what else belongs to it. Only one thread may use them at a time.
 */

enum { AEROGPU_CHECKPOINTS_MAX = 32 };

struct aerogpu_checkpoint {
    bool used;
    uint32_t frame;
    struct aerogpu_player player; /* between two frames */
};

struct aerogpu_checkpoints {
    uint32_t every; /* number of frames from one checkpoint to the next */
    struct aerogpu_checkpoint list[AEROGPU_CHECKPOINTS_MAX];
};

/* Initialises checkpoints for a trace of `frames` frames; there are none yet. */
void aerogpu_checkpoints_init(struct aerogpu_checkpoints *checkpoints, uint32_t frames);
void aerogpu_checkpoints_clear(struct aerogpu_checkpoints *checkpoints);

/*
 * Returns a free number under which to keep the player if it is at the beginning of a frame that
 * should have a checkpoint. Returns -1 if there should be none there, there already is one, or no
 * number is free.
 */
int aerogpu_checkpoints_wanted(const struct aerogpu_checkpoints *checkpoints,
                               const struct aerogpu_player *player);

/* Stores a copy of the player. Returns 0 or -ENOMEM. */
int aerogpu_checkpoints_add(struct aerogpu_checkpoints *checkpoints, int number,
                            const struct aerogpu_player *player);

/* Frees checkpoint `number`. Does nothing if the number is free. */
void aerogpu_checkpoints_drop(struct aerogpu_checkpoints *checkpoints, int number);

/* Returns the number of the last checkpoint at or before `tick`, or -1 if there is none. */
int aerogpu_checkpoints_find(const struct aerogpu_checkpoints *checkpoints, uint64_t tick);

/*
 * Returns whether no number is free. This happens as a trace grows: the number of its frames is not
 * known in advance.
 */
bool aerogpu_checkpoints_full(const struct aerogpu_checkpoints *checkpoints);

/*
 * Doubles the distance of checkpoints. The caller must then drop those for which
 * aerogpu_checkpoints_misaligned() returns true.
 */
void aerogpu_checkpoints_spread(struct aerogpu_checkpoints *checkpoints);

/*
 * Returns whether checkpoint `number` is in use at a frame where the present distance has none.
 */
bool aerogpu_checkpoints_misaligned(const struct aerogpu_checkpoints *checkpoints, int number);

#endif

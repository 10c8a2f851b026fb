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

#endif

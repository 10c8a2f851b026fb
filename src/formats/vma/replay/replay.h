/* SPDX-License-Identifier: MIT */
/*
 * The calls of a recording, carried out on the simulated allocator (vma.md 2.3,
 * 3.10): names to objects, what was recorded against what happens here, and what
 * is wrong with the lines. A replay belongs to one thread at a time.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_REPLAY_REPLAY_H
#define GPUDUMPFS_FORMATS_VMA_REPLAY_REPLAY_H

#include "cache/instance_pool.h"
#include "formats/vma/decode/decode.h"
#include "formats/vma/index/recording.h"
#include "formats/vma/replay/allocator.h"

/*
 * Lines parsed for the replay: each with all that it says by itself, whatever the state
 * that it meets. One at a time, a pure function for any thread; or ahead of the replay,
 * in a thread of its own.
 */

struct vma_parsed {
    struct vma_line line;
    struct vma_call call;
    struct vma_requirements needs; /* of a good call that allocates; else 0 */
    bool too_large;                /* they do not fit 64 bits */
    /* Lengths of its text, if that is user data and may be a string (decode.h); else 0. */
    uint32_t field_length, json_length;
};

/* Reads a line of calls. */
void vma_parsed_read(const struct vma_recording *recording, const struct vma_line *line,
                     struct vma_parsed *out);

/*
 * Parses the lines of calls ahead of their replay, in a thread of its own: parsing is
 * a third of the work of a pass. The results are those of vma_parsed_read(). The
 * functions are for one thread at a time.
 */
struct vma_ahead;

/*
 * Begins to parse at `packet`, the first call or a later one. 0, -ENOMEM, or
 * -EAGAIN where there can be no thread.
 */
int vma_ahead_create(const struct vma_recording *recording, uint32_t packet,
                     struct vma_ahead **out);
void vma_ahead_destroy(struct vma_ahead **ahead);

/*
 * The next line, in order of the packets; the caller knows that there is one. Good
 * until the next call of this function; may wait.
 */
const struct vma_parsed *vma_ahead_next(struct vma_ahead *ahead);

/* The line behind the one that was returned last, or NULL where that is not known yet. */
const struct vma_parsed *vma_ahead_peek(const struct vma_ahead *ahead);

struct vma_history;

struct vma_replay {
    struct instance_pool_item idle;
    const struct vma_recording *recording;
    struct vma_allocator allocator;
    struct vma_map allocations, pools, contexts; /* by pointer, to indexes */
    uint32_t packet;                             /* the next one */
    uint32_t frame;                              /* of the last one; VMA_NO_FRAME before calls */
    uint64_t milliseconds;                       /* of the last call with a good time */
    uint32_t next_number;                        /* of named allocations */
    uint32_t next_pool;                          /* ordinal */
    uint32_t used_slots;                         /* of pools, one bit each */
    bool created, destroyed;                     /* the allocator itself */
    struct vma_line line;                        /* the last one */

    /* Not part of the state that is copied. */
    const struct vma_parsed *parsed;     /* the current line; of no use between steps */
    const struct vma_call *call;         /* its call */
    struct vma_parsed own;               /* where vma_replay_step() reads it */
    struct vma_diagnostics *diagnostics; /* NULL: problems are not reported (again) */
    struct vma_history *history;         /* NULL: not kept */
    uint32_t *outputs;                   /* room for allocations of one call */
    uint32_t output_room;
};

/*
 * A replay before the first packet, or a copy of one. 0 or -ENOMEM. A copy does
 * not take over diagnostics and history.
 */
int vma_replay_init(struct vma_replay *replay, const struct vma_recording *recording,
                    const struct vma_allocator_params *params);
int vma_replay_copy(const struct vma_replay *replay, struct vma_replay *out);
void vma_replay_clear(struct vma_replay *replay);

/* Makes the name tables of a replay whose state was copied alone. 0 or -ENOMEM. */
int vma_replay_name(struct vma_replay *replay);

/* Carries out one packet. 0 or -ENOMEM. */
int vma_replay_step(struct vma_replay *replay);

/* The same for a line that was read already: that of the next packet, a call. */
int vma_replay_take(struct vma_replay *replay, const struct vma_parsed *parsed);

/* Carries out all packets before `packet`. 0, -ENOMEM, -EINTR. */
int vma_replay_run(struct vma_replay *replay, uint32_t packet, const struct cancel *cancel);

/* The recorded user data of a call's text column. */
struct vma_user_data {
    bool string;
    uint64_t value;  /* pointer, or offset of the string in the file */
    uint32_t length; /* of the string */
    bool bad;        /* neither: taken as null */
    bool surplus;    /* columns follow the pointer */
};

void vma_user_data(const struct vma_recording *recording, struct vma_slice text, bool string,
                   struct vma_user_data *out);

/*
 * What the files of the replay share: replay.c has the state and the walk over
 * packets, replay_calls.c carries out the calls. A handler
 * trusts the call's values (their verdict was good) and nothing else.
 */

/* Tells what is wrong with the current line. */
void vma_replay_complain(struct vma_replay *replay, enum problem_severity severity,
                         const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Tells when the current call has met one of the limits (vma.md 5). */
void vma_replay_limits(struct vma_replay *replay);

/* Tells when what was recorded has not happened: `status` is negative for a call that failed. */
void vma_replay_outcome(struct vma_replay *replay, int status, bool succeeded);

/* The current call's function. */
const char *vma_replay_function_name(const struct vma_replay *replay);

/* What a pointer names, or VMA_NONE with a complaint. */
uint32_t vma_replay_find_allocation(struct vma_replay *replay, uint64_t pointer);
uint32_t vma_replay_find_pool(struct vma_replay *replay, uint64_t pointer);

/* The same, and the pointer names nothing any more. */
uint32_t vma_replay_take_allocation(struct vma_replay *replay, uint64_t pointer);

/* Takes the next pointer of a list; false at its end. */
bool vma_replay_next_pointer(struct vma_slice *list, uint64_t *pointer);

/* The handlers. 0 or -ENOMEM. */
int vma_on_create_pool(struct vma_replay *replay);
int vma_on_destroy_pool(struct vma_replay *replay);
int vma_on_set_user_data(struct vma_replay *replay);
int vma_on_allocate(struct vma_replay *replay);
int vma_on_free(struct vma_replay *replay);
int vma_on_create_lost(struct vma_replay *replay);
int vma_on_map(struct vma_replay *replay);
int vma_on_unmap(struct vma_replay *replay);
int vma_on_touch(struct vma_replay *replay);
int vma_on_use(struct vma_replay *replay);
int vma_on_make_lost(struct vma_replay *replay);
int vma_on_allocate_pages(struct vma_replay *replay);
int vma_on_free_pages(struct vma_replay *replay);
int vma_on_defragmentation_begin(struct vma_replay *replay);
int vma_on_defragmentation_end(struct vma_replay *replay);
int vma_on_set_pool_name(struct vma_replay *replay);

#endif

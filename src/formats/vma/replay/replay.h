/* SPDX-License-Identifier: MIT */
/*
 * Executes the calls of a recording on the simulated allocator (vma.md 2.3, 3.10): maps names to
 * objects, compares what was recorded with what happens here, and reports defects of the lines. A
 * replay belongs to one thread at a time.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_REPLAY_REPLAY_H
#define GPUDUMPFS_FORMATS_VMA_REPLAY_REPLAY_H

#include "cache/instance_pool.h"
#include "formats/vma/decode/decode.h"
#include "formats/vma/index/recording.h"
#include "formats/vma/replay/allocator.h"

/*
 * Lines that are parsed for the replay: each with everything that does not depend on the state.
 * They are parsed one at a time, by a pure function for any thread, or ahead of the replay, by a
 * thread of its own.
 */

struct vma_parsed {
    struct vma_line line;
    struct vma_call call;
    struct vma_requirements needs; /* of a valid call that allocates, otherwise 0 */
    bool too_large;                /* the requirements do not fit 64 bits */
    /* Lengths of its text, if the text is user data and may be a string (decode.h), otherwise 0. */
    uint32_t field_length, json_length;
};

/* Parses a line of calls. */
void vma_parsed_read(const struct vma_recording *recording, const struct vma_line *line,
                     struct vma_parsed *out);

/*
 * Parses the lines of calls ahead of their replay, in a thread of its own: parsing is a third of
 * the work of a pass. The results equal those of vma_parsed_read(). Only one thread at a time may
 * call these functions.
 */
struct vma_ahead;

/*
 * Starts parsing at `packet`, the first call or a later one. Returns 0, -ENOMEM, or -EAGAIN if no
 * thread can be started.
 */
int vma_ahead_create(const struct vma_recording *recording, uint32_t packet,
                     struct vma_ahead **out);
void vma_ahead_destroy(struct vma_ahead **ahead);

/*
 * Returns the next line, in the order of packets; there must be one. The result is valid until the
 * next call of this function. May wait.
 */
const struct vma_parsed *vma_ahead_next(struct vma_ahead *ahead);

/* Returns the line after the one that was returned last, or NULL if it is not known yet. */
const struct vma_parsed *vma_ahead_peek(const struct vma_ahead *ahead);

struct vma_history;

struct vma_replay {
    struct instance_pool_item idle;
    const struct vma_recording *recording;
    struct vma_allocator allocator;
    struct vma_map allocations, pools, contexts; /* pointers to indexes */
    uint32_t packet;                             /* the next packet */
    /* frame of the last packet; VMA_NO_FRAME before the first call */
    uint32_t frame;
    uint64_t milliseconds; /* of the last call with a valid time */
    uint32_t next_number;  /* number of the next named allocation */
    uint32_t next_pool;    /* ordinal of the next pool */
    uint32_t used_slots;   /* set of the slots of live pools */
    /* whether vmaCreateAllocator and vmaDestroyAllocator were met */
    bool created, destroyed;
    struct vma_line line; /* the last line */

    /* The following members are not copied with the state. */
    const struct vma_parsed *parsed;     /* the current line; invalid between steps */
    const struct vma_call *call;         /* the call of that line */
    struct vma_parsed own;               /* where vma_replay_step() reads the line */
    struct vma_diagnostics *diagnostics; /* NULL: problems are not reported (again) */
    struct vma_history *history;         /* NULL: no history is kept */
    uint32_t *outputs;                   /* room for the allocations of one call */
    uint32_t output_room;
};

/* Makes a replay before the first packet. Returns 0 or -ENOMEM. */
int vma_replay_init(struct vma_replay *replay, const struct vma_recording *recording,
                    const struct vma_allocator_params *params);

/*
 * Makes a copy of a replay, without diagnostics, history and names: call vma_replay_name() on the
 * copy before it continues. Returns 0 or -ENOMEM.
 */
int vma_replay_copy(const struct vma_replay *replay, struct vma_replay *out);
void vma_replay_clear(struct vma_replay *replay);

/* Rebuilds the name tables of a copy. Returns 0 or -ENOMEM. */
int vma_replay_name(struct vma_replay *replay);

/* Executes one packet. Returns 0 or -ENOMEM. */
int vma_replay_step(struct vma_replay *replay);

/* The same for a line that was parsed already: that of the next packet, which must be a call. */
int vma_replay_take(struct vma_replay *replay, const struct vma_parsed *parsed);

/* Executes all packets before `packet`. Returns 0, -ENOMEM or -EINTR. */
int vma_replay_run(struct vma_replay *replay, uint32_t packet, const struct cancel *cancel);

/* The user data in a call's text column. */
struct vma_user_data {
    bool string;
    uint64_t value;  /* the pointer, or the offset of the string in the file */
    uint32_t length; /* of the string */
    bool bad;        /* neither a string nor a pointer: taken as null */
    bool surplus;    /* more columns follow the pointer */
};

/* Decodes a text column. `string`: whether user data of the allocation is a string. */
void vma_user_data(const struct vma_recording *recording, struct vma_slice text, bool string,
                   struct vma_user_data *out);

/*
 * What the files of the replay share: replay.c has the state and the walk over packets,
 * replay_calls.c executes the calls. A handler trusts the values of a call, whose verdict was GOOD,
 * and nothing else.
 */

/* Reports a problem of the current line. */
void vma_replay_complain(struct vma_replay *replay, enum problem_severity severity,
                         const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Reports it if the current call has reached one of the limits (vma.md 5). */
void vma_replay_limits(struct vma_replay *replay);

/*
 * Reports it if the call has another outcome than in the recording. `status` is negative if it
 * fails here; `succeeded` is the recorded outcome. A call that fails is added to the history.
 */
void vma_replay_outcome(struct vma_replay *replay, int status, bool succeeded);

/* Returns the name of the current call's function. */
const char *vma_replay_function_name(const struct vma_replay *replay);

/* Returns the allocation that a pointer names; VMA_NONE, with a problem, if there is none. */
uint32_t vma_replay_find_allocation(struct vma_replay *replay, uint64_t pointer);

/* Returns the pool that a pointer names; VMA_NONE, with a problem, if there is none. */
uint32_t vma_replay_find_pool(struct vma_replay *replay, uint64_t pointer);

/* As vma_replay_find_allocation(); afterwards the pointer no longer names the allocation. */
uint32_t vma_replay_take_allocation(struct vma_replay *replay, uint64_t pointer);

/* Takes the next pointer of a list. Returns false at the end. */
bool vma_replay_next_pointer(struct vma_slice *list, uint64_t *pointer);

/* The handlers. They return 0 or -ENOMEM. */
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

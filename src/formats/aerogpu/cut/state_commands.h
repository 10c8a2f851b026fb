/* SPDX-License-Identifier: MIT */
/*
 * Which commands that set state are needed to set it again: of those so far the last one for
 * each register, slot or block of state, in their order; and where a handle was destroyed while
 * one of them named it, which unbinds it (aerogpu.md 7.2). One thread at a time.
 */
#ifndef GPUDUMPFS_AEROGPU_CUT_STATE_COMMANDS_H
#define GPUDUMPFS_AEROGPU_CUT_STATE_COMMANDS_H

#include "formats/aerogpu/replay/objects.h"

/* A handle is made, and destroyed at once: bytes of these commands. */
enum {
    AEROGPU_DESTROY_BYTES = 16,
    AEROGPU_STUB_BUFFER_BYTES = 40,
    AEROGPU_STUB_LAYOUT_BYTES = 20 + 16, /* of no elements */
    AEROGPU_STUB_SAMPLER_BYTES = 28,
};

struct aerogpu_state_command {
    struct aerogpu_state_command *previous, *next;
    struct aerogpu_command command; /* its bytes are the dump's, or `own` */
    uint8_t *own;                   /* a copy that names what is bound, not aliases; NULL: none */
    uint32_t destroyed;             /* a handle that is destroyed here; 0: a command */
    enum aerogpu_space space;       /* of that handle */
    uint32_t references;
    uint64_t number;                   /* grows along the list */
    struct aerogpu_state_command *pin; /* is kept as long as this one, on which it depends */
};

struct aerogpu_state_handle;

struct aerogpu_state_commands {
    struct aerogpu_state_command *first, *last;
    struct aerogpu_state_command **keys; /* which set each part of the state last */
    struct aerogpu_state_command *front; /* which set last what faces are front ones */
    struct aerogpu_state_handle *handles;
    uint64_t bytes, added;
};

/* 0 or -ENOMEM; in either case it is to be cleared. */
int aerogpu_state_commands_init(struct aerogpu_state_commands *commands);
void aerogpu_state_commands_clear(struct aerogpu_state_commands *commands);

/*
 * A command that was executed, by the handles of then; one that sets no state is left alone.
 * 0 or -ENOMEM.
 */
int aerogpu_state_commands_add(struct aerogpu_state_commands *commands,
                               const struct aerogpu_objects *objects,
                               const struct aerogpu_command *command);

/* What was bound by this handle is bound no more. 0 or -ENOMEM. */
int aerogpu_state_commands_destroy(struct aerogpu_state_commands *commands,
                                   enum aerogpu_space space, uint32_t number);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Keeps the commands that are needed to set the state again: the last one for each register, slot
 * or block of state, in their order; and the places where a handle was destroyed while one of these
 * commands named it, which unbinds it (aerogpu.md 7.2). Only one thread may use a list at a time.
 */
#ifndef GPUDUMPFS_AEROGPU_CUT_STATE_COMMANDS_H
#define GPUDUMPFS_AEROGPU_CUT_STATE_COMMANDS_H

#include "formats/aerogpu/replay/objects.h"

/* Sizes in bytes of the commands that create a handle and destroy it at once. */
enum {
    AEROGPU_DESTROY_BYTES = 16,
    AEROGPU_STUB_BUFFER_BYTES = 40,
    AEROGPU_STUB_LAYOUT_BYTES = 20 + 16, /* without elements */
    AEROGPU_STUB_SAMPLER_BYTES = 28,
};

struct aerogpu_state_command {
    struct aerogpu_state_command *previous, *next;
    struct aerogpu_command command; /* its bytes are those of the dump, or `own` */
    uint8_t *own;                   /* a copy with original handles in place of aliases; or NULL */
    uint32_t destroyed;             /* a handle that is destroyed here; 0 if this is a command */
    enum aerogpu_space space;       /* of that handle */
    uint32_t references;            /* number of keys and pins, and `front`, that keep it */
    uint64_t number;                /* increases along the list */
    struct aerogpu_state_command *pin; /* a command that must be kept as long as this one */
};

struct aerogpu_state_handle;

struct aerogpu_state_commands {
    struct aerogpu_state_command *first, *last;
    struct aerogpu_state_command **keys; /* the last command for each part of the state */
    struct aerogpu_state_command *front; /* the last command that set the front faces */
    struct aerogpu_state_handle *handles;
    uint64_t bytes, added;
};

/* Returns 0 or -ENOMEM. Call aerogpu_state_commands_clear() even if this fails. */
int aerogpu_state_commands_init(struct aerogpu_state_commands *commands);
void aerogpu_state_commands_clear(struct aerogpu_state_commands *commands);

/*
 * Adds a command that was just executed, with the handles of that time. Ignores a command that sets
 * no state. Returns 0 or -ENOMEM; after a failure the list can only be cleared.
 */
int aerogpu_state_commands_add(struct aerogpu_state_commands *commands,
                               const struct aerogpu_objects *objects,
                               const struct aerogpu_command *command);

/* Records that what is bound by this handle is unbound. Returns 0 or -ENOMEM. */
int aerogpu_state_commands_destroy(struct aerogpu_state_commands *commands,
                                   enum aerogpu_space space, uint32_t number);

#endif

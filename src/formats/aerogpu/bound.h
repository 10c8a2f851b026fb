/* SPDX-License-Identifier: MIT */
/*
 * Lists what the state machine has bound for a draw, in the form in which the scan keeps it. Pure
 * functions; any thread may call them.
 */
#ifndef GPUDUMPFS_AEROGPU_BOUND_H
#define GPUDUMPFS_AEROGPU_BOUND_H

#include "formats/aerogpu/index.h"
#include "formats/aerogpu/replay/machine.h"

/*
 * Where a resource is bound when something is drawn. Lists are ordered by role, then by stage and
 * slot.
 */
enum aerogpu_bound_role {
    AEROGPU_BOUND_COLOUR,
    AEROGPU_BOUND_DEPTH,
    AEROGPU_BOUND_TEXTURE,
    AEROGPU_BOUND_VERTEX,
    AEROGPU_BOUND_INDEX,
    AEROGPU_BOUND_CONSTANT,
    AEROGPU_BOUND_PROGRAM,
};

struct aerogpu_bound {
    uint8_t role, stage; /* enum aerogpu_bound_role, enum dxbc_program */
    uint8_t slot;
    bool drawn;            /* only the worker knows the contents after the draw */
    uint32_t life;         /* index of the scan's life; AEROGPU_NONE: the implicit back buffer */
    uint32_t offset, size; /* of a buffer, as in the binding; size 0: up to the buffer's end */
};

enum {
    AEROGPU_BOUND_MAX = AEROGPU_MAX_TARGETS + 1 + AEROGPU_VERTEX_SLOTS + 1 +
                        AEROGPU_PROGRAMS * (AEROGPU_TEXTURE_SLOTS + AEROGPU_CONSTANT_SLOTS + 1),
};

/*
 * Fills `out`, which has room for AEROGPU_BOUND_MAX entries, and returns their number. Leaves out
 * what is not alive.
 */
uint32_t aerogpu_bound_list(const struct aerogpu_machine *machine, struct aerogpu_bound *out);

#endif

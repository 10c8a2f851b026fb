/* SPDX-License-Identifier: MIT */
/*
 * What the state machine has bound for a draw, as the scan keeps it. Pure functions, any thread.
 */
#ifndef GPUDUMPFS_AEROGPU_BOUND_H
#define GPUDUMPFS_AEROGPU_BOUND_H

#include "formats/aerogpu/index.h"
#include "formats/aerogpu/replay/machine.h"

/* What is bound when something is drawn, by where; in the order of these, by stage and slot. */
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
    bool drawn;            /* only the worker knows its contents, behind the draw */
    uint32_t life;         /* AEROGPU_NONE: the implicit back buffer */
    uint32_t offset, size; /* of a buffer, as the binding says; size 0: to its end */
};

enum {
    AEROGPU_BOUND_MAX = AEROGPU_MAX_TARGETS + 1 + AEROGPU_VERTEX_SLOTS + 1 +
                        AEROGPU_PROGRAMS * (AEROGPU_TEXTURE_SLOTS + AEROGPU_CONSTANT_SLOTS + 1),
};

/* Fills at most AEROGPU_BOUND_MAX of them; how many. What does not live is left out. */
uint32_t aerogpu_bound_list(const struct aerogpu_machine *machine, struct aerogpu_bound *out);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Draws without shaders (aerogpu.md 4.3), with the state and contents of a replay on the CPU:
 * determines which pixels of a target a draw covers, and their colours. Pure functions of that
 * state.
 */
#ifndef GPUDUMPFS_AEROGPU_REPLAY_SOFT_DRAW_H
#define GPUDUMPFS_AEROGPU_REPLAY_SOFT_DRAW_H

#include "formats/aerogpu/replay/replay.h"

/* A rectangle of texels; right and bottom are exclusive. */
struct aerogpu_texels {
    uint32_t left, top, right, bottom;
};

struct aerogpu_soft_draw {
    const struct aerogpu_machine *machine;
    const struct aerogpu_command *command; /* aerogpu_machine_is_unshaded() is true */
    const struct aerogpu_target *target;
    const struct aerogpu_texels *only; /* restricts the draw to these texels; NULL for all */
    bool unscissored;                  /* ignore the scissor */
    const struct cancel *cancel;
    aerogpu_soft_paint *paint;
    void *context;
};

/* Calls `paint` for each pixel that the draw covers. Returns 0 or -EINTR. */
int aerogpu_soft_draw(const struct aerogpu_soft_draw *draw);

#endif

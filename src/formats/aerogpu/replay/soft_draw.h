/* SPDX-License-Identifier: MIT */
/*
 * Draws without shaders (aerogpu.md 4.3), as the machine and the contents of a replay on the CPU
 * have them: which pixels of a target they cover, and with what colour. Pure functions of these.
 */
#ifndef GPUDUMPFS_AEROGPU_REPLAY_SOFT_DRAW_H
#define GPUDUMPFS_AEROGPU_REPLAY_SOFT_DRAW_H

#include "formats/aerogpu/replay/replay.h"

/* A rectangle of texels; right and bottom are outside. */
struct aerogpu_texels {
    uint32_t left, top, right, bottom;
};

struct aerogpu_soft_draw {
    const struct aerogpu_machine *machine;
    const struct aerogpu_command *command; /* aerogpu_machine_is_unshaded() */
    const struct aerogpu_target *target;
    const struct aerogpu_texels *only; /* that are looked at; NULL: all */
    bool unscissored;                  /* as if there were no scissor */
    const struct cancel *cancel;
    aerogpu_soft_paint *paint;
    void *context;
};

/* 0, -EINTR. */
int aerogpu_soft_draw(const struct aerogpu_soft_draw *draw);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * How long the GPU takes for the commands that begin in a frame (gpu/cost.h), found by a walk
 * over the frame alone: its texel cache is taken to be empty where the frame begins. Any thread.
 */
#ifndef GPUDUMPFS_PSX_FRAME_FRAME_COST_H
#define GPUDUMPFS_PSX_FRAME_FRAME_COST_H

#include "base/cancel.h"
#include "formats/psx/dump.h"

#include <stdint.h>

/* Cycles of 33.8688 MHz. */
struct psx_frame_cost {
    uint64_t draws;     /* the sum of all draws' */
    uint64_t transfers; /* uploads and reads */
};

/* The frame's counts are known. 0, -EINTR. */
int psx_frame_cost_sum(struct psx_dump *dump, uint64_t frame, const struct cancel *cancel,
                       struct psx_frame_cost *out);

/* By draw, which the cache keeps. The frame's counts are known. 0, -ENOMEM, -EINTR. */
int psx_frame_cost_draws(struct psx_dump *dump, uint64_t frame, const struct cancel *cancel,
                         struct blob **out);

/* A draw's of that blob, at most UINT32_MAX; NULL, or no such draw: 0. */
uint32_t psx_frame_cost_of(const struct blob *draws, uint64_t draw);

/* Cycles that the display takes for that frame. */
uint32_t psx_frame_cost_period(const struct psx_dump *dump, uint64_t frame);

#endif

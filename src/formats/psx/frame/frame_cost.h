/* SPDX-License-Identifier: MIT */
/*
 * How long the GPU takes for the commands that begin in a frame (gpu/cost.h), determined by walking
 * over that frame alone. The texel cache is assumed to be empty at the frame's start. Any thread.
 */
#ifndef GPUDUMPFS_PSX_FRAME_FRAME_COST_H
#define GPUDUMPFS_PSX_FRAME_FRAME_COST_H

#include "base/cancel.h"
#include "formats/psx/dump.h"

#include <stdint.h>

/* In cycles of 33.8688 MHz. */
struct psx_frame_cost {
    uint64_t draws;     /* all draws together */
    uint64_t transfers; /* uploads and reads */
};

/* Sums up a frame, whose counts must be known. Returns 0 or -EINTR. */
int psx_frame_cost_sum(struct psx_dump *dump, uint64_t frame, const struct cancel *cancel,
                       struct psx_frame_cost *out);

/*
 * Gets a reference to the costs of a frame by draw, which the cache keeps. The frame's counts must
 * be known. Returns 0, -ENOMEM or -EINTR.
 */
int psx_frame_cost_draws(struct psx_dump *dump, uint64_t frame, const struct cancel *cancel,
                         struct blob **out);

/*
 * Returns the cost of a draw from that blob, UINT32_MAX at most. Returns 0 if `draws` is NULL or
 * has no such draw.
 */
uint32_t psx_frame_cost_of(const struct blob *draws, uint64_t draw);

/* Returns the number of cycles for which the display shows the frame. */
uint32_t psx_frame_cost_period(const struct psx_dump *dump, uint64_t frame);

#endif

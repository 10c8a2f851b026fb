/* SPDX-License-Identifier: MIT */
/*
 * Compares what an index or a sketch reports of a dump with a walk over the same stream step by
 * step: its checkpoints, and the runs of the texel cache that are stale. The test compares anything
 * else in its callbacks. Fails the test at the first difference. One thread.
 */
#ifndef GPUDUMPFS_TESTS_FORMATS_PSX_STEPS_H
#define GPUDUMPFS_TESTS_FORMATS_PSX_STEPS_H

#include "formats/psx/gpu/texel_reach.h"
#include "formats/psx/index/index.h"
#include "formats/psx/index/walk.h"

struct psx_steps {
    const struct psx_index *index;
    struct psx_stretches told;
    /*
     * Called at each checkpoint, which is `kept`; `maker` has what the stretch before the
     * checkpoint wrote, step by step.
     */
    void (*meet)(const struct psx_steps *steps, const struct psx_parser_state *kept);
    /* Called before each step; may be NULL */
    void (*count)(struct psx_steps *steps, const struct psx_step *step);
    struct psx_walk walk;
    struct psx_tile_summary_maker maker;
    struct psx_texel_reach reach;
    uint64_t checkpoint, stale; /* index of the next checkpoint and stale run to compare */
};

/* Runs the comparison. The caller sets the first four members, the others must be zero. */
void psx_steps_compare(struct psx_steps *steps);

#endif

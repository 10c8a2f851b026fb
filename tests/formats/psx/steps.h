/* SPDX-License-Identifier: MIT */
/*
 * What an index or a sketch tells of a dump, beside a walk over the same stream step by step: the
 * checkpoints that it has, and the runs in which the texel cache can be seen. What else is compared
 * is the test's. Fails the test where they differ. One thread.
 */
#ifndef GPUDUMPFS_TESTS_FORMATS_PSX_STEPS_H
#define GPUDUMPFS_TESTS_FORMATS_PSX_STEPS_H

#include "formats/psx/gpu/texel_reach.h"
#include "formats/psx/index/index.h"
#include "formats/psx/index/walk.h"

struct psx_steps {
    const struct psx_index *index;
    struct psx_stretches told;
    /* At each checkpoint, `kept`; `maker` has what the stretch before it wrote, step by step. */
    void (*meet)(const struct psx_steps *steps, const struct psx_parser_state *kept);
    /* Before each step; or NULL. */
    void (*count)(struct psx_steps *steps, const struct psx_step *step);
    struct psx_walk walk;
    struct psx_tile_summary_maker maker;
    struct psx_texel_reach reach;
    uint64_t checkpoint, stale; /* the next of each */
};

/* The four first members are set, the others zero. */
void psx_steps_compare(struct psx_steps *steps);

#endif

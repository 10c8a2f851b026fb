/* SPDX-License-Identifier: MIT */
/*
 * A dump carried out from its start, event by event, with every write found by its
 * effect: a textured pixel is drawn over two backgrounds, and is written if it does
 * not leave both as they were. Slow, and with numbers of its own for draws: what the views inside a
 * frame are held against. One thread.
 */
#ifndef GPUDUMPFS_TESTS_FORMATS_PSX_TRUTH_H
#define GPUDUMPFS_TESTS_FORMATS_PSX_TRUTH_H

#include "tests/formats/psx/build.h"

#include "formats/psx/gpu/raster.h"
#include "formats/psx/index/walk.h"

struct psx_truth {
    struct psx_observer observer;
    struct psx_gpu *gpu;
    uint32_t frame;   /* UINT32_MAX before the first */
    uint32_t draws;   /* of the frame, carried out so far */
    uint32_t uploads; /* likewise */
    int32_t *last;    /* by pixel of VRAM: as in last-writer.bin */
    uint32_t *times;  /* by pixel: how often it was written in this frame */
    uint32_t *pixels; /* by draw: how many it wrote in this frame */
    uint32_t room;    /* of `pixels` */
    uint64_t written; /* in this frame, by all */
    int32_t writer;   /* whose writes these are */
    uint32_t began;   /* the frame in which the command in progress began */
};

struct psx_truth_hooks {
    /* Whether the writes of that frame matter; of others none is told. NULL: yes. */
    bool (*matters)(void *context, uint32_t frame);
    /* Before a step is carried out; truth->gpu's state is that before it. May be NULL. */
    void (*before)(void *context, const struct psx_truth *truth, const struct psx_walk *walk,
                   const struct psx_step *step);
    /* After it; truth->writer is what it belongs to. May be NULL. */
    void (*after)(void *context, const struct psx_truth *truth, const struct psx_step *step);
    /* At a frame's end, before its figures are forgotten. */
    void (*frame)(void *context, const struct psx_truth *truth);
    void *context;
};

void psx_truth_run(struct psx_opened *opened, const struct psx_truth_hooks *hooks);

#endif

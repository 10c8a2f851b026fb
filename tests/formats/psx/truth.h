/* SPDX-License-Identifier: MIT */
/*
 * Replays a dump from its start, event by event, and finds every write by its effect: a textured
 * pixel is drawn over two backgrounds, and counts as written unless it leaves both unchanged. Slow,
 * and numbers draws by itself: the reference for the views inside a frame. One thread.
 */
#ifndef GPUDUMPFS_TESTS_FORMATS_PSX_TRUTH_H
#define GPUDUMPFS_TESTS_FORMATS_PSX_TRUTH_H

#include "tests/formats/psx/build.h"

#include "formats/psx/gpu/raster.h"
#include "formats/psx/index/walk.h"

struct psx_truth {
    struct psx_observer observer;
    struct psx_gpu *gpu;
    uint32_t frame;   /* UINT32_MAX before the first frame */
    uint32_t draws;   /* draws of the frame, executed so far */
    uint32_t uploads; /* uploads of the frame, executed so far */
    int32_t *last;    /* by pixel of VRAM: its last writer, as in last-writer.bin */
    uint32_t *times;  /* by pixel: the number of times that it was written in this frame */
    uint32_t *pixels; /* by draw: the number of pixels that it wrote in this frame */
    uint32_t room;    /* number of elements of `pixels` */
    uint64_t written; /* pixels written in this frame by all draws */
    int32_t writer;   /* that executes, as in `last`; INT32_MIN if it has no number */
    uint32_t began;   /* the frame in which the command in progress began */
};

struct psx_truth_hooks {
    /* Returns whether to record the writes of the frame. NULL means that all are recorded. */
    bool (*matters)(void *context, uint32_t frame);
    /* Called before a step is executed, with truth->gpu in the state before it. May be NULL. */
    void (*before)(void *context, const struct psx_truth *truth, const struct psx_walk *walk,
                   const struct psx_step *step);
    /* Called after a step is executed; truth->writer is what the step belongs to. May be NULL. */
    void (*after)(void *context, const struct psx_truth *truth, const struct psx_step *step);
    /* Called at a frame's end, before the counts of the frame are cleared. */
    void (*frame)(void *context, const struct psx_truth *truth);
    void *context;
};

void psx_truth_run(struct psx_opened *opened, const struct psx_truth_hooks *hooks);

#endif

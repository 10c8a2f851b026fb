/* SPDX-License-Identifier: MIT */
/*
 * Whether a command covers a pixel of VRAM, determined without VRAM: a primitive is set up into
 * rows, and none of it is shaded. Facts: psx-gpu.md 3, 10 to 12. One thread per struct.
 */
#ifndef GPUDUMPFS_PSX_FRAME_COVERAGE_H
#define GPUDUMPFS_PSX_FRAME_COVERAGE_H

#include "formats/psx/gpu/gpu.h"
#include "formats/psx/gpu/raster.h"
#include "formats/psx/index/walk.h"

struct psx_coverage {
    struct psx_observer observer;
    struct psx_gpu *gpu; /* has the command's registers; its VRAM is written by lines only */
    uint32_t pixel;      /* the pixel that is looked for, an index in VRAM */
    bool covers;
};

/* Returns 0 or -ENOMEM. */
int psx_coverage_init(struct psx_coverage *coverage, const struct psx_index *index);
void psx_coverage_clear(struct psx_coverage *coverage);

/* What a step draws or moves. Taken before the step is applied. */
struct psx_coverage_command {
    enum psx_gp0_kind kind;
    struct psx_registers registers;
    struct psx_draw draw;       /* for a draw; for a polyline's segment, the line that it is */
    struct psx_transfer upload; /* for an upload's data */
    uint32_t data_end;          /* the halfword of the upload after the last one of this step */
    const struct psx_gp0_event *event; /* the step's event */
};

/* Returns false if the step draws and moves nothing. */
bool psx_coverage_command(const struct psx_walk *walk, const struct psx_step *step,
                          struct psx_coverage_command *out);

/*
 * Returns the number of the halfword of a copy or upload that goes to the pixel, or UINT32_MAX if
 * there is none.
 */
uint32_t psx_coverage_halfword(const struct psx_coverage_command *command, uint32_t pixel);

/*
 * Returns whether the GPU writes the pixel, or would unless the mask test or a texel prevents that.
 */
bool psx_coverage_reaches(struct psx_coverage *coverage, const struct psx_coverage_command *command,
                          uint32_t pixel);

/* Why a command that covers a pixel does not reach it. */
enum psx_coverage_miss {
    COVERAGE_NONE,    /* it does not cover the pixel */
    COVERAGE_CLIPPED, /* the pixel is outside the drawing area */
    COVERAGE_FIELD,   /* the pixel is in a line that 480i skips */
    /* The primitive is dropped: too large, or its texture page is outside of memory. */
    COVERAGE_CULLED,
};

/* Returns why a draw that does not reach the pixel does not. */
enum psx_coverage_miss psx_coverage_miss(struct psx_coverage *coverage,
                                         const struct psx_coverage_command *command,
                                         uint32_t pixel);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Whether a command covers a pixel of VRAM, told without VRAM: a primitive is set up into rows
 * and nothing of it is shaded. Facts: psx-gpu.md 3, 10 to 12. One thread per struct.
 */
#ifndef GPUDUMPFS_PSX_FRAME_COVERAGE_H
#define GPUDUMPFS_PSX_FRAME_COVERAGE_H

#include "formats/psx/gpu/gpu.h"
#include "formats/psx/gpu/raster.h"
#include "formats/psx/index/walk.h"

struct psx_coverage {
    struct psx_observer observer;
    struct psx_gpu *gpu; /* its registers are those of the command; its VRAM is written by lines */
    uint32_t pixel;      /* that is looked for */
    bool covers;
};

/* 0 or -ENOMEM. */
int psx_coverage_init(struct psx_coverage *coverage, const struct psx_index *index);
void psx_coverage_clear(struct psx_coverage *coverage);

/* What a step is to draw or to move, before it is applied. */
struct psx_coverage_command {
    enum psx_gp0_kind kind;
    struct psx_registers registers;
    struct psx_draw draw;              /* of a draw; a polyline's segment comes as its line */
    struct psx_transfer upload;        /* of an upload's data */
    uint32_t data_end;                 /* the halfword of the upload behind the last that comes */
    const struct psx_gp0_event *event; /* the step's */
};

/* False: it draws and moves nothing. */
bool psx_coverage_command(const struct psx_walk *walk, const struct psx_step *step,
                          struct psx_coverage_command *out);

/* Which halfword of a copy, an upload or a read of that place and size lies there; UINT32_MAX:
 * none. */
uint32_t psx_coverage_halfword(const struct psx_coverage_command *command, uint32_t pixel);

/* Whether the GPU writes the pixel, or asks the mask test or a texel whether to. */
bool psx_coverage_reaches(struct psx_coverage *coverage, const struct psx_coverage_command *command,
                          uint32_t pixel);

/* Why a command that covers a pixel does not reach it. */
enum psx_coverage_miss {
    COVERAGE_NONE,    /* it does not cover it */
    COVERAGE_CLIPPED, /* outside the drawing area */
    COVERAGE_FIELD,   /* in a line that 480i skips */
    COVERAGE_CULLED,  /* too large, or textured from where no memory is: dropped */
};

/* Of a draw that does not reach it. */
enum psx_coverage_miss psx_coverage_miss(struct psx_coverage *coverage,
                                         const struct psx_coverage_command *command,
                                         uint32_t pixel);

#endif

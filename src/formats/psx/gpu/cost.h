/* SPDX-License-Identifier: MIT */
/*
 * How long the GPU takes for a command, as an estimate from the stream alone: commands are set
 * up into rows, and nothing is drawn. Cycles are those of the CPU, 33.8688 MHz, of the second
 * GPU; the rules, their evidence and what they leave out: psx-gpu.md 20. One thread.
 */
#ifndef GPUDUMPFS_PSX_GPU_COST_H
#define GPUDUMPFS_PSX_GPU_COST_H

#include "formats/psx/gpu/draw.h"
#include "formats/psx/gpu/gpu.h"
#include "formats/psx/gpu/raster.h"

#include <stdint.h>

enum { PSX_COST_TEXEL_LINES = 256 }; /* of the texel cache */

/* Caller-owned, of any storage; nothing in it is to be freed. */
struct psx_cost {
    struct psx_observer observer;
    struct psx_gpu gpu;                   /* registers alone */
    unsigned rows;                        /* which kind the draw's rows are, in cost.c */
    uint64_t quarters;                    /* of a cycle, of the command that is under way */
    uint64_t pixels;                      /* ever gone through, a measure of the work */
    uint64_t texel_lines;                 /* ever loaded */
    uint32_t page;                        /* and depth, of what the cache holds */
    uint32_t loads;                       /* how often it was emptied, above a line's number */
    uint32_t lines[PSX_COST_TEXEL_LINES]; /* of four halfwords of VRAM; 0: none */
};

/* Nothing is cached. `lines` is VRAM's. */
void psx_cost_begin(struct psx_cost *cost, uint32_t lines);

/*
 * Cycles of an event, `before` being the state before it: of a command once all its words are
 * here, of a polyline segment by segment, of an upload as its words come, of a read at once.
 */
uint64_t psx_cost_event(struct psx_cost *cost, const struct psx_gp0_event *event,
                        const struct psx_state *before);

/* GP1(00) and GP1(01) empty the caches; none of GP1 takes time. */
void psx_cost_gp1(struct psx_cost *cost, uint32_t word);

/* Cycles of an upload's or a read's data, by words. */
static inline uint64_t psx_cost_transfer(uint64_t words)
{
    return 2 * words;
}

/* Cycles from one VSync to the next, with the mode of GP1(08). */
uint32_t psx_cost_frame(uint32_t mode);

#endif

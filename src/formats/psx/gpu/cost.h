/* SPDX-License-Identifier: MIT */
/*
 * How long the GPU takes for a command: an estimate from the stream alone. Commands are set up into
 * rows, and nothing is drawn. Cycles are those of the CPU, 33.8688 MHz, and of the second GPU.
 * psx-gpu.md 20 has the rules, their evidence, and what they leave out. One thread.
 */
#ifndef GPUDUMPFS_PSX_GPU_COST_H
#define GPUDUMPFS_PSX_GPU_COST_H

#include "formats/psx/gpu/draw.h"
#include "formats/psx/gpu/gpu.h"
#include "formats/psx/gpu/raster.h"

#include <stdint.h>

enum { PSX_COST_TEXEL_LINES = 256 }; /* lines of the texel cache */

/* Owned by the caller, in storage of any kind; nothing in it has to be freed. */
struct psx_cost {
    struct psx_observer observer;
    struct psx_gpu gpu;   /* without VRAM */
    unsigned rows;        /* kind of the rows that are being drawn: index of row_costs in cost.c */
    uint64_t quarters;    /* cost of the command in progress so far, in quarters of a cycle */
    uint64_t pixels;      /* gone through since psx_cost_begin(), as a measure of the work */
    uint64_t texel_lines; /* lines loaded into the texel cache since psx_cost_begin() */
    uint32_t page;        /* texture page and depth of what the texel cache holds */
    /*
     * The texel cache, by slot: the number of the line of four halfwords of VRAM that was loaded
     * last, plus the value of `loads` at that time; 0: none. Emptying the cache increases `loads`,
     * by 1 in the bits above those of a line's number, so that no older entry equals a line that is
     * looked up.
     */
    uint32_t loads;
    uint32_t lines[PSX_COST_TEXEL_LINES];
};

/* Starts with nothing in the cache. `lines` is the number of VRAM's lines. */
void psx_cost_begin(struct psx_cost *cost, uint32_t lines);

/*
 * Returns the cycles of an event; `before` is the state before it. A command counts once all its
 * words have come, a polyline segment by segment, an upload as its words come, a read at once.
 */
uint64_t psx_cost_event(struct psx_cost *cost, const struct psx_gp0_event *event,
                        const struct psx_state *before);

/* Empties the caches if the word is GP1(00) or GP1(01). No GP1 word takes time. */
void psx_cost_gp1(struct psx_cost *cost, uint32_t word);

/* Returns the cycles that the data of an upload or a read takes, by its words. */
static inline uint64_t psx_cost_transfer(uint64_t words)
{
    return 2 * words;
}

/* Returns the cycles from one VSync to the next in that mode of GP1(08). */
uint32_t psx_cost_frame(uint32_t mode);

#endif

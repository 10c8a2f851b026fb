/* SPDX-License-Identifier: MIT */
/*
 * Whether the texel cache can be seen (psx-gpu.md 6). It holds what video memory holds until
 * pixels are drawn over texels that it may hold: from there to the next drop each texel has
 * to be looked up in it. Told from the command stream alone, by boxes, so that index and
 * replay agree; on the safe side. Pure functions over struct psx_texel_reach.
 */
#ifndef GPUDUMPFS_PSX_GPU_TEXEL_REACH_H
#define GPUDUMPFS_PSX_GPU_TEXEL_REACH_H

#include "formats/psx/gpu/draw.h"
#include "formats/psx/gpu/state.h"

#include <stdbool.h>
#include <stdint.h>

enum { PSX_TEXEL_LINE = 4 }; /* halfwords of a line of the cache */

/* Zero-initialised at power-on, when psx_state.texel_run is 0. */
struct psx_texel_reach {
    uint32_t run;        /* that it tells of: psx_state.texel_run */
    bool stale;          /* what the cache may hold has been drawn over */
    bool sampled;        /* there are textures in this run */
    uint8_t page, depth; /* of those: the one that reaches furthest */
    struct psx_box read; /* what the cache may hold, wrapping at the right edge */
    uint32_t area[3];    /* E3, E4 and how many lines there are, for which … */
    uint32_t known[3];   /* … by depth, a bit a page: it is known whether … */
    uint32_t apart[3];   /* … the drawing area holds nothing of it */
};

/* Before a drawing command or a fill is carried out in the run `run`: its page is taken over. */
void psx_texel_reach_draw(struct psx_texel_reach *reach, uint32_t run,
                          const struct psx_registers *registers, const struct psx_draw *draw);

/*
 * The same for an event of any kind, whose state is taken over: psx_state_gp0(). A polyline's
 * segment comes as its line, psx_state_segment(). What needs no closer look is not taken apart.
 */
void psx_texel_reach_event(struct psx_texel_reach *reach, const struct psx_state *after,
                           const struct psx_gp0_event *event);

/*
 * Whether a primitive without a texture, or one with a texture of E1's page, would change nothing
 * of what is told of the run that `state` is in, as long as no other command comes.
 */
bool psx_texel_reach_is_settled(struct psx_texel_reach *reach, const struct psx_state *state,
                                bool textured);

/*
 * Whether the drawing area holds nothing of a texture page with that depth: what is drawn then
 * leaves the page's run as it is.
 */
bool psx_texel_page_is_apart(const struct psx_registers *registers, unsigned page, unsigned depth);

/* As psx_texel_reach_event() of textured primitives of the run `run` that are drawn apart. */
void psx_texel_reach_sample(struct psx_texel_reach *reach, uint32_t run, unsigned page,
                            unsigned depth);

/* The halfwords that a textured primitive's texels may lie in, as whole lines of the cache. */
void psx_texel_reach_box(const struct psx_draw *draw, uint32_t e2, struct psx_box *out);

/* Adds such a box to what the cache may hold of a run; `read` is empty before its first one. */
void psx_texel_box_add(struct psx_box *read, const struct psx_box *box);

/*
 * Whether pixels of one are texels of the other. The edges of VRAM wrap; a line from 512 on counts
 * as the one above it too.
 */
bool psx_texel_boxes_meet(const struct psx_box *a, const struct psx_box *b);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Whether the texel cache can be seen (psx-gpu.md 6). The cache holds the same as video memory
 * until pixels are drawn over texels that it may hold; from there to the next drop each texel has
 * to be looked up in it. This is found out from the command stream alone, by boxes, so that index
 * and replay agree. It may be reported where it is not so, never the reverse. Pure functions over
 * struct psx_texel_reach.
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
    uint32_t run;        /* the run that this describes: psx_state.texel_run */
    bool stale;          /* what the cache may hold has been drawn over */
    bool sampled;        /* textures were used in this run */
    uint8_t page, depth; /* of those textures: the page, and the depth that reaches furthest */
    struct psx_box read; /* what the cache may hold; wraps at the right edge */
    uint32_t area[3];    /* the drawing area of `known` and `apart`: E3, E4, addressed lines */
    uint32_t known[3];   /* by depth, one bit for each page: its bit in `apart` is valid */
    uint32_t apart[3];   /* by depth, one bit for each page: the drawing area does not overlap it */
};

/*
 * Records a drawing command or a fill, before it is carried out in the run `run`. Its page has been
 * applied.
 */
void psx_texel_reach_draw(struct psx_texel_reach *reach, uint32_t run,
                          const struct psx_registers *registers, const struct psx_draw *draw);

/*
 * The same for an event of any kind, whose state has been applied by psx_state_gp0(). A polyline's
 * segment is passed as its line, psx_state_segment(). The event is decoded only if it has to be
 * looked at closely.
 */
void psx_texel_reach_event(struct psx_texel_reach *reach, const struct psx_state *after,
                           const struct psx_gp0_event *event);

/*
 * Returns whether primitives without a texture, or with `textured` those with a texture of E1's
 * page, change nothing in *reach in the run of `state`, as long as no other command comes.
 */
bool psx_texel_reach_is_settled(struct psx_texel_reach *reach, const struct psx_state *state,
                                bool textured);

/*
 * Returns whether the drawing area overlaps nothing of a texture page of that depth. Drawing then
 * does not make a run that uses the page stale.
 */
bool psx_texel_page_is_apart(const struct psx_registers *registers, unsigned page, unsigned depth);

/*
 * The same as psx_texel_reach_event() for textured primitives of the run `run` whose page is apart
 * from the drawing area.
 */
void psx_texel_reach_sample(struct psx_texel_reach *reach, uint32_t run, unsigned page,
                            unsigned depth);

/* A range of texture coordinates, both ends included; may go beyond 0 to 255. */
struct psx_texel_span {
    int from, to;
};

/*
 * Computes the halfwords that contain the texels with these coordinates, before the window of E2,
 * as complete lines of the cache. `page` is psx_page_of() of the texture page, `depth` is
 * psx_depth_of().
 */
void psx_texel_spans_box(struct psx_texel_span u, struct psx_texel_span v, uint32_t e2,
                         unsigned page, unsigned depth, struct psx_box *out);

/* The same for all texels that a textured primitive may sample. */
void psx_texel_reach_box(const struct psx_draw *draw, uint32_t e2, struct psx_box *out);

/*
 * Adds a box of psx_texel_reach_box() to `read`, what the cache may hold in a run. `read` is empty
 * before the first one.
 */
void psx_texel_box_add(struct psx_box *read, const struct psx_box *box);

/*
 * Returns whether pixels of one box may be texels of the other. The edges of VRAM wrap; a line from
 * 512 on also counts as the line 512 above it.
 */
bool psx_texel_boxes_meet(const struct psx_box *a, const struct psx_box *b);

#endif

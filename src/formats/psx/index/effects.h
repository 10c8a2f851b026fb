/* SPDX-License-Identifier: MIT */
/*
 * What a step of the command stream (walk.h) does to VRAM, and to two of the latches of tiles.h,
 * the palette and the open read's data; in tiles and without drawing: what it may write, what it
 * overwrites completely, and what its pixels depend on.
 * Conservative: `part`, `read` and `palette` may be too large, `full` may be too small. Facts:
 * psx-gpu.md 3, 6, 11, psx-dump.md 3.7. Pure functions.
 *
 * The destination of blending or of a mask check is not in `read`: a tile that is not in `full`
 * needs its former contents anyway.
 */
#ifndef GPUDUMPFS_PSX_INDEX_EFFECTS_H
#define GPUDUMPFS_PSX_INDEX_EFFECTS_H

#include "formats/psx/gpu/gp0.h"
#include "formats/psx/gpu/state.h"
#include "formats/psx/index/tiles.h"

#include <stdint.h>

struct psx_effects {
    struct psx_tile_box part; /* all that it may write */
    struct psx_tile_box full; /* the part of that which is certain to be overwritten, every pixel */
    struct psx_tile_box read; /* texels; a copy's source; what a read latches */
    struct psx_tile_box palette; /* what it latches as palette, before it draws */
    uint8_t uses;                /* latches that its pixels depend on */
    uint8_t fills;               /* latches that it overwrites */
    /* The same in pixels, in the lines that memory has. */
    struct psx_box part_pixels, full_pixels, read_pixels, palette_pixels;
};

/*
 * Returns whether an event draws, moves pixels, or fills a latch. Other events only change
 * registers and the parser.
 */
bool psx_event_acts(const struct psx_gp0_event *event);

/*
 * Computes the effects of a command for which psx_event_acts() is true, except those of an upload's
 * data. A polyline's segment is passed as the line that psx_state_segment() makes of it. `clut` is
 * the palette latch before the command.
 */
void psx_effects_of(const struct psx_gp0_event *event, const struct psx_registers *registers,
                    const struct psx_clut_key *clut, struct psx_effects *out);

/*
 * Computes the effects of an upload's data, from halfword `from` up to halfword `to`. `lines` must
 * be the same for all of it. `masked`: whether the upload is subject to the mask check.
 */
void psx_effects_of_upload(const struct psx_transfer *upload, struct psx_vram_lines lines,
                           uint32_t from, uint32_t to, bool masked, struct psx_effects *out);

/*
 * Returns whether the upload in progress is subject to the mask check, by E6 and
 * psx_state_ignores_mask().
 */
bool psx_upload_is_masked(const struct psx_state *state);

/* Returns the tiles in which primitives may draw: those of the drawing area. */
struct psx_tile_box psx_effects_area(const struct psx_registers *registers);

/*
 * Returns all tiles that a texture page of that depth can be read from, whatever the coordinates.
 */
struct psx_tile_box psx_effects_page(unsigned page, unsigned depth, struct psx_vram_lines lines);

/* Returns the tiles from which a palette with that key is latched. */
struct psx_tile_box psx_effects_palette(const struct psx_clut_key *key,
                                        struct psx_vram_lines lines);

#endif

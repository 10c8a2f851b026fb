/* SPDX-License-Identifier: MIT */
/*
 * What a step of the command stream does to VRAM and to the two latches, in tiles
 * and without drawing: what it may write, what it wholly overwrites, what its
 * pixels depend on. Always on the safe side: `part`, `read` and `palette` may be
 * too large, `full` too small. Facts: psx-gpu.md 3, 6, 11, psx-dump.md 3.7. Pure
 * functions.
 *
 * The destination of blending or of a mask check needs no `read`: what is not
 * `full` never frees a tile from its former contents, so they stay needed anyway.
 */
#ifndef GPUDUMPFS_PSX_INDEX_EFFECTS_H
#define GPUDUMPFS_PSX_INDEX_EFFECTS_H

#include "formats/psx/gpu/gp0.h"
#include "formats/psx/gpu/state.h"
#include "formats/psx/index/tiles.h"

#include <stdint.h>

struct psx_effects {
    struct psx_tile_box part;    /* what it may write at all */
    struct psx_tile_box full;    /* what of it is certain to be overwritten, every pixel */
    struct psx_tile_box read;    /* texels, a copy's source; what a read latches */
    struct psx_tile_box palette; /* what it latches as palette, before it draws */
    uint8_t uses;                /* latches that its pixels depend on */
    uint8_t fills;               /* latches that it overwrites */
    /* The same to the pixel, where memory has it. */
    struct psx_box part_pixels, full_pixels, read_pixels, palette_pixels;
};

/*
 * Whether an event acts at all: draws, moves pixels, or fills a latch. The others
 * change registers and the parser alone.
 */
bool psx_event_acts(const struct psx_gp0_event *event);

/*
 * The effects of a command that acts, an upload's data aside; a polyline's segment
 * comes as the line of psx_state_segment(). `clut` is the palette latch before it.
 */
void psx_effects_of(const struct psx_gp0_event *event, const struct psx_registers *registers,
                    const struct psx_clut_key *clut, struct psx_effects *out);

/*
 * The effects of an upload's data, from halfword `from` to halfword `to` of it, between
 * which `lines` stay. `masked`: it heeds the mask check, as E6 stands.
 */
void psx_effects_of_upload(const struct psx_transfer *upload, struct psx_vram_lines lines,
                           uint32_t from, uint32_t to, bool masked, struct psx_effects *out);

/* Whether the upload under way heeds a mask check, by E6 and psx_state_ignores_mask(). */
bool psx_upload_is_masked(const struct psx_state *state);

/* Where primitives may draw at all: the drawing area. */
struct psx_tile_box psx_effects_area(const struct psx_registers *registers);

/* All that a texture page with that depth can be read from, whatever the coordinates. */
struct psx_tile_box psx_effects_page(unsigned page, unsigned depth, struct psx_vram_lines lines);

/* What a palette that is latched now is read from. */
struct psx_tile_box psx_effects_palette(const struct psx_clut_key *key,
                                        struct psx_vram_lines lines);

#endif

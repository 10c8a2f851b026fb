/* SPDX-License-Identifier: MIT */
/*
 * What a stretch of the command stream does to VRAM as a whole: enough to pass
 * over it when a picture does not depend on it (psx-dump.md 3.7). Made as the
 * index follows the stream, so it is rough where that saves time: a primitive
 * counts as writing all of its drawing area and as reading all of its texture
 * page. What it is certain to overwrite is exact. One thread per maker.
 */
#ifndef GPUDUMPFS_PSX_INDEX_TILE_SUMMARY_H
#define GPUDUMPFS_PSX_INDEX_TILE_SUMMARY_H

#include "formats/psx/index/effects.h"

struct psx_tile_summary {
    struct psx_tiles written; /* by any of its ops, in part or in full */
    struct psx_tiles killed;  /* overwritten in full by one of its ops */
    struct psx_tiles exposed; /* read by one of its ops, none before having overwritten it */
    struct psx_tiles drawn;   /* as `written`, by others than uploads that are listed */
};

/* Zero-initialised at the start of a stretch. */
struct psx_tile_summary_maker {
    struct psx_tile_summary summary;
    uint32_t area[3];       /* E3, E4 and GP1(09) whose area is in `written` */
    uint64_t pages[3];      /* by depth: a bit for each page that is in `exposed` */
    uint32_t data_from;     /* where data begins that is not in `written` yet */
    bool has_area, in_data; /* those of the above that count */
    bool lists;  /* an upload or a copy that is whole is listed (upload_list.h); the caller's … */
    bool listed; /* … to do: the upload that has just ended, or the copy */
};

/* The next event of the stretch; `before` is the state it meets. */
void psx_tile_summary_event(struct psx_tile_summary_maker *maker, const struct psx_state *before,
                            const struct psx_gp0_event *event);

/*
 * No more data comes for the upload under way in this stretch, or none as before: `state` is
 * where the stretch ends, or before the GP1 word that drops the upload or tells other lines.
 */
void psx_tile_summary_end_data(struct psx_tile_summary_maker *maker, const struct psx_state *state);

/*
 * What is in the summary already, so that primitives that need no more add nothing to it: the
 * drawing area; the texture page of E1, and the palette that is latched if it takes one.
 */
bool psx_tile_summary_has_area(const struct psx_tile_summary_maker *maker,
                               const struct psx_registers *registers);
bool psx_tile_summary_has_texture(const struct psx_tile_summary_maker *maker,
                                  const struct psx_state *state);

/*
 * Whether the summary takes the box of a polygon or a rectangle in place of the drawing area, since
 * it may overwrite all of it: rectangles, and quads whose first two corners, as sent, could be
 * one's.
 */
bool psx_tile_summary_takes_box(uint8_t op, uint32_t first, uint32_t second);

/* Adds the drawing area, as primitives do that are not told any closer. */
void psx_tile_summary_add_area(struct psx_tile_summary_maker *maker,
                               const struct psx_registers *registers);

/* Adds one op's effects, which the caller knows exactly. */
void psx_tile_summary_add(struct psx_tile_summary *summary, const struct psx_effects *effects);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * What a stretch of the command stream, from one checkpoint to the next (index.h), does to VRAM as
 * a whole: enough to skip the stretch when a picture does not depend on it (psx-dump.md 3.7).
 * Summaries are made as the index follows the stream, so they are coarse where that saves time: a
 * primitive counts as writing all of its drawing area and as reading all of its texture page. What
 * is certain to be overwritten is exact. One thread per maker.
 */
#ifndef GPUDUMPFS_PSX_INDEX_TILE_SUMMARY_H
#define GPUDUMPFS_PSX_INDEX_TILE_SUMMARY_H

#include "formats/psx/index/effects.h"

struct psx_tile_summary {
    struct psx_tiles written; /* by any op, in part or in full */
    struct psx_tiles killed;  /* overwritten in full by one op */
    struct psx_tiles exposed; /* read by an op before any op has overwritten them in full */
    struct psx_tiles drawn;   /* as `written`, but without listed uploads and copies */
};

/* Zero-initialised at the start of a stretch. */
struct psx_tile_summary_maker {
    struct psx_tile_summary summary;
    uint32_t area[3];       /* E3, E4 and GP1(09) of the area that is in `written` */
    uint64_t pages[3];      /* by depth: one bit for each page that is in `exposed` */
    uint32_t data_from;     /* start of the data that is not in `written` yet */
    bool has_area, in_data; /* whether `area` and data_from are valid */
    bool lists;  /* from the caller: complete uploads and copies may be listed (upload_list.h) */
    bool listed; /* to the caller: the upload that has just ended, or the copy, must be listed */
};

/* Adds the next event of the stretch; `before` is the state before it. */
void psx_tile_summary_event(struct psx_tile_summary_maker *maker, const struct psx_state *before,
                            const struct psx_gp0_event *event);

/*
 * Adds the data that came for the upload in progress, since no more data follows in this stretch,
 * or not under the same conditions. `state` is that at the stretch's end, or before the GP1 word
 * that drops the upload or changes how many lines are addressed.
 */
void psx_tile_summary_end_data(struct psx_tile_summary_maker *maker, const struct psx_state *state);

/*
 * Returns whether the summary already has the drawing area, so that primitives of which no more is
 * recorded add nothing to it.
 */
bool psx_tile_summary_has_area(const struct psx_tile_summary_maker *maker,
                               const struct psx_registers *registers);

/*
 * Returns whether the summary already has the texture page of E1, and the latched palette if the
 * page needs one, so that of primitives with these only the drawing area is recorded.
 */
bool psx_tile_summary_has_texture(const struct psx_tile_summary_maker *maker,
                                  const struct psx_state *state);

/*
 * Returns whether the summary takes the box of a polygon or rectangle instead of the drawing area,
 * because the primitive may overwrite all of its box. That is so for rectangles, and for quads
 * whose first two corners could be those of a rectangle, if they are opaque and without a texture.
 * `first` and `second` are the corners' words as sent.
 */
bool psx_tile_summary_takes_box(uint8_t op, uint32_t first, uint32_t second);

/* Adds the drawing area, as for a primitive of which no more is recorded. */
void psx_tile_summary_add_area(struct psx_tile_summary_maker *maker,
                               const struct psx_registers *registers);

/* Adds the effects of one op, which the caller knows exactly. */
void psx_tile_summary_add(struct psx_tile_summary *summary, const struct psx_effects *effects);

#endif

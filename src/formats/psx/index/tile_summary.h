/*
 * What a stretch of the command stream does to VRAM as a whole: enough to pass
 * over it when a picture does not depend on it (psx-dump.md 3.7). Made as the
 * index follows the stream, so it is rough where that saves time: a primitive
 * counts as writing all of its drawing area and as reading all of its texture
 * page. What it is certain to overwrite is exact. One thread per maker.
 */
#ifndef GPUDUMPFS_PSX_INDEX_TILE_SUMMARY_H
#define GPUDUMPFS_PSX_INDEX_TILE_SUMMARY_H

#include "formats/psx/gpu/state.h"
#include "formats/psx/index/effects.h"
#include "formats/psx/index/tiles.h"

struct psx_tile_summary {
    struct psx_tiles written; /* by any of its ops, in part or in full */
    struct psx_tiles killed;  /* overwritten in full by one of its ops */
    struct psx_tiles exposed; /* read by one of its ops, none before having overwritten it */
};

/* Zero-initialised at the start of a stretch. */
struct psx_tile_summary_maker {
    struct psx_tile_summary summary;
    uint32_t area[3];       /* E3, E4 and the gate of GP1(09) whose area is in `written` */
    uint64_t pages[2];      /* pages that are in `exposed`, by depth and page */
    uint32_t data_from;     /* where data begins that is not in `written` yet */
    bool has_area, in_data; /* those of the above that count */
};

/* The next event of the stretch; `before` is the state it meets. */
void psx_tile_summary_event(struct psx_tile_summary_maker *maker, const struct psx_state *before,
                            const struct gp0_event *event);

/*
 * No more data comes for the upload under way in this stretch: `state` is where
 * the stretch ends, or before the GP1 word that drops the upload.
 */
void psx_tile_summary_end_data(struct psx_tile_summary_maker *maker, const struct psx_state *state);

/* Adds one op's effects, which the caller knows exactly. */
void psx_tile_summary_add(struct psx_tile_summary *summary, const struct psx_effects *effects);

#endif

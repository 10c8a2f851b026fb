/* SPDX-License-Identifier: MIT */
/*
 * What commands write to video memory, as the command pass (indexing.h) and a sketch (sketch.h)
 * record it: tiles of the stretch in progress (tile_summary.h), and the uploads and copies to be
 * listed (upload_list.h). Both use this file, so that slices built from either are the same. One
 * thread.
 */
#ifndef GPUDUMPFS_PSX_INDEX_STRETCH_WRITES_H
#define GPUDUMPFS_PSX_INDEX_STRETCH_WRITES_H

#include "formats/psx/index/tile_summary.h"
#include "formats/psx/index/upload_list.h"
#include "formats/psx/index/walk.h"

#include <stdint.h>

struct psx_stretch_writes {
    struct psx_tile_summary_maker maker; /* of the stretch since the last checkpoint */
    uint64_t data_offset;                /* where the data of the upload in progress began */
    uint32_t data_word;
};

/* Records the next GP0 step; `before` is the state before it. */
void psx_stretch_writes_take(struct psx_stretch_writes *writes, struct psx_upload_list *uploads,
                             const struct psx_state *before, const struct psx_step *step);

#endif

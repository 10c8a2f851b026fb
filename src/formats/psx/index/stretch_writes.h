/* SPDX-License-Identifier: MIT */
/*
 * What commands write to video memory, as the command pass and a sketch take it down: tiles of the
 * stretch in progress, and uploads and copies that are listed. One rule for both, so that slices of
 * either are the same. One thread.
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

/* The next step of GP0; `before` is the state that it meets. */
void psx_stretch_writes_take(struct psx_stretch_writes *writes, struct psx_upload_list *uploads,
                             const struct psx_state *before, const struct psx_step *step);

#endif

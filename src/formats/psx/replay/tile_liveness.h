/* SPDX-License-Identifier: MIT */
/*
 * Which tiles of VRAM a later part of the dump still depends on, and so what keyframes
 * (keyframe_store.h) have to hold. It is computed back from the dump's end over the summaries of
 * the complete index (index/tile_summary.h), and kept at checkpoints that are some distance apart.
 * Read-only once made; any thread.
 */
#ifndef GPUDUMPFS_PSX_REPLAY_TILE_LIVENESS_H
#define GPUDUMPFS_PSX_REPLAY_TILE_LIVENESS_H

#include "base/cancel.h"
#include "formats/psx/index/index.h"
#include "formats/psx/index/tiles.h"

#include <stdint.h>

/* The tiles at one checkpoint. */
struct psx_live_tiles {
    uint64_t checkpoint;
    struct psx_tiles read;  /* a later op reads them before they are completely overwritten */
    struct psx_tiles shown; /* a later picture shows them before they are completely overwritten */
};

struct psx_tile_liveness {
    const struct psx_index *index;
    struct psx_live_tiles *list; /* by checkpoint, ascending */
    uint64_t count;
};

/*
 * Computes the liveness for a complete index, at checkpoints that are at least `spacing` bytes of
 * the dump apart, and at the last checkpoint. Returns 0, -ENOMEM or -EINTR.
 */
int psx_tile_liveness_make(const struct psx_index *index, uint64_t spacing,
                           const struct cancel *cancel, struct psx_tile_liveness *out);
void psx_tile_liveness_clear(struct psx_tile_liveness *liveness);

/* Computes the live tiles at any checkpoint, by walking back from the next one that is kept. */
void psx_tile_liveness_at(const struct psx_tile_liveness *liveness, uint64_t checkpoint,
                          struct psx_live_tiles *out);

#endif

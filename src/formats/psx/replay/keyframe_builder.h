/* SPDX-License-Identifier: MIT */
/*
 * Makes the keyframes of a whole dump, in the background once the index is
 * complete: one every so many bytes of the dump, and more where much is drawn that
 * later frames build on. Each is a slice from the one before, of the tiles that
 * later frames need. When they take too much memory every second one is dropped,
 * and the distance doubled. One thread.
 */
#ifndef GPUDUMPFS_PSX_REPLAY_KEYFRAME_BUILDER_H
#define GPUDUMPFS_PSX_REPLAY_KEYFRAME_BUILDER_H

#include "base/cancel.h"
#include "formats/psx/index/index.h"
#include "formats/psx/replay/keyframe_store.h"
#include "formats/psx/replay/tile_liveness.h"

#include <stdint.h>

enum {
    PSX_KEYFRAME_SPACING = 512 * 1024, /* bytes of the dump */
    PSX_KEYFRAME_PIXELS = 2 * 1024 * 1024,
};

struct psx_keyframe_builder_params {
    const struct psx_index *index; /* complete */
    const struct psx_tile_liveness *liveness;
    struct psx_keyframe_store *keyframes; /* to be filled */
    uint64_t pixels;                      /* that may be drawn anew behind a keyframe, about */
    uint64_t max_pixels;                  /* that may be drawn in all, about; 0: no limit */
};

/*
 * 0, -ENOMEM, -EINTR, or -E2BIG: the limit was reached. The keyframes that are there
 * by then are of use in any case.
 */
int psx_keyframe_builder_run(const struct psx_keyframe_builder_params *params,
                             const struct cancel *cancel);

#endif

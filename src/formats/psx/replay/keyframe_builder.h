/* SPDX-License-Identifier: MIT */
/*
 * Makes the keyframes (keyframe_store.h) of a whole dump, in the background, once the index is
 * complete: one at regular distances in bytes of the dump, and more where much is drawn that later
 * frames build on. Each keyframe holds the tiles that later frames need (tile_liveness.h), and is
 * made by a slice (slice.h) that starts from the keyframe before. When keyframes take too much
 * memory every second one is dropped and the distance doubled. One thread.
 */
#ifndef GPUDUMPFS_PSX_REPLAY_KEYFRAME_BUILDER_H
#define GPUDUMPFS_PSX_REPLAY_KEYFRAME_BUILDER_H

#include "base/cancel.h"
#include "formats/psx/index/index.h"
#include "formats/psx/replay/keyframe_store.h"
#include "formats/psx/replay/tile_liveness.h"

#include <stdint.h>

enum {
    PSX_KEYFRAME_SPACING = 512 * 1024,     /* distance of keyframes, in bytes of the dump */
    PSX_KEYFRAME_PIXELS = 2 * 1024 * 1024, /* for `pixels` below */
};

struct psx_keyframe_builder_params {
    const struct psx_index *index; /* must be complete */
    const struct psx_tile_liveness *liveness;
    struct psx_keyframe_store *keyframes; /* where the keyframes are added */
    uint64_t pixels;     /* about how many pixels may be drawn after a keyframe before the next */
    uint64_t max_pixels; /* about how many pixels may be drawn in all; 0 means no limit */
};

/*
 * Returns 0, -ENOMEM, -EINTR, or -E2BIG if `max_pixels` was exceeded. Keyframes that have been
 * added remain usable even if this fails.
 */
int psx_keyframe_builder_run(const struct psx_keyframe_builder_params *params,
                             const struct cancel *cancel);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Keyframes: tiles of VRAM as they stand at some of the index's checkpoints, so that a
 * walk back from a later point ends there (psx-dump.md 3.7). A tile that has not
 * changed is shared with the keyframe before. Any thread may look one up while
 * one thread adds them.
 */
#ifndef GPUDUMPFS_PSX_REPLAY_KEYFRAME_STORE_H
#define GPUDUMPFS_PSX_REPLAY_KEYFRAME_STORE_H

#include "base/cancel.h"
#include "cache/cache.h"
#include "formats/psx/gpu/gpu.h"
#include "formats/psx/index/tiles.h"

#include <stdbool.h>
#include <stdint.h>

struct psx_keyframe_store;
struct psx_keyframe;

/* `max_bytes` and the cache that pays: as struct checkpoint_list_params. 0 or -ENOMEM. */
int psx_keyframe_store_create(uint64_t max_bytes, struct cache *const *cache,
                              struct psx_keyframe_store **out);

/* All references to its keyframes have been dropped. */
void psx_keyframe_store_destroy(struct psx_keyframe_store **keyframes);

/*
 * Adds the tiles `tiles` of a GPU, and the latched palette and the texel cache if they are
 * among them, as the keyframe at a checkpoint behind all others. `written`: tiles that may differ
 * from those of the last keyframe. When they take too much memory, every second one goes,
 * *halvings times. 0 or -ENOMEM.
 */
int psx_keyframe_store_add(struct psx_keyframe_store *keyframes, uint64_t checkpoint,
                           const struct psx_tiles *tiles, const struct psx_tiles *written,
                           const struct psx_gpu *gpu, unsigned *halvings);

/*
 * How far they have come while they are being made: all checkpoints before `checkpoint` have
 * their keyframes; UINT64_MAX: there will be no more.
 */
void psx_keyframe_store_reach(struct psx_keyframe_store *keyframes, uint64_t checkpoint);

/*
 * Waits until they have come so far, or for `milliseconds`, or until it is cancelled: whether
 * they have come so far.
 */
bool psx_keyframe_store_wait(struct psx_keyframe_store *keyframes, uint64_t checkpoint,
                             unsigned milliseconds, const struct cancel *cancel);

/* A reader needs keyframes, or soon will; or none will be made. Any thread, any number of times. */
void psx_keyframe_store_want(struct psx_keyframe_store *keyframes);

/* For the thread that makes them: waits until then. */
void psx_keyframe_store_await_want(struct psx_keyframe_store *keyframes);

/* A reader takes pictures in their order, and went on from the one before. */
void psx_keyframe_store_note_order(struct psx_keyframe_store *keyframes);

/*
 * For the builder: leaves the processors to a reader in order, as long as that goes on and
 * no reader waits for keyframes. Whether it waited.
 */
bool psx_keyframe_store_give_way(struct psx_keyframe_store *keyframes, const struct cancel *cancel);

/*
 * Serves another dump's keyframes too, those up to that checkpoint, which is the same in both. They
 * stay that dump's, which outlives this one's. Before any other thread may look one up.
 */
void psx_keyframe_store_borrow(struct psx_keyframe_store *keyframes,
                               struct psx_keyframe_store *lender, uint64_t checkpoint);

/* Bytes that they take, without those of another dump. */
uint64_t psx_keyframe_store_bytes(struct psx_keyframe_store *keyframes);

/* A reference to the last one not behind that checkpoint; NULL: there is none. */
struct psx_keyframe *psx_keyframe_store_before(struct psx_keyframe_store *keyframes,
                                               uint64_t checkpoint);

/* Drops the reference and clears the caller's pointer; NULL inside is fine. */
void psx_keyframe_unref(struct psx_keyframe **keyframe);

uint64_t psx_keyframe_checkpoint(const struct psx_keyframe *keyframe);

/* The tiles that it has; of the latches at most the palette and the texel cache. */
const struct psx_tiles *psx_keyframe_tiles(const struct psx_keyframe *keyframe);

/* Sets those of `tiles`, all of which it has. */
void psx_keyframe_load(const struct psx_keyframe *keyframe, const struct psx_tiles *tiles,
                       struct psx_gpu *gpu);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Keyframes: tiles of VRAM at some of the index's checkpoints, at which a walk back from a later
 * point can end (psx-dump.md 3.7). A tile that has not changed is shared with the keyframe before.
 * Any thread may look up keyframes while one thread adds them.
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

/* For `max_bytes` and `cache` see struct checkpoint_list_params. Returns 0 or -ENOMEM. */
int psx_keyframe_store_create(uint64_t max_bytes, struct cache *const *cache,
                              struct psx_keyframe_store **out);

/* Destroys the store. All references to its keyframes must have been dropped. */
void psx_keyframe_store_destroy(struct psx_keyframe_store **keyframes);

/*
 * Adds a keyframe at `checkpoint`, which is after all others: the tiles `tiles` of the GPU, and the
 * latched palette and the texel cache if they are among them. `written` are the tiles that may
 * differ from those of the last keyframe. While the keyframes take too much memory, drops every
 * second one; *halvings is how often. Returns 0 or -ENOMEM.
 */
int psx_keyframe_store_add(struct psx_keyframe_store *keyframes, uint64_t checkpoint,
                           const struct psx_tiles *tiles, const struct psx_tiles *written,
                           const struct psx_gpu *gpu, unsigned *halvings);

/*
 * Reports progress: all checkpoints before `checkpoint` have their keyframes. UINT64_MAX says that
 * no more keyframes will be made.
 */
void psx_keyframe_store_reach(struct psx_keyframe_store *keyframes, uint64_t checkpoint);

/*
 * Waits until the progress reported is `checkpoint` or more, `milliseconds` have passed, or
 * `cancel` is raised. Returns whether `checkpoint` was reached.
 */
bool psx_keyframe_store_wait(struct psx_keyframe_store *keyframes, uint64_t checkpoint,
                             unsigned milliseconds, const struct cancel *cancel);

/*
 * Notes that a reader needs keyframes or soon will, or that none will be made, which ends
 * psx_keyframe_store_await_want() as well. Any thread may call this any number of times.
 */
void psx_keyframe_store_want(struct psx_keyframe_store *keyframes);

/* Waits for psx_keyframe_store_want(). For the thread that makes the keyframes. */
void psx_keyframe_store_await_want(struct psx_keyframe_store *keyframes);

/*
 * Notes that a reader takes pictures in order, and that an instance went on to its next one without
 * keyframes.
 */
void psx_keyframe_store_note_order(struct psx_keyframe_store *keyframes);

/*
 * Leaves the processors to a reader in order: waits as long as that reader goes on and no reader
 * waits for keyframes. For the builder. Returns whether it waited.
 */
bool psx_keyframe_store_give_way(struct psx_keyframe_store *keyframes, const struct cancel *cancel);

/*
 * Makes the store serve another dump's keyframes, too, up to `checkpoint`, which is the same in
 * both dumps. They remain the other dump's, which must outlive this one. To be called before any
 * other thread may look up a keyframe.
 */
void psx_keyframe_store_borrow(struct psx_keyframe_store *keyframes,
                               struct psx_keyframe_store *lender, uint64_t checkpoint);

/* Returns the bytes that the keyframes take, without those of another dump. */
uint64_t psx_keyframe_store_bytes(struct psx_keyframe_store *keyframes);

/*
 * Returns a reference to the last keyframe at or before `checkpoint`, to be dropped with
 * psx_keyframe_unref(), or NULL if there is none.
 */
struct psx_keyframe *psx_keyframe_store_before(struct psx_keyframe_store *keyframes,
                                               uint64_t checkpoint);

/* Drops the reference and clears the caller's pointer. `*keyframe` may be NULL. */
void psx_keyframe_unref(struct psx_keyframe **keyframe);

/* Returns the number of the checkpoint at which the keyframe is. */
uint64_t psx_keyframe_checkpoint(const struct psx_keyframe *keyframe);

/*
 * Returns the tiles that the keyframe has. Of the latches these include at most the palette and the
 * texel cache.
 */
const struct psx_tiles *psx_keyframe_tiles(const struct psx_keyframe *keyframe);

/* Copies `tiles` to the GPU. The keyframe must have all of them. */
void psx_keyframe_load(const struct psx_keyframe *keyframe, const struct psx_tiles *tiles,
                       struct psx_gpu *gpu);

#endif

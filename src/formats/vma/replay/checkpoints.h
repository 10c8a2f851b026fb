/* SPDX-License-Identifier: MIT */
/*
 * Seeking in a recording. Copies of the replay's state are kept along the way, and a seek continues
 * from the nearest one before its target (vma.md 3.12). If they exceed their share of the cache,
 * every second one is dropped. Replays that were given back remain where they stopped, so that
 * reading frame after frame costs one pass in all. Any thread may seek; each gets a replay of its
 * own.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_REPLAY_CHECKPOINTS_H
#define GPUDUMPFS_FORMATS_VMA_REPLAY_CHECKPOINTS_H

#include "formats/vma/replay/replay.h"

enum {
    VMA_CHECKPOINT_PACKETS = 1 << 14, /* minimum of packets between two checkpoints */
    VMA_CHECKPOINT_LARGEST = 8 << 20, /* bytes; a larger state is not kept */
    VMA_IDLE_REPLAYS = 4,             /* maximum of replays that are kept for continuing */
    /* Checkpoints may take 1/VMA_CHECKPOINTS_SHARE of the cache's budget, idle replays as much. */
    VMA_CHECKPOINTS_SHARE = 8,
};

struct vma_checkpoints;

/*
 * Creates a store of checkpoints. The recording must outlive it; `params` are copied. `budget` is
 * that of the cache, and `cache` the cache that is charged, as in struct instance_pool_params.
 * Returns 0 or -ENOMEM.
 */
int vma_checkpoints_create(const struct vma_recording *recording,
                           const struct vma_allocator_params *params, uint64_t budget,
                           struct cache *const *cache, struct vma_checkpoints **out);
void vma_checkpoints_destroy(struct vma_checkpoints **store);

/*
 * Gets a replay that has executed all packets before `packet`. The caller owns it until it gives it
 * back. Returns 0, -ENOMEM or -EINTR.
 */
int vma_checkpoints_seek(struct vma_checkpoints *store, uint32_t packet,
                         const struct cancel *cancel, struct vma_replay **out);
void vma_checkpoints_give_back(struct vma_checkpoints *store, struct vma_replay **replay);

/* Frees a replay that has failed, instead of giving it back. *replay may be NULL. */
void vma_checkpoints_drop(struct vma_replay **replay);

/*
 * Keeps a copy of a state if a checkpoint is due. A pass over the recording offers its states here
 * in ascending order. A copy that cannot be made is not an error.
 */
void vma_checkpoints_offer(struct vma_checkpoints *store, const struct vma_replay *replay);

/* Returns the bytes of memory that the checkpoints hold. */
size_t vma_checkpoints_bytes(struct vma_checkpoints *store);

#endif

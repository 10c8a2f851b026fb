/* SPDX-License-Identifier: MIT */
/*
 * Seeking in a recording: copies of the replay's state are kept along the way, and
 * a seek goes on from the nearest one before (vma.md 3.12); when they are more than
 * their share of the cache, every second one goes. Replays that were given back wait
 * where they stopped, so that reading frame after frame costs one pass in all. Any
 * thread may seek; each gets a replay of its own.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_REPLAY_CHECKPOINTS_H
#define GPUDUMPFS_FORMATS_VMA_REPLAY_CHECKPOINTS_H

#include "formats/vma/replay/replay.h"

enum {
    VMA_CHECKPOINT_PACKETS = 1 << 14, /* between two checkpoints, at least */
    VMA_CHECKPOINT_LARGEST = 8 << 20, /* a larger state is not kept */
    VMA_IDLE_REPLAYS = 4,             /* replays that wait to go on */
    VMA_CHECKPOINTS_SHARE = 8,        /* of the cache: for checkpoints, and again for those */
};

struct vma_checkpoints;

/*
 * The recording outlives the checkpoints; params are copied. `budget`: the cache's, and the
 * cache that pays, as in struct instance_pool_params. 0 or -ENOMEM.
 */
int vma_checkpoints_create(const struct vma_recording *recording,
                           const struct vma_allocator_params *params, uint64_t budget,
                           struct cache *const *cache, struct vma_checkpoints **out);
void vma_checkpoints_destroy(struct vma_checkpoints **store);

/*
 * A replay that has carried out all packets before `packet`, the caller's until it
 * gives it back. 0, -ENOMEM, -EINTR.
 */
int vma_checkpoints_seek(struct vma_checkpoints *store, uint32_t packet,
                         const struct cancel *cancel, struct vma_replay **out);
void vma_checkpoints_give_back(struct vma_checkpoints *store, struct vma_replay **replay);

/* Frees a replay that has failed, instead of giving it back; NULL inside is fine. */
void vma_checkpoints_drop(struct vma_replay **replay);

/*
 * A pass over the recording offers its states, in ascending order: keeps a copy if one
 * is due. A copy that cannot be made is no error.
 */
void vma_checkpoints_offer(struct vma_checkpoints *store, const struct vma_replay *replay);

/* Memory held by checkpoints. */
size_t vma_checkpoints_bytes(struct vma_checkpoints *store);

#endif

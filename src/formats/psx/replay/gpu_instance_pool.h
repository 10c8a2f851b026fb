/*
 * Idle instances, for the next request: at the requested position, near
 * it, or for its memory alone. They count in the cache's budget. Any thread.
 */
#ifndef GPUDUMPFS_PSX_REPLAY_GPU_INSTANCE_POOL_H
#define GPUDUMPFS_PSX_REPLAY_GPU_INSTANCE_POOL_H

#include "formats/psx/replay/gpu_instance.h"
#include "formats/psx/replay/vram_request.h"

struct psx_gpu_instance_pool {
    struct instance_pool idle;
};

/* What an instance is to serve for. */
enum psx_gpu_instance_use {
    PSX_INSTANCE_THERE,  /* it stands where it is wanted, and is right there */
    PSX_INSTANCE_BEFORE, /* it can go on to there; the one that is nearest */
    PSX_INSTANCE_MEMORY, /* no matter where it stands: one that cannot go on anyway */
};

/* Keeps at most so many, which `*cache` pays for as struct instance_pool_params says. */
void psx_gpu_instance_pool_init(struct psx_gpu_instance_pool *instances, unsigned most,
                                struct cache *const *cache);
void psx_gpu_instance_pool_clear(struct psx_gpu_instance_pool *instances);

/*
 * The idle instance that serves best, which is the caller's then; NULL: none. `tiles`
 * are those of `request`; both may be NULL for PSX_INSTANCE_MEMORY.
 */
struct psx_gpu_instance *psx_gpu_instance_pool_take(struct psx_gpu_instance_pool *instances,
                                                    enum psx_gpu_instance_use use,
                                                    const struct psx_vram_request *request,
                                                    const struct psx_tiles *tiles);

/* Keeps an instance, or an older one in its place, and clears the caller's pointer. */
void psx_gpu_instance_pool_give(struct psx_gpu_instance_pool *instances,
                                struct psx_gpu_instance **instance);

#endif

/*
 * Machines that nobody uses, for the next who wants one: where it is wanted, near
 * it, or for its memory alone. They count in the cache's budget. Any thread.
 */
#ifndef GPUDUMPFS_PSX_REPLAY_GPU_INSTANCE_POOL_H
#define GPUDUMPFS_PSX_REPLAY_GPU_INSTANCE_POOL_H

#include "formats/psx/replay/gpu_instance.h"
#include "formats/psx/replay/vram_request.h"

struct psx_machines {
    struct idle idle;
};

/* What a machine is to serve for. */
enum psx_machines_use {
    PSX_MACHINES_THERE,  /* it stands where it is wanted, and is right there */
    PSX_MACHINES_BEFORE, /* it can go on to there; the one that is nearest */
    PSX_MACHINES_MEMORY, /* no matter where it stands: one that cannot go on anyway */
};

/* Keeps at most so many, which `*cache` pays for as struct idle_params says. */
void psx_machines_init(struct psx_machines *machines, unsigned most, struct cache *const *cache);
void psx_machines_clear(struct psx_machines *machines);

/*
 * The idle machine that serves best, which is the caller's then; NULL: none. `tiles`
 * are those of `want`; both may be NULL for PSX_MACHINES_MEMORY.
 */
struct psx_machine *psx_machines_take(struct psx_machines *machines, enum psx_machines_use use,
                                      const struct psx_want *want, const struct psx_tiles *tiles);

/* Keeps a machine, or an older one in its place, and clears the caller's pointer. */
void psx_machines_give(struct psx_machines *machines, struct psx_machine **machine);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * A pool of VM instances, which stay where a reader left them. A caller that needs a VM at some
 * step takes the nearest instance before that step, or a new one, and parks it afterwards: to read
 * posts, memory or calls in order costs one run in all. Any thread.
 */
#ifndef GPUDUMPFS_GAPIR_REPLAY_VM_POOL_H
#define GPUDUMPFS_GAPIR_REPLAY_VM_POOL_H

#include "formats/gapir/replay/replay.h"

struct gapir_vm_pool;

/*
 * Creates a pool. `budget` is the maximum of bytes that parked instances hold (struct
 * instance_pool_params). Returns 0 or -ENOMEM.
 */
int gapir_vm_pool_create(const struct gapir_replay *replay, uint64_t budget,
                         struct cache *const *cache, struct gapir_vm_pool **out);
void gapir_vm_pool_destroy(struct gapir_vm_pool **pool); /* all taken instances must be back */

/*
 * Gets an instance that has executed `steps` instructions; the run must be known to have as many.
 * The caller parks or destroys it. Returns 0, -EINTR, -ENOMEM or -EFBIG.
 */
int gapir_vm_pool_take(struct gapir_vm_pool *pool, uint64_t steps, const struct cancel *cancel,
                       struct gapir_vm_instance **out);

/*
 * Calls `look` with a parked instance that has executed exactly `steps` instructions, and returns
 * its result. Returns -ENOENT if no such instance is parked. Meanwhile no other thread takes or
 * parks an instance.
 */
int gapir_vm_pool_look(struct gapir_vm_pool *pool, uint64_t steps,
                       int (*look)(void *context, const struct gapir_vm_instance *instance),
                       void *context);

/*
 * Returns an instance to the pool and sets *instance to NULL. Destroys the instance if its run was
 * stopped by a host function or for lack of memory.
 */
void gapir_vm_pool_park(struct gapir_vm_pool *pool, struct gapir_vm_instance **instance);

#endif

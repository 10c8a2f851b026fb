/* SPDX-License-Identifier: MIT */
/*
 * VM instances that wait where a reader left them. A caller that needs a VM at some
 * step takes the instance that is nearest before it, or a new one, and parks it again:
 * reading posts, memory or calls in their order costs one run in all. Any thread.
 */
#ifndef GPUDUMPFS_GAPIR_REPLAY_VM_POOL_H
#define GPUDUMPFS_GAPIR_REPLAY_VM_POOL_H

#include "formats/gapir/replay/replay.h"

struct gapir_vm_pool;

/* `budget`: bytes that parked instances may hold, as struct instance_pool_params says. 0, -ENOMEM.
 */
int gapir_vm_pool_create(const struct gapir_replay *replay, uint64_t budget,
                         struct cache *const *cache, struct gapir_vm_pool **out);
void gapir_vm_pool_destroy(struct gapir_vm_pool **pool); /* every taken instance is back */

/*
 * An instance after `steps` instructions, which the run is known to have. 0, -EINTR, -ENOMEM,
 * -EFBIG. The caller parks it, or destroys it.
 */
int gapir_vm_pool_take(struct gapir_vm_pool *pool, uint64_t steps, const struct cancel *cancel,
                       struct gapir_vm_instance **out);

/*
 * Shows an instance that waits after exactly `steps` instructions to `look`, whose result
 * it returns; -ENOENT when there is none. No other thread takes or parks one meanwhile.
 */
int gapir_vm_pool_look(struct gapir_vm_pool *pool, uint64_t steps,
                       int (*look)(void *context, const struct gapir_vm_instance *instance),
                       void *context);

/* Gives an instance back, which is destroyed if its run ended for want of memory or by its host. */
void gapir_vm_pool_park(struct gapir_vm_pool *pool, struct gapir_vm_instance **instance);

#endif

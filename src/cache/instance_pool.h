/* SPDX-License-Identifier: MIT */
/*
 * Instances that are not in use: GPUs, VMs, allocators, which stand somewhere in a dump and
 * can go on from there. A caller takes the one that serves best, and gives it back where it
 * stopped, so that a reader in order pays for each step once. Idle instances are charged to
 * the cache; when there are too many, those go that were not used for the longest time. Any
 * thread; an instance that was taken belongs to the caller.
 */
#ifndef GPUDUMPFS_CACHE_INSTANCE_POOL_H
#define GPUDUMPFS_CACHE_INSTANCE_POOL_H

#include "base/locks.h"
#include "cache/cache.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* At the head of an instance's own structure. */
struct instance_pool_item {
    struct instance_pool_item *next; /* the list's */
    uint64_t bytes;                  /* that it holds; set before it is given */
    bool spare;                      /* it is of use for its memory alone: of these one is enough */
};

struct instance_pool_params {
    unsigned max_count; /* of the idle ones */
    uint64_t max_bytes; /* of all of them */
    void (*destroy)(struct instance_pool_item *item);
    struct cache *const *cache; /* that pays, looked up when one is given; NULL, or inside: none */
};

struct instance_pool {
    struct instance_pool_params params;
    pthread_mutex_t lock;
    struct instance_pool_item *items GUARDED_BY(lock_of_instances); /* the latest given first */
    unsigned count GUARDED_BY(lock_of_instances);
    struct cache *cache GUARDED_BY(lock_of_instances); /* that `charged` is charged to */
    uint64_t charged GUARDED_BY(lock_of_instances);
    uint64_t beyond GUARDED_BY(lock_of_instances);
};

void instance_pool_init(struct instance_pool *instances, const struct instance_pool_params *params);
/* All that were taken are back, or destroyed. */
void instance_pool_clear(struct instance_pool *instances)
    EXCLUDES(lock_of_instances, lock_of_cache);

/* How well one serves: the larger the better, 0 not at all. */
typedef uint64_t (*instance_pool_rate)(const void *context, const struct instance_pool_item *item);

/* Takes the best, of several the one that was given last; NULL: none serves. */
struct instance_pool_item *instance_pool_take(struct instance_pool *instances,
                                              instance_pool_rate rate, const void *context)
    EXCLUDES(lock_of_instances, lock_of_cache);

/*
 * Shows the best one to `look`, which must be quick: meanwhile no thread takes or gives.
 * Its result, or -ENOENT when none serves.
 */
int instance_pool_look(struct instance_pool *instances, instance_pool_rate rate,
                       const void *context,
                       int (*look)(void *context, const struct instance_pool_item *item),
                       void *look_context) EXCLUDES(lock_of_instances, lock_of_cache);

/*
 * Gives one back. When there are too many or too large ones, or the cache's budget has no
 * room for them, older ones are destroyed, spare ones first. One is kept in any case, since
 * without it each step would cost all that came before; the cache then notes its bytes.
 */
void instance_pool_give(struct instance_pool *instances, struct instance_pool_item *item)
    EXCLUDES(lock_of_instances, lock_of_cache);

/*
 * For its memory: the one that would go if another were given, when there are as many as
 * may be; else NULL.
 */
struct instance_pool_item *instance_pool_take_surplus(struct instance_pool *instances)
    EXCLUDES(lock_of_instances, lock_of_cache);

#endif

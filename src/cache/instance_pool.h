/* SPDX-License-Identifier: MIT */
/*
 * An instance pool: GPUs, VMs and allocators that are not in use, each at some position of a dump
 * from which it can go on. A caller takes the instance that suits best, and gives it back where it
 * has stopped, so that a sequential reader pays for each step once. Idle instances are charged to
 * the cache. If there are too many, the least recently used ones are destroyed. Any thread; an
 * instance that was taken belongs to the caller.
 */
#ifndef GPUDUMPFS_CACHE_INSTANCE_POOL_H
#define GPUDUMPFS_CACHE_INSTANCE_POOL_H

#include "base/locks.h"
#include "cache/cache.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* The first member of an instance's own structure. */
struct instance_pool_item {
    struct instance_pool_item *next; /* for the pool */
    uint64_t bytes; /* memory that the instance holds; to be set before it is given back */
    bool spare;     /* useful for its memory only: one of these is enough */
};

struct instance_pool_params {
    unsigned max_count; /* of idle instances */
    uint64_t max_bytes; /* of all idle instances */
    void (*destroy)(struct instance_pool_item *item);
    /*
     * The cache to charge, read when an instance is given back. There is none if this or *cache is
     * NULL.
     */
    struct cache *const *cache;
};

struct instance_pool {
    struct instance_pool_params params;
    pthread_mutex_t lock;
    struct instance_pool_item *items GUARDED_BY(lock_of_instances); /* most recently given first */
    unsigned count GUARDED_BY(lock_of_instances);
    struct cache *cache GUARDED_BY(lock_of_instances); /* cache to which `charged` is charged */
    uint64_t charged GUARDED_BY(lock_of_instances);
    uint64_t beyond GUARDED_BY(lock_of_instances); /* bytes recorded by cache_note() */
};

/* Initializes an empty pool. The parameters are copied. */
void instance_pool_init(struct instance_pool *instances, const struct instance_pool_params *params);
/*
 * Destroys all idle instances, and frees the pool. All instances that were taken must have been
 * given back, or destroyed.
 */
void instance_pool_clear(struct instance_pool *instances)
    EXCLUDES(lock_of_instances, lock_of_cache);

/* Returns how well an instance suits: larger is better, 0 means not at all. */
typedef uint64_t (*instance_pool_rate)(const void *context, const struct instance_pool_item *item);

/*
 * Takes the best instance; among equals, the one that was given last. Returns NULL if none suits.
 */
struct instance_pool_item *instance_pool_take(struct instance_pool *instances,
                                              instance_pool_rate rate, const void *context)
    EXCLUDES(lock_of_instances, lock_of_cache);

/*
 * Calls `look` with the best instance, which stays in the pool. `look` must be quick, since no
 * thread can take or give an instance meanwhile. Returns its result, or -ENOENT if no instance
 * suits.
 */
int instance_pool_look(struct instance_pool *instances, instance_pool_rate rate,
                       const void *context,
                       int (*look)(void *context, const struct instance_pool_item *item),
                       void *look_context) EXCLUDES(lock_of_instances, lock_of_cache);

/*
 * Gives an instance back. If there are too many instances, or they are too large, or the cache's
 * budget has no room for them, older ones are destroyed: the oldest spare one if there are several,
 * otherwise the oldest of the others. One is always kept, since without it each step would cost as
 * much as all steps before; its bytes are then recorded with cache_note().
 */
void instance_pool_give(struct instance_pool *instances, struct instance_pool_item *item)
    EXCLUDES(lock_of_instances, lock_of_cache);

/*
 * Takes an instance for the sake of its memory: if the pool is full, the one that would be
 * destroyed if another were given. Otherwise returns NULL.
 */
struct instance_pool_item *instance_pool_take_surplus(struct instance_pool *instances)
    EXCLUDES(lock_of_instances, lock_of_cache);

#endif

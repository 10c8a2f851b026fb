/* SPDX-License-Identifier: MIT */
/*
 * Checkpoints: states of a replay at ascending positions of a dump, from which a later replay
 * starts. They are charged to the cache; when they are more than their share, every second one
 * goes. One thread adds them; any thread looks one up, which stays as long as it is referenced.
 */
#ifndef GPUDUMPFS_CACHE_CHECKPOINT_LIST_H
#define GPUDUMPFS_CACHE_CHECKPOINT_LIST_H

#include "base/locks.h"
#include "cache/cache.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

/* At the head of a checkpoint's own structure. */
struct checkpoint_item {
    uint64_t position; /* set before it is added, as `bytes` is */
    uint64_t bytes;    /* that it holds alone */
    atomic_uint references;
};

struct checkpoint_list;

struct checkpoint_list_params {
    uint64_t max_bytes; /* of all of them */
    /* Called on any thread, with the list's lock held or not: it takes no lock of its own. */
    void (*destroy)(struct checkpoint_list *list, struct checkpoint_item *item);
    struct cache *const *cache; /* that pays, looked up when one is added; NULL, or inside: none */
};

struct checkpoint_list {
    struct checkpoint_list_params params;
    atomic_uint_fast64_t bytes; /* of all; what items share is added and taken off by their owner */
    pthread_mutex_t lock;
    struct checkpoint_item **items GUARDED_BY(lock_of_checkpoints); /* by position */
    uint64_t count GUARDED_BY(lock_of_checkpoints);
    uint64_t room GUARDED_BY(lock_of_checkpoints);
    struct cache *cache GUARDED_BY(lock_of_checkpoints); /* that `charged` is charged to */
    uint64_t charged GUARDED_BY(lock_of_checkpoints);
};

void checkpoint_list_init(struct checkpoint_list *list,
                          const struct checkpoint_list_params *params);
/* All references have been dropped. */
void checkpoint_list_clear(struct checkpoint_list *list)
    EXCLUDES(lock_of_checkpoints, lock_of_cache);

/*
 * Adds a checkpoint behind all others, which is the list's from then on. Every second
 * one but the last, or the only one, goes until all fit in their share: *halvings tells how often.
 * 0, or -ENOMEM: the item is the caller's still.
 */
int checkpoint_list_add(struct checkpoint_list *list, struct checkpoint_item *item,
                        unsigned *halvings) EXCLUDES(lock_of_checkpoints, lock_of_cache);

/* A reference to the last one at or before a position; NULL: there is none. */
struct checkpoint_item *checkpoint_list_before(struct checkpoint_list *list, uint64_t position)
    EXCLUDES(lock_of_checkpoints, lock_of_cache);
void checkpoint_list_unref(struct checkpoint_list *list, struct checkpoint_item *item);

#endif

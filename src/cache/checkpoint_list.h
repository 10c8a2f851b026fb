/* SPDX-License-Identifier: MIT */
/*
 * Checkpoints: states of a replay at ascending positions of a dump, from which a later replay can
 * start. They are charged to the cache. When they take more than max_bytes, or more than the
 * cache's budget has left, every second one is dropped. One thread adds checkpoints; any thread may
 * look one up, which exists as long as it is referenced.
 */
#ifndef GPUDUMPFS_CACHE_CHECKPOINT_LIST_H
#define GPUDUMPFS_CACHE_CHECKPOINT_LIST_H

#include "base/locks.h"
#include "cache/cache.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

/* The first member of a checkpoint's own structure. */
struct checkpoint_item {
    uint64_t position; /* to be set before the checkpoint is added, like `bytes` */
    uint64_t bytes;    /* held by this checkpoint alone */
    atomic_uint references;
};

struct checkpoint_list;

struct checkpoint_list_params {
    uint64_t max_bytes; /* of all checkpoints */
    /*
     * Frees a checkpoint. Called on any thread, possibly with the list's lock held, so it must take
     * no lock.
     */
    void (*destroy)(struct checkpoint_list *list, struct checkpoint_item *item);
    /*
     * The cache to charge, read when a checkpoint is added. There is none if this or *cache is
     * NULL.
     */
    struct cache *const *cache;
};

struct checkpoint_list {
    struct checkpoint_list_params params;
    atomic_uint_fast64_t bytes; /* of all checkpoints. Whatever several of them share is added and
                                   subtracted by its owner */
    pthread_mutex_t lock;
    struct checkpoint_item **items GUARDED_BY(lock_of_checkpoints); /* ordered by position */
    uint64_t count GUARDED_BY(lock_of_checkpoints);
    uint64_t room GUARDED_BY(lock_of_checkpoints);
    struct cache *cache GUARDED_BY(lock_of_checkpoints); /* cache to which `charged` is charged */
    uint64_t charged GUARDED_BY(lock_of_checkpoints);
};

/* Initializes an empty list. The parameters are copied. */
void checkpoint_list_init(struct checkpoint_list *list,
                          const struct checkpoint_list_params *params);
/* Drops all checkpoints, and frees the list. All references of callers must have been dropped. */
void checkpoint_list_clear(struct checkpoint_list *list)
    EXCLUDES(lock_of_checkpoints, lock_of_cache);

/*
 * Appends a checkpoint, whose position must be after all others; the list owns it from then on.
 * While the checkpoints do not fit (max_bytes, or the cache's budget), drops every second one, but
 * not the last; a single one is dropped, too. *halvings is set to the number of times that this was
 * done. Returns 0, or -ENOMEM: then the caller still owns the item.
 */
int checkpoint_list_add(struct checkpoint_list *list, struct checkpoint_item *item,
                        unsigned *halvings) EXCLUDES(lock_of_checkpoints, lock_of_cache);

/* Returns a reference to the last checkpoint at or before a position, or NULL if there is none. */
struct checkpoint_item *checkpoint_list_before(struct checkpoint_list *list, uint64_t position)
    EXCLUDES(lock_of_checkpoints, lock_of_cache);
/* Drops a reference. Dropping the last one destroys the checkpoint. */
void checkpoint_list_unref(struct checkpoint_list *list, struct checkpoint_item *item);

#endif

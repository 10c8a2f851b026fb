/* SPDX-License-Identifier: MIT */
/*
 * What only the files of the cache share: the cache itself, and its makings. A making is an item
 * that is requested and not there yet. Its states:
 *
 *     OPEN --> RUNNING --> DONE     a thread in cache_get() makes the item
 *     QUEUED --> RUNNING --> DONE   a pool thread makes it, or a thread in cache_get() that has
 *                                   withdrawn the job from the pool
 *     OPEN --> QUEUED               the thread was cancelled, and only requests are left
 *     RUNNING --> OPEN or QUEUED    the caller whose maker ran was cancelled, or the first stage
 *                                   is done: another thread continues
 *
 * cache_making.c has these transitions, cache_items.c the cache itself and its items,
 * cache_limits.h what makings may spend.
 */
#ifndef GPUDUMPFS_CACHE_INTERNAL_H
#define GPUDUMPFS_CACHE_INTERNAL_H

#include "base/hash.h"
#include "base/locks.h"
#include "base/memory_limit.h"
#include "cache/cache.h"
#include "cache/cache_failures.h"
#include "cache/cache_lru.h"

#include <pthread.h>

enum cache_making_state {
    CACHE_MAKING_OPEN,    /* a thread waits in cache_get() and will make it */
    CACHE_MAKING_QUEUED,  /* its job is in the pool, or was just taken from there */
    CACHE_MAKING_RUNNING, /* a thread is making it */
    CACHE_MAKING_DONE     /* not in the table any more; waiting threads take the result */
};

struct cache_making {
    struct cache_key key;
    struct cache *cache;
    enum cache_making_state state GUARDED_BY(lock_of_cache);
    struct budget_use use; /* while running; the maker polls its cancel */
    struct pool_job job;   /* while queued */
    /* Requests, which are answered later. */
    struct cache_request *requests GUARDED_BY(lock_of_cache);
    /* Number of threads in cache_get() for it, including the one that makes it. */
    unsigned threads GUARDED_BY(lock_of_cache);
    bool in_pool;        /* a pool thread is making it */
    bool unlimited;      /* its maker has no limits */
    bool failed_for_now; /* its maker had a transient failure (base/transient_failures.h) */
    bool alone;          /* no other thread was making anything when it was cancelled for memory */
    uint64_t start;      /* ascending number, assigned when it last began to run */
    struct blob *stage;  /* the first stage; accessed only by the thread that runs the maker */
    pthread_cond_t changed;               /* the state has changed; for `threads` */
    int status GUARDED_BY(lock_of_cache); /* when done */
    struct blob *blob GUARDED_BY(lock_of_cache);
    UT_hash_handle hh;
};

struct cache {
    pthread_mutex_t lock;
    pthread_cond_t ended; /* a making was freed */
    struct cache_lru lru GUARDED_BY(lock_of_cache);
    struct cache_making *makings GUARDED_BY(lock_of_cache); /* uthash's head */
    struct cache_failures failures GUARDED_BY(lock_of_cache);
    unsigned ending GUARDED_BY(lock_of_cache); /* makings that are done but not yet freed */
    bool closing GUARDED_BY(lock_of_cache);
    struct pool *pool;
    const struct cancel *cancel;
    struct budget *spending;
    struct watchdog *watchdog;
    uint64_t starts GUARDED_BY(lock_of_cache);
    /* Looks of the watchdog until another making may be cancelled for memory. */
    unsigned ending_looks GUARDED_BY(lock_of_cache);
    struct memory_holder holder;             /* frees what evictions can free */
    int64_t spare GUARDED_BY(lock_of_cache); /* as reported to base/memory_limit.h */
    uint64_t hits GUARDED_BY(lock_of_cache), misses GUARDED_BY(lock_of_cache);
    uint64_t made[CACHE_WORKS] GUARDED_BY(lock_of_cache), failed GUARDED_BY(lock_of_cache);
    /* Bytes recorded by cache_note(). */
    uint64_t beyond GUARDED_BY(lock_of_cache);
};

/*
 * cache_unlock() also reports to base/memory_limit.h how much could be evicted, and frees what was
 * evicted.
 */
void cache_lock(struct cache *cache) ACQUIRE(lock_of_cache);
void cache_unlock(struct cache *cache) RELEASE(lock_of_cache);

/* Returns a reference to an item that is there, which counts as a hit, or NULL. */
struct blob *cache_find(struct cache *cache, struct cache_key key) REQUIRES(lock_of_cache);

#endif

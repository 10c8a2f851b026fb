/* SPDX-License-Identifier: MIT */
/*
 * What the files of the cache share, and no other file sees: the cache itself, and its makings. A
 * making stands for an item that is requested and not there yet; cache_making.c has its way from
 * one state to the next, cache_items.c what is made, cache_limits.h what it may spend.
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
    CACHE_MAKING_QUEUED,  /* its job is in the pool, or taken from there this moment */
    CACHE_MAKING_RUNNING, /* one thread makes it */
    CACHE_MAKING_DONE     /* no longer in the table; threads that wait take the result */
};

struct cache_making {
    struct cache_key key;
    struct cache *cache;
    enum cache_making_state state GUARDED_BY(lock_of_cache);
    struct budget_use use; /* while running: its cancel is what the maker polls */
    struct pool_job job;   /* while queued */
    /* Requests, which are answered later. */
    struct cache_request *requests GUARDED_BY(lock_of_cache);
    /* Threads in cache_get(), the maker included. */
    unsigned threads GUARDED_BY(lock_of_cache);
    bool in_pool;           /* a pool thread makes it */
    bool unlimited;         /* its maker is */
    bool failed_for_now;    /* by a transient failure (base/transient_failures.h) */
    bool alone;             /* nothing else was made when it was cancelled for memory */
    uint64_t start;         /* counts when it last became running */
    struct blob *stage;     /* what is to be finished; only the job that runs looks */
    pthread_cond_t changed; /* the state, for `threads` */
    int status GUARDED_BY(lock_of_cache); /* when done */
    struct blob *blob GUARDED_BY(lock_of_cache);
    UT_hash_handle hh;
};

struct cache {
    pthread_mutex_t lock;
    pthread_cond_t ended; /* a making has gone */
    struct cache_lru lru GUARDED_BY(lock_of_cache);
    struct cache_making *makings GUARDED_BY(lock_of_cache); /* uthash's head */
    struct cache_failures failures GUARDED_BY(lock_of_cache);
    unsigned ending GUARDED_BY(lock_of_cache); /* makings that are done and still looked at */
    bool closing GUARDED_BY(lock_of_cache);
    struct pool *pool;
    const struct cancel *cancel;
    struct budget *spending;
    struct watchdog *watchdog;
    uint64_t starts GUARDED_BY(lock_of_cache);
    unsigned ending_looks GUARDED_BY(lock_of_cache); /* left to the one cancelled last */
    struct memory_holder holder;                     /* gives back what evictions free */
    int64_t spare GUARDED_BY(lock_of_cache);         /* as told to base/memory_limit.h */
    uint64_t hits GUARDED_BY(lock_of_cache), misses GUARDED_BY(lock_of_cache);
    uint64_t made[CACHE_WORKS] GUARDED_BY(lock_of_cache), failed GUARDED_BY(lock_of_cache);
    /* Bytes that the budget has no room for, as told. */
    uint64_t beyond GUARDED_BY(lock_of_cache);
};

/* Giving it back tells base/memory_limit.h what could be evicted, and frees what was. */
void cache_lock(struct cache *cache) ACQUIRE(lock_of_cache);
void cache_unlock(struct cache *cache) RELEASE(lock_of_cache);

/* A reference to what is there already, which counts as a hit; or NULL. */
struct blob *cache_find(struct cache *cache, struct cache_key key) REQUIRES(lock_of_cache);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The one LRU cache, limited in bytes. Each item is made once, however many callers request it at
 * the same time: the first caller's maker runs, the others wait. A blob in use is never freed:
 * eviction only drops the cache's own reference. All functions may be called from any thread, and
 * call back with no lock held.
 *
 * An item is what the cache has for one key. A maker (struct cache_maker) is how an item is made. A
 * making is an item that is requested and does not exist yet, from its first request to its result
 * (cache/internal.h).
 *
 * A maker may request other items from the cache, but items must not need each other in a circle.
 * The bytes of an item are blob_footprint() plus the cache's own structures.
 */
#ifndef GPUDUMPFS_CACHE_CACHE_H
#define GPUDUMPFS_CACHE_CACHE_H

#include "base/blob.h"
#include "base/budget.h"
#include "base/cancel.h"
#include "base/locks.h"
#include "cache/cache_key.h"
#include "cache/pool.h"
#include "cache/watchdog.h"

#include <stdbool.h>
#include <stdint.h>

/* Kinds of work, counted separately so that laziness can be checked from outside. */
enum cache_work {
    CACHE_TEXT,   /* formatting */
    CACHE_RENDER, /* replay, or a picture */
    CACHE_INDEX,  /* finding out names and sizes */
    CACHE_WORKS
};

enum { CACHE_FIRST_STAGE = 1 };

/* How an item is made. Makers are constant tables; `context` belongs to the request. */
struct cache_maker {
    enum cache_work work;
    /*
     * Makes the bytes. Runs on a pool thread or on a waiting one, and polls `cancel`. Returns 0
     * with a reference in *out, CACHE_FIRST_STAGE with what `finish` needs in *out, or -errno.
     */
    int (*make)(void *context, struct cache_key key, const struct cancel *cancel,
                struct blob **out);
    /*
     * Makes the bytes from `stage`, if `make` returned CACHE_FIRST_STAGE. May run on another
     * thread, while the thread of `make` begins with the next item. Returns 0 or -errno.
     */
    int (*finish)(void *context, struct cache_key key, const struct cancel *cancel,
                  const struct blob *stage, struct blob **out);
    bool fleeting; /* given to the callers that wait, and not kept */
    /*
     * Its work may take seconds, or waits for an index or for another program. All pool threads
     * except one take slow work; that one is left to readers of pictures. A pool of one thread has
     * no such thread.
     */
    bool slow;
    bool unlimited; /* has no limits: for what explains why other items failed */
};

struct cache;

struct cache_params {
    uint64_t budget;             /* bytes held by the cache, including pinned ones */
    uint64_t overdraft;          /* bytes by which pins may exceed the budget before -ENOMEM */
    struct pool *pool;           /* NULL: the calling thread makes everything */
    const struct cancel *cancel; /* raised when the mount goes away */
    /*
     * What a making may spend; NULL means no limits. A making that exceeds a limit is cancelled,
     * and fails with -EIO, or with -ENOMEM for memory. `watchdog` checks the limits; if it is NULL,
     * makers check them when they poll.
     */
    struct budget *spending;
    struct watchdog *watchdog;
};

/*
 * Creates a cache. What `params` points to must outlive the cache, except the pool if the cache is
 * idle (see cache_destroy()). The watchdog must be stopped before the cache is destroyed. Returns 0
 * or -ENOMEM.
 */
int cache_create(const struct cache_params *params, struct cache **out);

/*
 * Cancels all makings, waits for them to end, and answers all requests with -EINTR. This needs the
 * pool: call pool_destroy() afterwards, or before only if the cache was idle when it returned.
 * There must be no further requests, and no pins.
 */
void cache_destroy(struct cache **cache) EXCLUDES(lock_of_cache, lock_of_pool);

/* Returns whether nothing is being made, and nothing waits for a making. */
bool cache_is_idle(struct cache *cache) EXCLUDES(lock_of_cache, lock_of_pool);

/*
 * Gets an item, which is made first if necessary. Waits while another thread makes the item, or
 * takes the work over if it is only queued. The caller owns the reference in *out. An item larger
 * than the budget is not kept. Returns 0 or a negative errno.
 *
 * A failure is returned to every caller that waits for the item. The cache remembers the latest few
 * thousand failures of these kinds; after any other failure, the next request makes the item again:
 * - -EIO of what exceeded its limit of time,
 * - -ENOMEM of what had too much memory by itself,
 * - -EFBIG, if there is a budget (`spending`).
 *
 * Returns -EINTR if `cancel` (a child of the cache's, or NULL) is raised. That does not disturb
 * other callers that wait: one of them makes the item then.
 */
int cache_get(struct cache *cache, struct cache_key key, const struct cache_maker *maker,
              void *context, const struct cancel *cancel, struct blob **out)
    EXCLUDES(lock_of_cache, lock_of_pool);

/*
 * Returns a reference to the item if it is there, otherwise NULL. Never waits. Counts a hit, but
 * never a miss.
 */
struct blob *cache_peek(struct cache *cache, struct cache_key key)
    EXCLUDES(lock_of_cache, lock_of_pool);

/* The same for readahead: counts neither hits nor misses. The item counts as used now. */
struct blob *cache_look(struct cache *cache, struct cache_key key)
    EXCLUDES(lock_of_cache, lock_of_pool);

/* Returns the remembered failure of an item, or 0. Never waits. */
int cache_failure(struct cache *cache, struct cache_key key) EXCLUDES(lock_of_cache, lock_of_pool);

/*
 * Offers a by-product to the cache, which takes a reference of its own. Ignored if the blob does
 * not fit, or the item is there already.
 */
void cache_offer(struct cache *cache, struct cache_key key, struct blob *blob)
    EXCLUDES(lock_of_cache, lock_of_pool);

/*
 * Drops an item that will not be needed soon, unless it is pinned. Does not count as an eviction.
 */
void cache_drop(struct cache *cache, struct cache_key key) EXCLUDES(lock_of_cache, lock_of_pool);

/* A request that is answered later. Embedded in the caller's own structure. */
struct cache_request {
    /*
     * Called exactly once, either with status 0 and a reference that the callee owns, or with a
     * negative errno and NULL.
     */
    void (*done)(struct cache_request *request, int status, struct blob *blob);
    /*
     * Called, if not NULL, when the first stage of item `key` is done and another thread is to
     * finish the item. The request may be answered at the same time, so its memory must outlive the
     * pool. If it was cancelled and submitted again meanwhile, `key` may be its former item.
     */
    void (*first_stage_done)(struct cache_request *request, struct cache_key key);
    /* Used by the cache. */
    struct cache_request *next;
    struct cache_key key;
    const struct cache_maker *maker;
    void *context;
    bool waiting;
};

/*
 * Submits a request without waiting. `done` is called at once if the item, or a remembered failure,
 * is there, and otherwise by a pool thread. `context` must outlive the making of the item, even if
 * the request is cancelled. Without a pool the item is made at once.
 */
void cache_submit_request(struct cache *cache, struct cache_key key,
                          const struct cache_maker *maker, void *context,
                          struct cache_request *request) EXCLUDES(lock_of_cache, lock_of_pool);

/*
 * Cancels a request: `done` is called with -EINTR, unless it has been called or is being called.
 * The making itself is cancelled when no caller is left that needs it; if it ends successfully
 * nevertheless, the item is kept.
 */
void cache_cancel_request(struct cache *cache, struct cache_request *request)
    EXCLUDES(lock_of_cache, lock_of_pool);

/*
 * Pins a blob to which the caller has a reference: its bytes count against the budget, whether or
 * not it is in the cache, as long as an open handle holds it. They count once, however many pins
 * the blob has. Returns 0, or -ENOMEM if pinned and charged bytes would exceed budget and
 * overdraft.
 */
int cache_pin(struct cache *cache, struct blob *blob) EXCLUDES(lock_of_cache, lock_of_pool);

/* Removes a pin that cache_pin() has made. */
void cache_unpin(struct cache *cache, struct blob *blob) EXCLUDES(lock_of_cache, lock_of_pool);

/*
 * Charges bytes that are held outside the cache to its budget, in place of those that *account has
 * been charged so far (0 at first). They are never evicted. Returns 0, or -ENOMEM, leaving *account
 * unchanged, if they are more than `max` or than the budget has left.
 */
int cache_charge(struct cache *cache, uint64_t *account, uint64_t bytes, uint64_t max)
    EXCLUDES(lock_of_cache, lock_of_pool);

/*
 * Records bytes that are held although the budget has no room for them, in place of those recorded
 * in *account so far. They are shown in the statistics, and evict nothing.
 */
void cache_note(struct cache *cache, uint64_t *account, uint64_t bytes)
    EXCLUDES(lock_of_cache, lock_of_pool);

struct cache_statistics {
    uint64_t budget, held, pinned, charged; /* bytes */
    uint64_t beyond;                        /* bytes recorded by cache_note() */
    uint64_t items;
    uint64_t hits;   /* requests for items that are there or being made */
    uint64_t misses; /* requests for items that had to be made */
    uint64_t evictions;
    uint64_t made[CACHE_WORKS]; /* successful makings */
    uint64_t failed;            /* makings that failed; cancelled ones do not count */
};

/* Stores the statistics as they are at this moment. */
void cache_statistics(struct cache *cache, struct cache_statistics *out)
    EXCLUDES(lock_of_cache, lock_of_pool);

#endif

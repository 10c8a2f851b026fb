/* SPDX-License-Identifier: MIT */
/*
 * The one LRU cache, in bytes. Each item is produced once, however many callers
 * want it at the same time: the first one's function runs, the others wait. A blob
 * in use is never freed: eviction only drops the cache's own reference. All
 * functions may be called from any thread, and call back with no lock held.
 *
 * A maker may ask the cache for other items; items must not need each other in a
 * circle. Bytes are counted as blob_footprint() plus the cache's own structures.
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

/* Kinds of work, counted apart so that laziness can be checked from outside. */
enum cache_work {
    CACHE_TEXT,   /* formatting */
    CACHE_RENDER, /* replay, or a picture */
    CACHE_INDEX,  /* getting to know names and sizes */
    CACHE_WORKS
};

enum { CACHE_FIRST_STAGE = 1 };

/* How an item is made. Lives in constant tables; `context` is per request. */
struct cache_maker {
    enum cache_work work;
    /* Makes the bytes. Runs on a pool thread or on a waiting one; polls cancel. */
    int (*make)(void *context, struct cache_key key, const struct cancel *cancel,
                struct blob **out);
    /*
     * When `make` returned CACHE_FIRST_STAGE: makes the bytes of what that gave, perhaps in
     * another thread, while the one of `make` begins with the next item.
     */
    int (*finish)(void *context, struct cache_key key, const struct cancel *cancel,
                  const struct blob *stage, struct blob **out);
    bool fleeting; /* given to those that wait, and not kept */
    /*
     * May take seconds, or wait: for an index, for another program. Done by all pool
     * threads but one, which is left to readers of pictures (a pool of one thread
     * has no such).
     */
    bool slow;
    bool unlimited; /* takes what time it needs: what tells why other items failed */
};

struct cache;

struct cache_params {
    uint64_t budget;             /* bytes held by the cache, pinned ones included */
    uint64_t overdraft;          /* how far pins may exceed the budget before -ENOMEM */
    struct pool *pool;           /* NULL: everything is produced by the calling thread */
    const struct cancel *cancel; /* raised when the mount goes away */
    /*
     * What a making may spend; NULL: what it needs. A making over its limit is cancelled, which
     * is a failure with -EIO, or -ENOMEM for memory. `watchdog` sees to it; NULL: makers look
     * themselves when they poll.
     */
    struct budget *spending;
    struct watchdog *watchdog;
};

int cache_create(const struct cache_params *params, struct cache **out);

/*
 * Cancels what is under way, waits for it, and answers all requests with -EINTR,
 * which takes the pool. Comes after pool_destroy() only if the cache was idle when
 * that returned. Nothing is requested any more, all pins are dropped.
 */
void cache_destroy(struct cache **cache) EXCLUDES(lock_of_cache, lock_of_pool);

/* Whether nothing is being made, and nothing waits for it. */
bool cache_is_idle(struct cache *cache) EXCLUDES(lock_of_cache, lock_of_pool);

/*
 * The item, made now if need be; waits while another thread makes it (or takes the work over if it
 * is only queued). The caller owns *out. An item larger than the budget is not kept.
 *
 * A failure is returned to every caller that waits for it. It is not remembered, but, of the latest
 * some thousands,
 * - -EIO of what went over its limit,
 * - -ENOMEM of what alone had too much memory held,
 * - -EFBIG with a limit.
 * -EINTR when `cancel` (a child of the cache's, or NULL) is raised; others that wait are not
 * disturbed, one of them makes the item then.
 */
int cache_get(struct cache *cache, struct cache_key key, const struct cache_maker *maker,
              void *context, const struct cancel *cancel, struct blob **out)
    EXCLUDES(lock_of_cache, lock_of_pool);

/* The item if it is there, else NULL. Never waits. Counts a hit, never a miss. */
struct blob *cache_peek(struct cache *cache, struct cache_key key)
    EXCLUDES(lock_of_cache, lock_of_pool);

/* The same for reading ahead: counts neither. The item counts as used now. */
struct blob *cache_look(struct cache *cache, struct cache_key key)
    EXCLUDES(lock_of_cache, lock_of_pool);

/* 0, or the failure that is remembered of that item. Never waits. */
int cache_failure(struct cache *cache, struct cache_key key) EXCLUDES(lock_of_cache, lock_of_pool);

/* Offers a by-product; dropped when it does not fit or is there already. */
void cache_offer(struct cache *cache, struct cache_key key, struct blob *blob)
    EXCLUDES(lock_of_cache, lock_of_pool);

/* The item will not be wanted soon: it is given up unless it is pinned. It is no eviction. */
void cache_drop(struct cache *cache, struct cache_key key) EXCLUDES(lock_of_cache, lock_of_pool);

/* A request that is answered later: embedded in the caller's own structure. */
struct cache_request {
    /* Exactly once, with status 0 and a reference, or a negative errno and NULL. */
    void (*done)(struct cache_request *request, int status, struct blob *blob);
    /*
     * NULL, or told that another thread is to finish what this one has made the first stage of.
     * At the same time the request may be answered: its memory must outlive the pool.
     */
    void (*first_stage_done)(struct cache_request *request);
    /* The cache's own from here on. */
    struct cache_request *next;
    struct cache_key key;
    const struct cache_maker *maker;
    void *context;
    bool waiting;
};

/*
 * Submits a request without waiting: `done` is called at once when the item is there, else
 * from a pool thread. `context` must outlive the making of the item, also when
 * the request is cancelled. Without a pool the item is made at once.
 */
void cache_submit_request(struct cache *cache, struct cache_key key,
                          const struct cache_maker *maker, void *context,
                          struct cache_request *request) EXCLUDES(lock_of_cache, lock_of_pool);

/*
 * Cancels a request: `done` is called with -EINTR unless it was or is being
 * called. The making itself is cancelled when its last caller has gone; should it
 * come to its end nevertheless, the item is kept.
 */
void cache_cancel_request(struct cache *cache, struct cache_request *request)
    EXCLUDES(lock_of_cache, lock_of_pool);

/*
 * A pin keeps a blob that the caller has a reference to counted, in the cache or
 * not; bytes are counted once however many pins a blob has. Pins count against the budget for as
 * long as an open handle holds a blob. 0, or -ENOMEM when budget and overdraft are used up by pins.
 */
int cache_pin(struct cache *cache, struct blob *blob) EXCLUDES(lock_of_cache, lock_of_pool);
void cache_unpin(struct cache *cache, struct blob *blob) EXCLUDES(lock_of_cache, lock_of_pool);

/*
 * Bytes that are held outside of the cache but on its budget, in place of
 * those charged to that account so far (0 at first). They are never evicted.
 * 0, or -ENOMEM when they would take more than `max`, or than the budget leaves:
 * then the account is as before.
 */
int cache_charge(struct cache *cache, uint64_t *account, uint64_t bytes, uint64_t max)
    EXCLUDES(lock_of_cache, lock_of_pool);

/*
 * Bytes that are held although the budget has no room for them, in place of those
 * noted in that account so far: they are shown, and evict nothing.
 */
void cache_note(struct cache *cache, uint64_t *account, uint64_t bytes)
    EXCLUDES(lock_of_cache, lock_of_pool);

struct cache_statistics {
    uint64_t budget, held, pinned, charged; /* bytes */
    uint64_t beyond;                        /* bytes that cache_note() was told of */
    uint64_t items;
    uint64_t hits;   /* requests of what is there, or is being made already */
    uint64_t misses; /* requests of what had to be made */
    uint64_t evictions;
    uint64_t made[CACHE_WORKS]; /* successful makings */
    uint64_t failed;            /* makings with an error; a cancelled one is none */
};

void cache_statistics(struct cache *cache, struct cache_statistics *out)
    EXCLUDES(lock_of_cache, lock_of_pool);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * What the cache keeps: blobs by key, the order of their use, and the accounts of bytes. A part of
 * the cache: every function is called with the cache's lock held, except cache_lru_free().
 */
#ifndef GPUDUMPFS_CACHE_CACHE_LRU_H
#define GPUDUMPFS_CACHE_CACHE_LRU_H

#include "base/blob.h"
#include "cache/cache_key.h"

#include <stdint.h>

struct cache_lru_item;

struct cache_lru {
    uint64_t budget, overdraft;
    uint64_t held;    /* bytes of kept or pinned blobs, of items, and bytes charged */
    uint64_t pinned;  /* bytes of pinned blobs */
    uint64_t charged; /* bytes that others hold, by cache_charge() */
    uint64_t items, evictions;
    struct cache_lru_item *table;  /* uthash's head */
    struct cache_lru_item *recent; /* most recently used first; `prev` of the first is the oldest */
    struct cache_lru_item *dropped; /* evicted, still to be freed */
};

/*
 * Returns a new reference to the blob of this key, which counts as used now; NULL if there is none.
 */
struct blob *cache_lru_find(struct cache_lru *lru, struct cache_key key);

/*
 * Keeps a reference of its own to the blob, and evicts the least recently used items if necessary.
 * Does nothing if the key is there, or if pinned and charged bytes leave too little room.
 */
void cache_lru_keep(struct cache_lru *lru, struct cache_key key, struct blob *blob);

/* Drops the item of this key, if it is there and not pinned. */
void cache_lru_drop(struct cache_lru *lru, struct cache_key key);

/*
 * Pins a blob. Returns 0, or -ENOMEM if pinned and charged bytes would exceed budget and overdraft.
 */
int cache_lru_pin(struct cache_lru *lru, struct blob *blob);
void cache_lru_unpin(struct cache_lru *lru, struct blob *blob);

/* Charges `bytes` in place of `before`. Returns 0, or -ENOMEM if the budget has no room. */
int cache_lru_charge(struct cache_lru *lru, uint64_t before, uint64_t bytes);

/* Evicts the oldest unpinned items until `bytes` are freed. */
void cache_lru_relieve(struct cache_lru *lru, uint64_t bytes);

/* Returns the bytes that evictions would free. */
uint64_t cache_lru_spare(const struct cache_lru *lru);

/* Evicts everything, pinned or not. */
void cache_lru_clear(struct cache_lru *lru);

/*
 * Detaches the items evicted since the last call. The caller frees them with cache_lru_free(),
 * after releasing the lock.
 */
struct cache_lru_item *cache_lru_take_dropped(struct cache_lru *lru);
void cache_lru_free(struct cache_lru_item *dropped);

#endif

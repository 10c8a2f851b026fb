/* SPDX-License-Identifier: MIT */
/*
 * What the cache keeps: blobs by key, the order of their use, and the account of
 * bytes. The cache's own part: every function is called with its lock held,
 * cache_lru_free() excepted.
 */
#ifndef GPUDUMPFS_CACHE_CACHE_LRU_H
#define GPUDUMPFS_CACHE_CACHE_LRU_H

#include "base/blob.h"
#include "cache/cache_key.h"

#include <stdint.h>

struct cache_lru_item;

struct cache_lru {
    uint64_t budget, overdraft;
    uint64_t held;    /* bytes of blobs that are kept or pinned, of items, and those charged */
    uint64_t pinned;  /* bytes of blobs that are pinned */
    uint64_t charged; /* bytes that are held elsewhere */
    uint64_t items, evictions;
    struct cache_lru_item *table;   /* uthash's head */
    struct cache_lru_item *recent;  /* the latest used first; its `prev` is the oldest */
    struct cache_lru_item *dropped; /* evicted, still to be freed */
};

/* A new reference to the blob of this key, which counts as used now; NULL: not there. */
struct blob *cache_lru_find(struct cache_lru *lru, struct cache_key key);

/*
 * Keeps a reference of its own to the blob, in place of the least recently used
 * ones, unless the key is there or what is pinned leaves too little room.
 */
void cache_lru_keep(struct cache_lru *lru, struct cache_key key, struct blob *blob);

/* Gives up the item of this key, if it is there and not pinned. */
void cache_lru_drop(struct cache_lru *lru, struct cache_key key);

/* 0, or -ENOMEM when pins would exceed the budget and the overdraft. */
int cache_lru_pin(struct cache_lru *lru, struct blob *blob);
void cache_lru_unpin(struct cache_lru *lru, struct blob *blob);

/* Charges `bytes` in place of `before`. 0, or -ENOMEM beyond the budget. */
int cache_lru_charge(struct cache_lru *lru, uint64_t before, uint64_t bytes);

/* Evicts the oldest items that free something, until `bytes` are freed. */
void cache_lru_relieve(struct cache_lru *lru, uint64_t bytes);

/* Bytes that evictions would free. */
uint64_t cache_lru_spare(const struct cache_lru *lru);

/* Evicts everything, pinned or not. */
void cache_lru_clear(struct cache_lru *lru);

/* Detaches what was evicted since the last time; it is freed without the lock. */
struct cache_lru_item *cache_lru_take_dropped(struct cache_lru *lru);
void cache_lru_free(struct cache_lru_item *dropped);

#endif

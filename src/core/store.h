/*
 * What the cache keeps: blobs by key, the order of their use, and the account of
 * bytes. The cache's own part: every function is called with its lock held,
 * store_free() excepted.
 */
#ifndef GPUDUMPFS_CORE_STORE_H
#define GPUDUMPFS_CORE_STORE_H

#include "core/blob.h"
#include "core/cache_key.h"

#include <stdint.h>

struct store_item;

struct store {
    uint64_t budget, overdraft;
    uint64_t held;    /* bytes of blobs that are kept or pinned, of items, and those charged */
    uint64_t pinned;  /* bytes of blobs that are pinned */
    uint64_t charged; /* bytes that are held elsewhere */
    uint64_t items, evictions;
    struct store_item *table;   /* uthash's head */
    struct store_item *recent;  /* the latest used first; its `prev` is the oldest */
    struct store_item *dropped; /* evicted, still to be freed */
};

/* A new reference to the blob of this key, which counts as used now; NULL: not there. */
struct blob *store_find(struct store *store, struct cache_key key);

/*
 * Keeps a reference of its own to the blob, in place of the least recently used
 * ones, unless the key is there or what is pinned leaves too little room.
 */
void store_keep(struct store *store, struct cache_key key, struct blob *blob);

/* Gives up the item of this key, if it is there and not pinned. */
void store_drop(struct store *store, struct cache_key key);

/* 0, or -ENOMEM when pins would exceed the budget and the overdraft. */
int store_pin(struct store *store, struct blob *blob);
void store_unpin(struct store *store, struct blob *blob);

/* Charges `bytes` in place of `before`. 0, or -ENOMEM beyond the budget. */
int store_charge(struct store *store, uint64_t before, uint64_t bytes);

/* Evicts everything, pinned or not. */
void store_clear(struct store *store);

/* Detaches what was evicted since the last time; it is freed without the lock. */
struct store_item *store_take_dropped(struct store *store);
void store_free(struct store_item *dropped);

#endif

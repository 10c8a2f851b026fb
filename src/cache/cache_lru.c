/* SPDX-License-Identifier: MIT */
/*
 * A blob's bytes are counted once, from the first item or pin that has the blob to the last: the
 * counters are in the blob itself. Pinned items are not evicted, since that would free nothing.
 * Evicted blobs are freed later, without the lock, because returning a large block to the system
 * takes time.
 */
#include "cache/cache_lru.h"

#include "base/hash.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include <utlist.h>

struct cache_lru_item {
    struct cache_key key;
    struct blob *blob;
    struct cache_lru_item *prev, *next;
    UT_hash_handle hh;
};

/* An item's memory besides its bytes, including the overhead of malloc() and uthash. */
enum { ITEM_BYTES = sizeof(struct cache_lru_item) + sizeof(struct blob) + 48 };

static uint64_t bytes_if_not_held(const struct blob *blob)
{
    return blob->kept == 0 && blob->pins == 0 ? blob_footprint(blob) : 0;
}

struct blob *cache_lru_find(struct cache_lru *lru, struct cache_key key)
{
    struct cache_lru_item *item = NULL;

    HASH_FIND(hh, lru->table, &key, sizeof(key), item);
    if (item == NULL)
        return NULL;
    DL_DELETE(lru->recent, item);
    DL_PREPEND(lru->recent, item);
    return blob_ref(item->blob);
}

static void take_out(struct cache_lru *lru, struct cache_lru_item *item)
{
    HASH_DEL(lru->table, item);
    DL_DELETE(lru->recent, item);
    item->blob->kept--;
    lru->held -= bytes_if_not_held(item->blob) + ITEM_BYTES;
    lru->items--;
    LL_PREPEND(lru->dropped, item);
}

static void evict(struct cache_lru *lru, struct cache_lru_item *item)
{
    take_out(lru, item);
    lru->evictions++;
}

/* Evicts the oldest items until `bytes` more fit into the budget, or all items are pinned. */
static void make_room(struct cache_lru *lru, uint64_t bytes)
{
    for (uint64_t looked_at = lru->items; looked_at > 0; looked_at--) {
        struct cache_lru_item *oldest = lru->recent->prev;

        if (lru->held <= lru->budget && bytes <= lru->budget - lru->held)
            break;
        if (oldest->blob->pins == 0) {
            evict(lru, oldest);
            continue;
        }
        DL_DELETE(lru->recent, oldest);
        DL_PREPEND(lru->recent, oldest);
    }
}

/* Returns the bytes that no eviction frees. */
static uint64_t bytes_to_stay(const struct cache_lru *lru)
{
    return lru->pinned + lru->charged;
}

static bool fits(const struct cache_lru *lru, uint64_t used, uint64_t bytes)
{
    return used <= lru->budget && bytes <= lru->budget - used;
}

void cache_lru_keep(struct cache_lru *lru, struct cache_key key, struct blob *blob)
{
    uint64_t bytes = bytes_if_not_held(blob) + ITEM_BYTES;
    struct cache_lru_item *item = NULL;

    HASH_FIND(hh, lru->table, &key, sizeof(key), item);
    if (item != NULL || !fits(lru, bytes_to_stay(lru), bytes))
        return;
    make_room(lru, bytes);
    /* make_room() may have evicted another item of this blob, and its bytes with it */
    bytes = bytes_if_not_held(blob) + ITEM_BYTES;
    if (!fits(lru, lru->held, bytes) || (item = calloc(1, sizeof(*item))) == NULL)
        return;
    item->key = key;
    HASH_ADD(hh, lru->table, key, sizeof(key), item);
    if (item->hh.tbl == NULL) { /* uthash could not allocate memory */
        free(item);
        return;
    }
    DL_PREPEND(lru->recent, item);
    item->blob = blob_ref(blob);
    blob->kept++;
    lru->held += bytes;
    lru->items++;
}

void cache_lru_drop(struct cache_lru *lru, struct cache_key key)
{
    struct cache_lru_item *item = NULL;

    HASH_FIND(hh, lru->table, &key, sizeof(key), item);
    if (item != NULL && item->blob->pins == 0)
        take_out(lru, item);
}

int cache_lru_pin(struct cache_lru *lru, struct blob *blob)
{
    uint64_t bytes = blob->pins == 0 ? blob_footprint(blob) : 0;
    uint64_t max = 0;

    if (__builtin_add_overflow(lru->budget, lru->overdraft, &max))
        max = UINT64_MAX;
    if (bytes_to_stay(lru) > max || bytes > max - bytes_to_stay(lru))
        return -ENOMEM;
    lru->held += bytes_if_not_held(blob);
    lru->pinned += bytes;
    blob->pins++;
    make_room(lru, 0);
    return 0;
}

void cache_lru_unpin(struct cache_lru *lru, struct blob *blob)
{
    blob->pins--;
    lru->pinned -= blob->pins == 0 ? blob_footprint(blob) : 0;
    lru->held -= bytes_if_not_held(blob);
    make_room(lru, 0);
}

int cache_lru_charge(struct cache_lru *lru, uint64_t before, uint64_t bytes)
{
    if (bytes > before && !fits(lru, bytes_to_stay(lru) - before, bytes))
        return -ENOMEM;
    lru->charged += bytes - before;
    lru->held += bytes - before;
    make_room(lru, 0);
    return 0;
}

void cache_lru_relieve(struct cache_lru *lru, uint64_t bytes)
{
    uint64_t budget = lru->budget;

    lru->budget = lru->held > bytes ? lru->held - bytes : 0;
    make_room(lru, 0);
    lru->budget = budget;
}

uint64_t cache_lru_spare(const struct cache_lru *lru)
{
    return lru->held - bytes_to_stay(lru);
}

void cache_lru_clear(struct cache_lru *lru)
{
    while (lru->recent != NULL)
        evict(lru, lru->recent);
}

struct cache_lru_item *cache_lru_take_dropped(struct cache_lru *lru)
{
    struct cache_lru_item *dropped = lru->dropped;

    lru->dropped = NULL;
    return dropped;
}

void cache_lru_free(struct cache_lru_item *dropped)
{
    struct cache_lru_item *item, *next;

    LL_FOREACH_SAFE (dropped, item, next) {
        blob_unref(&item->blob);
        free(item);
    }
}

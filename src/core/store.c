/*
 * A blob's bytes are counted once, from the first item or pin that has it to the
 * last: the counters stand in the blob itself. Pinned items stay, since dropping
 * them would free nothing. What is evicted is freed later, without the lock,
 * because giving a large block back to the system takes its time.
 */
#include "core/store.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#define HASH_NONFATAL_OOM 1
#include <uthash.h>
#include <utlist.h>

struct store_item {
    struct cache_key key;
    struct blob *blob;
    struct store_item *prev, *next;
    UT_hash_handle hh;
};

/* An item's share of memory besides its bytes, with malloc's and uthash's own. */
enum { ITEM_BYTES = sizeof(struct store_item) + sizeof(struct blob) + 48 };

static uint64_t bytes_if_not_held(const struct blob *blob)
{
    return blob->kept == 0 && blob->pins == 0 ? blob_footprint(blob) : 0;
}

struct blob *store_find(struct store *store, struct cache_key key)
{
    struct store_item *item = NULL;

    HASH_FIND(hh, store->table, &key, sizeof(key), item);
    if (item == NULL)
        return NULL;
    DL_DELETE(store->recent, item);
    DL_PREPEND(store->recent, item);
    return blob_ref(item->blob);
}

static void take_out(struct store *store, struct store_item *item)
{
    HASH_DEL(store->table, item);
    DL_DELETE(store->recent, item);
    item->blob->kept--;
    store->held -= bytes_if_not_held(item->blob) + ITEM_BYTES;
    store->items--;
    LL_PREPEND(store->dropped, item);
}

static void evict(struct store *store, struct store_item *item)
{
    take_out(store, item);
    store->evictions++;
}

/* Evicts the oldest items until `bytes` more are within the budget, or all are pinned. */
static void make_room(struct store *store, uint64_t bytes)
{
    for (uint64_t looked_at = store->items; looked_at > 0; looked_at--) {
        struct store_item *oldest = store->recent->prev;

        if (store->held <= store->budget && bytes <= store->budget - store->held)
            break;
        if (oldest->blob->pins == 0) {
            evict(store, oldest);
            continue;
        }
        DL_DELETE(store->recent, oldest);
        DL_PREPEND(store->recent, oldest);
    }
}

/* What no eviction frees. */
static uint64_t bytes_to_stay(const struct store *store)
{
    return store->pinned + store->charged;
}

static bool fits(const struct store *store, uint64_t used, uint64_t bytes)
{
    return used <= store->budget && bytes <= store->budget - used;
}

void store_keep(struct store *store, struct cache_key key, struct blob *blob)
{
    uint64_t bytes = bytes_if_not_held(blob) + ITEM_BYTES;
    struct store_item *item = NULL;

    HASH_FIND(hh, store->table, &key, sizeof(key), item);
    if (item != NULL || !fits(store, bytes_to_stay(store), bytes))
        return;
    make_room(store, bytes);
    /* its other item may have been evicted just now, and its bytes with it */
    bytes = bytes_if_not_held(blob) + ITEM_BYTES;
    if (!fits(store, store->held, bytes) || (item = calloc(1, sizeof(*item))) == NULL)
        return;
    item->key = key;
    HASH_ADD(hh, store->table, key, sizeof(key), item);
    if (item->hh.tbl == NULL) { /* uthash had no memory */
        free(item);
        return;
    }
    DL_PREPEND(store->recent, item);
    item->blob = blob_ref(blob);
    blob->kept++;
    store->held += bytes;
    store->items++;
}

void store_drop(struct store *store, struct cache_key key)
{
    struct store_item *item = NULL;

    HASH_FIND(hh, store->table, &key, sizeof(key), item);
    if (item != NULL && item->blob->pins == 0)
        take_out(store, item);
}

int store_pin(struct store *store, struct blob *blob)
{
    uint64_t bytes = blob->pins == 0 ? blob_footprint(blob) : 0;
    uint64_t most = 0;

    if (__builtin_add_overflow(store->budget, store->overdraft, &most))
        most = UINT64_MAX;
    if (bytes_to_stay(store) > most || bytes > most - bytes_to_stay(store))
        return -ENOMEM;
    store->held += bytes_if_not_held(blob);
    store->pinned += bytes;
    blob->pins++;
    make_room(store, 0);
    return 0;
}

void store_unpin(struct store *store, struct blob *blob)
{
    blob->pins--;
    store->pinned -= blob->pins == 0 ? blob_footprint(blob) : 0;
    store->held -= bytes_if_not_held(blob);
    make_room(store, 0);
}

int store_charge(struct store *store, uint64_t before, uint64_t bytes)
{
    if (bytes > before && !fits(store, bytes_to_stay(store) - before, bytes))
        return -ENOMEM;
    store->charged += bytes - before;
    store->held += bytes - before;
    make_room(store, 0);
    return 0;
}

void store_clear(struct store *store)
{
    while (store->recent != NULL)
        evict(store, store->recent);
}

struct store_item *store_take_dropped(struct store *store)
{
    struct store_item *dropped = store->dropped;

    store->dropped = NULL;
    return dropped;
}

void store_free(struct store_item *dropped)
{
    struct store_item *item, *next;

    LL_FOREACH_SAFE(dropped, item, next)
    {
        blob_unref(&item->blob);
        free(item);
    }
}

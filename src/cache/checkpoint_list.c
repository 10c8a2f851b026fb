/* SPDX-License-Identifier: MIT */
#include "cache/checkpoint_list.h"

#include "base/array.h"

#include <errno.h>
#include <stdlib.h>

static void take_lock(struct checkpoint_list *list) ACQUIRE(lock_of_checkpoints)
{
    pthread_mutex_lock(&list->lock);
}

static void give_lock(struct checkpoint_list *list) RELEASE(lock_of_checkpoints)
{
    pthread_mutex_unlock(&list->lock);
}

void checkpoint_list_init(struct checkpoint_list *list, const struct checkpoint_list_params *params)
{
    *list = (struct checkpoint_list){.params = *params};
    pthread_mutex_init(&list->lock, NULL);
}

void checkpoint_list_clear(struct checkpoint_list *list) LOCKS_UNCHECKED
{
    for (uint64_t i = 0; i < list->count; i++)
        checkpoint_list_unref(list, list->items[i]);
    if (list->cache != NULL)
        cache_charge(list->cache, &list->charged, 0, 0);
    free(list->items);
    pthread_mutex_destroy(&list->lock);
}

void checkpoint_list_unref(struct checkpoint_list *list, struct checkpoint_item *item)
{
    if (atomic_fetch_sub(&item->references, 1) != 1)
        return;
    atomic_fetch_sub(&list->bytes, item->bytes);
    list->params.destroy(list, item);
}

static int append(struct checkpoint_list *list, struct checkpoint_item *item)
    REQUIRES(lock_of_checkpoints)
{
    if (ARRAY_GROW(list->items, list->count, list->room) != 0)
        return -ENOMEM;
    atomic_store(&item->references, 1);
    atomic_fetch_add(&list->bytes, item->bytes);
    list->items[list->count++] = item;
    return 0;
}

/*
 * Charges the checkpoints. Returns whether they fit: into max_bytes, and into the cache's budget.
 */
static bool charge(struct checkpoint_list *list) REQUIRES(lock_of_checkpoints)
{
    uint64_t bytes = atomic_load(&list->bytes), max = list->params.max_bytes;

    if (list->cache == NULL && list->params.cache != NULL)
        list->cache = *list->params.cache;
    if (list->cache == NULL)
        return bytes <= max;
    return cache_charge(list->cache, &list->charged, bytes, max) == 0;
}

/* Keeps the last one, so that later ones have equal distances from it. */
static void drop_every_second(struct checkpoint_list *list) REQUIRES(lock_of_checkpoints)
{
    uint64_t kept = 0;

    for (uint64_t i = 0; i < list->count; i++) {
        if ((list->count - i) % 2 == 1 && list->count > 1)
            list->items[kept++] = list->items[i];
        else
            checkpoint_list_unref(list, list->items[i]);
    }
    list->count = kept;
}

int checkpoint_list_add(struct checkpoint_list *list, struct checkpoint_item *item,
                        unsigned *halvings)
{
    int status;

    *halvings = 0;
    take_lock(list);
    status = append(list, item);
    while (status == 0 && !charge(list) && list->count > 0) {
        drop_every_second(list);
        ++*halvings;
    }
    give_lock(list);
    return status;
}

struct checkpoint_item *checkpoint_list_before(struct checkpoint_list *list, uint64_t position)
{
    struct checkpoint_item *found = NULL;
    uint64_t low = 0, high;

    take_lock(list);
    high = list->count; /* items from `high` on are after the position, those below `low` are not */
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;

        if (list->items[middle]->position <= position)
            low = middle + 1;
        else
            high = middle;
    }
    if (low > 0) {
        found = list->items[low - 1];
        atomic_fetch_add(&found->references, 1);
    }
    give_lock(list);
    return found;
}

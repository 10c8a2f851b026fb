/* SPDX-License-Identifier: MIT */
#include "cache/instance_pool.h"

#include <errno.h>

static void take_lock(struct instance_pool *instances) ACQUIRE(lock_of_instances)
{
    pthread_mutex_lock(&instances->lock);
}

static void give_lock(struct instance_pool *instances) RELEASE(lock_of_instances)
{
    pthread_mutex_unlock(&instances->lock);
}

void instance_pool_init(struct instance_pool *instances, const struct instance_pool_params *params)
{
    *instances = (struct instance_pool){.params = *params};
    pthread_mutex_init(&instances->lock, NULL);
}

static void destroy_all(struct instance_pool *instances, struct instance_pool_item *items)
{
    for (struct instance_pool_item *item = items, *next; item != NULL; item = next) {
        next = item->next;
        instances->params.destroy(item);
    }
}

void instance_pool_clear(struct instance_pool *instances) LOCKS_UNCHECKED
{
    destroy_all(instances, instances->items);
    if (instances->cache != NULL) {
        cache_charge(instances->cache, &instances->charged, 0, 0);
        cache_note(instances->cache, &instances->beyond, 0);
    }
    pthread_mutex_destroy(&instances->lock);
}

static struct instance_pool_item *remove_at(struct instance_pool *instances,
                                            struct instance_pool_item **link)
    REQUIRES(lock_of_instances)
{
    struct instance_pool_item *removed = *link;

    *link = removed->next;
    removed->next = NULL;
    instances->count--;
    return removed;
}

/*
 * Charges the idle instances. Returns false if there is no room for them; if there is just one, its
 * bytes are then recorded with cache_note().
 */
static bool charge(struct instance_pool *instances) REQUIRES(lock_of_instances)
{
    uint64_t bytes = 0, max = instances->params.max_bytes;
    bool fits = false;

    for (const struct instance_pool_item *item = instances->items; item != NULL; item = item->next)
        bytes += item->bytes;
    if (instances->cache == NULL)
        return bytes <= max;
    fits = cache_charge(instances->cache, &instances->charged, bytes, max) == 0;
    if (!fits && instances->count == 1)
        cache_charge(instances->cache, &instances->charged, 0, 0);
    cache_note(instances->cache, &instances->beyond, fits || instances->count > 1 ? 0 : bytes);
    return fits;
}

/* Removes the oldest spare one if there are several, otherwise the oldest of the others. */
static struct instance_pool_item *remove_oldest(struct instance_pool *instances)
    REQUIRES(lock_of_instances)
{
    struct instance_pool_item **oldest[2] = {NULL, NULL};
    unsigned spare = 0;

    for (struct instance_pool_item **link = &instances->items; *link != NULL;
         link = &(*link)->next) {
        oldest[(*link)->spare] = link;
        spare += (*link)->spare;
    }
    return remove_at(instances, spare > 1 || oldest[0] == NULL ? oldest[1] : oldest[0]);
}

static struct instance_pool_item **find_best(struct instance_pool *instances,
                                             instance_pool_rate rate, const void *context)
    REQUIRES(lock_of_instances)
{
    struct instance_pool_item **best = NULL;
    uint64_t best_rate = 0;

    for (struct instance_pool_item **link = &instances->items; *link != NULL;
         link = &(*link)->next) {
        uint64_t rated = rate(context, *link);

        if (rated > best_rate) {
            best_rate = rated;
            best = link;
        }
    }
    return best;
}

struct instance_pool_item *instance_pool_take(struct instance_pool *instances,
                                              instance_pool_rate rate, const void *context)
{
    struct instance_pool_item **best = NULL, *taken = NULL;

    take_lock(instances);
    best = find_best(instances, rate, context);
    if (best != NULL) {
        taken = remove_at(instances, best);
        charge(instances);
    }
    give_lock(instances);
    return taken;
}

int instance_pool_look(struct instance_pool *instances, instance_pool_rate rate,
                       const void *context,
                       int (*look)(void *context, const struct instance_pool_item *item),
                       void *look_context)
{
    struct instance_pool_item **best = NULL;
    int status = -ENOENT;

    take_lock(instances);
    best = find_best(instances, rate, context);
    if (best != NULL)
        status = look(look_context, *best);
    give_lock(instances);
    return status;
}

void instance_pool_give(struct instance_pool *instances, struct instance_pool_item *item)
{
    struct instance_pool_item *dropped = NULL;

    take_lock(instances);
    if (instances->cache == NULL && instances->params.cache != NULL)
        instances->cache = *instances->params.cache;
    item->next = instances->items;
    instances->items = item;
    instances->count++;
    while (instances->count > 1 &&
           (instances->count > instances->params.max_count || !charge(instances))) {
        struct instance_pool_item *oldest = remove_oldest(instances);

        oldest->next = dropped;
        dropped = oldest;
    }
    charge(instances);
    give_lock(instances);
    destroy_all(instances, dropped);
}

struct instance_pool_item *instance_pool_take_surplus(struct instance_pool *instances)
{
    struct instance_pool_item *taken = NULL;

    take_lock(instances);
    if (instances->count > 0 && instances->count >= instances->params.max_count) {
        taken = remove_oldest(instances);
        charge(instances);
    }
    give_lock(instances);
    return taken;
}

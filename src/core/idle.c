#include "core/idle.h"

#include <errno.h>

static void take_lock(struct idle *idle) ACQUIRE(lock_of_idle)
{
    pthread_mutex_lock(&idle->lock);
}

static void give_lock(struct idle *idle) RELEASE(lock_of_idle)
{
    pthread_mutex_unlock(&idle->lock);
}

void idle_init(struct idle *idle, const struct idle_params *params)
{
    *idle = (struct idle){.params = *params};
    pthread_mutex_init(&idle->lock, NULL);
}

static void destroy_all(struct idle *idle, struct idle_item *items)
{
    for (struct idle_item *item = items, *next; item != NULL; item = next) {
        next = item->next;
        idle->params.destroy(item);
    }
}

void idle_clear(struct idle *idle) LOCKS_UNCHECKED
{
    destroy_all(idle, idle->items);
    if (idle->cache != NULL) {
        cache_charge(idle->cache, &idle->charged, 0, 0);
        cache_note(idle->cache, &idle->beyond, 0);
    }
    pthread_mutex_destroy(&idle->lock);
}

static struct idle_item *remove_at(struct idle *idle, struct idle_item **link)
    REQUIRES(lock_of_idle)
{
    struct idle_item *removed = *link;

    *link = removed->next;
    removed->next = NULL;
    idle->count--;
    return removed;
}

/* False: there is no room for so many. A single one is noted then. */
static bool charge(struct idle *idle) REQUIRES(lock_of_idle)
{
    uint64_t bytes = 0, most = idle->params.bytes;
    bool fits = false;

    for (const struct idle_item *item = idle->items; item != NULL; item = item->next)
        bytes += item->bytes;
    if (idle->cache == NULL)
        return bytes <= most;
    fits = cache_charge(idle->cache, &idle->charged, bytes, most) == 0;
    if (!fits && idle->count == 1)
        cache_charge(idle->cache, &idle->charged, 0, 0);
    cache_note(idle->cache, &idle->beyond, fits || idle->count > 1 ? 0 : bytes);
    return fits;
}

/* The oldest of the spare ones if there are several, else of the others. */
static struct idle_item *remove_oldest(struct idle *idle) REQUIRES(lock_of_idle)
{
    struct idle_item **oldest[2] = {NULL, NULL};
    unsigned spare = 0;

    for (struct idle_item **link = &idle->items; *link != NULL; link = &(*link)->next) {
        oldest[(*link)->spare] = link;
        spare += (*link)->spare;
    }
    return remove_at(idle, spare > 1 || oldest[0] == NULL ? oldest[1] : oldest[0]);
}

static struct idle_item **find_best(struct idle *idle, idle_rate rate, const void *context)
    REQUIRES(lock_of_idle)
{
    struct idle_item **best = NULL;
    uint64_t best_rate = 0;

    for (struct idle_item **link = &idle->items; *link != NULL; link = &(*link)->next) {
        uint64_t rated = rate(context, *link);

        if (rated > best_rate) {
            best_rate = rated;
            best = link;
        }
    }
    return best;
}

struct idle_item *idle_take(struct idle *idle, idle_rate rate, const void *context)
{
    struct idle_item **best = NULL, *taken = NULL;

    take_lock(idle);
    best = find_best(idle, rate, context);
    if (best != NULL) {
        taken = remove_at(idle, best);
        charge(idle);
    }
    give_lock(idle);
    return taken;
}

int idle_look(struct idle *idle, idle_rate rate, const void *context,
              int (*look)(void *context, const struct idle_item *item), void *look_context)
{
    struct idle_item **best = NULL;
    int status = -ENOENT;

    take_lock(idle);
    best = find_best(idle, rate, context);
    if (best != NULL)
        status = look(look_context, *best);
    give_lock(idle);
    return status;
}

void idle_give(struct idle *idle, struct idle_item *item)
{
    struct idle_item *dropped = NULL;

    take_lock(idle);
    if (idle->cache == NULL && idle->params.cache != NULL)
        idle->cache = *idle->params.cache;
    item->next = idle->items;
    idle->items = item;
    idle->count++;
    while (idle->count > 1 && (idle->count > idle->params.most || !charge(idle))) {
        struct idle_item *oldest = remove_oldest(idle);

        oldest->next = dropped;
        dropped = oldest;
    }
    charge(idle);
    give_lock(idle);
    destroy_all(idle, dropped);
}

struct idle_item *idle_take_surplus(struct idle *idle)
{
    struct idle_item *taken = NULL;

    take_lock(idle);
    if (idle->count > 0 && idle->count >= idle->params.most) {
        taken = remove_oldest(idle);
        charge(idle);
    }
    give_lock(idle);
    return taken;
}

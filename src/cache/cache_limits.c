/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cache/cache_limits.h"

#include "base/budget.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

enum {
    ENDING_LOOKS = 10, /* of the watchdog, that one which is cancelled has to give memory back */
};

/* Cancels what is over its limit in time; returns how many are made. */
static unsigned look_at_time(struct cache *cache) REQUIRES(lock_of_cache)
{
    struct cache_making *making, *next;
    unsigned running = 0;

    HASH_ITER (hh, cache->makings, making, next) {
        if (making->state != CACHE_MAKING_RUNNING)
            continue;
        running++;
        (void)budget_use_check(&making->use);
    }
    return running;
}

/* What has run longest, and may be ended. */
static struct cache_making *find_oldest(struct cache *cache) REQUIRES(lock_of_cache)
{
    struct cache_making *making, *next, *oldest = NULL;

    HASH_ITER (hh, cache->makings, making, next) {
        if (making->state == CACHE_MAKING_RUNNING && !making->unlimited &&
            !atomic_load(&making->use.over) && !atomic_load(&making->use.paused) &&
            (oldest == NULL || making->start < oldest->start))
            oldest = making;
    }
    return oldest;
}

/*
 * Too much memory is held: one making after the other is cancelled, the one that has run longest
 * first, each of which has some looks to give back what it has.
 */
static void end_for_memory(struct cache *cache, unsigned running) REQUIRES(lock_of_cache)
{
    struct cache_making *oldest = find_oldest(cache);

    if (cache->ending_looks > 0 && --cache->ending_looks > 0)
        return;
    if (oldest == NULL || !budget_use_end_for_memory(&oldest->use, memory_limit()))
        return;
    oldest->alone = running == 1;
    cache->ending_looks = ENDING_LOOKS;
}

bool cache_limits_look(void *context)
{
    struct cache *cache = context;
    unsigned running;
    bool passed;

    if (cache->spending == NULL)
        return false;
    cache_lock(cache);
    running = look_at_time(cache);
    cache_unlock(cache);
    if (running == 0)
        return false;
    passed = memory_limit_look() != 0;
    cache_lock(cache);
    if (passed)
        end_for_memory(cache, running);
    else
        cache->ending_looks = 0;
    cache_unlock(cache);
    return true;
}

/* Whether nothing else was made meanwhile, which may have been what had too much memory. */
static bool was_alone(const struct cache_making *making) REQUIRES(lock_of_cache)
{
    const struct cache_making *each, *next;

    if (making->cache->watchdog == NULL || atomic_load(&making->use.over))
        return making->cache->watchdog == NULL || making->alone;
    HASH_ITER (hh, making->cache->makings, each, next) {
        if (each != making && each->state == CACHE_MAKING_RUNNING)
            return false;
    }
    return true;
}

int cache_limits_judge(struct cache_making *making, int status)
{
    struct cache *cache = making->cache;
    struct budget_use *use = &making->use;

    if (budget_use_is_over(use, status)) {
        cache_unlock(cache);
        status = budget_use_tell(use, making->key.item);
        cache_lock(cache);
        if (use->exceeded == BUDGET_MEMORY && !was_alone(making))
            return status;
    } else if (status != -EFBIG || cache->spending == NULL) {
        return status;
    }
    cache_failures_add(&cache->failures, making->key, status);
    return status;
}

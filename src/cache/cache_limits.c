/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cache/cache_limits.h"

#include "base/budget.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

enum {
    ENDING_LOOKS = 10, /* looks during which a cancelled making can free its memory */
};

/* Cancels makings that exceed their limit of time. Returns how many makings are running. */
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

/* Returns whether `making` is `other`, or is made by the same thread in order to make `other`. */
static bool is_part_of(const struct cache_making *making, const struct cache_making *other)
    REQUIRES(lock_of_cache)
{
    return other == making || budget_use_is_within(&making->use, &other->use);
}

/*
 * Returns whether no other making is running that may be what has too much memory. Other makings of
 * the same thread do not count: those that it needs, such as a chunk of the dump that is expanded
 * meanwhile, and those for which it is needed.
 */
static bool is_alone(const struct cache_making *making) REQUIRES(lock_of_cache)
{
    const struct cache_making *each, *next;

    HASH_ITER (hh, making->cache->makings, each, next) {
        if (each->state == CACHE_MAKING_RUNNING && !is_part_of(making, each) &&
            !is_part_of(each, making))
            return false;
    }
    return true;
}

/* Returns the making that has run longest and may be cancelled, or NULL. */
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
 * Called at each look while too much memory is held: cancels one making after another, the one that
 * has run longest first. Each has ENDING_LOOKS looks to free its memory before the next is
 * cancelled.
 */
static void end_for_memory(struct cache *cache) REQUIRES(lock_of_cache)
{
    struct cache_making *oldest = find_oldest(cache);

    if (cache->ending_looks > 0 && --cache->ending_looks > 0)
        return;
    if (oldest == NULL || !budget_use_end_for_memory(&oldest->use, memory_limit()))
        return;
    oldest->alone = is_alone(oldest);
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
        end_for_memory(cache);
    else
        cache->ending_looks = 0;
    cache_unlock(cache);
    return true;
}

/*
 * Returns whether the making itself was the reason that too much memory was held, so that a retry
 * would be no use.
 */
static bool was_to_blame(const struct cache_making *making) REQUIRES(lock_of_cache)
{
    if (making->cache->watchdog == NULL || making->use.lasting)
        return true;
    return atomic_load(&making->use.over) ? making->alone : is_alone(making);
}

int cache_limits_judge(struct cache_making *making, int status)
{
    struct cache *cache = making->cache;
    struct budget_use *use = &making->use;

    if (budget_use_is_over(use, status)) {
        cache_unlock(cache);
        status = budget_use_tell(use, making->key.item);
        cache_lock(cache);
        if (use->exceeded == BUDGET_MEMORY && !was_to_blame(making))
            return status;
    } else if (status != -EFBIG || cache->spending == NULL) {
        return status;
    }
    cache_failures_add(&cache->failures, making->key, status);
    return status;
}

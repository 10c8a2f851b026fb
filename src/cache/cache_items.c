/* SPDX-License-Identifier: MIT */
/* Creating and destroying the cache, the items that it keeps, and its accounts. */
#include "config.h"

#include "cache/cache.h"

#include "base/locks.h"
#include "base/memory.h"
#include "base/memory_limit.h"
#include "cache/cache_limits.h"
#include "cache/internal.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

void cache_lock(struct cache *cache)
{
    pthread_mutex_lock(&cache->lock);
}

void cache_unlock(struct cache *cache)
{
    struct cache_lru_item *dropped = cache_lru_take_dropped(&cache->lru);
    int64_t spare = (int64_t)cache_lru_spare(&cache->lru);

    if (spare != cache->spare)
        memory_limit_spare(spare - cache->spare);
    cache->spare = spare;
    pthread_mutex_unlock(&cache->lock);
    cache_lru_free(dropped);
}

static void relieve(void *context, uint64_t bytes)
{
    struct cache *cache = context;

    cache_lock(cache);
    cache_lru_relieve(&cache->lru, bytes);
    cache_unlock(cache);
    memory_trim();
}

int cache_create(const struct cache_params *params, struct cache **out) LOCKS_UNCHECKED
{
    struct cache *cache = calloc(1, sizeof(*cache));

    if (cache == NULL)
        return -ENOMEM;
    memory_setup();
    pthread_mutex_init(&cache->lock, NULL);
    pthread_cond_init(&cache->ended, NULL);
    cache->lru.budget = params->budget;
    cache->lru.overdraft = params->overdraft;
    cache->pool = params->pool;
    cache->cancel = params->cancel;
    cache->spending = params->spending;
    cache->watchdog = params->watchdog;
    if (cache->watchdog != NULL)
        watchdog_add(cache->watchdog, cache_limits_look, cache);
    cache->holder = (struct memory_holder){.relieve = relieve, .context = cache};
    memory_limit_join(&cache->holder);
    *out = cache;
    return 0;
}

void cache_destroy(struct cache **cache)
{
    struct cache *destroyed = *cache;
    struct cache_making *making, *next;

    *cache = NULL;
    if (destroyed == NULL)
        return;
    memory_limit_leave(&destroyed->holder);
    cache_lock(destroyed);
    destroyed->closing = true;
    HASH_ITER (hh, destroyed->makings, making, next) {
        if (making->state == CACHE_MAKING_RUNNING)
            cancel_raise(&making->use.cancel);
    }
    while (destroyed->makings != NULL || destroyed->ending > 0)
        pthread_cond_wait(&destroyed->ended, &destroyed->lock);
    cache_lru_clear(&destroyed->lru);
    cache_failures_clear(&destroyed->failures);
    cache_unlock(destroyed);
    pthread_cond_destroy(&destroyed->ended);
    pthread_mutex_destroy(&destroyed->lock);
    free(destroyed);
    memory_trim();
}

bool cache_is_idle(struct cache *cache)
{
    bool idle;

    cache_lock(cache);
    idle = cache->makings == NULL && cache->ending == 0;
    cache_unlock(cache);
    return idle;
}

struct blob *cache_find(struct cache *cache, struct cache_key key)
{
    struct blob *blob = cache_lru_find(&cache->lru, key);

    cache->hits += blob != NULL;
    return blob;
}

struct blob *cache_peek(struct cache *cache, struct cache_key key)
{
    struct blob *blob;

    cache_lock(cache);
    blob = cache_find(cache, key);
    cache_unlock(cache);
    return blob;
}

struct blob *cache_look(struct cache *cache, struct cache_key key)
{
    struct blob *blob;

    cache_lock(cache);
    blob = cache_lru_find(&cache->lru, key);
    cache_unlock(cache);
    return blob;
}

int cache_failure(struct cache *cache, struct cache_key key)
{
    int status;

    cache_lock(cache);
    status = cache_failures_find(&cache->failures, key);
    cache_unlock(cache);
    return status;
}

void cache_offer(struct cache *cache, struct cache_key key, struct blob *blob)
{
    cache_lock(cache);
    cache_lru_keep(&cache->lru, key, blob);
    cache_unlock(cache);
}

void cache_drop(struct cache *cache, struct cache_key key)
{
    cache_lock(cache);
    cache_lru_drop(&cache->lru, key);
    cache_unlock(cache);
}

int cache_pin(struct cache *cache, struct blob *blob)
{
    int status;

    cache_lock(cache);
    status = cache_lru_pin(&cache->lru, blob);
    cache_unlock(cache);
    return status;
}

void cache_unpin(struct cache *cache, struct blob *blob)
{
    cache_lock(cache);
    cache_lru_unpin(&cache->lru, blob);
    cache_unlock(cache);
}

int cache_charge(struct cache *cache, uint64_t *account, uint64_t bytes, uint64_t max)
{
    int status;

    if (bytes > max)
        return -ENOMEM;
    cache_lock(cache);
    status = cache_lru_charge(&cache->lru, *account, bytes);
    if (status == 0)
        *account = bytes;
    cache_unlock(cache);
    return status;
}

void cache_note(struct cache *cache, uint64_t *account, uint64_t bytes)
{
    cache_lock(cache);
    cache->beyond += bytes - *account;
    *account = bytes;
    cache_unlock(cache);
}

void cache_statistics(struct cache *cache, struct cache_statistics *out)
{
    cache_lock(cache);
    *out = (struct cache_statistics){
        .budget = cache->lru.budget,
        .held = cache->lru.held,
        .pinned = cache->lru.pinned,
        .charged = cache->lru.charged,
        .beyond = cache->beyond,
        .items = cache->lru.items,
        .hits = cache->hits,
        .misses = cache->misses,
        .evictions = cache->lru.evictions,
        .failed = cache->failed,
    };
    for (int work = 0; work < CACHE_WORKS; work++)
        out->made[work] = cache->made[work];
    cache_unlock(cache);
}

/* SPDX-License-Identifier: MIT */
/*
 * Makings: the threads and requests that wait for an item, and the maker that runs.
 *
 * Threads and requests wait for a making, each with a maker and a context of its own. If the one
 * whose maker runs is cancelled, the making goes back from running to open or queued, for the
 * others. So does a making whose first stage is done; it keeps that stage.
 */
#include "config.h"

#include "cache/cache.h"

#include "base/locks.h"
#include "base/thread.h"
#include "base/transient_failures.h"
#include "cache/cache_limits.h"
#include "cache/internal.h"

#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

#include <utlist.h>

static void run_job(struct pool_job *job);

static struct cache_making *add_making(struct cache *cache, struct cache_key key)
    REQUIRES(lock_of_cache)
{
    struct cache_making *making = calloc(1, sizeof(*making));

    if (making == NULL)
        return NULL;
    making->key = key;
    making->cache = cache;
    making->job.run = run_job;
    HASH_ADD(hh, cache->makings, key, sizeof(making->key), making);
    if (making->hh.tbl == NULL) { /* uthash could not allocate memory */
        free(making);
        return NULL;
    }
    thread_condition_init(&making->changed);
    return making;
}

/*
 * Returns the making of this key, after creating an open one if there was none; NULL without
 * memory.
 */
static struct cache_making *join_making(struct cache *cache, struct cache_key key)
    REQUIRES(lock_of_cache)
{
    struct cache_making *making = NULL;

    HASH_FIND(hh, cache->makings, &key, sizeof(key), making);
    if (making != NULL) {
        cache->hits++;
        return making;
    }
    cache->misses++;
    return add_making(cache, key);
}

static bool is_needed(const struct cache_making *making) REQUIRES(lock_of_cache)
{
    return making->requests != NULL || making->threads > 0;
}

static void free_making(struct cache_making *making) REQUIRES(lock_of_cache)
{
    struct cache *cache = making->cache;

    if (making->state == CACHE_MAKING_DONE)
        cache->ending--;
    else
        HASH_DEL(cache->makings, making);
    blob_unref(&making->blob);
    blob_unref(&making->stage);
    pthread_cond_destroy(&making->changed);
    free(making);
    pthread_cond_broadcast(&cache->ended);
}

static bool is_closing(const struct cache *cache) REQUIRES(lock_of_cache)
{
    return cache->closing || cancel_requested(cache->cancel);
}

/*
 * Queues the making's job. It has the priority of a reader if any request has a maker that is not
 * slow, or if the first stage is done, since the second takes little time.
 */
static void submit(struct cache_making *making) REQUIRES(lock_of_cache)
{
    enum pool_priority priority = making->stage != NULL ? POOL_READER : POOL_BACKGROUND;
    struct cache_request *request;

    LL_FOREACH (making->requests, request) {
        if (!request->maker->slow)
            priority = POOL_READER;
    }
    making->job.handoff = making->stage != NULL;
    pool_submit(making->cache->pool, &making->job, priority);
}

/* Offers an unfinished making to the threads or requests that wait for it. */
static void reopen(struct cache_making *making) REQUIRES(lock_of_cache)
{
    if (making->requests != NULL && making->threads == 0) {
        making->state = CACHE_MAKING_QUEUED;
        submit(making);
    } else {
        making->state = CACHE_MAKING_OPEN;
        pthread_cond_broadcast(&making->changed);
    }
}

/*
 * Called after a request or the maker has left the making. Cancels or frees the making if nothing
 * needs it, and otherwise ensures that it goes on.
 */
static void look_after(struct cache_making *making) REQUIRES(lock_of_cache)
{
    struct cache *cache = making->cache;

    switch (making->state) {
    case CACHE_MAKING_OPEN:
        if (!is_needed(making))
            free_making(making);
        else if (making->threads == 0)
            reopen(making);
        break;
    case CACHE_MAKING_QUEUED: /* if it was taken from the queue already, run_job() does this */
        if (!is_needed(making) && pool_withdraw(cache->pool, &making->job))
            free_making(making);
        break;
    case CACHE_MAKING_RUNNING:
        if (!is_needed(making))
            cancel_raise(&making->use.cancel);
        break;
    case CACHE_MAKING_DONE:
        if (making->threads == 0 && !making->in_pool)
            free_making(making);
        break;
    }
}

/*
 * Calls back all requests of a list, without the lock. Each may have been freed when its callback
 * returns.
 */
static void answer(struct cache_request *requests, int status, struct blob *blob)
{
    struct cache_request *request, *next;

    LL_FOREACH_SAFE (requests, request, next) {
        request->done(request, status, status == 0 ? blob_ref(blob) : NULL);
    }
}

static struct cache_request *take_requests(struct cache_making *making) REQUIRES(lock_of_cache)
{
    struct cache_request *requests = making->requests, *request;

    making->requests = NULL;
    LL_FOREACH (requests, request) {
        request->waiting = false;
    }
    return requests;
}

/* Ends a making and answers its requests, with the lock released meanwhile. */
static void complete(struct cache_making *making, int status, struct blob *blob, bool keep)
    REQUIRES(lock_of_cache)
{
    struct cache *cache = making->cache;
    struct cache_request *requests = take_requests(making);

    HASH_DEL(cache->makings, making);
    cache->ending++;
    making->state = CACHE_MAKING_DONE;
    making->status = status;
    making->blob = blob;
    if (status == 0 && keep)
        cache_lru_keep(&cache->lru, making->key, blob);
    pthread_cond_broadcast(&making->changed);

    cache_unlock(cache);
    answer(requests, status, blob);
    cache_lock(cache);
}

/* Makes the item, or only its first stage on a pool thread. Without the lock. */
static int make(struct cache_making *making, const struct cache_maker *maker, void *context,
                struct blob **out)
{
    int status;

    if (making->stage == NULL) {
        status = maker->make(context, making->key, &making->use.cancel, out);
        if (status != CACHE_FIRST_STAGE)
            return status;
        making->stage = *out;
        *out = NULL;
        if (making->in_pool)
            return CACHE_FIRST_STAGE;
    }
    status = maker->finish(context, making->key, &making->use.cancel, making->stage, out);
    if (status != -EINTR)
        blob_unref(&making->stage);
    return status;
}

/*
 * Reports the first stage to one request that has a callback for it, with the lock released
 * meanwhile.
 */
static void tell_first_stage(struct cache_making *making) REQUIRES(lock_of_cache)
{
    void (*done)(struct cache_request * request, struct cache_key key) = NULL;
    struct cache_key key = making->key;
    struct cache_request *request;

    LL_FOREACH (making->requests, request) {
        if ((done = request->first_stage_done) != NULL)
            break;
    }
    if (done == NULL)
        return;
    cache_unlock(making->cache);
    done(request, key);
    cache_lock(making->cache);
}

/*
 * Runs a maker, with the lock released meanwhile, and ends or reopens the making. The caller is
 * counted in making->threads, or has set in_pool.
 */
static void run_making(struct cache_making *making, const struct cache_maker *maker, void *context,
                       const struct cancel *cancel) REQUIRES(lock_of_cache)
{
    struct cache *cache = making->cache;
    struct blob *blob = NULL;
    bool others, closing = is_closing(cache);
    unsigned before = transient_failures();
    int status;

    making->state = CACHE_MAKING_RUNNING;
    making->unlimited = maker->unlimited;
    making->start = ++cache->starts;
    budget_use_begin(&making->use, maker->unlimited ? NULL : cache->spending,
                     cancel != NULL ? cancel : cache->cancel, cache->watchdog == NULL, 0);
    cache_unlock(cache);
    watchdog_wake(cache->watchdog);
    status = closing ? -EINTR : make(making, maker, context, &blob);
    cache_lock(cache);
    budget_use_end(&making->use);
    status = cache_limits_judge(making, status);
    making->failed_for_now = transient_failures() != before;

    if (status == CACHE_FIRST_STAGE) {
        tell_first_stage(making);
        reopen(making);
        return;
    }
    if (status == 0)
        cache->made[maker->work]++;
    else if (status != -EINTR)
        cache->failed++;
    others = making->requests != NULL || making->threads > (making->in_pool ? 0 : 1);
    if (status == -EINTR && cancel_is_raised(&making->use.cancel) && others && !is_closing(cache))
        reopen(making);
    else
        complete(making, status, blob, !maker->fleeting);
}

static struct cache_making *making_of(struct pool_job *job)
{
    return (struct cache_making *)((char *)job - offsetof(struct cache_making, job));
}

/* Runs on a pool thread, without the lock. */
static void run_job(struct pool_job *job)
{
    struct cache_making *making = making_of(job);
    struct cache *cache = making->cache;
    struct cache_request *request;

    cache_lock(cache);
    request = making->requests;
    if (request == NULL) { /* all were cancelled after the job was taken from the queue */
        reopen(making);
    } else {
        making->in_pool = true;
        run_making(making, request->maker, request->context, NULL);
        making->in_pool = false;
    }
    look_after(making);
    cache_unlock(cache);
}

static bool is_mine_to_make(struct cache_making *making) REQUIRES(lock_of_cache)
{
    return making->state == CACHE_MAKING_OPEN || (making->state == CACHE_MAKING_QUEUED &&
                                                  pool_withdraw(making->cache->pool, &making->job));
}

/*
 * Makes the item, or waits until another thread has made it. The caller is counted in
 * making->threads. If another thread's maker had a transient failure, it is counted for this
 * thread, too.
 */
static int make_or_wait(struct cache_making *making, const struct cache_maker *maker, void *context,
                        const struct cancel *cancel, struct blob **out) REQUIRES(lock_of_cache)
{
    bool waited = false;

    while (making->state != CACHE_MAKING_DONE) {
        if (cancel_is_raised(cancel) || is_closing(making->cache))
            return -EINTR;
        if (!is_mine_to_make(making)) {
            waited = true;
            thread_wait_a_little(&making->changed, &making->cache->lock);
            continue;
        }
        waited = false;
        run_making(making, maker, context, cancel);
        if (making->state != CACHE_MAKING_DONE)
            return -EINTR;
    }
    if (waited && making->failed_for_now)
        transient_failures_add();
    if (making->status == 0)
        *out = blob_ref(making->blob);
    return making->status;
}

static int get_made(struct cache *cache, struct cache_key key, const struct cache_maker *maker,
                    void *context, const struct cancel *cancel, struct blob **out)
    REQUIRES(lock_of_cache)
{
    struct cache_making *making = join_making(cache, key);
    int status;

    if (making == NULL)
        return -ENOMEM;
    making->threads++;
    status = make_or_wait(making, maker, context, cancel, out);
    making->threads--;
    look_after(making);
    return status;
}

int cache_get(struct cache *cache, struct cache_key key, const struct cache_maker *maker,
              void *context, const struct cancel *cancel, struct blob **out)
{
    int status = 0;

    cache_lock(cache);
    *out = cache_find(cache, key);
    if (*out == NULL)
        status = cache_failures_find(&cache->failures, key);
    if (*out == NULL && status == 0)
        status = get_made(cache, key, maker, context, cancel, out);
    cache_unlock(cache);
    return status;
}

/* Adds a request to the making of its key, and ensures that a thread makes it. */
static int request_made(struct cache *cache, struct cache_request *request) REQUIRES(lock_of_cache)
{
    struct cache_making *making = join_making(cache, request->key);

    if (making == NULL)
        return -ENOMEM;
    request->waiting = true;
    LL_APPEND(making->requests, request);
    if (making->state == CACHE_MAKING_OPEN && making->threads == 0)
        reopen(making);
    else if (making->state == CACHE_MAKING_QUEUED && pool_withdraw(cache->pool, &making->job))
        submit(making); /* as the newest job */
    return 0;
}

void cache_submit_request(struct cache *cache, struct cache_key key,
                          const struct cache_maker *maker, void *context,
                          struct cache_request *request)
{
    struct blob *blob;
    int status = 0;

    request->next = NULL;
    request->key = key;
    request->maker = maker;
    request->context = context;
    if (cache->pool == NULL) {
        status = cache_get(cache, key, maker, context, NULL, &blob);
        request->done(request, status, blob);
        return;
    }
    cache_lock(cache);
    request->waiting = false;
    blob = cache_find(cache, key);
    if (blob == NULL)
        status = cache_failures_find(&cache->failures, key);
    if (blob == NULL && status == 0)
        status = request_made(cache, request);
    cache_unlock(cache);
    /* a request that waits may have been answered and freed by now */
    if (blob != NULL || status < 0)
        request->done(request, status, blob);
}

void cache_cancel_request(struct cache *cache, struct cache_request *request)
{
    struct cache_making *making = NULL;

    cache_lock(cache);
    if (request->waiting) {
        HASH_FIND(hh, cache->makings, &request->key, sizeof(request->key), making);
        LL_DELETE(making->requests, request);
        request->waiting = false;
        look_after(making);
    }
    cache_unlock(cache);
    if (making != NULL)
        request->done(request, -EINTR, NULL);
}

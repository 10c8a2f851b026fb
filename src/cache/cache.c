/* SPDX-License-Identifier: MIT */
/*
 * Store and makings. The store has what is made; a making stands for an item that
 * is requested and not there yet. It is in one of four states:
 *
 *     open     a thread waits in cache_get() and will make it
 *     queued   its job is in the pool, or taken from there this moment
 *     running  one thread makes it
 *     done     no longer in the table; threads that wait take the result
 *
 * A making whose first stage is made goes from running back to open or queued, with
 * that stage. Threads and requests wait for the making, each with a maker and a context of
 * its own. When the one whose maker runs is cancelled, the making goes back to
 * open or queued for the others.
 */
#include "config.h"

#include "cache/cache.h"

#include "base/hash.h"
#include "base/locks.h"
#include "base/memory.h"
#include "base/memory_limit.h"
#include "base/mishaps.h"
#include "base/thread.h"
#include "cache/cache_lru.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <utlist.h>

enum {
    FAILURES_MAX = 4096,
    ENDING_LOOKS = 10, /* of the lookout, that one which is cancelled has to give memory back */
};

enum making_state { MAKING_OPEN, MAKING_QUEUED, MAKING_RUNNING, MAKING_DONE };

struct making {
    struct cache_key key;
    struct cache *cache;
    enum making_state state GUARDED_BY(lock_of_cache);
    struct budget_use use; /* while running: its cancel is what the maker polls */
    struct pool_job job;   /* while queued */
    /* Requests, which are answered later. */
    struct cache_request *requests GUARDED_BY(lock_of_cache);
    /* Threads in cache_get(), the maker included. */
    unsigned threads GUARDED_BY(lock_of_cache);
    bool in_pool;                         /* a pool thread makes it */
    bool unlimited;                       /* its maker is */
    bool befallen;                        /* something from outside befell it (base/mishaps.h) */
    bool alone;                           /* nothing else ran when it was cancelled for memory */
    uint64_t start;                       /* counts when it last became running */
    struct blob *stage;                   /* what is to be finished; only the job that runs looks */
    pthread_cond_t changed;               /* the state, for `threads` */
    int status GUARDED_BY(lock_of_cache); /* when done */
    struct blob *blob GUARDED_BY(lock_of_cache);
    UT_hash_handle hh;
};

/* An item that cannot be made within the limits, so that nobody tries again. */
struct failure {
    struct cache_key key;
    int status;
    UT_hash_handle hh;
};

struct cache {
    pthread_mutex_t lock;
    pthread_cond_t ended; /* a making has gone */
    struct cache_lru lru GUARDED_BY(lock_of_cache);
    struct making *makings GUARDED_BY(lock_of_cache);   /* uthash's head */
    struct failure *failures GUARDED_BY(lock_of_cache); /* the same, the oldest first */
    unsigned ending GUARDED_BY(lock_of_cache); /* makings that are done and still looked at */
    bool closing GUARDED_BY(lock_of_cache);
    struct pool *pool;
    const struct cancel *cancel;
    struct budget *spending;
    struct lookout *lookout;
    uint64_t starts GUARDED_BY(lock_of_cache);
    unsigned ending_looks GUARDED_BY(lock_of_cache); /* left to the one cancelled last */
    struct memory_holder holder;                     /* gives back what evictions free */
    int64_t spare GUARDED_BY(lock_of_cache);         /* as told to base/memory_limit.h */
    uint64_t hits GUARDED_BY(lock_of_cache), misses GUARDED_BY(lock_of_cache);
    uint64_t made[CACHE_WORKS] GUARDED_BY(lock_of_cache), failed GUARDED_BY(lock_of_cache);
    /* Bytes that the budget has no room for, as told. */
    uint64_t beyond GUARDED_BY(lock_of_cache);
};

static void cache_lock(struct cache *cache) ACQUIRE(lock_of_cache)
{
    pthread_mutex_lock(&cache->lock);
}

static void cache_unlock(struct cache *cache) RELEASE(lock_of_cache)
{
    struct cache_lru_item *dropped = cache_lru_take_dropped(&cache->lru);
    int64_t spare = (int64_t)cache_lru_spare(&cache->lru);

    if (spare != cache->spare)
        memory_limit_spare(spare - cache->spare);
    cache->spare = spare;
    pthread_mutex_unlock(&cache->lock);
    cache_lru_free(dropped);
}

static bool look(void *context);

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
    cache->lookout = params->lookout;
    if (cache->lookout != NULL)
        lookout_add(cache->lookout, look, cache);
    cache->holder = (struct memory_holder){.relieve = relieve, .context = cache};
    memory_limit_join(&cache->holder);
    *out = cache;
    return 0;
}

static void run_job(struct pool_job *job);

static struct making *add_making(struct cache *cache, struct cache_key key) REQUIRES(lock_of_cache)
{
    struct making *making = calloc(1, sizeof(*making));

    if (making == NULL)
        return NULL;
    making->key = key;
    making->cache = cache;
    making->job.run = run_job;
    HASH_ADD(hh, cache->makings, key, sizeof(making->key), making);
    if (making->hh.tbl == NULL) { /* uthash had no memory */
        free(making);
        return NULL;
    }
    thread_condition_init(&making->changed);
    return making;
}

/* The making of this key, an open one if there was none; NULL without memory. */
static struct making *join_making(struct cache *cache, struct cache_key key) REQUIRES(lock_of_cache)
{
    struct making *making = NULL;

    HASH_FIND(hh, cache->makings, &key, sizeof(key), making);
    if (making != NULL) {
        cache->hits++;
        return making;
    }
    cache->misses++;
    return add_making(cache, key);
}

static bool is_needed(const struct making *making) REQUIRES(lock_of_cache)
{
    return making->requests != NULL || making->threads > 0;
}

static void free_making(struct making *making) REQUIRES(lock_of_cache)
{
    struct cache *cache = making->cache;

    if (making->state == MAKING_DONE)
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

/* For requests: one for something quick is enough, and a second stage is soon done. */
static void submit(struct making *making) REQUIRES(lock_of_cache)
{
    enum pool_priority priority = making->stage != NULL ? POOL_READER : POOL_BACKGROUND;
    struct cache_request *request;

    LL_FOREACH(making->requests, request)
    {
        if (!request->maker->slow)
            priority = POOL_READER;
    }
    making->job.handoff = making->stage != NULL;
    pool_submit(making->cache->pool, &making->job, priority);
}

/* Offers an unfinished making to those that wait for it. */
static void reopen(struct making *making) REQUIRES(lock_of_cache)
{
    if (making->requests != NULL && making->threads == 0) {
        making->state = MAKING_QUEUED;
        submit(making);
    } else {
        making->state = MAKING_OPEN;
        pthread_cond_broadcast(&making->changed);
    }
}

/* After a request or the maker has gone: nothing may be left that needs the making. */
static void look_after(struct making *making) REQUIRES(lock_of_cache)
{
    struct cache *cache = making->cache;

    switch (making->state) {
    case MAKING_OPEN:
        if (!is_needed(making))
            free_making(making);
        else if (making->threads == 0)
            reopen(making);
        break;
    case MAKING_QUEUED: /* when taken from the queue already, run_job() sees to it */
        if (!is_needed(making) && pool_withdraw(cache->pool, &making->job))
            free_making(making);
        break;
    case MAKING_RUNNING:
        if (!is_needed(making))
            cancel_raise(&making->use.cancel);
        break;
    case MAKING_DONE:
        if (making->threads == 0 && !making->in_pool)
            free_making(making);
        break;
    }
}

/* Calls back all requests of a list; without the lock. Each may be gone when it returns. */
static void answer(struct cache_request *requests, int status, struct blob *blob)
{
    struct cache_request *request, *next;

    LL_FOREACH_SAFE(requests, request, next)
    {
        request->done(request, status, status == 0 ? blob_ref(blob) : NULL);
    }
}

static struct cache_request *take_requests(struct making *making) REQUIRES(lock_of_cache)
{
    struct cache_request *requests = making->requests, *request;

    making->requests = NULL;
    LL_FOREACH(requests, request)
    {
        request->waiting = false;
    }
    return requests;
}

/* Ends a making and answers its requests, for which the lock is given up. */
static void complete(struct making *making, int status, struct blob *blob, bool keep)
    REQUIRES(lock_of_cache)
{
    struct cache *cache = making->cache;
    struct cache_request *requests = take_requests(making);

    HASH_DEL(cache->makings, making);
    cache->ending++;
    making->state = MAKING_DONE;
    making->status = status;
    making->blob = blob;
    if (status == 0 && keep)
        cache_lru_keep(&cache->lru, making->key, blob);
    pthread_cond_broadcast(&making->changed);

    cache_unlock(cache);
    answer(requests, status, blob);
    cache_lock(cache);
}

/* Makes the item, or in the pool its first stage, without the lock. */
static int make(struct making *making, const struct cache_maker *maker, void *context,
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

/* Tells the requests that want to know, for which the lock is given up. */
static void tell_first_stage(struct making *making) REQUIRES(lock_of_cache)
{
    struct cache_request *request;

    LL_FOREACH(making->requests, request)
    {
        if (request->first_stage_done != NULL)
            break;
    }
    if (request == NULL)
        return;
    cache_unlock(making->cache);
    request->first_stage_done(request);
    cache_lock(making->cache);
}

/* Cancels what is over its limit in time; returns how many are made. */
static unsigned look_at_time(struct cache *cache) REQUIRES(lock_of_cache)
{
    struct making *making, *next;
    unsigned running = 0;

    HASH_ITER(hh, cache->makings, making, next)
    {
        if (making->state != MAKING_RUNNING)
            continue;
        running++;
        (void)budget_use_check(&making->use);
    }
    return running;
}

/* What has run longest, and may be ended. */
static struct making *find_oldest(struct cache *cache) REQUIRES(lock_of_cache)
{
    struct making *making, *next, *oldest = NULL;

    HASH_ITER(hh, cache->makings, making, next)
    {
        if (making->state == MAKING_RUNNING && !making->unlimited &&
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
    struct making *oldest = find_oldest(cache);

    if (cache->ending_looks > 0 && --cache->ending_looks > 0)
        return;
    if (oldest == NULL || !budget_use_end_for_memory(&oldest->use, memory_limit()))
        return;
    oldest->alone = running == 1;
    cache->ending_looks = ENDING_LOOKS;
}

/* Whether something is made; what is over a limit is cancelled. On the lookout's thread. */
static bool look(void *context)
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

/* The oldest are forgotten. */
static void remember(struct cache *cache, struct cache_key key, int status) REQUIRES(lock_of_cache)
{
    struct failure *failure = NULL;

    HASH_FIND(hh, cache->failures, &key, sizeof(key), failure);
    if (failure != NULL)
        return;
    if (HASH_COUNT(cache->failures) >= FAILURES_MAX) {
        failure = cache->failures;
        HASH_DEL(cache->failures, failure);
    } else {
        failure = malloc(sizeof(*failure));
    }
    if (failure == NULL)
        return;
    memset(failure, 0, sizeof(*failure));
    failure->key = key;
    failure->status = status;
    HASH_ADD(hh, cache->failures, key, sizeof(failure->key), failure);
    if (failure->hh.tbl == NULL)
        free(failure);
}

static int find_failure(struct cache *cache, struct cache_key key) REQUIRES(lock_of_cache)
{
    struct failure *failure = NULL;

    if (cache->failures == NULL)
        return 0;
    HASH_FIND(hh, cache->failures, &key, sizeof(key), failure);
    return failure != NULL ? failure->status : 0;
}

static void forget_failures(struct cache *cache) REQUIRES(lock_of_cache)
{
    struct failure *failure, *next;

    HASH_ITER(hh, cache->failures, failure, next)
    {
        HASH_DEL(cache->failures, failure);
        free(failure);
    }
}

/* Whether nothing else was made meanwhile, which may have been what had too much memory. */
static bool was_alone(const struct making *making) REQUIRES(lock_of_cache)
{
    const struct making *each, *next;

    if (making->cache->lookout == NULL || atomic_load(&making->use.over))
        return making->cache->lookout == NULL || making->alone;
    HASH_ITER(hh, making->cache->makings, each, next)
    {
        if (each != making && each->state == MAKING_RUNNING)
            return false;
    }
    return true;
}

/* What became of it with regard to limits: told, for which the lock is given up, and remembered. */
static int judge(struct making *making, int status) REQUIRES(lock_of_cache)
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
    remember(cache, making->key, status);
    return status;
}

/*
 * Runs a maker, with the lock given up meanwhile, and ends or reopens the making.
 * The caller counts among its threads, or has set in_pool.
 */
static void run_making(struct making *making, const struct cache_maker *maker, void *context,
                       const struct cancel *cancel) REQUIRES(lock_of_cache)
{
    struct cache *cache = making->cache;
    struct blob *blob = NULL;
    bool others, closing = is_closing(cache);
    unsigned befallen = mishaps();
    int status;

    making->state = MAKING_RUNNING;
    making->unlimited = maker->unlimited;
    making->start = ++cache->starts;
    budget_use_begin(&making->use, maker->unlimited ? NULL : cache->spending,
                     cancel != NULL ? cancel : cache->cancel, cache->lookout == NULL, 0);
    cache_unlock(cache);
    lookout_wake(cache->lookout);
    status = closing ? -EINTR : make(making, maker, context, &blob);
    cache_lock(cache);
    budget_use_end(&making->use);
    status = judge(making, status);
    making->befallen = mishaps() != befallen;

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

static struct making *making_of(struct pool_job *job)
{
    return (struct making *)((char *)job - offsetof(struct making, job));
}

/* On a pool thread, without the lock. */
static void run_job(struct pool_job *job)
{
    struct making *making = making_of(job);
    struct cache *cache = making->cache;
    struct cache_request *request;

    cache_lock(cache);
    request = making->requests;
    if (request == NULL) { /* all cancelled since the job was taken from the queue */
        reopen(making);
    } else {
        making->in_pool = true;
        run_making(making, request->maker, request->context, NULL);
        making->in_pool = false;
    }
    look_after(making);
    cache_unlock(cache);
}

static bool is_mine_to_make(struct making *making) REQUIRES(lock_of_cache)
{
    return making->state == MAKING_OPEN ||
           (making->state == MAKING_QUEUED && pool_withdraw(making->cache->pool, &making->job));
}

/* The caller counts among the making's threads. What befell another thread's befell it, too. */
static int make_or_wait(struct making *making, const struct cache_maker *maker, void *context,
                        const struct cancel *cancel, struct blob **out) REQUIRES(lock_of_cache)
{
    bool waited = false;

    while (making->state != MAKING_DONE) {
        if (cancel_is_raised(cancel) || is_closing(making->cache))
            return -EINTR;
        if (!is_mine_to_make(making)) {
            waited = true;
            thread_wait_a_little(&making->changed, &making->cache->lock);
            continue;
        }
        waited = false;
        run_making(making, maker, context, cancel);
        if (making->state != MAKING_DONE)
            return -EINTR;
    }
    if (waited && making->befallen)
        mishaps_add();
    if (making->status == 0)
        *out = blob_ref(making->blob);
    return making->status;
}

/* A reference to what is there already, or NULL. */
static struct blob *find(struct cache *cache, struct cache_key key) REQUIRES(lock_of_cache)
{
    struct blob *blob = cache_lru_find(&cache->lru, key);

    cache->hits += blob != NULL;
    return blob;
}

static int get_made(struct cache *cache, struct cache_key key, const struct cache_maker *maker,
                    void *context, const struct cancel *cancel, struct blob **out)
    REQUIRES(lock_of_cache)
{
    struct making *making = join_making(cache, key);
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
    *out = find(cache, key);
    if (*out == NULL)
        status = find_failure(cache, key);
    if (*out == NULL && status == 0)
        status = get_made(cache, key, maker, context, cancel, out);
    cache_unlock(cache);
    return status;
}

struct blob *cache_peek(struct cache *cache, struct cache_key key)
{
    struct blob *blob;

    cache_lock(cache);
    blob = find(cache, key);
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
    status = find_failure(cache, key);
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

/* Puts a request to the making of its key, and sees that a thread makes it. */
static int request_made(struct cache *cache, struct cache_request *request) REQUIRES(lock_of_cache)
{
    struct making *making = join_making(cache, request->key);

    if (making == NULL)
        return -ENOMEM;
    request->waiting = true;
    LL_APPEND(making->requests, request);
    if (making->state == MAKING_OPEN && making->threads == 0)
        reopen(making);
    else if (making->state == MAKING_QUEUED && pool_withdraw(cache->pool, &making->job))
        submit(making); /* the newest again */
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
    blob = find(cache, key);
    if (blob == NULL)
        status = find_failure(cache, key);
    if (blob == NULL && status == 0)
        status = request_made(cache, request);
    cache_unlock(cache);
    /* when it waits, it may have been answered by now, and be gone */
    if (blob != NULL || status < 0)
        request->done(request, status, blob);
}

void cache_cancel_request(struct cache *cache, struct cache_request *request)
{
    struct making *making = NULL;

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

bool cache_is_idle(struct cache *cache)
{
    bool idle;

    cache_lock(cache);
    idle = cache->makings == NULL && cache->ending == 0;
    cache_unlock(cache);
    return idle;
}

void cache_destroy(struct cache **cache)
{
    struct cache *destroyed = *cache;
    struct making *making, *next;

    *cache = NULL;
    if (destroyed == NULL)
        return;
    memory_limit_leave(&destroyed->holder);
    cache_lock(destroyed);
    destroyed->closing = true;
    HASH_ITER(hh, destroyed->makings, making, next)
    {
        if (making->state == MAKING_RUNNING)
            cancel_raise(&making->use.cancel);
    }
    while (destroyed->makings != NULL || destroyed->ending > 0)
        pthread_cond_wait(&destroyed->ended, &destroyed->lock);
    cache_lru_clear(&destroyed->lru);
    forget_failures(destroyed);
    cache_unlock(destroyed);
    pthread_cond_destroy(&destroyed->ended);
    pthread_mutex_destroy(&destroyed->lock);
    free(destroyed);
    memory_trim();
}

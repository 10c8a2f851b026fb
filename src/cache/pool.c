/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cache/pool.h"

#include "base/locks.h"
#include "base/thread.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t wake;
    struct pool_job *newest[POOL_PRIORITIES] GUARDED_BY(lock_of_pool);
    unsigned background_running GUARDED_BY(lock_of_pool);
    unsigned free_soon GUARDED_BY(lock_of_pool); /* waiting, or running a job handed over */
    bool stopping GUARDED_BY(lock_of_pool);
    unsigned background_max, thread_count;
    pthread_t threads[];
};

static void take_lock(struct pool *pool) ACQUIRE(lock_of_pool)
{
    pthread_mutex_lock(&pool->lock);
}

static void give_lock(struct pool *pool) RELEASE(lock_of_pool)
{
    pthread_mutex_unlock(&pool->lock);
}

static void enqueue(struct pool *pool, struct pool_job *job, enum pool_priority priority)
    REQUIRES(lock_of_pool)
{
    job->priority = priority;
    job->submitter = pthread_self();
    job->previous = NULL;
    job->next = pool->newest[priority];
    if (job->next != NULL)
        job->next->previous = job;
    pool->newest[priority] = job;
    job->queued = true;
}

static void dequeue(struct pool *pool, struct pool_job *job) REQUIRES(lock_of_pool)
{
    if (job->previous != NULL)
        job->previous->next = job->next;
    else
        pool->newest[job->priority] = job->next;
    if (job->next != NULL)
        job->next->previous = job->previous;
    job->next = job->previous = NULL;
    job->queued = false;
}

static bool may_begin(const struct pool *pool, enum pool_priority priority) REQUIRES(lock_of_pool)
{
    return priority != POOL_BACKGROUND || pool->background_running < pool->background_max;
}

/* Whether another thread will do it, so that this one may do something else. */
static bool is_for_another(const struct pool *pool, const struct pool_job *job)
    REQUIRES(lock_of_pool)
{
    return job->handoff && pool->free_soon > 0 && pthread_equal(job->submitter, pthread_self());
}

static struct pool_job *take_job(struct pool *pool) REQUIRES(lock_of_pool)
{
    for (int priority = 0; priority < POOL_PRIORITIES; priority++) {
        struct pool_job *job = pool->newest[priority];

        while (job != NULL && is_for_another(pool, job))
            job = job->next;
        if (job != NULL && may_begin(pool, priority)) {
            dequeue(pool, job);
            return job;
        }
    }
    return NULL;
}

/* Runs one job, with the lock given up meanwhile. The job may be gone afterwards. */
static void run_job(struct pool *pool, struct pool_job *job) REQUIRES(lock_of_pool)
{
    bool background = job->priority == POOL_BACKGROUND;
    bool brief = job->handoff;

    pool->background_running += background;
    pool->free_soon += brief;
    give_lock(pool);
    job->run(job);
    take_lock(pool);
    pool->background_running -= background;
    pool->free_soon -= brief;
    if (background)
        pthread_cond_signal(&pool->wake); /* another one may begin now */
}

static void *work(void *context)
{
    struct pool *pool = context;

    take_lock(pool);
    while (!pool->stopping) {
        struct pool_job *job = take_job(pool);

        if (job != NULL) {
            run_job(pool, job);
            continue;
        }
        pool->free_soon++;
        pthread_cond_wait(&pool->wake, &pool->lock);
        pool->free_soon--;
    }
    give_lock(pool);
    return NULL;
}

static int start_threads(struct pool *pool, unsigned threads)
{
    int status = 0;

    while (pool->thread_count < threads && status == 0) {
        status = thread_start(&pool->threads[pool->thread_count], work, pool);
        pool->thread_count += status == 0;
    }
    return status;
}

int pool_create(unsigned threads, struct pool **out)
{
    struct pool *pool;
    int status;

    if (threads == 0)
        return -EINVAL;
    pool = calloc(1, sizeof(*pool) + threads * sizeof(pool->threads[0]));
    if (pool == NULL)
        return -ENOMEM;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->wake, NULL);
    pool->background_max = threads > 1 ? threads - 1 : 1;
    status = start_threads(pool, threads);
    if (status < 0)
        pool_destroy(&pool);
    *out = pool;
    return status;
}

void pool_destroy(struct pool **pool)
{
    struct pool *destroyed = *pool;

    *pool = NULL;
    if (destroyed == NULL)
        return;
    take_lock(destroyed);
    destroyed->stopping = true;
    pthread_cond_broadcast(&destroyed->wake);
    give_lock(destroyed);
    for (unsigned i = 0; i < destroyed->thread_count; i++)
        pthread_join(destroyed->threads[i], NULL);
    take_lock(destroyed);
    for (int priority = 0; priority < POOL_PRIORITIES; priority++)
        while (destroyed->newest[priority] != NULL)
            dequeue(destroyed, destroyed->newest[priority]);
    give_lock(destroyed);
    pthread_cond_destroy(&destroyed->wake);
    pthread_mutex_destroy(&destroyed->lock);
    free(destroyed);
}

void pool_submit(struct pool *pool, struct pool_job *job, enum pool_priority priority)
{
    take_lock(pool);
    if (job->queued)
        dequeue(pool, job);
    enqueue(pool, job, priority);
    pthread_cond_signal(&pool->wake);
    give_lock(pool);
}

bool pool_withdraw(struct pool *pool, struct pool_job *job)
{
    bool queued;

    take_lock(pool);
    queued = job->queued;
    if (queued)
        dequeue(pool, job);
    give_lock(pool);
    return queued;
}

bool pool_is_wanted(struct pool *pool)
{
    bool wanted = false;

    take_lock(pool);
    for (int priority = 0; priority < POOL_AHEAD; priority++)
        wanted = wanted || (pool->newest[priority] != NULL && may_begin(pool, priority));
    give_lock(pool);
    return wanted;
}

unsigned pool_threads(const struct pool *pool)
{
    return pool->thread_count;
}

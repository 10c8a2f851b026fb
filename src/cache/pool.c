/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cache/pool.h"

#include "base/locks.h"
#include "base/thread.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A thread, or an entry for one. */
struct pool_thread {
    struct pool *pool;
    pthread_t id;
    pid_t tid GUARDED_BY(lock_of_pool);
    bool started GUARDED_BY(lock_of_pool); /* must be joined */
    bool ended GUARDED_BY(lock_of_pool);   /* has returned, so that joining does not wait */
    bool running GUARDED_BY(lock_of_pool); /* is running a job */
    /* Whether the job's priority is POOL_BACKGROUND, or POOL_AHEAD. */
    bool background GUARDED_BY(lock_of_pool), ahead GUARDED_BY(lock_of_pool);
    /* `is_long`: the job is long. `is_nice`: the thread has the priority POOL_NICE, for good. */
    bool is_long GUARDED_BY(lock_of_pool), is_nice GUARDED_BY(lock_of_pool);
    unsigned looks GUARDED_BY(lock_of_pool); /* how often the watchdog has seen the current job */
};

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t wake;
    struct pool_job *newest[POOL_PRIORITIES] GUARDED_BY(lock_of_pool);
    unsigned running GUARDED_BY(lock_of_pool), background_running GUARDED_BY(lock_of_pool);
    /* How many of `running` and of `background_running` are long. */
    unsigned running_long GUARDED_BY(lock_of_pool), background_long GUARDED_BY(lock_of_pool);
    unsigned free_soon GUARDED_BY(lock_of_pool); /* idle, or running a job with `handoff` */
    unsigned live GUARDED_BY(lock_of_pool);      /* threads that have not ended */
    bool stopping GUARDED_BY(lock_of_pool);
    struct watchdog *watchdog;
    unsigned background_max, thread_count, processors;
    unsigned room; /* number of entries for threads */
    struct pool_thread threads[];
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

/* Returns whether one more job of this priority may run. */
static bool has_room(const struct pool *pool, enum pool_priority priority) REQUIRES(lock_of_pool)
{
    unsigned background = pool->background_running - pool->background_long;

    return priority != POOL_BACKGROUND ||
           (background < pool->background_max &&
            pool->background_running < pool->background_max + POOL_BACKGROUND_SPARES);
}

static bool may_begin(const struct pool *pool, enum pool_priority priority) REQUIRES(lock_of_pool)
{
    if (priority == POOL_AHEAD)
        return pool->running < pool->thread_count;
    return pool->running - pool->running_long < pool->thread_count && has_room(pool, priority);
}

/* Returns whether another thread will run the job, so that this thread can do other work. */
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

static void begin_job(struct pool_thread *thread, const struct pool_job *job) REQUIRES(lock_of_pool)
{
    struct pool *pool = thread->pool;

    thread->running = true;
    thread->background = job->priority == POOL_BACKGROUND;
    thread->ahead = job->priority == POOL_AHEAD;
    thread->looks = 0;
    pool->running++;
    pool->background_running += thread->background;
}

static void end_job(struct pool_thread *thread) REQUIRES(lock_of_pool)
{
    struct pool *pool = thread->pool;
    bool makes_room = thread->background || (thread->is_long && pool->live > pool->thread_count);

    pool->running--;
    pool->background_running -= thread->background;
    pool->running_long -= thread->is_long;
    pool->background_long -= thread->is_long && thread->background;
    thread->running = thread->background = thread->is_long = false;
    if (makes_room)
        pthread_cond_signal(&pool->wake); /* another job may begin */
}

/* Runs one job, with the lock released meanwhile. The job may have been freed afterwards. */
static void run_job(struct pool_thread *thread, struct pool_job *job) REQUIRES(lock_of_pool)
{
    struct pool *pool = thread->pool;
    bool brief = job->handoff, ahead = job->priority == POOL_AHEAD;

    begin_job(thread, job);
    pool->free_soon += brief;
    give_lock(pool);
    if (!ahead)
        watchdog_wake(pool->watchdog);
    job->run(job);
    take_lock(pool);
    pool->free_soon -= brief;
    end_job(thread);
}

static void start_missing(struct pool *pool) REQUIRES(lock_of_pool);

/*
 * Tries to start another thread in place of one that is about to end, and still has its entry.
 * Returns whether that succeeded.
 */
static bool replace_one(struct pool *pool) REQUIRES(lock_of_pool)
{
    unsigned others = --pool->live;
    bool replaced;

    start_missing(pool);
    replaced = pool->live > others;
    pool->live++;
    return replaced;
}

/*
 * Returns whether the thread should end: because there are enough others, or because it has a low
 * priority and could be replaced. If no replacement can be started, it stays, since it may be the
 * last.
 */
static bool is_spare(const struct pool_thread *thread) REQUIRES(lock_of_pool)
{
    struct pool *pool = thread->pool;

    return pool->live - pool->running_long > pool->thread_count ||
           (thread->is_nice && replace_one(pool));
}

static void *work(void *context)
{
    struct pool_thread *thread = context;
    struct pool *pool = thread->pool;

    take_lock(pool);
    thread->tid = (pid_t)syscall(SYS_gettid);
    while (!pool->stopping && !is_spare(thread)) {
        struct pool_job *job = take_job(pool);

        if (job != NULL) {
            run_job(thread, job);
            continue;
        }
        pool->free_soon++;
        pthread_cond_wait(&pool->wake, &pool->lock);
        pool->free_soon--;
    }
    pool->live--;
    thread->ended = true;
    give_lock(pool);
    return NULL;
}

static int start_one(struct pool_thread *thread) REQUIRES(lock_of_pool)
{
    struct pool *pool = thread->pool;
    int status;

    if (thread->started)
        pthread_join(thread->id, NULL);
    *thread = (struct pool_thread){.pool = pool};
    status = thread_start(&thread->id, work, thread);
    thread->started = status == 0;
    pool->live += status == 0;
    return status;
}

/*
 * Starts threads until the pool's number of threads is available for jobs that are not long, or
 * there is no entry left.
 */
static void start_missing(struct pool *pool) REQUIRES(lock_of_pool)
{
    unsigned max = pool->thread_count + POOL_SPARES;

    for (unsigned n = 0; n < pool->room; n++) {
        struct pool_thread *thread = &pool->threads[n];

        if (pool->live >= max || pool->live - pool->running_long >= pool->thread_count)
            return;
        if ((!thread->started || thread->ended) && start_one(thread) < 0)
            return; /* the next look tries again */
    }
}

static void become_long(struct pool_thread *thread) REQUIRES(lock_of_pool)
{
    struct pool *pool = thread->pool;

    thread->is_long = true;
    pool->running_long++;
    pool->background_long += thread->background;
    pthread_cond_broadcast(&pool->wake); /* other jobs may begin */
}

/*
 * Lowers the thread's priority if at least as many jobs are running as there are processors. It
 * stays low until the thread ends.
 */
static void give_way(struct pool_thread *thread) REQUIRES(lock_of_pool)
{
    if (thread->is_nice || thread->pool->running < thread->pool->processors)
        return;
    thread->is_nice = true;
    (void)setpriority(PRIO_PROCESS, (id_t)thread->tid, POOL_NICE);
}

/*
 * Looks for jobs that have become long. Returns whether jobs are running that may become long. Runs
 * on the watchdog's thread.
 */
static bool look(void *context)
{
    struct pool *pool = context;
    bool running = false;

    take_lock(pool);
    for (unsigned n = 0; n < pool->room; n++) {
        struct pool_thread *thread = &pool->threads[n];

        if (!thread->running || thread->ahead)
            continue;
        running = true;
        if (!thread->is_long && ++thread->looks > POOL_LONG / WATCHDOG_INTERVAL_MS)
            become_long(thread);
        if (thread->is_long)
            give_way(thread);
    }
    start_missing(pool);
    give_lock(pool);
    return running;
}

void pool_set_watchdog(struct pool *pool, struct watchdog *watchdog)
{
    pool->watchdog = watchdog;
    watchdog_add(watchdog, look, pool);
}

static int start_threads(struct pool *pool, unsigned threads)
{
    int status = 0;

    take_lock(pool);
    while (pool->thread_count < threads && status == 0) {
        status = start_one(&pool->threads[pool->thread_count]);
        pool->thread_count += status == 0;
    }
    give_lock(pool);
    return status;
}

static struct pool *allocate(unsigned threads) LOCKS_UNCHECKED
{
    unsigned count = threads + POOL_SPARES + 1; /* one that ends, besides its replacement */
    struct pool *pool = calloc(1, sizeof(*pool) + count * sizeof(pool->threads[0]));
    long processors = sysconf(_SC_NPROCESSORS_ONLN);

    if (pool == NULL)
        return NULL;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->wake, NULL);
    pool->background_max = threads > 1 ? threads - 1 : 1;
    pool->processors = processors > 1 ? (unsigned)processors : 1;
    pool->room = count;
    for (unsigned n = 0; n < count; n++)
        pool->threads[n].pool = pool;
    return pool;
}

int pool_create(unsigned threads, struct pool **out)
{
    struct pool *pool;
    int status;

    if (threads == 0)
        return -EINVAL;
    pool = allocate(threads);
    if (pool == NULL)
        return -ENOMEM;
    status = start_threads(pool, threads);
    if (status < 0)
        pool_destroy(&pool);
    *out = pool;
    return status;
}

static bool is_started(struct pool *pool, unsigned n)
{
    bool started;

    take_lock(pool);
    started = pool->threads[n].started;
    give_lock(pool);
    return started;
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
    for (unsigned i = 0; i < destroyed->room; i++)
        if (is_started(destroyed, i))
            pthread_join(destroyed->threads[i].id, NULL);
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
        wanted = wanted || (pool->newest[priority] != NULL && has_room(pool, priority));
    give_lock(pool);
    return wanted;
}

unsigned pool_threads(const struct pool *pool)
{
    return pool->thread_count;
}

void pool_statistics(struct pool *pool, struct pool_statistics *out)
{
    take_lock(pool);
    *out = (struct pool_statistics){
        .threads = pool->live, .running = pool->running, .running_long = pool->running_long};
    give_lock(pool);
}

/* SPDX-License-Identifier: MIT */
/*
 * The pool: the threads that make what is read. Within a priority, the newest job is taken first,
 * which suits thumbnailers best: what was requested last is what is in view. Jobs belong to their
 * submitters and are never copied. Any thread may call these functions. The threads exist from
 * pool_create() on, which must be called after the process has forked.
 *
 * If there is a watchdog (cache/watchdog.h), a job that takes longer than POOL_LONG does not count
 * as one of the pool's jobs any more, and a spare thread takes its place. While at least as many
 * jobs, of any length, are running as there are processors, the threads of long jobs get the lower
 * priority POOL_NICE. The system does not let them raise it again, so such a thread ends with its
 * job.
 */
#ifndef GPUDUMPFS_CACHE_POOL_H
#define GPUDUMPFS_CACHE_POOL_H

#include "base/locks.h"
#include "cache/watchdog.h"

#include <pthread.h>
#include <stdbool.h>

enum pool_priority {
    POOL_READER,     /* a reader waits, and the job is short */
    POOL_BACKGROUND, /* long jobs, and what no reader waits for yet: indexing */
    POOL_AHEAD,      /* what a reader may need soon; run when there is nothing else */
    POOL_PRIORITIES
};

/* Embedded in the submitter's own structure; zero-initialised before first use. */
struct pool_job {
    void (*run)(struct pool_job *job);
    struct pool_job *next, *previous;
    enum pool_priority priority;
    bool queued;
    /*
     * Set by the submitter of a brief job that is better run by another thread, since the
     * submitting thread has other work. The submitting thread does not take the job while another
     * thread is idle or is running a brief job.
     */
    bool handoff;
    pthread_t submitter;
};

enum {
    POOL_LONG = 20,             /* milliseconds after which a job is long */
    POOL_SPARES = 8,            /* maximum number of spare threads, besides the pool's own */
    POOL_BACKGROUND_SPARES = 4, /* maximum number of spare threads that run background jobs */
    POOL_NICE = 10,             /* nice value (setpriority(2)) of threads with long jobs */
};

struct pool;

/*
 * Creates a pool and starts its threads, in which signals are blocked (base/thread.h). Returns 0,
 * -EINVAL if `threads` is 0, or another -errno.
 */
int pool_create(unsigned threads, struct pool **out);

/*
 * Waits for running jobs to return. Queued jobs, and jobs that the running ones submit, are dropped
 * without being run. No other thread may submit or withdraw jobs any more.
 */
void pool_destroy(struct pool **pool) EXCLUDES(lock_of_pool);

/*
 * Queues a job before all others of its priority; a job that is queued already is moved there.
 * Background jobs leave one of several threads free for readers. Jobs of POOL_AHEAD may take all
 * threads, and should be short.
 */
void pool_submit(struct pool *pool, struct pool_job *job, enum pool_priority priority)
    EXCLUDES(lock_of_pool);

/*
 * Takes a job back that no thread has begun. Returns true if it was queued: then the caller may run
 * the job or drop it. A thread that must wait for a queued job takes it over in this way, so that
 * waiting cannot deadlock the pool.
 */
bool pool_withdraw(struct pool *pool, struct pool_job *job) EXCLUDES(lock_of_pool);

/*
 * Returns whether a job more urgent than POOL_AHEAD is queued and could begin. A job of POOL_AHEAD
 * that does one piece of work after another checks this between pieces; if so, it submits the rest
 * again and returns.
 */
bool pool_is_wanted(struct pool *pool) EXCLUDES(lock_of_pool);

/* Returns the number of the pool's own threads, without spare ones. */
unsigned pool_threads(const struct pool *pool);

/*
 * Makes the watchdog look for long jobs. Must be called before any job is submitted. The watchdog
 * must be stopped before the pool is destroyed.
 */
void pool_set_watchdog(struct pool *pool, struct watchdog *watchdog);

/* Numbers of threads, of running jobs, and of those that are long. */
struct pool_statistics {
    unsigned threads, running, running_long;
};
void pool_statistics(struct pool *pool, struct pool_statistics *out) EXCLUDES(lock_of_pool);

#endif

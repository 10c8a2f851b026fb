/* SPDX-License-Identifier: MIT */
/*
 * The threads that make what is read. Work is taken newest first within a priority, which serves a
 * thumbnailer best: what it requested last is what is in view. Jobs belong to
 * their submitters and are never copied; all functions may be called from any
 * thread. They exist from pool_create() on, which comes after the fork.
 *
 * A job that takes longer than POOL_LONG has its own share: with a watchdog, it counts for none of
 * the pool's threads from then on, and a spare thread does what else there is. While there are at
 * least as many such jobs as processors, or of all jobs, their threads have the lower priority
 * POOL_NICE. The system does not give that back, so that such a thread ends with its job.
 */
#ifndef GPUDUMPFS_CACHE_POOL_H
#define GPUDUMPFS_CACHE_POOL_H

#include "base/locks.h"
#include "cache/watchdog.h"

#include <pthread.h>
#include <stdbool.h>

enum pool_priority {
    POOL_READER,     /* a reader waits, not for long */
    POOL_BACKGROUND, /* what takes long, and what no reader waits for yet: indexing */
    POOL_AHEAD,      /* when there is nothing else: what a reader may want soon */
    POOL_PRIORITIES
};

/* Embedded in the submitter's own structure; zero-initialised before first use. */
struct pool_job {
    void (*run)(struct pool_job *job);
    struct pool_job *next, *previous;
    enum pool_priority priority;
    bool queued;
    /*
     * Set by the submitter of a brief job: its own thread, which has something else to do,
     * does not run it while another thread is idle, or runs such a job.
     */
    bool handoff;
    pthread_t submitter;
};

enum {
    POOL_LONG = 20,             /* milliseconds */
    POOL_SPARES = 8,            /* threads beside the pool's own, … */
    POOL_BACKGROUND_SPARES = 4, /* … of which so many are for background jobs */
    POOL_NICE = 10,
};

struct pool;

/* 0 or a negative errno. threads >= 1; all signals are blocked in them. */
int pool_create(unsigned threads, struct pool **out);

/*
 * Waits for running jobs to return; queued ones, and what those submit, are dropped
 * without being run. No other thread may submit or withdraw any more.
 */
void pool_destroy(struct pool **pool) EXCLUDES(lock_of_pool);

/*
 * Queues a job before all others of its priority; one that is queued already is
 * moved there. Background jobs leave one thread of several free for readers; those of
 * POOL_AHEAD may take all, and are to be short.
 */
void pool_submit(struct pool *pool, struct pool_job *job, enum pool_priority priority)
    EXCLUDES(lock_of_pool);

/*
 * Takes a job back that no thread has begun; true if it was, and the caller may
 * run it itself or drop it. A thread that must wait for a queued job takes it
 * over this way, so that waiting can never deadlock the pool.
 */
bool pool_withdraw(struct pool *pool, struct pool_job *job) EXCLUDES(lock_of_pool);

/*
 * Whether a job is queued that is more urgent than POOL_AHEAD, and could begin: then a job
 * that does one piece of such work after the other submits what is left, and returns.
 */
bool pool_is_wanted(struct pool *pool) EXCLUDES(lock_of_pool);

/* Its own, without spare ones. */
unsigned pool_threads(const struct pool *pool);

/* Has the watchdog look for long jobs. Before any is submitted; the watchdog is stopped before the
 * pool is destroyed.
 */
void pool_set_watchdog(struct pool *pool, struct watchdog *watchdog);

/* Threads that there are, jobs that are under way, and those of them that are long. */
struct pool_statistics {
    unsigned threads, running, running_long;
};
void pool_statistics(struct pool *pool, struct pool_statistics *out) EXCLUDES(lock_of_pool);

#endif

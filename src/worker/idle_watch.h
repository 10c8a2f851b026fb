/* SPDX-License-Identifier: MIT */
/*
 * A thread that ends the worker process after it has been idle for after_ms. The thread lives no
 * longer than the process. Any thread may call these functions.
 */
#ifndef GPUDUMPFS_WORKER_IDLE_WATCH_H
#define GPUDUMPFS_WORKER_IDLE_WATCH_H

#include "base/locks.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct idle_watch {
    unsigned after_ms;
    void (*end)(void *context);
    void *context;
    pthread_t thread;
    bool has_thread;      /* `thread` must be joined */
    pthread_mutex_t lock; /* of the guarded fields; held while `end` runs */
    pthread_cond_t changed;
    atomic_bool pressed; /* the process should end as soon as it is not needed */
    unsigned needs GUARDED_BY(lock_of_idle_watch); /* number of calls that hold the process */
    /* Milliseconds of clock_ms() at which the last need ended, or the process began. */
    int64_t since GUARDED_BY(lock_of_idle_watch);
    bool watching GUARDED_BY(lock_of_idle_watch), ended GUARDED_BY(lock_of_idle_watch);
};

/*
 * Sets up the watch; starts no thread. `end` ends the process, if there is one, and is called with
 * the lock held: no thread can begin to need the process meanwhile.
 */
void idle_watch_init(struct idle_watch *idle, unsigned after_ms, void (*end)(void *context),
                     void *context);

/* Stops the thread, and leaves the process to the caller. The process must not be needed. */
void idle_watch_destroy(struct idle_watch *idle) EXCLUDES(lock_of_idle_watch);

/*
 * From this call to idle_watch_release(), the process is needed, and is not ended. The pairs of
 * calls may be nested.
 */
void idle_watch_hold(struct idle_watch *idle) EXCLUDES(lock_of_idle_watch);

/* Ends that need. */
void idle_watch_release(struct idle_watch *idle) EXCLUDES(lock_of_idle_watch);

/*
 * Ends the process soon if it is not needed; otherwise does nothing. Takes no lock, so the request
 * may occasionally be lost.
 */
void idle_watch_press(struct idle_watch *idle);

/* Starts the thread for a new process, which the caller needs. If this fails, the process stays. */
void idle_watch_start(struct idle_watch *idle) EXCLUDES(lock_of_idle_watch);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * A thread that ends the worker process when it has not been used for after_ms. It lives no longer
 * than the process. Any thread.
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
    bool has_thread;      /* to be joined */
    pthread_mutex_t lock; /* of what follows; held while `end` runs */
    pthread_cond_t changed;
    atomic_bool pressed; /* it is to end as soon as it is not needed */
    unsigned needs GUARDED_BY(lock_of_idle_watch);
    /* Milliseconds of clock_ms(): the last need ended, or the process began. */
    int64_t since GUARDED_BY(lock_of_idle_watch);
    bool watching GUARDED_BY(lock_of_idle_watch), ended GUARDED_BY(lock_of_idle_watch);
};

/* `end` ends the process if there is one; it is not needed meanwhile. */
void idle_watch_init(struct idle_watch *idle, unsigned after_ms, void (*end)(void *context),
                     void *context);

/* The process is not needed, and is left to the caller. */
void idle_watch_destroy(struct idle_watch *idle) EXCLUDES(lock_of_idle_watch);

/* Between these two, which may be nested, the process stays. */
void idle_watch_hold(struct idle_watch *idle) EXCLUDES(lock_of_idle_watch);
void idle_watch_release(struct idle_watch *idle) EXCLUDES(lock_of_idle_watch);

/*
 * The process is to end now if it is not needed; else nothing happens. Takes no lock, so that it
 * may come to nothing once in a while.
 */
void idle_watch_press(struct idle_watch *idle);

/* A process begins; the caller needs it. Without a thread it stays. */
void idle_watch_start(struct idle_watch *idle) EXCLUDES(lock_of_idle_watch);

#endif

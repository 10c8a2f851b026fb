/* SPDX-License-Identifier: MIT */
/*
 * A pass over the whole dump, of which much can be told only once it has come far
 * enough: an index, a run. It goes on in steps, in a thread of its own or in one that
 * needs what is not known yet, and never in two at a time. What its steps have written
 * may be read by any thread, once a function below has said that it is known. Any
 * thread; not index_task_init(), index_task_join() and index_task_destroy(), which are its owner's.
 */
#ifndef GPUDUMPFS_CACHE_INDEX_TASK_H
#define GPUDUMPFS_CACHE_INDEX_TASK_H

#include "base/budget.h"
#include "base/cancel.h"
#include "base/locks.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* How far a pass has come; it never goes back. */
struct index_task_position {
    uint64_t known;  /* so many of what it counts, packets as a rule, from the first on */
    uint64_t frames; /* so many frames; a pass may leave it 0 */
    bool ended;      /* all is known */
};

struct index_task_work {
    /*
     * Goes on for some milliseconds; or to the end, polling `cancel`, when it cannot stop
     * and go on later. 0, with the position where it is now; -EINTR when cancelled, and
     * the next caller goes on, likewise after -EAGAIN, which is told to the one that worked as
     * -EIO; any other failure is final, and told to all that wait.
     */
    int (*advance)(void *context, const struct cancel *cancel,
                   struct index_task_position *position);
    void *context;
    const struct cancel *cancel; /* raised when the pass is not wanted any more; NULL: never */
    /*
     * What all steps together may spend; NULL: what they need, as where a pass waits for a dump
     * to grow. Then the pass ends with -EIO, and what is known stays known.
     */
    struct budget *spending;
};

struct index_task {
    struct index_task_work work;
    pthread_t thread;
    bool has_thread;
    pthread_mutex_t lock;
    pthread_cond_t moved;
    struct index_task_position position GUARDED_BY(lock_of_task);
    bool running GUARDED_BY(lock_of_task); /* a thread is in advance() */
    uint64_t spent;                        /* nanoseconds; of that thread */
    /* Threads that wait for it, or work since they would wait. */
    unsigned waiting GUARDED_BY(lock_of_task);
    int status GUARDED_BY(lock_of_task); /* 0, or why it cannot go on */
};

void index_task_init(struct index_task *task, const struct index_task_work *work);

/* Nothing waits, and index_task_join() has returned. */
void index_task_destroy(struct index_task *task);

/*
 * Starts a thread that carries out the pass; with `run`, it does that instead, and what
 * else is to be done behind it. 0 or -errno: then the first caller that needs the pass works.
 */
int index_task_start(struct index_task *task, void *(*run)(void *context), void *context);

/* Returns when the thread has ended, if there is one; it is cancelled by then. */
void index_task_join(struct index_task *task);

/*
 * As index_task_wait(), for a thread that no request waits for: between two steps it leaves the
 * work to callers that wait, at their own priority.
 */
int index_task_work_ahead(struct index_task *task, uint64_t number, const struct cancel *cancel)
    EXCLUDES(lock_of_task, lock_of_cache);

/*
 * Return 0 when what has that number is known, or the frame, or the pass has ended; until
 * then they work on it, unless another thread does. -EINTR when cancelled; the failure.
 */
int index_task_wait(struct index_task *task, uint64_t number, const struct cancel *cancel)
    EXCLUDES(lock_of_task, lock_of_cache);
int index_task_wait_frame(struct index_task *task, uint64_t frame, const struct cancel *cancel)
    EXCLUDES(lock_of_task, lock_of_cache);
int index_task_wait_all(struct index_task *task, const struct cancel *cancel)
    EXCLUDES(lock_of_task, lock_of_cache);

/* Whether those would return 0 at once. Never wait. */
bool index_task_knows(struct index_task *task, uint64_t number)
    EXCLUDES(lock_of_task, lock_of_cache);
bool index_task_knows_frame(struct index_task *task, uint64_t frame)
    EXCLUDES(lock_of_task, lock_of_cache);
bool index_task_knows_all(struct index_task *task) EXCLUDES(lock_of_task, lock_of_cache);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * An index task, called a pass for short: one walk over the complete dump that makes an index or a
 * table, or another large result. Much of the result is known before the pass has ended.
 *
 * A pass proceeds in steps, on a thread of its own or on one that needs what is not known yet, and
 * never on two at the same time. Any thread may read what its steps have written, once a function
 * below has returned that it is known. Any thread may call these functions, except
 * index_task_init(), index_task_join() and index_task_destroy(), which are for the owner.
 */
#ifndef GPUDUMPFS_CACHE_INDEX_TASK_H
#define GPUDUMPFS_CACHE_INDEX_TASK_H

#include "base/budget.h"
#include "base/cancel.h"
#include "base/locks.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* How far a pass has come. It never goes back. */
struct index_task_position {
    uint64_t known;  /* number of known packets, or of other things that the pass counts, from the
                        first on */
    uint64_t frames; /* number of known frames; a pass may leave it 0 */
    bool ended;      /* everything is known */
};

struct index_task_work {
    /*
     * Takes a step of some milliseconds; or does everything, polling `cancel`, if the pass cannot
     * be interrupted and continued. Returns 0 and updates the position. Returns -EINTR if
     * cancelled, or -EAGAIN if only this step failed: the next caller then continues, and after
     * -EAGAIN the caller that took the step gets -EIO. Any other failure is final, and is returned
     * to all that wait.
     */
    int (*advance)(void *context, const struct cancel *cancel,
                   struct index_task_position *position);
    void *context;
    const struct cancel *cancel; /* raised when the pass is no longer needed; NULL: never */
    /*
     * What all steps together may spend; NULL means no limits, as for a pass that waits for a dump
     * to grow. A pass that exceeds it ends with -EIO, and what is known stays known.
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
    uint64_t spent; /* nanoseconds of all steps; for the thread in advance() */
    /* Number of threads that wait, or that take a step instead of waiting. */
    unsigned waiting GUARDED_BY(lock_of_task);
    int status GUARDED_BY(lock_of_task); /* 0, or the failure that ended the pass */
};

/* Initializes a pass; starts nothing. `work` is copied. */
void index_task_init(struct index_task *task, const struct index_task_work *work);

/* Frees a pass. No thread may wait for it, and index_task_join() must have been called. */
void index_task_destroy(struct index_task *task);

/*
 * Starts a thread that carries out the pass. If `run` is not NULL, the thread calls `run` instead,
 * which carries out the pass and then does other work. Returns 0 or -errno; after a failure, the
 * callers that need the pass do its work.
 */
int index_task_start(struct index_task *task, void *(*run)(void *context), void *context);

/* Waits until the thread, if there is one, has ended. The pass should be cancelled before. */
void index_task_join(struct index_task *task);

/*
 * Does the same as index_task_wait(), for a thread that works ahead of all requests: between two
 * steps it leaves the work to callers that wait, which have their own priority.
 */
int index_task_work_ahead(struct index_task *task, uint64_t number, const struct cancel *cancel)
    EXCLUDES(lock_of_task, lock_of_cache);

/*
 * Returns 0 when the packet with this number is known, or the pass has ended. Until then takes
 * steps, unless another thread does. Returns -EINTR if cancelled, or the failure of the pass.
 */
int index_task_wait(struct index_task *task, uint64_t number, const struct cancel *cancel)
    EXCLUDES(lock_of_task, lock_of_cache);

/* The same for the frame with this number. */
int index_task_wait_frame(struct index_task *task, uint64_t frame, const struct cancel *cancel)
    EXCLUDES(lock_of_task, lock_of_cache);

/* The same for everything: returns 0 when the pass has ended. */
int index_task_wait_all(struct index_task *task, const struct cancel *cancel)
    EXCLUDES(lock_of_task, lock_of_cache);

/* Return whether the three functions above would return 0 at once. Never wait. */
bool index_task_knows(struct index_task *task, uint64_t number)
    EXCLUDES(lock_of_task, lock_of_cache);
bool index_task_knows_frame(struct index_task *task, uint64_t frame)
    EXCLUDES(lock_of_task, lock_of_cache);
bool index_task_knows_all(struct index_task *task) EXCLUDES(lock_of_task, lock_of_cache);

#endif

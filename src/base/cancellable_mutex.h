/* SPDX-License-Identifier: MIT */
/*
 * A mutex whose waiting threads can be cancelled. It may be unlocked by a different thread than the
 * one that locked it.
 */
#ifndef GPUDUMPFS_BASE_CANCELLABLE_MUTEX_H
#define GPUDUMPFS_BASE_CANCELLABLE_MUTEX_H

#include "base/cancel.h"
#include "base/locks.h"

#include <pthread.h>
#include <stdbool.h>

/* The order in which waiting threads are served. */
enum cancellable_mutex_rank {
    CANCELLABLE_MUTEX_FIRST,
    CANCELLABLE_MUTEX_SECOND,
    CANCELLABLE_MUTEX_LAST,
    CANCELLABLE_MUTEX_RANKS
};

struct cancellable_mutex {
    pthread_mutex_t lock;
    pthread_cond_t given;
    bool taken GUARDED_BY(lock_of_turn);
    unsigned waiting[CANCELLABLE_MUTEX_RANKS] GUARDED_BY(lock_of_turn);
    unsigned turns GUARDED_BY(lock_of_turn); /* number of times that it was locked */
    /* The rank with which the holder locked the mutex. */
    enum cancellable_mutex_rank rank GUARDED_BY(lock_of_turn);
    /* The flag that the holder passed as `gives_way`; may be NULL. */
    struct cancel *gives_way GUARDED_BY(lock_of_turn);
};

void cancellable_mutex_init(struct cancellable_mutex *mutex);
void cancellable_mutex_destroy(struct cancellable_mutex *mutex);

/*
 * Locks the mutex, with the first rank. Returns 0, or -EINTR if `cancel` (may be NULL) is raised
 * first.
 */
int cancellable_mutex_lock(struct cancellable_mutex *mutex, const struct cancel *cancel)
    EXCLUDES(lock_of_turn);

enum { CANCELLABLE_MUTEX_LATE = 64 };

/*
 * Locks the mutex. Threads that wait with an earlier rank go first, but only for
 * CANCELLABLE_MUTEX_LATE turns: otherwise, readers that never pause would keep this thread waiting
 * for ever. Returns 0 or -EINTR.
 *
 * `gives_way` (may be NULL) is raised as soon as another thread of an earlier rank comes while the
 * mutex is held; the holder should then unlock the mutex soon. Threads of an earlier rank that were
 * already waiting when this thread got the mutex do not raise it: otherwise the turn would be over
 * before it began.
 */
int cancellable_mutex_lock_late(struct cancellable_mutex *mutex, enum cancellable_mutex_rank rank,
                                const struct cancel *cancel, struct cancel *gives_way)
    EXCLUDES(lock_of_turn);
/* Unlocks the mutex. Any thread may do this. */
void cancellable_mutex_unlock(struct cancellable_mutex *mutex) EXCLUDES(lock_of_turn);

#endif

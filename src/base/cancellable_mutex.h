/* SPDX-License-Identifier: MIT */
/*
 * A mutex that is waited for with a cancel flag. It may be unlocked by another thread than
 * the one that locked it.
 */
#ifndef GPUDUMPFS_BASE_CANCELLABLE_MUTEX_H
#define GPUDUMPFS_BASE_CANCELLABLE_MUTEX_H

#include "base/cancel.h"
#include "base/locks.h"

#include <pthread.h>
#include <stdbool.h>

/* The order in which threads that wait are served. */
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
    unsigned turns GUARDED_BY(lock_of_turn);                   /* that were had */
    enum cancellable_mutex_rank rank GUARDED_BY(lock_of_turn); /* of its holder, which … */
    struct cancel *gives_way GUARDED_BY(lock_of_turn); /* … gives way to others; NULL: not so */
};

void cancellable_mutex_init(struct cancellable_mutex *mutex);
void cancellable_mutex_destroy(struct cancellable_mutex *mutex);

/* Of the first rank. 0, or -EINTR when `cancel` (may be NULL) is raised first. */
int cancellable_mutex_lock(struct cancellable_mutex *mutex, const struct cancel *cancel)
    EXCLUDES(lock_of_turn);

enum { CANCELLABLE_MUTEX_LATE = 64 };

/*
 * The same behind all who wait in a rank before this one, but not behind more than
 * CANCELLABLE_MUTEX_LATE turns: readers that never pause would keep it waiting for ever. As soon as
 * one more of them comes, `gives_way` (NULL: nothing) is raised, until it is unlocked; its holder
 * is to unlock it soon then. Those that it went before do not raise it, or it would have had no
 * turn.
 */
int cancellable_mutex_lock_late(struct cancellable_mutex *mutex, enum cancellable_mutex_rank rank,
                                const struct cancel *cancel, struct cancel *gives_way)
    EXCLUDES(lock_of_turn);
void cancellable_mutex_unlock(struct cancellable_mutex *mutex) EXCLUDES(lock_of_turn);

#endif

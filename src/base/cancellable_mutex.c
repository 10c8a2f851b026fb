/* SPDX-License-Identifier: MIT */
#include "base/cancellable_mutex.h"

#include "base/thread.h"

#include <errno.h>

static void take_lock(struct cancellable_mutex *mutex) ACQUIRE(lock_of_turn)
{
    pthread_mutex_lock(&mutex->lock);
}

static void give_lock(struct cancellable_mutex *mutex) RELEASE(lock_of_turn)
{
    pthread_mutex_unlock(&mutex->lock);
}

void cancellable_mutex_init(struct cancellable_mutex *mutex) LOCKS_UNCHECKED
{
    *mutex = (struct cancellable_mutex){.gives_way = NULL};
    pthread_mutex_init(&mutex->lock, NULL);
    thread_condition_init(&mutex->given);
}

void cancellable_mutex_destroy(struct cancellable_mutex *mutex)
{
    pthread_cond_destroy(&mutex->given);
    pthread_mutex_destroy(&mutex->lock);
}

int cancellable_mutex_lock(struct cancellable_mutex *mutex, const struct cancel *cancel)
{
    return cancellable_mutex_lock_late(mutex, CANCELLABLE_MUTEX_FIRST, cancel, NULL);
}

/*
 * Returns whether a thread of this rank, which has waited since turn `begin`, must wait further:
 * for the holder, or because a thread of an earlier rank goes first.
 */
static bool is_anothers(const struct cancellable_mutex *mutex, enum cancellable_mutex_rank rank,
                        unsigned begin) REQUIRES(lock_of_turn)
{
    unsigned before = 0;

    for (unsigned n = 0; n < rank; n++)
        before += mutex->waiting[n];
    return mutex->taken || (before > 0 && mutex->turns - begin < CANCELLABLE_MUTEX_LATE);
}

int cancellable_mutex_lock_late(struct cancellable_mutex *mutex, enum cancellable_mutex_rank rank,
                                const struct cancel *cancel, struct cancel *gives_way)
{
    unsigned begin;
    int status = 0;

    take_lock(mutex);
    begin = mutex->turns;
    if (mutex->gives_way != NULL && rank < mutex->rank)
        cancel_raise(mutex->gives_way);
    mutex->waiting[rank]++;
    while (is_anothers(mutex, rank, begin) && !cancel_is_raised(cancel))
        thread_wait_a_little(&mutex->given, &mutex->lock);
    mutex->waiting[rank]--;
    if (cancel_is_raised(cancel)) {
        status = -EINTR;
    } else {
        mutex->taken = true;
        mutex->turns++;
        mutex->rank = rank;
        mutex->gives_way = gives_way;
    }
    give_lock(mutex);
    return status;
}

void cancellable_mutex_unlock(struct cancellable_mutex *mutex)
{
    take_lock(mutex);
    mutex->taken = false;
    mutex->gives_way = NULL;
    pthread_cond_broadcast(&mutex->given);
    give_lock(mutex);
}

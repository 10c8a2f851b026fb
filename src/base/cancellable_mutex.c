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
    pthread_mutex_init(&mutex->lock, NULL);
    thread_condition_init(&mutex->given);
    mutex->taken = false;
    mutex->waiting = mutex->turns = 0;
    mutex->gives_way = NULL;
}

void cancellable_mutex_destroy(struct cancellable_mutex *mutex)
{
    pthread_cond_destroy(&mutex->given);
    pthread_mutex_destroy(&mutex->lock);
}

/* It is not taken any more: by this thread now, unless that is too late. */
static int take(struct cancellable_mutex *mutex, const struct cancel *cancel,
                struct cancel *gives_way) REQUIRES(lock_of_turn)
{
    if (cancel_is_raised(cancel))
        return -EINTR;
    mutex->taken = true;
    mutex->turns++;
    mutex->gives_way = gives_way;
    return 0;
}

int cancellable_mutex_lock(struct cancellable_mutex *mutex, const struct cancel *cancel)
{
    int status;

    take_lock(mutex);
    if (mutex->gives_way != NULL)
        cancel_raise(mutex->gives_way);
    mutex->waiting++;
    while (mutex->taken && !cancel_is_raised(cancel))
        thread_wait_a_little(&mutex->given, &mutex->lock);
    mutex->waiting--;
    status = take(mutex, cancel, NULL);
    give_lock(mutex);
    return status;
}

int cancellable_mutex_lock_late(struct cancellable_mutex *mutex, const struct cancel *cancel,
                                struct cancel *gives_way)
{
    unsigned begin;
    int status;

    take_lock(mutex);
    begin = mutex->turns;
    while (
        (mutex->taken || (mutex->waiting > 0 && mutex->turns - begin < CANCELLABLE_MUTEX_LATE)) &&
        !cancel_is_raised(cancel))
        thread_wait_a_little(&mutex->given, &mutex->lock);
    status = take(mutex, cancel, gives_way);
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

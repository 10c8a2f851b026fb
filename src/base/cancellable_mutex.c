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
}

void cancellable_mutex_destroy(struct cancellable_mutex *mutex)
{
    pthread_cond_destroy(&mutex->given);
    pthread_mutex_destroy(&mutex->lock);
}

int cancellable_mutex_lock(struct cancellable_mutex *mutex, const struct cancel *cancel)
{
    int status = 0;

    take_lock(mutex);
    while (mutex->taken && !cancel_is_raised(cancel))
        thread_wait_a_little(&mutex->given, &mutex->lock);
    if (cancel_is_raised(cancel))
        status = -EINTR;
    else
        mutex->taken = true;
    give_lock(mutex);
    return status;
}

void cancellable_mutex_unlock(struct cancellable_mutex *mutex)
{
    take_lock(mutex);
    mutex->taken = false;
    pthread_cond_signal(&mutex->given);
    give_lock(mutex);
}

/* SPDX-License-Identifier: MIT */
#include "base/cancellable_mutex.h"

#include "base/thread.h"

#include <errno.h>

void cancellable_mutex_init(struct cancellable_mutex *mutex)
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

    pthread_mutex_lock(&mutex->lock);
    while (mutex->taken && !cancel_requested(cancel))
        thread_wait_a_little(&mutex->given, &mutex->lock);
    if (cancel_requested(cancel))
        status = -EINTR;
    else
        mutex->taken = true;
    pthread_mutex_unlock(&mutex->lock);
    return status;
}

void cancellable_mutex_unlock(struct cancellable_mutex *mutex)
{
    pthread_mutex_lock(&mutex->lock);
    mutex->taken = false;
    pthread_cond_signal(&mutex->given);
    pthread_mutex_unlock(&mutex->lock);
}

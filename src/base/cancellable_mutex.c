#include "base/cancellable_mutex.h"

#include "base/thread.h"

#include <errno.h>

void cancellable_mutex_init(struct cancellable_mutex *turn)
{
    pthread_mutex_init(&turn->lock, NULL);
    thread_condition_init(&turn->given);
    turn->taken = false;
}

void cancellable_mutex_destroy(struct cancellable_mutex *turn)
{
    pthread_cond_destroy(&turn->given);
    pthread_mutex_destroy(&turn->lock);
}

int cancellable_mutex_lock(struct cancellable_mutex *turn, const struct cancel *cancel)
{
    int status = 0;

    pthread_mutex_lock(&turn->lock);
    while (turn->taken && !cancel_requested(cancel))
        thread_wait_a_little(&turn->given, &turn->lock);
    if (cancel_requested(cancel))
        status = -EINTR;
    else
        turn->taken = true;
    pthread_mutex_unlock(&turn->lock);
    return status;
}

void cancellable_mutex_unlock(struct cancellable_mutex *turn)
{
    pthread_mutex_lock(&turn->lock);
    turn->taken = false;
    pthread_cond_signal(&turn->given);
    pthread_mutex_unlock(&turn->lock);
}

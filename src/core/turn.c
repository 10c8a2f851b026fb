#include "core/turn.h"

#include "core/thread.h"

#include <errno.h>

void turn_init(struct turn *turn)
{
    pthread_mutex_init(&turn->lock, NULL);
    thread_condition_init(&turn->given);
    turn->taken = false;
}

void turn_destroy(struct turn *turn)
{
    pthread_cond_destroy(&turn->given);
    pthread_mutex_destroy(&turn->lock);
}

int turn_take(struct turn *turn, const struct cancel *cancel)
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

void turn_give(struct turn *turn)
{
    pthread_mutex_lock(&turn->lock);
    turn->taken = false;
    pthread_cond_signal(&turn->given);
    pthread_mutex_unlock(&turn->lock);
}

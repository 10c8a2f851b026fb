/*
 * What one thread at a time may have: others wait for their turn, or go away. A turn may
 * be given back by another thread than took it.
 */
#ifndef GPUDUMPFS_BASE_CANCELLABLE_MUTEX_H
#define GPUDUMPFS_BASE_CANCELLABLE_MUTEX_H

#include "base/cancel.h"

#include <pthread.h>
#include <stdbool.h>

struct cancellable_mutex {
    pthread_mutex_t lock;
    pthread_cond_t given;
    bool taken;
};

void cancellable_mutex_init(struct cancellable_mutex *turn);
void cancellable_mutex_destroy(struct cancellable_mutex *turn);

/* 0, or -EINTR when `cancel` (may be NULL) is raised first. */
int cancellable_mutex_lock(struct cancellable_mutex *turn, const struct cancel *cancel);
void cancellable_mutex_unlock(struct cancellable_mutex *turn);

#endif

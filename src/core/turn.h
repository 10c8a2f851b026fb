/*
 * What one thread at a time may have: others wait for their turn, or go away. A turn may
 * be given back by another thread than took it.
 */
#ifndef GPUDUMPFS_CORE_TURN_H
#define GPUDUMPFS_CORE_TURN_H

#include "core/cancel.h"

#include <pthread.h>
#include <stdbool.h>

struct turn {
    pthread_mutex_t lock;
    pthread_cond_t given;
    bool taken;
};

void turn_init(struct turn *turn);
void turn_destroy(struct turn *turn);

/* 0, or -EINTR when `cancel` (may be NULL) is raised first. */
int turn_take(struct turn *turn, const struct cancel *cancel);
void turn_give(struct turn *turn);

#endif

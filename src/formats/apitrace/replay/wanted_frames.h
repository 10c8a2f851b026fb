/* SPDX-License-Identifier: MIT */
/*
 * Frames that requests wait for: the request that has the player's session draws them, too, on its
 * way. Any thread.
 */
#ifndef GPUDUMPFS_FORMATS_APITRACE_REPLAY_WAITING_H
#define GPUDUMPFS_FORMATS_APITRACE_REPLAY_WAITING_H

#include "base/locks.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum { APITRACE_WAITING_MAX = 32 }; /* beyond so many a request waits unknown to others */

struct apitrace_waiting {
    pthread_mutex_t lock; /* of what follows */
    uint64_t frames[APITRACE_WAITING_MAX] GUARDED_BY(lock_of_apitrace_waiting);
    unsigned count GUARDED_BY(lock_of_apitrace_waiting);
};

/* A request's: its owner's alone. */
struct apitrace_waiter {
    uint64_t frame;
    bool listed;
};

void apitrace_waiting_init(struct apitrace_waiting *waiting);
void apitrace_waiting_destroy(struct apitrace_waiting *waiting);

/* One that is listed stays as it is, and so does one that is not. */
void apitrace_waiting_add(struct apitrace_waiting *waiting, struct apitrace_waiter *waiter);
void apitrace_waiting_remove(struct apitrace_waiting *waiting, struct apitrace_waiter *waiter);

/* The first frame that a request waits for, from one on up to another; if there is none, that. */
uint64_t apitrace_waiting_first(struct apitrace_waiting *waiting, uint64_t from, uint64_t to);

#endif

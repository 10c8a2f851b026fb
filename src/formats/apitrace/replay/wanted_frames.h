/* SPDX-License-Identifier: MIT */
/*
 * Frames that requests wait for: the request that has the player's session draws them, too, on its
 * way. Any thread.
 */
#ifndef GPUDUMPFS_FORMATS_APITRACE_REPLAY_WANTED_FRAMES_H
#define GPUDUMPFS_FORMATS_APITRACE_REPLAY_WANTED_FRAMES_H

#include "base/locks.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum { APITRACE_WANTED_FRAMES_MAX = 32 }; /* beyond so many a request waits unknown to others */

struct apitrace_wanted_frames {
    pthread_mutex_t lock; /* of what follows */
    uint64_t frames[APITRACE_WANTED_FRAMES_MAX] GUARDED_BY(lock_of_apitrace_wanted_frames);
    unsigned count GUARDED_BY(lock_of_apitrace_wanted_frames);
};

/* A request's: its owner's alone. */
struct apitrace_waiter {
    uint64_t frame;
    bool listed;
};

void apitrace_wanted_frames_init(struct apitrace_wanted_frames *wanted);
void apitrace_wanted_frames_destroy(struct apitrace_wanted_frames *wanted);

/* One that is listed stays as it is, and so does one that is not. */
void apitrace_wanted_frames_add(struct apitrace_wanted_frames *wanted,
                                struct apitrace_waiter *waiter);
void apitrace_wanted_frames_remove(struct apitrace_wanted_frames *wanted,
                                   struct apitrace_waiter *waiter);

/* The first frame that a request waits for, from one on up to another; if there is none, that. */
uint64_t apitrace_wanted_frames_first(struct apitrace_wanted_frames *wanted, uint64_t from,
                                      uint64_t to);

#endif

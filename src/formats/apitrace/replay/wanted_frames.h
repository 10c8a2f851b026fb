/* SPDX-License-Identifier: MIT */
/*
 * Frames that requests are waiting for: the request that has the player's session draws them on its
 * way, too. Any thread.
 */
#ifndef GPUDUMPFS_FORMATS_APITRACE_REPLAY_WANTED_FRAMES_H
#define GPUDUMPFS_FORMATS_APITRACE_REPLAY_WANTED_FRAMES_H

#include "base/locks.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum { APITRACE_WANTED_FRAMES_MAX = 32 }; /* further requests wait without being listed */

struct apitrace_wanted_frames {
    pthread_mutex_t lock; /* guards what follows */
    uint64_t frames[APITRACE_WANTED_FRAMES_MAX] GUARDED_BY(lock_of_apitrace_wanted_frames);
    unsigned count GUARDED_BY(lock_of_apitrace_wanted_frames);
};

/* The entry of a request, used only by that. */
struct apitrace_waiter {
    uint64_t frame;
    bool listed;
};

void apitrace_wanted_frames_init(struct apitrace_wanted_frames *wanted);
void apitrace_wanted_frames_destroy(struct apitrace_wanted_frames *wanted);

/* Lists a waiter's frame. Has no effect if the waiter is listed, or there is no room. */
void apitrace_wanted_frames_add(struct apitrace_wanted_frames *wanted,
                                struct apitrace_waiter *waiter);

/* No longer lists a waiter's frame. Has no effect if the waiter is not listed. */
void apitrace_wanted_frames_remove(struct apitrace_wanted_frames *wanted,
                                   struct apitrace_waiter *waiter);

/* Returns the first frame >= from and < to that a request waits for; `to` if there is none. */
uint64_t apitrace_wanted_frames_first(struct apitrace_wanted_frames *wanted, uint64_t from,
                                      uint64_t to);

#endif

/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/replay/wanted_frames.h"

static void take_lock(struct apitrace_wanted_frames *wanted) ACQUIRE(lock_of_apitrace_wanted_frames)
{
    pthread_mutex_lock(&wanted->lock);
}

static void give_lock(struct apitrace_wanted_frames *wanted) RELEASE(lock_of_apitrace_wanted_frames)
{
    pthread_mutex_unlock(&wanted->lock);
}

void apitrace_wanted_frames_init(struct apitrace_wanted_frames *wanted) LOCKS_UNCHECKED
{
    pthread_mutex_init(&wanted->lock, NULL);
    wanted->count = 0;
}

void apitrace_wanted_frames_destroy(struct apitrace_wanted_frames *wanted)
{
    pthread_mutex_destroy(&wanted->lock);
}

void apitrace_wanted_frames_add(struct apitrace_wanted_frames *wanted,
                                struct apitrace_waiter *waiter)
{
    take_lock(wanted);
    if (!waiter->listed && wanted->count < APITRACE_WANTED_FRAMES_MAX) {
        wanted->frames[wanted->count++] = waiter->frame;
        waiter->listed = true;
    }
    give_lock(wanted);
}

void apitrace_wanted_frames_remove(struct apitrace_wanted_frames *wanted,
                                   struct apitrace_waiter *waiter)
{
    if (!waiter->listed)
        return;
    take_lock(wanted);
    for (unsigned n = 0; n < wanted->count; n++)
        if (wanted->frames[n] == waiter->frame) {
            wanted->frames[n] = wanted->frames[--wanted->count];
            break;
        }
    give_lock(wanted);
    waiter->listed = false;
}

uint64_t apitrace_wanted_frames_first(struct apitrace_wanted_frames *wanted, uint64_t from,
                                      uint64_t to)
{
    take_lock(wanted);
    for (unsigned n = 0; n < wanted->count; n++)
        if (wanted->frames[n] >= from && wanted->frames[n] < to)
            to = wanted->frames[n];
    give_lock(wanted);
    return to;
}

/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/replay/waiting.h"

static void take_lock(struct apitrace_waiting *waiting) ACQUIRE(lock_of_apitrace_waiting)
{
    pthread_mutex_lock(&waiting->lock);
}

static void give_lock(struct apitrace_waiting *waiting) RELEASE(lock_of_apitrace_waiting)
{
    pthread_mutex_unlock(&waiting->lock);
}

void apitrace_waiting_init(struct apitrace_waiting *waiting) LOCKS_UNCHECKED
{
    pthread_mutex_init(&waiting->lock, NULL);
    waiting->count = 0;
}

void apitrace_waiting_destroy(struct apitrace_waiting *waiting)
{
    pthread_mutex_destroy(&waiting->lock);
}

void apitrace_waiting_add(struct apitrace_waiting *waiting, struct apitrace_waiter *waiter)
{
    take_lock(waiting);
    if (!waiter->listed && waiting->count < APITRACE_WAITING_MAX) {
        waiting->frames[waiting->count++] = waiter->frame;
        waiter->listed = true;
    }
    give_lock(waiting);
}

void apitrace_waiting_remove(struct apitrace_waiting *waiting, struct apitrace_waiter *waiter)
{
    if (!waiter->listed)
        return;
    take_lock(waiting);
    for (unsigned n = 0; n < waiting->count; n++)
        if (waiting->frames[n] == waiter->frame) {
            waiting->frames[n] = waiting->frames[--waiting->count];
            break;
        }
    give_lock(waiting);
    waiter->listed = false;
}

uint64_t apitrace_waiting_first(struct apitrace_waiting *waiting, uint64_t from, uint64_t to)
{
    take_lock(waiting);
    for (unsigned n = 0; n < waiting->count; n++)
        if (waiting->frames[n] >= from && waiting->frames[n] < to)
            to = waiting->frames[n];
    give_lock(waiting);
    return to;
}

/* SPDX-License-Identifier: MIT */
/*
 * A thread that looks at what is under way, a hundred times a second while there is something:
 * what takes long is noticed by nobody else. It sleeps when all that it looked at was short or
 * over for a while. One for each mount, for its pool and its cache.
 */
#ifndef GPUDUMPFS_CACHE_WATCHDOG_H
#define GPUDUMPFS_CACHE_WATCHDOG_H

#include "base/locks.h"

#include <stdbool.h>

enum { WATCHDOG_INTERVAL_MS = 10 };

struct watchdog;

/* 0 or -errno. Its thread is started; so after the fork. */
int watchdog_create(struct watchdog **out);

/* Ends the thread: nothing is looked at any more. Again does no harm, nor NULL. */
void watchdog_stop(struct watchdog *watchdog) EXCLUDES(lock_of_watchdog);

/* Nobody wakes it any more. */
void watchdog_destroy(struct watchdog **watchdog) EXCLUDES(lock_of_watchdog);

/*
 * Adds what is looked at, before it wakes the watchdog: `look` returns whether something is under
 * way. Called by the watchdog's thread, with no lock held.
 */
void watchdog_add(struct watchdog *watchdog, bool (*look)(void *context),
                  void *context) LOCKS_UNCHECKED;

/* Something begins that may take long. Any thread; NULL is fine. Cheap while it is awake. */
void watchdog_wake(struct watchdog *watchdog) EXCLUDES(lock_of_watchdog);

#endif

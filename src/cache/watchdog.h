/* SPDX-License-Identifier: MIT */
/*
 * A thread that checks running work a hundred times a second, as long as there is any, since
 * nothing else notices what takes long. It sleeps when everything that it checks has been idle for
 * a while. Each mount has one, for its pool and its cache.
 */
#ifndef GPUDUMPFS_CACHE_WATCHDOG_H
#define GPUDUMPFS_CACHE_WATCHDOG_H

#include "base/locks.h"

#include <stdbool.h>

enum { WATCHDOG_INTERVAL_MS = 10 };

struct watchdog;

/*
 * Creates a watchdog and starts its thread, so it must be called after the fork. Returns 0 or
 * -errno.
 */
int watchdog_create(struct watchdog **out);

/* Stops the thread: nothing is checked after this returns. May be called again; NULL is ignored. */
void watchdog_stop(struct watchdog *watchdog) EXCLUDES(lock_of_watchdog);

/* No thread may wake it any more. */
void watchdog_destroy(struct watchdog **watchdog) EXCLUDES(lock_of_watchdog);

/*
 * Adds a function that checks running work, and returns whether there is any. The watchdog's thread
 * calls it with no lock held. Must be called before the watchdog is first woken.
 */
void watchdog_add(struct watchdog *watchdog, bool (*look)(void *context),
                  void *context) LOCKS_UNCHECKED;

/* Announces work that may take long. Any thread; NULL is ignored. Cheap while it is awake. */
void watchdog_wake(struct watchdog *watchdog) EXCLUDES(lock_of_watchdog);

#endif

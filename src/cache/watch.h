/* SPDX-License-Identifier: MIT */
/*
 * A thread that looks at what is under way, a hundred times a second while there is something:
 * what takes long is noticed by nobody else. It sleeps when all that it looked at was short or
 * over for a while. One for each mount, for its pool and its cache.
 */
#ifndef GPUDUMPFS_CACHE_WATCH_H
#define GPUDUMPFS_CACHE_WATCH_H

#include "base/locks.h"

#include <stdbool.h>

enum { WATCH_MILLISECONDS = 10 };

struct watch;

/* 0 or -errno. Its thread is started; so after the fork. */
int watch_create(struct watch **out);

/* Ends the thread: nothing is looked at any more. Again does no harm, nor NULL. */
void watch_stop(struct watch *watch) EXCLUDES(lock_of_watch);

/* Nobody wakes it any more. */
void watch_destroy(struct watch **watch) EXCLUDES(lock_of_watch);

/*
 * Adds what is looked at, before it wakes the watch: `look` returns whether something is under
 * way. Called by the watch's thread, with no lock held.
 */
void watch_add(struct watch *watch, bool (*look)(void *context), void *context) LOCKS_UNCHECKED;

/* Something begins that may take long. Any thread; NULL is fine. Cheap while it is awake. */
void watch_wake(struct watch *watch) EXCLUDES(lock_of_watch);

#endif

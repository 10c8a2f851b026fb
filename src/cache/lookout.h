/* SPDX-License-Identifier: MIT */
/*
 * A thread that looks at what is under way, a hundred times a second while there is something:
 * what takes long is noticed by nobody else. It sleeps when all that it looked at was short or
 * over for a while. One for each mount, for its pool and its cache.
 */
#ifndef GPUDUMPFS_CACHE_LOOKOUT_H
#define GPUDUMPFS_CACHE_LOOKOUT_H

#include "base/locks.h"

#include <stdbool.h>

enum { LOOKOUT_MILLISECONDS = 10 };

struct lookout;

/* 0 or -errno. Its thread is started; so after the fork. */
int lookout_create(struct lookout **out);

/* Ends the thread: nothing is looked at any more. Again does no harm, nor NULL. */
void lookout_stop(struct lookout *lookout) EXCLUDES(lock_of_lookout);

/* Nobody wakes it any more. */
void lookout_destroy(struct lookout **lookout) EXCLUDES(lock_of_lookout);

/*
 * Adds what is looked at, before it wakes the lookout: `look` returns whether something is under
 * way. Called by the lookout's thread, with no lock held.
 */
void lookout_add(struct lookout *lookout, bool (*look)(void *context),
                 void *context) LOCKS_UNCHECKED;

/* Something begins that may take long. Any thread; NULL is fine. Cheap while it is awake. */
void lookout_wake(struct lookout *lookout) EXCLUDES(lock_of_lookout);

#endif

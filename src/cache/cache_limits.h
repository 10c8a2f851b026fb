/* SPDX-License-Identifier: MIT */
/*
 * What makings may spend: time, and memory that the whole process may hold. The watchdog cancels
 * what is over its limit; what became of that is told, and remembered where trying again would
 * end alike. The cache's own part.
 */
#ifndef GPUDUMPFS_CACHE_CACHE_LIMITS_H
#define GPUDUMPFS_CACHE_CACHE_LIMITS_H

#include "base/locks.h"
#include "cache/internal.h"

#include <stdbool.h>

/*
 * Whether something is made; what is over a limit is cancelled. On the watchdog's thread; `context`
 * is the cache.
 */
bool cache_limits_look(void *context) EXCLUDES(lock_of_cache);

/*
 * The status that a making comes to with regard to limits. It is told, for which the lock is given
 * up, and remembered.
 */
int cache_limits_judge(struct cache_making *making, int status) REQUIRES(lock_of_cache);

#endif

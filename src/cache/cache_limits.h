/* SPDX-License-Identifier: MIT */
/*
 * What makings may spend: time, and memory of the process as a whole. The watchdog cancels makings
 * that exceed a limit. The failure is reported, and remembered if a retry would end in the same
 * way. A part of the cache.
 */
#ifndef GPUDUMPFS_CACHE_CACHE_LIMITS_H
#define GPUDUMPFS_CACHE_CACHE_LIMITS_H

#include "base/locks.h"
#include "cache/internal.h"

#include <stdbool.h>

/*
 * Cancels makings that exceed a limit, and returns whether anything is being made. Called by the
 * watchdog's thread; `context` is the cache.
 */
bool cache_limits_look(void *context) EXCLUDES(lock_of_cache);

/*
 * Returns the status with which a making ends, given the `status` of its maker and the limits.
 * Reports exceeded limits, with the lock released meanwhile, and remembers the failure.
 */
int cache_limits_judge(struct cache_making *making, int status) REQUIRES(lock_of_cache);

#endif

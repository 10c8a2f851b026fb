/* SPDX-License-Identifier: MIT */
/*
 * Remembers the latest few thousand items that could not be made within the limits, so that they
 * are not tried again. A part of the cache, like cache_lru.h: every function is called with the
 * cache's lock held.
 */
#ifndef GPUDUMPFS_CACHE_CACHE_FAILURES_H
#define GPUDUMPFS_CACHE_CACHE_FAILURES_H

#include "cache/cache_key.h"

struct cache_failure;

struct cache_failures {
    struct cache_failure *table; /* uthash's head, oldest first */
};

/*
 * Adds a failure unless there is one with this key. Replaces the oldest if there are too many.
 * Without memory it does nothing.
 */
void cache_failures_add(struct cache_failures *failures, struct cache_key key, int status);

/* Returns the status that was added for this key, or 0. */
int cache_failures_find(const struct cache_failures *failures, struct cache_key key);

/* Forgets all failures. */
void cache_failures_clear(struct cache_failures *failures);

#endif

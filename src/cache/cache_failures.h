/* SPDX-License-Identifier: MIT */
/*
 * Items that cannot be made within the limits, so that nothing tries again: the latest some
 * thousands of them. The cache's own part, like cache_lru.h: every function is called with its
 * lock held.
 */
#ifndef GPUDUMPFS_CACHE_CACHE_FAILURES_H
#define GPUDUMPFS_CACHE_CACHE_FAILURES_H

#include "cache/cache_key.h"

struct cache_failure;

struct cache_failures {
    struct cache_failure *table; /* uthash's head, the oldest first */
};

/* Adds one unless it is there, in place of the oldest when there are too many; or not, without
 * memory. */
void cache_failures_add(struct cache_failures *failures, struct cache_key key, int status);

/* The status that was added with this key, or 0. */
int cache_failures_find(const struct cache_failures *failures, struct cache_key key);

void cache_failures_clear(struct cache_failures *failures);

#endif

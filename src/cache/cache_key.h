/* SPDX-License-Identifier: MIT */
/*
 * Identifies an item of the cache: an inode number of the tree, and a part of that file. Keys are
 * compared byte by byte.
 */
#ifndef GPUDUMPFS_CACHE_CACHE_KEY_H
#define GPUDUMPFS_CACHE_CACHE_KEY_H

#include <stdint.h>

struct cache_key {
    uint64_t item;
    uint64_t part;
};

#endif

/* SPDX-License-Identifier: MIT */
/*
 * What an item of the cache is: an inode number of the tree, and a part of that file.
 * Compared byte by byte.
 */
#ifndef GPUDUMPFS_CACHE_CACHE_KEY_H
#define GPUDUMPFS_CACHE_CACHE_KEY_H

#include <stdint.h>

struct cache_key {
    uint64_t item;
    uint64_t part;
};

#endif

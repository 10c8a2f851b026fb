/* SPDX-License-Identifier: MIT */
/*
 * A hash table from numbers found in the dump (pointers, thread numbers) to our
 * own 32-bit ordinals. Open addressing, linear probing; its order is never
 * looked at, so that results do not depend on it. Not shared among threads.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_MAP_H
#define GPUDUMPFS_FORMATS_VMA_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct vma_map {
    struct vma_map_entry *entries;
    uint64_t secret; /* of the hash */
    uint32_t mask;   /* entries - 1; 0: no table yet */
    uint32_t count;
};

struct vma_map_entry {
    uint64_t key;
    uint32_t value; /* VMA_MAP_NONE: an empty place */
};

enum { VMA_MAP_NONE = 0 };

void vma_map_clear(struct vma_map *map); /* frees everything */

/* The key will be looked up soon. */
void vma_map_expect(const struct vma_map *map, uint64_t key);

/* The key's value, or VMA_MAP_NONE. */
uint32_t vma_map_get(const struct vma_map *map, uint64_t key);

/* Sets the key's value (not VMA_MAP_NONE). 0 or -ENOMEM, then nothing has changed. */
int vma_map_set(struct vma_map *map, uint64_t key, uint32_t value);

/* The same, and *old is what it was, or VMA_MAP_NONE. */
int vma_map_exchange(struct vma_map *map, uint64_t key, uint32_t value, uint32_t *old);

/* Removes the key; its value, or VMA_MAP_NONE if it was not there. */
uint32_t vma_map_remove(struct vma_map *map, uint64_t key);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * A hash table from numbers in the dump (pointers, thread numbers) to our own 32-bit ordinals. Open
 * addressing with linear probing. Entries are never iterated, so results do not depend on their
 * order. Not shared among threads.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_MAP_H
#define GPUDUMPFS_FORMATS_VMA_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct vma_map {
    struct vma_map_entry *entries;
    uint64_t secret; /* mixed into the hash */
    uint32_t mask;   /* number of entries - 1; 0: no table yet */
    uint32_t count;
};

struct vma_map_entry {
    uint64_t key;
    uint32_t value; /* VMA_MAP_NONE if the entry is unused */
};

enum { VMA_MAP_NONE = 0 };

void vma_map_clear(struct vma_map *map); /* frees everything */

/* Prefetches the entry of a key that will be looked up soon. */
void vma_map_expect(const struct vma_map *map, uint64_t key);

/* Returns the key's value, or VMA_MAP_NONE. */
uint32_t vma_map_get(const struct vma_map *map, uint64_t key);

/*
 * Sets the key's value, which must not be VMA_MAP_NONE. Returns 0, or -ENOMEM, leaving the map
 * unchanged.
 */
int vma_map_set(struct vma_map *map, uint64_t key, uint32_t value);

/* The same, and sets *old to the previous value, or VMA_MAP_NONE. */
int vma_map_exchange(struct vma_map *map, uint64_t key, uint32_t value, uint32_t *old);

/* Removes a key. Returns its value, or VMA_MAP_NONE if it was not in the map. */
uint32_t vma_map_remove(struct vma_map *map, uint64_t key);

#endif

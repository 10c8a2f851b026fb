/* SPDX-License-Identifier: MIT */
/*
 * Memory for an index, which lasts as long as its dump: an arena, whose allocations are all freed
 * at once, and arrays that grow. One thread at a time. If an array is in reserved address space,
 * other threads may read its existing elements at the same time.
 */
#ifndef GPUDUMPFS_APITRACE_COLLECTIONS_H
#define GPUDUMPFS_APITRACE_COLLECTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct apitrace_arena_block;

struct apitrace_arena {
    struct apitrace_arena_block *blocks;
    uint64_t taken, max; /* bytes */
};

/*
 * Returns `size` zeroed bytes, aligned for any type, or NULL if memory is short or the arena would
 * exceed `max`. apitrace_arena_clear() frees them.
 */
void *apitrace_arena_take(struct apitrace_arena *arena, size_t size);
void apitrace_arena_clear(struct apitrace_arena *arena);

/* The memory of a group of arrays. */
struct apitrace_memory {
    uint64_t taken;   /* bytes */
    uint64_t reserve; /* address space of each array, which then never moves; 0: they move */
};

/*
 * Returns how many bytes to reserve for each of several arrays that may take `max` bytes together.
 * That is more than `max`, since `max` is not checked at every step.
 */
static inline uint64_t apitrace_reserve(uint64_t max)
{
    const uint64_t limit = UINT64_C(1) << 36;

    return max < limit / 4 ? 4 * max : limit;
}

/*
 * Ensures that an array with room for `*room` elements of `size` bytes can hold more than `count`,
 * growing it if necessary. `array` points to the array pointer. Adds the growth in bytes to
 * `memory`. Returns 0 or -ENOMEM.
 */
int apitrace_grow(void *array, uint64_t count, uint64_t *room, size_t size,
                  struct apitrace_memory *memory);

/* Frees an array that apitrace_grow() made. NULL is allowed. */
void apitrace_free(void *array, const struct apitrace_memory *memory);

/*
 * A map from pairs of numbers that a trace names (an object and its level, a kind and a handle) to
 * a number of this program. Iteration order does not matter. One thread at a time; several threads
 * may read a map that does not change. Records that are pointed to, or listed in the end (contexts,
 * threads, drawables, framebuffers, settings), are in uthash tables of their own.
 */
struct apitrace_map_entry;

/* Empty if all zero. */
struct apitrace_map {
    struct apitrace_map_entry *entries;
};

/* Returns false, leaving *value untouched, if the map has no such pair. */
bool apitrace_map_get(const struct apitrace_map *map, uint64_t first, uint64_t second,
                      uint64_t *value);

/* Sets the value of a pair. Returns 0, or -ENOMEM, leaving the map unchanged. */
int apitrace_map_set(struct apitrace_map *map, uint64_t first, uint64_t second, uint64_t value);

/* Removes a pair, if the map has it. */
void apitrace_map_remove(struct apitrace_map *map, uint64_t first, uint64_t second);

uint64_t apitrace_map_count(const struct apitrace_map *map);
uint64_t apitrace_map_bytes(const struct apitrace_map *map); /* approximate, of memory */
void apitrace_map_clear(struct apitrace_map *map); /* frees all entries and leaves the map empty */

#endif

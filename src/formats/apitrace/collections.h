/* SPDX-License-Identifier: MIT */
/*
 * Memory for what an index keeps as long as a dump: an arena, of which pieces are
 * taken and all freed at once, and arrays that grow. One thread at a time; of arrays in
 * reserved address space others may read elements that are there meanwhile.
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

/* `size` bytes, aligned for anything, zero; NULL when memory is short or `max` reached. */
void *apitrace_arena_take(struct apitrace_arena *arena, size_t size);
void apitrace_arena_clear(struct apitrace_arena *arena);

/* What arrays take. */
struct apitrace_memory {
    uint64_t taken;   /* bytes */
    uint64_t reserve; /* address space for each array, which then never moves; 0: they move */
};

/*
 * What to reserve for each of some arrays that may take `max` bytes together: more, for they are
 * not counted at every step.
 */
static inline uint64_t apitrace_reserve(uint64_t max)
{
    const uint64_t limit = UINT64_C(1) << 36;

    return max < limit / 4 ? 4 * max : limit;
}

/*
 * Sees to it that an array of `*room` elements has room for more than `count`: `array`
 * points to the pointer to it. What it grows by is added to `memory`. 0 or -ENOMEM.
 */
int apitrace_grow(void *array, uint64_t count, uint64_t *room, size_t size,
                  struct apitrace_memory *memory);

/* Frees such an array; NULL is fine. */
void apitrace_free(void *array, const struct apitrace_memory *memory);

/*
 * A map from pairs of numbers that a trace names (an object and its level, a kind and a
 * handle) to a number of ours. Its order is never looked at. One thread at a time; several
 * may look into one that does not change. Records that are pointed to, or listed in the end
 * (contexts, threads, drawables, framebuffers, settings), are in tables of uthash's own.
 */
struct apitrace_map_entry;

/* All zero: empty. */
struct apitrace_map {
    struct apitrace_map_entry *entries;
};

/* False: it has no such pair, and *value is as it was. */
bool apitrace_map_get(const struct apitrace_map *map, uint64_t first, uint64_t second,
                      uint64_t *value);

/* Sets what the pair has. 0 or -ENOMEM, then nothing has changed. */
int apitrace_map_set(struct apitrace_map *map, uint64_t first, uint64_t second, uint64_t value);

/* The pair may be one that it does not have. */
void apitrace_map_remove(struct apitrace_map *map, uint64_t first, uint64_t second);

uint64_t apitrace_map_count(const struct apitrace_map *map);
uint64_t apitrace_map_bytes(const struct apitrace_map *map); /* of memory, about */
void apitrace_map_clear(struct apitrace_map *map); /* frees everything; it is empty then */

#endif

/* SPDX-License-Identifier: MIT */
/*
 * A hash map of numbers by numbers: from names and handles in the trace to what they are here. One
 * thread per map.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_MAP_H
#define GPUDUMPFS_GLWORKER_GL_MAP_H

#include <stdbool.h>
#include <stdint.h>

#define RETRACE_NO_KEY UINT64_MAX

struct retrace_pair {
    uint64_t key; /* RETRACE_NO_KEY if the slot is free */
    uint64_t value;
};

/* All zero means empty. */
struct retrace_map {
    struct retrace_pair *pairs;
    uint32_t count, room; /* room: a power of two, or 0 */
};

/*
 * Sets the value of a key, replacing an earlier one. Returns 0 or -ENOMEM. Ignores RETRACE_NO_KEY.
 */
int retrace_map_put(struct retrace_map *map, uint64_t key, uint64_t value);
/* Returns false, leaving *value untouched, if the map has no such key. */
bool retrace_map_get(const struct retrace_map *map, uint64_t key, uint64_t *value);
void retrace_map_remove(struct retrace_map *map, uint64_t key);
/*
 * Finds the next key from `first` to `last`, both included, in no particular order. *at must be 0
 * at first. Between calls, only the key that was returned last may be removed. Returns false if
 * there are no more keys.
 */
bool retrace_map_next(const struct retrace_map *map, uint64_t first, uint64_t last, uint32_t *at,
                      uint64_t *key);
void retrace_map_clear(struct retrace_map *map);

#endif

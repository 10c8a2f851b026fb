/* SPDX-License-Identifier: MIT */
/*
 * Numbers by numbers: old names and handles to what stands for them. One thread per map.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_MAP_H
#define GPUDUMPFS_GLWORKER_GL_MAP_H

#include <stdbool.h>
#include <stdint.h>

#define RETRACE_NO_KEY UINT64_MAX

struct retrace_pair {
    uint64_t key; /* RETRACE_NO_KEY: a free place */
    uint64_t value;
};

/* All zero: empty. */
struct retrace_map {
    struct retrace_pair *pairs;
    uint32_t count, room; /* room: a power of two, or 0 */
};

/* Puts a value in place of what the key had. 0 or -ENOMEM; RETRACE_NO_KEY is not kept. */
int retrace_map_put(struct retrace_map *map, uint64_t key, uint64_t value);
/* Whether the key has a value. */
bool retrace_map_get(const struct retrace_map *map, uint64_t key, uint64_t *value);
void retrace_map_remove(struct retrace_map *map, uint64_t key);
/*
 * The next key from `first` to `last`, both included, in no order: *at begins as 0. What is removed
 * meanwhile may be the key that was given last, and no other; false: there are no more.
 */
bool retrace_map_next(const struct retrace_map *map, uint64_t first, uint64_t last, uint32_t *at,
                      uint64_t *key);
void retrace_map_clear(struct retrace_map *map);

#endif

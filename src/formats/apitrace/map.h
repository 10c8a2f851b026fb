/*
 * A map from pairs of numbers that a trace names (an object and its level, a kind and a
 * handle) to a number of ours. Its order is never looked at. One thread at a time; several
 * may look into one that does not change. Records that are pointed to, or listed in the end
 * (contexts, threads, drawables, framebuffers, settings), are in tables of uthash's own.
 */
#ifndef GPUDUMPFS_APITRACE_MAP_H
#define GPUDUMPFS_APITRACE_MAP_H

#include <stdbool.h>
#include <stdint.h>

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
void apitrace_map_clear(struct apitrace_map *map); /* frees everything; it is empty then */

#endif

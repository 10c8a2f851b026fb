/*
 * Blobs of a trace that grows, by id: which record made the one that an id names somewhere. The
 * blobs of one id are a chain with shortcuts (a skew binary list), so that an id that is
 * defined again a million times is found as soon. One thread adds, any thread may find.
 */
#ifndef GPUDUMPFS_AEROGPU_BLOB_MAP_H
#define GPUDUMPFS_AEROGPU_BLOB_MAP_H

#include <stdbool.h>
#include <stdint.h>

struct aerogpu_blob_map;

/* For at most so many blobs. 0 or -ENOMEM. */
int aerogpu_blob_map_create(uint32_t max, struct aerogpu_blob_map **out);
void aerogpu_blob_map_destroy(struct aerogpu_blob_map **map);

/* A blob record; they come in ascending order. 0 or -ENOMEM. */
int aerogpu_blob_map_add(struct aerogpu_blob_map *map, uint64_t id, uint32_t record);

/* The last record before `user` that makes a blob of this id; false: there is none. */
bool aerogpu_blob_map_find(struct aerogpu_blob_map *map, uint64_t id, uint32_t user,
                           uint32_t *record);

#endif

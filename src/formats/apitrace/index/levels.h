/*
 * Which levels textures have, and when: told from the calls that give them storage, so
 * that a frame's textures are known without drawing it (apitrace.md 4.7). Written by
 * one thread; afterwards any may read.
 */
#ifndef GPUDUMPFS_APITRACE_INDEX_LEVELS_H
#define GPUDUMPFS_APITRACE_INDEX_LEVELS_H

#include "formats/apitrace/arena.h"
#include "formats/apitrace/map.h"

#include <stdbool.h>
#include <stdint.h>

enum { APITRACE_TARGET_CUBE = 0x8513, APITRACE_TARGET_CUBE_FACE = 0x8515 };

/* A level of a texture with one size, from one place in the listing up to another. */
struct apitrace_level {
    uint32_t object, level;
    uint32_t target; /* of the texture; of a cube map the whole */
    uint32_t width, height, slices;
    uint64_t begin, end; /* before `end`; UINT64_MAX: it is there at the end */
};

struct apitrace_levels {
    struct apitrace_level *list; /* after apitrace_levels_finish() by object, level, begin */
    uint64_t count, room;
    struct apitrace_memory memory;
    struct apitrace_map now; /* places of those that are there, while calls are followed */
};

void apitrace_levels_clear(struct apitrace_levels *levels);

/*
 * From `level->begin` on it is as `level` says; without a size it is gone. Sizes that no
 * picture can have count as none. 0 or -ENOMEM.
 */
int apitrace_levels_define(struct apitrace_levels *levels, const struct apitrace_level *level);

/* The same for levels 1 and up of a texture, each half as large as the one before. */
int apitrace_levels_define_all(struct apitrace_levels *levels, const struct apitrace_level *base,
                               uint32_t count);

/* A level as it is now; false: it is not there. */
bool apitrace_levels_find(const struct apitrace_levels *levels, uint32_t object, uint32_t level,
                          struct apitrace_level *out);

/* A texture is deleted. */
void apitrace_levels_delete(struct apitrace_levels *levels, uint32_t object, uint64_t order);

void apitrace_levels_finish(struct apitrace_levels *levels);

/* In the list that is finished: the first place of an object's level, or the one behind it. */
uint64_t apitrace_levels_place(const struct apitrace_levels *levels, uint64_t object,
                               uint64_t level);

#endif

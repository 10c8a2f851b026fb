#include "formats/apitrace/index/levels.h"

#include "image/picture.h"

#include <errno.h>
#include <stdlib.h>

enum { LEVELS_MAX = 16, TARGET_3D = 0x806F };

void apitrace_levels_clear(struct apitrace_levels *levels)
{
    apitrace_map_clear(&levels->now);
    free(levels->list);
    *levels = (struct apitrace_levels){0};
}

bool apitrace_levels_find(const struct apitrace_levels *levels, uint32_t object, uint32_t level,
                          struct apitrace_level *out)
{
    uint64_t place;

    if (!apitrace_map_get(&levels->now, object, level, &place))
        return false;
    *out = levels->list[place];
    return true;
}

/* The level at a place in the list is there up to `order`. */
static void forget(struct apitrace_levels *levels, uint64_t place, uint64_t order)
{
    struct apitrace_level *level = &levels->list[place];

    level->end = order;
    apitrace_map_remove(&levels->now, level->object, level->level);
}

static bool is_shown(const struct apitrace_level *level)
{
    return level->object != 0 && level->level < LEVELS_MAX && level->width > 0 &&
           level->height > 0 && level->slices > 0 && level->width <= PICTURE_MAX &&
           level->height <= PICTURE_MAX && level->slices <= PICTURE_MAX / level->height;
}

static bool same_shape(const struct apitrace_level *a, const struct apitrace_level *b)
{
    return a->target == b->target && a->width == b->width && a->height == b->height &&
           a->slices == b->slices;
}

int apitrace_levels_define(struct apitrace_levels *levels, const struct apitrace_level *level)
{
    uint64_t place;
    bool there = apitrace_map_get(&levels->now, level->object, level->level, &place);

    if (there && same_shape(&levels->list[place], level))
        return 0;
    if (there)
        forget(levels, place, level->begin);
    if (!is_shown(level))
        return 0;
    if (apitrace_grow(&levels->list, levels->count, &levels->room, sizeof(*levels->list),
                      &levels->memory) < 0 ||
        apitrace_map_set(&levels->now, level->object, level->level, levels->count) < 0)
        return -ENOMEM;
    levels->list[levels->count] = *level;
    levels->list[levels->count++].end = UINT64_MAX;
    return 0;
}

static uint32_t half(uint32_t size)
{
    return size > 1 ? size / 2 : 1;
}

int apitrace_levels_define_all(struct apitrace_levels *levels, const struct apitrace_level *base,
                               uint32_t count)
{
    struct apitrace_level level = *base;
    int status = 0;

    for (uint32_t n = 1; n < count && n < LEVELS_MAX && status == 0; n++) {
        if (level.width == 1 && level.height == 1 &&
            (level.target != TARGET_3D || level.slices == 1))
            break;
        level.level = base->level + n;
        level.width = half(level.width);
        level.height = half(level.height);
        level.slices = level.target == TARGET_3D ? half(level.slices) : level.slices;
        status = apitrace_levels_define(levels, &level);
    }
    return status;
}

void apitrace_levels_delete(struct apitrace_levels *levels, uint32_t object, uint64_t order)
{
    for (uint32_t level = 0; level < LEVELS_MAX; level++) {
        uint64_t place;

        if (apitrace_map_get(&levels->now, object, level, &place))
            forget(levels, place, order);
    }
}

uint64_t apitrace_levels_place(const struct apitrace_levels *levels, uint64_t object,
                               uint64_t level)
{
    uint64_t low = 0, high = levels->count;

    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        const struct apitrace_level *at = &levels->list[middle];

        if (at->object < object || (at->object == object && at->level < level))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int compare(const void *a, const void *b)
{
    const struct apitrace_level *left = a, *right = b;

    if (left->object != right->object)
        return left->object < right->object ? -1 : 1;
    if (left->level != right->level)
        return left->level < right->level ? -1 : 1;
    return left->begin < right->begin ? -1 : left->begin > right->begin;
}

void apitrace_levels_finish(struct apitrace_levels *levels)
{
    apitrace_map_clear(&levels->now);
    if (levels->count > 1)
        qsort(levels->list, (size_t)levels->count, sizeof(*levels->list), compare);
}

/* SPDX-License-Identifier: MIT */
#include "glworker/gl/map.h"

#include <errno.h>
#include <stdlib.h>

enum { FIRST_ROOM = 16, ROOM_MAX = 1 << 24 };

static uint32_t home_of(const struct retrace_map *map, uint64_t key)
{
    return (uint32_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> 32) & (map->room - 1);
}

/* Returns the slot of a key, or the free slot where it would be put. */
static uint32_t place_of(const struct retrace_map *map, uint64_t key)
{
    uint32_t place = home_of(map, key);

    while (map->pairs[place].key != RETRACE_NO_KEY && map->pairs[place].key != key)
        place = (place + 1) & (map->room - 1);
    return place;
}

static int grow(struct retrace_map *map)
{
    struct retrace_map larger = {.room = map->room == 0 ? FIRST_ROOM : 2 * map->room};

    if (larger.room > ROOM_MAX)
        return -ENOMEM;
    larger.pairs = malloc(larger.room * sizeof(*larger.pairs));
    if (larger.pairs == NULL)
        return -ENOMEM;
    for (uint32_t n = 0; n < larger.room; n++)
        larger.pairs[n].key = RETRACE_NO_KEY;
    for (uint32_t n = 0; n < map->room; n++)
        if (map->pairs[n].key != RETRACE_NO_KEY)
            larger.pairs[place_of(&larger, map->pairs[n].key)] = map->pairs[n];
    larger.count = map->count;
    free(map->pairs);
    *map = larger;
    return 0;
}

int retrace_map_put(struct retrace_map *map, uint64_t key, uint64_t value)
{
    uint32_t place;

    if (key == RETRACE_NO_KEY)
        return 0;
    if (map->count >= map->room / 2 && grow(map) < 0)
        return -ENOMEM;
    place = place_of(map, key);
    map->count += map->pairs[place].key == RETRACE_NO_KEY;
    map->pairs[place] = (struct retrace_pair){key, value};
    return 0;
}

bool retrace_map_get(const struct retrace_map *map, uint64_t key, uint64_t *value)
{
    uint32_t place;

    if (map->count == 0 || key == RETRACE_NO_KEY)
        return false;
    place = place_of(map, key);
    if (map->pairs[place].key == RETRACE_NO_KEY)
        return false;
    *value = map->pairs[place].value;
    return true;
}

/* Moves later pairs up to close the gap, so that each is still found from its home slot. */
void retrace_map_remove(struct retrace_map *map, uint64_t key)
{
    uint32_t free_place, next, mask = map->room - 1;

    if (map->count == 0 || key == RETRACE_NO_KEY)
        return;
    free_place = place_of(map, key);
    if (map->pairs[free_place].key == RETRACE_NO_KEY)
        return;
    for (next = (free_place + 1) & mask; map->pairs[next].key != RETRACE_NO_KEY;
         next = (next + 1) & mask) {
        uint32_t home = home_of(map, map->pairs[next].key);

        if (((next - home) & mask) >= ((next - free_place) & mask)) {
            map->pairs[free_place] = map->pairs[next];
            free_place = next;
        }
    }
    map->pairs[free_place].key = RETRACE_NO_KEY;
    map->count--;
}

/*
 * If the last key was removed, another pair may have moved to its slot, so that slot is examined
 * again.
 */
bool retrace_map_next(const struct retrace_map *map, uint64_t first, uint64_t last, uint32_t *at,
                      uint64_t *key)
{
    if (*at > 0 && *at <= map->room && map->pairs[*at - 1].key != *key)
        --*at;
    for (; *at < map->room; ++*at) {
        const uint64_t found = map->pairs[*at].key;

        if (found != RETRACE_NO_KEY && found >= first && found <= last) {
            *key = found;
            ++*at;
            return true;
        }
    }
    return false;
}

void retrace_map_clear(struct retrace_map *map)
{
    free(map->pairs);
    *map = (struct retrace_map){.pairs = NULL};
}

/* SPDX-License-Identifier: MIT */
/*
 * Names of objects. What contexts share has one table; framebuffers and their like
 * have one a context, and a common one beside it, since some drivers share those, too.
 */
#include "config.h"

#include "glworker/gl/gl.h"

#include <errno.h>
#include <stdlib.h>

static bool is_own(enum retrace_names space)
{
    return space >= RETRACE_FRAMEBUFFER;
}

uint64_t retrace_name(const struct retrace *retrace, enum retrace_names space, uint64_t old)
{
    const struct retrace_context *context = retrace_context(retrace);
    uint64_t name;

    if (old == 0)
        return 0;
    if (context != NULL && is_own(space) && retrace_map_get(&context->names[space], old, &name))
        return name;
    return retrace_map_get(&retrace->names[space], old, &name) ? name : old;
}

void retrace_name_put(struct retrace *retrace, enum retrace_names space, uint64_t old,
                      uint64_t name)
{
    struct retrace_context *context = retrace_context(retrace);

    if (old == 0 || name == 0)
        return;
    if (context != NULL && is_own(space))
        retrace_map_put(&context->names[space], old, name);
    retrace_map_put(&retrace->names[space], old, name);
}

void retrace_name_remove(struct retrace *retrace, enum retrace_names space, uint64_t old)
{
    struct retrace_context *context = retrace_context(retrace);

    if (context != NULL && is_own(space))
        retrace_map_remove(&context->names[space], old);
    retrace_map_remove(&retrace->names[space], old);
}

/* Numbers of programs. */

struct retrace_numbers *retrace_numbers(struct retrace *retrace, uint64_t program, bool begin)
{
    struct retrace_numbers *numbers;
    uint64_t value;

    if (retrace_map_get(&retrace->programs, program, &value))
        return (struct retrace_numbers *)(uintptr_t)value;
    if (!begin)
        return NULL;
    numbers = calloc(1, sizeof(*numbers));
    if (numbers == NULL ||
        retrace_map_put(&retrace->programs, program, (uint64_t)(uintptr_t)numbers) < 0) {
        free(numbers);
        return NULL;
    }
    return numbers;
}

void retrace_numbers_clear(struct retrace *retrace)
{
    for (uint32_t n = 0; n < retrace->programs.room; n++) {
        struct retrace_pair *pair = &retrace->programs.pairs[n];
        struct retrace_numbers *numbers = (struct retrace_numbers *)(uintptr_t)pair->value;

        if (pair->key == RETRACE_NO_KEY)
            continue;
        retrace_map_clear(&numbers->locations);
        retrace_map_clear(&numbers->blocks);
        retrace_map_clear(&numbers->storage);
        retrace_map_clear(&numbers->subroutines);
        free(numbers);
    }
    retrace_map_clear(&retrace->programs);
}

/* An element of an array lies behind the location of the array, which is the one asked for. */
int64_t retrace_location(struct retrace *retrace, uint64_t program, int64_t old)
{
    enum { ELEMENTS_MAX = 1024 };
    const struct retrace_numbers *numbers = retrace_numbers(retrace, program, false);
    uint64_t location;

    if (numbers == NULL || old < 0)
        return old;
    for (int64_t back = 0; back <= old && back < ELEMENTS_MAX; back++)
        if (retrace_map_get(&numbers->locations, (uint64_t)(old - back), &location))
            return (int64_t)location < 0 ? -1 : (int64_t)location + back;
    return old;
}

uint64_t retrace_program(const struct retrace *retrace)
{
    const struct retrace_context *context = retrace_context(retrace);
    uint64_t program = 0;

    if (context == NULL)
        return 0;
    if (context->program == 0 && context->pipeline != 0)
        retrace_map_get(&context->pipeline_programs, context->pipeline, &program);
    return context->program != 0 ? context->program : program;
}

/* Numbers by numbers. */

enum { FIRST_ROOM = 16, ROOM_MAX = 1 << 24 };

static uint32_t home_of(const struct retrace_map *map, uint64_t key)
{
    return (uint32_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> 32) & (map->room - 1);
}

/* Where the key is, or would be. */
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

/* What stood behind the key moves up, so that it is still found from its home. */
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

void retrace_map_clear(struct retrace_map *map)
{
    free(map->pairs);
    *map = (struct retrace_map){.pairs = NULL};
}

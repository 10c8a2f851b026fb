/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/collections.h"

#include "base/hash.h"
#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 64 * 1024, ALIGNMENT = 16, FIRST_ROOM = 64 };

struct apitrace_arena_block {
    struct apitrace_arena_block *next;
    size_t used, room;
    max_align_t bytes[];
};

static struct apitrace_arena_block *add_block(struct apitrace_arena *arena, size_t room)
{
    struct apitrace_arena_block *block;

    if (room > arena->max - arena->taken)
        return NULL;
    block = calloc(1, sizeof(*block) + room);
    if (block == NULL)
        return NULL;
    block->room = room;
    arena->taken += room;
    return block;
}

void *apitrace_arena_take(struct apitrace_arena *arena, size_t size)
{
    struct apitrace_arena_block *block = arena->blocks;
    void *taken;

    if (size > SIZE_MAX / 2)
        return NULL;
    size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (block == NULL || size > block->room - block->used) {
        block = add_block(arena, size > BLOCK_BYTES / 4 ? size : (size_t)BLOCK_BYTES);
        if (block == NULL)
            return NULL;
        if (size > BLOCK_BYTES / 4 && arena->blocks != NULL) {
            /* a large allocation gets a block of its own, after the one that has room */
            block->next = arena->blocks->next;
            arena->blocks->next = block;
        } else {
            block->next = arena->blocks;
            arena->blocks = block;
        }
    }
    taken = (char *)block->bytes + block->used;
    block->used += size;
    return taken;
}

void apitrace_arena_clear(struct apitrace_arena *arena)
{
    while (arena->blocks != NULL) {
        struct apitrace_arena_block *block = arena->blocks;

        arena->blocks = block->next;
        free(block);
    }
    arena->taken = 0;
}

/* Returns the array with more room; in reserved address space it stays where it is. */
static void *enlarge(void *array, uint64_t wanted, size_t size,
                     const struct apitrace_memory *memory)
{
    if (memory->reserve == 0)
        return reallocarray(array, (size_t)wanted, size);
    if (wanted > memory->reserve / size)
        return NULL;
    return array != NULL ? array : memory_reserve((size_t)memory->reserve);
}

int apitrace_grow(void *array, uint64_t count, uint64_t *room, size_t size,
                  struct apitrace_memory *memory)
{
    uint64_t wanted = *room == 0 ? FIRST_ROOM : 2 * *room;
    void *old, *grown;

    if (count < *room)
        return 0;
    memcpy(&old, array, sizeof(old));
    grown = enlarge(old, wanted, size, memory);
    if (grown == NULL)
        return -ENOMEM;
    if (grown != old) /* a reserved array keeps its pointer, which other threads may be reading */
        memcpy(array, &grown, sizeof(grown));
    memory->taken += (wanted - *room) * size;
    *room = wanted;
    return 0;
}

void apitrace_free(void *array, const struct apitrace_memory *memory)
{
    if (memory->reserve == 0)
        free(array);
    else
        memory_unreserve(array, (size_t)memory->reserve);
}

/* Maps. */

struct apitrace_map_entry {
    uint64_t key[2];
    uint64_t value;
    UT_hash_handle hh;
};

static struct apitrace_map_entry *find(const struct apitrace_map *map, uint64_t first,
                                       uint64_t second)
{
    const uint64_t key[2] = {first, second};
    struct apitrace_map_entry *entry = NULL;

    HASH_FIND(hh, map->entries, key, sizeof(key), entry);
    return entry;
}

bool apitrace_map_get(const struct apitrace_map *map, uint64_t first, uint64_t second,
                      uint64_t *value)
{
    const struct apitrace_map_entry *entry = find(map, first, second);

    if (entry == NULL)
        return false;
    *value = entry->value;
    return true;
}

int apitrace_map_set(struct apitrace_map *map, uint64_t first, uint64_t second, uint64_t value)
{
    struct apitrace_map_entry *entry = find(map, first, second);

    if (entry == NULL) {
        entry = calloc(1, sizeof(*entry));
        if (entry == NULL)
            return -ENOMEM;
        entry->key[0] = first;
        entry->key[1] = second;
        HASH_ADD(hh, map->entries, key, sizeof(entry->key), entry);
        if (entry->hh.tbl == NULL) {
            free(entry);
            return -ENOMEM;
        }
    }
    entry->value = value;
    return 0;
}

void apitrace_map_remove(struct apitrace_map *map, uint64_t first, uint64_t second)
{
    struct apitrace_map_entry *entry = find(map, first, second);

    if (entry == NULL)
        return;
    HASH_DEL(map->entries, entry);
    free(entry);
}

uint64_t apitrace_map_count(const struct apitrace_map *map)
{
    return HASH_COUNT(map->entries);
}

/* Includes malloc's overhead for each entry. */
uint64_t apitrace_map_bytes(const struct apitrace_map *map)
{
    return apitrace_map_count(map) * (sizeof(struct apitrace_map_entry) + 16) +
           HASH_OVERHEAD(hh, map->entries);
}

void apitrace_map_clear(struct apitrace_map *map)
{
    struct apitrace_map_entry *entry, *next;

    HASH_ITER (hh, map->entries, entry, next) {
        HASH_DEL(map->entries, entry);
        free(entry);
    }
}

/* SPDX-License-Identifier: MIT */
#include "formats/vma/map.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/random.h>

enum { FIRST_ENTRIES = 64, MAX_ENTRIES = 1 << 30 };

/* Spreads all bits of the key. Crafted keys cannot collide on purpose, as the secret is unknown. */
static uint32_t place_of(const struct vma_map *map, uint64_t key)
{
    key ^= map->secret;
    key ^= key >> 32;
    key *= UINT64_C(0x9E3779B97F4A7C15);
    key ^= key >> 29;
    key *= UINT64_C(0xBF58476D1CE4E5B9);
    return (uint32_t)(key >> 32) & map->mask;
}

void vma_map_clear(struct vma_map *map)
{
    free(map->entries);
    *map = (struct vma_map){0};
}

/* Returns the entry of a key, or the unused entry where it would be. The table must not be full. */
static uint32_t find(const struct vma_map *map, uint64_t key)
{
    uint32_t place = place_of(map, key);

    while (map->entries[place].value != VMA_MAP_NONE && map->entries[place].key != key)
        place = (place + 1) & map->mask;
    return place;
}

void vma_map_expect(const struct vma_map *map, uint64_t key)
{
    if (map->entries != NULL)
        __builtin_prefetch(&map->entries[place_of(map, key)]);
}

uint32_t vma_map_get(const struct vma_map *map, uint64_t key)
{
    return map->entries == NULL ? VMA_MAP_NONE : map->entries[find(map, key)].value;
}

/* Chooses a secret for a new table. Returns 0 if there is no random number yet. */
static uint64_t choose_secret(void)
{
    uint64_t secret = 0;

    if (getrandom(&secret, sizeof(secret), GRND_NONBLOCK) != (ssize_t)sizeof(secret))
        return 0;
    return secret;
}

static int grow(struct vma_map *map)
{
    struct vma_map larger = {.count = map->count};
    size_t entries = map->entries == NULL ? FIRST_ENTRIES : ((size_t)map->mask + 1) * 2;

    if (entries > MAX_ENTRIES)
        return -ENOMEM;
    larger.entries = calloc(entries, sizeof(*larger.entries));
    if (larger.entries == NULL)
        return -ENOMEM;
    larger.mask = (uint32_t)(entries - 1);
    larger.secret = map->entries == NULL ? choose_secret() : map->secret;
    for (size_t i = 0; map->entries != NULL && i <= map->mask; i++)
        if (map->entries[i].value != VMA_MAP_NONE)
            larger.entries[find(&larger, map->entries[i].key)] = map->entries[i];
    free(map->entries);
    *map = larger;
    return 0;
}

int vma_map_exchange(struct vma_map *map, uint64_t key, uint32_t value, uint32_t *old)
{
    struct vma_map_entry *entry;

    /* Keep the table at most half full. */
    if ((map->entries == NULL || map->count > map->mask / 2) && grow(map) < 0)
        return -ENOMEM;
    entry = &map->entries[find(map, key)];
    map->count += entry->value == VMA_MAP_NONE;
    *old = entry->value;
    *entry = (struct vma_map_entry){key, value};
    return 0;
}

int vma_map_set(struct vma_map *map, uint64_t key, uint32_t value)
{
    uint32_t old;

    return vma_map_exchange(map, key, value, &old);
}

uint32_t vma_map_remove(struct vma_map *map, uint64_t key)
{
    uint32_t hole, next, removed;

    if (map->entries == NULL)
        return VMA_MAP_NONE;
    hole = find(map, key);
    removed = map->entries[hole].value;
    if (removed == VMA_MAP_NONE)
        return VMA_MAP_NONE;
    map->count--;
    /* Entries after the hole move into it, unless their own place is after the hole. */
    for (next = (hole + 1) & map->mask; map->entries[next].value != VMA_MAP_NONE;
         next = (next + 1) & map->mask) {
        uint32_t wanted = place_of(map, map->entries[next].key);

        if (((next - wanted) & map->mask) >= ((next - hole) & map->mask)) {
            map->entries[hole] = map->entries[next];
            hole = next;
        }
    }
    map->entries[hole].value = VMA_MAP_NONE;
    return removed;
}

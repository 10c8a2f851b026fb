#include "formats/apitrace/map.h"

#define HASH_NONFATAL_OOM 1 /* hh.tbl is NULL then */
#include <errno.h>
#include <stdlib.h>
#include <uthash.h>

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

void apitrace_map_clear(struct apitrace_map *map)
{
    struct apitrace_map_entry *entry, *next;

    HASH_ITER(hh, map->entries, entry, next)
    {
        HASH_DEL(map->entries, entry);
        free(entry);
    }
}

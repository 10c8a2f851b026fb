#include "formats/aerogpu/blob_map.h"

#include "base/memory.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

enum { SLOTS_FIRST = 1024 };

struct link {
    uint64_t id;
    uint32_t record;
    uint32_t before, jump; /* links plus one, of the same id and earlier; 0: none */
    uint32_t depth;        /* how many are before */
};

struct aerogpu_blob_map {
    struct link *links; /* does not move; [0] is not used */
    uint32_t count, max;
    pthread_mutex_t lock; /* of what follows, and the links while one is added */
    uint32_t *slots;      /* the last link of each id, 0: free */
    uint32_t slot_count, ids;
};

int aerogpu_blob_map_create(uint32_t max, struct aerogpu_blob_map **out)
{
    struct aerogpu_blob_map *map = calloc(1, sizeof(*map));

    *out = NULL;
    if (map == NULL)
        return -ENOMEM;
    map->max = max;
    map->links = memory_reserve(((size_t)max + 1) * sizeof(*map->links));
    map->slots = calloc(SLOTS_FIRST, sizeof(*map->slots));
    map->slot_count = SLOTS_FIRST;
    pthread_mutex_init(&map->lock, NULL);
    *out = map;
    if (map->links == NULL || map->slots == NULL)
        aerogpu_blob_map_destroy(out);
    return *out != NULL ? 0 : -ENOMEM;
}

void aerogpu_blob_map_destroy(struct aerogpu_blob_map **map)
{
    struct aerogpu_blob_map *destroyed = *map;

    *map = NULL;
    if (destroyed == NULL)
        return;
    memory_unreserve(destroyed->links, ((size_t)destroyed->max + 1) * sizeof(*destroyed->links));
    free(destroyed->slots);
    pthread_mutex_destroy(&destroyed->lock);
    free(destroyed);
}

/* Ids are the dump's, and may be chosen to collide: all their bits are mixed. */
static uint32_t slot_of(const struct aerogpu_blob_map *map, uint64_t id)
{
    uint64_t mixed = id;
    uint32_t slot;

    mixed = (mixed ^ mixed >> 32) * UINT64_C(0x9E3779B97F4A7C15);
    mixed = (mixed ^ mixed >> 29) * UINT64_C(0xBF58476D1CE4E5B9);
    slot = (uint32_t)(mixed >> 32) & (map->slot_count - 1);
    while (map->slots[slot] != 0 && map->links[map->slots[slot]].id != id)
        slot = (slot + 1) & (map->slot_count - 1);
    return slot;
}

static int reserve_one(struct aerogpu_blob_map *map)
{
    uint32_t *before = map->slots, count = map->slot_count;

    if (map->ids < count / 2)
        return 0;
    map->slots = calloc((size_t)count * 2, sizeof(*map->slots));
    if (map->slots == NULL) {
        map->slots = before;
        return -ENOMEM;
    }
    map->slot_count = count * 2;
    for (uint32_t i = 0; i < count; i++)
        if (before[i] != 0)
            map->slots[slot_of(map, map->links[before[i]].id)] = before[i];
    free(before);
    return 0;
}

static void add_link(struct aerogpu_blob_map *map, uint64_t id, uint32_t record)
{
    uint32_t slot = slot_of(map, id), before = map->slots[slot];
    const struct link *links = map->links, *last = &links[before];
    struct link added = {.id = id, .record = record, .before = before, .jump = before};

    if (before != 0) {
        uint32_t far = links[last->jump].jump;

        added.depth = last->depth + 1;
        if (last->jump != 0 && far != 0 &&
            last->depth - links[last->jump].depth == links[last->jump].depth - links[far].depth)
            added.jump = far;
    }
    map->links[++map->count] = added;
    map->slots[slot] = map->count;
    map->ids += before == 0;
}

int aerogpu_blob_map_add(struct aerogpu_blob_map *map, uint64_t id, uint32_t record)
{
    int status;

    if (map->count == map->max)
        return -ENOMEM;
    pthread_mutex_lock(&map->lock);
    status = reserve_one(map);
    if (status == 0)
        add_link(map, id, record);
    pthread_mutex_unlock(&map->lock);
    return status;
}

bool aerogpu_blob_map_find(struct aerogpu_blob_map *map, uint64_t id, uint32_t user,
                           uint32_t *record)
{
    const struct link *links = map->links;
    uint32_t link;

    pthread_mutex_lock(&map->lock);
    link = map->slots[slot_of(map, id)];
    while (link != 0 && links[link].record >= user)
        link = links[link].jump != 0 && links[links[link].jump].record >= user ? links[link].jump
                                                                               : links[link].before;
    if (link != 0)
        *record = links[link].record;
    pthread_mutex_unlock(&map->lock);
    return link != 0;
}

/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/index/object_index.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int apitrace_object_index_find(const struct apitrace_index *index, uint64_t max_memory,
                               struct problems *problems, const struct cancel *cancel,
                               struct apitrace_object_index *out)
{
    int status;

    *out = (struct apitrace_object_index){0};
    status = apitrace_find_shaders(index, max_memory, problems, cancel, out);
    if (status == 0)
        status = apitrace_find_textures(index, max_memory, problems, cancel, out);
    if (status == 0)
        status = apitrace_find_resources(index, max_memory, problems, cancel, out);
    return status;
}

void apitrace_object_index_clear(struct apitrace_object_index *objects)
{
    free(objects->shaders);
    free(objects->textures);
    free(objects->d3d.resources);
    free(objects->d3d.writes);
    free(objects->d3d.contents);
    apitrace_levels_clear(&objects->levels);
    *objects = (struct apitrace_object_index){0};
}

/* Lists. */

/* Returns the number of an object's call, which is its first member. */
static uint32_t number_at(const struct apitrace_object_list *list, uint64_t place)
{
    uint32_t number;

    memcpy(&number, (const char *)list->first + place * list->size, sizeof(number));
    return number;
}

static uint64_t find_number(const struct apitrace_object_list *list, uint64_t number)
{
    uint64_t low = 0, high = list->count;

    while (low < high) {
        uint64_t middle = low + (high - low) / 2;

        if (number_at(list, middle) < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool apitrace_object_parse(const struct apitrace_object_list *list, const char *name,
                           uint64_t *place)
{
    uint64_t number;

    if (name[0] < '0' || name[0] > '9')
        return false;
    number = strtoull(name, NULL, 10);
    *place = find_number(list, number);
    return *place < list->count && number_at(list, *place) == number;
}

int apitrace_object_next_in_frame(const struct apitrace_index *index,
                                  const struct apitrace_object_list *list, uint64_t frame,
                                  uint64_t from, uint64_t *place)
{
    uint64_t min;

    if (frame >= index->frame_count)
        return -ENOENT;
    min = find_number(list, index->frames[frame].min_number);
    for (*place = from > min ? from : min;
         *place < list->count && number_at(list, *place) <= index->frames[frame].max_number;
         ++*place)
        if (apitrace_index_in_frame(index, frame, number_at(list, *place)))
            return 0;
    return -ENOENT;
}

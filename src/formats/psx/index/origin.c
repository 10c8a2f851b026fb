/* SPDX-License-Identifier: MIT */
#include "formats/psx/index/origin.h"

#include <errno.h>
#include <stdlib.h>

static void find_kept(struct psx_origin *origin, const struct source_edit *edits, size_t count)
{
    uint64_t from = 0, to = 0;

    for (size_t i = 0; i <= count; i++) {
        uint64_t end = i < count ? edits[i].offset : origin->index->size;

        origin->kept[i] = (struct psx_kept){from, to, end > from ? end - from : 0};
        if (i < count) {
            to += end - from + edits[i].length;
            from = end + edits[i].size;
        }
    }
}

int psx_origin_create(struct psx_index *index, const struct source_edit *edits, size_t count,
                      struct psx_origin **out)
{
    struct psx_origin *origin = calloc(1, sizeof(*origin));

    *out = origin;
    if (origin == NULL)
        return -ENOMEM;
    origin->index = index;
    origin->count = count + 1;
    origin->kept = calloc(origin->count, sizeof(*origin->kept));
    if (origin->kept == NULL) {
        psx_origin_destroy(out);
        return -ENOMEM;
    }
    find_kept(origin, edits, count);
    return 0;
}

void psx_origin_destroy(struct psx_origin **origin)
{
    if (*origin == NULL)
        return;
    free((*origin)->kept);
    free(*origin);
    *origin = NULL;
}

const struct psx_kept *psx_origin_kept(const struct psx_origin *origin, uint64_t offset)
{
    size_t low = 0, high = origin->count;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (origin->kept[middle].to <= offset)
            low = middle;
        else
            high = middle;
    }
    return offset - origin->kept[low].to < origin->kept[low].size ? &origin->kept[low] : NULL;
}

uint64_t psx_origin_frame(const struct psx_origin *origin, uint64_t offset)
{
    const struct psx_index *index = origin->index;
    uint64_t low = 0, high = index->frame_count;

    while (low < high) {
        uint64_t middle = low + (high - low) / 2;

        if (index->frames[middle].offset < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low < index->frame_count && index->frames[low].offset == offset ? low : PSX_INITIAL;
}

uint64_t psx_origin_first_frames(const struct psx_index *index)
{
    const struct psx_index *origin = index->origin->index;
    uint64_t frame = 0;

    if (origin->interval != index->interval || origin->begin_packet != index->begin_packet)
        return 0;
    while (frame < origin->frame_count && frame < index->frame_count &&
           origin->frames[frame].offset == index->frames[frame].offset &&
           origin->frames[frame + 1].offset <= index->origin->kept[0].size &&
           origin->frames[frame].field == index->frames[frame].field)
        frame++;
    return frame;
}

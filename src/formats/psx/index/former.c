/* SPDX-License-Identifier: MIT */
#include "formats/psx/index/former.h"

#include <errno.h>
#include <stdlib.h>

static void find_kept(struct psx_former *former, const struct source_edit *edits, size_t count)
{
    uint64_t from = 0, to = 0;

    for (size_t i = 0; i <= count; i++) {
        uint64_t end = i < count ? edits[i].offset : former->index->size;

        former->kept[i] = (struct psx_kept){from, to, end > from ? end - from : 0};
        if (i < count) {
            to += end - from + edits[i].length;
            from = end + edits[i].size;
        }
    }
}

int psx_former_create(struct psx_index *index, const struct source_edit *edits, size_t count,
                      struct psx_former **out)
{
    struct psx_former *former = calloc(1, sizeof(*former));

    *out = former;
    if (former == NULL)
        return -ENOMEM;
    former->index = index;
    former->count = count + 1;
    former->kept = calloc(former->count, sizeof(*former->kept));
    if (former->kept == NULL) {
        psx_former_destroy(out);
        return -ENOMEM;
    }
    find_kept(former, edits, count);
    return 0;
}

void psx_former_destroy(struct psx_former **former)
{
    if (*former == NULL)
        return;
    free((*former)->kept);
    free(*former);
    *former = NULL;
}

const struct psx_kept *psx_former_kept(const struct psx_former *former, uint64_t offset)
{
    size_t low = 0, high = former->count;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (former->kept[middle].to <= offset)
            low = middle;
        else
            high = middle;
    }
    return offset - former->kept[low].to < former->kept[low].size ? &former->kept[low] : NULL;
}

uint64_t psx_former_frame(const struct psx_former *former, uint64_t offset)
{
    const struct psx_index *index = former->index;
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

uint64_t psx_former_first_frames(const struct psx_index *index)
{
    const struct psx_index *former = index->former->index;
    uint64_t frame = 0;

    if (former->interval != index->interval || former->begin_packet != index->begin_packet)
        return 0;
    while (frame < former->frame_count && frame < index->frame_count &&
           former->frames[frame].offset == index->frames[frame].offset &&
           former->frames[frame + 1].offset <= index->former->kept[0].size &&
           former->frames[frame].field == index->frames[frame].field)
        frame++;
    return frame;
}

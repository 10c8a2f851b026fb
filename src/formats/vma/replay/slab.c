#include "formats/vma/replay/slab.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 16 };

void vma_slab_init(struct vma_slab *slab, size_t item_size)
{
    *slab = (struct vma_slab){.item_size = (uint32_t)item_size, .count = 1};
}

void vma_slab_clear(struct vma_slab *slab)
{
    free(slab->items);
    vma_slab_init(slab, slab->item_size);
}

int vma_slab_reserve(struct vma_slab *slab, uint32_t more)
{
    uint32_t vacant = slab->count - 1 - slab->used;
    uint64_t needed = (uint64_t)slab->count + (more > vacant ? more - vacant : 0);
    uint64_t room = slab->room < FIRST_ROOM ? FIRST_ROOM : slab->room;
    uint8_t *items;

    if (needed <= slab->room)
        return 0;
    while (room < needed)
        room += room / 2;
    if (room > UINT32_MAX)
        return -ENOMEM;
    items = reallocarray(slab->items, room, slab->item_size);
    if (items == NULL)
        return -ENOMEM;
    if (slab->items == NULL)
        memset(items, 0, slab->item_size);
    slab->items = items;
    slab->room = (uint32_t)room;
    return 0;
}

uint32_t vma_slab_take(struct vma_slab *slab)
{
    uint32_t index = slab->vacant;

    slab->used++;
    if (index == VMA_NONE) {
        index = slab->count++;
        memset(vma_slab_at(slab, index), 0, slab->item_size);
        return index;
    }
    /* It is zero but for what names the next one. */
    memcpy(&slab->vacant, vma_slab_at(slab, index), sizeof(slab->vacant));
    memset(vma_slab_at(slab, index), 0, sizeof(slab->vacant));
    return index;
}

void vma_slab_give(struct vma_slab *slab, uint32_t index)
{
    memset(vma_slab_at(slab, index), 0, slab->item_size);
    memcpy(vma_slab_at(slab, index), &slab->vacant, sizeof(slab->vacant));
    slab->vacant = index;
    slab->used--;
}

int vma_slab_copy(const struct vma_slab *slab, struct vma_slab *out)
{
    uint8_t *items = NULL;

    if (slab->items != NULL) {
        items = malloc(vma_slab_bytes(slab));
        if (items == NULL)
            return -ENOMEM;
        memcpy(items, slab->items, vma_slab_bytes(slab));
    }
    *out = *slab;
    out->items = items;
    out->room = items == NULL ? 0 : slab->count;
    return 0;
}

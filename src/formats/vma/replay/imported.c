/* SPDX-License-Identifier: MIT */
#include "formats/vma/replay/imported.h"

#include "formats/vma/replay/allocator_parts.h"

#include <errno.h>

int vma_import_block(struct vma_allocator *allocator, uint32_t vector, uint64_t size, uint32_t id,
                     uint32_t *out)
{
    int status = size == 0 ? -EDOM : vma_vector_add_block(allocator, vector, size, out);

    if (status == 0)
        vma_block(allocator, *out)->id = id;
    return status;
}

static void fill(struct vma_allocator *allocator, uint32_t index,
                 const struct vma_imported *imported)
{
    struct vma_allocation *allocation = vma_allocation(allocator, index);

    allocation->size = imported->size;
    allocation->alignment = 1;
    allocation->packet = allocation->frame = imported->frame;
    allocation->created = allocation->last_use = imported->frame;
    allocation->number = (uint32_t)allocator->live;
    allocation->function = VMA_FUNCTIONS;
    allocation->label = (uint8_t)imported->label;
    allocation->type = (uint8_t)imported->type;
    allocation->resource_usage = imported->usage;
    allocation->user = imported->user;
    allocation->user_length = imported->user_length;
    allocation->string = imported->string;
    /* marks it as listed in live.tsv; the length itself is found by writing the row */
    allocation->row_length = 1;
}

/*
 * Returns the free range at the block's end if it has room for the allocation, otherwise VMA_NONE.
 */
static uint32_t find_range(const struct vma_allocator *allocator,
                           const struct vma_imported *imported)
{
    uint32_t last = vma_block(allocator, imported->block)->last_range;
    const struct vma_range *range = vma_range(allocator, last);

    if (!vma_is_free(allocator, last) || imported->offset < range->offset ||
        imported->offset - range->offset > range->size ||
        imported->size > range->size - (imported->offset - range->offset))
        return VMA_NONE;
    return last;
}

static int place_in_block(struct vma_allocator *allocator, const struct vma_imported *imported)
{
    struct vma_spot spot = {.block = imported->block,
                            .range = find_range(allocator, imported),
                            .offset = imported->offset};
    uint32_t index;

    if (spot.range == VMA_NONE)
        return -EDOM;
    index = vma_slab_take(&allocator->allocations);
    fill(allocator, index, imported);
    vma_allocation(allocator, index)->place = VMA_PLACE_BLOCK;
    vma_allocation(allocator, index)->vector = vma_block(allocator, imported->block)->vector;
    vma_fit_put(allocator, &spot, imported->size, index);
    vma_enter(allocator, index);
    return 0;
}

int vma_import_allocate(struct vma_allocator *allocator, const struct vma_imported *imported)
{
    uint32_t index;
    int status = imported->size == 0 ? -EDOM : vma_reserve(allocator, 1);

    if (status < 0 || imported->block != VMA_NONE)
        return status < 0 ? status : place_in_block(allocator, imported);
    if (!vma_device_take(allocator, imported->type, imported->size))
        return -EDOM;
    index = vma_slab_take(&allocator->allocations);
    fill(allocator, index, imported);
    vma_link_dedicated(allocator, index);
    vma_enter(allocator, index);
    return 0;
}

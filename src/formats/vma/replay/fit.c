/*
 * The default algorithm (vma.md 3.5): free ranges indexed by size, tried upward
 * from the smallest that may do (best fit) or downward from the biggest.
 */
#include "formats/vma/replay/allocator_parts.h"

bool vma_conflict(enum vma_label a, enum vma_label b)
{
    enum vma_label low = a < b ? a : b, high = a < b ? b : a;

    switch (low) {
    case VMA_FREE:
        return false;
    case VMA_UNKNOWN:
        return true;
    case VMA_BUFFER:
        return high == VMA_IMAGE_UNKNOWN || high == VMA_IMAGE_OPTIMAL;
    case VMA_IMAGE_UNKNOWN:
        return true; /* the higher ones are images */
    case VMA_IMAGE_LINEAR:
        return high == VMA_IMAGE_OPTIMAL;
    default:
        return false;
    }
}

bool vma_fit_after(struct vma_allocator *allocator, uint32_t index, const struct vma_space *space,
                   uint64_t *offset)
{
    if (space->granularity <= 1)
        return true;
    for (index = vma_range(allocator, index)->previous; index != VMA_NONE;
         index = vma_range(allocator, index)->previous) {
        const struct vma_range *range = vma_range(allocator, index);

        if (!vma_same_page(range->offset + range->size - 1, *offset, space->granularity))
            return true;
        if (!vma_step(allocator))
            return false;
        if (vma_conflict(vma_range_label(allocator, range), space->label))
            return vma_up(*offset, space->granularity, offset);
    }
    return true;
}

bool vma_fit_before(struct vma_allocator *allocator, uint32_t index, const struct vma_space *space,
                    uint64_t last)
{
    if (space->granularity <= 1)
        return false;
    for (; index != VMA_NONE; index = vma_range(allocator, index)->next) {
        const struct vma_range *range = vma_range(allocator, index);

        if (!vma_same_page(range->offset, last, space->granularity))
            return false;
        if (!vma_step(allocator) || vma_conflict(vma_range_label(allocator, range), space->label))
            return true;
    }
    return false;
}

bool vma_fit_range(struct vma_allocator *allocator, uint32_t index, const struct vma_space *space,
                   uint64_t *offset)
{
    const struct vma_range *range = vma_range(allocator, index);
    uint64_t needed;

    if (range->size < space->size || !bytes_add(range->offset, space->margin, offset) ||
        !vma_up(*offset, space->alignment, offset) ||
        !vma_fit_after(allocator, index, space, offset))
        return false;
    if (!bytes_add(*offset - range->offset, space->size, &needed) ||
        !bytes_add(needed, space->margin, &needed) || needed > range->size)
        return false;
    return !vma_fit_before(allocator, range->next, space, *offset + space->size - 1);
}

bool vma_fit_find(struct vma_allocator *allocator, uint32_t block_index,
                  const struct vma_space *space, struct vma_spot *spot)
{
    uint64_t min = space->size + 2 * space->margin;
    bool best_fit = space->strategy == VMA_FLAG_BEST_FIT;
    uint32_t index;

    if (vma_block(allocator, block_index)->free < min)
        return false;
    index = best_fit ? vma_index_at_least(allocator, block_index, min)
                     : vma_index_last(allocator, block_index);
    while (index != VMA_NONE && vma_step(allocator)) {
        if (vma_fit_range(allocator, index, space, &spot->offset)) {
            spot->block = block_index;
            spot->range = index;
            spot->cost = spot->victims = 0;
            return true;
        }
        index = best_fit ? vma_index_next(allocator, index) : vma_index_previous(allocator, index);
    }
    return false;
}

void vma_fit_put(struct vma_allocator *allocator, const struct vma_spot *spot, uint64_t size,
                 uint32_t allocation)
{
    uint32_t before, after;

    if (vma_indexed(vma_range(allocator, spot->range)))
        vma_index_remove(allocator, spot->range);
    vma_range_use(allocator, spot->range, spot->offset, size, allocation, &before, &after);
    /* The rest comes before the padding: this decides the order of equal sizes. */
    if (after != VMA_NONE && vma_indexed(vma_range(allocator, after)))
        vma_index_insert(allocator, after);
    if (before != VMA_NONE && vma_indexed(vma_range(allocator, before)))
        vma_index_insert(allocator, before);
}

/* Whether a neighbour is free; if so, it leaves the index, to be joined. */
static bool take_neighbour(struct vma_allocator *allocator, uint32_t index)
{
    if (!vma_is_free(allocator, index))
        return false;
    if (vma_indexed(vma_range(allocator, index)))
        vma_index_remove(allocator, index);
    return true;
}

uint32_t vma_fit_drop(struct vma_allocator *allocator, uint32_t index)
{
    bool join_next = take_neighbour(allocator, vma_range(allocator, index)->next);
    bool join_previous = take_neighbour(allocator, vma_range(allocator, index)->previous);

    index = vma_range_release(allocator, index, join_previous, join_next);
    if (vma_indexed(vma_range(allocator, index)))
        vma_index_insert(allocator, index);
    return index;
}

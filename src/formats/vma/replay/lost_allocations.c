/* SPDX-License-Identifier: MIT */
/*
 * Allocations that are lost to make room (vma.md 3.8): which may be lost, where an allocation would
 * go in their place, and how they become lost.
 */
#include "formats/vma/replay/allocator_parts.h"
#include "formats/vma/replay/tally.h"

bool vma_can_become_lost(const struct vma_allocator *allocator,
                         const struct vma_allocation *allocation, uint32_t frames_in_use)
{
    /* 32-bit arithmetic that wraps, as in the library */
    uint32_t idle_since = allocation->last_use + frames_in_use;

    return (allocation->flags & VMA_FLAG_CAN_BECOME_LOST) != 0 &&
           allocation->place == VMA_PLACE_BLOCK && idle_since < allocator->frame_index;
}

/* Counts a used range as a victim. Returns false if it is not eligible. */
static bool add_victim(const struct vma_allocator *allocator, const struct vma_range *range,
                       const struct vma_space *space, uint64_t bytes, struct vma_spot *spot)
{
    if (!vma_can_become_lost(allocator, vma_allocation(allocator, range->allocation),
                             space->frames_in_use))
        return false;
    spot->victims++;
    spot->cost += bytes + VMA_VICTIM_COST;
    return true;
}

/* Also counts conflicting ranges on the last page as victims, without their bytes. */
static bool make_page_lost(struct vma_allocator *allocator, uint32_t index,
                           const struct vma_space *space, struct vma_spot *spot)
{
    uint64_t last = spot->offset + space->size - 1;

    for (; space->granularity > 1 && index != VMA_NONE; index = vma_range(allocator, index)->next) {
        const struct vma_range *range = vma_range(allocator, index);

        if (!vma_same_page(range->offset, last, space->granularity))
            return true;
        if (!vma_step(allocator))
            return false;
        if (vma_conflict(vma_range_label(allocator, range), space->label) &&
            !add_victim(allocator, range, space, 0, spot))
            return false;
    }
    return true;
}

/* Finds a place that begins in this range, which may be free or not. */
static bool find_from(struct vma_allocator *allocator, uint32_t index,
                      const struct vma_space *space, struct vma_spot *spot)
{
    const struct vma_range *range = vma_range(allocator, index);
    uint64_t end;

    spot->range = index;
    spot->cost = spot->victims = 0;
    if (range->allocation != VMA_NONE && !add_victim(allocator, range, space, range->size, spot))
        return false;
    if (!bytes_add(range->offset, space->margin, &spot->offset) ||
        !vma_up(spot->offset, space->alignment, &spot->offset) ||
        !vma_fit_after(allocator, index, space, &spot->offset))
        return false;
    if (spot->offset >= range->offset + range->size ||
        !bytes_add(spot->offset, space->size, &end) || !bytes_add(end, space->margin, &end) ||
        end > vma_block(allocator, range->block)->size)
        return false;
    while (range->offset + range->size < end) {
        index = range->next;
        range = vma_range(allocator, index);
        if (!vma_step(allocator) || (range->allocation != VMA_NONE &&
                                     !add_victim(allocator, range, space, range->size, spot)))
            return false;
    }
    return make_page_lost(allocator, range->next, space, spot);
}

bool vma_lost_find(struct vma_allocator *allocator, uint32_t block_index,
                   const struct vma_space *space, struct vma_spot *spot)
{
    uint32_t index = vma_block(allocator, block_index)->first_range;
    struct vma_spot candidate = {.block = block_index};
    bool found = false;

    for (; index != VMA_NONE && vma_step(allocator); index = vma_range(allocator, index)->next) {
        if (!find_from(allocator, index, space, &candidate))
            continue;
        /* First fit drops the place that it found, as in the library. */
        if (space->strategy == VMA_FLAG_FIRST_FIT)
            return false;
        if (!found || candidate.cost < spot->cost)
            *spot = candidate;
        found = true;
    }
    return found && !allocator->exhausted;
}

/* Makes an allocation lost: gives its range back, leaving its block. Returns the free range. */
static uint32_t make_lost(struct vma_allocator *allocator, uint32_t range)
{
    struct vma_allocation *allocation =
        vma_allocation(allocator, vma_range(allocator, range)->allocation);

    range = vma_block_drop(allocator, range);
    allocation->place = VMA_PLACE_LOST;
    allocation->vector = VMA_NONE;
    allocator->rows_length += vma_place_length(allocator, allocation);
    if (allocation->estimated)
        allocator->estimated_bytes -= allocation->size;
    allocator->live--;
    allocator->lost++;
    if (allocator->observer != NULL)
        allocator->observer->lost(allocator->observer, allocation);
    return range;
}

/*
 * The victims are the used ranges from the spot's first range on, as find_from() has counted them.
 */
static void make_default_lost(struct vma_allocator *allocator, const struct vma_space *space,
                              struct vma_spot *spot)
{
    uint64_t last = spot->offset + space->size - 1, end = last + 1 + space->margin;
    uint32_t victims = spot->victims;

    for (uint32_t index = spot->range; victims > 0 && index != VMA_NONE;
         index = vma_range(allocator, index)->next) {
        const struct vma_range *range = vma_range(allocator, index);

        if (range->allocation == VMA_NONE ||
            (range->offset >= end &&
             !vma_conflict(vma_range_label(allocator, range), space->label)))
            continue;
        index = make_lost(allocator, index);
        range = vma_range(allocator, index);
        if (spot->offset - range->offset < range->size)
            spot->range = index;
        victims--;
    }
}

static void make_linear_lost(struct vma_allocator *allocator, struct vma_spot *spot)
{
    struct vma_block *block = vma_block(allocator, spot->block);

    for (uint32_t i = spot->victims; i > 0; i--)
        make_lost(allocator, block->first_head);
    /* If all of `first` is gone, `second` has taken its place. */
    if (block->mode == VMA_LINEAR_NONE &&
        (block->first_head == VMA_NONE ||
         vma_range(allocator, block->first_tail)->offset < spot->offset)) {
        spot->end = VMA_END_OF_FIRST;
        spot->range = block->first_tail != VMA_NONE ? vma_range(allocator, block->first_tail)->next
                                                    : block->first_range;
    } else {
        spot->range = block->second_tail != VMA_NONE
                          ? vma_range(allocator, block->second_tail)->next
                          : block->first_range;
    }
}

void vma_lost_make(struct vma_allocator *allocator, const struct vma_space *space,
                   struct vma_spot *spot)
{
    uint32_t vector = vma_block(allocator, spot->block)->vector;

    if (vma_vector(allocator, vector)->algorithm == VMA_ALGORITHM_LINEAR)
        make_linear_lost(allocator, spot);
    else
        make_default_lost(allocator, space, spot);
}

void vma_pool_make_lost(struct vma_allocator *allocator, uint32_t pool)
{
    const struct vma_vector *vector = vma_vector(allocator, vma_pool(allocator, pool)->vector);

    if (vector->algorithm == VMA_ALGORITHM_BUDDY)
        return;
    for (uint32_t block = vector->first_block; block != VMA_NONE && !allocator->exhausted;
         block = vma_block(allocator, block)->next) {
        uint32_t index = vma_block(allocator, block)->first_range;

        for (; index != VMA_NONE && vma_step(allocator);
             index = vma_range(allocator, index)->next) {
            uint32_t allocation = vma_range(allocator, index)->allocation;

            if (allocation != VMA_NONE &&
                vma_can_become_lost(allocator, vma_allocation(allocator, allocation),
                                    vector->frames_in_use))
                index = make_lost(allocator, index);
        }
        vma_tally_settle(allocator, block);
    }
}

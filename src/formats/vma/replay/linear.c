/*
 * Linear pools (vma.md 3.7). Both lists live in the block's ranges, which are in
 * the order of offsets: `first` alone; in a ring `second` then `first`; in a stack
 * `first` then `second` from its last item to its first. Holes inside a list are
 * free ranges that are not offered, so only the ends of the lists are kept.
 */
#include "formats/vma/replay/allocator_parts.h"

static uint64_t range_end(const struct vma_allocator *allocator, uint32_t index)
{
    const struct vma_range *range = vma_range(allocator, index);

    return range->offset + range->size;
}

/* The nearest used range behind or before one; there is one free range between at most. */
static uint32_t next_used(const struct vma_allocator *allocator, uint32_t index)
{
    do
        index = vma_range(allocator, index)->next;
    while (index != VMA_NONE && vma_range(allocator, index)->allocation == VMA_NONE);
    return index;
}

static uint32_t previous_used(const struct vma_allocator *allocator, uint32_t index)
{
    do
        index = vma_range(allocator, index)->previous;
    while (index != VMA_NONE && vma_range(allocator, index)->allocation == VMA_NONE);
    return index;
}

/* The offset for an item behind `tail` (VMA_NONE: at the block's start), granularity included. */
static bool offset_behind(struct vma_allocator *allocator, uint32_t tail,
                          const struct vma_space *space, uint64_t *offset)
{
    uint64_t base = tail == VMA_NONE ? 0 : range_end(allocator, tail);
    uint32_t behind = tail == VMA_NONE ? VMA_NONE : vma_range(allocator, tail)->next;

    if (!bytes_add(base, space->margin, offset) || !vma_up(*offset, space->alignment, offset))
        return false;
    return behind == VMA_NONE || vma_fit_after(allocator, behind, space, offset);
}

/* Whether [offset, offset + size) and a margin end at or before the limit. */
static bool ends_before(uint64_t offset, const struct vma_space *space, uint64_t limit)
{
    uint64_t end;

    return bytes_add(offset, space->size, &end) && bytes_add(end, space->margin, &end) &&
           end <= limit;
}

static bool find_end_of_first(struct vma_allocator *allocator, const struct vma_block *block,
                              const struct vma_space *space, struct vma_spot *spot)
{
    bool stack = block->mode == VMA_LINEAR_STACK;
    uint64_t limit = stack ? vma_range(allocator, block->second_tail)->offset : block->size;

    if (!offset_behind(allocator, block->first_tail, space, &spot->offset) ||
        !ends_before(spot->offset, space, limit))
        return false;
    if (stack &&
        vma_fit_before(allocator, block->second_tail, space, spot->offset + space->size - 1))
        return false;
    spot->end = VMA_END_OF_FIRST;
    spot->range = block->first_tail != VMA_NONE ? vma_range(allocator, block->first_tail)->next
                                                : block->first_range;
    return true;
}

/* Counts one item of `first` that is in the way; false if it cannot be lost. */
static bool add_victim(struct vma_allocator *allocator, uint32_t index,
                       const struct vma_space *space, struct vma_spot *spot)
{
    const struct vma_range *range = vma_range(allocator, index);

    if (!vma_can_become_lost(allocator, vma_allocation(allocator, range->allocation),
                             space->frames_in_use))
        return false;
    spot->victims++;
    spot->cost += range->size + VMA_VICTIM_COST;
    return true;
}

/*
 * The items of `first` that must be lost for the wrap: those that it would overlap,
 * and all others on its last page. *head is then the first item that stays.
 */
static bool find_victims(struct vma_allocator *allocator, const struct vma_space *space,
                         struct vma_spot *spot, uint32_t *head)
{
    while (*head != VMA_NONE &&
           !ends_before(spot->offset, space, vma_range(allocator, *head)->offset)) {
        if (!vma_step(allocator) || !add_victim(allocator, *head, space, spot))
            return false;
        *head = next_used(allocator, *head);
    }
    while (space->granularity > 1 && *head != VMA_NONE &&
           vma_same_page(spot->offset + space->size - 1, vma_range(allocator, *head)->offset,
                         space->granularity)) {
        if (!vma_step(allocator) || !add_victim(allocator, *head, space, spot))
            return false;
        *head = next_used(allocator, *head);
    }
    return true;
}

static bool find_end_of_second(struct vma_allocator *allocator, const struct vma_block *block,
                               const struct vma_space *space, struct vma_spot *spot)
{
    uint32_t head = block->first_head;
    uint64_t end;

    if (!offset_behind(allocator, block->second_tail, space, &spot->offset) ||
        !bytes_add(spot->offset, space->size, &end))
        return false;
    if (space->make_lost && !find_victims(allocator, space, spot, &head))
        return false;
    if (!ends_before(spot->offset, space,
                     head != VMA_NONE ? vma_range(allocator, head)->offset : block->size))
        return false;
    if (head != VMA_NONE && vma_fit_before(allocator, head, space, end - 1))
        return false;
    spot->end = VMA_END_OF_SECOND;
    spot->range = block->second_tail != VMA_NONE ? vma_range(allocator, block->second_tail)->next
                                                 : block->first_range;
    return true;
}

/* Lowers the offset when an item of `second` on the page of the last byte conflicts. */
static bool lower_for_second(struct vma_allocator *allocator, const struct vma_block *block,
                             const struct vma_space *space, uint64_t *offset)
{
    if (space->granularity <= 1 || block->second_tail == VMA_NONE ||
        !vma_fit_before(allocator, block->second_tail, space, *offset + space->size - 1))
        return true;
    *offset = vma_down(*offset, space->granularity);
    return !allocator->exhausted;
}

/* Whether an item of `first` on the page of the offset conflicts. */
static bool first_conflicts(struct vma_allocator *allocator, const struct vma_block *block,
                            const struct vma_space *space, uint64_t offset)
{
    for (uint32_t index = block->first_tail; space->granularity > 1 && index != VMA_NONE;
         index = vma_range(allocator, index)->previous) {
        const struct vma_range *range = vma_range(allocator, index);

        if (!vma_same_page(range->offset + range->size - 1, offset, space->granularity))
            return false;
        if (!vma_step(allocator) || vma_conflict(vma_range_label(allocator, range), space->label))
            return true;
    }
    return false;
}

static bool find_upper(struct vma_allocator *allocator, const struct vma_block *block,
                       const struct vma_space *space, struct vma_spot *spot)
{
    uint64_t top = block->second_tail != VMA_NONE ? vma_range(allocator, block->second_tail)->offset
                                                  : block->size;
    uint64_t bottom = block->first_tail != VMA_NONE ? range_end(allocator, block->first_tail) : 0;

    if (block->mode == VMA_LINEAR_RING || top < space->size || top - space->size < space->margin)
        return false;
    spot->offset = vma_down(top - space->size - space->margin, space->alignment);
    if (!lower_for_second(allocator, block, space, &spot->offset) ||
        !bytes_add(bottom, space->margin, &bottom) || bottom > spot->offset ||
        first_conflicts(allocator, block, space, spot->offset))
        return false;
    spot->end = VMA_END_UPPER;
    spot->range = block->second_tail != VMA_NONE
                      ? vma_range(allocator, block->second_tail)->previous
                      : block->last_range;
    return true;
}

bool vma_linear_find(struct vma_allocator *allocator, uint32_t block_index,
                     const struct vma_space *space, struct vma_spot *spot)
{
    const struct vma_block *block = vma_block(allocator, block_index);

    spot->block = block_index;
    spot->cost = spot->victims = 0;
    if (space->upper)
        return find_upper(allocator, block, space, spot);
    if (block->mode != VMA_LINEAR_RING && find_end_of_first(allocator, block, space, spot))
        return true;
    return block->mode != VMA_LINEAR_STACK && find_end_of_second(allocator, block, space, spot);
}

void vma_linear_put(struct vma_allocator *allocator, const struct vma_spot *spot, uint64_t size,
                    uint32_t allocation)
{
    struct vma_block *block = vma_block(allocator, spot->block);
    uint32_t before, after;

    vma_range_use(allocator, spot->range, spot->offset, size, allocation, &before, &after);
    if (spot->end == VMA_END_OF_FIRST) {
        if (block->first_head == VMA_NONE)
            block->first_head = spot->range;
        block->first_tail = spot->range;
        return;
    }
    if (block->second_head == VMA_NONE)
        block->second_head = spot->range;
    block->second_tail = spot->range;
    block->mode = spot->end == VMA_END_UPPER ? VMA_LINEAR_STACK : VMA_LINEAR_RING;
}

/* Takes a range that is about to be freed off the ends of the lists. */
static void trim_lists(struct vma_allocator *allocator, struct vma_block *block, uint32_t index)
{
    bool stack = block->mode == VMA_LINEAR_STACK;

    if (block->first_head == index && block->first_tail == index)
        block->first_head = block->first_tail = VMA_NONE;
    else if (block->first_head == index)
        block->first_head = next_used(allocator, index);
    else if (block->first_tail == index)
        block->first_tail = previous_used(allocator, index);
    else if (block->second_head == index && block->second_tail == index)
        block->second_head = block->second_tail = VMA_NONE;
    else if (block->second_head == index)
        block->second_head = stack ? previous_used(allocator, index) : next_used(allocator, index);
    else if (block->second_tail == index)
        block->second_tail = stack ? next_used(allocator, index) : previous_used(allocator, index);
}

uint32_t vma_linear_drop(struct vma_allocator *allocator, uint32_t index)
{
    struct vma_block *block = vma_block(allocator, vma_range(allocator, index)->block);

    trim_lists(allocator, block, index);
    if (block->first_head == VMA_NONE && block->mode == VMA_LINEAR_RING) {
        block->first_head = block->second_head;
        block->first_tail = block->second_tail;
        block->second_head = block->second_tail = VMA_NONE;
    }
    if (block->second_head == VMA_NONE)
        block->mode = VMA_LINEAR_NONE;
    return vma_range_release(allocator, index,
                             vma_is_free(allocator, vma_range(allocator, index)->previous),
                             vma_is_free(allocator, vma_range(allocator, index)->next));
}

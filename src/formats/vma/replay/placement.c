/* SPDX-License-Identifier: MIT */
/*
 * Determines where an allocation goes in a block, by the block's algorithm: default, linear, buddy.
 */
#include "formats/vma/replay/allocator_parts.h"

/*
 * The default algorithm (vma.md 3.5): free ranges are indexed by size. They are tried upward from
 * the smallest that may fit (best fit), or downward from the biggest.
 */

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
        return true; /* the higher labels are images */
    case VMA_IMAGE_LINEAR:
        return high == VMA_IMAGE_OPTIMAL;
    default:
        return false;
    }
}

bool vma_fit_after(struct vma_allocator *allocator, uint32_t range_index,
                   const struct vma_space *space, uint64_t *offset)
{
    if (space->granularity <= 1)
        return true;
    for (range_index = vma_range(allocator, range_index)->previous; range_index != VMA_NONE;
         range_index = vma_range(allocator, range_index)->previous) {
        const struct vma_range *range = vma_range(allocator, range_index);

        if (!vma_same_page(range->offset + range->size - 1, *offset, space->granularity))
            return true;
        if (!vma_step(allocator))
            return false;
        if (vma_conflict(vma_range_label(allocator, range), space->label))
            return vma_up(*offset, space->granularity, offset);
    }
    return true;
}

bool vma_fit_before(struct vma_allocator *allocator, uint32_t range_index,
                    const struct vma_space *space, uint64_t last)
{
    if (space->granularity <= 1)
        return false;
    for (; range_index != VMA_NONE; range_index = vma_range(allocator, range_index)->next) {
        const struct vma_range *range = vma_range(allocator, range_index);

        if (!vma_same_page(range->offset, last, space->granularity))
            return false;
        if (!vma_step(allocator) || vma_conflict(vma_range_label(allocator, range), space->label))
            return true;
    }
    return false;
}

bool vma_fit_range(struct vma_allocator *allocator, uint32_t range_index,
                   const struct vma_space *space, uint64_t *offset)
{
    const struct vma_range *range = vma_range(allocator, range_index);
    uint64_t needed;

    if (range->size < space->size || !bytes_add(range->offset, space->margin, offset) ||
        !vma_up(*offset, space->alignment, offset) ||
        !vma_fit_after(allocator, range_index, space, offset))
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
    /*
     * What is left after the allocation is inserted before what is left before it: this decides the
     * order of equal sizes.
     */
    if (after != VMA_NONE && vma_indexed(vma_range(allocator, after)))
        vma_index_insert(allocator, after);
    if (before != VMA_NONE && vma_indexed(vma_range(allocator, before)))
        vma_index_insert(allocator, before);
}

/* Removes a neighbour from the index if it is free, for joining. Returns whether it is free. */
static bool take_neighbour(struct vma_allocator *allocator, uint32_t index)
{
    if (!vma_is_free(allocator, index))
        return false;
    if (vma_indexed(vma_range(allocator, index)))
        vma_index_remove(allocator, index);
    return true;
}

uint32_t vma_fit_drop(struct vma_allocator *allocator, uint32_t range_index)
{
    bool join_next = take_neighbour(allocator, vma_range(allocator, range_index)->next);
    bool join_previous = take_neighbour(allocator, vma_range(allocator, range_index)->previous);

    range_index = vma_range_release(allocator, range_index, join_previous, join_next);
    if (vma_indexed(vma_range(allocator, range_index)))
        vma_index_insert(allocator, range_index);
    return range_index;
}

/*
 * Linear pools (vma.md 3.7). The allocations of a block are in one or two lists, in the order in
 * which they were made. The block's mode decides where the lists are (1, 2, 3 … are items of a
 * list, in its order; `…` is free):
 *
 *     VMA_LINEAR_NONE     … first: 1 2 3 …
 *     VMA_LINEAR_RING     second: 1 2 … first: 1 2 3 …      `second` has wrapped to the beginning
 *     VMA_LINEAR_STACK    … first: 1 2 3 … second: 3 2 1    `second` grows down from the end
 *
 * So the order of a list follows from the order of the block's ranges, which are by offset, and
 * only the ends of the lists are stored. A hole between two items of a list is a free range that is
 * not offered.
 */

static uint64_t range_end(const struct vma_allocator *allocator, uint32_t index)
{
    const struct vma_range *range = vma_range(allocator, index);

    return range->offset + range->size;
}

/* Returns the nearest used range after a range. At most one free range is between them. */
static uint32_t next_used(const struct vma_allocator *allocator, uint32_t index)
{
    do
        index = vma_range(allocator, index)->next;
    while (index != VMA_NONE && vma_range(allocator, index)->allocation == VMA_NONE);
    return index;
}

/* Returns the nearest used range before a range. At most one free range is between them. */
static uint32_t previous_used(const struct vma_allocator *allocator, uint32_t index)
{
    do
        index = vma_range(allocator, index)->previous;
    while (index != VMA_NONE && vma_range(allocator, index)->allocation == VMA_NONE);
    return index;
}

/*
 * Finds the offset for an item after `tail` (VMA_NONE: at the block's start), with regard to
 * granularity.
 */
static bool offset_behind(struct vma_allocator *allocator, uint32_t tail,
                          const struct vma_space *space, uint64_t *offset)
{
    uint64_t base = tail == VMA_NONE ? 0 : range_end(allocator, tail);
    uint32_t behind = tail == VMA_NONE ? VMA_NONE : vma_range(allocator, tail)->next;

    if (!bytes_add(base, space->margin, offset) || !vma_up(*offset, space->alignment, offset))
        return false;
    return behind == VMA_NONE || vma_fit_after(allocator, behind, space, offset);
}

/* Returns whether [offset, offset + size) and a margin end at or before the limit. */
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

/* Counts an item of `first` that is in the way as a victim. Returns false if it cannot be lost. */
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
 * Finds the items of `first` that must be lost when `second` wraps: those that the allocation would
 * overlap, and all others on its last page. Sets *head to the first item that remains.
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

/* Lowers the offset if an item of `second` on the page of the last byte conflicts. */
static bool lower_for_second(struct vma_allocator *allocator, const struct vma_block *block,
                             const struct vma_space *space, uint64_t *offset)
{
    if (space->granularity <= 1 || block->second_tail == VMA_NONE ||
        !vma_fit_before(allocator, block->second_tail, space, *offset + space->size - 1))
        return true;
    *offset = vma_down(*offset, space->granularity);
    return !allocator->exhausted;
}

/* Returns whether an item of `first` on the page of the offset conflicts. */
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

/* Removes a range, which is about to be freed, from the ends of the lists. */
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

uint32_t vma_linear_drop(struct vma_allocator *allocator, uint32_t range_index)
{
    struct vma_block *block = vma_block(allocator, vma_range(allocator, range_index)->block);

    trim_lists(allocator, block, range_index);
    if (block->first_head == VMA_NONE && block->mode == VMA_LINEAR_RING) {
        block->first_head = block->second_head;
        block->first_tail = block->second_tail;
        block->second_head = block->second_tail = VMA_NONE;
    }
    if (block->second_head == VMA_NONE)
        block->mode = VMA_LINEAR_NONE;
    return vma_range_release(allocator, range_index,
                             vma_is_free(allocator, vma_range(allocator, range_index)->previous),
                             vma_is_free(allocator, vma_range(allocator, range_index)->next));
}

/*
 * Buddy pools (vma.md 3.7). A block's usable bytes, a power of two, are the node of level 0; a node
 * of level N + 1 is half of one of level N. A free node is a range, and is in the free list of its
 * level. The tree of nodes is not stored: a node's buddy, the other half of the same node, is the
 * range before or after it, if that is a free node of the same level.
 *
 * A used node is the allocation's range and, if the node is larger, a free range after it
 * (VMA_BUDDY_REST) that is in no list. If the block's size is no power of two, the bytes after the
 * usable ones are a free range, too (VMA_BUDDY_TAIL).
 */

static struct vma_buddy_levels *levels_of(const struct vma_allocator *allocator,
                                          const struct vma_block *block)
{
    return (struct vma_buddy_levels *)vma_slab_at(&allocator->levels, block->levels);
}

static void list_push(struct vma_allocator *allocator, struct vma_block *block, uint32_t index,
                      uint32_t level)
{
    uint32_t *first = &levels_of(allocator, block)->first[level];
    struct vma_range *range = vma_range(allocator, index);

    range->up = level;
    range->child[0] = VMA_NONE;
    range->child[1] = *first;
    if (*first != VMA_NONE)
        vma_range(allocator, *first)->child[0] = index;
    *first = index;
}

static void list_remove(struct vma_allocator *allocator, struct vma_block *block, uint32_t index)
{
    struct vma_range *range = vma_range(allocator, index);

    if (range->child[0] != VMA_NONE)
        vma_range(allocator, range->child[0])->child[1] = range->child[1];
    else
        levels_of(allocator, block)->first[range->up] = range->child[1];
    if (range->child[1] != VMA_NONE)
        vma_range(allocator, range->child[1])->child[0] = range->child[0];
    range->child[0] = range->child[1] = VMA_NONE;
}

/* Returns the deepest level whose nodes hold `size`, which is at most `usable`. */
static uint32_t level_of(const struct vma_block *block, uint64_t size)
{
    uint32_t level = 0;

    while (level + 1 < block->level_count && block->usable >> (level + 1) >= size)
        level++;
    return level;
}

int vma_buddy_open(struct vma_allocator *allocator, uint32_t block_index)
{
    struct vma_block *block = vma_block(allocator, block_index);
    int status = vma_slab_reserve(&allocator->levels, 1);
    uint32_t whole = block->first_range;

    if (status < 0)
        return status;
    block->levels = vma_slab_take(&allocator->levels);
    block->usable = UINT64_C(1) << 63;
    while (block->usable > block->size)
        block->usable >>= 1;
    block->level_count = 1;
    while (block->level_count < VMA_BUDDY_LEVELS &&
           block->usable >> block->level_count >= VMA_BUDDY_MIN_NODE)
        block->level_count++;
    if (block->usable < block->size)
        vma_range_split(allocator, whole, block->usable, VMA_BUDDY_TAIL);
    list_push(allocator, block, whole, 0);
    return 0;
}

void vma_buddy_close(struct vma_allocator *allocator, uint32_t block)
{
    vma_slab_give(&allocator->levels, vma_block(allocator, block)->levels);
}

bool vma_buddy_find(struct vma_allocator *allocator, uint32_t block_index,
                    const struct vma_space *space, struct vma_spot *spot)
{
    const struct vma_block *block = vma_block(allocator, block_index);
    uint64_t size = space->size, alignment = space->alignment;

    if (space->label == VMA_UNKNOWN || space->label == VMA_IMAGE_UNKNOWN ||
        space->label == VMA_IMAGE_OPTIMAL) {
        size = size > space->granularity ? size : space->granularity;
        alignment = alignment > space->granularity ? alignment : space->granularity;
    }
    if (size > block->usable)
        return false;
    for (uint32_t level = level_of(block, size) + 1; level-- > 0;) {
        uint32_t index = levels_of(allocator, block)->first[level];

        for (; index != VMA_NONE && vma_step(allocator);
             index = vma_range(allocator, index)->child[1])
            if (vma_range(allocator, index)->offset % alignment == 0) {
                *spot = (struct vma_spot){.block = block_index,
                                          .range = index,
                                          .offset = vma_range(allocator, index)->offset};
                return true;
            }
    }
    return false;
}

void vma_buddy_put(struct vma_allocator *allocator, const struct vma_spot *spot, uint64_t size,
                   uint32_t allocation)
{
    struct vma_block *block = vma_block(allocator, spot->block);
    uint32_t level = vma_range(allocator, spot->range)->up;
    uint32_t target = level_of(block, size);
    uint32_t before, after;

    list_remove(allocator, block, spot->range);
    for (; level < target; level++)
        list_push(allocator, block,
                  vma_range_split(allocator, spot->range, block->usable >> (level + 1), level + 1),
                  level + 1);
    vma_range_use(allocator, spot->range, spot->offset, size, allocation, &before, &after);
    vma_range(allocator, spot->range)->up = level;
    if (after != VMA_NONE)
        vma_range(allocator, after)->up = VMA_BUDDY_REST;
}

/* Returns the buddy of a free node if it is a free node too, otherwise VMA_NONE. */
static uint32_t free_buddy(const struct vma_allocator *allocator, const struct vma_block *block,
                           const struct vma_range *node, uint32_t level)
{
    bool is_right = (node->offset & block->usable >> level) != 0;
    uint32_t index = is_right ? node->previous : node->next;
    const struct vma_range *buddy;

    if (index == VMA_NONE)
        return VMA_NONE;
    buddy = vma_range(allocator, index);
    return buddy->allocation == VMA_NONE && buddy->up == level ? index : VMA_NONE;
}

uint32_t vma_buddy_drop(struct vma_allocator *allocator, uint32_t range_index)
{
    struct vma_block *block = vma_block(allocator, vma_range(allocator, range_index)->block);
    uint32_t level = vma_range(allocator, range_index)->up;
    uint32_t next = vma_range(allocator, range_index)->next;

    vma_range_release(allocator, range_index, false,
                      vma_is_free(allocator, next) &&
                          vma_range(allocator, next)->up == VMA_BUDDY_REST);
    for (; level > 0; level--) {
        uint32_t buddy = free_buddy(allocator, block, vma_range(allocator, range_index), level);

        if (buddy == VMA_NONE)
            break;
        list_remove(allocator, block, buddy);
        if (buddy == vma_range(allocator, range_index)->previous)
            range_index = buddy;
        vma_range_join(allocator, range_index);
    }
    list_push(allocator, block, range_index, level);
    return range_index;
}

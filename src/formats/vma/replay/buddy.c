/*
 * Buddy pools (vma.md 3.7). The tree of nodes is not stored: a node's buddy is
 * the range before or behind it, if that is a free node of the same level. A used
 * node is the allocation's range and, where it is larger, a free one behind it
 * that belongs to no list.
 */
#include "formats/vma/replay/allocator_parts.h"

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

/* The deepest level whose nodes hold `size` (<= usable). */
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

/* The free node that is the buddy of a free node, or VMA_NONE. */
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

uint32_t vma_buddy_drop(struct vma_allocator *allocator, uint32_t index)
{
    struct vma_block *block = vma_block(allocator, vma_range(allocator, index)->block);
    uint32_t level = vma_range(allocator, index)->up;
    uint32_t next = vma_range(allocator, index)->next;

    vma_range_release(allocator, index, false,
                      vma_is_free(allocator, next) &&
                          vma_range(allocator, next)->up == VMA_BUDDY_REST);
    for (; level > 0; level--) {
        uint32_t buddy = free_buddy(allocator, block, vma_range(allocator, index), level);

        if (buddy == VMA_NONE)
            break;
        list_remove(allocator, block, buddy);
        if (buddy == vma_range(allocator, index)->previous)
            index = buddy;
        vma_range_join(allocator, index);
    }
    list_push(allocator, block, index, level);
    return index;
}

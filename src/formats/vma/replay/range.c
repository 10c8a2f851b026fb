/* SPDX-License-Identifier: MIT */
/*
 * A block is a list of ranges without gaps. The index by size has a treap for each power of two;
 * few treaps hold more than two ranges. Priorities in a treap are a hash of the range's number, so
 * they need not be stored, and the shape is the same in every copy.
 */
#include "formats/vma/replay/allocator_parts.h"
#include "formats/vma/replay/tally.h"

#include <errno.h>
#include <string.h>

/* Returns whether items can be taken without growing. */
static bool has_room(const struct vma_slab *slab, uint32_t more)
{
    return more <= slab->room - 1 - slab->used && slab->room > 0;
}

int vma_reserve(struct vma_allocator *allocator, uint32_t count)
{
    /* An allocation takes at most two more ranges; in a buddy block, one for each level. */
    enum { RANGES_EACH = VMA_BUDDY_LEVELS + 2 };
    int status;

    if (has_room(&allocator->ranges, RANGES_EACH) && has_room(&allocator->allocations, count))
        return 0;
    if (vma_allocator_bytes(allocator) + (uint64_t)count * sizeof(struct vma_allocation) >
        allocator->max_bytes) {
        allocator->too_large = true;
        return -ENOSPC;
    }
    status = vma_slab_reserve(&allocator->ranges, RANGES_EACH);
    return status < 0 ? status : vma_slab_reserve(&allocator->allocations, count);
}

int vma_grow(struct vma_allocator *allocator, struct vma_slab *slab, uint32_t more)
{
    if (more == 0 || has_room(slab, more))
        return 0;
    if (vma_allocator_bytes(allocator) + (uint64_t)more * slab->item_size > allocator->max_bytes) {
        allocator->too_large = true;
        return -ENOSPC;
    }
    return vma_slab_reserve(slab, more);
}

/* Inserts a free range after `previous` (VMA_NONE: at the block's start). It is not counted yet. */
static uint32_t insert_range(struct vma_allocator *allocator, uint32_t block_index,
                             uint32_t previous, uint64_t offset, uint64_t size)
{
    struct vma_block *block = vma_block(allocator, block_index);
    uint32_t index = vma_slab_take(&allocator->ranges);
    struct vma_range *range = vma_range(allocator, index);

    range->offset = offset;
    range->size = size;
    range->block = block_index;
    range->previous = previous;
    range->next = previous == VMA_NONE ? block->first_range : vma_range(allocator, previous)->next;
    *(previous == VMA_NONE ? &block->first_range : &vma_range(allocator, previous)->next) = index;
    *(range->next == VMA_NONE ? &block->last_range : &vma_range(allocator, range->next)->previous) =
        index;
    return index;
}

static void remove_range(struct vma_allocator *allocator, uint32_t index)
{
    struct vma_range *range = vma_range(allocator, index);
    struct vma_block *block = vma_block(allocator, range->block);

    *(range->previous == VMA_NONE ? &block->first_range
                                  : &vma_range(allocator, range->previous)->next) = range->next;
    *(range->next == VMA_NONE ? &block->last_range : &vma_range(allocator, range->next)->previous) =
        range->previous;
    vma_slab_give(&allocator->ranges, index);
}

void vma_range_whole(struct vma_allocator *allocator, uint32_t block)
{
    struct vma_site site = vma_site(allocator, block);
    uint32_t range = insert_range(allocator, block, VMA_NONE, 0, site.block->size);

    vma_site_free(&site, vma_range(allocator, range), 1);
}

void vma_range_use(struct vma_allocator *allocator, uint32_t range_index, uint64_t offset,
                   uint64_t size, uint32_t allocation, uint32_t *before, uint32_t *after)
{
    struct vma_range *range = vma_range(allocator, range_index);
    struct vma_site site = vma_site(allocator, range->block);
    uint64_t start = range->offset;
    uint64_t rest = range->size - (offset - start) - size;

    vma_site_free(&site, range, -1);
    range->offset = offset;
    range->size = size;
    range->allocation = allocation;
    vma_allocation(allocator, allocation)->range = range_index;
    vma_site_used(&site, range, 1);
    *before = *after = VMA_NONE;
    if (rest > 0) {
        *after = insert_range(allocator, range->block, range_index, offset + size, rest);
        vma_site_free(&site, vma_range(allocator, *after), 1);
    }
    if (offset > start) {
        *before = insert_range(allocator, range->block, range->previous, start, offset - start);
        vma_site_free(&site, vma_range(allocator, *before), 1);
    }
}

/* Merges the next range, which is free, into a range that is being changed. */
static void absorb(const struct vma_site *site, struct vma_range *range)
{
    uint32_t next = range->next;

    vma_site_free(site, vma_range(site->allocator, next), -1);
    range->size += vma_range(site->allocator, next)->size;
    remove_range(site->allocator, next);
}

uint32_t vma_range_release(struct vma_allocator *allocator, uint32_t range_index,
                           bool join_previous, bool join_next)
{
    struct vma_range *range = vma_range(allocator, range_index);
    struct vma_site site = vma_site(allocator, range->block);

    vma_site_used(&site, range, -1);
    vma_allocation(allocator, range->allocation)->range = VMA_NONE;
    range->allocation = VMA_NONE;
    if (join_next)
        absorb(&site, range);
    if (join_previous) {
        range_index = range->previous;
        vma_site_free(&site, vma_range(allocator, range_index), -1);
        vma_range(allocator, range_index)->size += range->size;
        remove_range(allocator, vma_range(allocator, range_index)->next);
        range = vma_range(allocator, range_index);
    }
    vma_site_free(&site, range, 1);
    return range_index;
}

void vma_range_join(struct vma_allocator *allocator, uint32_t range_index)
{
    struct vma_range *range = vma_range(allocator, range_index);
    struct vma_site site = vma_site(allocator, range->block);

    vma_site_free(&site, range, -1);
    absorb(&site, range);
    vma_site_free(&site, range, 1);
}

uint32_t vma_range_split(struct vma_allocator *allocator, uint32_t range_index, uint64_t size,
                         uint32_t up)
{
    struct vma_range *range = vma_range(allocator, range_index);
    struct vma_site site = vma_site(allocator, range->block);
    uint64_t rest = range->size - size;
    uint32_t second;

    vma_site_free(&site, range, -1);
    range->size = size;
    vma_site_free(&site, range, 1);
    second = insert_range(allocator, range->block, range_index, range->offset + size, rest);
    vma_range(allocator, second)->up = up;
    vma_site_free(&site, vma_range(allocator, second), 1);
    return second;
}

void vma_range_clear(struct vma_allocator *allocator, uint32_t range_index)
{
    const struct vma_range *range = vma_range(allocator, range_index);
    struct vma_site site = vma_site(allocator, range->block);

    if (range->allocation != VMA_NONE)
        vma_site_used(&site, range, -1);
    else
        vma_site_free(&site, range, -1);
    vma_slab_give(&allocator->ranges, range_index);
}

/* The index. */

/*
 * Returns the treap for a size: one for each power of two; the last one is for everything larger.
 */
static unsigned treap_of(uint64_t size)
{
    unsigned power = 63 - (unsigned)__builtin_clzll(size | VMA_MIN_INDEXED);

    return power - VMA_MIN_POWER < VMA_TREAPS - 1 ? power - VMA_MIN_POWER : VMA_TREAPS - 1;
}

/* Returns the root of a range's treap. */
static uint32_t *root_of(const struct vma_allocator *allocator, const struct vma_range *range)
{
    return &vma_block(allocator, range->block)->roots[treap_of(range->size)];
}

static uint32_t priority(uint32_t index)
{
    index *= 0x9E3779B1;
    return index ^ index >> 15;
}

/* Returns the place where the parent or the block refers to `index`. */
static uint32_t *link_to(struct vma_allocator *allocator, uint32_t index)
{
    struct vma_range *range = vma_range(allocator, index);
    struct vma_range *parent;

    if (range->up == VMA_NONE)
        return root_of(allocator, range);
    parent = vma_range(allocator, range->up);
    return &parent->child[parent->child[1] == index];
}

/* Rotates the edge between `index` and its parent, which becomes its child. */
static void rotate_up(struct vma_allocator *allocator, uint32_t index)
{
    struct vma_range *range = vma_range(allocator, index);
    uint32_t parent_index = range->up;
    struct vma_range *parent = vma_range(allocator, parent_index);
    uint32_t *above = link_to(allocator, parent_index);
    unsigned side = parent->child[1] == index;
    uint32_t moved = range->child[!side];

    parent->child[side] = moved;
    range->child[!side] = parent_index;
    if (moved != VMA_NONE)
        vma_range(allocator, moved)->up = parent_index;
    range->up = parent->up;
    parent->up = index;
    *above = index;
}

void vma_index_insert(struct vma_allocator *allocator, uint32_t range_index)
{
    struct vma_range *range = vma_range(allocator, range_index);
    struct vma_block *block = vma_block(allocator, range->block);
    unsigned treap = treap_of(range->size);
    uint32_t *place = &block->roots[treap];
    uint32_t up = VMA_NONE;

    block->treaps |= UINT32_C(1) << treap;
    /* No branch depends on the sizes, as they are unpredictable. */
    while (*place != VMA_NONE) {
        struct vma_range *parent = vma_range(allocator, *place);

        up = *place;
        place = &parent->child[range->size > parent->size];
    }
    *place = range_index;
    range->child[0] = range->child[1] = VMA_NONE;
    range->up = up;
    while (range->up != VMA_NONE && priority(range_index) > priority(range->up))
        rotate_up(allocator, range_index);
}

void vma_index_remove(struct vma_allocator *allocator, uint32_t range_index)
{
    struct vma_range *range = vma_range(allocator, range_index);
    uint32_t child;

    while (range->child[0] != VMA_NONE && range->child[1] != VMA_NONE)
        rotate_up(allocator, range->child[priority(range->child[1]) > priority(range->child[0])]);
    child = range->child[range->child[0] == VMA_NONE];
    if (child != VMA_NONE)
        vma_range(allocator, child)->up = range->up;
    *link_to(allocator, range_index) = child;
    if (range->up == VMA_NONE && child == VMA_NONE)
        vma_block(allocator, range->block)->treaps &= ~(UINT32_C(1) << treap_of(range->size));
    range->child[0] = range->child[1] = range->up = VMA_NONE;
}

void vma_index_clear(struct vma_allocator *allocator, uint32_t block)
{
    struct vma_block *cleared = vma_block(allocator, block);

    cleared->treaps = 0;
    memset(cleared->roots, 0, sizeof(cleared->roots));
}

/* Returns the outermost range of a subtree towards a side. The subtree must not be empty. */
static uint32_t outermost(const struct vma_allocator *allocator, uint32_t index, unsigned side)
{
    uint32_t child;

    while ((child = vma_range(allocator, index)->child[side]) != VMA_NONE)
        index = child;
    return index;
}

/* Returns the first range of the treaps above one, or the last range of those below it. */
static uint32_t beyond(const struct vma_allocator *allocator, const struct vma_block *block,
                       unsigned treap, unsigned side)
{
    uint32_t bit = UINT32_C(1) << treap;
    uint32_t treaps = block->treaps & (side == 1 ? ~(bit | (bit - 1)) : bit - 1);

    if (treaps == 0)
        return VMA_NONE;
    treap = (unsigned)(side == 1 ? __builtin_ctz(treaps) : 31 - __builtin_clz(treaps));
    return outermost(allocator, block->roots[treap], !side);
}

uint32_t vma_index_at_least(const struct vma_allocator *allocator, uint32_t block_index,
                            uint64_t size)
{
    const struct vma_block *block = vma_block(allocator, block_index);
    unsigned treap = treap_of(size);
    uint32_t index = block->roots[treap];
    uint32_t found = VMA_NONE;

    while (index != VMA_NONE) {
        const struct vma_range *range = vma_range(allocator, index);
        bool fits = range->size >= size;

        found = fits ? index : found;
        index = range->child[!fits];
    }
    return found != VMA_NONE ? found : beyond(allocator, block, treap, 1);
}

uint32_t vma_index_last(const struct vma_allocator *allocator, uint32_t block_index)
{
    const struct vma_block *block = vma_block(allocator, block_index);
    unsigned treap = VMA_TREAPS - 1;

    return block->roots[treap] != VMA_NONE ? outermost(allocator, block->roots[treap], 1)
                                           : beyond(allocator, block, treap, 0);
}

/* Returns the neighbour in the order of the index. */
static uint32_t neighbour(const struct vma_allocator *allocator, uint32_t index, unsigned side)
{
    const struct vma_range *range = vma_range(allocator, index);

    if (range->child[side] != VMA_NONE)
        return outermost(allocator, range->child[side], !side);
    while (range->up != VMA_NONE && vma_range(allocator, range->up)->child[side] == index) {
        index = range->up;
        range = vma_range(allocator, index);
    }
    return range->up != VMA_NONE
               ? range->up
               : beyond(allocator, vma_block(allocator, range->block), treap_of(range->size), side);
}

uint32_t vma_index_next(const struct vma_allocator *allocator, uint32_t range_index)
{
    return neighbour(allocator, range_index, 1);
}

uint32_t vma_index_previous(const struct vma_allocator *allocator, uint32_t range_index)
{
    return neighbour(allocator, range_index, 0);
}

/* Returns the size of a block's largest free range. */
static uint64_t largest_free(const struct vma_allocator *allocator, uint32_t index)
{
    const struct vma_block *block = vma_block(allocator, index);
    uint32_t range = VMA_NONE;
    uint64_t largest = 0;

    if (block->free_ranges == 0)
        return 0;
    if (vma_vector(allocator, block->vector)->algorithm == VMA_ALGORITHM_DEFAULT)
        range = vma_index_last(allocator, index);
    if (range != VMA_NONE)
        return vma_range(allocator, range)->size;
    for (range = block->first_range; range != VMA_NONE; range = vma_range(allocator, range)->next)
        if (vma_range(allocator, range)->allocation == VMA_NONE &&
            vma_range(allocator, range)->size > largest)
            largest = vma_range(allocator, range)->size;
    return largest;
}

uint64_t vma_largest_free(const struct vma_allocator *allocator)
{
    uint64_t largest = 0;

    /* Blocks that were given back have size 0. */
    for (uint32_t i = 1; i < allocator->blocks.count; i++)
        if (vma_block(allocator, i)->size > largest) {
            uint64_t found = largest_free(allocator, i);

            largest = found > largest ? found : largest;
        }
    return largest;
}

uint64_t vma_fragmented(const struct vma_allocator *allocator)
{
    uint64_t bytes = 0;

    for (uint32_t i = 1; i < allocator->blocks.count; i++)
        if (vma_block(allocator, i)->size > 0)
            bytes += vma_block(allocator, i)->free - largest_free(allocator, i);
    return bytes;
}

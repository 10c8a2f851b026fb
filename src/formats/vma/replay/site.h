/*
 * What is counted with each range of a block: sums of its memory type, and lengths
 * of texts (tally.h). Inline, since every placing and freeing does it for all the
 * ranges that it changes. Part of the simulated allocator.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_REPLAY_SITE_H
#define GPUDUMPFS_FORMATS_VMA_REPLAY_SITE_H

#include "formats/vma/replay/tally.h"

/* Where a range lies. */
struct vma_site {
    struct vma_allocator *allocator;
    struct vma_block *block;
    struct vma_vector *vector;
    struct vma_tally *tally;
};

static inline struct vma_site vma_site(struct vma_allocator *allocator, uint32_t block)
{
    struct vma_site site = {.allocator = allocator, .block = vma_block(allocator, block)};

    site.vector = vma_vector(allocator, site.block->vector);
    site.tally = &allocator->types[site.vector->type].tally;
    allocator->touched |= UINT32_C(1) << site.vector->type;
    return site;
}

/* Of a range's row in JSON without what differs between free and used ones. */
static inline unsigned vma_range_length(const struct vma_range *range)
{
    return VMA_JSON_RANGE_INDENT + VMA_LENGTH("{\"Offset\": , }") + VMA_JSON_SEPARATOR +
           vma_digits(range->offset);
}

static inline unsigned vma_free_length(const struct vma_range *range, unsigned digits)
{
    return vma_range_length(range) + VMA_LENGTH("\"Type\": \"FREE\", \"Size\": ") + digits;
}

/* Of the columns type, heap, pool, block and offset of live.tsv, for a place in a block. */
static inline unsigned vma_block_place_length(const struct vma_site *site,
                                              const struct vma_range *range)
{
    return site->vector->place_length + vma_digits(site->block->id) + vma_digits(range->offset);
}

/* `sign` is 1 for a range that is there now, -1 for one that is about to go or change. */
static inline void vma_site_free(const struct vma_site *site, const struct vma_range *range,
                                 int sign)
{
    unsigned digits = vma_digits(range->size);

    site->tally->unused_ranges += (uint64_t)(int64_t)sign;
    site->block->free_ranges += (uint32_t)sign;
    if (site->vector->algorithm != VMA_ALGORITHM_BUDDY || range->up == VMA_BUDDY_TAIL)
        site->tally->min_unused[digits] += (uint32_t)sign;
    if (site->vector->algorithm != VMA_ALGORITHM_LINEAR)
        site->tally->max_unused[digits] += (uint32_t)sign;
    site->block->rows_length += (uint64_t)((int64_t)sign * vma_free_length(range, digits));
}

static inline void vma_site_used(const struct vma_site *site, const struct vma_range *range,
                                 int sign)
{
    const struct vma_allocation *allocation = vma_allocation(site->allocator, range->allocation);
    unsigned digits = vma_digits(range->size);

    site->tally->allocations += (uint64_t)(int64_t)sign;
    site->tally->used_bytes += (uint64_t)sign * range->size;
    if (site->vector->algorithm != VMA_ALGORITHM_BUDDY)
        site->tally->min_used[digits] += (uint32_t)sign;
    if (site->vector->algorithm != VMA_ALGORITHM_LINEAR)
        site->tally->max_used[digits] += (uint32_t)sign;
    site->block->rows_length +=
        (uint64_t)((int64_t)sign * ((int64_t)vma_range_length(range) + allocation->json_length));
    site->allocator->rows_length += (uint64_t)((int64_t)sign * vma_block_place_length(site, range));
    site->block->free -= (uint64_t)sign * range->size;
    site->vector->empty += (uint32_t) - (site->block->allocations == 0);
    site->block->allocations += (uint32_t)sign;
    site->vector->empty += site->block->allocations == 0;
}

#endif

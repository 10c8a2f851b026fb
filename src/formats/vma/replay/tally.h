/* SPDX-License-Identifier: MIT */
/*
 * Sums over the allocator's state and the lengths of its texts, updated as the state changes, so
 * that the sizes of a mount's files are known without writing them (vma.md 3.11, 4.4). views/json.c
 * and views/statistics.c write the texts, whose lengths must equal these. Same threading as the
 * allocator.
 *
 * Without these lengths, the texts would have to be formatted, or their bytes counted, when a file
 * is looked at. With 2,000 live allocations, `ls -l` of the folders of one frame after the other
 * would take 9 times as long if the texts were formatted, and 4 times if they were counted and
 * counts of unchanged parts kept; with 20,000 allocations, 36 and 30 times. For a folder of after/
 * it would take 4 and 1.4 times as long, and with 20,000 allocations 6 and 3 times.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_REPLAY_TALLY_H
#define GPUDUMPFS_FORMATS_VMA_REPLAY_TALLY_H

#include "base/decimal.h"
#include "formats/vma/replay/allocator.h"

/* The length of a string literal. */
#define VMA_LENGTH(literal) (sizeof(literal) - 1)

/* Indents and separators of the detailed JSON. */
enum {
    VMA_JSON_RANGE_INDENT = 12,
    VMA_JSON_DEDICATED_INDENT = 6,
    VMA_JSON_SEPARATOR = 3, /* `, ` and a line feed */
    VMA_JSON_LAST = 1,      /* a line feed after the last member */
};

/* Returns the number of hexadecimal digits. */
static inline unsigned vma_hex_digits(uint64_t value)
{
    return (67 - (unsigned)__builtin_clzll(value | 1)) / 4;
}

/* Returns the name of a label in JSON and tables. */
const char *vma_label_name(enum vma_label label);

/* Returns the number of digits of the smallest size that was counted, 0 if there is none. */
unsigned vma_tally_min(const uint32_t counts[VMA_DIGITS]);

/* Returns the number of digits of the greatest size that was counted, 0 if there is none. */
unsigned vma_tally_max(const uint32_t counts[VMA_DIGITS]);

/*
 * Measures an allocation again after printed fields have changed or were set for the first time,
 * and corrects all sums that it is part of.
 */
void vma_tally_measure(struct vma_allocator *allocator, uint32_t allocation_index);

/* Removes the row of a live or lost allocation, which is about to end, from the sums. */
void vma_tally_forget(struct vma_allocator *allocator, uint32_t allocation_index);

/*
 * Returns the length of the columns of live.tsv that depend on the place, from type to offset,
 * without tabs.
 */
unsigned vma_place_length(struct vma_allocator *allocator, const struct vma_allocation *allocation);

/*
 * What is counted with each range of a block: sums of its memory type, and lengths of texts.
 * Inline, since every placing and freeing does this for all the ranges that it changes.
 */

/* The block of a range, and its sums. */
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

/* Returns the length of what all rows of ranges in JSON have in common. */
static inline unsigned vma_range_length(const struct vma_range *range)
{
    return VMA_JSON_RANGE_INDENT + VMA_LENGTH("{\"Offset\": , }") + VMA_JSON_SEPARATOR +
           decimal_digits(range->offset);
}

static inline unsigned vma_free_length(const struct vma_range *range, unsigned digits)
{
    return vma_range_length(range) + VMA_LENGTH("\"Type\": \"FREE\", \"Size\": ") + digits;
}

/*
 * Returns the length of the columns type, heap, pool, block and offset of live.tsv, for a place in
 * a block.
 */
static inline unsigned vma_block_place_length(const struct vma_site *site,
                                              const struct vma_range *range)
{
    return site->vector->place_length + decimal_digits(site->block->id) +
           decimal_digits(range->offset);
}

/* Adds a free range to the sums (`sign` is 1), or removes one that will end or change (-1). */
static inline void vma_site_free(const struct vma_site *site, const struct vma_range *range,
                                 int sign)
{
    unsigned digits = decimal_digits(range->size);

    site->tally->unused_ranges += (uint64_t)(int64_t)sign;
    site->block->free_ranges += (uint32_t)sign;
    if (site->vector->algorithm != VMA_ALGORITHM_BUDDY || range->up == VMA_BUDDY_TAIL)
        site->tally->min_unused[digits] += (uint32_t)sign;
    if (site->vector->algorithm != VMA_ALGORITHM_LINEAR)
        site->tally->max_unused[digits] += (uint32_t)sign;
    site->block->rows_length += (uint64_t)((int64_t)sign * vma_free_length(range, digits));
}

/* Does the same for a used range. */
static inline void vma_site_used(const struct vma_site *site, const struct vma_range *range,
                                 int sign)
{
    const struct vma_allocation *allocation = vma_allocation(site->allocator, range->allocation);
    unsigned digits = decimal_digits(range->size);

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

/*
 * Sums over the allocator's state and the lengths of its texts, kept as the state
 * changes, so that the sizes of a mount's files are known without writing them
 * (vma.md 3.11, 4.4). The texts themselves are written by views/json.c and views/tables.c;
 * tests hold both equal. Same threading as the allocator.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_REPLAY_TALLY_H
#define GPUDUMPFS_FORMATS_VMA_REPLAY_TALLY_H

#include "formats/vma/replay/allocator.h"

/* Of a string literal. */
#define VMA_LENGTH(literal) (sizeof(literal) - 1)

/* Indents and separators of the detailed JSON. */
enum {
    VMA_JSON_RANGE_INDENT = 12,
    VMA_JSON_DEDICATED_INDENT = 6,
    VMA_JSON_SEPARATOR = 3, /* `, ` and a line feed */
    VMA_JSON_LAST = 1,      /* behind the last member: a line feed */
};

/* Decimal digits of a number. */
static inline unsigned vma_digits(uint64_t value)
{
    static const uint64_t powers[] = {
        UINT64_C(0),
        UINT64_C(10),
        UINT64_C(100),
        UINT64_C(1000),
        UINT64_C(10000),
        UINT64_C(100000),
        UINT64_C(1000000),
        UINT64_C(10000000),
        UINT64_C(100000000),
        UINT64_C(1000000000),
        UINT64_C(10000000000),
        UINT64_C(100000000000),
        UINT64_C(1000000000000),
        UINT64_C(10000000000000),
        UINT64_C(100000000000000),
        UINT64_C(1000000000000000),
        UINT64_C(10000000000000000),
        UINT64_C(100000000000000000),
        UINT64_C(1000000000000000000),
        UINT64_C(10000000000000000000),
    };
    /* Bits * log10(2), rounded down: the number of digits, or one less. */
    unsigned below = (64 - (unsigned)__builtin_clzll(value | 1)) * 1233 >> 12;

    return below + (value >= powers[below]);
}

/* Hexadecimal digits. */
static inline unsigned vma_hex_digits(uint64_t value)
{
    return (67 - (unsigned)__builtin_clzll(value | 1)) / 4;
}

/* The name of a label in JSON and tables. */
const char *vma_label_name(enum vma_label label);

/* The extreme sizes by their digits: 0 when nothing was counted. */
unsigned vma_tally_min(const uint32_t counts[VMA_DIGITS]);
unsigned vma_tally_max(const uint32_t counts[VMA_DIGITS]);

/*
 * Fields of an allocation that are printed have changed, or are set for the first
 * time: measures it again, and corrects all sums that it is part of.
 */
void vma_tally_measure(struct vma_allocator *allocator, uint32_t allocation);

/* A live or lost allocation is about to go: takes its row out of the sums. */
void vma_tally_forget(struct vma_allocator *allocator, uint32_t allocation);

/* Lengths of the columns of live.tsv that its place gives: type to offset, without tabs. */
unsigned vma_place_length(struct vma_allocator *allocator, const struct vma_allocation *allocation);

#endif

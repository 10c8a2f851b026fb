/* SPDX-License-Identifier: MIT */
/*
 * What the files of the simulated allocator share with each other; the outside
 * uses allocator.h. Same threading.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_REPLAY_ALLOCATOR_PARTS_H
#define GPUDUMPFS_FORMATS_VMA_REPLAY_ALLOCATOR_PARTS_H

#include "base/bytes.h"
#include "formats/vma/replay/allocator.h"

/* Free ranges below this are never offered (vma.md 3.5). */
enum { VMA_MIN_POWER = 4, VMA_MIN_INDEXED = 1 << VMA_MIN_POWER };

/* Arithmetic that an allocation near 2^64 cannot fool. */

/* `value` rounded up to a multiple; false when that does not fit. */
static inline bool vma_up(uint64_t value, uint64_t multiple, uint64_t *out)
{
    uint64_t rest;

    if ((multiple & (multiple - 1)) == 0) {
        rest = (0 - value) & (multiple - 1);
    } else {
        rest = value % multiple;
        rest = rest == 0 ? 0 : multiple - rest;
    }
    return bytes_add(value, rest, out);
}

static inline uint64_t vma_down(uint64_t value, uint64_t multiple)
{
    return value - ((multiple & (multiple - 1)) == 0 ? value & (multiple - 1) : value % multiple);
}

/* Whether two bytes lie on one page of a granularity (a power of two). */
static inline bool vma_same_page(uint64_t a, uint64_t b, uint64_t granularity)
{
    return ((a ^ b) & ~(granularity - 1)) == 0;
}

/* Whether two kinds may not share a page (vma.md 3.5). */
bool vma_conflict(enum vma_label a, enum vma_label b);

static inline enum vma_label vma_range_label(const struct vma_allocator *allocator,
                                             const struct vma_range *range)
{
    return range->allocation == VMA_NONE
               ? VMA_FREE
               : (enum vma_label)vma_allocation(allocator, range->allocation)->label;
}

/* range.c */

/* Room for placing `count` allocations. 0, -ENOSPC beyond the cap, -ENOMEM. */
int vma_reserve(struct vma_allocator *allocator, uint32_t count);

/* The only range of a new block. */
void vma_range_whole(struct vma_allocator *allocator, uint32_t block);

/*
 * Uses [offset, offset + size) of a free range for an allocation. What is left
 * over becomes *before and *after (VMA_NONE: nothing), which are in no index. The
 * range itself becomes the used one.
 */
void vma_range_use(struct vma_allocator *allocator, uint32_t range_index, uint64_t offset,
                   uint64_t size, uint32_t allocation, uint32_t *before, uint32_t *after);

/*
 * Frees a used range; its allocation is nowhere then. It is joined with the free
 * ranges beside it as the flags say. Returns the free range that it is part of now.
 */
uint32_t vma_range_release(struct vma_allocator *allocator, uint32_t range_index,
                           bool join_previous, bool join_next);

/* Joins a free range with the next one in its block, which is free too. */
void vma_range_join(struct vma_allocator *allocator, uint32_t range_index);

/* Splits a free range: the second part, marked `up`, begins `size` behind its start. */
uint32_t vma_range_split(struct vma_allocator *allocator, uint32_t range_index, uint64_t size,
                         uint32_t up);

/* Takes a range, of whatever kind, out of all sums and gives it back: its block goes. */
void vma_range_clear(struct vma_allocator *allocator, uint32_t range_index);

/* Whether there is a range, and it is free. */
static inline bool vma_is_free(const struct vma_allocator *allocator, uint32_t range)
{
    return range != VMA_NONE && vma_range(allocator, range)->allocation == VMA_NONE;
}

/* The index of a block's free ranges by size; among equals the newest is first. */
void vma_index_insert(struct vma_allocator *allocator, uint32_t range_index);
void vma_index_remove(struct vma_allocator *allocator, uint32_t range_index);
void vma_index_clear(struct vma_allocator *allocator, uint32_t block); /* none is in it any more */
uint32_t vma_index_at_least(const struct vma_allocator *allocator, uint32_t block_index,
                            uint64_t size);
uint32_t vma_index_last(const struct vma_allocator *allocator, uint32_t block_index);
uint32_t vma_index_next(const struct vma_allocator *allocator, uint32_t range_index);
uint32_t vma_index_previous(const struct vma_allocator *allocator, uint32_t range_index);

/* Whether a free range stands in the index. */
static inline bool vma_indexed(const struct vma_range *range)
{
    return range->size >= VMA_MIN_INDEXED;
}

/* What is looked for in a block. */
struct vma_space {
    uint64_t size, alignment;
    uint64_t granularity, margin;
    enum vma_label label;
    uint32_t strategy; /* one flag */
    bool upper;        /* from the upper end of a linear block */
    bool make_lost;    /* may make others lost */
    uint32_t frames_in_use;
};

enum vma_end { VMA_END_OF_FIRST, VMA_END_OF_SECOND, VMA_END_UPPER };

/* A place that was found. */
struct vma_spot {
    uint32_t block;
    uint32_t range; /* where it begins; it may be used, when others are to be lost */
    uint64_t offset;
    uint64_t cost;    /* of what is to be lost; 0: nothing */
    uint32_t victims; /* how many */
    enum vma_end end; /* linear blocks */
};

/* One victim is worth this many bytes (vma.md 3.4). */
enum { VMA_VICTIM_COST = 1 << 20 };

/*
 * The three algorithms. find: whether the block takes it, and where. put: takes
 * that place, for which room was reserved. drop: frees a used range, and returns
 * the free one that it became part of.
 */
bool vma_fit_find(struct vma_allocator *allocator, uint32_t block_index,
                  const struct vma_space *space, struct vma_spot *spot);
void vma_fit_put(struct vma_allocator *allocator, const struct vma_spot *spot, uint64_t size,
                 uint32_t allocation);
uint32_t vma_fit_drop(struct vma_allocator *allocator, uint32_t range_index);

/* Where in a range (its whole is free) the allocation would go; false: it does not fit. */
bool vma_fit_range(struct vma_allocator *allocator, uint32_t range_index,
                   const struct vma_space *space, uint64_t *offset);

/* The offset, raised if a range before it, on its page, conflicts. False: it does not fit 64 bits.
 */
bool vma_fit_after(struct vma_allocator *allocator, uint32_t range_index,
                   const struct vma_space *space, uint64_t *offset);

/* Whether a range at or behind `range_index`, on the page of the byte `last`, conflicts. */
bool vma_fit_before(struct vma_allocator *allocator, uint32_t range_index,
                    const struct vma_space *space, uint64_t last);

bool vma_linear_find(struct vma_allocator *allocator, uint32_t block_index,
                     const struct vma_space *space, struct vma_spot *spot);
void vma_linear_put(struct vma_allocator *allocator, const struct vma_spot *spot, uint64_t size,
                    uint32_t allocation);
uint32_t vma_linear_drop(struct vma_allocator *allocator, uint32_t range_index);

int vma_buddy_open(struct vma_allocator *allocator, uint32_t block_index);
void vma_buddy_close(struct vma_allocator *allocator, uint32_t block);
bool vma_buddy_find(struct vma_allocator *allocator, uint32_t block_index,
                    const struct vma_space *space, struct vma_spot *spot);
void vma_buddy_put(struct vma_allocator *allocator, const struct vma_spot *spot, uint64_t size,
                   uint32_t allocation);
uint32_t vma_buddy_drop(struct vma_allocator *allocator, uint32_t range_index);

/* lost_allocations.c */

/* A place that needs others to be lost (default algorithm). */
bool vma_lost_find(struct vma_allocator *allocator, uint32_t block_index,
                   const struct vma_space *space, struct vma_spot *spot);

/* Makes the victims of a spot lost; spot->range is then the free range at its offset. */
void vma_lost_make(struct vma_allocator *allocator, const struct vma_space *space,
                   struct vma_spot *spot);

/* vector.c */
int vma_vector_create(struct vma_allocator *allocator, uint32_t type, uint32_t *out);
void vma_vector_destroy(struct vma_allocator *allocator, uint32_t vector_index);
int vma_vector_add_block(struct vma_allocator *allocator, uint32_t vector_index, uint64_t size,
                         uint32_t *out);
void vma_vector_remove_block(struct vma_allocator *allocator, uint32_t block_index);

/* Places one allocation, by the block path (vma.md 3.4). 0, -ENOSPC, -ENOMEM. */
int vma_vector_place(struct vma_allocator *allocator, uint32_t vector_index,
                     const struct vma_request *request, uint32_t allocation_index);

/* Frees an allocation of a block, and a block if the rules say so (vma.md 3.6). */
void vma_vector_free(struct vma_allocator *allocator, uint32_t allocation_index);

/* Frees a range by its block's algorithm; the block stays. Returns the free range. */
uint32_t vma_block_drop(struct vma_allocator *allocator, uint32_t range);

/* The device's part: bytes of a heap, number of device allocations. False: refused. */
bool vma_device_take(struct vma_allocator *allocator, uint32_t type, uint64_t size);
void vma_device_give(struct vma_allocator *allocator, uint32_t type, uint64_t size);

/* allocate.c: an allocation has its place, and counts; it is one of its type's dedicated ones. */
void vma_enter(struct vma_allocator *allocator, uint32_t allocation_index);
void vma_link_dedicated(struct vma_allocator *allocator, uint32_t allocation_index);

/* tally.c */
void vma_tally_block(struct vma_allocator *allocator, uint32_t block_index, int sign);
void vma_tally_dedicated(struct vma_allocator *allocator, uint32_t allocation_index, int sign);

/* After changes of a block: its printed length. */
void vma_tally_settle(struct vma_allocator *allocator, uint32_t block_index);

/* A pool has its parameters, or another name. */
void vma_tally_name(struct vma_allocator *allocator, uint32_t pool_index);

/* After changes of the blocks of a pool, or of their number: the pool's printed length. */
void vma_tally_pool(struct vma_allocator *allocator, uint32_t pool_index);

#endif

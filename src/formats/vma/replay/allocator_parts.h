/* SPDX-License-Identifier: MIT */
/*
 * What the files of the simulated allocator share. Other files use allocator.h. Same threading as
 * there.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_REPLAY_ALLOCATOR_PARTS_H
#define GPUDUMPFS_FORMATS_VMA_REPLAY_ALLOCATOR_PARTS_H

#include "base/bytes.h"
#include "formats/vma/replay/allocator.h"

/* Smaller free ranges are never offered (vma.md 3.5). */
enum { VMA_MIN_POWER = 4, VMA_MIN_INDEXED = 1 << VMA_MIN_POWER };

/* Arithmetic that remains correct near 2^64. */

/* Rounds `value` up to a multiple. Returns false if the result does not fit 64 bits. */
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

/* Returns whether two bytes are on one page of a granularity, which is a power of two. */
static inline bool vma_same_page(uint64_t a, uint64_t b, uint64_t granularity)
{
    return ((a ^ b) & ~(granularity - 1)) == 0;
}

/* Returns whether two kinds must not share a page (vma.md 3.5). */
bool vma_conflict(enum vma_label a, enum vma_label b);

static inline enum vma_label vma_range_label(const struct vma_allocator *allocator,
                                             const struct vma_range *range)
{
    return range->allocation == VMA_NONE
               ? VMA_FREE
               : (enum vma_label)vma_allocation(allocator, range->allocation)->label;
}

/* range.c */

/*
 * Ensures that there is room for placing `count` allocations. Returns 0, -ENOMEM, or -ENOSPC if the
 * state would exceed its maximum.
 */
int vma_reserve(struct vma_allocator *allocator, uint32_t count);

/* Makes the only range of a new block. */
void vma_range_whole(struct vma_allocator *allocator, uint32_t block);

/*
 * Uses the bytes [offset, offset + size) of a free range for an allocation. The free range becomes
 * the used one. What is left of it becomes *before and *after, which are VMA_NONE if nothing is
 * left, and which are not in the index yet.
 */
void vma_range_use(struct vma_allocator *allocator, uint32_t range_index, uint64_t offset,
                   uint64_t size, uint32_t allocation, uint32_t *before, uint32_t *after);

/*
 * Frees a used range. Its allocation has no range then. Joins it with the neighbouring ranges that
 * the flags name, which must be free. Returns the free range that it has become part of.
 */
uint32_t vma_range_release(struct vma_allocator *allocator, uint32_t range_index,
                           bool join_previous, bool join_next);

/* Joins a free range with the next range in its block, which must be free too. */
void vma_range_join(struct vma_allocator *allocator, uint32_t range_index);

/*
 * Splits a free range. The second part begins `size` bytes after the start of the range, and gets
 * the mark `up`. Returns the second part.
 */
uint32_t vma_range_split(struct vma_allocator *allocator, uint32_t range_index, uint64_t size,
                         uint32_t up);

/* Removes any range from all sums and gives it back. Used when its block is removed. */
void vma_range_clear(struct vma_allocator *allocator, uint32_t range_index);

/* Returns whether there is such a range and it is free. */
static inline bool vma_is_free(const struct vma_allocator *allocator, uint32_t range)
{
    return range != VMA_NONE && vma_range(allocator, range)->allocation == VMA_NONE;
}

/*
 * The index of a block's free ranges, in ascending order of their sizes. Of ranges of equal size
 * the newest is first.
 */

/* Inserts a free range, for which vma_indexed() must be true. */
void vma_index_insert(struct vma_allocator *allocator, uint32_t range_index);

/* Removes a range that is in the index. */
void vma_index_remove(struct vma_allocator *allocator, uint32_t range_index);

/* Empties a block's index. Its ranges must not be used as members of the index any more. */
void vma_index_clear(struct vma_allocator *allocator, uint32_t block);

/* Returns the first range of at least `size` bytes, VMA_NONE if there is none. */
uint32_t vma_index_at_least(const struct vma_allocator *allocator, uint32_t block_index,
                            uint64_t size);

/* Returns the last range, which is the largest, VMA_NONE if there is none. */
uint32_t vma_index_last(const struct vma_allocator *allocator, uint32_t block_index);

/* Returns the range after a range of the index, VMA_NONE if it is the last. */
uint32_t vma_index_next(const struct vma_allocator *allocator, uint32_t range_index);

/* Returns the range before a range of the index, VMA_NONE if it is the first. */
uint32_t vma_index_previous(const struct vma_allocator *allocator, uint32_t range_index);

/* Returns whether a free range belongs in the index. */
static inline bool vma_indexed(const struct vma_range *range)
{
    return range->size >= VMA_MIN_INDEXED;
}

/* What is searched for in a block. */
struct vma_space {
    uint64_t size, alignment;
    uint64_t granularity, margin;
    enum vma_label label;
    uint32_t strategy; /* a single flag */
    bool upper;        /* place it at the upper end of a linear block */
    bool make_lost;    /* other allocations may be made lost */
    uint32_t frames_in_use;
};

enum vma_end { VMA_END_OF_FIRST, VMA_END_OF_SECOND, VMA_END_UPPER };

/* A place that was found. */
struct vma_spot {
    uint32_t block;
    uint32_t range; /* where the place begins; may be used if others are to be lost */
    uint64_t offset;
    uint64_t cost;    /* of the allocations to be lost; 0 if none */
    uint32_t victims; /* number of allocations to be lost */
    enum vma_end end; /* for linear blocks */
};

/* The cost of a victim besides its bytes (vma.md 3.4). */
enum { VMA_VICTIM_COST = 1 << 20 };

/*
 * placement.c: the three algorithms, vma_fit_ (default), vma_linear_ and vma_buddy_. Each has these
 * functions:
 *
 *     …find   returns whether a block has a place for `space`, and sets *spot to the place
 *     …put    uses the place that was found, for which room must have been reserved
 *     …drop   frees a used range, and returns the free range that it has become part of
 */
bool vma_fit_find(struct vma_allocator *allocator, uint32_t block_index,
                  const struct vma_space *space, struct vma_spot *spot);
void vma_fit_put(struct vma_allocator *allocator, const struct vma_spot *spot, uint64_t size,
                 uint32_t allocation);
uint32_t vma_fit_drop(struct vma_allocator *allocator, uint32_t range_index);

/* Finds where in a free range the allocation would go. Returns false if it does not fit. */
bool vma_fit_range(struct vma_allocator *allocator, uint32_t range_index,
                   const struct vma_space *space, uint64_t *offset);

/*
 * Raises *offset to the next page if a range before `range_index` is on the page of *offset and
 * conflicts. Returns false if the result does not fit 64 bits, or the call has exhausted its steps.
 */
bool vma_fit_after(struct vma_allocator *allocator, uint32_t range_index,
                   const struct vma_space *space, uint64_t *offset);

/*
 * Returns whether a range at or after `range_index`, on the page of the byte `last`, conflicts.
 * Also returns true if the call has exhausted its steps.
 */
bool vma_fit_before(struct vma_allocator *allocator, uint32_t range_index,
                    const struct vma_space *space, uint64_t last);

bool vma_linear_find(struct vma_allocator *allocator, uint32_t block_index,
                     const struct vma_space *space, struct vma_spot *spot);
void vma_linear_put(struct vma_allocator *allocator, const struct vma_spot *spot, uint64_t size,
                    uint32_t allocation);
uint32_t vma_linear_drop(struct vma_allocator *allocator, uint32_t range_index);

/* Sets up the free lists of a new block. Returns 0 or -ENOMEM. */
int vma_buddy_open(struct vma_allocator *allocator, uint32_t block_index);
void vma_buddy_close(struct vma_allocator *allocator, uint32_t block);
bool vma_buddy_find(struct vma_allocator *allocator, uint32_t block_index,
                    const struct vma_space *space, struct vma_spot *spot);
void vma_buddy_put(struct vma_allocator *allocator, const struct vma_spot *spot, uint64_t size,
                   uint32_t allocation);
uint32_t vma_buddy_drop(struct vma_allocator *allocator, uint32_t range_index);

/* lost_allocations.c */

/* Finds a place for which other allocations must be lost (default algorithm). */
bool vma_lost_find(struct vma_allocator *allocator, uint32_t block_index,
                   const struct vma_space *space, struct vma_spot *spot);

/* Makes the victims of a spot lost. spot->range is then the free range at its offset. */
void vma_lost_make(struct vma_allocator *allocator, const struct vma_space *space,
                   struct vma_spot *spot);

/* vector.c */

/* Makes an empty vector of a memory type. Returns 0 or -ENOMEM. */
int vma_vector_create(struct vma_allocator *allocator, uint32_t type, uint32_t *out);

/* Ends a vector, and removes its blocks. */
void vma_vector_destroy(struct vma_allocator *allocator, uint32_t vector_index);

/*
 * Adds a block at the end of a vector. Returns 0, -ENOMEM, or -ENOSPC if the device or a limit
 * refuses it; the allocator's `failure` then has the reason.
 */
int vma_vector_add_block(struct vma_allocator *allocator, uint32_t vector_index, uint64_t size,
                         uint32_t *out);

/*
 * Removes a block, and gives its bytes back to the device. Allocations that it still has, which a
 * pool that is destroyed may have, become orphans (VMA_PLACE_ORPHAN).
 */
void vma_vector_remove_block(struct vma_allocator *allocator, uint32_t block_index);

/* Places one allocation in a block (vma.md 3.4). Returns 0, -ENOSPC or -ENOMEM. */
int vma_vector_place(struct vma_allocator *allocator, uint32_t vector_index,
                     const struct vma_request *request, uint32_t allocation_index);

/* Frees an allocation of a block, and a block if the rules say so (vma.md 3.6). */
void vma_vector_free(struct vma_allocator *allocator, uint32_t allocation_index);

/* Frees a range by its block's algorithm, leaving the block. Returns the free range. */
uint32_t vma_block_drop(struct vma_allocator *allocator, uint32_t range);

/*
 * Takes a device allocation of `size` bytes of a memory type from the simulated device. Returns
 * false if the device refuses.
 */
bool vma_device_take(struct vma_allocator *allocator, uint32_t type, uint64_t size);

/* Gives a device allocation back. */
void vma_device_give(struct vma_allocator *allocator, uint32_t type, uint64_t size);

/* allocate.c */

/* Counts an allocation that has its place, as live and in its heap. */
void vma_enter(struct vma_allocator *allocator, uint32_t allocation_index);

/* Adds an allocation to the dedicated allocations of its type. */
void vma_link_dedicated(struct vma_allocator *allocator, uint32_t allocation_index);

/* tally.c */
void vma_tally_block(struct vma_allocator *allocator, uint32_t block_index, int sign);
void vma_tally_dedicated(struct vma_allocator *allocator, uint32_t allocation_index, int sign);

/* Updates a block's printed length after changes of the block. */
void vma_tally_settle(struct vma_allocator *allocator, uint32_t block_index);

/* Updates a pool's printed length after its parameters or its name were set. */
void vma_tally_name(struct vma_allocator *allocator, uint32_t pool_index);

/* Updates a pool's printed length after changes of its blocks or of their number. */
void vma_tally_pool(struct vma_allocator *allocator, uint32_t pool_index);

#endif

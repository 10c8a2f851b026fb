/* SPDX-License-Identifier: MIT */
/*
 * A state that is told, not simulated: blocks and allocations are put where they are said to lie
 * (vma.md 7). Same threading as the allocator.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_REPLAY_IMPORTED_H
#define GPUDUMPFS_FORMATS_VMA_REPLAY_IMPORTED_H

#include "formats/vma/replay/allocator.h"

struct vma_imported {
    uint32_t type;  /* of memory */
    uint32_t block; /* VMA_NONE: dedicated memory */
    uint64_t offset, size;
    enum vma_label label;
    uint32_t usage; /* of the buffer or image */
    uint32_t frame;
    uint64_t user; /* a pointer, or where in the data its string begins */
    uint32_t user_length;
    bool string;
};

/* A block with that number. 0; -EDOM: of no size; -ENOSPC, -ENOMEM. */
int vma_import_block(struct vma_allocator *allocator, uint32_t vector, uint64_t size, uint32_t id,
                     uint32_t *out);

/*
 * An allocation, in a block behind those that were told before. 0; -EDOM: it has no size, or there
 * is no place for it; -ENOSPC, -ENOMEM.
 */
int vma_import_allocate(struct vma_allocator *allocator, const struct vma_imported *imported);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * A state that is read from a text instead of being simulated: blocks and allocations are put where
 * the text says (vma.md 7). Same threading as the allocator.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_REPLAY_IMPORTED_H
#define GPUDUMPFS_FORMATS_VMA_REPLAY_IMPORTED_H

#include "formats/vma/replay/allocator.h"

struct vma_imported {
    uint32_t type;  /* memory type */
    uint32_t block; /* VMA_NONE for dedicated memory */
    uint64_t offset, size;
    enum vma_label label;
    uint32_t usage; /* of the buffer or image */
    uint32_t frame;
    uint64_t user; /* a pointer, or the offset of its string in the data */
    uint32_t user_length;
    bool string;
};

/* Adds a block with the number `id`. Returns 0, -EDOM if its size is 0, -ENOSPC or -ENOMEM. */
int vma_import_block(struct vma_allocator *allocator, uint32_t vector, uint64_t size, uint32_t id,
                     uint32_t *out);

/*
 * Adds an allocation. Within a block, it must be after those that were added before. Returns 0,
 * -EDOM if it has no size or there is no place for it, -ENOSPC or -ENOMEM.
 */
int vma_import_allocate(struct vma_allocator *allocator, const struct vma_imported *imported);

#endif

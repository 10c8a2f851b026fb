/*
 * The allocator's state as the library's own statistics (vmaBuildStatsString of
 * 2.3, vma.md 3.11): what VmaDumpVis.py and scripts for VMA 2.x read. Any thread,
 * as long as the state stays as it is.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_VIEWS_JSON_H
#define GPUDUMPFS_FORMATS_VMA_VIEWS_JSON_H

#include "base/text.h"
#include "formats/vma/replay/allocator.h"

/* Appends the statistics; with `detailed` also every block and range. */
void vma_json_write(const struct vma_allocator *allocator, bool detailed, struct text *text);

/* How long that is, without walking over blocks or allocations; both at once cost less. */
uint64_t vma_json_length(const struct vma_allocator *allocator, bool detailed);
void vma_json_lengths(const struct vma_allocator *allocator, uint64_t *stats, uint64_t *detailed);

/* Length of a pool with a separator behind it, without its blocks and the digits of their number.
 */
uint32_t vma_json_pool_frame(const struct vma_allocator *allocator, uint32_t pool);

#endif

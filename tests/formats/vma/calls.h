/* SPDX-License-Identifier: MIT */
/* Lines of recordings as the allocator's test suites write them, and what those suites check */
#ifndef GPUDUMPFS_TESTS_FORMATS_VMA_CALLS_H
#define GPUDUMPFS_TESTS_FORMATS_VMA_CALLS_H

#include "tests/formats/vma/play.h"

/* Memory types, given as their property flags */
#define LOCAL_AND_HOST ((const uint32_t[]){1, 6, 0})
#define LOCAL_ONLY     ((const uint32_t[]){1, 0})
#define HOST_ONLY      ((const uint32_t[]){6, 0})

/*
 * `FRAME,vmaAllocateMemory` with memory type bits 15; ALLOCATE() needs no alignment. `name` is the
 * handle of the allocation.
 */
#define ALLOCATE(frame, size, flags, pool, name)                                                   \
#frame ",vmaAllocateMemory," #size ",1,15," #flags ",0,0,0,0," #pool "," #name ","
#define ALLOCATE_ALIGNED(frame, size, alignment, flags, pool, name)                                \
#frame ",vmaAllocateMemory," #size "," #alignment ",15," #flags ",0,0,0,0," #pool "," #name ","
#define FREE(frame, name) #frame ",vmaFreeMemory," #name
#define LINEAR_POOL(size) "0,vmaCreatePool,0,4," #size ",0,1,0,AA"

/* Returns the bytes in blocks of the only heap. */
static inline uint64_t block_bytes(const struct vma_play *play)
{
    return play->replay.allocator.heaps[0].block_bytes;
}

static inline enum vma_place_kind place_of(const struct vma_play *play, uint64_t pointer)
{
    return (enum vma_place_kind)vma_play_find(play, pointer)->place;
}

#endif

/*
 * Sizes and alignments of created buffers and images, which a recording does not
 * hold: estimated by rule R1 (vma.md 3.3). Pure functions, any thread.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_DECODE_REQUIREMENTS_H
#define GPUDUMPFS_FORMATS_VMA_DECODE_REQUIREMENTS_H

#include "formats/vma/decode/call.h"
#include "formats/vma/decode/configuration.h"

struct vma_requirements {
    uint64_t size, alignment;
    uint32_t type_bits;
    bool requires_dedicated, prefers_dedicated;
    bool estimated; /* by rule R1; else as the file says */
};

/*
 * What an allocating call (roles VMA_ALLOCATES, good verdict) needs. False when
 * the size does not fit 64 bits.
 */
bool vma_requirements(const struct vma_device *device, const struct vma_call *call,
                      struct vma_requirements *out);

/* Memory types that any buffer may use. */
uint32_t vma_buffer_type_bits(const struct vma_device *device);

#endif

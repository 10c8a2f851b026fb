/*
 * What the numbers of a recording mean: flags and enumerations of VMA and Vulkan
 * by name (vma.md 2.5). Constant tables, any thread.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_DECODE_ENUM_NAMES_H
#define GPUDUMPFS_FORMATS_VMA_DECODE_ENUM_NAMES_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct vma_name {
    uint32_t value; /* of a set: one bit */
    const char *name;
};

enum vma_enum_kind { VMA_ENUM_SET, VMA_ENUM_ONE_OF, VMA_ENUM_FORMAT };

struct vma_enum {
    enum vma_enum_kind kind;
    const struct vma_name *names;
    size_t count;
};

extern const struct vma_enum vma_allocation_flags, vma_memory_usage, vma_pool_flags,
    vma_property_flags, vma_heap_flags, vma_buffer_usage, vma_image_usage, vma_buffer_flags,
    vma_image_flags, vma_image_type, vma_tiling, vma_sharing, vma_layout, vma_samples,
    vma_image_format_names, vma_device_types, vma_vendors;

/* The name of one value or bit; NULL when it has none. */
const char *vma_enum_name(const struct vma_enum *values, uint32_t value);

/*
 * Names, joined by `|` for a set; what has no name as a hexadecimal remainder;
 * an empty set is `0`.
 */
void vma_enum_write(const struct vma_enum *values, uint32_t value, struct text *text);

#endif

/*
 * Vulkan's image formats as far as sizes need them (vma.md 2.5, 3.3): bytes a
 * texel block and the block's extent. A constant table, any thread.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_DECODE_IMAGE_FORMAT_H
#define GPUDUMPFS_FORMATS_VMA_DECODE_IMAGE_FORMAT_H

#include <stddef.h>
#include <stdint.h>

struct vma_image_format {
    uint32_t id;      /* the value of VkFormat */
    const char *name; /* without VK_FORMAT_ */
    uint8_t bytes, width, height;
};

extern const struct vma_image_format vma_image_formats[]; /* ascending ids */
extern const size_t vma_image_format_count;

/* The format's row, or NULL. */
const struct vma_image_format *vma_image_format_find(uint32_t id);

#endif

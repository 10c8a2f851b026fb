/* SPDX-License-Identifier: MIT */
#include "formats/vma/decode/decode.h"

#include "base/bytes.h"

enum {
    TEXEL_OR_STORAGE = 0x3C, /* usage flags of buffers whose alignment is BUFFER_ALIGNMENT_LARGE */
    BUFFER_ALIGNMENT_LARGE = 256,
    BUFFER_ALIGNMENT = 64,
    ROW_ALIGNMENT = 256, /* alignment of images with linear tiling, and of their rows */
    IMAGE_ALIGNMENT_LARGE = 65536,
    IMAGE_ALIGNMENT = 4096,
    TILING_LINEAR = 1,
    IMAGE_TRANSIENT = 0x40,
    MIPS_MAX = 32,
};

static bool round_up(uint64_t value, uint64_t multiple, uint64_t *out)
{
    return bytes_add(value, (0 - value) & (multiple - 1), out);
}

static uint32_t type_bits(const struct vma_device *device, bool lazily)
{
    uint32_t avoided = VMA_PROTECTED | VMA_DEVICE_COHERENT_AMD | VMA_DEVICE_UNCACHED_AMD;
    uint32_t bits = 0;

    if (!lazily)
        avoided |= VMA_LAZILY_ALLOCATED;
    for (uint32_t i = 0; i < device->type_count; i++)
        if ((device->types[i].flags & avoided) == 0)
            bits |= UINT32_C(1) << i;
    return bits;
}

uint32_t vma_buffer_type_bits(const struct vma_device *device)
{
    return type_bits(device, false);
}

static uint64_t mip_extent(uint64_t extent, unsigned mip)
{
    return extent >> mip > 1 ? extent >> mip : 1;
}

static uint64_t in_blocks(uint64_t extent, uint64_t block)
{
    return block == 1 ? extent : extent / block + (extent % block != 0);
}

/* Sums up the bytes of all mips of one layer. */
static bool layer_size(const struct vma_call *call, uint64_t *size)
{
    const struct vma_image_format *format =
        vma_image_format_find((uint32_t)call->value[VMA_FORMAT]);
    uint64_t bytes = format != NULL ? format->bytes : 4;
    uint64_t width = format != NULL ? format->width : 1,
             height = format != NULL ? format->height : 1;
    uint64_t mips = call->value[VMA_MIP_LEVELS] < MIPS_MAX ? call->value[VMA_MIP_LEVELS] : MIPS_MAX;

    *size = 0;
    for (unsigned mip = 0; mip < mips; mip++) {
        uint64_t row = in_blocks(mip_extent(call->value[VMA_WIDTH], mip), width) * bytes;
        uint64_t rows = in_blocks(mip_extent(call->value[VMA_HEIGHT], mip), height);

        if (call->value[VMA_TILING] == TILING_LINEAR && !round_up(row, ROW_ALIGNMENT, &row))
            return false;
        if (!bytes_mul(row, rows, &row) ||
            !bytes_mul(row, mip_extent(call->value[VMA_DEPTH], mip), &row) ||
            !bytes_add(*size, row, size))
            return false;
    }
    return true;
}

static bool image(const struct vma_device *device, const struct vma_call *call,
                  struct vma_requirements *out)
{
    uint64_t samples = call->value[VMA_SAMPLES] > 1 ? call->value[VMA_SAMPLES] : 1;
    uint64_t size;

    if (!layer_size(call, &size) || !bytes_mul(size, call->value[VMA_ARRAY_LAYERS], &size) ||
        !bytes_mul(size, samples, &size))
        return false;
    if (call->value[VMA_TILING] == TILING_LINEAR)
        out->alignment = ROW_ALIGNMENT;
    else
        out->alignment =
            size >= IMAGE_ALIGNMENT_LARGE || samples > 1 ? IMAGE_ALIGNMENT_LARGE : IMAGE_ALIGNMENT;
    out->type_bits = type_bits(device, (call->value[VMA_RESOURCE_USAGE] & IMAGE_TRANSIENT) != 0);
    return round_up(size, out->alignment, &out->size);
}

bool vma_requirements(const struct vma_device *device, const struct vma_call *call,
                      struct vma_requirements *out)
{
    *out = (struct vma_requirements){.estimated = true};
    switch (call->head.function) {
    case VMA_CREATE_BUFFER:
        out->size = call->value[VMA_SIZE];
        out->alignment = (call->value[VMA_RESOURCE_USAGE] & TEXEL_OR_STORAGE) != 0
                             ? BUFFER_ALIGNMENT_LARGE
                             : BUFFER_ALIGNMENT;
        out->type_bits = vma_buffer_type_bits(device);
        return true;
    case VMA_CREATE_IMAGE:
        return image(device, call, out);
    default:
        break;
    }
    out->estimated = false;
    out->size = call->value[VMA_SIZE];
    out->alignment = call->value[VMA_ALIGNMENT];
    out->type_bits = (uint32_t)call->value[VMA_REQUIREMENT_BITS];
    if (call->head.function != VMA_ALLOCATE_MEMORY &&
        call->head.function != VMA_ALLOCATE_MEMORY_PAGES) {
        out->requires_dedicated = call->value[VMA_REQUIRES_DEDICATED] != 0;
        out->prefers_dedicated = call->value[VMA_PREFERS_DEDICATED] != 0;
    }
    return true;
}

/* SPDX-License-Identifier: MIT */
#include "formats/vma/decode/decode.h"

#define ALLOCATION_COLUMNS                                                                         \
    {"allocationCreateInfo.flags", VMA_U32, VMA_FLAGS, &vma_allocation_flags},                     \
        {"allocationCreateInfo.usage", VMA_U32, VMA_USAGE, &vma_memory_usage},                     \
        {"allocationCreateInfo.requiredFlags", VMA_U32, VMA_REQUIRED, &vma_property_flags},        \
        {"allocationCreateInfo.preferredFlags", VMA_U32, VMA_PREFERRED, &vma_property_flags},      \
        {"allocationCreateInfo.memoryTypeBits", VMA_U32, VMA_TYPE_BITS, NULL},                     \
    {                                                                                              \
        "allocationCreateInfo.pool", VMA_POINTER, VMA_POOL, NULL                                   \
    }

#define ALLOCATION_TAIL                                                                            \
    ALLOCATION_COLUMNS, {"allocation", VMA_POINTER, VMA_ALLOCATION, NULL},                         \
    {                                                                                              \
        "allocationCreateInfo.pUserData", VMA_REST, VMA_TEXT, NULL                                 \
    }

#define REQUIREMENT_COLUMNS                                                                        \
    {"memoryRequirements.size", VMA_U64, VMA_SIZE, NULL},                                          \
        {"memoryRequirements.alignment", VMA_U64, VMA_ALIGNMENT, NULL},                            \
    {                                                                                              \
        "memoryRequirements.memoryTypeBits", VMA_U32, VMA_REQUIREMENT_BITS, NULL                   \
    }

static const struct vma_parameter create_pool[] = {
    {"poolCreateInfo.memoryTypeIndex", VMA_U32, VMA_TYPE_INDEX, NULL},
    {"poolCreateInfo.flags", VMA_U32, VMA_POOL_FLAGS, &vma_pool_flags},
    {"poolCreateInfo.blockSize", VMA_U64, VMA_BLOCK_SIZE, NULL},
    {"poolCreateInfo.minBlockCount", VMA_U64, VMA_MIN_BLOCKS, NULL},
    {"poolCreateInfo.maxBlockCount", VMA_U64, VMA_MAX_BLOCKS, NULL},
    {"poolCreateInfo.frameInUseCount", VMA_U32, VMA_FRAMES_IN_USE, NULL},
    {"pool", VMA_POINTER, VMA_POOL, NULL},
};

static const struct vma_parameter pool_alone[] = {
    {"pool", VMA_POINTER, VMA_POOL, NULL},
};

static const struct vma_parameter allocation_alone[] = {
    {"allocation", VMA_POINTER, VMA_ALLOCATION, NULL},
};

static const struct vma_parameter set_user_data[] = {
    {"allocation", VMA_POINTER, VMA_ALLOCATION, NULL},
    {"pUserData", VMA_REST, VMA_TEXT, NULL},
};

static const struct vma_parameter create_buffer[] = {
    {"bufferCreateInfo.flags", VMA_U32, VMA_RESOURCE_FLAGS, &vma_buffer_flags},
    {"bufferCreateInfo.size", VMA_U64, VMA_SIZE, NULL},
    {"bufferCreateInfo.usage", VMA_U32, VMA_RESOURCE_USAGE, &vma_buffer_usage},
    {"bufferCreateInfo.sharingMode", VMA_U32, VMA_SHARING, &vma_sharing},
    ALLOCATION_TAIL,
};

static const struct vma_parameter create_image[] = {
    {"imageCreateInfo.flags", VMA_U32, VMA_RESOURCE_FLAGS, &vma_image_flags},
    {"imageCreateInfo.imageType", VMA_U32, VMA_IMAGE_TYPE, &vma_image_type},
    {"imageCreateInfo.format", VMA_U32, VMA_FORMAT, &vma_image_format_names},
    {"imageCreateInfo.extent.width", VMA_U32, VMA_WIDTH, NULL},
    {"imageCreateInfo.extent.height", VMA_U32, VMA_HEIGHT, NULL},
    {"imageCreateInfo.extent.depth", VMA_U32, VMA_DEPTH, NULL},
    {"imageCreateInfo.mipLevels", VMA_U32, VMA_MIP_LEVELS, NULL},
    {"imageCreateInfo.arrayLayers", VMA_U32, VMA_ARRAY_LAYERS, NULL},
    {"imageCreateInfo.samples", VMA_U32, VMA_SAMPLES, &vma_samples},
    {"imageCreateInfo.tiling", VMA_U32, VMA_TILING, &vma_tiling},
    {"imageCreateInfo.usage", VMA_U32, VMA_RESOURCE_USAGE, &vma_image_usage},
    {"imageCreateInfo.sharingMode", VMA_U32, VMA_SHARING, &vma_sharing},
    {"imageCreateInfo.initialLayout", VMA_U32, VMA_LAYOUT, &vma_layout},
    ALLOCATION_TAIL,
};

static const struct vma_parameter allocate_memory[] = {
    REQUIREMENT_COLUMNS,
    ALLOCATION_TAIL,
};

static const struct vma_parameter allocate_memory_for[] = {
    REQUIREMENT_COLUMNS,
    {"requiresDedicatedAllocation", VMA_BOOL, VMA_REQUIRES_DEDICATED, NULL},
    {"prefersDedicatedAllocation", VMA_BOOL, VMA_PREFERS_DEDICATED, NULL},
    ALLOCATION_TAIL,
};

static const struct vma_parameter allocation_part[] = {
    {"allocation", VMA_POINTER, VMA_ALLOCATION, NULL},
    {"offset", VMA_U64, VMA_OFFSET, NULL},
    {"size", VMA_U64, VMA_SIZE, NULL},
};

static const struct vma_parameter resize[] = {
    {"allocation", VMA_POINTER, VMA_ALLOCATION, NULL},
    {"newSize", VMA_U64, VMA_SIZE, NULL},
};

static const struct vma_parameter allocate_pages[] = {
    REQUIREMENT_COLUMNS,
    ALLOCATION_COLUMNS,
    {"allocations", VMA_LIST, VMA_ALLOCATION_LIST, NULL},
    {"allocationCreateInfo.pUserData", VMA_REST, VMA_TEXT, NULL},
};

static const struct vma_parameter free_pages[] = {
    {"allocations", VMA_LIST, VMA_ALLOCATION_LIST, NULL},
};

static const struct vma_parameter defragmentation_begin[] = {
    {"info.flags", VMA_U32, VMA_DEFRAGMENTATION_FLAGS, NULL},
    {"info.allocations", VMA_LIST, VMA_ALLOCATION_LIST, NULL},
    {"info.pools", VMA_LIST, VMA_POOL_LIST, NULL},
    {"info.maxCpuBytesToMove", VMA_U64, VMA_CPU_BYTES, NULL},
    {"info.maxCpuAllocationsToMove", VMA_U32, VMA_CPU_ALLOCATIONS, NULL},
    {"info.maxGpuBytesToMove", VMA_U64, VMA_GPU_BYTES, NULL},
    {"info.maxGpuAllocationsToMove", VMA_U32, VMA_GPU_ALLOCATIONS, NULL},
    {"info.commandBuffer", VMA_POINTER, VMA_COMMAND_BUFFER, NULL},
    {"context", VMA_POINTER, VMA_CONTEXT, NULL},
};

static const struct vma_parameter defragmentation_end[] = {
    {"context", VMA_POINTER, VMA_CONTEXT, NULL},
};

static const struct vma_parameter set_pool_name[] = {
    {"pool", VMA_POINTER, VMA_POOL, NULL},
    {"name", VMA_REST, VMA_TEXT, NULL},
};

#define FUNCTION(name, since, roles, parameters)                                                   \
    {                                                                                              \
        name, sizeof(name) - 1, since, roles, sizeof(parameters) / sizeof(struct vma_parameter),   \
            parameters                                                                             \
    }
#define NO_PARAMETERS(name)                                                                        \
    {                                                                                              \
        name, sizeof(name) - 1, 0, 0, 0, pool_alone                                                \
    }

enum {
    CREATES_RESOURCE = VMA_ALLOCATES | VMA_ESTIMATED | VMA_CREATES,
    CREATES_MEMORY = VMA_ALLOCATES | VMA_CREATES,
};

const struct vma_function vma_functions[VMA_FUNCTIONS + 1] = {
    [VMA_CREATE_ALLOCATOR] = NO_PARAMETERS("vmaCreateAllocator"),
    [VMA_DESTROY_ALLOCATOR] = NO_PARAMETERS("vmaDestroyAllocator"),
    [VMA_CREATE_POOL] = FUNCTION("vmaCreatePool", 0, VMA_CREATES, create_pool),
    [VMA_DESTROY_POOL] = FUNCTION("vmaDestroyPool", 0, 0, pool_alone),
    [VMA_SET_ALLOCATION_USER_DATA] = FUNCTION("vmaSetAllocationUserData", 0, 0, set_user_data),
    [VMA_CREATE_BUFFER] = FUNCTION("vmaCreateBuffer", 0, CREATES_RESOURCE, create_buffer),
    [VMA_CREATE_IMAGE] = FUNCTION("vmaCreateImage", 0, CREATES_RESOURCE, create_image),
    [VMA_DESTROY_BUFFER] = FUNCTION("vmaDestroyBuffer", 0, VMA_FREES, allocation_alone),
    [VMA_DESTROY_IMAGE] = FUNCTION("vmaDestroyImage", 0, VMA_FREES, allocation_alone),
    [VMA_FREE_MEMORY] = FUNCTION("vmaFreeMemory", 1, VMA_FREES, allocation_alone),
    [VMA_CREATE_LOST_ALLOCATION] =
        FUNCTION("vmaCreateLostAllocation", 2, VMA_CREATES, allocation_alone),
    [VMA_ALLOCATE_MEMORY] = FUNCTION("vmaAllocateMemory", 2, CREATES_MEMORY, allocate_memory),
    [VMA_ALLOCATE_MEMORY_FOR_BUFFER] =
        FUNCTION("vmaAllocateMemoryForBuffer", 2, CREATES_MEMORY, allocate_memory_for),
    [VMA_ALLOCATE_MEMORY_FOR_IMAGE] =
        FUNCTION("vmaAllocateMemoryForImage", 2, CREATES_MEMORY, allocate_memory_for),
    [VMA_MAP_MEMORY] = FUNCTION("vmaMapMemory", 2, 0, allocation_alone),
    [VMA_UNMAP_MEMORY] = FUNCTION("vmaUnmapMemory", 2, 0, allocation_alone),
    [VMA_TOUCH_ALLOCATION] = FUNCTION("vmaTouchAllocation", 2, 0, allocation_alone),
    [VMA_GET_ALLOCATION_INFO] = FUNCTION("vmaGetAllocationInfo", 2, 0, allocation_alone),
    [VMA_FLUSH_ALLOCATION] = FUNCTION("vmaFlushAllocation", 2, 0, allocation_part),
    [VMA_INVALIDATE_ALLOCATION] = FUNCTION("vmaInvalidateAllocation", 2, 0, allocation_part),
    [VMA_MAKE_POOL_ALLOCATIONS_LOST] = FUNCTION("vmaMakePoolAllocationsLost", 2, 0, pool_alone),
    [VMA_RESIZE_ALLOCATION] = FUNCTION("vmaResizeAllocation", 4, 0, resize),
    [VMA_ALLOCATE_MEMORY_PAGES] =
        FUNCTION("vmaAllocateMemoryPages", 5, CREATES_MEMORY, allocate_pages),
    [VMA_FREE_MEMORY_PAGES] = FUNCTION("vmaFreeMemoryPages", 5, VMA_FREES, free_pages),
    [VMA_DEFRAGMENTATION_BEGIN] =
        FUNCTION("vmaDefragmentationBegin", 5, VMA_CREATES, defragmentation_begin),
    [VMA_DEFRAGMENTATION_END] = FUNCTION("vmaDefragmentationEnd", 5, 0, defragmentation_end),
    [VMA_SET_POOL_NAME] = FUNCTION("vmaSetPoolName", 7, 0, set_pool_name),
    [VMA_FUNCTIONS] = NO_PARAMETERS("-"),
};

/*
 * Functions by the length of their name. At most four share a length; the most frequent come first.
 */
static const uint8_t by_length[][4] = {
    [13] = {VMA_CREATE_POOL, VMA_FREE_MEMORY, VMA_FUNCTIONS},
    [12] = {VMA_MAP_MEMORY, VMA_FUNCTIONS},
    [14] = {VMA_CREATE_IMAGE, VMA_UNMAP_MEMORY, VMA_DESTROY_POOL, VMA_SET_POOL_NAME},
    [15] = {VMA_CREATE_BUFFER, VMA_DESTROY_IMAGE, VMA_FUNCTIONS},
    [16] = {VMA_DESTROY_BUFFER, VMA_FUNCTIONS},
    [17] = {VMA_ALLOCATE_MEMORY, VMA_FUNCTIONS},
    [18] = {VMA_FLUSH_ALLOCATION, VMA_TOUCH_ALLOCATION, VMA_FREE_MEMORY_PAGES,
            VMA_CREATE_ALLOCATOR},
    [19] = {VMA_RESIZE_ALLOCATION, VMA_DESTROY_ALLOCATOR, VMA_FUNCTIONS},
    [20] = {VMA_GET_ALLOCATION_INFO, VMA_FUNCTIONS},
    [21] = {VMA_DEFRAGMENTATION_END, VMA_FUNCTIONS},
    [22] = {VMA_ALLOCATE_MEMORY_PAGES, VMA_FUNCTIONS},
    [23] = {VMA_INVALIDATE_ALLOCATION, VMA_CREATE_LOST_ALLOCATION, VMA_DEFRAGMENTATION_BEGIN,
            VMA_FUNCTIONS},
    [24] = {VMA_SET_ALLOCATION_USER_DATA, VMA_FUNCTIONS},
    [25] = {VMA_ALLOCATE_MEMORY_FOR_IMAGE, VMA_FUNCTIONS},
    [26] = {VMA_ALLOCATE_MEMORY_FOR_BUFFER, VMA_MAKE_POOL_ALLOCATIONS_LOST, VMA_FUNCTIONS},
};

/* Compares names of `length` bytes, at least eight, word by word; the last words overlap. */
static bool same_name(const char *a, const uint8_t *b, size_t length)
{
    uint64_t left, right;

    for (size_t i = 0; i + 8 < length; i += 8) {
        memcpy(&left, a + i, sizeof(left));
        memcpy(&right, b + i, sizeof(right));
        if (left != right)
            return false;
    }
    memcpy(&left, a + length - 8, sizeof(left));
    memcpy(&right, b + length - 8, sizeof(right));
    return left == right;
}

enum vma_function_id vma_function_find(struct vma_slice name)
{
    size_t length = vma_slice_length(name);

    if (length < 12 || length >= sizeof(by_length) / sizeof(by_length[0]))
        return VMA_FUNCTIONS;
    for (size_t i = 0; i < sizeof(by_length[0]) && by_length[length][i] != VMA_FUNCTIONS; i++) {
        const struct vma_function *function = &vma_functions[by_length[length][i]];

        if (function->length == length && same_name(function->name, name.begin, length))
            return (enum vma_function_id)by_length[length][i];
    }
    return VMA_FUNCTIONS;
}

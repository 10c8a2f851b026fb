/*
 * The functions of a recording and their columns (vma.md 2.3): the one table
 * that parser, texts and replay are made from. Constant, any thread.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_DECODE_FUNCTION_H
#define GPUDUMPFS_FORMATS_VMA_DECODE_FUNCTION_H

#include "formats/vma/container.h"
#include "formats/vma/decode/enum_names.h"

enum vma_function_id {
    VMA_CREATE_ALLOCATOR,
    VMA_DESTROY_ALLOCATOR,
    VMA_CREATE_POOL,
    VMA_DESTROY_POOL,
    VMA_SET_ALLOCATION_USER_DATA,
    VMA_CREATE_BUFFER,
    VMA_CREATE_IMAGE,
    VMA_DESTROY_BUFFER,
    VMA_DESTROY_IMAGE,
    VMA_FREE_MEMORY,
    VMA_CREATE_LOST_ALLOCATION,
    VMA_ALLOCATE_MEMORY,
    VMA_ALLOCATE_MEMORY_FOR_BUFFER,
    VMA_ALLOCATE_MEMORY_FOR_IMAGE,
    VMA_MAP_MEMORY,
    VMA_UNMAP_MEMORY,
    VMA_TOUCH_ALLOCATION,
    VMA_GET_ALLOCATION_INFO,
    VMA_FLUSH_ALLOCATION,
    VMA_INVALIDATE_ALLOCATION,
    VMA_MAKE_POOL_ALLOCATIONS_LOST,
    VMA_RESIZE_ALLOCATION,
    VMA_ALLOCATE_MEMORY_PAGES,
    VMA_FREE_MEMORY_PAGES,
    VMA_DEFRAGMENTATION_BEGIN,
    VMA_DEFRAGMENTATION_END,
    VMA_SET_POOL_NAME,
    VMA_FUNCTIONS,
};

/* Where the value of a column lands in struct vma_call. */
enum vma_slot {
    VMA_FLAGS, /* of the allocation */
    VMA_USAGE,
    VMA_REQUIRED,
    VMA_PREFERRED,
    VMA_TYPE_BITS,
    VMA_POOL,
    VMA_ALLOCATION,
    VMA_SIZE,
    VMA_RESOURCE_FLAGS, /* of the buffer or image */
    VMA_RESOURCE_USAGE,
    VMA_SHARING,
    VMA_ALIGNMENT,
    VMA_REQUIREMENT_BITS,
    VMA_REQUIRES_DEDICATED,
    VMA_PREFERS_DEDICATED,
    VMA_OFFSET,
    VMA_IMAGE_TYPE,
    VMA_FORMAT,
    VMA_WIDTH,
    VMA_HEIGHT,
    VMA_DEPTH,
    VMA_MIP_LEVELS,
    VMA_ARRAY_LAYERS,
    VMA_SAMPLES,
    VMA_TILING,
    VMA_LAYOUT,
    VMA_TYPE_INDEX,
    VMA_POOL_FLAGS,
    VMA_BLOCK_SIZE,
    VMA_MIN_BLOCKS,
    VMA_MAX_BLOCKS,
    VMA_FRAMES_IN_USE,
    VMA_DEFRAGMENTATION_FLAGS,
    VMA_CPU_BYTES,
    VMA_CPU_ALLOCATIONS,
    VMA_GPU_BYTES,
    VMA_GPU_ALLOCATIONS,
    VMA_COMMAND_BUFFER,
    VMA_CONTEXT,
    VMA_SLOTS,
    /* Slices of the line. */
    VMA_ALLOCATION_LIST = VMA_SLOTS,
    VMA_POOL_LIST,
    VMA_TEXT,
};

enum vma_column_kind { VMA_U32, VMA_U64, VMA_BOOL, VMA_POINTER, VMA_LIST, VMA_REST };

struct vma_parameter {
    const char *name;
    enum vma_column_kind kind;
    enum vma_slot slot;
    const struct vma_enum *values; /* NULL: a plain number */
};

enum vma_role {
    VMA_ALLOCATES = 1, /* counted as an allocating call */
    VMA_FREES = 2,
    VMA_ESTIMATED = 4, /* its requirements are not in the file */
    VMA_CREATES = 8,   /* its last pointer column is an output */
};

struct vma_function {
    const char *name;
    uint8_t length; /* of the name */
    uint8_t since;  /* the minor version that brought it (vma.md 2.3) */
    uint8_t roles;  /* of enum vma_role */
    uint8_t parameter_count;
    const struct vma_parameter *parameters;
};

extern const struct vma_function vma_functions[VMA_FUNCTIONS];

/* The function of that very name; VMA_FUNCTIONS when there is none. */
enum vma_function_id vma_function_find(struct vma_slice name);

#endif

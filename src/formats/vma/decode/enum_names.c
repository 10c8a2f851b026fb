#include "formats/vma/decode/enum_names.h"

#include "formats/vma/decode/image_format.h"

#define ENUM(identifier, kind, ...)                                                                \
    static const struct vma_name identifier##_names[] = {__VA_ARGS__};                             \
    const struct vma_enum identifier = {kind, identifier##_names,                                  \
                                        sizeof(identifier##_names) / sizeof(struct vma_name)}

ENUM(vma_allocation_flags, VMA_ENUM_SET, {0x1, "DEDICATED_MEMORY"}, {0x2, "NEVER_ALLOCATE"},
     {0x4, "MAPPED"}, {0x8, "CAN_BECOME_LOST"}, {0x10, "CAN_MAKE_OTHER_LOST"},
     {0x20, "USER_DATA_COPY_STRING"}, {0x40, "UPPER_ADDRESS"}, {0x80, "DONT_BIND"},
     {0x100, "WITHIN_BUDGET"}, {0x200, "CAN_ALIAS"}, {0x10000, "STRATEGY_BEST_FIT"},
     {0x20000, "STRATEGY_WORST_FIT"}, {0x40000, "STRATEGY_FIRST_FIT"});

ENUM(vma_memory_usage, VMA_ENUM_ONE_OF, {0, "UNKNOWN"}, {1, "GPU_ONLY"}, {2, "CPU_ONLY"},
     {3, "CPU_TO_GPU"}, {4, "GPU_TO_CPU"}, {5, "CPU_COPY"}, {6, "GPU_LAZILY_ALLOCATED"});

ENUM(vma_pool_flags, VMA_ENUM_SET, {0x2, "IGNORE_BUFFER_IMAGE_GRANULARITY"},
     {0x4, "LINEAR_ALGORITHM"}, {0x8, "BUDDY_ALGORITHM"});

ENUM(vma_property_flags, VMA_ENUM_SET, {0x1, "DEVICE_LOCAL"}, {0x2, "HOST_VISIBLE"},
     {0x4, "HOST_COHERENT"}, {0x8, "HOST_CACHED"}, {0x10, "LAZILY_ALLOCATED"}, {0x20, "PROTECTED"},
     {0x40, "DEVICE_COHERENT_AMD"}, {0x80, "DEVICE_UNCACHED_AMD"});

ENUM(vma_heap_flags, VMA_ENUM_SET, {0x1, "DEVICE_LOCAL"}, {0x2, "MULTI_INSTANCE"});

ENUM(vma_buffer_usage, VMA_ENUM_SET, {0x1, "TRANSFER_SRC"}, {0x2, "TRANSFER_DST"},
     {0x4, "UNIFORM_TEXEL_BUFFER"}, {0x8, "STORAGE_TEXEL_BUFFER"}, {0x10, "UNIFORM_BUFFER"},
     {0x20, "STORAGE_BUFFER"}, {0x40, "INDEX_BUFFER"}, {0x80, "VERTEX_BUFFER"},
     {0x100, "INDIRECT_BUFFER"});

ENUM(vma_image_usage, VMA_ENUM_SET, {0x1, "TRANSFER_SRC"}, {0x2, "TRANSFER_DST"}, {0x4, "SAMPLED"},
     {0x8, "STORAGE"}, {0x10, "COLOR_ATTACHMENT"}, {0x20, "DEPTH_STENCIL_ATTACHMENT"},
     {0x40, "TRANSIENT_ATTACHMENT"}, {0x80, "INPUT_ATTACHMENT"});

ENUM(vma_buffer_flags, VMA_ENUM_SET, {0x1, "SPARSE_BINDING"}, {0x2, "SPARSE_RESIDENCY"},
     {0x4, "SPARSE_ALIASED"}, {0x8, "PROTECTED"}, {0x10, "DEVICE_ADDRESS_CAPTURE_REPLAY"});

ENUM(vma_image_flags, VMA_ENUM_SET, {0x1, "SPARSE_BINDING"}, {0x2, "SPARSE_RESIDENCY"},
     {0x4, "SPARSE_ALIASED"}, {0x8, "MUTABLE_FORMAT"}, {0x10, "CUBE_COMPATIBLE"},
     {0x20, "2D_ARRAY_COMPATIBLE"}, {0x40, "SPLIT_INSTANCE_BIND_REGIONS"},
     {0x80, "BLOCK_TEXEL_VIEW_COMPATIBLE"}, {0x100, "EXTENDED_USAGE"}, {0x200, "DISJOINT"},
     {0x400, "ALIAS"}, {0x800, "PROTECTED"});

ENUM(vma_image_type, VMA_ENUM_ONE_OF, {0, "1D"}, {1, "2D"}, {2, "3D"});

ENUM(vma_tiling, VMA_ENUM_ONE_OF, {0, "OPTIMAL"}, {1, "LINEAR"});

ENUM(vma_sharing, VMA_ENUM_ONE_OF, {0, "EXCLUSIVE"}, {1, "CONCURRENT"});

ENUM(vma_layout, VMA_ENUM_ONE_OF, {0, "UNDEFINED"}, {1, "GENERAL"}, {2, "COLOR_ATTACHMENT_OPTIMAL"},
     {3, "DEPTH_STENCIL_ATTACHMENT_OPTIMAL"}, {4, "DEPTH_STENCIL_READ_ONLY_OPTIMAL"},
     {5, "SHADER_READ_ONLY_OPTIMAL"}, {6, "TRANSFER_SRC_OPTIMAL"}, {7, "TRANSFER_DST_OPTIMAL"},
     {8, "PREINITIALIZED"});

ENUM(vma_samples, VMA_ENUM_ONE_OF, {1, "1"}, {2, "2"}, {4, "4"}, {8, "8"}, {16, "16"}, {32, "32"},
     {64, "64"});

ENUM(vma_device_types, VMA_ENUM_ONE_OF, {0, "other"}, {1, "integrated"}, {2, "discrete"},
     {3, "virtual"}, {4, "cpu"});

ENUM(vma_vendors, VMA_ENUM_ONE_OF, {4098, "AMD"}, {4318, "NVIDIA"}, {32902, "Intel"}, {5045, "ARM"},
     {20803, "Qualcomm"}, {4112, "ImgTec"}, {65541, "Mesa"});

const struct vma_enum vma_image_format_names = {VMA_ENUM_FORMAT, NULL, 0};

const char *vma_enum_name(const struct vma_enum *values, uint32_t value)
{
    if (values->kind == VMA_ENUM_FORMAT) {
        const struct vma_image_format *format = vma_image_format_find(value);

        return format != NULL ? format->name : NULL;
    }
    for (size_t i = 0; i < values->count; i++)
        if (values->names[i].value == value)
            return values->names[i].name;
    return NULL;
}

static void write_hex(uint32_t value, struct text *text)
{
    text_add(text, "0x");
    text_add_hex(text, value, 1);
}

static void write_set(const struct vma_enum *values, uint32_t value, struct text *text)
{
    const char *joint = "";

    for (size_t i = 0; i < values->count; i++) {
        if ((value & values->names[i].value) == 0)
            continue;
        text_add(text, joint);
        text_add(text, values->names[i].name);
        value &= ~values->names[i].value;
        joint = "|";
    }
    if (value != 0) {
        text_add(text, joint);
        write_hex(value, text);
    }
}

void vma_enum_write(const struct vma_enum *values, uint32_t value, struct text *text)
{
    const char *name;

    if (values->kind == VMA_ENUM_SET) {
        if (value == 0)
            text_add_char(text, '0');
        else
            write_set(values, value, text);
        return;
    }
    name = vma_enum_name(values, value);
    if (name != NULL)
        text_add(text, name);
    else
        write_hex(value, text);
}

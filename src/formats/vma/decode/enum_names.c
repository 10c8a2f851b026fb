/* SPDX-License-Identifier: MIT */
#include "formats/vma/decode/decode.h"

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

const struct vma_image_format vma_image_formats[] = {
    {1, "R4G4_UNORM_PACK8", 1, 1, 1},
    {2, "R4G4B4A4_UNORM_PACK16", 2, 1, 1},
    {3, "B4G4R4A4_UNORM_PACK16", 2, 1, 1},
    {4, "R5G6B5_UNORM_PACK16", 2, 1, 1},
    {5, "B5G6R5_UNORM_PACK16", 2, 1, 1},
    {6, "R5G5B5A1_UNORM_PACK16", 2, 1, 1},
    {7, "B5G5R5A1_UNORM_PACK16", 2, 1, 1},
    {8, "A1R5G5B5_UNORM_PACK16", 2, 1, 1},
    {9, "R8_UNORM", 1, 1, 1},
    {10, "R8_SNORM", 1, 1, 1},
    {11, "R8_USCALED", 1, 1, 1},
    {12, "R8_SSCALED", 1, 1, 1},
    {13, "R8_UINT", 1, 1, 1},
    {14, "R8_SINT", 1, 1, 1},
    {15, "R8_SRGB", 1, 1, 1},
    {16, "R8G8_UNORM", 2, 1, 1},
    {17, "R8G8_SNORM", 2, 1, 1},
    {18, "R8G8_USCALED", 2, 1, 1},
    {19, "R8G8_SSCALED", 2, 1, 1},
    {20, "R8G8_UINT", 2, 1, 1},
    {21, "R8G8_SINT", 2, 1, 1},
    {22, "R8G8_SRGB", 2, 1, 1},
    {23, "R8G8B8_UNORM", 3, 1, 1},
    {24, "R8G8B8_SNORM", 3, 1, 1},
    {25, "R8G8B8_USCALED", 3, 1, 1},
    {26, "R8G8B8_SSCALED", 3, 1, 1},
    {27, "R8G8B8_UINT", 3, 1, 1},
    {28, "R8G8B8_SINT", 3, 1, 1},
    {29, "R8G8B8_SRGB", 3, 1, 1},
    {30, "B8G8R8_UNORM", 3, 1, 1},
    {31, "B8G8R8_SNORM", 3, 1, 1},
    {32, "B8G8R8_USCALED", 3, 1, 1},
    {33, "B8G8R8_SSCALED", 3, 1, 1},
    {34, "B8G8R8_UINT", 3, 1, 1},
    {35, "B8G8R8_SINT", 3, 1, 1},
    {36, "B8G8R8_SRGB", 3, 1, 1},
    {37, "R8G8B8A8_UNORM", 4, 1, 1},
    {38, "R8G8B8A8_SNORM", 4, 1, 1},
    {39, "R8G8B8A8_USCALED", 4, 1, 1},
    {40, "R8G8B8A8_SSCALED", 4, 1, 1},
    {41, "R8G8B8A8_UINT", 4, 1, 1},
    {42, "R8G8B8A8_SINT", 4, 1, 1},
    {43, "R8G8B8A8_SRGB", 4, 1, 1},
    {44, "B8G8R8A8_UNORM", 4, 1, 1},
    {45, "B8G8R8A8_SNORM", 4, 1, 1},
    {46, "B8G8R8A8_USCALED", 4, 1, 1},
    {47, "B8G8R8A8_SSCALED", 4, 1, 1},
    {48, "B8G8R8A8_UINT", 4, 1, 1},
    {49, "B8G8R8A8_SINT", 4, 1, 1},
    {50, "B8G8R8A8_SRGB", 4, 1, 1},
    {51, "A8B8G8R8_UNORM_PACK32", 4, 1, 1},
    {52, "A8B8G8R8_SNORM_PACK32", 4, 1, 1},
    {53, "A8B8G8R8_USCALED_PACK32", 4, 1, 1},
    {54, "A8B8G8R8_SSCALED_PACK32", 4, 1, 1},
    {55, "A8B8G8R8_UINT_PACK32", 4, 1, 1},
    {56, "A8B8G8R8_SINT_PACK32", 4, 1, 1},
    {57, "A8B8G8R8_SRGB_PACK32", 4, 1, 1},
    {58, "A2R10G10B10_UNORM_PACK32", 4, 1, 1},
    {59, "A2R10G10B10_SNORM_PACK32", 4, 1, 1},
    {60, "A2R10G10B10_USCALED_PACK32", 4, 1, 1},
    {61, "A2R10G10B10_SSCALED_PACK32", 4, 1, 1},
    {62, "A2R10G10B10_UINT_PACK32", 4, 1, 1},
    {63, "A2R10G10B10_SINT_PACK32", 4, 1, 1},
    {64, "A2B10G10R10_UNORM_PACK32", 4, 1, 1},
    {65, "A2B10G10R10_SNORM_PACK32", 4, 1, 1},
    {66, "A2B10G10R10_USCALED_PACK32", 4, 1, 1},
    {67, "A2B10G10R10_SSCALED_PACK32", 4, 1, 1},
    {68, "A2B10G10R10_UINT_PACK32", 4, 1, 1},
    {69, "A2B10G10R10_SINT_PACK32", 4, 1, 1},
    {70, "R16_UNORM", 2, 1, 1},
    {71, "R16_SNORM", 2, 1, 1},
    {72, "R16_USCALED", 2, 1, 1},
    {73, "R16_SSCALED", 2, 1, 1},
    {74, "R16_UINT", 2, 1, 1},
    {75, "R16_SINT", 2, 1, 1},
    {76, "R16_SFLOAT", 2, 1, 1},
    {77, "R16G16_UNORM", 4, 1, 1},
    {78, "R16G16_SNORM", 4, 1, 1},
    {79, "R16G16_USCALED", 4, 1, 1},
    {80, "R16G16_SSCALED", 4, 1, 1},
    {81, "R16G16_UINT", 4, 1, 1},
    {82, "R16G16_SINT", 4, 1, 1},
    {83, "R16G16_SFLOAT", 4, 1, 1},
    {84, "R16G16B16_UNORM", 6, 1, 1},
    {85, "R16G16B16_SNORM", 6, 1, 1},
    {86, "R16G16B16_USCALED", 6, 1, 1},
    {87, "R16G16B16_SSCALED", 6, 1, 1},
    {88, "R16G16B16_UINT", 6, 1, 1},
    {89, "R16G16B16_SINT", 6, 1, 1},
    {90, "R16G16B16_SFLOAT", 6, 1, 1},
    {91, "R16G16B16A16_UNORM", 8, 1, 1},
    {92, "R16G16B16A16_SNORM", 8, 1, 1},
    {93, "R16G16B16A16_USCALED", 8, 1, 1},
    {94, "R16G16B16A16_SSCALED", 8, 1, 1},
    {95, "R16G16B16A16_UINT", 8, 1, 1},
    {96, "R16G16B16A16_SINT", 8, 1, 1},
    {97, "R16G16B16A16_SFLOAT", 8, 1, 1},
    {98, "R32_UINT", 4, 1, 1},
    {99, "R32_SINT", 4, 1, 1},
    {100, "R32_SFLOAT", 4, 1, 1},
    {101, "R32G32_UINT", 8, 1, 1},
    {102, "R32G32_SINT", 8, 1, 1},
    {103, "R32G32_SFLOAT", 8, 1, 1},
    {104, "R32G32B32_UINT", 12, 1, 1},
    {105, "R32G32B32_SINT", 12, 1, 1},
    {106, "R32G32B32_SFLOAT", 12, 1, 1},
    {107, "R32G32B32A32_UINT", 16, 1, 1},
    {108, "R32G32B32A32_SINT", 16, 1, 1},
    {109, "R32G32B32A32_SFLOAT", 16, 1, 1},
    {110, "R64_UINT", 8, 1, 1},
    {111, "R64_SINT", 8, 1, 1},
    {112, "R64_SFLOAT", 8, 1, 1},
    {113, "R64G64_UINT", 16, 1, 1},
    {114, "R64G64_SINT", 16, 1, 1},
    {115, "R64G64_SFLOAT", 16, 1, 1},
    {116, "R64G64B64_UINT", 24, 1, 1},
    {117, "R64G64B64_SINT", 24, 1, 1},
    {118, "R64G64B64_SFLOAT", 24, 1, 1},
    {119, "R64G64B64A64_UINT", 32, 1, 1},
    {120, "R64G64B64A64_SINT", 32, 1, 1},
    {121, "R64G64B64A64_SFLOAT", 32, 1, 1},
    {122, "B10G11R11_UFLOAT_PACK32", 4, 1, 1},
    {123, "E5B9G9R9_UFLOAT_PACK32", 4, 1, 1},
    {124, "D16_UNORM", 2, 1, 1},
    {125, "X8_D24_UNORM_PACK32", 4, 1, 1},
    {126, "D32_SFLOAT", 4, 1, 1},
    {127, "S8_UINT", 1, 1, 1},
    {128, "D16_UNORM_S8_UINT", 3, 1, 1},
    {129, "D24_UNORM_S8_UINT", 4, 1, 1},
    {130, "D32_SFLOAT_S8_UINT", 5, 1, 1},
    {131, "BC1_RGB_UNORM_BLOCK", 8, 4, 4},
    {132, "BC1_RGB_SRGB_BLOCK", 8, 4, 4},
    {133, "BC1_RGBA_UNORM_BLOCK", 8, 4, 4},
    {134, "BC1_RGBA_SRGB_BLOCK", 8, 4, 4},
    {135, "BC2_UNORM_BLOCK", 16, 4, 4},
    {136, "BC2_SRGB_BLOCK", 16, 4, 4},
    {137, "BC3_UNORM_BLOCK", 16, 4, 4},
    {138, "BC3_SRGB_BLOCK", 16, 4, 4},
    {139, "BC4_UNORM_BLOCK", 8, 4, 4},
    {140, "BC4_SNORM_BLOCK", 8, 4, 4},
    {141, "BC5_UNORM_BLOCK", 16, 4, 4},
    {142, "BC5_SNORM_BLOCK", 16, 4, 4},
    {143, "BC6H_UFLOAT_BLOCK", 16, 4, 4},
    {144, "BC6H_SFLOAT_BLOCK", 16, 4, 4},
    {145, "BC7_UNORM_BLOCK", 16, 4, 4},
    {146, "BC7_SRGB_BLOCK", 16, 4, 4},
    {147, "ETC2_R8G8B8_UNORM_BLOCK", 8, 4, 4},
    {148, "ETC2_R8G8B8_SRGB_BLOCK", 8, 4, 4},
    {149, "ETC2_R8G8B8A1_UNORM_BLOCK", 8, 4, 4},
    {150, "ETC2_R8G8B8A1_SRGB_BLOCK", 8, 4, 4},
    {151, "ETC2_R8G8B8A8_UNORM_BLOCK", 16, 4, 4},
    {152, "ETC2_R8G8B8A8_SRGB_BLOCK", 16, 4, 4},
    {153, "EAC_R11_UNORM_BLOCK", 8, 4, 4},
    {154, "EAC_R11_SNORM_BLOCK", 8, 4, 4},
    {155, "EAC_R11G11_UNORM_BLOCK", 16, 4, 4},
    {156, "EAC_R11G11_SNORM_BLOCK", 16, 4, 4},
    {157, "ASTC_4x4_UNORM_BLOCK", 16, 4, 4},
    {158, "ASTC_4x4_SRGB_BLOCK", 16, 4, 4},
    {159, "ASTC_5x4_UNORM_BLOCK", 16, 5, 4},
    {160, "ASTC_5x4_SRGB_BLOCK", 16, 5, 4},
    {161, "ASTC_5x5_UNORM_BLOCK", 16, 5, 5},
    {162, "ASTC_5x5_SRGB_BLOCK", 16, 5, 5},
    {163, "ASTC_6x5_UNORM_BLOCK", 16, 6, 5},
    {164, "ASTC_6x5_SRGB_BLOCK", 16, 6, 5},
    {165, "ASTC_6x6_UNORM_BLOCK", 16, 6, 6},
    {166, "ASTC_6x6_SRGB_BLOCK", 16, 6, 6},
    {167, "ASTC_8x5_UNORM_BLOCK", 16, 8, 5},
    {168, "ASTC_8x5_SRGB_BLOCK", 16, 8, 5},
    {169, "ASTC_8x6_UNORM_BLOCK", 16, 8, 6},
    {170, "ASTC_8x6_SRGB_BLOCK", 16, 8, 6},
    {171, "ASTC_8x8_UNORM_BLOCK", 16, 8, 8},
    {172, "ASTC_8x8_SRGB_BLOCK", 16, 8, 8},
    {173, "ASTC_10x5_UNORM_BLOCK", 16, 10, 5},
    {174, "ASTC_10x5_SRGB_BLOCK", 16, 10, 5},
    {175, "ASTC_10x6_UNORM_BLOCK", 16, 10, 6},
    {176, "ASTC_10x6_SRGB_BLOCK", 16, 10, 6},
    {177, "ASTC_10x8_UNORM_BLOCK", 16, 10, 8},
    {178, "ASTC_10x8_SRGB_BLOCK", 16, 10, 8},
    {179, "ASTC_10x10_UNORM_BLOCK", 16, 10, 10},
    {180, "ASTC_10x10_SRGB_BLOCK", 16, 10, 10},
    {181, "ASTC_12x10_UNORM_BLOCK", 16, 12, 10},
    {182, "ASTC_12x10_SRGB_BLOCK", 16, 12, 10},
    {183, "ASTC_12x12_UNORM_BLOCK", 16, 12, 12},
    {184, "ASTC_12x12_SRGB_BLOCK", 16, 12, 12},
    {1000054000, "PVRTC1_2BPP_UNORM_BLOCK_IMG", 8, 8, 4},
    {1000054001, "PVRTC1_4BPP_UNORM_BLOCK_IMG", 8, 4, 4},
    {1000054002, "PVRTC2_2BPP_UNORM_BLOCK_IMG", 8, 8, 4},
    {1000054003, "PVRTC2_4BPP_UNORM_BLOCK_IMG", 8, 4, 4},
    {1000054004, "PVRTC1_2BPP_SRGB_BLOCK_IMG", 8, 8, 4},
    {1000054005, "PVRTC1_4BPP_SRGB_BLOCK_IMG", 8, 4, 4},
    {1000054006, "PVRTC2_2BPP_SRGB_BLOCK_IMG", 8, 8, 4},
    {1000054007, "PVRTC2_4BPP_SRGB_BLOCK_IMG", 8, 4, 4},
    {1000066000, "ASTC_4x4_SFLOAT_BLOCK", 16, 4, 4},
    {1000066001, "ASTC_5x4_SFLOAT_BLOCK", 16, 5, 4},
    {1000066002, "ASTC_5x5_SFLOAT_BLOCK", 16, 5, 5},
    {1000066003, "ASTC_6x5_SFLOAT_BLOCK", 16, 6, 5},
    {1000066004, "ASTC_6x6_SFLOAT_BLOCK", 16, 6, 6},
    {1000066005, "ASTC_8x5_SFLOAT_BLOCK", 16, 8, 5},
    {1000066006, "ASTC_8x6_SFLOAT_BLOCK", 16, 8, 6},
    {1000066007, "ASTC_8x8_SFLOAT_BLOCK", 16, 8, 8},
    {1000066008, "ASTC_10x5_SFLOAT_BLOCK", 16, 10, 5},
    {1000066009, "ASTC_10x6_SFLOAT_BLOCK", 16, 10, 6},
    {1000066010, "ASTC_10x8_SFLOAT_BLOCK", 16, 10, 8},
    {1000066011, "ASTC_10x10_SFLOAT_BLOCK", 16, 10, 10},
    {1000066012, "ASTC_12x10_SFLOAT_BLOCK", 16, 12, 10},
    {1000066013, "ASTC_12x12_SFLOAT_BLOCK", 16, 12, 12},
    {1000156000, "G8B8G8R8_422_UNORM", 4, 2, 1},
    {1000156001, "B8G8R8G8_422_UNORM", 4, 2, 1},
    {1000156002, "G8_B8_R8_3PLANE_420_UNORM", 3, 1, 1},
    {1000156003, "G8_B8R8_2PLANE_420_UNORM", 3, 1, 1},
    {1000156004, "G8_B8_R8_3PLANE_422_UNORM", 3, 1, 1},
    {1000156005, "G8_B8R8_2PLANE_422_UNORM", 3, 1, 1},
    {1000156006, "G8_B8_R8_3PLANE_444_UNORM", 3, 1, 1},
    {1000156007, "R10X6_UNORM_PACK16", 2, 1, 1},
    {1000156008, "R10X6G10X6_UNORM_2PACK16", 4, 1, 1},
    {1000156009, "R10X6G10X6B10X6A10X6_UNORM_4PACK16", 8, 1, 1},
    {1000156010, "G10X6B10X6G10X6R10X6_422_UNORM_4PACK16", 8, 2, 1},
    {1000156011, "B10X6G10X6R10X6G10X6_422_UNORM_4PACK16", 8, 2, 1},
    {1000156012, "G10X6_B10X6_R10X6_3PLANE_420_UNORM_3PACK16", 6, 1, 1},
    {1000156013, "G10X6_B10X6R10X6_2PLANE_420_UNORM_3PACK16", 6, 1, 1},
    {1000156014, "G10X6_B10X6_R10X6_3PLANE_422_UNORM_3PACK16", 6, 1, 1},
    {1000156015, "G10X6_B10X6R10X6_2PLANE_422_UNORM_3PACK16", 6, 1, 1},
    {1000156016, "G10X6_B10X6_R10X6_3PLANE_444_UNORM_3PACK16", 6, 1, 1},
    {1000156017, "R12X4_UNORM_PACK16", 2, 1, 1},
    {1000156018, "R12X4G12X4_UNORM_2PACK16", 4, 1, 1},
    {1000156019, "R12X4G12X4B12X4A12X4_UNORM_4PACK16", 8, 1, 1},
    {1000156020, "G12X4B12X4G12X4R12X4_422_UNORM_4PACK16", 8, 2, 1},
    {1000156021, "B12X4G12X4R12X4G12X4_422_UNORM_4PACK16", 8, 2, 1},
    {1000156022, "G12X4_B12X4_R12X4_3PLANE_420_UNORM_3PACK16", 6, 1, 1},
    {1000156023, "G12X4_B12X4R12X4_2PLANE_420_UNORM_3PACK16", 6, 1, 1},
    {1000156024, "G12X4_B12X4_R12X4_3PLANE_422_UNORM_3PACK16", 6, 1, 1},
    {1000156025, "G12X4_B12X4R12X4_2PLANE_422_UNORM_3PACK16", 6, 1, 1},
    {1000156026, "G12X4_B12X4_R12X4_3PLANE_444_UNORM_3PACK16", 6, 1, 1},
    {1000156027, "G16B16G16R16_422_UNORM", 8, 2, 1},
    {1000156028, "B16G16R16G16_422_UNORM", 8, 2, 1},
    {1000156029, "G16_B16_R16_3PLANE_420_UNORM", 6, 1, 1},
    {1000156030, "G16_B16R16_2PLANE_420_UNORM", 6, 1, 1},
    {1000156031, "G16_B16_R16_3PLANE_422_UNORM", 6, 1, 1},
    {1000156032, "G16_B16R16_2PLANE_422_UNORM", 6, 1, 1},
    {1000156033, "G16_B16_R16_3PLANE_444_UNORM", 6, 1, 1},
    {1000330000, "G8_B8R8_2PLANE_444_UNORM", 3, 1, 1},
    {1000330001, "G10X6_B10X6R10X6_2PLANE_444_UNORM_3PACK16", 6, 1, 1},
    {1000330002, "G12X4_B12X4R12X4_2PLANE_444_UNORM_3PACK16", 6, 1, 1},
    {1000330003, "G16_B16R16_2PLANE_444_UNORM", 6, 1, 1},
    {1000340000, "A4R4G4B4_UNORM_PACK16", 2, 1, 1},
    {1000340001, "A4B4G4R4_UNORM_PACK16", 2, 1, 1},
};

const size_t vma_image_format_count = sizeof(vma_image_formats) / sizeof(vma_image_formats[0]);

const struct vma_image_format *vma_image_format_find(uint32_t id)
{
    size_t low = 0, high = vma_image_format_count;

    /* The core formats are numbered from 1 without a gap. */
    if (id >= 1 && id <= vma_image_format_count && vma_image_formats[id - 1].id == id)
        return &vma_image_formats[id - 1];
    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (vma_image_formats[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < vma_image_format_count && vma_image_formats[low].id == id ? &vma_image_formats[low]
                                                                           : NULL;
}

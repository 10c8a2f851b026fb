/* SPDX-License-Identifier: MIT */
#include "formats/aerogpu/decode/layout.h"

#include "base/bytes.h"

enum {
    LAYOUT_HEADER = 16,
    LAYOUT_ELEMENT = 28,
    LAYOUT_VERSION = 1,
    LAYOUT_APPEND = -1,
    DECLARATION_ELEMENT = 8,
    DECLARATION_END_STREAM = 0xFF,
    DECLARATION_END_TYPE = 17,
};

static uint32_t blocks_of(uint32_t extent, uint32_t block)
{
    return (extent + block - 1) / block;
}

static uint32_t mip_extent(uint32_t extent, uint32_t mip)
{
    return extent >> mip > 0 ? extent >> mip : 1;
}

static uint32_t max_mips(const struct aerogpu_shape *shape)
{
    uint32_t longest = shape->width > shape->height ? shape->width : shape->height;

    return 32 - (uint32_t)__builtin_clz(longest);
}

/* Within these bounds, no product below exceeds 63 bits. */
bool aerogpu_shape_valid(const struct aerogpu_shape *shape)
{
    struct aerogpu_format_info format;

    if (!aerogpu_format_find(shape->format, &format))
        return false;
    if (shape->width == 0 || shape->width > AEROGPU_MAX_EXTENT || shape->height == 0 ||
        shape->height > AEROGPU_MAX_EXTENT)
        return false;
    if (shape->layers == 0 || shape->layers > AEROGPU_MAX_LAYERS || shape->mips == 0 ||
        shape->mips > max_mips(shape))
        return false;
    return shape->row_pitch == 0 ||
           shape->row_pitch >= blocks_of(shape->width, format.block) * format.bytes;
}

static void measure_mip(const struct aerogpu_shape *shape, uint32_t mip,
                        struct aerogpu_subresource *out)
{
    struct aerogpu_format_info format = {0};

    aerogpu_format_find(shape->format, &format);
    out->width = mip_extent(shape->width, mip);
    out->height = mip_extent(shape->height, mip);
    out->rows = blocks_of(out->height, format.block);
    out->row_size = blocks_of(out->width, format.block) * format.bytes;
    out->pitch = mip == 0 && shape->row_pitch != 0 ? shape->row_pitch : out->row_size;
    out->size = (uint64_t)out->pitch * out->rows;
}

static uint64_t layer_size(const struct aerogpu_shape *shape)
{
    struct aerogpu_subresource mip;
    uint64_t size = 0;

    for (uint32_t i = 0; i < shape->mips; i++) {
        measure_mip(shape, i, &mip);
        size += mip.size;
    }
    return size;
}

uint64_t aerogpu_shape_size(const struct aerogpu_shape *shape)
{
    return layer_size(shape) * shape->layers;
}

bool aerogpu_subresource(const struct aerogpu_shape *shape, uint32_t mip, uint32_t layer,
                         struct aerogpu_subresource *out)
{
    uint64_t offset = 0;

    if (mip >= shape->mips || layer >= shape->layers)
        return false;
    offset = layer_size(shape) * layer;
    for (uint32_t i = 0; i < mip; i++) {
        measure_mip(shape, i, out);
        offset += out->size;
    }
    measure_mip(shape, mip, out);
    out->offset = offset;
    return true;
}

bool aerogpu_shape_locate(const struct aerogpu_shape *shape, uint64_t offset, uint32_t *mip,
                          uint32_t *layer)
{
    uint64_t size = layer_size(shape);
    struct aerogpu_subresource sub;

    if (offset >= size * shape->layers)
        return false;
    *layer = (uint32_t)(offset / size);
    offset %= size;
    for (*mip = 0; *mip < shape->mips; (*mip)++) {
        measure_mip(shape, *mip, &sub);
        if (offset < sub.size)
            return true;
        offset -= sub.size;
    }
    return false;
}

/* clang-format off */
static const struct aerogpu_attribute attributes[] = {
    {"R32G32B32A32_FLOAT", 2, 4, 4, AEROGPU_COMPONENT_FLOAT, false},
    {"R32G32B32A32_UINT", 3, 4, 4, AEROGPU_COMPONENT_UINT, false},
    {"R32G32B32A32_SINT", 4, 4, 4, AEROGPU_COMPONENT_SINT, false},
    {"R32G32B32_FLOAT", 6, 3, 4, AEROGPU_COMPONENT_FLOAT, false},
    {"R32G32B32_UINT", 7, 3, 4, AEROGPU_COMPONENT_UINT, false},
    {"R32G32B32_SINT", 8, 3, 4, AEROGPU_COMPONENT_SINT, false},
    {"R16G16B16A16_FLOAT", 10, 4, 2, AEROGPU_COMPONENT_FLOAT, false},
    {"R16G16B16A16_UNORM", 11, 4, 2, AEROGPU_COMPONENT_UNORM, false},
    {"R16G16B16A16_UINT", 12, 4, 2, AEROGPU_COMPONENT_UINT, false},
    {"R16G16B16A16_SNORM", 13, 4, 2, AEROGPU_COMPONENT_SNORM, false},
    {"R16G16B16A16_SINT", 14, 4, 2, AEROGPU_COMPONENT_SINT, false},
    {"R32G32_FLOAT", 16, 2, 4, AEROGPU_COMPONENT_FLOAT, false},
    {"R32G32_UINT", 17, 2, 4, AEROGPU_COMPONENT_UINT, false},
    {"R32G32_SINT", 18, 2, 4, AEROGPU_COMPONENT_SINT, false},
    {"R10G10B10A2_UNORM", 24, 4, 0, AEROGPU_COMPONENT_UNORM, false},
    {"R10G10B10A2_UINT", 25, 4, 0, AEROGPU_COMPONENT_UINT, false},
    {"R8G8B8A8_UNORM", 28, 4, 1, AEROGPU_COMPONENT_UNORM, false},
    {"R8G8B8A8_UINT", 30, 4, 1, AEROGPU_COMPONENT_UINT, false},
    {"R8G8B8A8_SNORM", 31, 4, 1, AEROGPU_COMPONENT_SNORM, false},
    {"R8G8B8A8_SINT", 32, 4, 1, AEROGPU_COMPONENT_SINT, false},
    {"R16G16_FLOAT", 34, 2, 2, AEROGPU_COMPONENT_FLOAT, false},
    {"R16G16_UNORM", 35, 2, 2, AEROGPU_COMPONENT_UNORM, false},
    {"R16G16_UINT", 36, 2, 2, AEROGPU_COMPONENT_UINT, false},
    {"R16G16_SNORM", 37, 2, 2, AEROGPU_COMPONENT_SNORM, false},
    {"R16G16_SINT", 38, 2, 2, AEROGPU_COMPONENT_SINT, false},
    {"R32_FLOAT", 41, 1, 4, AEROGPU_COMPONENT_FLOAT, false},
    {"R32_UINT", 42, 1, 4, AEROGPU_COMPONENT_UINT, false},
    {"R32_SINT", 43, 1, 4, AEROGPU_COMPONENT_SINT, false},
    {"R8G8_UNORM", 49, 2, 1, AEROGPU_COMPONENT_UNORM, false},
    {"R8G8_UINT", 50, 2, 1, AEROGPU_COMPONENT_UINT, false},
    {"R8G8_SNORM", 51, 2, 1, AEROGPU_COMPONENT_SNORM, false},
    {"R8G8_SINT", 52, 2, 1, AEROGPU_COMPONENT_SINT, false},
    {"R16_FLOAT", 54, 1, 2, AEROGPU_COMPONENT_FLOAT, false},
    {"R16_UNORM", 56, 1, 2, AEROGPU_COMPONENT_UNORM, false},
    {"R16_UINT", 57, 1, 2, AEROGPU_COMPONENT_UINT, false},
    {"R16_SNORM", 58, 1, 2, AEROGPU_COMPONENT_SNORM, false},
    {"R16_SINT", 59, 1, 2, AEROGPU_COMPONENT_SINT, false},
    {"R8_UNORM", 61, 1, 1, AEROGPU_COMPONENT_UNORM, false},
    {"R8_UINT", 62, 1, 1, AEROGPU_COMPONENT_UINT, false},
    {"R8_SNORM", 63, 1, 1, AEROGPU_COMPONENT_SNORM, false},
    {"R8_SINT", 64, 1, 1, AEROGPU_COMPONENT_SINT, false},
    {"B8G8R8A8_UNORM", 87, 4, 1, AEROGPU_COMPONENT_UNORM, true},
};

/* DXGI formats of D3DDECLTYPE: FLOAT1 to 4, D3DCOLOR, UBYTE4, SHORT2 and 4, UBYTE4N,
   SHORT2N and 4N, USHORT2N and 4N, UDEC3, DEC3N, FLOAT16_2 and _4. */
static const uint8_t declaration_formats[DECLARATION_END_TYPE] = {
    41, 16, 6, 2, 87, 30, 38, 14, 28, 37, 13, 35, 11, 25, 0, 34, 10,
};
/* clang-format on */

const struct aerogpu_attribute *aerogpu_attribute_find(uint32_t format)
{
    for (size_t i = 0; i < sizeof(attributes) / sizeof(attributes[0]); i++)
        if (attributes[i].format == format)
            return &attributes[i];
    return NULL;
}

static const char *const semantics[] = {
    "POSITION",     "COLOR",    "TEXCOORD",    "NORMAL",        "TANGENT",
    "BINORMAL",     "PSIZE",    "BLENDWEIGHT", "BLENDINDICES",  "SV_POSITION",
    "SV_TARGET",    "SV_DEPTH", "SV_VERTEXID", "SV_INSTANCEID", "POSITIONT",
    "BLENDWEIGHTS", "FOG",      "TESSFACTOR",  "DEPTH",         "SAMPLE",
};

/* The names of D3DDECLUSAGE, in the order of its values. */
static const char *const usages[] = {
    "POSITION", "BLENDWEIGHT", "BLENDINDICES", "NORMAL", "PSIZE", "TEXCOORD", "TANGENT",
    "BINORMAL", "TESSFACTOR",  "POSITIONT",    "COLOR",  "FOG",   "DEPTH",    "SAMPLE",
};

const char *aerogpu_semantic_name(uint32_t hash)
{
    for (size_t i = 0; i < sizeof(semantics) / sizeof(semantics[0]); i++)
        if (dxbc_semantic_hash(semantics[i]) == hash)
            return semantics[i];
    return NULL;
}

static bool ends_declaration(const uint8_t *element)
{
    return bytes_le16(element) == DECLARATION_END_STREAM && element[4] == DECLARATION_END_TYPE;
}

bool aerogpu_layout_open(const uint8_t *bytes, size_t size, struct aerogpu_layout *out)
{
    *out = (struct aerogpu_layout){.bytes = bytes, .kind = AEROGPU_LAYOUT_D3D9};
    if (size >= 4 && bytes_le32(bytes) == AEROGPU_LAYOUT_MAGIC) {
        if (size < LAYOUT_HEADER || bytes_le32(bytes + 4) != LAYOUT_VERSION)
            return false;
        out->kind = AEROGPU_LAYOUT_ILAY;
        out->count = bytes_le32(bytes + 8);
        return out->count <= (size - LAYOUT_HEADER) / LAYOUT_ELEMENT;
    }
    while (size / DECLARATION_ELEMENT > out->count) {
        if (ends_declaration(bytes + (size_t)DECLARATION_ELEMENT * out->count))
            return true;
        out->count++;
    }
    return false;
}

static void read_ilay(const struct aerogpu_layout *layout, struct aerogpu_element *out)
{
    const uint8_t *p = layout->bytes + LAYOUT_HEADER + (size_t)LAYOUT_ELEMENT * layout->next;

    *out = (struct aerogpu_element){
        .semantic_hash = bytes_le32(p),
        .semantic_index = bytes_le32(p + 4),
        .format = bytes_le32(p + 8),
        .slot = bytes_le32(p + 12),
        .offset = bytes_le32(p + 16),
        .instanced = bytes_le32(p + 20) == 1,
        .step_rate = bytes_le32(p + 24),
    };
}

static void read_declaration(const struct aerogpu_layout *layout, struct aerogpu_element *out)
{
    const uint8_t *p = layout->bytes + (size_t)DECLARATION_ELEMENT * layout->next;

    *out = (struct aerogpu_element){
        .slot = bytes_le16(p),
        .offset = bytes_le16(p + 2),
        .type = p[4],
        .format = p[4] < DECLARATION_END_TYPE ? declaration_formats[p[4]] : 0,
        .usage = p[6],
        .semantic_index = p[7],
    };
    if (out->usage < sizeof(usages) / sizeof(usages[0]))
        out->semantic_hash = dxbc_semantic_hash(usages[out->usage]);
}

bool aerogpu_layout_next(struct aerogpu_layout *layout, struct aerogpu_element *out)
{
    const struct aerogpu_attribute *attribute = NULL;
    uint32_t *end = NULL, unused = 0, bytes = 4;

    if (layout->next >= layout->count)
        return false;
    if (layout->kind == AEROGPU_LAYOUT_ILAY)
        read_ilay(layout, out);
    else
        read_declaration(layout, out);
    layout->next++;
    end = out->slot < AEROGPU_VERTEX_SLOTS ? &layout->ends[out->slot] : &unused;
    attribute = aerogpu_attribute_find(out->format);
    if (attribute != NULL && attribute->size != 0)
        bytes = (uint32_t)attribute->count * attribute->size;
    if (layout->kind == AEROGPU_LAYOUT_ILAY && out->offset == (uint32_t)LAYOUT_APPEND)
        out->offset = bytes >= 4 ? (*end + 3) & ~UINT32_C(3) : *end;
    *end = out->offset + bytes;
    return true;
}

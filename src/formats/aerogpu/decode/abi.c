/* SPDX-License-Identifier: MIT */
#include "formats/aerogpu/decode/abi.h"

struct named {
    uint32_t value;
    const char *name;
};

/* clang-format off */
static const struct named stages[] = {
    {AEROGPU_VERTEX, "Vertex"}, {AEROGPU_PIXEL, "Pixel"}, {AEROGPU_COMPUTE, "Compute"},
    {AEROGPU_GEOMETRY, "Geometry"}, {0, NULL},
};

static const struct named stages_ex[] = {
    {AEROGPU_EX_VERTEX, "InvalidVertex"}, {AEROGPU_EX_GEOMETRY, "Geometry"},
    {AEROGPU_EX_HULL, "Hull"}, {AEROGPU_EX_DOMAIN, "Domain"}, {AEROGPU_EX_COMPUTE, "Compute"},
    {0, NULL},
};

static const struct named formats[] = {
    {AEROGPU_FORMAT_INVALID, "Invalid"},
    {AEROGPU_B8G8R8A8, "B8G8R8A8Unorm"}, {AEROGPU_B8G8R8X8, "B8G8R8X8Unorm"},
    {AEROGPU_R8G8B8A8, "R8G8B8A8Unorm"}, {AEROGPU_R8G8B8X8, "R8G8B8X8Unorm"},
    {AEROGPU_B5G6R5, "B5G6R5Unorm"}, {AEROGPU_B5G5R5A1, "B5G5R5A1Unorm"},
    {AEROGPU_B8G8R8A8_SRGB, "B8G8R8A8UnormSrgb"}, {AEROGPU_B8G8R8X8_SRGB, "B8G8R8X8UnormSrgb"},
    {AEROGPU_R8G8B8A8_SRGB, "R8G8B8A8UnormSrgb"}, {AEROGPU_R8G8B8X8_SRGB, "R8G8B8X8UnormSrgb"},
    {AEROGPU_D24S8, "D24UnormS8Uint"}, {AEROGPU_D32F, "D32Float"},
    {AEROGPU_BC1, "BC1RgbaUnorm"}, {AEROGPU_BC1_SRGB, "BC1RgbaUnormSrgb"},
    {AEROGPU_BC2, "BC2RgbaUnorm"}, {AEROGPU_BC2_SRGB, "BC2RgbaUnormSrgb"},
    {AEROGPU_BC3, "BC3RgbaUnorm"}, {AEROGPU_BC3_SRGB, "BC3RgbaUnormSrgb"},
    {AEROGPU_BC7, "BC7RgbaUnorm"}, {AEROGPU_BC7_SRGB, "BC7RgbaUnormSrgb"},
    {0, NULL},
};

static const struct named index_formats[] = {
    {AEROGPU_UINT16, "Uint16"}, {AEROGPU_UINT32, "Uint32"}, {0, NULL},
};

static const struct named topologies[] = {
    {AEROGPU_POINT_LIST, "PointList"}, {AEROGPU_LINE_LIST, "LineList"},
    {AEROGPU_LINE_STRIP, "LineStrip"}, {AEROGPU_TRIANGLE_LIST, "TriangleList"},
    {AEROGPU_TRIANGLE_STRIP, "TriangleStrip"}, {AEROGPU_TRIANGLE_FAN, "TriangleFan"},
    {AEROGPU_LINE_LIST_ADJ, "LineListAdj"}, {AEROGPU_LINE_STRIP_ADJ, "LineStripAdj"},
    {AEROGPU_TRIANGLE_LIST_ADJ, "TriangleListAdj"},
    {AEROGPU_TRIANGLE_STRIP_ADJ, "TriangleStripAdj"},
    {33, "PatchList1"}, {34, "PatchList2"}, {35, "PatchList3"}, {36, "PatchList4"},
    {37, "PatchList5"}, {38, "PatchList6"}, {39, "PatchList7"}, {40, "PatchList8"},
    {41, "PatchList9"}, {42, "PatchList10"}, {43, "PatchList11"}, {44, "PatchList12"},
    {45, "PatchList13"}, {46, "PatchList14"}, {47, "PatchList15"}, {48, "PatchList16"},
    {49, "PatchList17"}, {50, "PatchList18"}, {51, "PatchList19"}, {52, "PatchList20"},
    {53, "PatchList21"}, {54, "PatchList22"}, {55, "PatchList23"}, {56, "PatchList24"},
    {57, "PatchList25"}, {58, "PatchList26"}, {59, "PatchList27"}, {60, "PatchList28"},
    {61, "PatchList29"}, {62, "PatchList30"}, {63, "PatchList31"}, {64, "PatchList32"},
    {0, NULL},
};

static const struct named filters[] = {
    {AEROGPU_NEAREST, "Nearest"}, {AEROGPU_LINEAR, "Linear"}, {0, NULL},
};

static const struct named addresses[] = {
    {AEROGPU_CLAMP_TO_EDGE, "ClampToEdge"}, {AEROGPU_REPEAT, "Repeat"},
    {AEROGPU_MIRROR_REPEAT, "MirrorRepeat"}, {0, NULL},
};

static const struct named blend_factors[] = {
    {AEROGPU_ZERO, "Zero"}, {AEROGPU_ONE, "One"}, {AEROGPU_SRC_ALPHA, "SrcAlpha"},
    {AEROGPU_INV_SRC_ALPHA, "InvSrcAlpha"}, {AEROGPU_DEST_ALPHA, "DestAlpha"},
    {AEROGPU_INV_DEST_ALPHA, "InvDestAlpha"}, {AEROGPU_CONSTANT, "Constant"},
    {AEROGPU_INV_CONSTANT, "InvConstant"}, {0, NULL},
};

static const struct named blend_ops[] = {
    {AEROGPU_ADD, "Add"}, {AEROGPU_SUBTRACT, "Subtract"}, {AEROGPU_REV_SUBTRACT, "RevSubtract"},
    {AEROGPU_MIN, "Min"}, {AEROGPU_MAX, "Max"}, {0, NULL},
};

static const struct named compares[] = {
    {AEROGPU_NEVER, "Never"}, {AEROGPU_LESS, "Less"}, {AEROGPU_EQUAL, "Equal"},
    {AEROGPU_LESS_EQUAL, "LessEqual"}, {AEROGPU_GREATER, "Greater"},
    {AEROGPU_NOT_EQUAL, "NotEqual"}, {AEROGPU_GREATER_EQUAL, "GreaterEqual"},
    {AEROGPU_ALWAYS, "Always"}, {0, NULL},
};

static const struct named fills[] = {
    {AEROGPU_SOLID, "Solid"}, {AEROGPU_WIREFRAME, "Wireframe"}, {0, NULL},
};

static const struct named culls[] = {
    {AEROGPU_CULL_NONE, "None"}, {AEROGPU_CULL_FRONT, "Front"}, {AEROGPU_CULL_BACK, "Back"},
    {0, NULL},
};

static const struct named rasterizer_flags[] = {
    {AEROGPU_DEPTH_CLIP_DISABLE, "DepthClipDisable"}, {0, NULL},
};

static const struct named usages[] = {
    {AEROGPU_USAGE_VERTEX, "VertexBuffer"}, {AEROGPU_USAGE_INDEX, "IndexBuffer"},
    {AEROGPU_USAGE_CONSTANT, "ConstantBuffer"}, {AEROGPU_USAGE_TEXTURE, "Texture"},
    {AEROGPU_USAGE_TARGET, "RenderTarget"}, {AEROGPU_USAGE_DEPTH, "DepthStencil"},
    {AEROGPU_USAGE_SCANOUT, "Scanout"}, {AEROGPU_USAGE_STORAGE, "Storage"}, {0, NULL},
};

/* D3DSAMPLERSTATETYPE and D3DRENDERSTATETYPE of Direct3D 9. */
static const struct named sampler_states[] = {
    {1, "D3DSAMP_ADDRESSU"}, {2, "D3DSAMP_ADDRESSV"}, {3, "D3DSAMP_ADDRESSW"},
    {4, "D3DSAMP_BORDERCOLOR"}, {5, "D3DSAMP_MAGFILTER"}, {6, "D3DSAMP_MINFILTER"},
    {7, "D3DSAMP_MIPFILTER"}, {8, "D3DSAMP_MIPMAPLODBIAS"}, {9, "D3DSAMP_MAXMIPLEVEL"},
    {10, "D3DSAMP_MAXANISOTROPY"}, {11, "D3DSAMP_SRGBTEXTURE"}, {12, "D3DSAMP_ELEMENTINDEX"},
    {13, "D3DSAMP_DMAPOFFSET"}, {0, NULL},
};

static const struct named render_states[] = {
    {7, "D3DRS_ZENABLE"}, {8, "D3DRS_FILLMODE"}, {14, "D3DRS_ZWRITEENABLE"},
    {15, "D3DRS_ALPHATESTENABLE"}, {18, "D3DRS_FRONTCOUNTERCLOCKWISE"}, {19, "D3DRS_SRCBLEND"},
    {20, "D3DRS_DESTBLEND"}, {22, "D3DRS_CULLMODE"}, {23, "D3DRS_ZFUNC"},
    {24, "D3DRS_ALPHAREF"}, {25, "D3DRS_ALPHAFUNC"}, {27, "D3DRS_ALPHABLENDENABLE"},
    {52, "D3DRS_STENCILENABLE"}, {53, "D3DRS_STENCILFAIL"}, {54, "D3DRS_STENCILZFAIL"},
    {55, "D3DRS_STENCILPASS"}, {56, "D3DRS_STENCILFUNC"}, {57, "D3DRS_STENCILREF"},
    {58, "D3DRS_STENCILMASK"}, {59, "D3DRS_STENCILWRITEMASK"}, {168, "D3DRS_COLORWRITEENABLE"},
    {171, "D3DRS_BLENDOP"}, {174, "D3DRS_SCISSORTESTENABLE"},
    {185, "D3DRS_TWOSIDEDSTENCILMODE"}, {186, "D3DRS_CCW_STENCILFAIL"},
    {187, "D3DRS_CCW_STENCILZFAIL"}, {188, "D3DRS_CCW_STENCILPASS"},
    {189, "D3DRS_CCW_STENCILFUNC"}, {190, "D3DRS_COLORWRITEENABLE1"},
    {191, "D3DRS_COLORWRITEENABLE2"}, {192, "D3DRS_COLORWRITEENABLE3"},
    {193, "D3DRS_BLENDFACTOR"}, {194, "D3DRS_SRGBWRITEENABLE"},
    {206, "D3DRS_SEPARATEALPHABLENDENABLE"}, {207, "D3DRS_SRCBLENDALPHA"},
    {208, "D3DRS_DESTBLENDALPHA"}, {209, "D3DRS_BLENDOPALPHA"}, {0, NULL},
};

static const struct named blob_kinds[] = {
    {1, "BufferData"}, {2, "TextureData"}, {3, "ShaderDxbc"}, {4, "ShaderWgsl"},
    {5, "ShaderGlslEs300"}, {0x100, "AerogpuCmdStream"}, {0x101, "AerogpuAllocTable"},
    {0x102, "AerogpuAllocMemory"}, {0, NULL},
};
/* clang-format on */

static const struct named *const tables[AEROGPU_NAMES_COUNT] = {
    [AEROGPU_NAMES_STAGE] = stages,
    [AEROGPU_NAMES_STAGE_EX] = stages_ex,
    [AEROGPU_NAMES_FORMAT] = formats,
    [AEROGPU_NAMES_INDEX_FORMAT] = index_formats,
    [AEROGPU_NAMES_TOPOLOGY] = topologies,
    [AEROGPU_NAMES_FILTER] = filters,
    [AEROGPU_NAMES_ADDRESS] = addresses,
    [AEROGPU_NAMES_BLEND_FACTOR] = blend_factors,
    [AEROGPU_NAMES_BLEND_OP] = blend_ops,
    [AEROGPU_NAMES_COMPARE] = compares,
    [AEROGPU_NAMES_FILL] = fills,
    [AEROGPU_NAMES_CULL] = culls,
    [AEROGPU_NAMES_RASTERIZER_FLAG] = rasterizer_flags,
    [AEROGPU_NAMES_USAGE] = usages,
    [AEROGPU_NAMES_D3DSAMP] = sampler_states,
    [AEROGPU_NAMES_D3DRS] = render_states,
    [AEROGPU_NAMES_BLOB_KIND] = blob_kinds,
};

const char *aerogpu_name(enum aerogpu_names names, uint32_t value)
{
    const struct named *row = tables[names];

    if (row == NULL)
        return NULL;
    while (row->name != NULL && row->value != value)
        row++;
    return row->name;
}

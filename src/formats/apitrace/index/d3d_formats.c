/* SPDX-License-Identifier: MIT */
/*
 * Formats of Direct3D by name (DXGI_FORMAT and D3DFORMAT, of the headers dxgiformat.h and
 * d3d9types.h). sRGB stays encoded, and depths are shown in 8 bits of grey.
 */
#include "formats/apitrace/index/d3d_resources.h"

#include <string.h>

#define DXGI(name, size, number, shown, ...)                                                       \
    {                                                                                              \
        "DXGI_FORMAT_" #name, PIXEL_FORMAT(size, PIXEL_##number, PICTURE_##shown, __VA_ARGS__)     \
    }
#define BLOCKS(name, size, number, shown, kind)                                                    \
    {                                                                                              \
        "DXGI_FORMAT_" #name, PIXEL_BLOCK(size, PIXEL_##number, PICTURE_##shown, PIXEL_##kind)     \
    }
#define D3D9(name, size, number, shown, ...)                                                       \
    {                                                                                              \
        "D3DFMT_" #name, PIXEL_FORMAT(size, PIXEL_##number, PICTURE_##shown, __VA_ARGS__)          \
    }
#define D3D9_BLOCKS(name, size, kind)                                                              \
    {                                                                                              \
        "D3DFMT_" #name, PIXEL_BLOCK(size, PIXEL_UNORM, PICTURE_RGBA, PIXEL_##kind)                \
    }

static const struct {
    const char *name;
    struct pixel_format format;
} formats[] = {
    DXGI(R32G32B32A32_FLOAT, 16, FLOATING, RGBA, PIXEL_RGBA(32)),
    DXGI(R32G32B32_FLOAT, 12, FLOATING, RGB, PIXEL_RGB(32)),
    DXGI(R16G16B16A16_FLOAT, 8, FLOATING, RGBA, PIXEL_RGBA(16)),
    DXGI(R16G16B16A16_UNORM, 8, UNORM, RGBA, PIXEL_RGBA(16)),
    DXGI(R16G16B16A16_SNORM, 8, SNORM, RGBA, PIXEL_RGBA(16)),
    DXGI(R32G32_FLOAT, 8, FLOATING, RGB, PIXEL_RG(32)),
    DXGI(R10G10B10A2_UNORM, 4, UNORM, RGBA, PIXEL_BITS(0, 10, 10, 10, 20, 10, 30, 2)),
    DXGI(R11G11B10_FLOAT, 4, FLOATING, RGB, PIXEL_BITS(0, 11, 11, 11, 22, 10, 0, 0)),
    DXGI(R8G8B8A8_TYPELESS, 4, UNORM, RGBA, PIXEL_RGBA(8)),
    DXGI(R8G8B8A8_UNORM, 4, UNORM, RGBA, PIXEL_RGBA(8)),
    DXGI(R8G8B8A8_UNORM_SRGB, 4, SRGB, RGBA, PIXEL_RGBA(8)),
    DXGI(R8G8B8A8_SNORM, 4, SNORM, RGBA, PIXEL_RGBA(8)),
    DXGI(R8G8B8A8_UINT, 4, UINT, RGBA, PIXEL_RGBA(8)),
    DXGI(R16G16_FLOAT, 4, FLOATING, RGB, PIXEL_RG(16)),
    DXGI(R16G16_UNORM, 4, UNORM, RGB, PIXEL_RG(16)),
    DXGI(R16G16_SNORM, 4, SNORM, RGB, PIXEL_RG(16)),
    DXGI(R32_FLOAT, 4, FLOATING, GREY, PIXEL_GREY(32)),
    DXGI(D32_FLOAT, 4, FLOATING, GREY, PIXEL_GREY(32)),
    DXGI(R8G8_UNORM, 2, UNORM, RGB, PIXEL_RG(8)),
    DXGI(R8G8_SNORM, 2, SNORM, RGB, PIXEL_RG(8)),
    DXGI(R16_FLOAT, 2, FLOATING, GREY, PIXEL_GREY(16)),
    DXGI(R16_UNORM, 2, UNORM, GREY, PIXEL_GREY(16)),
    DXGI(D16_UNORM, 2, UNORM, GREY, PIXEL_GREY(16)),
    DXGI(R8_UNORM, 1, UNORM, GREY, PIXEL_GREY(8)),
    DXGI(R8_SNORM, 1, SNORM, GREY, PIXEL_GREY(8)),
    DXGI(R8_UINT, 1, UINT, GREY, PIXEL_GREY(8)),
    DXGI(A8_UNORM, 1, UNORM, GREY, PIXEL_GREY(8)),
    DXGI(R9G9B9E5_SHAREDEXP, 4, SHARED, RGB, PIXEL_BITS(0, 9, 9, 9, 18, 9, 0, 0)),
    DXGI(B5G6R5_UNORM, 2, UNORM, RGB, PIXEL_BITS(11, 5, 5, 6, 0, 5, 0, 0)),
    DXGI(B5G5R5A1_UNORM, 2, UNORM, RGBA, PIXEL_BITS(10, 5, 5, 5, 0, 5, 15, 1)),
    DXGI(B4G4R4A4_UNORM, 2, UNORM, RGBA, PIXEL_BITS(8, 4, 4, 4, 0, 4, 12, 4)),
    DXGI(B8G8R8A8_UNORM, 4, UNORM, RGBA, PIXEL_BGRA(8)),
    DXGI(B8G8R8A8_UNORM_SRGB, 4, SRGB, RGBA, PIXEL_BGRA(8)),
    DXGI(B8G8R8X8_UNORM, 4, UNORM, RGB, PIXEL_BGR(8)),
    DXGI(B8G8R8X8_UNORM_SRGB, 4, SRGB, RGB, PIXEL_BGR(8)),
    BLOCKS(BC1_UNORM, 8, UNORM, RGBA, BC1),
    BLOCKS(BC1_UNORM_SRGB, 8, SRGB, RGBA, BC1),
    BLOCKS(BC2_UNORM, 16, UNORM, RGBA, BC2),
    BLOCKS(BC2_UNORM_SRGB, 16, SRGB, RGBA, BC2),
    BLOCKS(BC3_UNORM, 16, UNORM, RGBA, BC3),
    BLOCKS(BC3_UNORM_SRGB, 16, SRGB, RGBA, BC3),
    BLOCKS(BC4_UNORM, 8, UNORM, GREY, BC4),
    BLOCKS(BC4_SNORM, 8, SNORM, GREY, BC4),
    BLOCKS(BC5_UNORM, 16, UNORM, RGB, BC5),
    BLOCKS(BC5_SNORM, 16, SNORM, RGB, BC5),
    BLOCKS(BC6H_UF16, 16, UNORM, RGB, BC6H),
    BLOCKS(BC6H_SF16, 16, SNORM, RGB, BC6H),
    BLOCKS(BC7_UNORM, 16, UNORM, RGBA, BC7),
    BLOCKS(BC7_UNORM_SRGB, 16, SRGB, RGBA, BC7),
    D3D9(R8G8B8, 3, UNORM, RGB, PIXEL_BGR(8)),
    D3D9(A8R8G8B8, 4, UNORM, RGBA, PIXEL_BGRA(8)),
    D3D9(X8R8G8B8, 4, UNORM, RGB, PIXEL_BGR(8)),
    D3D9(A8B8G8R8, 4, UNORM, RGBA, PIXEL_RGBA(8)),
    D3D9(X8B8G8R8, 4, UNORM, RGB, PIXEL_RGB(8)),
    D3D9(R5G6B5, 2, UNORM, RGB, PIXEL_BITS(11, 5, 5, 6, 0, 5, 0, 0)),
    D3D9(X1R5G5B5, 2, UNORM, RGB, PIXEL_BITS(10, 5, 5, 5, 0, 5, 0, 0)),
    D3D9(A1R5G5B5, 2, UNORM, RGBA, PIXEL_BITS(10, 5, 5, 5, 0, 5, 15, 1)),
    D3D9(A4R4G4B4, 2, UNORM, RGBA, PIXEL_BITS(8, 4, 4, 4, 0, 4, 12, 4)),
    D3D9(X4R4G4B4, 2, UNORM, RGB, PIXEL_BITS(8, 4, 4, 4, 0, 4, 0, 0)),
    D3D9(A2R10G10B10, 4, UNORM, RGBA, PIXEL_BITS(20, 10, 10, 10, 0, 10, 30, 2)),
    D3D9(A2B10G10R10, 4, UNORM, RGBA, PIXEL_BITS(0, 10, 10, 10, 20, 10, 30, 2)),
    D3D9(G16R16, 4, UNORM, RGB, PIXEL_RG(16)),
    D3D9(A16B16G16R16, 8, UNORM, RGBA, PIXEL_RGBA(16)),
    D3D9(A8, 1, UNORM, GREY, PIXEL_GREY(8)),
    D3D9(L8, 1, UNORM, GREY, PIXEL_GREY(8)),
    D3D9(L16, 2, UNORM, GREY, PIXEL_GREY(16)),
    D3D9(A8L8, 2, UNORM, RGBA, PIXEL_BITS(0, 8, 0, 8, 0, 8, 8, 8)),
    D3D9(R16F, 2, FLOATING, GREY, PIXEL_GREY(16)),
    D3D9(G16R16F, 4, FLOATING, RGB, PIXEL_RG(16)),
    D3D9(A16B16G16R16F, 8, FLOATING, RGBA, PIXEL_RGBA(16)),
    D3D9(R32F, 4, FLOATING, GREY, PIXEL_GREY(32)),
    D3D9(A32B32G32R32F, 16, FLOATING, RGBA, PIXEL_RGBA(32)),
    D3D9_BLOCKS(DXT1, 8, BC1),
    D3D9_BLOCKS(DXT2, 16, BC2),
    D3D9_BLOCKS(DXT3, 16, BC2),
    D3D9_BLOCKS(DXT4, 16, BC3),
    D3D9_BLOCKS(DXT5, 16, BC3),
};

const struct pixel_format *apitrace_d3d_format(const char *name)
{
    for (size_t n = 0; name != NULL && n < sizeof(formats) / sizeof(formats[0]); n++)
        if (strcmp(formats[n].name, name) == 0)
            return &formats[n].format;
    return NULL;
}

/* SPDX-License-Identifier: MIT */
#include "formats/gapir/decode/pixels.h"

#include "image/gl_format.h"

#include <pthread.h>
#include <string.h>
#include <strings.h>

/* Integers are shown as fractions of the largest value. */
#define VULKAN(name, number, size, kind, look, ...)                                                \
    {                                                                                              \
        "VK_FORMAT_" name, number, 0, 0,                                                           \
            PIXEL_FORMAT(size, PIXEL_##kind, PICTURE_##look, __VA_ARGS__)                          \
    }

/* Formats with the same channels, which VkFormat numbers consecutively from `first` on. */
#define BYTES(name, end, first, size, look, ...)                                                   \
    VULKAN(name "_UNORM" end, first, size, UNORM, look, __VA_ARGS__),                              \
        VULKAN(name "_SNORM" end, (first) + 1, size, SNORM, look, __VA_ARGS__),                    \
        VULKAN(name "_UINT" end, (first) + 4, size, UNORM, look, __VA_ARGS__),                     \
        VULKAN(name "_SINT" end, (first) + 5, size, SNORM, look, __VA_ARGS__),                     \
        VULKAN(name "_SRGB" end, (first) + 6, size, SRGB, look, __VA_ARGS__)
#define HALVES(name, first, size, ...)                                                             \
    VULKAN(name "_UNORM", first, size, UNORM, RGBA16, __VA_ARGS__),                                \
        VULKAN(name "_SNORM", (first) + 1, size, SNORM, RGBA16, __VA_ARGS__),                      \
        VULKAN(name "_UINT", (first) + 4, size, UNORM, RGBA16, __VA_ARGS__),                       \
        VULKAN(name "_SINT", (first) + 5, size, SNORM, RGBA16, __VA_ARGS__),                       \
        VULKAN(name "_SFLOAT", (first) + 6, size, FLOATING, RGBA16, __VA_ARGS__)
#define WORDS(name, first, size, ...)                                                              \
    VULKAN(name "_UINT", first, size, UNORM, RGBA16, __VA_ARGS__),                                 \
        VULKAN(name "_SINT", (first) + 1, size, SNORM, RGBA16, __VA_ARGS__),                       \
        VULKAN(name "_SFLOAT", (first) + 2, size, FLOATING, RGBA16, __VA_ARGS__)

static const struct gapir_format formats[] = {
    VULKAN("R4G4_UNORM_PACK8", 1, 1, UNORM, RGB, PIXEL_BITS(4, 4, 0, 4, 0, 0, 0, 0)),
    VULKAN("R4G4B4A4_UNORM_PACK16", 2, 2, UNORM, RGBA, PIXEL_BITS(12, 4, 8, 4, 4, 4, 0, 4)),
    VULKAN("B4G4R4A4_UNORM_PACK16", 3, 2, UNORM, RGBA, PIXEL_BITS(4, 4, 8, 4, 12, 4, 0, 4)),
    VULKAN("R5G6B5_UNORM_PACK16", 4, 2, UNORM, RGB, PIXEL_BITS(11, 5, 5, 6, 0, 5, 0, 0)),
    VULKAN("B5G6R5_UNORM_PACK16", 5, 2, UNORM, RGB, PIXEL_BITS(0, 5, 5, 6, 11, 5, 0, 0)),
    VULKAN("R5G5B5A1_UNORM_PACK16", 6, 2, UNORM, RGBA, PIXEL_BITS(11, 5, 6, 5, 1, 5, 0, 1)),
    VULKAN("B5G5R5A1_UNORM_PACK16", 7, 2, UNORM, RGBA, PIXEL_BITS(1, 5, 6, 5, 11, 5, 0, 1)),
    VULKAN("A1R5G5B5_UNORM_PACK16", 8, 2, UNORM, RGBA, PIXEL_BITS(10, 5, 5, 5, 0, 5, 15, 1)),
    BYTES("R8", "", 9, 1, RGB, PIXEL_GREY(8)),
    BYTES("R8G8", "", 16, 2, RGB, PIXEL_RG(8)),
    BYTES("R8G8B8", "", 23, 3, RGB, PIXEL_RGB(8)),
    BYTES("B8G8R8", "", 30, 3, RGB, PIXEL_BGR(8)),
    BYTES("R8G8B8A8", "", 37, 4, RGBA, PIXEL_RGBA(8)),
    BYTES("B8G8R8A8", "", 44, 4, RGBA, PIXEL_BGRA(8)),
    BYTES("A8B8G8R8", "_PACK32", 51, 4, RGBA, PIXEL_RGBA(8)),
    VULKAN("A2R10G10B10_UNORM_PACK32", 58, 4, UNORM, RGBA16,
           PIXEL_BITS(20, 10, 10, 10, 0, 10, 30, 2)),
    VULKAN("A2R10G10B10_UINT_PACK32", 62, 4, UNORM, RGBA16,
           PIXEL_BITS(20, 10, 10, 10, 0, 10, 30, 2)),
    VULKAN("A2B10G10R10_UNORM_PACK32", 64, 4, UNORM, RGBA16,
           PIXEL_BITS(0, 10, 10, 10, 20, 10, 30, 2)),
    VULKAN("A2B10G10R10_UINT_PACK32", 68, 4, UNORM, RGBA16,
           PIXEL_BITS(0, 10, 10, 10, 20, 10, 30, 2)),
    HALVES("R16", 70, 2, PIXEL_GREY(16)),
    HALVES("R16G16", 77, 4, PIXEL_RG(16)),
    HALVES("R16G16B16", 84, 6, PIXEL_RGB(16)),
    HALVES("R16G16B16A16", 91, 8, PIXEL_RGBA(16)),
    WORDS("R32", 98, 4, PIXEL_GREY(32)),
    WORDS("R32G32", 101, 8, PIXEL_RG(32)),
    WORDS("R32G32B32", 104, 12, PIXEL_RGB(32)),
    WORDS("R32G32B32A32", 107, 16, PIXEL_RGBA(32)),
    VULKAN("B10G11R11_UFLOAT_PACK32", 122, 4, FLOATING, RGBA16,
           PIXEL_BITS(0, 11, 11, 11, 22, 10, 0, 0)),
    VULKAN("E5B9G9R9_UFLOAT_PACK32", 123, 4, SHARED, RGBA16, PIXEL_BITS(0, 9, 9, 9, 18, 9, 0, 0)),
    VULKAN("D16_UNORM", 124, 2, UNORM, GREY16, PIXEL_GREY(16)),
    VULKAN("X8_D24_UNORM_PACK32", 125, 4, UNORM, GREY16, PIXEL_GREY(24)),
    VULKAN("D32_SFLOAT", 126, 4, FLOATING, GREY16, PIXEL_GREY(32)),
    VULKAN("S8_UINT", 127, 1, UNORM, GREY, PIXEL_GREY(8)),
    VULKAN("D16_UNORM_S8_UINT", 128, 2, UNORM, GREY16, PIXEL_GREY(16)),
    VULKAN("D24_UNORM_S8_UINT", 129, 4, UNORM, GREY16, PIXEL_GREY(24)),
    VULKAN("D32_SFLOAT_S8_UINT", 130, 4, FLOATING, GREY16, PIXEL_GREY(32)),
};

enum { FORMATS = sizeof(formats) / sizeof(formats[0]) };
enum { VK_S8_UINT = 127, VK_D16_UNORM_S8_UINT = 128, VK_D32_SFLOAT_S8_UINT = 130 };
enum { VK_ASPECT_STENCIL = 4 };

/* The pixel layouts of GL's formats are filled in when a format is first looked up. */
#define GL(called, format, type)                                                                   \
    {                                                                                              \
        .name = called, .gl_format = format, .gl_type = type                                       \
    }

static struct gapir_format gl_formats[] = {
    GL("RGBA8", 0x1908, 0x1401),
    GL("RGBA8", 0x1908, 0x8367),
    GL("BGRA8", 0x80E1, 0x1401),
    GL("BGRA8", 0x80E1, 0x8367),
    GL("RGB8", 0x1907, 0x1401),
    GL("RG8", 0x8227, 0x1401),
    GL("R8", 0x1903, 0x1401),
    GL("A8", 0x1906, 0x1401),
    GL("L8", 0x1909, 0x1401),
    GL("LA8", 0x190A, 0x1401),
    GL("ABGR8", 0x1908, 0x8035),
    GL("ABGR8", 0x8000, 0x1401),
    GL("ARGB8", 0x80E1, 0x8035),
    GL("BGR8", 0x80E0, 0x1401),
    GL("RGB565", 0x1907, 0x8363),
    GL("RGBA4", 0x1908, 0x8033),
    GL("RGB5_A1", 0x1908, 0x8034),
    GL("RGB10_A2", 0x1908, 0x8368),
    GL("BGRA4", 0x80E1, 0x8365),
    GL("BGR5_A1", 0x80E1, 0x8366),
    GL("RGB332", 0x1907, 0x8032),
    GL("RGB233_REV", 0x1907, 0x8362),
    GL("RGB565_REV", 0x1907, 0x8364),
    GL("RGBA4_REV", 0x1908, 0x8365),
    GL("RGB5_A1_REV", 0x1908, 0x8366),
    GL("BGR10_A2", 0x80E1, 0x8368),
    GL("RGBA16", 0x1908, 0x1403),
    GL("RGB16", 0x1907, 0x1403),
    GL("RG16", 0x8227, 0x1403),
    GL("R16", 0x1903, 0x1403),
    GL("R11F_G11F_B10F", 0x1907, 0x8C3B),
    GL("RGBA16F", 0x1908, 0x140B),
    GL("RGBA16F", 0x1908, 0x8D61),
    GL("RGB16F", 0x1907, 0x140B),
    GL("RGB16F", 0x1907, 0x8D61),
    GL("RG16F", 0x8227, 0x140B),
    GL("R16F", 0x1903, 0x140B),
    GL("RGBA32F", 0x1908, 0x1406),
    GL("RGB32F", 0x1907, 0x1406),
    GL("RG32F", 0x8227, 0x1406),
    GL("R32F", 0x1903, 0x1406),
    GL("RGB9_E5", 0x1907, 0x8C3E),
    GL("RGBA8_SNORM", 0x1908, 0x1400),
    GL("RGB8_SNORM", 0x1907, 0x1400),
    GL("RG8_SNORM", 0x8227, 0x1400),
    GL("R8_SNORM", 0x1903, 0x1400),
    GL("RGBA16_SNORM", 0x1908, 0x1402),
    GL("RGB16_SNORM", 0x1907, 0x1402),
    GL("RG16_SNORM", 0x8227, 0x1402),
    GL("R16_SNORM", 0x1903, 0x1402),
    GL("RGBA8UI", 0x8D99, 0x1401),
    GL("RGBA8I", 0x8D99, 0x1400),
    GL("RG8UI", 0x8228, 0x1401),
    GL("R8UI", 0x8D94, 0x1401),
    GL("RGBA16UI", 0x8D99, 0x1403),
    GL("RGB10_A2UI", 0x8D99, 0x8368),
    GL("RGBA32UI", 0x8D99, 0x1405),
    GL("RGBA32I", 0x8D99, 0x1404),
    GL("RG32UI", 0x8228, 0x1405),
    GL("RG32I", 0x8228, 0x1404),
    GL("R32UI", 0x8D94, 0x1405),
    GL("R32I", 0x8D94, 0x1404),
    GL("RGB8UI", 0x8D98, 0x1401),
    GL("RGB8I", 0x8D98, 0x1400),
    GL("RG8I", 0x8228, 0x1400),
    GL("R8I", 0x8D94, 0x1400),
    GL("RGBA16I", 0x8D99, 0x1402),
    GL("RGB16UI", 0x8D98, 0x1403),
    GL("RGB16I", 0x8D98, 0x1402),
    GL("RG16UI", 0x8228, 0x1403),
    GL("RG16I", 0x8228, 0x1402),
    GL("R16UI", 0x8D94, 0x1403),
    GL("R16I", 0x8D94, 0x1402),
    GL("RGB32UI", 0x8D98, 0x1405),
    GL("RGB32I", 0x8D98, 0x1404),
    GL("DEPTH16", 0x1902, 0x1403),
    GL("DEPTH32", 0x1902, 0x1405),
    GL("DEPTH32F", 0x1902, 0x1406),
    GL("DEPTH24_STENCIL8", 0x84F9, 0x84FA),
    GL("DEPTH32F_STENCIL8", 0x84F9, 0x8DAD),
    GL("STENCIL8", 0x1901, 0x1401),
};

enum { GL_FORMATS = sizeof(gl_formats) / sizeof(gl_formats[0]) };

/*
 * Makes a format suitable for a whole picture: integers become fractions, channels of more than 8
 * bits are shown with 16, and a single red channel is shown as red, not grey.
 */
static void show_whole(struct pixel_format *pixel)
{
    bool wide = pixel->red.bits > 8 || pixel->green.bits > 8;
    bool grey = pixel->look == PICTURE_GREY && pixel->green.bits > 0;

    if (pixel->number == PIXEL_UINT)
        pixel->number = PIXEL_UNORM;
    else if (pixel->number == PIXEL_SINT)
        pixel->number = PIXEL_SNORM;
    if (grey)
        pixel->look = wide ? PICTURE_GREY16 : PICTURE_GREY;
    else if (wide)
        pixel->look = PICTURE_RGBA16;
    else if (pixel->look == PICTURE_GREY)
        pixel->look = PICTURE_RGB;
}

static void describe_gl_formats(void)
{
    for (size_t n = 0; n < GL_FORMATS; n++) {
        struct gl_format format;

        if (!gl_format_find(gl_formats[n].gl_format, gl_formats[n].gl_type, &format))
            continue;
        show_whole(&format.pixel);
        gl_formats[n].pixel = format.pixel;
    }
}

static const struct gapir_format *described_gl_formats(void)
{
    static pthread_once_t described = PTHREAD_ONCE_INIT;

    pthread_once(&described, describe_gl_formats);
    return gl_formats;
}

const struct gapir_format *gapir_format_vulkan(uint32_t format, uint32_t aspect)
{
    if (format >= VK_D16_UNORM_S8_UINT && format <= VK_D32_SFLOAT_S8_UINT &&
        aspect == VK_ASPECT_STENCIL)
        format = VK_S8_UINT;
    for (size_t n = 0; n < FORMATS && format != 0; n++)
        if (formats[n].vulkan == format)
            return &formats[n];
    return NULL;
}

const struct gapir_format *gapir_format_gl(uint32_t format, uint32_t type)
{
    const struct gapir_format *known = described_gl_formats();

    for (size_t n = 0; n < GL_FORMATS; n++)
        if (known[n].gl_format == format && known[n].gl_type == type)
            return &known[n];
    return NULL;
}

static bool same_name(const char *full, const char *name, size_t length)
{
    return strlen(full) == length && strncasecmp(full, name, length) == 0;
}

const struct gapir_format *gapir_format_named(const char *name, size_t length)
{
    static const char prefix[] = "VK_FORMAT_";
    const struct gapir_format *known = described_gl_formats();

    for (size_t n = 0; n < GL_FORMATS; n++)
        if (same_name(known[n].name, name, length))
            return &known[n];
    for (size_t n = 0; n < FORMATS; n++)
        if (same_name(formats[n].name, name, length) ||
            same_name(formats[n].name + sizeof(prefix) - 1, name, length))
            return &formats[n];
    return NULL;
}

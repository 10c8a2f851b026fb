#include "formats/gapir/decode/pixels.h"

#include "base/bytes.h"

#include <math.h>
#include <string.h>
#include <strings.h>

/* Where red, green, blue and alpha lie: the first bit and how many. */
#define BITS(r, red, g, green, b, blue, a, alpha)                                                  \
    {r, red}, {g, green}, {b, blue},                                                               \
    {                                                                                              \
        a, alpha                                                                                   \
    }
#define GREY(bits)             BITS(0, bits, 0, 0, 0, 0, 0, 0)
#define RG(bits)               BITS(0, bits, bits, bits, 0, 0, 0, 0)
#define RGB(bits)              BITS(0, bits, bits, bits, 2 * (bits), bits, 0, 0)
#define BGR(bits)              BITS(2 * (bits), bits, bits, bits, 0, bits, 0, 0)
#define RGBA(bits)             BITS(0, bits, bits, bits, 2 * (bits), bits, 3 * (bits), bits)
#define BGRA(bits)             BITS(2 * (bits), bits, bits, bits, 0, bits, 3 * (bits), bits)
#define VULKAN(name, number)   "VK_FORMAT_" name, number, 0, 0
#define GL(name, format, type) name, 0, format, type

static const struct gapir_format formats[] = {
    {GL("RGBA8", 0x1908, 0x1401), 4, GAPIR_UNORM, PICTURE_RGBA, RGBA(8)},
    {GL("BGRA8", 0x80e1, 0x1401), 4, GAPIR_UNORM, PICTURE_RGBA, BGRA(8)},
    {GL("RGB8", 0x1907, 0x1401), 3, GAPIR_UNORM, PICTURE_RGB, RGB(8)},
    {GL("RG8", 0x8227, 0x1401), 2, GAPIR_UNORM, PICTURE_RGB, RG(8)},
    {GL("R8", 0x1903, 0x1401), 1, GAPIR_UNORM, PICTURE_RGB, GREY(8)},
    {GL("A8", 0x1906, 0x1401), 1, GAPIR_UNORM, PICTURE_GREY, GREY(8)},
    {GL("L8", 0x1909, 0x1401), 1, GAPIR_UNORM, PICTURE_GREY, GREY(8)},
    {GL("RGB565", 0x1907, 0x8363), 2, GAPIR_UNORM, PICTURE_RGB, BITS(11, 5, 5, 6, 0, 5, 0, 0)},
    {GL("RGBA4", 0x1908, 0x8033), 2, GAPIR_UNORM, PICTURE_RGBA, BITS(12, 4, 8, 4, 4, 4, 0, 4)},
    {GL("RGB5_A1", 0x1908, 0x8034), 2, GAPIR_UNORM, PICTURE_RGBA, BITS(11, 5, 6, 5, 1, 5, 0, 1)},
    {GL("RGB10_A2", 0x1908, 0x8368), 4, GAPIR_UNORM, PICTURE_RGBA16,
     BITS(0, 10, 10, 10, 20, 10, 30, 2)},
    {GL("R11F_G11F_B10F", 0x1907, 0x8c3b), 4, GAPIR_FLOATING, PICTURE_RGBA16,
     BITS(0, 11, 11, 11, 22, 10, 0, 0)},
    {GL("RGBA16F", 0x1908, 0x140b), 8, GAPIR_FLOATING, PICTURE_RGBA16, RGBA(16)},
    {GL("RGBA16F", 0x1908, 0x8d61), 8, GAPIR_FLOATING, PICTURE_RGBA16, RGBA(16)},
    {GL("RGB16F", 0x1907, 0x140b), 6, GAPIR_FLOATING, PICTURE_RGBA16, RGB(16)},
    {GL("RG16F", 0x8227, 0x140b), 4, GAPIR_FLOATING, PICTURE_RGBA16, RG(16)},
    {GL("R16F", 0x1903, 0x140b), 2, GAPIR_FLOATING, PICTURE_RGBA16, GREY(16)},
    {GL("RGBA32F", 0x1908, 0x1406), 16, GAPIR_FLOATING, PICTURE_RGBA16, RGBA(32)},
    {GL("RGB32F", 0x1907, 0x1406), 12, GAPIR_FLOATING, PICTURE_RGBA16, RGB(32)},
    {GL("RG32F", 0x8227, 0x1406), 8, GAPIR_FLOATING, PICTURE_RGBA16, RG(32)},
    {GL("R32F", 0x1903, 0x1406), 4, GAPIR_FLOATING, PICTURE_RGBA16, GREY(32)},
    {GL("RGBA8UI", 0x8d99, 0x1401), 4, GAPIR_INTEGER, PICTURE_RGBA, RGBA(8)},
    {GL("DEPTH16", 0x1902, 0x1403), 2, GAPIR_UNORM, PICTURE_GREY16, GREY(16)},
    {GL("DEPTH32", 0x1902, 0x1405), 4, GAPIR_UNORM, PICTURE_GREY16, GREY(32)},
    {GL("DEPTH32F", 0x1902, 0x1406), 4, GAPIR_FLOATING, PICTURE_GREY16, GREY(32)},
    {GL("DEPTH24_STENCIL8", 0x84f9, 0x84fa), 4, GAPIR_UNORM, PICTURE_GREY16,
     BITS(8, 24, 0, 0, 0, 0, 0, 0)},
    {GL("BGRA4", 0x80e1, 0x8365), 2, GAPIR_UNORM, PICTURE_RGBA, BITS(8, 4, 4, 4, 0, 4, 12, 4)},
    {GL("BGR5_A1", 0x80e1, 0x8366), 2, GAPIR_UNORM, PICTURE_RGBA, BITS(10, 5, 5, 5, 0, 5, 15, 1)},
    {GL("LA8", 0x190a, 0x1401), 2, GAPIR_UNORM, PICTURE_RGBA, BITS(0, 8, 0, 8, 0, 8, 8, 8)},
    {GL("RGB9_E5", 0x1907, 0x8c3e), 4, GAPIR_SHARED, PICTURE_RGBA16, BITS(0, 9, 9, 9, 18, 9, 0, 0)},
    {GL("RGBA16", 0x1908, 0x1403), 8, GAPIR_UNORM, PICTURE_RGBA16, RGBA(16)},
    {GL("RGB16", 0x1907, 0x1403), 6, GAPIR_UNORM, PICTURE_RGBA16, RGB(16)},
    {GL("RG16", 0x8227, 0x1403), 4, GAPIR_UNORM, PICTURE_RGBA16, RG(16)},
    {GL("R16", 0x1903, 0x1403), 2, GAPIR_UNORM, PICTURE_RGBA16, GREY(16)},
    {GL("RGB16F", 0x1907, 0x8d61), 6, GAPIR_FLOATING, PICTURE_RGBA16, RGB(16)},
    {GL("RGBA8I", 0x8d99, 0x1400), 4, GAPIR_SNORM, PICTURE_RGBA, RGBA(8)},
    {GL("RG8UI", 0x8228, 0x1401), 2, GAPIR_INTEGER, PICTURE_RGB, RG(8)},
    {GL("R8UI", 0x8d94, 0x1401), 1, GAPIR_INTEGER, PICTURE_RGB, GREY(8)},
    {GL("RGBA16UI", 0x8d99, 0x1403), 8, GAPIR_INTEGER, PICTURE_RGBA16, RGBA(16)},
    {GL("RGB10_A2UI", 0x8d99, 0x8368), 4, GAPIR_INTEGER, PICTURE_RGBA16,
     BITS(0, 10, 10, 10, 20, 10, 30, 2)},
    {GL("RGBA32UI", 0x8d99, 0x1405), 16, GAPIR_INTEGER, PICTURE_RGBA16, RGBA(32)},
    {GL("RGBA32I", 0x8d99, 0x1404), 16, GAPIR_SNORM, PICTURE_RGBA16, RGBA(32)},
    {GL("RG32UI", 0x8228, 0x1405), 8, GAPIR_INTEGER, PICTURE_RGBA16, RG(32)},
    {GL("RG32I", 0x8228, 0x1404), 8, GAPIR_SNORM, PICTURE_RGBA16, RG(32)},
    {GL("R32UI", 0x8d94, 0x1405), 4, GAPIR_INTEGER, PICTURE_RGBA16, GREY(32)},
    {GL("R32I", 0x8d94, 0x1404), 4, GAPIR_SNORM, PICTURE_RGBA16, GREY(32)},
    {GL("DEPTH32F_STENCIL8", 0x84f9, 0x8dad), 8, GAPIR_FLOATING, PICTURE_GREY16, GREY(32)},
    {GL("STENCIL8", 0x1901, 0x1401), 1, GAPIR_INTEGER, PICTURE_GREY, GREY(8)},
    {VULKAN("R4G4_UNORM_PACK8", 1), 1, GAPIR_UNORM, PICTURE_RGB, BITS(4, 4, 0, 4, 0, 0, 0, 0)},
    {VULKAN("R4G4B4A4_UNORM_PACK16", 2), 2, GAPIR_UNORM, PICTURE_RGBA,
     BITS(12, 4, 8, 4, 4, 4, 0, 4)},
    {VULKAN("B4G4R4A4_UNORM_PACK16", 3), 2, GAPIR_UNORM, PICTURE_RGBA,
     BITS(4, 4, 8, 4, 12, 4, 0, 4)},
    {VULKAN("R5G6B5_UNORM_PACK16", 4), 2, GAPIR_UNORM, PICTURE_RGB, BITS(11, 5, 5, 6, 0, 5, 0, 0)},
    {VULKAN("B5G6R5_UNORM_PACK16", 5), 2, GAPIR_UNORM, PICTURE_RGB, BITS(0, 5, 5, 6, 11, 5, 0, 0)},
    {VULKAN("R5G5B5A1_UNORM_PACK16", 6), 2, GAPIR_UNORM, PICTURE_RGBA,
     BITS(11, 5, 6, 5, 1, 5, 0, 1)},
    {VULKAN("B5G5R5A1_UNORM_PACK16", 7), 2, GAPIR_UNORM, PICTURE_RGBA,
     BITS(1, 5, 6, 5, 11, 5, 0, 1)},
    {VULKAN("A1R5G5B5_UNORM_PACK16", 8), 2, GAPIR_UNORM, PICTURE_RGBA,
     BITS(10, 5, 5, 5, 0, 5, 15, 1)},
    {VULKAN("R8_UNORM", 9), 1, GAPIR_UNORM, PICTURE_RGB, GREY(8)},
    {VULKAN("R8_SNORM", 10), 1, GAPIR_SNORM, PICTURE_RGB, GREY(8)},
    {VULKAN("R8_UINT", 13), 1, GAPIR_INTEGER, PICTURE_RGB, GREY(8)},
    {VULKAN("R8_SINT", 14), 1, GAPIR_SNORM, PICTURE_RGB, GREY(8)},
    {VULKAN("R8_SRGB", 15), 1, GAPIR_SRGB, PICTURE_RGB, GREY(8)},
    {VULKAN("R8G8_UNORM", 16), 2, GAPIR_UNORM, PICTURE_RGB, RG(8)},
    {VULKAN("R8G8_SNORM", 17), 2, GAPIR_SNORM, PICTURE_RGB, RG(8)},
    {VULKAN("R8G8_UINT", 20), 2, GAPIR_INTEGER, PICTURE_RGB, RG(8)},
    {VULKAN("R8G8_SINT", 21), 2, GAPIR_SNORM, PICTURE_RGB, RG(8)},
    {VULKAN("R8G8_SRGB", 22), 2, GAPIR_SRGB, PICTURE_RGB, RG(8)},
    {VULKAN("R8G8B8_UNORM", 23), 3, GAPIR_UNORM, PICTURE_RGB, RGB(8)},
    {VULKAN("R8G8B8_SNORM", 24), 3, GAPIR_SNORM, PICTURE_RGB, RGB(8)},
    {VULKAN("R8G8B8_UINT", 27), 3, GAPIR_INTEGER, PICTURE_RGB, RGB(8)},
    {VULKAN("R8G8B8_SINT", 28), 3, GAPIR_SNORM, PICTURE_RGB, RGB(8)},
    {VULKAN("R8G8B8_SRGB", 29), 3, GAPIR_SRGB, PICTURE_RGB, RGB(8)},
    {VULKAN("B8G8R8_UNORM", 30), 3, GAPIR_UNORM, PICTURE_RGB, BGR(8)},
    {VULKAN("B8G8R8_SNORM", 31), 3, GAPIR_SNORM, PICTURE_RGB, BGR(8)},
    {VULKAN("B8G8R8_UINT", 34), 3, GAPIR_INTEGER, PICTURE_RGB, BGR(8)},
    {VULKAN("B8G8R8_SINT", 35), 3, GAPIR_SNORM, PICTURE_RGB, BGR(8)},
    {VULKAN("B8G8R8_SRGB", 36), 3, GAPIR_SRGB, PICTURE_RGB, BGR(8)},
    {VULKAN("R8G8B8A8_UNORM", 37), 4, GAPIR_UNORM, PICTURE_RGBA, RGBA(8)},
    {VULKAN("R8G8B8A8_SNORM", 38), 4, GAPIR_SNORM, PICTURE_RGBA, RGBA(8)},
    {VULKAN("R8G8B8A8_UINT", 41), 4, GAPIR_INTEGER, PICTURE_RGBA, RGBA(8)},
    {VULKAN("R8G8B8A8_SINT", 42), 4, GAPIR_SNORM, PICTURE_RGBA, RGBA(8)},
    {VULKAN("R8G8B8A8_SRGB", 43), 4, GAPIR_SRGB, PICTURE_RGBA, RGBA(8)},
    {VULKAN("B8G8R8A8_UNORM", 44), 4, GAPIR_UNORM, PICTURE_RGBA, BGRA(8)},
    {VULKAN("B8G8R8A8_SNORM", 45), 4, GAPIR_SNORM, PICTURE_RGBA, BGRA(8)},
    {VULKAN("B8G8R8A8_UINT", 48), 4, GAPIR_INTEGER, PICTURE_RGBA, BGRA(8)},
    {VULKAN("B8G8R8A8_SINT", 49), 4, GAPIR_SNORM, PICTURE_RGBA, BGRA(8)},
    {VULKAN("B8G8R8A8_SRGB", 50), 4, GAPIR_SRGB, PICTURE_RGBA, BGRA(8)},
    {VULKAN("A8B8G8R8_UNORM_PACK32", 51), 4, GAPIR_UNORM, PICTURE_RGBA, RGBA(8)},
    {VULKAN("A8B8G8R8_SNORM_PACK32", 52), 4, GAPIR_SNORM, PICTURE_RGBA, RGBA(8)},
    {VULKAN("A8B8G8R8_UINT_PACK32", 55), 4, GAPIR_INTEGER, PICTURE_RGBA, RGBA(8)},
    {VULKAN("A8B8G8R8_SINT_PACK32", 56), 4, GAPIR_SNORM, PICTURE_RGBA, RGBA(8)},
    {VULKAN("A8B8G8R8_SRGB_PACK32", 57), 4, GAPIR_SRGB, PICTURE_RGBA, RGBA(8)},
    {VULKAN("A2R10G10B10_UNORM_PACK32", 58), 4, GAPIR_UNORM, PICTURE_RGBA16,
     BITS(20, 10, 10, 10, 0, 10, 30, 2)},
    {VULKAN("A2R10G10B10_UINT_PACK32", 62), 4, GAPIR_INTEGER, PICTURE_RGBA16,
     BITS(20, 10, 10, 10, 0, 10, 30, 2)},
    {VULKAN("A2B10G10R10_UNORM_PACK32", 64), 4, GAPIR_UNORM, PICTURE_RGBA16,
     BITS(0, 10, 10, 10, 20, 10, 30, 2)},
    {VULKAN("A2B10G10R10_UINT_PACK32", 68), 4, GAPIR_INTEGER, PICTURE_RGBA16,
     BITS(0, 10, 10, 10, 20, 10, 30, 2)},
    {VULKAN("R16_UNORM", 70), 2, GAPIR_UNORM, PICTURE_RGBA16, GREY(16)},
    {VULKAN("R16_SNORM", 71), 2, GAPIR_SNORM, PICTURE_RGBA16, GREY(16)},
    {VULKAN("R16_UINT", 74), 2, GAPIR_INTEGER, PICTURE_RGBA16, GREY(16)},
    {VULKAN("R16_SINT", 75), 2, GAPIR_SNORM, PICTURE_RGBA16, GREY(16)},
    {VULKAN("R16_SFLOAT", 76), 2, GAPIR_FLOATING, PICTURE_RGBA16, GREY(16)},
    {VULKAN("R16G16_UNORM", 77), 4, GAPIR_UNORM, PICTURE_RGBA16, RG(16)},
    {VULKAN("R16G16_SNORM", 78), 4, GAPIR_SNORM, PICTURE_RGBA16, RG(16)},
    {VULKAN("R16G16_UINT", 81), 4, GAPIR_INTEGER, PICTURE_RGBA16, RG(16)},
    {VULKAN("R16G16_SINT", 82), 4, GAPIR_SNORM, PICTURE_RGBA16, RG(16)},
    {VULKAN("R16G16_SFLOAT", 83), 4, GAPIR_FLOATING, PICTURE_RGBA16, RG(16)},
    {VULKAN("R16G16B16_UNORM", 84), 6, GAPIR_UNORM, PICTURE_RGBA16, RGB(16)},
    {VULKAN("R16G16B16_SNORM", 85), 6, GAPIR_SNORM, PICTURE_RGBA16, RGB(16)},
    {VULKAN("R16G16B16_UINT", 88), 6, GAPIR_INTEGER, PICTURE_RGBA16, RGB(16)},
    {VULKAN("R16G16B16_SINT", 89), 6, GAPIR_SNORM, PICTURE_RGBA16, RGB(16)},
    {VULKAN("R16G16B16_SFLOAT", 90), 6, GAPIR_FLOATING, PICTURE_RGBA16, RGB(16)},
    {VULKAN("R16G16B16A16_UNORM", 91), 8, GAPIR_UNORM, PICTURE_RGBA16, RGBA(16)},
    {VULKAN("R16G16B16A16_SNORM", 92), 8, GAPIR_SNORM, PICTURE_RGBA16, RGBA(16)},
    {VULKAN("R16G16B16A16_UINT", 95), 8, GAPIR_INTEGER, PICTURE_RGBA16, RGBA(16)},
    {VULKAN("R16G16B16A16_SINT", 96), 8, GAPIR_SNORM, PICTURE_RGBA16, RGBA(16)},
    {VULKAN("R16G16B16A16_SFLOAT", 97), 8, GAPIR_FLOATING, PICTURE_RGBA16, RGBA(16)},
    {VULKAN("R32_UINT", 98), 4, GAPIR_INTEGER, PICTURE_RGBA16, GREY(32)},
    {VULKAN("R32_SINT", 99), 4, GAPIR_SNORM, PICTURE_RGBA16, GREY(32)},
    {VULKAN("R32_SFLOAT", 100), 4, GAPIR_FLOATING, PICTURE_RGBA16, GREY(32)},
    {VULKAN("R32G32_UINT", 101), 8, GAPIR_INTEGER, PICTURE_RGBA16, RG(32)},
    {VULKAN("R32G32_SINT", 102), 8, GAPIR_SNORM, PICTURE_RGBA16, RG(32)},
    {VULKAN("R32G32_SFLOAT", 103), 8, GAPIR_FLOATING, PICTURE_RGBA16, RG(32)},
    {VULKAN("R32G32B32_UINT", 104), 12, GAPIR_INTEGER, PICTURE_RGBA16, RGB(32)},
    {VULKAN("R32G32B32_SINT", 105), 12, GAPIR_SNORM, PICTURE_RGBA16, RGB(32)},
    {VULKAN("R32G32B32_SFLOAT", 106), 12, GAPIR_FLOATING, PICTURE_RGBA16, RGB(32)},
    {VULKAN("R32G32B32A32_UINT", 107), 16, GAPIR_INTEGER, PICTURE_RGBA16, RGBA(32)},
    {VULKAN("R32G32B32A32_SINT", 108), 16, GAPIR_SNORM, PICTURE_RGBA16, RGBA(32)},
    {VULKAN("R32G32B32A32_SFLOAT", 109), 16, GAPIR_FLOATING, PICTURE_RGBA16, RGBA(32)},
    {VULKAN("B10G11R11_UFLOAT_PACK32", 122), 4, GAPIR_FLOATING, PICTURE_RGBA16,
     BITS(0, 11, 11, 11, 22, 10, 0, 0)},
    {VULKAN("E5B9G9R9_UFLOAT_PACK32", 123), 4, GAPIR_SHARED, PICTURE_RGBA16,
     BITS(0, 9, 9, 9, 18, 9, 0, 0)},
    {VULKAN("D16_UNORM", 124), 2, GAPIR_UNORM, PICTURE_GREY16, GREY(16)},
    {VULKAN("X8_D24_UNORM_PACK32", 125), 4, GAPIR_UNORM, PICTURE_GREY16, GREY(24)},
    {VULKAN("D32_SFLOAT", 126), 4, GAPIR_FLOATING, PICTURE_GREY16, GREY(32)},
    {VULKAN("S8_UINT", 127), 1, GAPIR_INTEGER, PICTURE_GREY, GREY(8)},
    {VULKAN("D16_UNORM_S8_UINT", 128), 2, GAPIR_UNORM, PICTURE_GREY16, GREY(16)},
    {VULKAN("D24_UNORM_S8_UINT", 129), 4, GAPIR_UNORM, PICTURE_GREY16, GREY(24)},
    {VULKAN("D32_SFLOAT_S8_UINT", 130), 4, GAPIR_FLOATING, PICTURE_GREY16, GREY(32)},
};

enum { FORMATS = sizeof(formats) / sizeof(formats[0]) };
enum { VK_S8_UINT = 127, VK_D16_UNORM_S8_UINT = 128, VK_D32_SFLOAT_S8_UINT = 130 };
enum { VK_ASPECT_STENCIL = 4 };

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
    for (size_t n = 0; n < FORMATS; n++)
        if (formats[n].vulkan == 0 && formats[n].gl_format == format && formats[n].gl_type == type)
            return &formats[n];
    return NULL;
}

static bool same_name(const char *full, const char *name, size_t length)
{
    return strlen(full) == length && strncasecmp(full, name, length) == 0;
}

const struct gapir_format *gapir_format_named(const char *name, size_t length)
{
    static const char prefix[] = "VK_FORMAT_";

    for (size_t n = 0; n < FORMATS; n++) {
        const char *full = formats[n].name;
        if (same_name(full, name, length) ||
            (formats[n].vulkan != 0 && same_name(full + sizeof(prefix) - 1, name, length)))
            return &formats[n];
    }
    return NULL;
}

/* The channel's bits; none crosses more than eight bytes. */
static uint32_t channel_bits(const struct gapir_format *format, struct gapir_channel channel,
                             const uint8_t *pixel)
{
    uint64_t word = 0;
    unsigned first = channel.shift / 8;

    for (unsigned n = first; n < format->bytes && n < first + 8; n++)
        word |= (uint64_t)pixel[n] << 8 * (n - first);
    return (uint32_t)(word >> channel.shift % 8 & ((UINT64_C(1) << channel.bits) - 1));
}

/* A floating-point number of `mantissa` bits below 5 bits of exponent. */
static float small_float(uint32_t bits, unsigned mantissa)
{
    uint32_t exponent = bits >> mantissa & 31;
    float fraction = (float)(bits & ((1u << mantissa) - 1)) / (float)(1u << mantissa);

    if (exponent == 31)
        return fraction == 0 ? INFINITY : NAN;
    if (exponent == 0)
        return ldexpf(fraction, -14);
    return ldexpf(1 + fraction, (int)exponent - 15);
}

static float floating(uint32_t value, unsigned bits)
{
    float number;

    switch (bits) {
    case 32:
        memcpy(&number, &value, sizeof(number));
        return number;
    case 16:
        return value & 0x8000 ? -small_float(value, 10) : small_float(value, 10);
    default:
        return small_float(value, bits - 5);
    }
}

/* A channel between 0 and 1; what is no number is 0. */
static float fraction(const struct gapir_format *format, struct gapir_channel channel,
                      const uint8_t *pixel)
{
    uint32_t value = channel_bits(format, channel, pixel);
    float number;

    switch (format->number) {
    case GAPIR_FLOATING:
        number = floating(value, channel.bits);
        break;
    case GAPIR_SHARED:
        number = ldexpf((float)value, (int)(bytes_le32(pixel) >> 27) - 15 - 9);
        break;
    case GAPIR_SNORM:
        number = value >> (channel.bits - 1)
                     ? 0
                     : (float)value / (float)((UINT64_C(1) << (channel.bits - 1)) - 1);
        break;
    default:
        number = (float)((double)value / (double)((UINT64_C(1) << channel.bits) - 1));
        break;
    }
    return number > 0 ? fminf(number, 1) : 0;
}

static void put_channel(const struct gapir_format *format, struct gapir_channel channel,
                        const uint8_t *pixel, float missing, bool wide, uint8_t *out)
{
    float number = channel.bits != 0 ? fraction(format, channel, pixel) : missing;

    if (wide) {
        unsigned sample = (unsigned)(number * 65535 + 0.5f);
        out[0] = (uint8_t)(sample >> 8);
        out[1] = (uint8_t)sample;
    } else {
        out[0] = (uint8_t)(number * 255 + 0.5f);
    }
}

static void put_pixel(const struct gapir_format *format, const uint8_t *pixel, uint8_t *out)
{
    bool wide = format->look == PICTURE_GREY16 || format->look == PICTURE_RGBA16;
    unsigned step = wide ? 2 : 1;

    put_channel(format, format->red, pixel, 0, wide, out);
    if (format->look == PICTURE_GREY || format->look == PICTURE_GREY16)
        return;
    put_channel(format, format->green, pixel, 0, wide, out + step);
    put_channel(format, format->blue, pixel, 0, wide, out + 2 * step);
    if (format->look != PICTURE_RGB)
        put_channel(format, format->alpha, pixel, 1, wide, out + 3 * step);
}

/* Formats whose channels are whole bytes need no arithmetic, only order. */
static bool is_bytes(const struct gapir_format *format)
{
    return (format->number == GAPIR_UNORM || format->number == GAPIR_SRGB ||
            format->number == GAPIR_INTEGER) &&
           format->red.bits == 8 && format->bytes == format->look;
}

static void copy_bytes(const struct gapir_format *format, const uint8_t *pixels, uint32_t width,
                       uint8_t *out)
{
    unsigned bytes = format->bytes;

    if (format->red.shift == 0) {
        memcpy(out, pixels, (size_t)width * bytes);
        return;
    }
    for (uint32_t x = 0; x < width; x++, pixels += bytes, out += bytes) {
        out[0] = pixels[2];
        out[1] = pixels[1];
        out[2] = pixels[0];
        if (bytes == 4)
            out[3] = pixels[3];
    }
}

void gapir_format_row(const struct gapir_format *format, const uint8_t *pixels, uint32_t width,
                      uint8_t *out)
{
    unsigned bytes = format->look;

    if (is_bytes(format)) {
        copy_bytes(format, pixels, width, out);
        return;
    }
    for (uint32_t x = 0; x < width; x++, pixels += format->bytes, out += bytes)
        put_pixel(format, pixels, out);
}

#include "formats/aerogpu/decode/texels.h"

#include "base/bytes.h"
#include "formats/aerogpu/decode/layout.h"
#include "image/bptc.h"

#include <math.h>
#include <string.h>

/* The format without sRGB, which says nothing about bytes. */
static uint32_t without_srgb(uint32_t format)
{
    switch (format) {
    case AEROGPU_B8G8R8A8_SRGB:
    case AEROGPU_B8G8R8X8_SRGB:
    case AEROGPU_R8G8B8A8_SRGB:
    case AEROGPU_R8G8B8X8_SRGB:
        return format - AEROGPU_B8G8R8A8_SRGB + AEROGPU_B8G8R8A8;
    case AEROGPU_BC1_SRGB:
    case AEROGPU_BC2_SRGB:
    case AEROGPU_BC3_SRGB:
    case AEROGPU_BC7_SRGB:
        return format - 1;
    default:
        return format;
    }
}

static uint8_t widen(unsigned value, unsigned bits)
{
    return (uint8_t)(value << (8 - bits) | value >> (2 * bits - 8));
}

/* The nearest of the values that `bits` bits widen to. */
static unsigned narrow(uint8_t value, unsigned bits)
{
    unsigned max = (1u << bits) - 1;

    return (value * max * 2 + 255) / 510;
}

static void decode_texel(uint32_t format, const uint8_t *from, uint8_t *to)
{
    unsigned word = bytes_le16(from);

    switch (format) {
    case AEROGPU_B8G8R8A8:
    case AEROGPU_B8G8R8X8:
        to[0] = from[2];
        to[1] = from[1];
        to[2] = from[0];
        to[3] = format == AEROGPU_B8G8R8A8 ? from[3] : 255;
        break;
    case AEROGPU_R8G8B8A8:
    case AEROGPU_R8G8B8X8:
        memcpy(to, from, 3);
        to[3] = format == AEROGPU_R8G8B8A8 ? from[3] : 255;
        break;
    case AEROGPU_B5G6R5:
        to[0] = widen(word >> 11, 5);
        to[1] = widen(word >> 5 & 63, 6);
        to[2] = widen(word & 31, 5);
        to[3] = 255;
        break;
    default:
        to[0] = widen(word >> 10 & 31, 5);
        to[1] = widen(word >> 5 & 31, 5);
        to[2] = widen(word & 31, 5);
        to[3] = (word & 0x8000) != 0 ? 255 : 0;
    }
}

static void encode_texel(uint32_t format, const uint8_t *from, uint8_t *to)
{
    unsigned word;

    switch (format) {
    case AEROGPU_B8G8R8A8:
    case AEROGPU_B8G8R8X8:
        to[0] = from[2];
        to[1] = from[1];
        to[2] = from[0];
        to[3] = format == AEROGPU_B8G8R8A8 ? from[3] : to[3];
        return;
    case AEROGPU_R8G8B8A8:
    case AEROGPU_R8G8B8X8:
        memcpy(to, from, 3);
        to[3] = format == AEROGPU_R8G8B8A8 ? from[3] : to[3];
        return;
    case AEROGPU_B5G6R5:
        word = narrow(from[0], 5) << 11 | narrow(from[1], 6) << 5 | narrow(from[2], 5);
        break;
    default:
        word = narrow(from[0], 5) << 10 | narrow(from[1], 5) << 5 | narrow(from[2], 5) |
               (from[3] >= 128 ? 0x8000 : 0);
    }
    to[0] = (uint8_t)word;
    to[1] = (uint8_t)(word >> 8);
}

/* Bytes of a texel; 0 for blocks, depth, and what is no format. */
static size_t texel_size(uint32_t format)
{
    if (format >= AEROGPU_B8G8R8A8 && format <= AEROGPU_R8G8B8X8)
        return 4;
    return format == AEROGPU_B5G6R5 || format == AEROGPU_B5G5R5A1 ? 2 : 0;
}

/* Blocks of 4x4 texels: BC1 to BC3 mix two 565 colours, rounding down. */

static void expand_565(unsigned colour, uint8_t to[4])
{
    unsigned red = colour >> 11, green = colour >> 5 & 63, blue = colour & 31;

    to[0] = (uint8_t)(red << 3 | red >> 2);
    to[1] = (uint8_t)(green << 2 | green >> 4);
    to[2] = (uint8_t)(blue << 3 | blue >> 2);
    to[3] = 255;
}

/* The colours of a BC1 block, or of the colour half of BC2 and BC3, which has no key. */
static void decode_colours(const uint8_t block[8], bool keyed, uint8_t to[64])
{
    unsigned first = bytes_le16(block), second = bytes_le16(block + 2);
    uint32_t indices = bytes_le32(block + 4);
    uint8_t palette[4][4];

    expand_565(first, palette[0]);
    expand_565(second, palette[1]);
    keyed = keyed && first <= second;
    for (int i = 0; i < 3; i++) {
        unsigned a = palette[0][i], b = palette[1][i];

        palette[2][i] = (uint8_t)(keyed ? (a + b) / 2 : (2 * a + b) / 3);
        palette[3][i] = (uint8_t)(keyed ? 0 : (a + 2 * b) / 3);
    }
    palette[2][3] = 255;
    palette[3][3] = keyed ? 0 : 255;
    for (int i = 0; i < 16; i++)
        memcpy(to + 4 * i, palette[indices >> 2 * i & 3], 4);
}

void aerogpu_bc1_decode(const uint8_t block[8], uint8_t to[64])
{
    decode_colours(block, true, to);
}

void aerogpu_bc2_decode(const uint8_t block[16], uint8_t to[64])
{
    uint64_t alphas = bytes_le64(block);

    decode_colours(block + 8, false, to);
    for (int i = 0; i < 16; i++)
        to[4 * i + 3] = (uint8_t)((alphas >> 4 * i & 15) * 17);
}

void aerogpu_bc3_decode(const uint8_t block[16], uint8_t to[64])
{
    unsigned a = block[0], b = block[1], steps = a > b ? 7 : 5;
    uint64_t indices = bytes_le64(block) >> 16;
    uint8_t palette[8] = {block[0], block[1], 0, 0, 0, 0, 0, 255};

    for (unsigned i = 1; i < steps; i++)
        palette[i + 1] = (uint8_t)(((steps - i) * a + i * b) / steps);
    decode_colours(block + 8, false, to);
    for (int i = 0; i < 16; i++)
        to[4 * i + 3] = palette[indices >> 3 * i & 7];
}

/* Textures. */

static void decode_blocks(void (*decode)(const uint8_t *, uint8_t *), size_t size, uint32_t width,
                          uint32_t rows, const uint8_t *from, size_t pitch, uint8_t *to)
{
    uint8_t texels[64];

    for (uint32_t y = 0; y < rows; y += 4, from += pitch)
        for (uint32_t x = 0; x < width; x += 4) {
            uint32_t columns = width - x < 4 ? width - x : 4;

            decode(from + size * (x / 4), texels);
            for (uint32_t line = 0; line < 4 && line < rows - y; line++)
                memcpy(to + ((size_t)(y + line) * width + x) * 4, texels + (size_t)line * 16,
                       (size_t)columns * 4);
        }
}

bool aerogpu_texels_decode(uint32_t format, uint32_t width, uint32_t rows, const uint8_t *from,
                           size_t pitch, uint8_t *to)
{
    uint32_t base = without_srgb(format);
    size_t size = texel_size(base);

    switch (base) {
    case AEROGPU_BC1:
        decode_blocks(aerogpu_bc1_decode, 8, width, rows, from, pitch, to);
        return true;
    case AEROGPU_BC2:
        decode_blocks(aerogpu_bc2_decode, 16, width, rows, from, pitch, to);
        return true;
    case AEROGPU_BC3:
        decode_blocks(aerogpu_bc3_decode, 16, width, rows, from, pitch, to);
        return true;
    case AEROGPU_BC7:
        decode_blocks(bptc_decode, 16, width, rows, from, pitch, to);
        return true;
    default:
        break;
    }
    for (uint32_t y = 0; size != 0 && y < rows; y++, from += pitch)
        for (uint32_t x = 0; x < width; x++, to += 4)
            decode_texel(base, from + x * size, to);
    return size != 0;
}

bool aerogpu_texels_encode(uint32_t format, uint32_t width, uint32_t rows, const uint8_t *from,
                           uint8_t *to, size_t pitch)
{
    uint32_t base = without_srgb(format);
    size_t size = texel_size(base);

    for (uint32_t y = 0; size != 0 && y < rows; y++, to += pitch)
        for (uint32_t x = 0; x < width; x++, from += 4)
            encode_texel(base, from, to + x * size);
    return size != 0;
}

/* Colours and depths as texels. */

/* The nearest of 0 to `max`; what is no number is 0. */
static uint32_t unorm(float value, float max)
{
    if (!(value > 0))
        return 0;
    return (uint32_t)((value < 1 ? value : 1) * max + 0.5f);
}

static float to_srgb(float value)
{
    if (!(value > 0))
        return 0;
    if (value >= 1)
        return 1;
    return value <= 0.0031308f ? value * 12.92f : 1.055f * powf(value, 1 / 2.4f) - 0.055f;
}

static bool is_bgra(uint32_t format)
{
    return format == AEROGPU_B8G8R8A8 || format == AEROGPU_B8G8R8X8 ||
           format == AEROGPU_B8G8R8A8_SRGB || format == AEROGPU_B8G8R8X8_SRGB;
}

static uint32_t encode_short(uint32_t format, const float rgb[3], float alpha)
{
    if (format == AEROGPU_B5G6R5)
        return unorm(rgb[0], 31) << 11 | unorm(rgb[1], 63) << 5 | unorm(rgb[2], 31);
    return unorm(alpha, 1) << 15 | unorm(rgb[0], 31) << 10 | unorm(rgb[1], 31) << 5 |
           unorm(rgb[2], 31);
}

uint32_t aerogpu_colour_encode(uint32_t format, const float colour[4], uint8_t texel[4])
{
    struct aerogpu_format_info info = {0};
    float rgb[3];

    if (!aerogpu_format_find(format, &info) || info.depth || info.block != 1)
        return 0;
    for (int i = 0; i < 3; i++)
        rgb[i] = info.srgb ? to_srgb(colour[i]) : colour[i];
    if (info.bytes == 2) {
        uint32_t value = encode_short(format, rgb, colour[3]);

        texel[0] = (uint8_t)value;
        texel[1] = (uint8_t)(value >> 8);
        return info.bytes;
    }
    for (int i = 0; i < 3; i++)
        texel[i] = (uint8_t)unorm(rgb[is_bgra(format) ? 2 - i : i], 255);
    texel[3] = (uint8_t)(info.opaque ? 255 : unorm(colour[3], 255));
    return info.bytes;
}

uint32_t aerogpu_depth_encode(uint32_t format, float depth, uint32_t stencil, bool with_depth,
                              bool with_stencil, uint32_t *mask)
{
    uint32_t bits = 0;

    if (format == AEROGPU_D32F) {
        memcpy(&bits, &depth, sizeof(bits));
        *mask = with_depth ? UINT32_MAX : 0;
        return bits;
    }
    *mask = (with_depth ? 0x00FFFFFFu : 0) | (with_stencil ? 0xFF000000u : 0);
    if (depth > 0)
        bits = (uint32_t)((depth < 1 ? (double)depth : 1.0) * 0xFFFFFF + 0.5);
    return bits | stencil << 24;
}

/* 0 to 65535. */
static uint32_t grey_of(uint32_t format, const uint8_t *texel)
{
    uint32_t bits = bytes_le32(texel);
    float depth = 0;

    if (format == AEROGPU_D24S8)
        return (uint32_t)(((uint64_t)(bits & 0xFFFFFF) * 65535 + 0x7FFFFF) / 0xFFFFFF);
    memcpy(&depth, &bits, sizeof(depth));
    return (uint32_t)(depth > 0 ? (depth < 1 ? (double)depth : 1.0) * 65535 + 0.5 : 0);
}

void aerogpu_depth_row(uint32_t format, const uint8_t *texels, uint32_t width, uint8_t *grey)
{
    for (size_t x = 0; x < width; x++) {
        uint32_t value = grey_of(format, texels + 4 * x);

        grey[2 * x] = (uint8_t)(value >> 8);
        grey[2 * x + 1] = (uint8_t)value;
    }
}

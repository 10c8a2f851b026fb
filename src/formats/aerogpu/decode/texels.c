/* SPDX-License-Identifier: MIT */
#include "formats/aerogpu/decode/layout.h"

#include "base/bytes.h"

#include <math.h>
#include <string.h>

/* Bytes of sRGB formats are not decoded to linear values. */
#define TEXELS(size, number, ...)  PIXEL_FORMAT(size, PIXEL_##number, PICTURE_RGBA, __VA_ARGS__)
#define BLOCKS(size, number, kind) PIXEL_BLOCK(size, PIXEL_##number, PICTURE_RGBA, PIXEL_##kind)
#define DEPTHS(number, bits)       PIXEL_FORMAT(4, PIXEL_##number, PICTURE_GREY16, PIXEL_GREY(bits))

static const struct pixel_format formats[] = {
    [AEROGPU_B8G8R8A8] = TEXELS(4, UNORM, PIXEL_BGRA(8)),
    [AEROGPU_B8G8R8X8] = TEXELS(4, UNORM, PIXEL_BGR(8)),
    [AEROGPU_R8G8B8A8] = TEXELS(4, UNORM, PIXEL_RGBA(8)),
    [AEROGPU_R8G8B8X8] = TEXELS(4, UNORM, PIXEL_RGB(8)),
    [AEROGPU_B5G6R5] = TEXELS(2, WIDENED, PIXEL_BITS(11, 5, 5, 6, 0, 5, 0, 0)),
    [AEROGPU_B5G5R5A1] = TEXELS(2, WIDENED, PIXEL_BITS(10, 5, 5, 5, 0, 5, 15, 1)),
    [AEROGPU_B8G8R8A8_SRGB] = TEXELS(4, SRGB, PIXEL_BGRA(8)),
    [AEROGPU_B8G8R8X8_SRGB] = TEXELS(4, SRGB, PIXEL_BGR(8)),
    [AEROGPU_R8G8B8A8_SRGB] = TEXELS(4, SRGB, PIXEL_RGBA(8)),
    [AEROGPU_R8G8B8X8_SRGB] = TEXELS(4, SRGB, PIXEL_RGB(8)),
    [AEROGPU_D24S8] = DEPTHS(UNORM, 24),
    [AEROGPU_D32F] = DEPTHS(FLOATING, 32),
    [AEROGPU_BC1] = BLOCKS(8, UNORM, BC1),
    [AEROGPU_BC1_SRGB] = BLOCKS(8, SRGB, BC1),
    [AEROGPU_BC2] = BLOCKS(16, UNORM, BC2),
    [AEROGPU_BC2_SRGB] = BLOCKS(16, SRGB, BC2),
    [AEROGPU_BC3] = BLOCKS(16, UNORM, BC3),
    [AEROGPU_BC3_SRGB] = BLOCKS(16, SRGB, BC3),
    [AEROGPU_BC7] = BLOCKS(16, UNORM, BC7),
    [AEROGPU_BC7_SRGB] = BLOCKS(16, SRGB, BC7),
};

const struct pixel_format *aerogpu_pixel_format(uint32_t format)
{
    if (format >= sizeof(formats) / sizeof(formats[0]) || formats[format].bytes == 0)
        return NULL;
    return &formats[format];
}

bool aerogpu_format_find(uint32_t format, struct aerogpu_format_info *out)
{
    const struct pixel_format *found = aerogpu_pixel_format(format);

    if (found == NULL)
        return false;
    *out = (struct aerogpu_format_info){
        .bytes = found->bytes,
        .block = found->block != PIXEL_NO_BLOCK ? found->width : 1,
        .srgb = found->number == PIXEL_SRGB,
        .depth = found->look == PICTURE_GREY16,
        .opaque =
            found->block == PIXEL_NO_BLOCK && found->look == PICTURE_RGBA && found->alpha.bits == 0,
    };
    return true;
}

static bool same_channel(struct pixel_channel a, struct pixel_channel b)
{
    return a.shift == b.shift && a.bits == b.bits;
}

bool aerogpu_formats_fit(uint32_t a, uint32_t b)
{
    const struct pixel_format *first = aerogpu_pixel_format(a), *second = aerogpu_pixel_format(b);

    if (first == NULL || second == NULL || a == b)
        return first != NULL && second != NULL;
    return first->look == PICTURE_RGBA && second->look == PICTURE_RGBA &&
           first->bytes == second->bytes && first->block == second->block &&
           same_channel(first->red, second->red) && same_channel(first->green, second->green) &&
           same_channel(first->blue, second->blue);
}

uint32_t aerogpu_format_of_view(uint32_t texture, uint32_t view)
{
    struct aerogpu_format_info info = {0}, own = {0};

    if (!aerogpu_format_find(texture, &info) || !aerogpu_format_find(view, &own))
        return view;
    return info.opaque && !own.opaque ? view - AEROGPU_R8G8B8A8 + AEROGPU_R8G8B8X8 : view;
}

uint32_t aerogpu_format_srgb(uint32_t format)
{
    return format >= AEROGPU_B8G8R8A8 && format <= AEROGPU_R8G8B8X8
               ? format - AEROGPU_B8G8R8A8 + AEROGPU_B8G8R8A8_SRGB
               : format;
}

static const struct pixel_format *find_colours(uint32_t format)
{
    const struct pixel_format *found = aerogpu_pixel_format(format);

    return found != NULL && found->look == PICTURE_RGBA ? found : NULL;
}

bool aerogpu_texels_decode(uint32_t format, uint32_t width, uint32_t rows, const uint8_t *from,
                           size_t pitch, uint8_t *to)
{
    const struct pixel_format *found = find_colours(format);

    if (found != NULL)
        pixel_format_lines(found, from, pitch, width, 0, rows, to);
    return found != NULL;
}

/* Returns the value whose widened form is the nearest. */
static unsigned narrow(uint8_t value, struct pixel_channel channel)
{
    unsigned max = (1u << channel.bits) - 1;

    return (value * max * 2 + 255) / 510 << channel.shift;
}

static inline void reorder(const uint8_t *from, uint8_t *to, uint32_t width, unsigned red,
                           bool opaque)
{
    for (uint32_t x = 0; x < width; x++, from += 4, to += 4) {
        to[red] = from[0];
        to[1] = from[1];
        to[2 - red] = from[2];
        to[3] = opaque ? to[3] : from[3];
    }
}

/* Calls reorder() with constants, so that compilers vectorize it. */
static void encode_bytes(const struct pixel_format *format, const uint8_t *from, uint8_t *to,
                         uint32_t width)
{
    bool opaque = format->alpha.bits == 0;

    if (format->red.shift == 0 && opaque)
        reorder(from, to, width, 0, true);
    else if (format->red.shift == 0)
        memcpy(to, from, (size_t)width * 4);
    else if (opaque)
        reorder(from, to, width, 2, true);
    else
        reorder(from, to, width, 2, false);
}

static void encode_words(const struct pixel_format *format, const uint8_t *from, uint8_t *to,
                         uint32_t width)
{
    const struct pixel_format own = *format; /* a copy, which `to` cannot alias */

    for (uint32_t x = 0; x < width; x++, from += 4, to += 2) {
        unsigned word = narrow(from[0], own.red) | narrow(from[1], own.green) |
                        narrow(from[2], own.blue) | narrow(from[3], own.alpha);

        to[0] = (uint8_t)word;
        to[1] = (uint8_t)(word >> 8);
    }
}

bool aerogpu_texels_encode(uint32_t format, uint32_t width, uint32_t rows, const uint8_t *from,
                           uint8_t *to, size_t pitch)
{
    const struct pixel_format *found = find_colours(format);

    if (found == NULL || found->block != PIXEL_NO_BLOCK)
        return false;
    for (uint32_t y = 0; y < rows; y++, from += (size_t)4 * width, to += pitch)
        if (found->bytes == 4)
            encode_bytes(found, from, to, width);
        else
            encode_words(found, from, to, width);
    return true;
}

/* Colours and depths as texels. */

/* Returns the nearest value of 0 to `max`. NaN becomes 0. */
static uint32_t unorm(float value, float max)
{
    if (!(value > 0))
        return 0;
    return (uint32_t)((value < 1 ? value : 1) * max + 0.5f);
}

static uint32_t encode_channel(float value, struct pixel_channel channel)
{
    return unorm(value, (float)((1u << channel.bits) - 1)) << channel.shift;
}

static float to_srgb(float value)
{
    if (!(value > 0))
        return 0;
    if (value >= 1)
        return 1;
    return value <= 0.0031308f ? value * 12.92f : 1.055f * powf(value, 1 / 2.4f) - 0.055f;
}

uint32_t aerogpu_colour_encode(uint32_t format, const float colour[4], uint8_t texel[4])
{
    const struct pixel_format *found = find_colours(format);
    float rgb[3];
    uint32_t word;

    if (found == NULL || found->block != PIXEL_NO_BLOCK)
        return 0;
    for (int i = 0; i < 3; i++)
        rgb[i] = found->number == PIXEL_SRGB ? to_srgb(colour[i]) : colour[i];
    if (found->bytes == 4) {
        texel[found->red.shift / 8] = (uint8_t)unorm(rgb[0], 255);
        texel[1] = (uint8_t)unorm(rgb[1], 255);
        texel[found->blue.shift / 8] = (uint8_t)unorm(rgb[2], 255);
        texel[3] = (uint8_t)(found->alpha.bits == 0 ? 255 : unorm(colour[3], 255));
        return 4;
    }
    word = encode_channel(rgb[0], found->red) | encode_channel(rgb[1], found->green) |
           encode_channel(rgb[2], found->blue) | encode_channel(colour[3], found->alpha);
    texel[0] = (uint8_t)word;
    texel[1] = (uint8_t)(word >> 8);
    return 2;
}

float aerogpu_depth_clamp(float depth)
{
    return depth > 0 ? (depth < 1 ? depth : 1) : 0;
}

/* Returns the 24 bits of a depth of 0 to 1. */
static uint32_t depth_bits(float depth)
{
    return (uint32_t)((double)depth * 0xFFFFFF + 0.5);
}

uint32_t aerogpu_depth_encode(uint32_t format, float depth, uint32_t stencil, bool with_depth,
                              bool with_stencil, uint32_t *mask)
{
    float clamped = aerogpu_depth_clamp(depth);
    uint32_t bits = 0;

    if (format == AEROGPU_D32F) {
        memcpy(&bits, &clamped, sizeof(bits));
        *mask = with_depth ? UINT32_MAX : 0;
        return bits;
    }
    *mask = (with_depth ? 0x00FFFFFFu : 0) | (with_stencil ? 0xFF000000u : 0);
    return depth_bits(clamped) | stencil << 24;
}

/* Returns 0 to 65535. */
static uint32_t grey_of_bits(uint32_t bits)
{
    return (uint32_t)(((uint64_t)bits * 65535 + 0x7FFFFF) / 0xFFFFFF);
}

uint32_t aerogpu_depth_grey(uint32_t format, float depth)
{
    float clamped = aerogpu_depth_clamp(depth);

    /* A float cannot hold the 24 bits exactly, and the nearest grey could be another one. */
    if (format == AEROGPU_D24S8)
        return grey_of_bits(depth_bits(clamped));
    return (uint32_t)((double)clamped * 65535 + 0.5);
}

/* Returns 0 to 65535. */
static uint32_t grey_of(uint32_t format, const uint8_t *texel)
{
    uint32_t bits = bytes_le32(texel);
    float depth = 0;

    if (format == AEROGPU_D24S8)
        return grey_of_bits(bits & 0xFFFFFF);
    memcpy(&depth, &bits, sizeof(depth));
    return aerogpu_depth_grey(format, depth);
}

void aerogpu_depth_row(uint32_t format, const uint8_t *texels, uint32_t width, uint8_t *grey)
{
    for (size_t x = 0; x < width; x++) {
        uint32_t value = grey_of(format, texels + 4 * x);

        grey[2 * x] = (uint8_t)(value >> 8);
        grey[2 * x + 1] = (uint8_t)value;
    }
}

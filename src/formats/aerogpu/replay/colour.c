#include "formats/aerogpu/replay/colour.h"

#include "core/bytes.h"

#include <math.h>

/* The nearest of 0 to `max`; what is no number is 0. */
static uint32_t unorm(float value, float most)
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

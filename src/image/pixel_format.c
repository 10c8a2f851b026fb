/* SPDX-License-Identifier: MIT */
#include "image/pixel_format.h"

#include "base/bytes.h"

#include <math.h>

/* Channels. */

/*
 * Reads a channel. Channels of complete bytes may be anywhere, others must be in a word of at most
 * four bytes.
 */
static uint32_t channel_bits(unsigned bytes, struct pixel_channel channel, const uint8_t *pixel)
{
    unsigned first = channel.shift / 8U;
    uint32_t word;

    if (channel.shift % 8 == 0 && channel.bits == 32)
        return bytes_le32(pixel + first);
    if (channel.shift % 8 == 0 && channel.bits == 16)
        return bytes_le16(pixel + first);
    if (channel.shift % 8 == 0 && channel.bits == 8)
        return pixel[first];
    word = bytes == 1 ? pixel[0] : bytes == 2 ? bytes_le16(pixel) : bytes_le32(pixel);
    return word >> channel.shift & ((1U << channel.bits) - 1);
}

/* Converts an unsigned float with 5 bits of exponent above `mantissa` bits. */
static float small_float(uint32_t bits, unsigned mantissa)
{
    uint32_t exponent = bits >> mantissa & 31, fraction = bits & ((1U << mantissa) - 1);
    float value;

    if (exponent == 31)
        return fraction != 0 ? 0 : HUGE_VALF;
    if (exponent == 0)
        return (float)fraction / (float)(1U << (14 + mantissa));
    bits = (exponent + 127 - 15) << 23 | fraction << (23 - mantissa);
    memcpy(&value, &bits, sizeof(value));
    return value;
}

static float floating(uint32_t value, unsigned bits)
{
    float number;

    switch (bits) {
    case 32:
        memcpy(&number, &value, sizeof(number));
        return number;
    case 16:
        return value & 0x8000 ? 0 : small_float(value, 10);
    default:
        return small_float(value, bits - 5);
    }
}

static float shared(uint32_t value, uint32_t word)
{
    uint32_t bits = ((word >> 27) + 127 - 15 - 9) << 23;
    float unit;

    memcpy(&unit, &bits, sizeof(unit));
    return (float)value * unit;
}

/* Returns a channel's value; with `wide`, in the precision of a float. */
static double fraction(const struct pixel_format *format, struct pixel_channel channel,
                       const uint8_t *pixel, bool wide)
{
    uint32_t value = channel_bits(format->bytes, channel, pixel);
    uint32_t max = (uint32_t)((UINT64_C(1) << channel.bits) - 1);

    switch (format->number) {
    case PIXEL_FLOATING:
        return (double)floating(value, channel.bits);
    case PIXEL_SHARED:
        return (double)shared(value, bytes_le32(pixel));
    case PIXEL_SNORM:
        if (value > max / 2)
            return 0;
        return wide ? (double)((float)value / (float)(max / 2)) : value / (double)(max / 2);
    case PIXEL_SINT:
        return value > max / 2 ? 0 : value / 255.0;
    case PIXEL_UINT:
        return value / 255.0;
    default:
        return value / (double)max;
    }
}

static void put_channel(const struct pixel_format *format, struct pixel_channel channel,
                        const uint8_t *pixel, double missing, bool wide, uint8_t *out)
{
    double value = channel.bits != 0 ? fraction(format, channel, pixel, wide) : missing;

    value = value > 0 ? (value < 1 ? value : 1) : 0;
    if (wide) {
        unsigned sample = (unsigned)((float)value * 65535 + 0.5f);

        out[0] = (uint8_t)(sample >> 8);
        out[1] = (uint8_t)sample;
    } else {
        out[0] = (uint8_t)(value * 255 + 0.5);
    }
}

static void put_pixel(const struct pixel_format *format, const uint8_t *pixel, uint8_t *out)
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

/*
 * Shortcuts for most pixels, which need no arithmetic: bytes in another order, and words that are
 * widened.
 */

static bool is_byte(struct pixel_channel channel)
{
    return channel.bits == 8 && channel.shift % 8 == 0;
}

/*
 * Returns whether the format has the same number of channels as the picture, one byte each; if
 * there are four bytes, alpha may be missing.
 */
static bool is_bytes(const struct pixel_format *format)
{
    return format->bytes == format->look && is_byte(format->red) &&
           (format->number <= PIXEL_SRGB || format->number == PIXEL_UINT) &&
           (format->bytes == 1 || (is_byte(format->green) && is_byte(format->blue))) &&
           (format->bytes != 4 || format->alpha.bits == 0 || is_byte(format->alpha));
}

/*
 * Reorders red, green and blue by their places. `opaque` is 255 if alpha is missing, otherwise 0.
 */
static inline void reorder(const uint8_t *pixels, uint32_t width, unsigned bytes,
                           const uint8_t places[4], uint8_t opaque, uint8_t *out)
{
    for (uint32_t x = 0; x < width; x++, pixels += bytes, out += bytes) {
        uint8_t red = pixels[places[0]], green = pixels[places[1]], blue = pixels[places[2]];

        if (bytes == 4)
            out[3] = pixels[places[3]] | opaque;
        out[0] = red;
        out[1] = green;
        out[2] = blue;
    }
}

static void copy_bytes(const struct pixel_format *format, const uint8_t *pixels, uint32_t width,
                       uint8_t *out)
{
    static const uint8_t in_order[4] = {0, 1, 2, 3}, turned[4] = {2, 1, 0, 3};
    const uint8_t places[4] = {format->red.shift / 8, format->green.shift / 8,
                               format->blue.shift / 8,
                               format->alpha.bits ? format->alpha.shift / 8 : 3};
    unsigned bytes = format->bytes;
    uint8_t opaque = format->alpha.bits == 0 ? 255 : 0;

    /* the usual orders are constants, so that compilers vectorise the loops */
    if (bytes == 1 || (memcmp(places, in_order, bytes) == 0 && (bytes == 3 || opaque == 0)))
        memcpy(out, pixels, (size_t)width * bytes);
    else if (bytes == 4 && memcmp(places, in_order, 4) == 0)
        reorder(pixels, width, 4, in_order, 255, out);
    else if (bytes == 4 && memcmp(places, turned, 4) == 0)
        reorder(pixels, width, 4, turned, opaque, out);
    else
        reorder(pixels, width, bytes, places, opaque, out);
}

static uint8_t widen(uint32_t word, struct pixel_channel channel)
{
    unsigned max = (1U << channel.bits) - 1, value = word >> channel.shift & max;

    if (channel.bits >= 4)
        return (uint8_t)((value << channel.bits | value) >> (2 * channel.bits - 8));
    return (uint8_t)(channel.bits == 0 ? 255 : value * (255 / max));
}

static void widen_pixels(const struct pixel_format *format, const uint8_t *pixels, uint32_t width,
                         uint8_t *out)
{
    const struct pixel_format own = *format; /* a copy, which `out` cannot alias */

    for (uint32_t x = 0; x < width; x++, pixels += 2, out += 4) {
        uint32_t word = bytes_le16(pixels);

        out[0] = widen(word, own.red);
        out[1] = widen(word, own.green);
        out[2] = widen(word, own.blue);
        out[3] = widen(word, own.alpha);
    }
}

static void decode_line(const struct pixel_format *format, const uint8_t *pixels, uint32_t width,
                        uint8_t *out)
{
    if (is_bytes(format)) {
        copy_bytes(format, pixels, width, out);
    } else if (format->number == PIXEL_WIDENED) {
        widen_pixels(format, pixels, width, out);
    } else {
        for (uint32_t x = 0; x < width; x++, pixels += format->bytes, out += format->look)
            put_pixel(format, pixels, out);
    }
}

/*
 * S3TC, RGTC and LATC: two end points, and codes for the values between them, which are rounded
 * down.
 */

static void expand_565(unsigned colour, uint8_t to[4])
{
    unsigned red = colour >> 11, green = colour >> 5 & 63, blue = colour & 31;

    to[0] = (uint8_t)(red << 3 | red >> 2);
    to[1] = (uint8_t)(green << 2 | green >> 4);
    to[2] = (uint8_t)(blue << 3 | blue >> 2);
    to[3] = 255;
}

/* With `keyed` the block may have three colours and a transparent one. */
static void decode_colours(const uint8_t block[8], bool keyed, unsigned from, unsigned end,
                           uint8_t *to)
{
    unsigned first = bytes_le16(block), second = bytes_le16(block + 2);
    uint32_t codes = bytes_le32(block + 4);
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
    for (unsigned n = from; n < end; n += 4)
        for (unsigned i = 0; i < 4; i++)
            memcpy(to + (size_t)4 * (n + i), palette[codes >> 2 * (n + i) & 3], 4);
}

/* Decodes one channel, to every fourth byte. */
static void decode_channel(const uint8_t block[8], bool is_signed, unsigned from, unsigned end,
                           uint8_t *to)
{
    uint64_t codes = bytes_le64(block) >> 16;
    int first = is_signed ? (int8_t)block[0] : block[0];
    int second = is_signed ? (int8_t)block[1] : block[1];
    int steps = first > second ? 7 : 5;
    int palette[8] = {first, second, 0, 0, 0, 0, is_signed ? -127 : 0, is_signed ? 127 : 255};

    for (int i = 1; i < steps; i++)
        palette[i + 1] = ((steps - i) * first + i * second) / steps;
    for (int i = 0; is_signed && i < 8; i++)
        palette[i] = palette[i] < 0 ? 0 : 2 * palette[i];
    for (unsigned n = from; n < end; n += 4)
        for (unsigned i = 0; i < 4; i++)
            to[4 * (n + i)] = (uint8_t)palette[codes >> 3 * (n + i) & 7];
}

static void decode_alphas(const uint8_t block[8], unsigned from, unsigned end, uint8_t *to)
{
    for (unsigned n = from; n < end; n++)
        to[4 * n + 3] = (uint8_t)((bytes_le64(block) >> 4 * n & 15) * 17);
}

/* Decodes pixels `from` to end - 1 of a block with two end points, to their places among its 16. */
static void decode_ends(const struct pixel_format *format, const uint8_t *block, unsigned from,
                        unsigned end, uint8_t *to)
{
    bool is_signed = format->number == PIXEL_SNORM;

    switch (format->block) {
    case PIXEL_BC1:
        decode_colours(block, true, from, end, to);
        break;
    case PIXEL_BC2:
        decode_colours(block + 8, false, from, end, to);
        decode_alphas(block, from, end, to);
        break;
    case PIXEL_BC3:
        decode_colours(block + 8, false, from, end, to);
        decode_channel(block, false, from, end, to + 3);
        break;
    case PIXEL_BC5:
        decode_channel(block + 8, is_signed, from, end, to + 1);
        decode_channel(block, is_signed, from, end, to);
        break;
    case PIXEL_LATC2:
        decode_channel(block, is_signed, from, end, to);
        for (unsigned n = from; n < end; n++)
            memset(to + (size_t)4 * n + 1, to[4 * n], 2);
        decode_channel(block + 8, is_signed, from, end, to + 3);
        break;
    default:
        decode_channel(block, is_signed, from, end, to);
        break;
    }
}

/* Blocks. */

static void decode_etc(const struct pixel_format *format, const uint8_t *block, unsigned from,
                       unsigned end, uint8_t *to)
{
    bool is_signed = format->number == PIXEL_SNORM;

    for (unsigned n = from; n < end; n++) {
        unsigned x = n % 4, y = n / 4;
        uint8_t *pixel = to + (size_t)4 * n;

        switch (format->block) {
        case PIXEL_ETC2_EAC:
            etc_decode_colour(block + 8, x, y, false, pixel);
            pixel[3] = etc_decode_8(block, x, y);
            break;
        case PIXEL_EAC2:
            pixel[1] = etc_decode_11(block + 8, x, y, is_signed);
            pixel[0] = etc_decode_11(block, x, y, is_signed);
            break;
        case PIXEL_EAC1:
            pixel[0] = etc_decode_11(block, x, y, is_signed);
            break;
        default:
            etc_decode_colour(block, x, y, format->block == PIXEL_ETC2_A1, pixel);
            break;
        }
    }
}

static void decode_bc6h(const uint8_t *block, bool is_signed, uint8_t *to)
{
    uint16_t halves[48];

    bptc_decode_halves(block, is_signed, halves);
    for (unsigned n = 0; n < 48; n++) {
        float value = floating(halves[n], 16);

        to[n / 3 * 4 + n % 3] = (uint8_t)(value >= 1 ? 255 : value * 255 + 0.5f);
    }
}

/* Decodes some lines of a block as RGBA8, to their places in the complete block. */
static void decode_block(const struct pixel_format *format, const uint8_t *block, unsigned first,
                         unsigned lines, uint8_t *to)
{
    unsigned from = format->width * first, end = from + format->width * lines;

    if (format->block == PIXEL_BC7)
        bptc_decode(block, to);
    else if (format->block == PIXEL_BC6H)
        decode_bc6h(block, format->number == PIXEL_SNORM, to);
    else if (format->block == PIXEL_ASTC)
        astc_decode(block, format->width, format->height, format->number == PIXEL_SRGB, to);
    else if (format->block >= PIXEL_ETC2)
        decode_etc(format, block, from, end, to);
    else
        decode_ends(format, block, from, end, to);
}

/* Decodes lines of one row of blocks. */
static void decode_blocks(const struct pixel_format *format, const uint8_t *blocks, uint32_t width,
                          unsigned first, unsigned lines, uint8_t *out)
{
    unsigned look = format->look;
    uint8_t texels[4 * ASTC_MAX_TEXELS] = {0};

    for (uint32_t x = 0; x < width; x += format->width, blocks += format->bytes) {
        uint32_t columns = width - x < format->width ? width - x : format->width;

        decode_block(format, blocks, first, lines, texels);
        for (unsigned y = 0; y < lines; y++) {
            const uint8_t *from = texels + (size_t)4 * (first + y) * format->width;
            uint8_t *to = out + ((size_t)y * width + x) * look;

            if (look == PICTURE_RGBA && columns == 4)
                memcpy(to, from, 16);
            else if (look == PICTURE_RGBA)
                memcpy(to, from, (size_t)4 * columns);
            for (uint32_t n = 0; look != PICTURE_RGBA && n < columns; n++)
                memcpy(to + (size_t)look * n, from + (size_t)4 * n, look);
        }
    }
}

void pixel_format_lines(const struct pixel_format *format, const uint8_t *from, size_t pitch,
                        uint32_t width, uint32_t first, uint32_t lines, uint8_t *out)
{
    uint32_t high = format->block == PIXEL_NO_BLOCK ? 1 : format->height;

    for (uint32_t y = first; y < first + lines;) {
        const uint8_t *row = from + y / high * pitch;
        uint32_t part = high - y % high;

        if (part > first + lines - y)
            part = first + lines - y;
        if (format->block == PIXEL_NO_BLOCK)
            decode_line(format, row, width, out);
        else
            decode_blocks(format, row, width, y % high, part, out);
        out += (size_t)part * width * format->look;
        y += part;
    }
}

/*
 * Block formats: 4x4 pixels in 8 or 16 bytes, with ASTC up to 12x12. S3TC (DXT1, 3, 5),
 * RGTC and LATC, and ETC1, ETC2 and EAC, as the Khronos Data Format Specification has
 * them; BPTC and ASTC are core's. A row is decoded block by block.
 */
#include "formats/apitrace/decode/pixels.h"

#include "base/bytes.h"
#include "image/astc.h"
#include "image/bptc.h"

#include <math.h>

enum block_kind {
    DXT1,
    DXT1A,
    DXT3,
    DXT5,
    RGTC1,
    RGTC2,
    LATC2,
    ETC2,
    ETC2A1,
    ETC2_EAC,
    EAC1,
    EAC2,
    BPTC,
    BPTC_FLOAT,
    ASTC
};

static const struct block_format {
    uint32_t format;
    enum block_kind kind;
    bool is_signed;
} formats[] = {
    {0x83F0, DXT1, false},       {0x83F1, DXT1A, false},    {0x83F2, DXT3, false},
    {0x83F3, DXT5, false},       {0x8C4C, DXT1, false},     {0x8C4D, DXT1A, false},
    {0x8C4E, DXT3, false},       {0x8C4F, DXT5, false},     {0x8DBB, RGTC1, false},
    {0x8DBC, RGTC1, true},       {0x8DBD, RGTC2, false},    {0x8DBE, RGTC2, true},
    {0x8C70, RGTC1, false},      {0x8C71, RGTC1, true},     {0x8C72, LATC2, false},
    {0x8C73, LATC2, true},       {0x8D64, ETC2, false},     {0x9270, EAC1, false},
    {0x9271, EAC1, true},        {0x9272, EAC2, false},     {0x9273, EAC2, true},
    {0x9274, ETC2, false},       {0x9275, ETC2, false},     {0x9276, ETC2A1, false},
    {0x9277, ETC2A1, false},     {0x9278, ETC2_EAC, false}, {0x9279, ETC2_EAC, false},
    {0x8E8C, BPTC, false},       {0x8E8D, BPTC, false},     {0x8E8E, BPTC_FLOAT, true},
    {0x8E8F, BPTC_FLOAT, false},
};

/* ASTC's formats follow each other by their sizes, in RGBA and in sRGB. */
enum { ASTC_RGBA = 0x93B0, ASTC_SRGB = 0x93D0, ASTC_SIZES = 14 };

static const uint8_t astc_sizes[ASTC_SIZES][2] = {{4, 4},  {5, 4},   {5, 5},   {6, 5},  {6, 6},
                                                  {8, 5},  {8, 6},   {8, 8},   {10, 5}, {10, 6},
                                                  {10, 8}, {10, 10}, {12, 10}, {12, 12}};

static bool is_astc(uint32_t format)
{
    return format - ASTC_RGBA < ASTC_SIZES || format - ASTC_SRGB < ASTC_SIZES;
}

static const struct block_format *find(uint32_t format)
{
    static const struct block_format astc = {.kind = ASTC};

    if (is_astc(format))
        return &astc;
    for (size_t n = 0; n < sizeof(formats) / sizeof(formats[0]); n++)
        if (formats[n].format == format)
            return &formats[n];
    return NULL;
}

enum picture_colour apitrace_block_colour(uint32_t format)
{
    static const uint8_t colours[] = {
        [DXT1] = PICTURE_RGB,      [DXT1A] = PICTURE_RGBA,     [DXT3] = PICTURE_RGBA,
        [DXT5] = PICTURE_RGBA,     [RGTC1] = PICTURE_GREY,     [RGTC2] = PICTURE_RGB,
        [LATC2] = PICTURE_RGBA,    [ETC2] = PICTURE_RGB,       [ETC2A1] = PICTURE_RGBA,
        [ETC2_EAC] = PICTURE_RGBA, [EAC1] = PICTURE_GREY,      [EAC2] = PICTURE_RGB,
        [BPTC] = PICTURE_RGBA,     [BPTC_FLOAT] = PICTURE_RGB, [ASTC] = PICTURE_RGBA};
    const struct block_format *found = find(format);

    return found != NULL ? colours[found->kind] : 0;
}

unsigned apitrace_block_bytes(uint32_t format)
{
    const struct block_format *found = find(format);

    if (found == NULL)
        return 0;
    return found->kind == DXT1 || found->kind == DXT1A || found->kind == RGTC1 ||
                   found->kind == ETC2 || found->kind == ETC2A1 || found->kind == EAC1
               ? 8
               : 16;
}

void apitrace_block_size(uint32_t format, uint32_t *width, uint32_t *height)
{
    const uint8_t *size = astc_sizes[0];

    if (is_astc(format))
        size = astc_sizes[(format - ASTC_RGBA) % (ASTC_SRGB - ASTC_RGBA)];
    *width = size[0];
    *height = size[1];
}

static uint8_t clamp(int value)
{
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

/* S3TC. */

static void expand_565(uint16_t colour, uint8_t out[4])
{
    unsigned r = colour >> 11, g = colour >> 5 & 63, b = colour & 31;

    out[0] = (uint8_t)(r << 3 | r >> 2);
    out[1] = (uint8_t)(g << 2 | g >> 4);
    out[2] = (uint8_t)(b << 3 | b >> 2);
    out[3] = 255;
}

/* Pixel n of a colour block; with `punch` three colours and a transparent one are possible. */
static void dxt_colour(const uint8_t *block, unsigned n, bool punch, uint8_t out[4])
{
    uint16_t first = bytes_le16(block), second = bytes_le16(block + 2);
    unsigned code = bytes_le32(block + 4) >> 2 * n & 3;
    uint8_t a[4], b[4];

    expand_565(first, a);
    expand_565(second, b);
    if (code < 2) {
        memcpy(out, code == 0 ? a : b, 4);
        return;
    }
    out[3] = 255;
    if (punch && first <= second) {
        for (unsigned c = 0; c < 3; c++)
            out[c] = (uint8_t)(code == 2 ? (a[c] + b[c]) / 2 : 0);
        out[3] = code == 2 ? 255 : 0;
        return;
    }
    for (unsigned c = 0; c < 3; c++)
        out[c] = (uint8_t)(code == 2 ? (2 * a[c] + b[c]) / 3 : (a[c] + 2 * b[c]) / 3);
}

/* Pixel n of a block of one channel: two ends, and codes of three bits between them. */
static uint8_t rgtc(const uint8_t *block, unsigned n, bool is_signed)
{
    unsigned code = (unsigned)(bytes_le64(block) >> (16 + 3 * n) & 7);
    int first = is_signed ? (int8_t)block[0] : block[0];
    int second = is_signed ? (int8_t)block[1] : block[1];
    int low = is_signed ? -127 : 0, high = is_signed ? 127 : 255, value;

    if (code == 0)
        value = first;
    else if (code == 1)
        value = second;
    else if (first > second)
        value = ((8 - (int)code) * first + ((int)code - 1) * second) / 7;
    else if (code < 6)
        value = ((6 - (int)code) * first + ((int)code - 1) * second) / 5;
    else
        value = code == 6 ? low : high;
    return is_signed ? clamp(2 * value) : (uint8_t)value;
}

/* ETC2. */

static const int16_t etc_modifiers[8][2] = {{2, 8},   {5, 17},  {9, 29},   {13, 42},
                                            {18, 60}, {24, 80}, {33, 106}, {47, 183}};
static const uint8_t etc_distances[8] = {3, 6, 11, 16, 23, 32, 41, 64};
static const int8_t eac_modifiers[16][8] = {
    {-3, -6, -9, -15, 2, 5, 8, 14}, {-3, -7, -10, -13, 2, 6, 9, 12}, {-2, -5, -8, -13, 1, 4, 7, 12},
    {-2, -4, -6, -13, 1, 3, 5, 12}, {-3, -6, -8, -12, 2, 5, 7, 11},  {-3, -7, -9, -11, 2, 6, 8, 10},
    {-4, -7, -8, -11, 3, 6, 7, 10}, {-3, -5, -8, -11, 2, 4, 7, 10},  {-2, -6, -8, -10, 1, 5, 7, 9},
    {-2, -5, -8, -10, 1, 4, 7, 9},  {-2, -4, -8, -10, 1, 3, 7, 9},   {-2, -5, -7, -10, 1, 4, 6, 9},
    {-3, -4, -7, -10, 2, 3, 6, 9},  {-1, -2, -3, -10, 0, 1, 2, 9},   {-4, -6, -8, -9, 3, 5, 7, 8},
    {-3, -5, -7, -9, 2, 4, 6, 8}};

static uint64_t big_endian(const uint8_t *block)
{
    return __builtin_bswap64(bytes_le64(block));
}

static unsigned field(uint64_t bits, unsigned low, unsigned count)
{
    return (unsigned)(bits >> low) & ((1U << count) - 1);
}

static uint8_t from_4(unsigned value)
{
    return (uint8_t)(value * 17);
}

static uint8_t from_5(unsigned value)
{
    return (uint8_t)(value << 3 | value >> 2);
}

static uint8_t from_6(unsigned value)
{
    return (uint8_t)(value << 2 | value >> 4);
}

static uint8_t from_7(unsigned value)
{
    return (uint8_t)(value << 1 | value >> 6);
}

/* Three bits with a sign. */
static int difference(unsigned value)
{
    return value < 4 ? (int)value : (int)value - 8;
}

static void add_to_all(const uint8_t colour[3], int amount, uint8_t out[4])
{
    for (unsigned c = 0; c < 3; c++)
        out[c] = clamp(colour[c] + amount);
}

/* The T mode: two colours, of which the second has neighbours. */
static void etc_t(uint64_t bits, unsigned code, uint8_t out[4])
{
    uint8_t first[3] = {from_4(field(bits, 59, 2) << 2 | field(bits, 56, 2)),
                        from_4(field(bits, 52, 4)), from_4(field(bits, 48, 4))};
    uint8_t second[3] = {from_4(field(bits, 44, 4)), from_4(field(bits, 40, 4)),
                         from_4(field(bits, 36, 4))};
    int distance = etc_distances[field(bits, 34, 2) << 1 | field(bits, 32, 1)];

    if (code == 0)
        add_to_all(first, 0, out);
    else
        add_to_all(second, code == 1 ? distance : code == 2 ? 0 : -distance, out);
}

/* The H mode: two colours, each with two neighbours. */
static void etc_h(uint64_t bits, unsigned code, uint8_t out[4])
{
    uint8_t first[3] = {from_4(field(bits, 59, 4)),
                        from_4(field(bits, 56, 3) << 1 | field(bits, 52, 1)),
                        from_4(field(bits, 51, 1) << 3 | field(bits, 47, 3))};
    uint8_t second[3] = {from_4(field(bits, 43, 4)), from_4(field(bits, 39, 4)),
                         from_4(field(bits, 35, 4))};
    uint32_t a = (uint32_t)first[0] << 16 | (uint32_t)first[1] << 8 | first[2];
    uint32_t b = (uint32_t)second[0] << 16 | (uint32_t)second[1] << 8 | second[2];
    int distance =
        etc_distances[field(bits, 34, 1) << 2 | field(bits, 32, 1) << 1 | (a >= b ? 1U : 0U)];

    add_to_all(code < 2 ? first : second, code % 2 == 0 ? distance : -distance, out);
}

/* The planar mode: colours at three corners, and a plane through them. */
static void etc_planar(uint64_t bits, int x, int y, uint8_t out[4])
{
    uint8_t origin[3] = {
        from_6(field(bits, 57, 6)), from_7(field(bits, 56, 1) << 6 | field(bits, 49, 6)),
        from_6(field(bits, 48, 1) << 5 | field(bits, 43, 2) << 3 | field(bits, 39, 3))};
    uint8_t right[3] = {from_6(field(bits, 34, 5) << 1 | field(bits, 32, 1)),
                        from_7(field(bits, 25, 7)), from_6(field(bits, 19, 6))};
    uint8_t below[3] = {from_6(field(bits, 13, 6)), from_7(field(bits, 6, 7)),
                        from_6(field(bits, 0, 6))};

    for (unsigned c = 0; c < 3; c++)
        out[c] = clamp(
            (x * (right[c] - origin[c]) + y * (below[c] - origin[c]) + 4 * origin[c] + 2) >> 2);
}

/* Two halves, each a colour and a table of amounts that are added to all of it. */
static void etc_halves(uint64_t bits, unsigned x, unsigned y, unsigned code, bool differential,
                       bool punch, uint8_t out[4])
{
    bool second = field(bits, 32, 1) != 0 ? y >= 2 : x >= 2;
    const int16_t *table = etc_modifiers[field(bits, second ? 34 : 37, 3)];
    uint8_t colour[3];
    int amount;

    for (unsigned c = 0; c < 3; c++) {
        unsigned low = 56 - 8 * c;

        if (differential)
            colour[c] = from_5((unsigned)((int)field(bits, low + 3, 5) +
                                          (second ? difference(field(bits, low, 3)) : 0)) &
                               31);
        else
            colour[c] = from_4(field(bits, second ? low : low + 4, 4));
    }
    amount = table[code & 1];
    if (punch && (code & 1) == 0)
        amount = 0;
    add_to_all(colour, code & 2 ? -amount : amount, out);
}

/* What a differential block is when a sum of its goes out of range. */
static unsigned etc_overflow(uint64_t bits)
{
    for (unsigned c = 0; c < 3; c++) {
        int sum = (int)field(bits, 59 - 8 * c, 5) + difference(field(bits, 56 - 8 * c, 3));

        if (sum < 0 || sum > 31)
            return c + 1;
    }
    return 0;
}

static void etc_colour(const uint8_t *block, unsigned x, unsigned y, bool alpha, uint8_t out[4])
{
    uint64_t bits = big_endian(block);
    unsigned place = 4 * x + y, code = field(bits, place + 16, 1) << 1 | field(bits, place, 1);
    bool flag = field(bits, 33, 1) != 0, differential = alpha || flag, punch = alpha && !flag;
    unsigned overflow = differential ? etc_overflow(bits) : 0;

    out[3] = 255;
    if (overflow == 1)
        etc_t(bits, code, out);
    else if (overflow == 2)
        etc_h(bits, code, out);
    else if (overflow == 3)
        etc_planar(bits, (int)x, (int)y, out);
    else
        etc_halves(bits, x, y, code, differential, punch, out);
    if (punch && code == 2 && overflow != 3)
        memset(out, 0, 4);
}

/* One channel of 8 bits. */
static uint8_t eac_8(const uint8_t *block, unsigned x, unsigned y)
{
    uint64_t bits = big_endian(block);
    int modifier = eac_modifiers[field(bits, 48, 4)][field(bits, 45 - 3 * (4 * x + y), 3)];

    return clamp(block[0] + modifier * (int)field(bits, 52, 4));
}

/* One channel of 11 bits, shown with 8. */
static uint8_t eac_11(const uint8_t *block, unsigned x, unsigned y, bool is_signed)
{
    uint64_t bits = big_endian(block);
    int modifier = eac_modifiers[field(bits, 48, 4)][field(bits, 45 - 3 * (4 * x + y), 3)];
    int factor = (int)field(bits, 52, 4), value;

    modifier *= factor == 0 ? 1 : 8 * factor;
    if (is_signed) {
        value = 8 * (int8_t)block[0] + modifier;
        return clamp((value < 0 ? 0 : value > 1023 ? 1023 : value) * 255 / 1023);
    }
    value = 8 * block[0] + 4 + modifier;
    return clamp((value < 0 ? 0 : value > 2047 ? 2047 : value) * 255 / 2047);
}

static void block_pixel(const struct block_format *format, const uint8_t *block, unsigned x,
                        unsigned y, uint8_t out[4])
{
    unsigned n = 4 * y + x;

    switch (format->kind) {
    case DXT1:
    case DXT1A:
        dxt_colour(block, n, true, out);
        break;
    case DXT3:
        dxt_colour(block + 8, n, false, out);
        out[3] = from_4((unsigned)(bytes_le64(block) >> 4 * n & 15));
        break;
    case DXT5:
        dxt_colour(block + 8, n, false, out);
        out[3] = rgtc(block, n, false);
        break;
    case RGTC1:
        out[0] = rgtc(block, n, format->is_signed);
        break;
    case RGTC2:
        out[0] = rgtc(block, n, format->is_signed);
        out[1] = rgtc(block + 8, n, format->is_signed);
        out[2] = 0;
        break;
    case LATC2:
        memset(out, rgtc(block, n, format->is_signed), 3);
        out[3] = rgtc(block + 8, n, format->is_signed);
        break;
    case ETC2:
    case ETC2A1:
        etc_colour(block, x, y, format->kind == ETC2A1, out);
        break;
    case ETC2_EAC:
        etc_colour(block + 8, x, y, false, out);
        out[3] = eac_8(block, x, y);
        break;
    case EAC1:
        out[0] = eac_11(block, x, y, format->is_signed);
        break;
    case EAC2:
        out[0] = eac_11(block, x, y, format->is_signed);
        out[1] = eac_11(block + 8, x, y, format->is_signed);
        out[2] = 0;
        break;
    default:
        break;
    }
}

/* BPTC and ASTC: a whole block at once, as RGBA. */

static uint8_t half_to_byte(uint16_t half)
{
    int exponent = half >> 10 & 31, mantissa = half & 0x3FF;
    double value = exponent == 0 ? ldexp(mantissa, -24) : ldexp(mantissa + 1024, exponent - 25);

    if (half & 0x8000)
        return 0;
    return (uint8_t)(value >= 1 ? 255 : value * 255 + 0.5);
}

static void decode_floats(const uint8_t *block, bool is_signed, uint8_t *to)
{
    uint16_t halves[48];

    bptc_decode_halves(block, is_signed, halves);
    for (unsigned n = 0; n < 48; n++)
        to[n / 3 * 4 + n % 3] = half_to_byte(halves[n]);
}

static void decode_block(const struct apitrace_image *image, const struct block_format *format,
                         uint32_t width, uint32_t height, const uint8_t *block, uint8_t *to)
{
    if (format->kind == BPTC)
        bptc_decode(block, to);
    else if (format->kind == BPTC_FLOAT)
        decode_floats(block, format->is_signed, to);
    else
        astc_decode(block, width, height, image->format >= ASTC_SRGB, to);
}

void apitrace_block_row(const struct apitrace_image *image, const uint8_t *data, uint32_t row,
                        uint8_t *out)
{
    const struct block_format *format = find(image->format);
    unsigned bytes = apitrace_block_bytes(image->format);
    unsigned colour = apitrace_block_colour(image->format);
    uint32_t width, height, slice = row / image->height, y = row % image->height;
    uint8_t texels[4 * ASTC_TEXELS_MOST] = {0};
    uint64_t columns, rows;

    apitrace_block_size(image->format, &width, &height);
    columns = ((uint64_t)image->width + width - 1) / width;
    rows = ((uint64_t)image->height + height - 1) / height;
    data += (slice * rows + y / height) * columns * bytes;
    for (uint32_t x = 0; x < image->width; x++) {
        const uint8_t *block = data + (uint64_t)(x / width) * bytes;
        uint8_t pixel[4], *from = texels + (size_t)4 * (y % height * width + x % width);

        if (format->kind < BPTC)
            block_pixel(format, block, x % width, y % height, from = pixel);
        else if (x % width == 0)
            decode_block(image, format, width, height, block, texels);
        memcpy(out + (size_t)x * colour, from, colour);
    }
}

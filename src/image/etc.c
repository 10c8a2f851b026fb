/* SPDX-License-Identifier: MIT */
/*
 * Decodes ETC1, ETC2 and EAC pixel by pixel: a row of a picture needs only four of a block's
 * sixteen.
 */
#include "image/pixel_format.h"

#include "base/bytes.h"

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

static uint8_t clamp(int value)
{
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

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

/* Returns the value of a signed number of three bits. */
static int difference(unsigned value)
{
    return value < 4 ? (int)value : (int)value - 8;
}

static void add_to_all(const uint8_t colour[3], int amount, uint8_t out[4])
{
    for (unsigned c = 0; c < 3; c++)
        out[c] = clamp(colour[c] + amount);
}

/* The T mode: two colours, and two variants of the second. */
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

/* The H mode: two colours, each in two variants. */
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

/* The planar mode: colours at three corners, with a plane through them. */
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

/* Two halves, each with a colour and a table of amounts that are added to all channels. */
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

/*
 * Returns the first channel of a differential block, from 1 on, whose sum is out of range, which
 * selects the T, H or planar mode; 0 if there is none.
 */
static unsigned etc_overflow(uint64_t bits)
{
    for (unsigned c = 0; c < 3; c++) {
        int sum = (int)field(bits, 59 - 8 * c, 5) + difference(field(bits, 56 - 8 * c, 3));

        if (sum < 0 || sum > 31)
            return c + 1;
    }
    return 0;
}

void etc_decode_colour(const uint8_t block[8], unsigned x, unsigned y, bool alpha, uint8_t out[4])
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

uint8_t etc_decode_8(const uint8_t block[8], unsigned x, unsigned y)
{
    uint64_t bits = big_endian(block);
    int modifier = eac_modifiers[field(bits, 48, 4)][field(bits, 45 - 3 * (4 * x + y), 3)];

    return clamp(block[0] + modifier * (int)field(bits, 52, 4));
}

uint8_t etc_decode_11(const uint8_t block[8], unsigned x, unsigned y, bool is_signed)
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

/* SPDX-License-Identifier: MIT */
/*
 * Both formats divide their texels into up to three subsets by the same tables, and mix the two end
 * points of a subset by the same weights. BC7 has eight modes, whose bits are laid out by one
 * table. In BC6H each mode has its own order of bits.
 */
#include "image/pixel_format.h"

#include "base/bytes.h"

#include <string.h>

/* How the modes of BC7 divide their 128 bits. */
static const struct mode {
    uint8_t subsets, partition_bits, rotation_bits, selector_bits;
    uint8_t colour_bits, alpha_bits;
    bool own_p, shared_p; /* own_p: each end point has a lowest bit of its own; shared_p: both of a
                             subset share one */
    uint8_t index_bits, second_bits;
} modes[8] = {
    {3, 4, 0, 0, 4, 0, true, false, 3, 0},  {2, 6, 0, 0, 6, 0, false, true, 3, 0},
    {3, 6, 0, 0, 5, 0, false, false, 2, 0}, {2, 6, 0, 0, 7, 0, true, false, 2, 0},
    {1, 0, 2, 1, 5, 6, false, false, 2, 3}, {1, 0, 2, 0, 7, 8, false, false, 2, 2},
    {1, 0, 0, 0, 7, 7, true, false, 4, 0},  {2, 6, 0, 0, 5, 5, true, false, 2, 0},
};

/* Texels of the second subset, one bit each. */
static const uint16_t two_subsets[64] = {
    0xCCCC, 0x8888, 0xEEEE, 0xECC8, 0xC880, 0xFEEC, 0xFEC8, 0xEC80, 0xC800, 0xFFEC, 0xFE80,
    0xE800, 0xFFE8, 0xFF00, 0xFFF0, 0xF000, 0xF710, 0x008E, 0x7100, 0x08CE, 0x008C, 0x7310,
    0x3100, 0x8CCE, 0x088C, 0x3110, 0x6666, 0x366C, 0x17E8, 0x0FF0, 0x718E, 0x399C, 0xAAAA,
    0xF0F0, 0x5A5A, 0x33CC, 0x3C3C, 0x55AA, 0x9696, 0xA55A, 0x73CE, 0x13C8, 0x324C, 0x3BDC,
    0x6996, 0xC33C, 0x9966, 0x0660, 0x0272, 0x04E4, 0x4E40, 0x2720, 0xC936, 0x936C, 0x39C6,
    0x639C, 0x9336, 0x9CC6, 0x817E, 0xE718, 0xCCF0, 0x0FCC, 0x7744, 0xEE22,
};

/* The subset of each texel, two bits each. */
static const uint32_t three_subsets[64] = {
    0xAA685050, 0x6A5A5040, 0x5A5A4200, 0x5450A0A8, 0xA5A50000, 0xA0A05050, 0x5555A0A0, 0x5A5A5050,
    0xAA550000, 0xAA555500, 0xAAAA5500, 0x90909090, 0x94949494, 0xA4A4A4A4, 0xA9A59450, 0x2A0A4250,
    0xA5945040, 0x0A425054, 0xA5A5A500, 0x55A0A0A0, 0xA8A85454, 0x6A6A4040, 0xA4A45000, 0x1A1A0500,
    0x0050A4A4, 0xAAA59090, 0x14696914, 0x69691400, 0xA08585A0, 0xAA821414, 0x50A4A450, 0x6A5A0200,
    0xA9A58000, 0x5090A0A8, 0xA8A09050, 0x24242424, 0x00AA5500, 0x24924924, 0x24499224, 0x50A50A50,
    0x500AA550, 0xAAAA4444, 0x66660000, 0xA5A0A5A0, 0x50A050A0, 0x69286928, 0x44AAAA44, 0x66666600,
    0xAA444444, 0x54A854A8, 0x95809580, 0x96969600, 0xA85454A8, 0x80959580, 0xAA141414, 0x96960000,
    0xAAAA1414, 0xA05050A0, 0xA0A5A5A0, 0x96000000, 0x40804080, 0xA9A8A9A8, 0xAAAAAA44, 0x2A4A5254,
};

/* In each subset after the first, the texel whose index has one bit less. */
static const uint8_t anchor_of_two[64] = {
    15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 2,  8, 2,  2, 8,
    8,  15, 2,  8,  2,  2,  8,  8,  2,  2,  15, 15, 6,  8,  2,  8,  15, 15, 2, 8,  2, 2,
    2,  15, 15, 6,  6,  2,  6,  8,  15, 15, 2,  2,  15, 15, 15, 15, 15, 2,  2, 15,
};
static const uint8_t second_anchor_of_three[64] = {
    3,  3,  15, 15, 8, 3,  15, 15, 8,  8,  6, 6,  6, 5,  3, 3,  3,  3,  8,  15, 3,  3,
    6,  10, 5,  8,  8, 6,  8,  5,  15, 15, 8, 15, 3, 5,  6, 10, 8,  15, 15, 3,  15, 5,
    15, 15, 15, 15, 3, 15, 5,  5,  5,  8,  5, 10, 5, 10, 8, 13, 15, 12, 3,  3,
};
static const uint8_t third_anchor_of_three[64] = {
    15, 8, 8, 3,  15, 15, 3,  8,  15, 15, 15, 15, 15, 15, 15, 8,  15, 8,  15, 3,  15, 8,
    15, 8, 3, 15, 6,  10, 15, 15, 10, 8,  15, 3,  15, 10, 10, 8,  9,  10, 6,  15, 8,  15,
    3,  6, 6, 8,  15, 3,  15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 3,  15, 15, 8,
};

static const uint8_t weights[5][16] = {
    {0},
    {0},
    {0, 21, 43, 64},
    {0, 9, 18, 27, 37, 46, 55, 64},
    {0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64},
};

struct bits {
    uint64_t low, high;
};

static unsigned take(struct bits *bits, unsigned count)
{
    unsigned value = (unsigned)(bits->low & ((UINT64_C(1) << count) - 1));

    if (count != 0) {
        bits->low = bits->low >> count | bits->high << (64 - count);
        bits->high >>= count;
    }
    return value;
}

static unsigned subset_of(const struct mode *mode, unsigned partition, int texel)
{
    if (mode->subsets == 1)
        return 0;
    return mode->subsets == 2 ? two_subsets[partition] >> texel & 1
                              : three_subsets[partition] >> 2 * texel & 3;
}

static bool is_anchor(const struct mode *mode, unsigned partition, int texel)
{
    return texel == 0 || (mode->subsets == 2 && texel == anchor_of_two[partition]) ||
           (mode->subsets == 3 && (texel == second_anchor_of_three[partition] ||
                                   texel == third_anchor_of_three[partition]));
}

/* Reads end points, and widens them to 8 bits. */
static void take_ends(struct bits *bits, const struct mode *mode, uint8_t ends[6][4])
{
    unsigned count = mode->subsets * 2u, lowest = mode->own_p || mode->shared_p;

    for (int channel = 0; channel < 4; channel++)
        for (unsigned i = 0; i < count; i++)
            ends[i][channel] =
                (uint8_t)take(bits, channel == 3 ? mode->alpha_bits : mode->colour_bits);
    for (unsigned i = 0, p = 0; lowest && i < count; i++) {
        if (mode->own_p || i % 2 == 0)
            p = take(bits, 1);
        for (int channel = 0; channel < 4; channel++)
            ends[i][channel] = (uint8_t)(ends[i][channel] << 1 | p);
    }
    for (unsigned i = 0; i < count; i++)
        for (int channel = 0; channel < 4; channel++) {
            unsigned size = (channel == 3 ? mode->alpha_bits : mode->colour_bits) + lowest;
            unsigned value = ends[i][channel] << (8 - size);

            ends[i][channel] = (uint8_t)(value | value >> size);
        }
    for (unsigned i = 0; mode->alpha_bits == 0 && i < count; i++)
        ends[i][3] = 255;
}

static void take_indices(struct bits *bits, const struct mode *mode, unsigned partition,
                         unsigned size, uint8_t indices[16])
{
    for (int i = 0; i < 16; i++)
        indices[i] = (uint8_t)take(bits, size - is_anchor(mode, partition, i));
}

static uint8_t mix(unsigned a, unsigned b, unsigned weight)
{
    return (uint8_t)(((64 - weight) * a + weight * b + 32) >> 6);
}

void bptc_decode(const uint8_t block[16], uint8_t to[64])
{
    struct bits bits = {bytes_le64(block), bytes_le64(block + 8)};
    unsigned number = (unsigned)__builtin_ctz(block[0] | 0x100u);
    unsigned partition, rotation, selector;
    uint8_t ends[6][4] = {{0}}, first[16], second[16];
    const uint8_t *colour_weights, *alpha_weights, *colour = first, *alpha = first;
    const struct mode *mode;

    memset(to, 0, 64);
    if (number == 8)
        return; /* reserved mode: transparent black */
    mode = &modes[number];
    take(&bits, number + 1);
    partition = take(&bits, mode->partition_bits);
    rotation = take(&bits, mode->rotation_bits);
    selector = take(&bits, mode->selector_bits);
    take_ends(&bits, mode, ends);
    take_indices(&bits, mode, partition, mode->index_bits, first);
    colour_weights = alpha_weights = weights[mode->index_bits];
    if (mode->second_bits != 0) {
        take_indices(&bits, mode, partition, mode->second_bits, second);
        alpha = second;
        alpha_weights = weights[mode->second_bits];
    }
    if (selector != 0) {
        colour = second;
        colour_weights = weights[mode->second_bits];
        alpha = first;
        alpha_weights = weights[mode->index_bits];
    }
    for (int i = 0; i < 16; i++, to += 4) {
        const uint8_t(*pair)[4] = (const uint8_t(*)[4])ends[subset_of(mode, partition, i) * 2];
        uint8_t swapped;

        for (int channel = 0; channel < 3; channel++)
            to[channel] = mix(pair[0][channel], pair[1][channel], colour_weights[colour[i]]);
        to[3] = mix(pair[0][3], pair[1][3], alpha_weights[alpha[i]]);
        if (rotation != 0) {
            swapped = to[3];
            to[3] = to[rotation - 1];
            to[rotation - 1] = swapped;
        }
    }
}

/* BC6H. */

/* Fields of a block: a channel of end points w, x, y and z; each subset has two. */
enum { RW, RX, RY, RZ, GW, GX, GY, GZ, BW, BX, BY, BZ, FIELDS };

enum { MAX_ORDER = 24 };

/* Consecutive bits of a field, ascending, or descending if `last` is less than `first`. */
struct run {
    uint8_t field, first, last;
};

static const struct half_mode {
    uint8_t number; /* in the lowest two or five bits */
    bool two;       /* two subsets */
    bool deltas;    /* x, y and z are differences from w */
    uint8_t bits;   /* of w */
    uint8_t delta_bits[3];
    struct run order[MAX_ORDER]; /* what follows the number; terminated by FIELDS */
} half_modes[] = {
    {0, true, true, 10, {5, 5, 5}, {{GY, 4, 4}, {BY, 4, 4}, {BZ, 4, 4}, {RW, 0, 9},
                                    {GW, 0, 9}, {BW, 0, 9}, {RX, 0, 4}, {GZ, 4, 4},
                                    {GY, 0, 3}, {GX, 0, 4}, {BZ, 0, 0}, {GZ, 0, 3},
                                    {BX, 0, 4}, {BZ, 1, 1}, {BY, 0, 3}, {RY, 0, 4},
                                    {BZ, 2, 2}, {RZ, 0, 4}, {BZ, 3, 3}, {FIELDS, 0, 0}}},
    {1, true, true, 7, {6, 6, 6}, {{GY, 5, 5}, {GZ, 4, 4}, {GZ, 5, 5}, {RW, 0, 6},    {BZ, 0, 0},
                                   {BZ, 1, 1}, {BY, 4, 4}, {GW, 0, 6}, {BY, 5, 5},    {BZ, 2, 2},
                                   {GY, 4, 4}, {BW, 0, 6}, {BZ, 3, 3}, {BZ, 5, 5},    {BZ, 4, 4},
                                   {RX, 0, 5}, {GY, 0, 3}, {GX, 0, 5}, {GZ, 0, 3},    {BX, 0, 5},
                                   {BY, 0, 3}, {RY, 0, 5}, {RZ, 0, 5}, {FIELDS, 0, 0}}},
    {2,
     true,
     true,
     11,
     {5, 4, 4},
     {{RW, 0, 9},
      {GW, 0, 9},
      {BW, 0, 9},
      {RX, 0, 4},
      {RW, 10, 10},
      {GY, 0, 3},
      {GX, 0, 3},
      {GW, 10, 10},
      {BZ, 0, 0},
      {GZ, 0, 3},
      {BX, 0, 3},
      {BW, 10, 10},
      {BZ, 1, 1},
      {BY, 0, 3},
      {RY, 0, 4},
      {BZ, 2, 2},
      {RZ, 0, 4},
      {BZ, 3, 3},
      {FIELDS, 0, 0}}},
    {6, true, true, 11, {4, 5, 4}, {{RW, 0, 9},    {GW, 0, 9}, {BW, 0, 9}, {RX, 0, 3},
                                    {RW, 10, 10},  {GZ, 4, 4}, {GY, 0, 3}, {GX, 0, 4},
                                    {GW, 10, 10},  {GZ, 0, 3}, {BX, 0, 3}, {BW, 10, 10},
                                    {BZ, 1, 1},    {BY, 0, 3}, {RY, 0, 3}, {BZ, 0, 0},
                                    {BZ, 2, 2},    {RZ, 0, 3}, {GY, 4, 4}, {BZ, 3, 3},
                                    {FIELDS, 0, 0}}},
    {10, true, true, 11, {4, 4, 5}, {{RW, 0, 9},    {GW, 0, 9}, {BW, 0, 9}, {RX, 0, 3},
                                     {RW, 10, 10},  {BY, 4, 4}, {GY, 0, 3}, {GX, 0, 3},
                                     {GW, 10, 10},  {BZ, 0, 0}, {GZ, 0, 3}, {BX, 0, 4},
                                     {BW, 10, 10},  {BY, 0, 3}, {RY, 0, 3}, {BZ, 1, 1},
                                     {BZ, 2, 2},    {RZ, 0, 3}, {BZ, 4, 4}, {BZ, 3, 3},
                                     {FIELDS, 0, 0}}},
    {14, true, true, 9, {5, 5, 5}, {{RW, 0, 8}, {BY, 4, 4}, {GW, 0, 8}, {GY, 4, 4},
                                    {BW, 0, 8}, {BZ, 4, 4}, {RX, 0, 4}, {GZ, 4, 4},
                                    {GY, 0, 3}, {GX, 0, 4}, {BZ, 0, 0}, {GZ, 0, 3},
                                    {BX, 0, 4}, {BZ, 1, 1}, {BY, 0, 3}, {RY, 0, 4},
                                    {BZ, 2, 2}, {RZ, 0, 4}, {BZ, 3, 3}, {FIELDS, 0, 0}}},
    {18, true, true, 8, {6, 5, 5}, {{RW, 0, 7}, {GZ, 4, 4}, {BY, 4, 4}, {GW, 0, 7},
                                    {BZ, 2, 2}, {GY, 4, 4}, {BW, 0, 7}, {BZ, 3, 3},
                                    {BZ, 4, 4}, {RX, 0, 5}, {GY, 0, 3}, {GX, 0, 4},
                                    {BZ, 0, 0}, {GZ, 0, 3}, {BX, 0, 4}, {BZ, 1, 1},
                                    {BY, 0, 3}, {RY, 0, 5}, {RZ, 0, 5}, {FIELDS, 0, 0}}},
    {22, true, true, 8, {5, 6, 5}, {{RW, 0, 7}, {BZ, 0, 0},    {BY, 4, 4}, {GW, 0, 7}, {GY, 5, 5},
                                    {GY, 4, 4}, {BW, 0, 7},    {GZ, 5, 5}, {BZ, 4, 4}, {RX, 0, 4},
                                    {GZ, 4, 4}, {GY, 0, 3},    {GX, 0, 5}, {GZ, 0, 3}, {BX, 0, 4},
                                    {BZ, 1, 1}, {BY, 0, 3},    {RY, 0, 4}, {BZ, 2, 2}, {RZ, 0, 4},
                                    {BZ, 3, 3}, {FIELDS, 0, 0}}},
    {26, true, true, 8, {5, 5, 6}, {{RW, 0, 7}, {BZ, 1, 1},    {BY, 4, 4}, {GW, 0, 7}, {BY, 5, 5},
                                    {GY, 4, 4}, {BW, 0, 7},    {BZ, 5, 5}, {BZ, 4, 4}, {RX, 0, 4},
                                    {GZ, 4, 4}, {GY, 0, 3},    {GX, 0, 4}, {BZ, 0, 0}, {GZ, 0, 3},
                                    {BX, 0, 5}, {BY, 0, 3},    {RY, 0, 4}, {BZ, 2, 2}, {RZ, 0, 4},
                                    {BZ, 3, 3}, {FIELDS, 0, 0}}},
    {30, true, false, 6, {6, 6, 6}, {{RW, 0, 5}, {GZ, 4, 4}, {BZ, 0, 0}, {BZ, 1, 1},    {BY, 4, 4},
                                     {GW, 0, 5}, {GY, 5, 5}, {BY, 5, 5}, {BZ, 2, 2},    {GY, 4, 4},
                                     {BW, 0, 5}, {GZ, 5, 5}, {BZ, 3, 3}, {BZ, 5, 5},    {BZ, 4, 4},
                                     {RX, 0, 5}, {GY, 0, 3}, {GX, 0, 5}, {GZ, 0, 3},    {BX, 0, 5},
                                     {BY, 0, 3}, {RY, 0, 5}, {RZ, 0, 5}, {FIELDS, 0, 0}}},
    {3,
     false,
     false,
     10,
     {10, 10, 10},
     {{RW, 0, 9}, {GW, 0, 9}, {BW, 0, 9}, {RX, 0, 9}, {GX, 0, 9}, {BX, 0, 9}, {FIELDS, 0, 0}}},
    {7,
     false,
     true,
     11,
     {9, 9, 9},
     {{RW, 0, 9},
      {GW, 0, 9},
      {BW, 0, 9},
      {RX, 0, 8},
      {RW, 10, 10},
      {GX, 0, 8},
      {GW, 10, 10},
      {BX, 0, 8},
      {BW, 10, 10},
      {FIELDS, 0, 0}}},
    {11,
     false,
     true,
     12,
     {8, 8, 8},
     {{RW, 0, 9},
      {GW, 0, 9},
      {BW, 0, 9},
      {RX, 0, 7},
      {RW, 11, 10},
      {GX, 0, 7},
      {GW, 11, 10},
      {BX, 0, 7},
      {BW, 11, 10},
      {FIELDS, 0, 0}}},
    {15,
     false,
     true,
     16,
     {4, 4, 4},
     {{RW, 0, 9},
      {GW, 0, 9},
      {BW, 0, 9},
      {RX, 0, 3},
      {RW, 15, 10},
      {GX, 0, 3},
      {GW, 15, 10},
      {BX, 0, 3},
      {BW, 15, 10},
      {FIELDS, 0, 0}}},
};

static const struct half_mode *take_half_mode(struct bits *bits)
{
    unsigned number = take(bits, 2);

    if (number >= 2)
        number |= take(bits, 3) << 2;
    for (size_t n = 0; n < sizeof(half_modes) / sizeof(half_modes[0]); n++)
        if (half_modes[n].number == number)
            return &half_modes[n];
    return NULL;
}

static void take_fields(struct bits *bits, const struct half_mode *mode, int32_t fields[FIELDS])
{
    for (const struct run *run = mode->order; run->field != FIELDS; run++) {
        int step = run->last >= run->first ? 1 : -1;

        for (int bit = run->first; bit != run->last + step; bit += step)
            fields[run->field] |= (int32_t)(take(bits, 1) << bit);
    }
}

static int32_t with_sign(int32_t value, unsigned bits)
{
    int32_t sign = (int32_t)1 << (bits - 1);

    return bits < 32 ? (value ^ sign) - sign : value;
}

/* Computes a channel's end points as numbers of the mode's width. */
static void resolve(const struct half_mode *mode, bool is_signed, unsigned delta_bits,
                    int32_t ends[4])
{
    if (is_signed)
        ends[0] = with_sign(ends[0], mode->bits);
    for (unsigned n = 1; n < 4; n++) {
        if (mode->deltas)
            ends[n] = (ends[0] + with_sign(ends[n], delta_bits)) & ((1 << mode->bits) - 1);
        if (is_signed)
            ends[n] = with_sign(ends[n], mode->bits);
    }
}

static int32_t widen(int32_t value, unsigned bits, bool is_signed)
{
    int32_t max, size = value < 0 ? -value : value;

    if (!is_signed) {
        max = (1 << bits) - 1;
        return bits >= 15     ? value
               : value == 0   ? 0
               : value == max ? 0xFFFF
                              : ((value << 15) + 0x4000) >> (bits - 1);
    }
    if (bits >= 16)
        return value;
    max = (1 << (bits - 1)) - 1;
    size = size == 0 ? 0 : size >= max ? 0x7FFF : ((size << 15) + 0x4000) >> (bits - 1);
    return value < 0 ? -size : size;
}

/* Returns the half float of an interpolated value. */
static uint16_t to_half(int32_t value, bool is_signed)
{
    if (!is_signed)
        return (uint16_t)(value * 31 >> 6);
    return value < 0 ? (uint16_t)(0x8000 | (-value * 31 >> 5)) : (uint16_t)(value * 31 >> 5);
}

void bptc_decode_halves(const uint8_t block[16], bool is_signed, uint16_t to[48])
{
    static const struct mode subsets[] = {{.subsets = 1}, {.subsets = 2}};
    struct bits bits = {bytes_le64(block), bytes_le64(block + 8)};
    const struct half_mode *mode = take_half_mode(&bits);
    int32_t fields[FIELDS] = {0};
    unsigned partition = 0, size;
    uint8_t indices[16];

    memset(to, 0, 48 * sizeof(*to));
    if (mode == NULL)
        return; /* reserved mode: black */
    take_fields(&bits, mode, fields);
    if (mode->two)
        partition = take(&bits, 5);
    size = mode->two ? 3 : 4;
    take_indices(&bits, &subsets[mode->two], partition, size, indices);
    for (unsigned channel = 0; channel < 3; channel++) {
        int32_t *ends = fields + (size_t)4 * channel;

        resolve(mode, is_signed, mode->delta_bits[channel], ends);
        for (unsigned n = 0; n < 4; n++)
            ends[n] = widen(ends[n], mode->bits, is_signed);
        for (int i = 0; i < 16; i++) {
            const int32_t *pair = ends + (size_t)2 * subset_of(&subsets[mode->two], partition, i);
            int32_t weight = weights[size][indices[i]];

            to[3 * i + (int)channel] =
                to_half((pair[0] * (64 - weight) + pair[1] * weight + 32) >> 6, is_signed);
        }
    }
}

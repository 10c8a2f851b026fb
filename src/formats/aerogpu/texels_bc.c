/*
 * Blocks of 4x4 texels. BC1 to BC3 mix two 565 colours, rounding down; BC7 has eight
 * modes, whose bits are laid out by one table.
 */
#include "formats/aerogpu/texels.h"

#include "core/bytes.h"

#include <string.h>

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

/* How BC7's modes divide their 128 bits. */
static const struct mode {
    uint8_t subsets, partition_bits, rotation_bits, selector_bits;
    uint8_t colour_bits, alpha_bits;
    bool own_p, shared_p; /* a lowest bit for each end point, or for both of a subset */
    uint8_t index_bits, second_bits;
} modes[8] = {
    {3, 4, 0, 0, 4, 0, true, false, 3, 0},  {2, 6, 0, 0, 6, 0, false, true, 3, 0},
    {3, 6, 0, 0, 5, 0, false, false, 2, 0}, {2, 6, 0, 0, 7, 0, true, false, 2, 0},
    {1, 0, 2, 1, 5, 6, false, false, 2, 3}, {1, 0, 2, 0, 7, 8, false, false, 2, 2},
    {1, 0, 0, 0, 7, 7, true, false, 4, 0},  {2, 6, 0, 0, 5, 5, true, false, 2, 0},
};

/* Which texels are of the second subset, as bits. */
static const uint16_t two_subsets[64] = {
    0xCCCC, 0x8888, 0xEEEE, 0xECC8, 0xC880, 0xFEEC, 0xFEC8, 0xEC80, 0xC800, 0xFFEC, 0xFE80,
    0xE800, 0xFFE8, 0xFF00, 0xFFF0, 0xF000, 0xF710, 0x008E, 0x7100, 0x08CE, 0x008C, 0x7310,
    0x3100, 0x8CCE, 0x088C, 0x3110, 0x6666, 0x366C, 0x17E8, 0x0FF0, 0x718E, 0x399C, 0xAAAA,
    0xF0F0, 0x5A5A, 0x33CC, 0x3C3C, 0x55AA, 0x9696, 0xA55A, 0x73CE, 0x13C8, 0x324C, 0x3BDC,
    0x6996, 0xC33C, 0x9966, 0x0660, 0x0272, 0x04E4, 0x4E40, 0x2720, 0xC936, 0x936C, 0x39C6,
    0x639C, 0x9336, 0x9CC6, 0x817E, 0xE718, 0xCCF0, 0x0FCC, 0x7744, 0xEE22,
};

/* Two bits for each texel. */
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

/* The texel of each further subset whose index has one bit less. */
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

/* End points as they stand, then as 8 bits. */
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

void aerogpu_bc7_decode(const uint8_t block[16], uint8_t to[64])
{
    struct bits bits = {bytes_le64(block), bytes_le64(block + 8)};
    unsigned number = (unsigned)__builtin_ctz(block[0] | 0x100u);
    unsigned partition, rotation, selector;
    uint8_t ends[6][4] = {{0}}, first[16], second[16];
    const uint8_t *colour_weights, *alpha_weights, *colour = first, *alpha = first;
    const struct mode *mode;

    memset(to, 0, 64);
    if (number == 8)
        return; /* reserved: transparent black */
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

/* SPDX-License-Identifier: MIT */
/*
 * A block of ASTC has 128 bits. It mixes two colours, the end points, for each texel by a weight;
 * the weights are on a small grid that is interpolated to the block's size. A block may have up to
 * four partitions, each with end points of its own.
 *
 * The head comes first: the mode, which has the size of the grid and the range of the weights; the
 * partitions; and how end points are encoded. The end points follow it. The weights are written
 * backwards from the last bit of the block. Both are sequences of numbers from 0 to a maximum,
 * several of which share their trits or quints (struct range). The space between head and weights
 * determines the range, and so the precision, of the end points.
 */
#include "image/pixel_format.h"

#include "base/bytes.h"

#include <string.h>

enum {
    VOID_EXTENT = 0x1FC,
    MAX_WEIGHTS = 64,
    MIN_WEIGHT_BITS = 24,
    MAX_WEIGHT_BITS = 96,
    MAX_VALUES = 18, /* of all colours together */
    MAX_PARTITIONS = 4,
    MIN_COLOUR_RANGE = 4, /* values 0 to 5 */
    FEW_TEXELS = 31,
};

/* Numbers from 0 to a maximum: some bits, and a trit or a quint above them. */
static const struct range {
    uint8_t trits, quints, bits;
} ranges[] = {
    {0, 0, 1}, {1, 0, 0}, {0, 0, 2}, {0, 1, 0}, {1, 0, 1}, {0, 0, 3}, {0, 1, 1},
    {1, 0, 2}, {0, 0, 4}, {0, 1, 2}, {1, 0, 3}, {0, 0, 5}, {0, 1, 3}, {1, 0, 4},
    {0, 0, 6}, {0, 1, 4}, {1, 0, 5}, {0, 0, 7}, {0, 1, 5}, {1, 0, 6}, {0, 0, 8},
};

enum { RANGES = sizeof(ranges) / sizeof(ranges[0]) };

/* A block with its colours and weights as full numbers. */
struct decoded {
    unsigned width, height;
    unsigned grid_width, grid_height, planes;
    unsigned second; /* channel with weights of its own; 4 if none */
    unsigned partitions, partition;
    uint8_t weights[MAX_WEIGHTS];
    uint8_t ends[MAX_PARTITIONS][2][4];
};

struct bits {
    uint64_t low, high;
};

/* Returns `count` bits from `at` on, at most 32. Bits from 128 on are 0. */
static unsigned get(const struct bits *bits, unsigned at, unsigned count)
{
    uint64_t value;

    if (at >= 128 || count == 0)
        return 0;
    if (at >= 64)
        value = bits->high >> (at - 64);
    else
        value = bits->low >> at | (at > 0 ? bits->high << (64 - at) : 0);
    return (unsigned)(value & ((UINT64_C(1) << count) - 1));
}

static uint64_t reverse(uint64_t value)
{
    uint64_t reversed = 0;

    for (unsigned n = 0; n < 64; n++)
        reversed |= (value >> n & 1) << (63 - n);
    return reversed;
}

/* Numbers. */

static unsigned sequence_bits(const struct range *range, unsigned count)
{
    return count * range->bits + (range->trits ? (8 * count + 4) / 5 : 0) +
           (range->quints ? (7 * count + 2) / 3 : 0);
}

/* Unpacks five trits from eight bits. */
static void split_trits(unsigned packed, uint8_t out[5])
{
    unsigned c;

    if ((packed >> 2 & 7) == 7) {
        c = (packed >> 5 & 7) << 2 | (packed & 3);
        out[4] = out[3] = 2;
    } else {
        c = packed & 31;
        out[4] = (packed >> 5 & 3) == 3 ? 2 : (uint8_t)(packed >> 7 & 1);
        out[3] = (uint8_t)((packed >> 5 & 3) == 3 ? packed >> 7 & 1 : packed >> 5 & 3);
    }
    if ((c & 3) == 3) {
        out[2] = 2;
        out[1] = (uint8_t)(c >> 4 & 1);
        out[0] = (uint8_t)((c >> 3 & 1) << 1 | (c >> 2 & ~(c >> 3) & 1));
    } else if ((c >> 2 & 3) == 3) {
        out[2] = out[1] = 2;
        out[0] = (uint8_t)(c & 3);
    } else {
        out[2] = (uint8_t)(c >> 4 & 1);
        out[1] = (uint8_t)(c >> 2 & 3);
        out[0] = (uint8_t)((c >> 1 & 1) << 1 | (c & ~(c >> 1) & 1));
    }
}

/* Unpacks three quints from seven bits. */
static void split_quints(unsigned packed, uint8_t out[5])
{
    unsigned c;

    if ((packed >> 1 & 3) == 3 && packed >> 5 == 0) {
        unsigned low = packed & 1;

        out[2] = (uint8_t)(low << 2 | (packed >> 4 & 1 & ~low) << 1 | (packed >> 3 & 1 & ~low));
        out[1] = out[0] = 4;
        return;
    }
    if ((packed >> 1 & 3) == 3) {
        out[2] = 4;
        c = (packed >> 3 & 3) << 3 | (~(packed >> 5) & 3) << 1 | (packed & 1);
    } else {
        out[2] = (uint8_t)(packed >> 5 & 3);
        c = packed & 31;
    }
    if ((c & 7) == 5) {
        out[1] = 4;
        out[0] = (uint8_t)(c >> 3);
    } else {
        out[1] = (uint8_t)(c >> 3);
        out[0] = (uint8_t)(c & 7);
    }
}

/*
 * Reads a group of values, whose bits alternate with those of the trits or quints. Returns the bit
 * after the group.
 */
static unsigned read_group(const struct bits *bits, unsigned at, const struct range *range,
                           unsigned count, uint8_t low[5], uint8_t high[5])
{
    static const uint8_t trit_bits[5] = {2, 2, 1, 2, 1}, quint_bits[3] = {3, 2, 2};
    unsigned members = range->trits ? 5 : range->quints ? 3 : 1, packed = 0, have = 0;

    for (unsigned n = 0; n < members && n < count; n++) {
        unsigned extra = range->trits ? trit_bits[n] : range->quints ? quint_bits[n] : 0;

        low[n] = (uint8_t)get(bits, at, range->bits);
        packed |= get(bits, at + range->bits, extra) << have;
        at += range->bits + extra;
        have += extra;
    }
    if (range->trits)
        split_trits(packed, high);
    else if (range->quints)
        split_quints(packed, high);
    return at;
}

/* Reads `count` numbers between two positions, as their low bits and the trit or quint above. */
static void read_sequence(const struct bits *bits, unsigned at, unsigned end,
                          const struct range *range, unsigned count, uint8_t *low, uint8_t *high)
{
    unsigned members = range->trits ? 5 : range->quints ? 3 : 1;
    struct bits mine = *bits;

    /* a truncated group is padded with zeros */
    if (end < 64) {
        mine.low &= (UINT64_C(1) << end) - 1;
        mine.high = 0;
    } else if (end < 128) {
        mine.high &= (UINT64_C(1) << (end - 64)) - 1;
    }
    for (unsigned n = 0; n < count; n += members) {
        uint8_t group_low[5] = {0}, group_high[5] = {0};

        at = read_group(&mine, at, range, count - n, group_low, group_high);
        for (unsigned i = 0; i < members && n + i < count; i++) {
            low[n + i] = group_low[i];
            high[n + i] = group_high[i];
        }
    }
}

/* Repeats the bits of `value` from the top down, to fill `width` bits. */
static unsigned replicate(unsigned value, unsigned bits, unsigned width)
{
    unsigned filled = 0;
    int shift = (int)width - (int)bits;

    for (; shift >= 0; shift -= (int)bits)
        filled |= value << shift;
    return filled | (shift + (int)bits > 0 ? value >> -shift : 0);
}

/*
 * Scales a number with a trit or quint to the full range: the lowest bit inverts all others, the
 * other bits are spread by a mask, and each step of the trit or quint adds a constant.
 */
static unsigned spread_colour(const struct range *range, unsigned low, unsigned high)
{
    static const uint8_t trit_steps[7] = {0, 204, 93, 44, 22, 11, 5},
                         quint_steps[6] = {0, 113, 54, 26, 13, 6};
    unsigned turned = low & 1 ? 0x1FF : 0, upper = low >> 1, spread = 0;

    switch (range->bits) {
    case 2:
        spread = range->trits ? upper * 0x116 : upper * 0x10C;
        break;
    case 3:
        spread =
            range->trits ? upper << 7 | upper << 2 | upper : upper << 7 | upper << 1 | upper >> 1;
        break;
    case 4:
        spread = range->trits ? upper << 6 | upper : upper << 6 | upper >> 1;
        break;
    case 5:
        spread = range->trits ? upper << 5 | upper >> 2 : upper << 5 | upper >> 3;
        break;
    case 6:
        spread = upper << 4 | upper >> 4;
        break;
    default:
        break;
    }
    spread += high * (range->trits ? trit_steps[range->bits] : quint_steps[range->bits]);
    spread ^= turned;
    return (turned & 0x80) | spread >> 2;
}

static uint8_t widen_colour(const struct range *range, unsigned low, unsigned high)
{
    if (!range->trits && !range->quints)
        return (uint8_t)replicate(low, range->bits, 8);
    return (uint8_t)spread_colour(range, low, high);
}

static unsigned spread_weight(const struct range *range, unsigned low, unsigned high)
{
    static const uint8_t trit_steps[4] = {0, 50, 23, 11}, quint_steps[3] = {0, 28, 13};
    unsigned turned = low & 1 ? 0x7F : 0, upper = low >> 1, spread = 0;

    if (range->bits == 2)
        spread = range->trits ? upper * 0x45 : upper * 0x42;
    else if (range->bits == 3)
        spread = upper << 5 | upper;
    spread += high * (range->trits ? trit_steps[range->bits] : quint_steps[range->bits]);
    spread ^= turned;
    return (turned & 0x20) | spread >> 2;
}

/* Scales a weight to 0 to 64. */
static uint8_t widen_weight(const struct range *range, unsigned low, unsigned high)
{
    static const uint8_t trits[3] = {0, 32, 63}, quints[5] = {0, 16, 32, 47, 63};
    unsigned weight;

    if (!range->trits && !range->quints)
        weight = replicate(low, range->bits, 6);
    else if (range->bits == 0)
        weight = range->trits ? trits[high] : quints[high];
    else
        weight = spread_weight(range, low, high);
    return (uint8_t)(weight > 32 ? weight + 1 : weight);
}

/* The colour of what cannot be decoded. */
static const uint8_t magenta[4] = {255, 0, 255, 255};

static void fill(const uint8_t colour[4], unsigned count, uint8_t *to)
{
    for (unsigned n = 0; n < count; n++)
        memcpy(to + (size_t)4 * n, colour, 4);
}

/* The head. */

/*
 * Reads the grid and the range of weights from the 11 bits of the mode. Returns false if it is
 * reserved.
 */
static bool read_mode(unsigned mode, struct decoded *out, const struct range **range)
{
    unsigned a = mode >> 5 & 3, b = mode >> 7 & 3, fine = mode >> 9 & 1, two = mode >> 10 & 1;
    unsigned number = mode >> 4 & 1;

    if ((mode & 3) != 0) {
        number |= (mode & 3) << 1;
        switch (mode >> 2 & 3) {
        case 0:
            out->grid_width = b + 4;
            out->grid_height = a + 2;
            break;
        case 1:
            out->grid_width = b + 8;
            out->grid_height = a + 2;
            break;
        case 2:
            out->grid_width = a + 2;
            out->grid_height = b + 8;
            break;
        default:
            out->grid_width = b & 2 ? (b & 1) + 2 : a + 2;
            out->grid_height = b & 2 ? a + 2 : (b & 1) + 6;
            break;
        }
    } else {
        number |= (mode >> 2 & 3) << 1;
        switch (b) {
        case 0:
            out->grid_width = 12;
            out->grid_height = a + 2;
            break;
        case 1:
            out->grid_width = a + 2;
            out->grid_height = 12;
            break;
        case 2:
            out->grid_width = a + 6;
            out->grid_height = (mode >> 9 & 3) + 6;
            fine = two = 0;
            break;
        default:
            if (a > 1)
                return false;
            out->grid_width = a == 0 ? 6 : 10;
            out->grid_height = a == 0 ? 10 : 6;
            break;
        }
    }
    out->planes = two + 1;
    if (number < 2)
        return false;
    *range = &ranges[number - 2 + 6 * fine];
    return true;
}

/* Colours. */

struct colour {
    int channels[4];
};

static void put(const struct colour *colour, uint8_t out[4])
{
    for (unsigned n = 0; n < 4; n++) {
        int value = colour->channels[n];

        out[n] = (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
    }
}

/* Stores two colours. If `turned`, swaps them, and moves red and green halfway towards blue. */
static void put_pair(struct colour first, struct colour second, bool turned, uint8_t out[2][4])
{
    if (turned) {
        struct colour kept = first;

        first = second;
        second = kept;
        for (unsigned n = 0; n < 2; n++) {
            first.channels[n] = (first.channels[n] + first.channels[2]) >> 1;
            second.channels[n] = (second.channels[n] + second.channels[2]) >> 1;
        }
    }
    put(&first, out[0]);
    put(&second, out[1]);
}

/* Moves a bit from an offset to its base, and sign-extends the offset. */
static void move_bit(int *offset, int *base)
{
    *base = *base >> 1 | (*offset & 0x80);
    *offset = *offset >> 1 & 0x3F;
    if (*offset & 0x20)
        *offset -= 0x40;
}

/* Decodes red, green, blue and possibly alpha, each as base and offset. */
static void put_offsets(int *v, unsigned channels, uint8_t out[2][4])
{
    struct colour base = {{0, 0, 0, 255}}, sum = {{0, 0, 0, 255}};
    int total = 0;

    for (unsigned n = 0; n < channels; n++) {
        move_bit(&v[2 * n + 1], &v[2 * n]);
        base.channels[n] = v[2 * n];
        sum.channels[n] = v[2 * n] + v[2 * n + 1];
        total += n < 3 ? v[2 * n + 1] : 0;
    }
    put_pair(base, sum, total < 0, out);
}

static void put_direct(const int *v, unsigned channels, uint8_t out[2][4])
{
    struct colour first = {{0, 0, 0, 255}}, second = {{0, 0, 0, 255}};

    for (unsigned n = 0; n < channels; n++) {
        first.channels[n] = v[2 * n];
        second.channels[n] = v[2 * n + 1];
    }
    put_pair(first, second, v[1] + v[3] + v[5] < v[0] + v[2] + v[4], out);
}

static void put_grey(int first, int second, int first_alpha, int second_alpha, uint8_t out[2][4])
{
    const struct colour low = {{first, first, first, first_alpha}};
    const struct colour high = {{second, second, second, second_alpha}};

    put(&low, out[0]);
    put(&high, out[1]);
}

static void put_scaled(const int *v, int first_alpha, int second_alpha, uint8_t out[2][4])
{
    const struct colour low = {{v[0] * v[3] >> 8, v[1] * v[3] >> 8, v[2] * v[3] >> 8, first_alpha}};
    const struct colour high = {{v[0], v[1], v[2], second_alpha}};

    put(&low, out[0]);
    put(&high, out[1]);
}

/*
 * Decodes two end points from the values `v` in one of 16 modes. Returns false if the mode is for
 * HDR.
 */
static bool read_ends(unsigned way, int *v, uint8_t out[2][4])
{
    int base;

    switch (way) {
    case 0:
        put_grey(v[0], v[1], 255, 255, out);
        return true;
    case 1:
        base = v[0] >> 2 | (v[1] & 0xC0);
        put_grey(base, base + (v[1] & 0x3F), 255, 255, out);
        return true;
    case 4:
        put_grey(v[0], v[1], v[2], v[3], out);
        return true;
    case 5:
        move_bit(&v[1], &v[0]);
        move_bit(&v[3], &v[2]);
        put_grey(v[0], v[0] + v[1], v[2], v[2] + v[3], out);
        return true;
    case 6:
        put_scaled(v, 255, 255, out);
        return true;
    case 8:
        put_direct(v, 3, out);
        return true;
    case 9:
        put_offsets(v, 3, out);
        return true;
    case 10:
        put_scaled(v, v[4], v[5], out);
        return true;
    case 12:
        put_direct(v, 4, out);
        return true;
    case 13:
        put_offsets(v, 4, out);
        return true;
    default:
        return false;
    }
}

/*
 * Reads the modes of each partition's end points. Returns the bit at which the colours begin;
 * reduces `*below`, where they end, by the bits that it takes there.
 */
static unsigned read_ways(const struct bits *bits, unsigned *below, struct decoded *out,
                          unsigned ways[MAX_PARTITIONS])
{
    unsigned count = out->partitions, told, extra;

    if (count == 1) {
        ways[0] = get(bits, 13, 4);
        return 17;
    }
    out->partition = get(bits, 13, 10);
    told = get(bits, 23, 6);
    if ((told & 3) == 0) {
        for (unsigned n = 0; n < count; n++)
            ways[n] = told >> 2;
        return 29;
    }
    extra = 3 * count - 4;
    *below -= extra;
    told |= get(bits, *below, extra) << 6;
    for (unsigned n = 0; n < count; n++)
        ways[n] = ((told & 3) - 1 + (told >> (2 + n) & 1)) << 2 | (told >> (2 + count + 2 * n) & 3);
    return 29;
}

static bool read_colours(const struct bits *bits, unsigned at, unsigned end,
                         const unsigned ways[MAX_PARTITIONS], struct decoded *out)
{
    unsigned count = 0, range = RANGES, done = 0;
    uint8_t low[MAX_VALUES], high[MAX_VALUES];

    for (unsigned n = 0; n < out->partitions; n++)
        count += 2 * (ways[n] / 4 + 1);
    if (count > MAX_VALUES || end < at)
        return false;
    while (range > MIN_COLOUR_RANGE && sequence_bits(&ranges[range - 1], count) > end - at)
        range--;
    if (range == MIN_COLOUR_RANGE)
        return false;
    range--;
    read_sequence(bits, at, at + sequence_bits(&ranges[range], count), &ranges[range], count, low,
                  high);
    for (unsigned n = 0; n < out->partitions; n++) {
        unsigned values = 2 * (ways[n] / 4 + 1);
        int v[8] = {0};

        for (unsigned i = 0; i < values; i++, done++)
            v[i] = widen_colour(&ranges[range], low[done], high[done]);
        if (!read_ends(ways[n], v, out->ends[n]))
            fill(magenta, 2, out->ends[n][0]);
    }
    return true;
}

static void read_weights(const struct bits *bits, const struct range *range, unsigned count,
                         struct decoded *out)
{
    const struct bits turned = {reverse(bits->high), reverse(bits->low)};
    uint8_t low[MAX_WEIGHTS], high[MAX_WEIGHTS];

    read_sequence(&turned, 0, sequence_bits(range, count), range, count, low, high);
    for (unsigned n = 0; n < count; n++)
        out->weights[n] = widen_weight(range, low[n], high[n]);
}

static bool read_block(const struct bits *bits, struct decoded *out)
{
    const struct range *range = NULL;
    unsigned ways[MAX_PARTITIONS], count, weight_bits, below, at;

    if (!read_mode(get(bits, 0, 11), out, &range))
        return false;
    count = out->grid_width * out->grid_height * out->planes;
    if (count > MAX_WEIGHTS || out->grid_width > out->width || out->grid_height > out->height)
        return false;
    weight_bits = sequence_bits(range, count);
    out->partitions = get(bits, 11, 2) + 1;
    if (weight_bits < MIN_WEIGHT_BITS || weight_bits > MAX_WEIGHT_BITS ||
        (out->partitions == MAX_PARTITIONS && out->planes == 2))
        return false;
    below = 128 - weight_bits;
    at = read_ways(bits, &below, out, ways);
    out->second = 4;
    if (out->planes == 2) {
        below -= 2;
        out->second = get(bits, below, 2);
    }
    read_weights(bits, range, count, out);
    return read_colours(bits, at, below, ways, out);
}

/* Texels. */

static uint32_t hash(uint32_t value)
{
    value ^= value >> 15;
    value *= 0xEEDE0891; /* (1 - 2^17)(1 + 2^7)(1 + 2^4) and so on, modulo 2^32 */
    value ^= value >> 5;
    value += value << 16;
    value ^= value >> 7;
    value ^= value >> 3;
    value ^= value << 6;
    return value ^ value >> 17;
}

static unsigned partition_of(const struct decoded *block, unsigned x, unsigned y)
{
    static const uint8_t places[8] = {0, 4, 8, 12, 16, 20, 24, 28};
    unsigned count = block->partitions, seed = block->partition + (count - 1) * 1024;
    uint32_t random = hash(seed);
    unsigned three = count == 3 ? 6 : 5, odd = seed & 2 ? 4 : 5;
    unsigned shifts[2] = {seed & 1 ? odd : three, seed & 1 ? three : odd}, sums[4];

    if (count == 1)
        return 0;
    if (block->width * block->height < FEW_TEXELS) {
        x *= 2;
        y *= 2;
    }
    for (unsigned n = 0; n < 4; n++) {
        unsigned first = random >> places[2 * n] & 15, second = random >> places[2 * n + 1] & 15;

        sums[n] = ((first * first >> shifts[0]) * x + (second * second >> shifts[1]) * y +
                   (random >> (14 - 4 * n))) &
                  63;
    }
    if (count < 4)
        sums[3] = 0;
    if (count < 3)
        sums[2] = 0;
    if (sums[0] >= sums[1] && sums[0] >= sums[2] && sums[0] >= sums[3])
        return 0;
    if (sums[1] >= sums[2] && sums[1] >= sums[3])
        return 1;
    return sums[2] >= sums[3] ? 2 : 3;
}

/* Interpolates a texel's weight from those of the grid around it. */
static unsigned weight_at(const struct decoded *block, unsigned x, unsigned y, unsigned plane)
{
    unsigned across = (1024 + block->width / 2) / (block->width - 1);
    unsigned down = (1024 + block->height / 2) / (block->height - 1);
    unsigned s = (across * x * (block->grid_width - 1) + 32) >> 6;
    unsigned t = (down * y * (block->grid_height - 1) + 32) >> 6;
    unsigned fs = s & 15, ft = t & 15, both = (fs * ft + 8) >> 4;
    unsigned place = (s >> 4) + (t >> 4) * block->grid_width, sum = 8;
    const unsigned parts[4][2] = {{place, 16 - fs - ft + both},
                                  {place + 1, fs - both},
                                  {place + block->grid_width, ft - both},
                                  {place + block->grid_width + 1, both}};

    for (unsigned n = 0; n < 4; n++)
        if (parts[n][1] > 0) /* nothing outside the grid contributes */
            sum += block->weights[parts[n][0] * block->planes + plane] * parts[n][1];
    return sum >> 4;
}

static void write_texel(const struct decoded *block, unsigned x, unsigned y, bool srgb,
                        uint8_t to[4])
{
    const uint8_t(*ends)[4] = block->ends[partition_of(block, x, y)];
    unsigned weights[2] = {weight_at(block, x, y, 0), 0};

    if (block->planes == 2)
        weights[1] = weight_at(block, x, y, 1);
    for (unsigned n = 0; n < 4; n++) {
        unsigned weight = weights[n == block->second];
        unsigned first = ends[0][n] << 8 | (srgb ? 0x80 : ends[0][n]);
        unsigned second = ends[1][n] << 8 | (srgb ? 0x80 : ends[1][n]);

        to[n] = (uint8_t)((first * (64 - weight) + second * weight + 32) >> 14);
    }
}

/*
 * Reads a block of one colour, and its extent. Returns false if it is HDR, or the extent is empty.
 */
static bool read_void_extent(const struct bits *bits, uint8_t colour[4])
{
    unsigned s0 = get(bits, 12, 13), s1 = get(bits, 25, 13);
    unsigned t0 = get(bits, 38, 13), t1 = get(bits, 51, 13);
    bool everywhere = (s0 & s1 & t0 & t1) == 0x1FFF;

    for (unsigned n = 0; n < 4; n++)
        colour[n] = (uint8_t)(bits->high >> (16 * n + 8));
    return get(bits, 9, 1) == 0 && (everywhere || (s0 < s1 && t0 < t1));
}

void astc_decode(const uint8_t block[16], unsigned width, unsigned height, bool srgb, uint8_t *to)
{
    const struct bits bits = {bytes_le64(block), bytes_le64(block + 8)};
    struct decoded decoded = {.width = width, .height = height};
    uint8_t colour[4];

    if (get(&bits, 0, 9) == VOID_EXTENT) {
        bool good = read_void_extent(&bits, colour);

        fill(good ? colour : magenta, width * height, to);
    } else if (!read_block(&bits, &decoded)) {
        fill(magenta, width * height, to);
    } else {
        for (unsigned y = 0; y < height; y++)
            for (unsigned x = 0; x < width; x++, to += 4)
                write_texel(&decoded, x, y, srgb, to);
    }
}

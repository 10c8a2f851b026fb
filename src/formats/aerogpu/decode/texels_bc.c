/* Blocks of 4x4 texels: BC1 to BC3 mix two 565 colours, rounding down. */
#include "formats/aerogpu/decode/texels.h"

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

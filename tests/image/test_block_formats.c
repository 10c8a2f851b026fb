/* SPDX-License-Identifier: MIT */
/*
 * Pixel formats and block formats. The sums of random blocks of all modes of BC6H and ASTC are
 * those of Mesa 22.3, to the bit.
 */
#include "image/pixel_format.h"

#include "tests/support/support.h"

#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 4096 };

static void make_blocks(uint64_t seed, uint8_t (*blocks)[16])
{
    for (size_t n = 0; n < BLOCKS; n++)
        for (size_t byte = 0; byte < sizeof(*blocks); byte++)
            blocks[n][byte] = (uint8_t)(support_random(&seed) >> 24);
}

static void test_nothing(void **state)
{
    static const struct pixel_format channels =
        PIXEL_FORMAT(4, PIXEL_UNORM, PICTURE_RGBA, PIXEL_RGBA(8));
    static const struct pixel_format blocks = PIXEL_BLOCK(8, PIXEL_UNORM, PICTURE_RGBA, PIXEL_BC1);

    uint8_t to[64];

    (void)state;
    memset(to, 0x5A, sizeof(to));
    pixel_format_lines(&channels, NULL, 0, 0, 0, 0, to);
    pixel_format_lines(&blocks, NULL, 0, 0, 0, 0, to);
    pixel_format_lines(&blocks, NULL, 0, 4, 3, 0, to);
    for (size_t n = 0; n < sizeof(to); n++)
        assert_int_equal(to[n], 0x5A);
}

/* One pixel in memory, and the first bytes of its picture. */
static const struct {
    struct pixel_format format;
    uint8_t from[4], to[8];
} pixels[] = {
    {PIXEL_FORMAT(4, PIXEL_UNORM, PICTURE_RGBA, PIXEL_BGR(8)), {1, 2, 3, 4}, {3, 2, 1, 255}},
    {PIXEL_FORMAT(4, PIXEL_SRGB, PICTURE_RGBA, PIXEL_RGB(8)), {1, 2, 3, 4}, {1, 2, 3, 255}},
    {PIXEL_FORMAT(4, PIXEL_UNORM, PICTURE_RGBA, PIXEL_BITS(24, 8, 16, 8, 8, 8, 0, 8)),
     {1, 2, 3, 4},
     {4, 3, 2, 1}},
    /* rounded to nearest, and with the upper bits repeated: 3 of 31 */
    {PIXEL_FORMAT(2, PIXEL_UNORM, PICTURE_RGB, PIXEL_BITS(0, 5, 5, 6, 11, 5, 0, 0)), {3}, {25}},
    {PIXEL_FORMAT(2, PIXEL_WIDENED, PICTURE_RGBA, PIXEL_BITS(0, 5, 5, 6, 11, 5, 0, 0)),
     {3},
     {24, 0, 0, 255}},
    {PIXEL_FORMAT(1, PIXEL_SNORM, PICTURE_GREY, PIXEL_GREY(8)), {0x80}, {0}},
    {PIXEL_FORMAT(1, PIXEL_SINT, PICTURE_GREY, PIXEL_GREY(8)), {0x7F}, {0x7F}},
    {PIXEL_FORMAT(2, PIXEL_UINT, PICTURE_GREY, PIXEL_GREY(16)), {0, 1}, {255}},
    {PIXEL_FORMAT(2, PIXEL_FLOATING, PICTURE_GREY, PIXEL_GREY(16)), {0x00, 0x7E}, {0}},
    {PIXEL_FORMAT(2, PIXEL_FLOATING, PICTURE_GREY16, PIXEL_GREY(16)), {0x00, 0x38}, {0x80, 0}},
    {PIXEL_FORMAT(4, PIXEL_SHARED, PICTURE_RGB, PIXEL_BITS(0, 9, 9, 9, 18, 9, 0, 0)),
     {0, 1, 0, 0x80},
     {255}},
};

static void test_numbers(void **state)
{
    (void)state;
    for (size_t n = 0; n < COUNT_OF(pixels); n++) {
        uint8_t to[8] = {0};

        pixel_format_lines(&pixels[n].format, pixels[n].from, 0, 1, 0, 1, to);
        assert_memory_equal(to, pixels[n].to, pixels[n].format.look);
    }
}

/* Decoding all blocks at once gives the same as decoding them line by line. */
static void test_blocks_by_lines(void **state)
{
    enum { WIDTH = 4 * 64 - 3, HEIGHT = 4 * 32 - 1, PITCH = 64 * 16 };
    static const uint32_t sums[][2] = {
        {0xCC1AAF04, 0xCC1AAF04}, /* BC1 */
        {0xBFF41147, 0xBFF41147}, /* BC2 */
        {0x311B3A25, 0x311B3A25}, /* BC3 */
        {0xD879CD89, 0xD06C6007}, /* BC4 */
        {0x94F05A56, 0x5791E6E9}, /* BC5 */
        {0xE6363CA3, 0x79492475}, /* LATC2 */
        {0x3B241C61, 0x3B241C61}, /* ETC2 */
        {0x24C74534, 0x24C74534}, /* ETC2_A1 */
        {0x472A5483, 0x472A5483}, /* ETC2_EAC */
        {0x60C80512, 0x0928CB87}, /* EAC1 */
        {0x2C40F2D5, 0x65AD46B0}, /* EAC2 */
    };
    static uint8_t blocks[BLOCKS][16], all[4 * WIDTH * HEIGHT], line[4 * WIDTH];

    (void)state;
    make_blocks(3, blocks);
    for (unsigned kind = PIXEL_BC1; kind <= PIXEL_EAC2; kind++)
        for (unsigned is_signed = 0; is_signed < 2; is_signed++) {
            struct pixel_format format = PIXEL_BLOCK(16, is_signed ? PIXEL_SNORM : PIXEL_UNORM,
                                                     PICTURE_RGBA, (enum pixel_block)kind);

            pixel_format_lines(&format, blocks[0], PITCH, WIDTH, 0, HEIGHT, all);
            assert_int_equal(support_crc32(all, sizeof(all)), sums[kind - PIXEL_BC1][is_signed]);
            for (uint32_t y = 0; y < HEIGHT; y++) {
                pixel_format_lines(&format, blocks[0], PITCH, WIDTH, y, 1, line);
                assert_memory_equal(line, all + sizeof(line) * y, sizeof(line));
            }
        }
}

static void test_bc6h(void **state)
{
    static const uint8_t modes[] = {0, 1, 2, 6, 10, 14, 18, 22, 26, 30, 3, 7, 11, 15, 19, 31};
    static const uint32_t sums[] = {0x97C569A9, 0x9BEB7B95};
    static uint8_t blocks[BLOCKS][16];
    static uint16_t halves[BLOCKS][48];

    (void)state;
    make_blocks(5, blocks);
    for (unsigned is_signed = 0; is_signed < 2; is_signed++) {
        for (unsigned n = 0; n < BLOCKS; n++) {
            unsigned mode = modes[n % COUNT_OF(modes)], mask = mode < 2 ? 3 : 31;

            blocks[n][0] = (uint8_t)((blocks[n][0] & ~mask) | mode);
            bptc_decode_halves(blocks[n], is_signed, halves[n]);
            for (unsigned i = 0; i < COUNT_OF(halves[n]); i++)
                halves[n][i] = htole16(halves[n][i]);
        }
        assert_int_equal(support_crc32(halves, sizeof(halves)), sums[is_signed]);
    }
}

/* Some of the blocks have one colour, and some are invalid, which gives magenta. */
static void test_astc(void **state)
{
    static const struct {
        uint8_t width, height;
        uint32_t sums[2];
    } cases[] = {
        {4, 4, {0x5EEB36A9, 0xE4DF9D56}},   {5, 4, {0xE6A713AF, 0xC57B26A8}},
        {8, 6, {0x76C4E657, 0x6B7F3F22}},   {10, 10, {0x5C53F32A, 0x9EE3B786}},
        {12, 12, {0x3FBFC409, 0x8D84B915}},
    };
    static uint8_t blocks[BLOCKS][16], to[BLOCKS][4 * ASTC_MAX_TEXELS];

    (void)state;
    make_blocks(9, blocks);
    for (unsigned n = 0; n < BLOCKS; n++) {
        blocks[n][0] = n % 64 == 5 ? 0xFC : blocks[n][0];
        blocks[n][1] = n % 64 == 5 ? blocks[n][1] | 0xD : blocks[n][1];
    }
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        for (unsigned srgb = 0; srgb < 2; srgb++) {
            memset(to, 0, sizeof(to));
            for (unsigned n = 0; n < BLOCKS; n++)
                astc_decode(blocks[n], cases[i].width, cases[i].height, srgb, to[n]);
            assert_int_equal(support_crc32(to, sizeof(to)), cases[i].sums[srgb]);
        }
}

/* What every encoder writes first: one colour, with the largest grid of the block's size. */
static void test_astc_of_one_colour(void **state)
{
    static const uint8_t block[16] = {0xFC, 0xFD, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
                                      0x34, 0x12, 0x78, 0x56, 0xBC, 0x9A, 0xF0, 0xDE};
    static const uint8_t cut[16] = {0};
    uint8_t to[64];

    (void)state;
    astc_decode(block, 4, 4, false, to);
    assert_memory_equal(to, "\x12\x56\x9A\xDE\x12\x56\x9A\xDE", 8);
    astc_decode(cut, 4, 4, false, to);
    assert_memory_equal(to, "\xFF\x00\xFF\xFF", 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_blocks_by_lines),
        cmocka_unit_test(test_bc6h),
        cmocka_unit_test(test_astc),
        cmocka_unit_test(test_astc_of_one_colour),
    };

    return cmocka_run_group_tests_name("block_formats", tests, NULL, NULL);
}

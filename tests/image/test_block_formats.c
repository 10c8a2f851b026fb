/*
 * BC6H and ASTC: random blocks of all modes. Mesa 22.3 decodes such blocks alike, to the bit.
 */
#include "image/pixel_format.h"

#include "tests/support/support.h"

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
        }
        assert_int_equal(support_crc32(halves, sizeof(halves)), sums[is_signed]);
    }
}

/* Some of the blocks have one colour, and some are no good ones, which are magenta. */
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

/* What every encoder writes first: one colour, with the largest grid of its size. */
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
        cmocka_unit_test(test_bc6h),
        cmocka_unit_test(test_astc),
        cmocka_unit_test(test_astc_of_one_colour),
    };

    return cmocka_run_group_tests_name("block_formats", tests, NULL, NULL);
}

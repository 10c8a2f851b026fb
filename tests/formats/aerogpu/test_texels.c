/* SPDX-License-Identifier: MIT */
#include "formats/aerogpu/decode/layout.h"

#include "tests/support/support.h"

#include <math.h>
#include <string.h>

static void test_nothing(void **state)
{
    uint8_t to[4] = {1, 2, 3, 4};

    (void)state;
    assert_true(aerogpu_texels_decode(AEROGPU_R8G8B8A8, 0, 0, NULL, 0, NULL));
    assert_true(aerogpu_texels_decode(AEROGPU_BC7, 0, 0, NULL, 0, NULL));
    assert_false(aerogpu_texels_decode(AEROGPU_FORMAT_INVALID, 1, 1, to, 4, to));
    assert_false(aerogpu_texels_decode(AEROGPU_D24S8, 1, 1, to, 4, to));
    assert_false(aerogpu_texels_decode(0xFFFFFFFF, 1, 1, to, 4, to));
    assert_false(aerogpu_texels_encode(AEROGPU_BC1, 4, 4, to, to, 4));
    assert_int_equal(to[0], 1);
}

static const struct {
    uint32_t format;
    uint8_t from[4], to[4];
} texels[] = {
    {AEROGPU_B8G8R8A8, {1, 2, 3, 4}, {3, 2, 1, 4}},
    {AEROGPU_B8G8R8X8, {1, 2, 3, 4}, {3, 2, 1, 255}},
    {AEROGPU_R8G8B8A8, {1, 2, 3, 4}, {1, 2, 3, 4}},
    {AEROGPU_R8G8B8X8, {1, 2, 3, 4}, {1, 2, 3, 255}},
    {AEROGPU_B8G8R8A8_SRGB, {1, 2, 3, 4}, {3, 2, 1, 4}},
    {AEROGPU_R8G8B8X8_SRGB, {1, 2, 3, 4}, {1, 2, 3, 255}},
    {AEROGPU_B5G6R5, {0x10, 0x84}, {132, 130, 132, 255}},
    {AEROGPU_B5G6R5, {0x00, 0xF8}, {255, 0, 0, 255}},
    {AEROGPU_B5G5R5A1, {0x1F, 0x00}, {0, 0, 255, 0}},
    {AEROGPU_B5G5R5A1, {0x00, 0xFC}, {255, 0, 0, 255}},
};

static void test_single_texels(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(texels); i++) {
        uint8_t to[4];

        assert_true(aerogpu_texels_decode(texels[i].format, 1, 1, texels[i].from, 4, to));
        assert_memory_equal(to, texels[i].to, 4);
    }
}

/* Views have the format of the texture, except for sRGB and for alpha. */
static void test_formats_of_views(void **state)
{
    static const struct {
        uint32_t texture, view;
        bool fit;
    } cases[] = {
        {AEROGPU_R8G8B8A8, AEROGPU_R8G8B8X8_SRGB, true},
        {AEROGPU_B8G8R8A8, AEROGPU_B8G8R8A8_SRGB, true},
        {AEROGPU_R8G8B8A8, AEROGPU_B8G8R8A8, false},
        {AEROGPU_B5G6R5, AEROGPU_B5G5R5A1, false},
        {AEROGPU_BC3_SRGB, AEROGPU_BC3, true},
        {AEROGPU_BC3, AEROGPU_BC2, false},
        {AEROGPU_D32F, AEROGPU_D32F, true},
        {AEROGPU_D32F, AEROGPU_D24S8, false},
        {AEROGPU_D24S8, AEROGPU_R8G8B8A8, false},
        {AEROGPU_FORMAT_INVALID, AEROGPU_FORMAT_INVALID, false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_int_equal(aerogpu_formats_fit(cases[i].texture, cases[i].view), cases[i].fit);
        assert_int_equal(aerogpu_formats_fit(cases[i].view, cases[i].texture), cases[i].fit);
    }
    assert_int_equal(aerogpu_format_of_view(AEROGPU_R8G8B8X8, AEROGPU_R8G8B8A8_SRGB),
                     AEROGPU_R8G8B8X8_SRGB);
    assert_int_equal(aerogpu_format_of_view(AEROGPU_B8G8R8X8_SRGB, AEROGPU_B8G8R8A8),
                     AEROGPU_B8G8R8X8);
    assert_int_equal(aerogpu_format_of_view(AEROGPU_B8G8R8A8, AEROGPU_B8G8R8X8), AEROGPU_B8G8R8X8);
    assert_int_equal(aerogpu_format_of_view(AEROGPU_B5G6R5, AEROGPU_B5G6R5), AEROGPU_B5G6R5);
    assert_int_equal(aerogpu_format_of_view(AEROGPU_D32F, AEROGPU_D32F), AEROGPU_D32F);
    assert_int_equal(aerogpu_format_srgb(AEROGPU_B8G8R8X8), AEROGPU_B8G8R8X8_SRGB);
    assert_int_equal(aerogpu_format_srgb(AEROGPU_R8G8B8X8), AEROGPU_R8G8B8X8_SRGB);
    assert_int_equal(aerogpu_format_srgb(AEROGPU_R8G8B8A8_SRGB), AEROGPU_R8G8B8A8_SRGB);
    assert_int_equal(aerogpu_format_srgb(AEROGPU_B5G6R5), AEROGPU_B5G6R5);
}

static void test_rows_have_a_pitch(void **state)
{
    static const uint8_t from[] = {1, 2, 3, 4, 9, 9, 5, 6, 7, 8};
    uint8_t to[8], back[10] = {0};

    (void)state;
    assert_true(aerogpu_texels_decode(AEROGPU_R8G8B8A8, 1, 2, from, 6, to));
    assert_memory_equal(to, "\1\2\3\4\5\6\7\10", 8);
    assert_true(aerogpu_texels_encode(AEROGPU_R8G8B8A8, 1, 2, to, back, 6));
    assert_memory_equal(back, "\1\2\3\4\0\0\5\6\7\10", 10);
}

static void test_words_survive(void **state)
{
    static const uint32_t formats[] = {AEROGPU_B5G6R5, AEROGPU_B5G5R5A1};

    (void)state;
    for (size_t f = 0; f < COUNT_OF(formats); f++)
        for (unsigned word = 0; word < 0x10000; word++) {
            const uint8_t from[2] = {(uint8_t)word, (uint8_t)(word >> 8)};
            uint8_t rgba[4], back[2];

            aerogpu_texels_decode(formats[f], 1, 1, from, 2, rgba);
            aerogpu_texels_encode(formats[f], 1, 1, rgba, back, 2);
            assert_memory_equal(from, back, 2);
        }
}

/* Depths are clamped as a clear of D3D clamps them; no number is 0. */
static void test_encoded_depths(void **state)
{
    static const struct {
        float depth, kept;
    } cases[] = {{-1, 0}, {-0.0f, 0}, {0.25f, 0.25f}, {1, 1}, {1.5f, 1}, {INFINITY, 1}, {NAN, 0}};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        uint32_t bits, mask;

        memcpy(&bits, &cases[i].kept, sizeof(bits));
        assert_int_equal(aerogpu_depth_encode(AEROGPU_D32F, cases[i].depth, 0, true, false, &mask),
                         bits);
        assert_int_equal(aerogpu_depth_encode(AEROGPU_D24S8, cases[i].depth, 7, true, true, &mask),
                         7u << 24 | (uint32_t)(cases[i].kept * 0xFFFFFF + 0.5));
    }
}

/* The grey of a depth is the same whether the CPU has its 24 bits or the worker sent a float. */
static void test_grey_of_depths(void **state)
{
    const float none[] = {-1, NAN, 2};
    const unsigned stride = support_stride();

    (void)state;
    for (uint32_t depth = 0; depth <= 0xFFFFFF; depth += stride) {
        const uint8_t texel[4] = {(uint8_t)depth, (uint8_t)(depth >> 8), (uint8_t)(depth >> 16), 9};
        uint32_t grey = aerogpu_depth_grey(AEROGPU_D24S8, (float)((double)depth / 0xFFFFFF));
        uint8_t row[2];

        aerogpu_depth_row(AEROGPU_D24S8, texel, 1, row);
        if (grey != (uint32_t)(row[0] << 8 | row[1]))
            fail_msg("depth 0x%06X is %u and %u", depth, grey, row[0] << 8 | row[1]);
    }
    assert_int_equal(aerogpu_depth_grey(AEROGPU_D32F, 0.5f), 32768);
    assert_int_equal(aerogpu_depth_grey(AEROGPU_D32F, none[0]), 0);
    assert_int_equal(aerogpu_depth_grey(AEROGPU_D32F, none[1]), 0);
    assert_int_equal(aerogpu_depth_grey(AEROGPU_D24S8, none[2]), 65535);
}

static void test_bc1(void **state)
{
    static const uint8_t four[8] = {0xFF, 0xFF, 0, 0, 0x00, 0x55, 0xAA, 0xFF};
    static const uint8_t keyed[8] = {0, 0, 0xFF, 0xFF, 0x00, 0x55, 0xAA, 0xFF};
    static const uint8_t grey_four[4] = {255, 0, 170, 85}, grey_keyed[4] = {0, 255, 127, 0};
    uint8_t to[64];

    (void)state;
    aerogpu_texels_decode(AEROGPU_BC1, 4, 4, four, 8, to);
    for (int y = 0; y < 4; y++) {
        assert_int_equal(to[16 * y], grey_four[y]);
        assert_int_equal(to[16 * y + 3], 255);
    }
    aerogpu_texels_decode(AEROGPU_BC1, 4, 4, keyed, 8, to);
    for (int y = 0; y < 4; y++) {
        assert_int_equal(to[16 * y], grey_keyed[y]);
        assert_int_equal(to[16 * y + 3], y == 3 ? 0 : 255);
    }
}

static void test_bc2_and_bc3(void **state)
{
    /* Explicit alphas 15, 0, 8, 1; only BC1 has transparent colours. */
    static const uint8_t two[16] = {0xFF, 0xFF, 0,    0,    0x88, 0x88, 0x11, 0x11,
                                    0,    0,    0xFF, 0xFF, 0,    0x55, 0xAA, 0xFF};
    static const uint8_t alphas[4] = {255, 0, 136, 17};
    /* Indices 0, 1, 2 and 7 of 255 .. 0 in eight steps. */
    static const uint8_t three[16] = {0xFF, 0, 0x00, 0x90, 0x24, 0x92, 0xF4, 0xFF, 0xFF, 0xFF};
    static const uint8_t steps[4] = {255, 0, 218, 36};
    uint8_t to[64];

    (void)state;
    aerogpu_texels_decode(AEROGPU_BC2, 4, 4, two, 16, to);
    for (int y = 0; y < 4; y++)
        assert_int_equal(to[16 * y + 3], alphas[y]);
    assert_int_equal(to[48], 170);
    aerogpu_texels_decode(AEROGPU_BC3, 4, 4, three, 16, to);
    for (int y = 0; y < 4; y++) {
        assert_int_equal(to[16 * y], 255);
        assert_int_equal(to[16 * y + 3], steps[y]);
    }
}

static void test_bc3_six_steps(void **state)
{
    static const uint8_t block[16] = {0, 100, 0x88, 0xC6, 0xFA}; /* indices 0 to 7 */
    static const uint8_t alphas[8] = {0, 100, 20, 40, 60, 80, 0, 255};
    uint8_t to[64];

    (void)state;
    aerogpu_texels_decode(AEROGPU_BC3, 4, 4, block, 16, to);
    for (int i = 0; i < 8; i++)
        assert_int_equal(to[4 * i + 3], alphas[i]);
}

/* 4096 blocks of all modes; Mesa 22.3 decodes them bit-identically. */
static void test_bc7(void **state)
{
    uint64_t random = 7;
    static uint8_t to[4096][64];

    (void)state;
    for (int i = 0; i < 4096; i++) {
        uint8_t block[16];
        unsigned mode = (unsigned)i % 9;

        for (int b = 0; b < 16; b++)
            block[b] = (uint8_t)(support_random(&random) >> 24);
        block[0] = mode == 8 ? 0 : (uint8_t)((block[0] & ~((2u << mode) - 1)) | 1u << mode);
        bptc_decode(block, to[i]);
    }
    assert_int_equal(support_crc32(to, sizeof(to)), 0x824A74C7);
}

static void test_edges_of_blocks(void **state)
{
    /* Two blocks, of which 5x3 texels exist */
    static const uint8_t from[16] = {0xFF, 0xFF, 0, 0, 0, 0x55, 0xAA, 0xFF,
                                     0x00, 0xF8, 0, 0, 0, 0,    0,    0};
    uint8_t to[5 * 3 * 4 + 4];

    (void)state;
    memset(to, 77, sizeof(to));
    assert_true(aerogpu_texels_decode(AEROGPU_BC1_SRGB, 5, 3, from, 16, to));
    assert_memory_equal(to + 12, "\377\377\377\377\377\0\0\377", 8);
    assert_memory_equal(to + 20, "\0\0\0\377", 4);
    assert_memory_equal(to + 2 * 20 + 16, "\377\0\0\377", 4);
    assert_int_equal(to[60], 77);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_single_texels),
        cmocka_unit_test(test_formats_of_views),
        cmocka_unit_test(test_rows_have_a_pitch),
        cmocka_unit_test(test_words_survive),
        cmocka_unit_test(test_encoded_depths),
        cmocka_unit_test(test_grey_of_depths),
        cmocka_unit_test(test_bc1),
        cmocka_unit_test(test_bc2_and_bc3),
        cmocka_unit_test(test_bc3_six_steps),
        cmocka_unit_test(test_bc7),
        cmocka_unit_test(test_edges_of_blocks),
    };

    return cmocka_run_group_tests_name("aerogpu_texels", tests, NULL, NULL);
}

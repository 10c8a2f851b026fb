/* SPDX-License-Identifier: MIT */
#include "image/fingerprint.h"

#include "image/shrink.h"

#include "tests/support/support.h"

#include <stdio.h>
#include <string.h>

static void sides_keep_their_proportion(void **state)
{
    static const uint32_t cases[][6] = {
        {320, 240, 256, 256, 256, 192}, {240, 320, 256, 256, 192, 256}, {1, 1, 256, 256, 1, 1},
        {10000, 1, 100, 100, 100, 1},   {16, 8, 256, 256, 16, 8},       {640, 480, 100, 20, 27, 20},
        {16384, 16384, 1, 9, 1, 1},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        uint32_t width, height;

        shrink_fit(cases[i][0], cases[i][1], cases[i][2], cases[i][3], &width, &height);
        assert_int_equal(width, cases[i][4]);
        assert_int_equal(height, cases[i][5]);
    }
}

static void pixels_are_means_of_areas(void **state)
{
    uint8_t bytes[] = {0, 0, 0, 10, 20, 30, 200, 100, 0, 2, 4, 6, 20, 40, 60, 100, 50, 1};
    const struct picture_pixels from = {3, 2, PICTURE_RGB, bytes};
    uint8_t row[3 * 4];

    (void)state;
    shrink_row(&from, 1, 1, 0, row);
    assert_int_equal(row[0], (0 + 10 + 200 + 2 + 20 + 100 + 3) / 6);
    shrink_row(&from, 2, 1, 0, row); /* column 0, and columns 1 and 2 */
    assert_int_equal(row[0], 1);
    assert_int_equal(row[3], (10 + 200 + 20 + 100 + 2) / 4);
    shrink_row(&from, 4, 2, 1, row); /* larger than the source: no pixel is left out */
    assert_int_equal(row[0], 2);
    assert_int_equal(row[9], 100);
}

static void a_sha256_is_of_sides_and_pixels(void **state)
{
    uint8_t bytes[6] = {1, 2, 3, 4, 5, 6}, wide[SHA256_SIZE], high[SHA256_SIZE];
    struct picture_pixels pixels = {2, 1, PICTURE_RGB, bytes};
    char digits[9];

    (void)state;
    fingerprint_sha256(&pixels, wide);
    pixels.width = 1;
    pixels.height = 2;
    fingerprint_sha256(&pixels, high);
    assert_memory_not_equal(wide, high, SHA256_SIZE);
    snprintf(digits, sizeof(digits), "%02x%02x%02x%02x", wide[0], wide[1], wide[2], wide[3]);
    assert_string_equal(digits, "f25af82c");
}

static uint64_t dhash_of(uint32_t width, uint32_t height, int slope)
{
    static uint8_t bytes[64 * 64 * 3];
    const struct picture_pixels pixels = {width, height, PICTURE_RGB, bytes};

    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++)
            memset(bytes + 3 * ((size_t)y * width + x), 128 + slope * (int)x * 60 / (int)width, 3);
    return fingerprint_dhash(&pixels);
}

static void a_dhash_tells_where_it_gets_brighter(void **state)
{
    (void)state;
    assert_true(dhash_of(64, 64, 1) == UINT64_MAX);
    assert_true(dhash_of(64, 64, -1) == 0);
    assert_true(dhash_of(1, 1, 1) == 0);
    assert_true(dhash_of(18, 3, 1) == UINT64_MAX);
    assert_int_equal(fingerprint_distance(0xF0, 0x0F), 8);
    assert_int_equal(fingerprint_distance(0, UINT64_MAX), 64);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sides_keep_their_proportion),
        cmocka_unit_test(pixels_are_means_of_areas),
        cmocka_unit_test(a_sha256_is_of_sides_and_pixels),
        cmocka_unit_test(a_dhash_tells_where_it_gets_brighter),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

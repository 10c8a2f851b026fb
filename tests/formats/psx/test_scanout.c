/* SPDX-License-Identifier: MIT */
#include "formats/psx/gpu/scanout.h"

#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

static uint16_t *numbered_vram(void)
{
    uint16_t *vram = malloc(sizeof(*vram) * PSX_VRAM_WIDTH * PSX_VRAM_HEIGHT);

    assert_non_null(vram);
    for (int i = 0; i < PSX_VRAM_WIDTH * PSX_VRAM_HEIGHT; i++)
        vram[i] = (uint16_t)(i * 2654435761u >> 13);
    return vram;
}

static void test_expanding(void **state)
{
    static const uint16_t pixels[] = {0x0000, 0x7FFF, 0xFFFF, 0x001F, 0x03E0, 0x7C00, 0x8421};
    static const uint8_t must[] = {0, 0, 0,   255, 255, 255, 255, 255, 255, 255, 0,
                                   0, 0, 255, 0,   0,   0,   255, 8,   8,   8};
    uint8_t rgb[sizeof(must)];

    (void)state;
    psx_scanout_expand(pixels, 0, NULL);
    psx_scanout_expand(pixels, COUNT_OF(pixels), rgb);
    assert_memory_equal(rgb, must, sizeof(must));
    for (uint16_t v = 0; v < 32; v++) {
        psx_scanout_expand(&v, 1, rgb);
        assert_int_equal(rgb[0], v << 3 | v >> 2);
    }
}

static void test_rows_of_15_bits_wrap(void **state)
{
    struct psx_screen screen = {.width = 640, .height = 480, .x = 700, .y = 500, .lines = 512};
    uint16_t *vram = numbered_vram();
    uint8_t rgb[640 * 3], pixel[3];

    (void)state;
    for (uint32_t row = 0; row < screen.height; row += 11) {
        psx_scanout_row(&screen, vram, PSX_VRAM_HEIGHT, row, rgb);
        for (uint32_t x = 0; x < screen.width; x++) {
            psx_scanout_expand(&vram[((500 + row) & 511) * 1024 + ((700 + x) & 1023)], 1, pixel);
            assert_memory_equal(rgb + (size_t)3 * x, pixel, 3);
        }
    }
    free(vram);
}

static void test_rows_of_24_bits_wrap(void **state)
{
    struct psx_screen screen = {
        .width = 704, .height = 240, .x = 333, .y = 510, .lines = 512, .depth24 = true};
    uint16_t *vram = numbered_vram();
    uint8_t rgb[704 * 3];

    (void)state;
    for (uint32_t row = 0; row < screen.height; row += 7) {
        const uint16_t *from = vram + ((510 + row) & 511) * 1024;

        psx_scanout_row(&screen, vram, PSX_VRAM_HEIGHT, row, rgb);
        for (uint32_t i = 0; i < sizeof(rgb); i++) {
            uint32_t byte = (2 * 333 + i) & 2047;

            assert_int_equal(rgb[i], (uint8_t)(from[byte / 2] >> 8 * (byte % 2)));
        }
    }
    free(vram);
}

static void test_display_off_is_black(void **state)
{
    struct psx_screen screen = {.width = 320, .height = 240, .off = true};
    uint16_t *vram = numbered_vram();
    uint8_t rgb[320 * 3];

    (void)state;
    memset(rgb, 1, sizeof(rgb));
    psx_scanout_row(&screen, vram, PSX_VRAM_HEIGHT, 0, rgb);
    for (size_t i = 0; i < sizeof(rgb); i++)
        assert_int_equal(rgb[i], 0);
    free(vram);
}

static void test_empty_display_is_one_black_pixel(void **state)
{
    struct psx_screen screen = {.width = 1, .height = 1, .empty = true};
    uint16_t *vram = numbered_vram();
    uint8_t rgb[4] = {1, 1, 1, 1};

    (void)state;
    psx_scanout_row(&screen, vram, PSX_VRAM_HEIGHT, 0, rgb);
    assert_int_equal(rgb[0] | rgb[1] | rgb[2], 0);
    assert_int_equal(rgb[3], 1);
    free(vram);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_expanding),
        cmocka_unit_test(test_rows_of_15_bits_wrap),
        cmocka_unit_test(test_rows_of_24_bits_wrap),
        cmocka_unit_test(test_display_off_is_black),
        cmocka_unit_test(test_empty_display_is_one_black_pixel),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

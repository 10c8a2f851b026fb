/* SPDX-License-Identifier: MIT */
/*
 * The first GPU, which dumps call version 1: psx-gpu.md 19. Its differences from the second are
 * described by psx-spx (GPU versions), and for modulation by MiSTer's core as well.
 */
#include "tests/formats/psx/play.h"
#include "tests/support/support.h"

#include "formats/psx/gpu/raster.h"

#include <string.h>

#define XY psx_play_xy

enum { WIDTH = 1024, RAW_15 = 0x0100, TEXELS_X = 64, TEXELS_Y = 256, PAGE = RAW_15 | 1 << 4 | 1 };

static struct psx_gpu *gpu_of(enum psx_gpu_model model, unsigned ops)
{
    struct psx_gpu *gpu;

    assert_int_equal(psx_gpu_create(model, &gpu), 0);
    gpu->ops = psx_raster_ops_get(ops);
    PSX_PLAY(gpu, 0xE3000000, 0xE4000000 | 511 << 10 | 1023);
    return gpu;
}

/* psx-spx's drawing of fills that are 32 wide: the columns 0 to 63 that a fill at x fills */
static const struct {
    int x, width;
    const char *columns;
} fills[] = {
    {0x00, 32, "################################                                "},
    {0x0E, 32, "################################                                "},
    {0x0F, 32, " # # # # # # # ################## # # # # # # #                 "},
    {0x10, 32, "                ################################                "},
    {0x1E, 32, "                ################################                "},
};

static void test_fills(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(fills); i++) {
        struct psx_gpu *first = gpu_of(PSX_GPU_FIRST, 0), *second = gpu_of(PSX_GPU_SECOND, 0);

        PSX_PLAY(first, 0x02FFFFFF, XY(fills[i].x, 9), XY(fills[i].width, 4));
        PSX_PLAY(second, 0x02FFFFFF, XY(fills[i].x, 9), XY(fills[i].width, 4));
        for (int y = 0; y < 512; y++)
            for (int x = 0; x < WIDTH; x++) {
                bool row = y >= 9 && y < 13;
                int left = fills[i].x & ~15;

                if ((psx_play_pixel(first, x, y) != 0) !=
                    (row && x < 64 && fills[i].columns[x] == '#'))
                    fail_msg("x = %d: pixel %d,%d of the first GPU", fills[i].x, x, y);
                assert_int_equal(psx_play_pixel(second, x, y) != 0,
                                 row && x >= left && x < left + 32);
            }
        psx_gpu_destroy(&first);
        psx_gpu_destroy(&second);
    }
}

/* At the right edge, and as wide as VRAM */
static void test_fills_around_the_edge(void **state)
{
    struct psx_gpu *gpu = gpu_of(PSX_GPU_FIRST, 0);

    (void)state;
    PSX_PLAY(gpu, 0x02FFFFFF, XY(0x3FF, 0), XY(16, 1), 0x02FFFFFF, XY(0x0F, 4), XY(0x3FF, 1));
    for (int x = 0; x < WIDTH; x++) {
        bool odd_ones = x >= 1008 && x % 2 == 1, even_ones = x < 16 && x % 2 == 0;

        assert_int_equal(psx_play_pixel(gpu, x, 0) != 0, odd_ones || even_ones);
        assert_int_equal(psx_play_pixel(gpu, x, 4), 0x7FFF);
    }
    psx_gpu_destroy(&gpu);
}

/* Stores a texel of every channel value, in a page that begins at line 256. */
static void put_texels(struct psx_gpu *gpu)
{
    for (int i = 0; i < 256; i++)
        gpu->vram[TEXELS_Y * WIDTH + TEXELS_X + i] = (uint16_t)((i & 31) * 0x0421 + (i == 0));
}

static uint16_t modulated(uint16_t texel, unsigned colour)
{
    uint16_t pixel = 0;

    for (unsigned channel = 0; channel < 3; channel++) {
        unsigned value = (texel >> 5 * channel & 31) * colour >> 7;

        pixel |= (uint16_t)((value < 31 ? value : 31) << 5 * channel);
    }
    return pixel;
}

/* Draws one row of 256 texels with each kind of command that modulates, in a grey of `colour`. */
static void draw_rows(struct psx_gpu *gpu, unsigned colour)
{
    const uint32_t grey = colour * 0x10101u;

    PSX_PLAY(gpu, 0xE1000000 | PAGE, 0x64000000 | grey, XY(256, 0), 0, XY(256, 1));
    PSX_PLAY(gpu, 0x2C000000 | grey, XY(256, 1), 0, XY(512, 1), (uint32_t)PAGE << 16 | 255,
             XY(256, 2), 0, XY(512, 2), 255);
    PSX_PLAY(gpu, 0x3C000000 | grey, XY(256, 2), 0, grey, XY(512, 2), (uint32_t)PAGE << 16 | 255,
             grey, XY(256, 3), 0, grey, XY(512, 3), 255);
    PSX_PLAY(gpu, 0x65000000 | grey, XY(256, 3), 0, XY(256, 1));
}

static void test_modulation(void **state)
{
    (void)state;
    for (unsigned n = 0; psx_raster_ops_get(n) != NULL; n++)
        for (unsigned colour = 0; colour < 256; colour++) {
            struct psx_gpu *first = gpu_of(PSX_GPU_FIRST, n), *second = gpu_of(PSX_GPU_SECOND, n);

            put_texels(first);
            put_texels(second);
            draw_rows(first, colour);
            draw_rows(second, colour);
            for (int x = 1; x < 256; x++) {
                uint16_t texel = psx_play_pixel(first, TEXELS_X + x, TEXELS_Y);

                assert_int_equal(psx_play_pixel(first, 256 + x, 0),
                                 modulated(texel, colour & 0xF8));
                assert_int_equal(psx_play_pixel(second, 256 + x, 0), modulated(texel, colour));
                assert_int_equal(psx_play_pixel(first, 256 + x, 3), texel); /* raw */
            }
            /* the polygons' rows equal those of a second GPU whose colour was truncated before */
            psx_gpu_destroy(&second);
            second = gpu_of(PSX_GPU_SECOND, n);
            put_texels(second);
            draw_rows(second, colour & 0xF8);
            for (int row = 1; row < 3; row++)
                for (int x = 256; x < 512; x++)
                    assert_int_equal(psx_play_pixel(first, x, row), psx_play_pixel(second, x, row));
            psx_gpu_destroy(&first);
            psx_gpu_destroy(&second);
        }
}

/*
 * Across a polygon the colour is truncated at each pixel, not at the corners, and dithering comes
 * after that.
 */
static void test_modulation_of_slopes(void **state)
{
    (void)state;
    for (unsigned n = 0; psx_raster_ops_get(n) != NULL; n++) {
        struct psx_gpu *gpu = gpu_of(PSX_GPU_FIRST, n), *plain = gpu_of(PSX_GPU_SECOND, n);
        bool cut = false;

        for (int i = 0; i < 4; i++)
            gpu->vram[TEXELS_Y * WIDTH + TEXELS_X + i] = 31 * 0x0421;
        PSX_PLAY(gpu, 0x3C000000, XY(0, 0), 0, 0xFFFFFF, XY(256, 0), (uint32_t)PAGE << 16, 0,
                 XY(0, 8), 0, 0xFFFFFF, XY(256, 8), 0);
        PSX_PLAY(plain, 0x38000000, XY(0, 0), 0xFFFFFF, XY(256, 0), 0, XY(0, 8), 0xFFFFFF,
                 XY(256, 8));
        for (int x = 0; x < 256; x++) {
            /* untextured, five bits of the colour are drawn, on both GPUs */
            unsigned colour = (unsigned)(psx_play_pixel(plain, x, 4) & 31) << 3;
            unsigned value = 31 * colour >> 7;

            assert_int_equal(psx_play_pixel(gpu, x, 4) & 31, value < 31 ? value : 31);
            cut |= value != 0 && value < 31;
        }
        assert_true(cut);
        psx_gpu_destroy(&gpu);
        psx_gpu_destroy(&plain);
    }
}

static void test_untextured_colours_are_not_cut(void **state)
{
    struct psx_gpu *first = gpu_of(PSX_GPU_FIRST, 0), *second = gpu_of(PSX_GPU_SECOND, 0);

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct psx_gpu *gpu = i == 0 ? first : second;

        PSX_PLAY(gpu, 0xE1000200, 0x30030201, XY(0, 0), 0xFDFEFF, XY(200, 0), 0x0F1F2F, XY(0, 99));
        PSX_PLAY(gpu, 0x50FFFFFF, XY(0, 100), 0x010203, XY(300, 180));
    }
    assert_memory_equal(first->vram, second->vram, 2 * WIDTH * 512);
    psx_gpu_destroy(&first);
    psx_gpu_destroy(&second);
}

static void test_rectangles_do_not_flip(void **state)
{
    (void)state;
    for (uint32_t flips = 0; flips < 4; flips++) {
        struct psx_gpu *gpu = gpu_of(PSX_GPU_FIRST, 0);

        for (int i = 0; i < 4; i++)
            gpu->vram[(TEXELS_Y + i / 2) * WIDTH + TEXELS_X + i % 2] = (uint16_t)(0x1111 * (i + 1));
        PSX_PLAY(gpu, 0xE1000000 | PAGE | flips << 12, 0x65000000, XY(8, 8), 0, XY(2, 2));
        for (int i = 0; i < 4; i++)
            assert_int_equal(psx_play_pixel(gpu, 8 + i % 2, 8 + i / 2), 0x1111 * (i + 1));
        psx_gpu_destroy(&gpu);
    }
}

/* GPUSTAT after a reset, a word to port 1, and one to port 0 */
static const struct {
    uint32_t gp1, gp0, status;
} statuses[] = {
    {0x00000000, 0, 0x14800000},          {0x08000080, 0, 0x14800000}, /* no bit 14 */
    {0x09000001, 0xE1003FFF, 0x148007FF},                              /* no bit 15 */
    {0x08000020, 0, 0x14C00000},          {0x04000001, 0, 0x36800000},
};

static void test_status(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(statuses); i++) {
        struct psx_gpu *gpu = gpu_of(PSX_GPU_FIRST, 0);

        psx_gpu_gp1(gpu, 0x00000000);
        psx_gpu_gp1(gpu, statuses[i].gp1);
        PSX_PLAY(gpu, statuses[i].gp0);
        if (psx_gpu_status(gpu) != statuses[i].status)
            fail_msg("row %u: %08X, not %08X", (unsigned)i, psx_gpu_status(gpu),
                     statuses[i].status);
        psx_gpu_destroy(&gpu);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fills),
        cmocka_unit_test(test_fills_around_the_edge),
        cmocka_unit_test(test_modulation),
        cmocka_unit_test(test_modulation_of_slopes),
        cmocka_unit_test(test_untextured_colours_are_not_cut),
        cmocka_unit_test(test_rectangles_do_not_flip),
        cmocka_unit_test(test_status),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

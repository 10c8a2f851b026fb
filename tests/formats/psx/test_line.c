/* SPDX-License-Identifier: MIT */
/* Compares lines with psx-gpu.md 10, written out in rational numbers. */

#include "tests/formats/psx/play.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

#define XY psx_play_xy

static int64_t floor_div(int64_t number, int64_t by)
{
    return number >= 0 ? number / by : -((-number + by - 1) / by);
}

static int64_t ceil_div(int64_t number, int64_t by)
{
    return -floor_div(-number, by);
}

struct end {
    int x, y;
    uint32_t colour;
};

/* Draws the line into `pixels` by the formulas. */
static void draw(struct end a, struct end b, bool dithered, uint16_t *pixels)
{
    static const int dither[4][4] = {
        {-4, 0, -3, 1}, {2, -2, 3, -1}, {-3, 1, -4, 0}, {3, -1, 2, -2}};

    if (a.x > b.x) {
        struct end swap = a;

        a = b;
        b = swap;
    }

    int dx = b.x - a.x, dy = b.y - a.y;
    int k = dx > abs(dy) ? dx : abs(dy);

    for (int i = 0; i <= k; i++) {
        int64_t x = k == 0 ? a.x : ceil_div(2 * (int64_t)k * a.x + 2 * i * dx - k, 2 * k);
        int64_t y = k == 0    ? a.y
                    : dy >= 0 ? floor_div(2 * (int64_t)k * a.y + 2 * i * dy + k, 2 * k)
                              : ceil_div(2 * (int64_t)k * a.y + 2 * i * dy - k, 2 * k);
        uint16_t pixel = 0;

        for (unsigned c = 0; c < 3; c++) {
            int from = a.colour >> 8 * c & 0xFF, to = b.colour >> 8 * c & 0xFF;
            int value = (from * 4096 + 2048 + (k == 0 ? 0 : i * (4096 * (to - from) / k))) >> 12;

            if (dithered)
                value += dither[y & 3][x & 3];
            value = value < 0 ? 0 : value > 255 ? 255 : value;
            pixel |= (uint16_t)(value >> 3 << 5 * c);
        }
        pixels[y * PSX_VRAM_WIDTH + x] = pixel;
    }
}

static void test_lines_by_the_formulas(void **state)
{
    enum { BYTES = 2 * PSX_VRAM_WIDTH * PSX_VRAM_HEIGHT };
    struct psx_gpu *gpu = psx_play_gpu();
    uint16_t *must = malloc(BYTES);
    uint64_t random = 1;

    (void)state;
    assert_non_null(must);
    for (unsigned n = 0; n < 400; n++) {
        unsigned reach = n % 2 ? 20 : 511;
        struct end ends[2];

        for (unsigned i = 0; i < 2; i++)
            ends[i] = (struct end){(int)(support_random(&random) % (reach * 2)),
                                   (int)(support_random(&random) % reach),
                                   (uint32_t)support_random(&random) & 0xFFFFFF};
        memset(gpu->vram, 0, BYTES);
        memset(must, 0, BYTES);
        PSX_PLAY(gpu, 0xE1000000 | (n & 4 ? 0x200 : 0), 0x50000000 | ends[0].colour,
                 XY(ends[0].x, ends[0].y), ends[1].colour, XY(ends[1].x, ends[1].y));
        draw(ends[0], ends[1], n & 4, must);
        if (memcmp(gpu->vram, must, BYTES) != 0)
            fail_msg("line %d,%d %06x to %d,%d %06x", ends[0].x, ends[0].y, ends[0].colour,
                     ends[1].x, ends[1].y, ends[1].colour);
    }
    free(must);
    psx_gpu_destroy(&gpu);
}

static void test_ties(void **state)
{
    struct psx_gpu *gpu = psx_play_gpu();

    (void)state;
    /*
     * Halfway between two rows, a line going down takes the lower one, and a line going up the
     * upper one; halfway between columns, the left one.
     */
    PSX_PLAY(gpu, 0x40FFFFFF, XY(10, 10), XY(12, 11), 0x40FFFFFF, XY(20, 11), XY(22, 10),
             0x40FFFFFF, XY(30, 10), XY(31, 12));
    assert_int_equal(psx_play_pixel(gpu, 11, 11), 0x7FFF);
    assert_int_equal(psx_play_pixel(gpu, 11, 10), 0);
    assert_int_equal(psx_play_pixel(gpu, 21, 10), 0x7FFF);
    assert_int_equal(psx_play_pixel(gpu, 21, 11), 0);
    assert_int_equal(psx_play_pixel(gpu, 30, 11), 0x7FFF);
    assert_int_equal(psx_play_pixel(gpu, 31, 11), 0);
    psx_gpu_destroy(&gpu);
}

static void test_one_pixel(void **state)
{
    struct psx_gpu *gpu = psx_play_gpu();

    (void)state;
    PSX_PLAY(gpu, 0x500000F8, XY(5, 5), 0x00F800, XY(5, 5));
    assert_int_equal(psx_play_pixel(gpu, 5, 5), 0x001F);
    assert_int_equal(gpu->pixels, 1);
    psx_gpu_destroy(&gpu);
}

static void test_length_limits(void **state)
{
    struct psx_gpu *gpu = psx_play_gpu();

    (void)state;
    PSX_PLAY(gpu, 0x40FFFFFF, XY(0, 0), XY(1023, 0));
    assert_int_equal(gpu->pixels, 1024);
    PSX_PLAY(gpu, 0x40FFFFFF, XY(0, 0), XY(0, 511));
    assert_int_equal(gpu->pixels, 1024 + 512);
    PSX_PLAY(gpu, 0x40FFFFFF, XY(-1, 0), XY(1023, 0), 0x40FFFFFF, XY(0, 0), XY(0, 512));
    assert_int_equal(gpu->pixels, 1024 + 512);
    psx_gpu_destroy(&gpu);
}

static void test_joints_are_drawn_twice(void **state)
{
    struct psx_gpu *gpu = psx_play_gpu();

    (void)state;
    PSX_PLAY(gpu, 0xE1000020, 0x4A080808, XY(10, 10), XY(20, 10), XY(20, 20), XY(30, 20),
             0x55555555);
    assert_int_equal(psx_play_pixel(gpu, 15, 10), 0x0421);
    assert_int_equal(psx_play_pixel(gpu, 20, 10), 0x0842);
    assert_int_equal(psx_play_pixel(gpu, 20, 20), 0x0842);
    assert_int_equal(psx_play_pixel(gpu, 30, 20), 0x0421);
    psx_gpu_destroy(&gpu);
}

/* A segment that is too long is left out; its ends are still used by its neighbours. */
static void test_segments_are_culled_apart(void **state)
{
    struct psx_gpu *gpu = psx_play_gpu();

    (void)state;
    PSX_PLAY(gpu, 0x48FFFFFF, XY(0, 0), XY(3, 0), XY(3, 600), XY(3, 400), XY(5, 400), 0x50005000);
    assert_int_equal(psx_play_pixel(gpu, 3, 0), 0x7FFF);
    assert_int_equal(psx_play_pixel(gpu, 3, 300), 0);
    assert_int_equal(psx_play_pixel(gpu, 3, 450), 0x7FFF);
    assert_int_equal(psx_play_pixel(gpu, 5, 400), 0x7FFF);
    psx_gpu_destroy(&gpu);
}

/* The words come one by one; each vertex draws its segment immediately. */
static void test_segments_as_vertices_arrive(void **state)
{
    struct psx_gpu *gpu = psx_play_gpu();

    (void)state;
    PSX_PLAY(gpu, 0x580000F8);
    PSX_PLAY(gpu, XY(10, 10));
    PSX_PLAY(gpu, 0x00F800);
    assert_int_equal(gpu->pixels, 0);
    PSX_PLAY(gpu, XY(20, 10));
    assert_int_equal(gpu->pixels, 11);
    PSX_PLAY(gpu, 0xF80000);
    assert_int_equal(gpu->pixels, 11);
    PSX_PLAY(gpu, XY(20, 20));
    assert_int_equal(gpu->pixels, 22);
    assert_int_equal(psx_play_pixel(gpu, 20, 10), 0x03E0);
    assert_int_equal(psx_play_pixel(gpu, 20, 20), 0x7C00);
    PSX_PLAY(gpu, 0x55555555, 0x680000F8, XY(1, 1));
    assert_int_equal(psx_play_pixel(gpu, 1, 1), 0x001F);
    psx_gpu_destroy(&gpu);
}

static void test_flat_polyline_keeps_its_colour(void **state)
{
    struct psx_gpu *gpu = psx_play_gpu();

    (void)state;
    PSX_PLAY(gpu, 0x4800F800, XY(0, 0), XY(3, 0), XY(3, 3), 0x55555555);
    assert_int_equal(psx_play_pixel(gpu, 0, 0), 0x03E0);
    assert_int_equal(psx_play_pixel(gpu, 3, 3), 0x03E0);
    psx_gpu_destroy(&gpu);
}

static void test_flat_lines_are_dithered(void **state)
{
    struct psx_gpu *gpu = psx_play_gpu();

    (void)state;
    PSX_PLAY(gpu, 0xE1000200, 0x40040404, XY(0, 0), XY(3, 0));
    assert_int_equal(psx_play_pixel(gpu, 0, 0), 0);
    assert_int_equal(psx_play_pixel(gpu, 1, 0), 0);
    PSX_PLAY(gpu, 0x40070707, XY(0, 0), XY(3, 0));
    assert_int_equal(psx_play_pixel(gpu, 3, 0), 0x0421);
    assert_int_equal(psx_play_pixel(gpu, 2, 0), 0);
    psx_gpu_destroy(&gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_by_the_formulas),
        cmocka_unit_test(test_ties),
        cmocka_unit_test(test_one_pixel),
        cmocka_unit_test(test_length_limits),
        cmocka_unit_test(test_joints_are_drawn_twice),
        cmocka_unit_test(test_segments_are_culled_apart),
        cmocka_unit_test(test_segments_as_vertices_arrive),
        cmocka_unit_test(test_flat_polyline_keeps_its_colour),
        cmocka_unit_test(test_flat_lines_are_dithered),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

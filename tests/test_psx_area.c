/* The order in which a triangle's rows are drawn, seen where it samples what it draws. */

#include "psx_play.h"
#include "support.h"

#include "formats/psx/raster.h"

#define XY psx_play_xy

enum { WIDTH = 1024, LINES = 512, PIXELS = WIDTH * LINES, RAW_15 = 0x0100 };

/* Texel (x, y + shift) for pixel (x, y), from a page at 0,0; VRAM's lines tell their number. */
static const struct {
    int v[3][2];
    int shift;
    int column;
    uint16_t seen[8]; /* what it shows in lines 1 to 8 */
} orders[] = {
    /* leftmost at the bottom: upwards */
    {{{1, 1}, {9, 1}, {0, 9}}, -1, 2, {0, 1, 2, 3, 4, 5, 6, 8}},
    {{{1, 1}, {9, 1}, {0, 9}}, 1, 1, {9, 9, 9, 9, 9, 9, 9, 9}},
    {{{0, 9}, {1, 1}, {9, 1}}, -1, 1, {0, 1, 2, 3, 4, 5, 6, 7}},
    /* at the top: downwards */
    {{{0, 1}, {9, 1}, {1, 9}}, -1, 1, {0, 0, 0, 0, 0, 0, 0, 0}},
    {{{0, 1}, {9, 1}, {1, 9}}, 1, 2, {2, 3, 4, 5, 6, 7, 8, 8}},
    /* in the middle: from there down, then from above it up */
    {{{0, 5}, {9, 1}, {9, 9}}, -1, 8, {1, 1, 2, 3, 4, 4, 4, 4}},
    {{{0, 5}, {9, 1}, {9, 9}}, 1, 8, {1, 6, 6, 6, 6, 7, 8, 9}},
    {{{9, 9}, {0, 5}, {9, 1}}, -1, 8, {1, 1, 2, 3, 4, 4, 4, 4}},
};

static void number_lines(struct psx_gpu *gpu)
{
    for (int i = 0; i < PIXELS; i++)
        gpu->vram[i] = (uint16_t)(0x8000 | i / WIDTH);
}

static void draw_order(struct psx_gpu *gpu, size_t row)
{
    uint32_t words[7] = {0x25000000};

    for (unsigned i = 0; i < 3; i++) {
        int x = orders[row].v[i][0], y = orders[row].v[i][1];

        words[1 + 2 * i] = XY(x, y);
        words[2 + 2 * i] = (uint32_t)(x | (y + orders[row].shift) << 8);
    }
    words[4] |= RAW_15 << 16;
    psx_play_gp0(gpu, words, COUNT_OF(words));
}

/* Whichever shaders there are. */
static void test_rows_begin_at_the_leftmost_corner(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(orders); i++)
        for (unsigned n = 0; psx_raster_ops_get(n) != NULL; n++) {
            struct psx_gpu *gpu = psx_play_gpu();

            gpu->ops = psx_raster_ops_get(n);
            number_lines(gpu);
            draw_order(gpu, i);
            for (int line = 0; line < 10; line++) {
                int must = line == 0 || line == 9 ? line : orders[i].seen[line - 1];

                if (psx_play_pixel(gpu, orders[i].column, line) != (0x8000 | must))
                    fail_msg("row %u: line %d shows line %d, not %d", (unsigned)i, line,
                             psx_play_pixel(gpu, orders[i].column, line) & 0x7FFF, must);
            }
            psx_gpu_destroy(&gpu);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_begin_at_the_leftmost_corner),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

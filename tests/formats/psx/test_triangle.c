/* SPDX-License-Identifier: MIT */
/*
 * Compares triangles with a reference that follows psx-gpu.md 4 and 5 in plain integers, pixel by
 * pixel, without walking edges or caching.
 */

#include "tests/formats/psx/play.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

#define XY psx_play_xy

struct point {
    int x, y;
};

struct attribute {
    int value[3]; /* at the vertices */
};

static int64_t ceil_div(int64_t number, int64_t by)
{
    return number >= 0 ? (number + by - 1) / by : -(-number / by);
}

/* Computes ceil() of the edge's x at row y. Returns false if the edge does not meet the row. */
static bool edge_at(struct point a, struct point b, int y, int64_t *column)
{
    if (a.y > b.y) {
        struct point swap = a;

        a = b;
        b = swap;
    }
    if (y < a.y || y >= b.y)
        return false;
    *column = a.x + ceil_div((int64_t)(b.x - a.x) * (y - a.y), b.y - a.y);
    return true;
}

static bool covers(const struct point v[3], int x, int y)
{
    int64_t low = INT64_MAX, high = INT64_MIN, column;

    for (unsigned i = 0; i < 3; i++)
        if (edge_at(v[i], v[(i + 1) % 3], y, &column)) {
            low = column < low ? column : low;
            high = column > high ? column : high;
        }
    return low <= x && x < high;
}

static unsigned anchor_of(const struct point v[3])
{
    if (v[1].x <= v[0].x)
        return v[2].x <= v[1].x ? 2 : 1;
    return v[2].x < v[0].x ? 2 : 0;
}

static unsigned value_at(const struct point v[3], const struct attribute *a, int x, int y)
{
    int64_t dx10 = v[1].x - v[0].x, dx21 = v[2].x - v[1].x;
    int64_t dy10 = v[1].y - v[0].y, dy21 = v[2].y - v[1].y;
    int64_t a10 = a->value[1] - a->value[0], a21 = a->value[2] - a->value[1];
    int64_t area = dx10 * dy21 - dx21 * dy10;
    int64_t along_x = 4096 * (a10 * dy21 - a21 * dy10) / area;
    int64_t along_y = 4096 * (dx10 * a21 - dx21 * a10) / area;
    unsigned c = anchor_of(v);
    int64_t value = a->value[c] * 4096 + 2048 + along_x * (x - v[c].x) + along_y * (y - v[c].y);

    return (unsigned)(value >> 12) & 0xFF;
}

static int random_in(uint64_t *state, int low, int high)
{
    return low + (int)(support_random(state) % (uint64_t)(high - low + 1));
}

/* Returns small, thin, large and degenerate triangles in turn. */
static void random_triangle(uint64_t *state, struct point v[3])
{
    static const int reach[][2] = {{8, 8}, {40, 30}, {300, 3}, {2, 200}, {500, 250}};
    unsigned kind = (unsigned)(support_random(state) % COUNT_OF(reach));

    for (unsigned i = 0; i < 3; i++) {
        v[i].x = 500 + random_in(state, -reach[kind][0], reach[kind][0]);
        v[i].y = 255 + random_in(state, -reach[kind][1], reach[kind][1]);
    }
}

static void clear(struct psx_gpu *gpu)
{
    memset(gpu->vram, 0, sizeof(*gpu->vram) * PSX_VRAM_WIDTH * PSX_VRAM_HEIGHT);
}

static void fail_at(const struct point v[3], int x, int y, uint16_t is, uint16_t must)
{
    fail_msg("triangle %d,%d %d,%d %d,%d: pixel %d,%d is %04x, not %04x", v[0].x, v[0].y, v[1].x,
             v[1].y, v[2].x, v[2].y, x, y, is, must);
}

static void test_coverage(void **state)
{
    struct psx_gpu *gpu = psx_play_gpu();
    uint64_t random = 1;

    (void)state;
    for (unsigned n = 0; n < 60; n++) {
        struct point v[3];

        random_triangle(&random, v);
        clear(gpu);
        PSX_PLAY(gpu, 0x20FFFFFF, XY(v[0].x, v[0].y), XY(v[1].x, v[1].y), XY(v[2].x, v[2].y));
        for (int y = 0; y < PSX_VRAM_HEIGHT; y++)
            for (int x = 0; x < PSX_VRAM_WIDTH; x++) {
                uint16_t must = covers(v, x, y) ? 0x7FFF : 0;

                if (psx_play_pixel(gpu, x, y) != must)
                    fail_at(v, x, y, psx_play_pixel(gpu, x, y), must);
            }
    }
    psx_gpu_destroy(&gpu);
}

/* Every slope that a triangle can have, at rows where its edge meets a pixel exactly or nearly */
static void test_every_slope(void **state)
{
    struct psx_gpu *gpu = psx_play_gpu();

    (void)state;
    for (int height = 1; height < 512; height += height < 64 ? 1 : 17)
        for (int width = -1000; width <= 1000; width += 1 + abs(width) / 3) {
            int x0 = width < 0 ? 1010 : 10;
            struct point v[3] = {{x0, 0}, {x0 + width, height}, {width < 0 ? 1015 : 1, height}};

            PSX_PLAY(gpu, 0x02000000, 0, XY(0x3FF, 511), 0x20FFFFFF, XY(v[0].x, v[0].y),
                     XY(v[1].x, v[1].y), XY(v[2].x, v[2].y));
            for (int y = 0; y < height; y++) {
                int64_t from = 0, to = 0, swap;

                assert_true(edge_at(v[0], v[1], y, &from) && edge_at(v[0], v[2], y, &to));
                if (from > to)
                    swap = from, from = to, to = swap;
                if (from == to)
                    continue;
                assert_int_equal(psx_play_pixel(gpu, (int)from, y), 0x7FFF);
                assert_int_equal(psx_play_pixel(gpu, (int)to - 1, y), 0x7FFF);
                if (from > 0)
                    assert_int_equal(psx_play_pixel(gpu, (int)from - 1, y), 0);
                assert_int_equal(psx_play_pixel(gpu, (int)to, y), 0);
            }
        }
    psx_gpu_destroy(&gpu);
}

static void test_gouraud_colours(void **state)
{
    struct psx_gpu *gpu = psx_play_gpu();
    uint64_t random = 2;

    (void)state;
    for (unsigned n = 0; n < 60; n++) {
        struct point v[3];
        struct attribute channel[3];
        uint32_t colour[3] = {0};

        random_triangle(&random, v);
        for (unsigned c = 0; c < 3; c++)
            for (unsigned i = 0; i < 3; i++) {
                channel[c].value[i] = random_in(&random, 0, 255);
                colour[i] |= (uint32_t)channel[c].value[i] << 8 * c;
            }
        clear(gpu);
        PSX_PLAY(gpu, 0x30000000 | colour[0], XY(v[0].x, v[0].y), colour[1], XY(v[1].x, v[1].y),
                 colour[2], XY(v[2].x, v[2].y));
        for (int y = 0; y < PSX_VRAM_HEIGHT; y++)
            for (int x = 0; x < PSX_VRAM_WIDTH; x++) {
                uint16_t must = 0;

                if (covers(v, x, y))
                    for (unsigned c = 0; c < 3; c++)
                        must |= (uint16_t)(value_at(v, &channel[c], x, y) >> 3 << 5 * c);
                if (psx_play_pixel(gpu, x, y) != must)
                    fail_at(v, x, y, psx_play_pixel(gpu, x, y), must);
            }
    }
    psx_gpu_destroy(&gpu);
}

/*
 * Returns the texel of a 15-bit page whose texels encode their own position, as far as 15 bits
 * allow.
 */
static uint16_t told_place(unsigned u, unsigned v)
{
    return (uint16_t)(0x8000 | (u & 0x7F) << 8 | v);
}

static void test_texture_coordinates(void **state)
{
    struct psx_gpu *gpu = psx_play_gpu();
    uint64_t random = 3;

    (void)state;
    PSX_PLAY(gpu, 0xE4000000 | 255 << 10 | 1023);
    for (unsigned n = 0; n < 60; n++) {
        struct point p[3];
        struct attribute u, v;

        random_triangle(&random, p);
        clear(gpu);
        for (unsigned row = 0; row < 256; row++)
            for (unsigned column = 0; column < 256; column++)
                gpu->vram[(256 + row) * PSX_VRAM_WIDTH + column] = told_place(column, row);
        for (unsigned i = 0; i < 3; i++) {
            u.value[i] = random_in(&random, 0, 255);
            v.value[i] = random_in(&random, 0, 255);
        }
        PSX_PLAY(gpu, 0x25000000, XY(p[0].x, p[0].y), (uint32_t)(u.value[0] | v.value[0] << 8),
                 XY(p[1].x, p[1].y), 0x01100000 | (uint32_t)(u.value[1] | v.value[1] << 8),
                 XY(p[2].x, p[2].y), (uint32_t)(u.value[2] | v.value[2] << 8));
        for (int y = 0; y < 256; y++)
            for (int x = 0; x < PSX_VRAM_WIDTH; x++) {
                uint16_t must = 0;

                if (covers(p, x, y))
                    must = told_place(value_at(p, &u, x, y), value_at(p, &v, x, y));
                if (psx_play_pixel(gpu, x, y) != must)
                    fail_at(p, x, y, psx_play_pixel(gpu, x, y), must);
            }
    }
    psx_gpu_destroy(&gpu);
}

/* Drawn with addition, a pixel counts how often it was covered. */
static void test_quads_are_two_triangles(void **state)
{
    struct psx_gpu *gpu = psx_play_gpu();
    uint64_t random = 4;

    (void)state;
    PSX_PLAY(gpu, 0xE1000020);
    for (unsigned n = 0; n < 60; n++) {
        struct point v[4];

        random_triangle(&random, v);
        v[3].x = random_in(&random, v[0].x - 30, v[0].x + 30);
        v[3].y = random_in(&random, v[0].y - 10, v[0].y + 10);
        clear(gpu);
        PSX_PLAY(gpu, 0x2A080808, XY(v[0].x, v[0].y), XY(v[1].x, v[1].y), XY(v[2].x, v[2].y),
                 XY(v[3].x, v[3].y));
        for (int y = 0; y < PSX_VRAM_HEIGHT; y++)
            for (int x = 0; x < PSX_VRAM_WIDTH; x++) {
                uint16_t must = 0x0421 * (uint16_t)(covers(v, x, y) + covers(v + 1, x, y));

                if (psx_play_pixel(gpu, x, y) != must)
                    fail_at(v, x, y, psx_play_pixel(gpu, x, y), must);
            }
    }
    psx_gpu_destroy(&gpu);
}

/* Clipping cuts off pixels and does not shift any. */
static void test_clipping_leaves_the_rest(void **state)
{
    struct psx_gpu *whole = psx_play_gpu(), *clipped = psx_play_gpu();
    uint64_t random = 5;

    (void)state;
    PSX_PLAY(whole, 0xE1000200);
    for (unsigned n = 0; n < 40; n++) {
        struct point v[3], from, to;

        random_triangle(&random, v);
        from = (struct point){random_in(&random, 400, 520), random_in(&random, 200, 300)};
        to = (struct point){random_in(&random, 400, 600), random_in(&random, 200, 300)};
        clear(whole);
        clear(clipped);
        PSX_PLAY(clipped, 0xE1000200, 0xE3000000 | (uint32_t)(from.x | from.y << 10),
                 0xE4000000 | (uint32_t)(to.x | to.y << 10));

        uint32_t words[] = {0x30FF0020,         XY(v[0].x, v[0].y), 0x2000FF,
                            XY(v[1].x, v[1].y), 0x80FF80,           XY(v[2].x, v[2].y)};

        psx_play_gp0(whole, words, COUNT_OF(words));
        psx_play_gp0(clipped, words, COUNT_OF(words));
        for (int y = 0; y < PSX_VRAM_HEIGHT; y++)
            for (int x = 0; x < PSX_VRAM_WIDTH; x++) {
                bool inside = x >= from.x && x <= to.x && y >= from.y && y <= to.y;
                uint16_t must = inside ? psx_play_pixel(whole, x, y) : 0;

                if (psx_play_pixel(clipped, x, y) != must)
                    fail_at(v, x, y, psx_play_pixel(clipped, x, y), must);
            }
    }
    psx_gpu_destroy(&whole);
    psx_gpu_destroy(&clipped);
}

static void test_size_limits(void **state)
{
    struct psx_gpu *gpu = psx_play_gpu();

    (void)state;
    PSX_PLAY(gpu, 0x20FFFFFF, XY(0, 0), XY(1023, 0), XY(0, 511));
    assert_int_equal(psx_play_pixel(gpu, 0, 0), 0x7FFF);
    assert_int_equal(psx_play_pixel(gpu, 1022, 0), 0x7FFF);
    clear(gpu);
    PSX_PLAY(gpu, 0x20FFFFFF, XY(0, 0), XY(1023, 0), XY(0, 512));
    PSX_PLAY(gpu, 0x20FFFFFF, XY(0, -1), XY(5, 1), XY(0, 511));
    PSX_PLAY(gpu, 0x20FFFFFF, XY(-1, 0), XY(1023, 0), XY(0, 100));
    PSX_PLAY(gpu, 0x20FFFFFF, XY(0, 0), XY(7, 7), XY(300, 300));
    for (int x = 0; x < PSX_VRAM_WIDTH; x++)
        assert_int_equal(psx_play_pixel(gpu, x, 0), 0);
    assert_int_equal(psx_play_pixel(gpu, 7, 7), 0);
    psx_gpu_destroy(&gpu);
}

/* Bits 11 and above of a coordinate are ignored; bit 10 is the sign. */
static void test_vertices_have_11_bits(void **state)
{
    struct psx_gpu *gpu = psx_play_gpu();

    (void)state;
    PSX_PLAY(gpu, 0x20FFFFFF, 0xF805F805, 0x08050815, 0xF8150005);
    assert_int_equal(psx_play_pixel(gpu, 5, 5), 0x7FFF);
    assert_int_equal(psx_play_pixel(gpu, 20, 5), 0x7FFF);
    assert_int_equal(psx_play_pixel(gpu, 5, 20), 0x7FFF);
    psx_gpu_destroy(&gpu);
}

/* The sum of vertex and offset wraps only where it is compared with the drawing area. */
static void test_pixels_come_back_from_above(void **state)
{
    struct psx_gpu *gpu = psx_play_gpu();

    (void)state;
    PSX_PLAY(gpu, 0xE5000000 | 0x400 | 0x400 << 11);
    PSX_PLAY(gpu, 0x20FFFFFF, XY(-10, -600), XY(10, -600), XY(-10, -580));
    assert_int_equal(psx_play_pixel(gpu, 1014, 424), 0x7FFF);
    assert_int_equal(psx_play_pixel(gpu, 1023, 424), 0x7FFF);
    assert_int_equal(psx_play_pixel(gpu, 0, 424), 0);
    psx_gpu_destroy(&gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coverage),
        cmocka_unit_test(test_every_slope),
        cmocka_unit_test(test_gouraud_colours),
        cmocka_unit_test(test_texture_coordinates),
        cmocka_unit_test(test_quads_are_two_triangles),
        cmocka_unit_test(test_clipping_leaves_the_rest),
        cmocka_unit_test(test_size_limits),
        cmocka_unit_test(test_vertices_have_11_bits),
        cmocka_unit_test(test_pixels_come_back_from_above),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

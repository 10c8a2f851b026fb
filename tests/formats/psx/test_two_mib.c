/* SPDX-License-Identifier: MIT */
/*
 * Lines from 512 on, with 2 MiB and where there is no memory: psx-gpu.md 1, 2, 11, 12, 18. The
 * tables up to transfer_sizes are what boards with 2 MiB (System 573) did in nugget's test suite
 * 2mb-vram, with a case for each of its checks; fills are from the first measurements of the same
 * suite and from psx-spx.
 */
#include "tests/formats/psx/build.h"
#include "tests/formats/psx/play.h"
#include "tests/formats/psx/view.h"
#include "tests/support/support.h"
#include "tests/support/walk.h"

#include "formats/psx/gpu/raster.h"
#include "formats/psx/gpu/scanout.h"

#include <stdlib.h>
#include <string.h>

#define XY psx_play_xy

enum { WIDTH = 1024, LINES = 1024, COLUMN = 32 };

static uint32_t area_from(int x, int y)
{
    return 0xE3000000 | (uint32_t)x | (uint32_t)y << 10;
}

static uint32_t area_to(int x, int y)
{
    return 0xE4000000 | (uint32_t)x | (uint32_t)y << 10;
}

/* Creates a GPU whose drawing area is all of VRAM. */
static struct psx_gpu *gpu_of(enum psx_gpu_model model, bool open)
{
    struct psx_gpu *gpu;

    assert_int_equal(psx_gpu_create(model, &gpu), 0);
    psx_gpu_gp1(gpu, 0x09000000 | open);
    PSX_PLAY(gpu, area_from(0, 0), area_to(1023, 1023));
    return gpu;
}

static struct psx_gpu *gpu_with_2_mib(void)
{
    return gpu_of(PSX_GPU_SECOND_2MIB, true);
}

/* Returns the pixel of a row of the pattern, which is never 0. */
static uint16_t pattern(int row)
{
    return (uint16_t)((row * 0x97) ^ 0xA55A) | 1;
}

static void upload_pattern(struct psx_gpu *gpu, int x, int y, int height)
{
    int rows = ((height - 1) & 0x1FF) + 1;

    PSX_PLAY(gpu, 0xA0000000, XY(x, y), XY(4, height));
    for (int row = 0; row < rows; row++)
        PSX_PLAY(gpu, pattern(row) * 0x10001u, pattern(row) * 0x10001u);
}

/*
 * Finds the first and last line, going by `step`, in which column x is not 0; -1 if there is none.
 */
static void find_lines(const struct psx_gpu *gpu, int x, int step, int *first, int *last)
{
    *first = *last = -1;
    for (int y = 0; y < (int)gpu->lines; y += step)
        if (psx_play_pixel(gpu, x, y) != 0) {
            *first = *first < 0 ? y : *first;
            *last = y;
        }
}

static int count_lines(const struct psx_gpu *gpu, int x, int from, int to)
{
    int count = 0;

    for (int y = from; y < to; y++)
        count += psx_play_pixel(gpu, x, y) != 0;
    return count;
}

#define EXPECT(what, row, seen, must)                                                              \
    do {                                                                                           \
        if ((seen) != (must))                                                                      \
            fail_msg("row %u: %s is %d, not %d", (unsigned)(row), what, seen, must);               \
    } while (0)

/* drawing-offset-y: a rectangle of 16 rows at line 0, of which even lines are checked */
static const struct {
    int offset, first, last;
} offsets[] = {
    {-1024, -1, -1}, {-512, -1, -1},  {-1, 0, 14},     {0, 0, 14},      {1, 2, 16},
    {256, 256, 270}, {511, 512, 526}, {512, 512, 526}, {513, 514, 528}, {1023, -1, -1},
};

static void test_drawing_offset(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(offsets); i++) {
        struct psx_gpu *gpu = gpu_with_2_mib();
        int first, last;

        PSX_PLAY(gpu, 0xE5000000 | ((uint32_t)offsets[i].offset & 0x7FF) << 11, 0x6000FF00,
                 XY(0, 0), XY(16, 16));
        find_lines(gpu, 4, 2, &first, &last);
        EXPECT("first line", i, first, offsets[i].first);
        EXPECT("last line", i, last, offsets[i].last);
        psx_gpu_destroy(&gpu);
    }
}

/* drawing-area-y: lines of the area, the last excluded. Either all of it is drawn or nothing. */
static const struct {
    int top, bottom;
} areas[] = {
    {0, 600}, {256, 600}, {511, 600}, {512, 600}, {513, 600}, {768, 1023}, {1023, 1023},
    {0, 256}, {0, 511},   {0, 512},   {0, 513},   {0, 768},   {0, 1023},
};

static void test_drawing_area(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(areas); i++) {
        struct psx_gpu *gpu = gpu_with_2_mib();
        bool empty = areas[i].top >= areas[i].bottom;
        int first, last;

        PSX_PLAY(gpu, area_from(0, areas[i].top), area_to(COLUMN - 1, areas[i].bottom - 1));
        for (int band = 0; band < 4; band++)
            PSX_PLAY(gpu, 0x600000FF, XY(0, band * 256), XY(COLUMN, 256));
        find_lines(gpu, COLUMN / 2, 1, &first, &last);
        EXPECT("first line", i, first, empty ? -1 : areas[i].top);
        EXPECT("last line", i, last, empty ? -1 : areas[i].bottom - 1);
        psx_gpu_destroy(&gpu);
    }
}

/* primitives-cross: the numbers of lines drawn of 400-499, 500-519, 520-599 */
static const struct {
    uint32_t words[4];
    size_t count;
    int x, drawn[3];
} primitives[] = {
    {{0x20FF0000, 400 << 16 | 64, 600 << 16 | 64, 500 << 16 | 80}, 4, 68, {74, 20, 55}},
    {{0x60FF0000, 400 << 16 | 64, 200 << 16 | 16}, 3, 68, {100, 20, 80}},
    {{0x40FF0000, 400 << 16 | 72, 600 << 16 | 72}, 3, 72, {100, 20, 80}},
    {{0x60FF0000, 500 << 16 | 64, 100 << 16 | 16}, 3, 68, {0, 20, 80}},
};

static void test_primitives_across(void **state)
{
    static const int from[] = {400, 500, 520, 600};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(primitives); i++)
        for (unsigned n = 0; psx_raster_ops_get(n) != NULL; n++) {
            struct psx_gpu *gpu = gpu_with_2_mib();

            gpu->ops = psx_raster_ops_get(n);
            PSX_PLAY(gpu, area_from(64, 0), area_to(64 + COLUMN - 1, 1023));
            psx_play_gp0(gpu, primitives[i].words, primitives[i].count);
            for (unsigned part = 0; part < 3; part++)
                EXPECT("count", i, count_lines(gpu, primitives[i].x, from[part], from[part + 1]),
                       primitives[i].drawn[part]);
            psx_gpu_destroy(&gpu);
        }
}

/* texpage-upper: bits 4 and 11 of E1, and the line where such a page begins */
static const struct {
    uint32_t bits;
    int y;
} pages[] = {{1 << 4, 256}, {1 << 11, 512}, {1 << 11 | 1 << 4, 768}};

static void test_texture_pages(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(pages); i++)
        for (unsigned n = 0; psx_raster_ops_get(n) != NULL; n++) {
            struct psx_gpu *gpu = gpu_with_2_mib();

            gpu->ops = psx_raster_ops_get(n);
            for (int y = 0; y < 8; y++)
                for (int x = 0; x < 8; x++)
                    gpu->vram[(pages[i].y + y) * WIDTH + x] = (uint16_t)(0x4001 + 8 * y + x);
            PSX_PLAY(gpu, 0xE1000100 | pages[i].bits, 0x64808080, XY(16, 16), 0, XY(8, 8));
            /* a polygon sets the page by itself */
            PSX_PLAY(gpu, 0x2D000000, XY(40, 16), 0, XY(48, 16), (0x100 | pages[i].bits) << 16 | 8,
                     XY(40, 24), 8 << 8, XY(48, 24), 8 << 8 | 8);
            for (int y = 0; y < 8; y++)
                for (int x = 0; x < 8; x++) {
                    EXPECT("texel", i, psx_play_pixel(gpu, 16 + x, 16 + y), 0x4001 + 8 * y + x);
                    EXPECT("texel", i, psx_play_pixel(gpu, 40 + x, 16 + y), 0x4001 + 8 * y + x);
                }
            psx_gpu_destroy(&gpu);
        }
}

/* transfer-wrap-y: 64 rows from line 992 on, by upload and by copy */
static void test_transfers_wrap(void **state)
{
    struct psx_gpu *gpu = gpu_with_2_mib();

    (void)state;
    upload_pattern(gpu, 200, 992, 64);
    upload_pattern(gpu, 400, 100, 64);
    PSX_PLAY(gpu, 0x80000000, XY(400, 100), XY(240, 992), XY(4, 64));
    for (int row = 0; row < 64; row++) {
        EXPECT("uploaded", row, psx_play_pixel(gpu, 202, (992 + row) % LINES), pattern(row));
        EXPECT("copied", row, psx_play_pixel(gpu, 242, (992 + row) % LINES), pattern(row));
    }
    psx_gpu_destroy(&gpu);
}

/* vram-blit-y, and vram-transfers-y where it differs: from, to, height as sent */
static const struct {
    int from, to, height, rows;
} copies[] = {
    {100, 600, 64, 64}, {600, 100, 64, 64},   {480, 50, 64, 64},  {50, 480, 64, 64},
    {480, 480, 64, 64}, {0, 512, 512, 512},   {0, 0, 513, 1},     {0, 0, 1024, 512},
    {400, 0, 100, 100}, {400, 0, 200, 200},   {0, 0, 511, 511},   {0, 0, 512, 512},
    {512, 0, 100, 100}, {768, 256, 256, 256}, {900, 0, 200, 200},
};

static void expect_pattern(const struct psx_gpu *gpu, size_t at, int x, int y, int rows)
{
    EXPECT("number of lines", at, count_lines(gpu, x, 0, (int)gpu->lines), rows);
    for (int row = 0; row < rows; row++)
        EXPECT("a line", at, psx_play_pixel(gpu, x, (y + row) % (int)gpu->lines), pattern(row));
}

static void test_uploads_and_copies(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(copies); i++) {
        struct psx_gpu *gpu = gpu_with_2_mib();

        upload_pattern(gpu, 256, copies[i].from, copies[i].height);
        PSX_PLAY(gpu, 0x80000000, XY(256, copies[i].from), XY(512, copies[i].to),
                 XY(4, copies[i].height));
        expect_pattern(gpu, i, 257, copies[i].from, copies[i].rows);
        expect_pattern(gpu, i, 513, copies[i].to, copies[i].rows);
        psx_gpu_destroy(&gpu);
    }
}

/* transfer-h-quirk: sizes have 9 bits, whatever GP1(09) is. */
static void test_heights_of_transfers(void **state)
{
    static const int heights[] = {509, 510, 511, 512, 513, 514, 515, 516, 520, 768, 1023, 1024};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(heights); i++) {
        struct psx_gpu *gpu = gpu_with_2_mib();
        int rows = ((heights[i] - 1) & 0x1FF) + 1;

        upload_pattern(gpu, 0, 0, heights[i]);
        expect_pattern(gpu, i, 1, 0, rows);
        upload_pattern(gpu, 0, 0, 512);
        PSX_PLAY(gpu, 0x80000000, XY(0, 0), XY(256, 0), XY(4, heights[i]));
        expect_pattern(gpu, i, 257, 0, rows);
        psx_gpu_destroy(&gpu);
    }
}

/* fast-fill-y, fast-fill-h-quirk: line, height, rows that are filled */
static const struct {
    int y, height, rows;
} fills[] = {
    {400, 100, 100}, {400, 200, 200}, {0, 510, 510},    {0, 511, 511},    {0, 512, 0},
    {0, 513, 1},     {0, 514, 2},     {0, 520, 8},      {0, 600, 88},     {0, 768, 256},
    {0, 1023, 511},  {0, 1024, 0},    {510, 4, 4},      {512, 100, 100},  {768, 256, 256},
    {800, 200, 200}, {900, 200, 200}, {1000, 200, 200}, {1023, 200, 200}, {1023, 1, 1},
    {1023, 2, 2},    {1024, 1, 1},
};

static void test_fills(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(fills); i++) {
        struct psx_gpu *gpu = gpu_with_2_mib();

        PSX_PLAY(gpu, 0x02FFFFFF, XY(0, fills[i].y), XY(COLUMN, fills[i].height));
        EXPECT("number of lines", i, count_lines(gpu, 4, 0, LINES), fills[i].rows);
        for (int row = 0; row < fills[i].rows; row++)
            EXPECT("a line", i, psx_play_pixel(gpu, 4, (fills[i].y + row) % LINES), 0x7FFF);
        psx_gpu_destroy(&gpu);
    }
}

/* bank-probe: what is written to lines 0, 511, 512, 1023 in turn, and then read from there */
static const struct {
    enum psx_gpu_model model;
    uint32_t gate;
    uint16_t read[4];
} banks[] = {
    {PSX_GPU_SECOND_2MIB, 0, {0x1234, 0xFEDC, 0x1234, 0xFEDC}},
    {PSX_GPU_SECOND_2MIB, 1, {0x5A5A, 0xA5A5, 0x1234, 0xFEDC}},
    {PSX_GPU_SECOND, 0, {0x1234, 0xFEDC, 0x1234, 0xFEDC}},
    {PSX_GPU_SECOND, 1, {0x5A5A, 0xA5A5, 0, 0}}, /* no chip answers there */
    {PSX_GPU_FIRST, 1, {0x1234, 0xFEDC, 0x1234, 0xFEDC}},
};

static void test_banks(void **state)
{
    static const uint16_t written[] = {0x5A5A, 0xA5A5, 0x1234, 0xFEDC};
    static const int lines[] = {0, 511, 512, 1023};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(banks); i++) {
        struct psx_gpu *gpu = gpu_of(banks[i].model, banks[i].gate);
        uint8_t word[4];

        for (unsigned n = 0; n < 4; n++)
            PSX_PLAY(gpu, 0xA0000000, XY(8, lines[n]), XY(2, 1), 0xDEAD0000 | written[n]);
        for (unsigned n = 0; n < 4; n++) {
            PSX_PLAY(gpu, 0xC0000000, XY(8, lines[n]), XY(2, 1));
            assert_int_equal(psx_gpu_read(gpu, 1, word), 1);
            EXPECT("what is read", i, word[0] | word[1] << 8, banks[i].read[n]);
        }
        psx_gpu_destroy(&gpu);
    }
}

/* gp1-09-matrix: with the gate closed, line 512 is line 0, also for what crosses the border. */
static void test_a_closed_gate_mirrors(void **state)
{
    struct psx_gpu *gpu = gpu_of(PSX_GPU_SECOND_2MIB, false);

    (void)state;
    PSX_PLAY(gpu, 0x02FFFFFF, XY(0, 400), XY(16, 200));
    assert_int_equal(count_lines(gpu, 4, 0, 88), 88);
    assert_int_equal(count_lines(gpu, 4, 0, LINES), 200);
    upload_pattern(gpu, 32, 612, 100);
    for (int row = 0; row < 100; row++)
        assert_int_equal(psx_play_pixel(gpu, 32, 100 + row), pattern(row));
    PSX_PLAY(gpu, 0x80000000, XY(32, 100), XY(64, 1000), XY(4, 100));
    for (int row = 0; row < 100; row++)
        assert_int_equal(psx_play_pixel(gpu, 64, (488 + row) % 512), pattern(row));
    for (unsigned n = 0; n < 3; n++) {
        int x = 100 + 16 * (int)n;

        PSX_PLAY(gpu, 0xE5000000 | 500 << 11);
        if (n == 0)
            PSX_PLAY(gpu, 0x60FFFFFF, XY(x, 0), XY(8, 30));
        else if (n == 1)
            PSX_PLAY(gpu, 0x28FFFFFF, XY(x, 0), XY(x + 8, 0), XY(x, 30), XY(x + 8, 30));
        else
            PSX_PLAY(gpu, 0x40FFFFFF, XY(x + 4, 0), XY(x + 4, 29));
        assert_int_equal(count_lines(gpu, x + 4, 0, 18), 18);
        assert_int_equal(count_lines(gpu, x + 4, 0, LINES), 30);
    }
    psx_gpu_destroy(&gpu);
}

/*
 * The id of a palette has ten bits of y. The palette is latched again where the tenth begins or
 * ceases to count.
 */
static void test_palettes(void **state)
{
    const uint32_t texel = (uint32_t)(600 << 6) << 16;
    struct psx_gpu *gpu = gpu_with_2_mib();

    (void)state;
    gpu->vram[256 * WIDTH] = 1;
    gpu->vram[600 * WIDTH + 1] = 0x1111;
    gpu->vram[88 * WIDTH + 1] = 0x2222;
    PSX_PLAY(gpu, 0xE1000010, 0x65000000, XY(16, 16), texel, XY(1, 1));
    assert_int_equal(psx_play_pixel(gpu, 16, 16), 0x1111);
    psx_gpu_gp1(gpu, 0x09000000);
    PSX_PLAY(gpu, 0x65000000, XY(17, 16), texel, XY(1, 1));
    assert_int_equal(psx_play_pixel(gpu, 17, 16), 0x2222);
    psx_gpu_gp1(gpu, 0x09000001);
    PSX_PLAY(gpu, 0x65000000, XY(18, 16), texel, XY(1, 1));
    assert_int_equal(psx_play_pixel(gpu, 18, 16), 0x1111);
    psx_gpu_destroy(&gpu);
}

/* Without the second half, textures and palettes in it draw nothing. */
static void test_nothing_behind_1_mib(void **state)
{
    struct psx_gpu *gpu = gpu_of(PSX_GPU_SECOND, true);

    (void)state;
    for (int i = 0; i < 512 * WIDTH; i++)
        gpu->vram[i] = 0x1111;
    PSX_PLAY(gpu, 0xE1000900, 0x65000000, XY(16, 16), 0, XY(8, 8));
    PSX_PLAY(gpu, 0x2D000000, XY(40, 16), 0, XY(48, 16), 0x0880 << 16, XY(40, 24), 0, XY(48, 24),
             0);
    PSX_PLAY(gpu, 0xE1000000, 0x65000000, XY(16, 16), (uint32_t)(600 << 6) << 16, XY(8, 8));
    PSX_PLAY(gpu, 0x02FFFFFF, XY(0, 500), XY(16, 100), 0x02FFFFFF, XY(32, 900), XY(16, 200));
    upload_pattern(gpu, 64, 1000, 100);
    PSX_PLAY(gpu, 0x80000000, XY(0, 512), XY(128, 0), XY(16, 4));
    for (int y = 0; y < 512; y++)
        for (int x = 0; x < WIDTH; x++) {
            int must = 0x1111;

            if (x < 16 && y >= 500)
                must = 0x7FFF;
            else if (x >= 32 && x < 48 && y < 76)
                must = 0x7FFF;
            else if (x >= 64 && x < 68 && y < 76)
                must = pattern(24 + y);
            else if (x >= 128 && x < 144 && y < 4)
                must = 0;
            assert_int_equal(psx_play_pixel(gpu, x, y), must);
        }
    /* With the gate closed the page's bit, which is still set, is ignored. */
    PSX_PLAY(gpu, 0xE1000900);
    psx_gpu_gp1(gpu, 0x09000000);
    gpu->vram[5] = 0x2222;
    PSX_PLAY(gpu, 0x65000000, XY(300, 300), 5, XY(1, 1));
    assert_int_equal(psx_play_pixel(gpu, 300, 300), 0x2222);
    assert_int_equal(psx_gpu_status(gpu) >> 15 & 1, 1);
    psx_gpu_destroy(&gpu);
}

/*
 * display-area-y, as psx-spx describes it: the lines of VRAM that the first two rows of a picture
 * show
 */
static const struct {
    enum psx_gpu_model model;
    uint32_t gate;
    int start, shown[2]; /* shown: -1 for none, black */
} displays[] = {
    {PSX_GPU_SECOND_2MIB, 1, 0, {0, 1}},       {PSX_GPU_SECOND_2MIB, 1, 511, {511, 512}},
    {PSX_GPU_SECOND_2MIB, 1, 600, {600, 601}}, {PSX_GPU_SECOND_2MIB, 1, 1023, {1023, 0}},
    {PSX_GPU_SECOND_2MIB, 0, 600, {88, 89}},   {PSX_GPU_SECOND_2MIB, 0, 511, {511, 0}},
    {PSX_GPU_SECOND, 1, 511, {511, -1}},       {PSX_GPU_SECOND, 1, 1023, {-1, 0}},
    {PSX_GPU_SECOND, 0, 600, {88, 89}},        {PSX_GPU_FIRST, 1, 600, {88, 89}},
};

static void test_displays(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(displays); i++) {
        struct psx_gpu *gpu = gpu_of(displays[i].model, displays[i].gate);
        struct psx_screen screen;
        uint8_t rgb[1024 * 3];

        for (uint32_t n = 0; n < gpu->lines * WIDTH; n++)
            gpu->vram[n] = (uint16_t)(1 + n / WIDTH);
        psx_gpu_gp1(gpu, 0x03000000);
        psx_gpu_gp1(gpu, 0x05000000 | (uint32_t)displays[i].start << 10);
        psx_display_screen(&gpu->state.registers.display, &screen);
        for (unsigned row = 0; row < 2; row++) {
            int line = displays[i].shown[row];
            uint32_t must = line < 0 ? 0 : psx_view_rgb((uint16_t)(1 + line));

            psx_scanout_row(&screen, gpu->vram, gpu->lines, row, rgb);
            EXPECT("a pixel", i, (int)((uint32_t)rgb[0] << 16 | (uint32_t)rgb[1] << 8 | rgb[2]),
                   (int)must);
        }
        psx_gpu_destroy(&gpu);
    }
}

/* Rows of an upload go where GP1(09) directs them when they arrive. */
static void test_the_gate_within_an_upload(void **state)
{
    struct psx_gpu *gpu = gpu_with_2_mib();

    (void)state;
    PSX_PLAY(gpu, 0xA0000000, XY(0, 600), XY(2, 4), 0x11111111, 0x22222222);
    psx_gpu_gp1(gpu, 0x09000000);
    PSX_PLAY(gpu, 0x33333333, 0x44444444);
    assert_int_equal(psx_play_pixel(gpu, 0, 600), 0x1111);
    assert_int_equal(psx_play_pixel(gpu, 0, 601), 0x2222);
    assert_int_equal(psx_play_pixel(gpu, 0, 602), 0);
    assert_int_equal(psx_play_pixel(gpu, 0, 90), 0x3333);
    assert_int_equal(psx_play_pixel(gpu, 0, 91), 0x4444);
    psx_gpu_destroy(&gpu);
}

/* The part of a box that is in memory */
static const struct {
    uint16_t addressed, memory;
    int y, height, around[2], inside[2];
} placed[] = {
    {512, 1024, 100, 50, {100, 50}, {100, 50}}, {512, 1024, 500, 50, {0, 512}, {500, 12}},
    {1024, 512, 100, 50, {100, 50}, {100, 50}}, {1024, 512, 500, 50, {500, 12}, {500, 12}},
    {1024, 512, 600, 50, {600, 0}, {600, 0}},   {1024, 512, 1000, 50, {0, 26}, {0, 26}},
    {1024, 512, 500, 600, {0, 512}, {500, 12}}, {1024, 512, 600, 1024, {0, 512}, {0, 512}},
};

static void test_boxes_in_memory(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(placed); i++) {
        const struct psx_vram_lines lines = {placed[i].addressed, placed[i].memory};

        for (unsigned inside = 0; inside < 2; inside++) {
            const int *must = inside ? placed[i].inside : placed[i].around;
            struct psx_box box = {0, placed[i].y, 8, placed[i].height};

            psx_box_place(&box, lines, !inside);
            EXPECT("height", i, box.height, must[1]);
            if (must[1] > 0)
                EXPECT("y", i, box.y, must[0]);
        }
    }
}

/* Builds a dump with 2 MiB, to test its files. */
static void build_dump(struct psx_build *build)
{
    psx_build_start(build, PSX_MAGIC_16);
    PACKET(build, PSX_PACKET_VERSION, 3);
    GP1(build, 0x03000000);
    GP1(build, 0x06000000 | 0x260 | 0xC60 << 12);
    GP1(build, 0x07000000 | 0x10 | 0x90 << 10);
    GP1(build, 0x08000001);
    GP1(build, 0x09000001);
    EMPTY_PACKET(build, PSX_PACKET_BEGIN);
    GP1(build, 0x05000000 | 700 << 10);
    GP0(build, area_from(0, 600), area_to(1023, 1023));
    GP0(build, 0xA0000000, XY(64, 768), XY(2, 2), 0x11111111, 0x22222222);
    GP0(build, 0xA0000000, XY(0, 900), XY(2, 1), 0x12340000);
    GP0(build, 0x02FF0000, XY(0, 704), XY(16, 4));
    GP0(build, 0xE1000811, 0x65000000, XY(32, 710), (uint32_t)(900 << 6) << 16, XY(8, 8));
    EMPTY_PACKET(build, PSX_PACKET_VSYNC);
}

static void test_the_tree(void **state)
{
    struct psx_build build;
    struct psx_opened opened;
    struct psx_picture picture;
    char *text;
    size_t size;

    (void)state;
    build_dump(&build);
    psx_opened_build(&opened, &build);
    text = psx_opened_problems(&opened);
    assert_string_equal(text, "");
    free(text);
    text = psx_opened_read(&opened, "metadata.txt");
    assert_non_null(strstr(text, "vram_height: 1024\n"));
    free(text);
    text = psx_opened_read(&opened, "by-frame/000000/state.txt");
    assert_non_null(strstr(text, "\npage: 49\n"));
    assert_non_null(strstr(text, "\ndisplay_start: 0,700\n"));
    free(text);
    text = psx_opened_read(&opened, "by-frame/000000/commands.txt");
    assert_non_null(strstr(text, "display-start at=0,700\n"));
    assert_non_null(strstr(text, " to=64,768 size=2,2 "));
    assert_non_null(strstr(text, " page=49 "));
    free(text);
    text = psx_opened_read(&opened, "uploads.tsv");
    assert_string_equal(psx_view_cell(text, 0, "y"), "768");
    free(text);
    text = psx_opened_read(&opened, "by-frame/000000/draws.tsv");
    assert_string_equal(psx_view_cell(text, 0, "box"), "0,704,16,4");
    assert_string_equal(psx_view_cell(text, 1, "page"), "49");
    free(text);
    text = psx_opened_read(&opened, "by-frame/000000/textures.tsv");
    assert_string_equal(psx_view_cell(text, 0, "texture"), "49-E100-4");
    assert_string_equal(psx_view_cell(text, 0, "page"), "49");
    free(text);
    psx_view_picture(&opened, "by-frame/000000/textures/49-E100-4.png", &picture);
    assert_int_equal(psx_view_pixel(&picture, 0, 0), psx_view_rgb(0x1234));
    psx_view_free(&picture);
    psx_view_picture(&opened, "vram/000000.png", &picture);
    assert_int_equal(picture.height, 1024);
    assert_int_equal(psx_view_pixel(&picture, 64, 769), psx_view_rgb(0x2222));
    assert_int_equal(psx_view_pixel(&picture, 5, 705), psx_view_rgb(0x7C00));
    assert_int_equal(psx_view_pixel(&picture, 33, 710), psx_view_rgb(0x1234));
    psx_view_free(&picture);
    psx_view_picture(&opened, "frames/000000.png", &picture);
    assert_int_equal(psx_view_pixel(&picture, 5, 5), psx_view_rgb(0x7C00));
    assert_int_equal(psx_view_pixel(&picture, 33, 10), psx_view_rgb(0x1234));
    psx_view_free(&picture);
    text = walk_read(opened.tree, "vram/000000.bin", &size);
    assert_int_equal(size, 2 * WIDTH * LINES);
    free(text);
    psx_opened_close(&opened);
    psx_build_free(&build);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_drawing_offset),
        cmocka_unit_test(test_drawing_area),
        cmocka_unit_test(test_primitives_across),
        cmocka_unit_test(test_texture_pages),
        cmocka_unit_test(test_transfers_wrap),
        cmocka_unit_test(test_uploads_and_copies),
        cmocka_unit_test(test_heights_of_transfers),
        cmocka_unit_test(test_fills),
        cmocka_unit_test(test_banks),
        cmocka_unit_test(test_a_closed_gate_mirrors),
        cmocka_unit_test(test_palettes),
        cmocka_unit_test(test_nothing_behind_1_mib),
        cmocka_unit_test(test_displays),
        cmocka_unit_test(test_the_gate_within_an_upload),
        cmocka_unit_test(test_boxes_in_memory),
        cmocka_unit_test(test_the_tree),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

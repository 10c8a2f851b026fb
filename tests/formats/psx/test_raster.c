/* SPDX-License-Identifier: MIT */
/* The rules of psx-gpu.md 2 and 6 to 9, and its traps (13), one by one. */

#include "tests/formats/psx/play.h"
#include "tests/support/support.h"

#include <errno.h>

#define XY psx_play_xy

enum { PAGE_4 = 0, PAGE_8 = 1 << 7, PAGE_15 = 2 << 7 };

/* A 24-bit colour from R, G, B on the 5-bit scale */
#define RGB5(r, g, b) ((uint32_t)(r) << 3 | (uint32_t)(g) << 11 | (uint32_t)(b) << 19)

static void put(struct psx_gpu *gpu, int x, int y, uint16_t pixel)
{
    gpu->vram[y * PSX_VRAM_WIDTH + x] = pixel;
}

static void test_rectangle_sizes(void **state)
{
    static const struct {
        int width, height;
        uint32_t pixels;
    } cases[] = {
        {0, 5, 0},    {5, 0, 0},     {1, 1, 1},   {1023, 1, 1023}, {1024, 1, 0},
        {1025, 1, 1}, {1, 511, 511}, {1, 512, 0}, {1, 513, 1},
    };
    struct psx_gpu *gpu = psx_play_gpu();

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        gpu->pixels = 0;
        PSX_PLAY(gpu, 0x60FFFFFF, XY(0, 0), XY(cases[i].width, cases[i].height));
        assert_int_equal(gpu->pixels, cases[i].pixels);
    }
    gpu->pixels = 0;
    PSX_PLAY(gpu, 0x68FFFFFF, 0, 0x70FFFFFF, 0, 0x78FFFFFF, 0);
    assert_int_equal(gpu->pixels, 1 + 64 + 256);
    psx_gpu_destroy(&gpu);
}

static void test_rectangle_origin_wraps(void **state)
{
    struct psx_gpu *gpu = psx_play_gpu();

    (void)state;
    PSX_PLAY(gpu, 0xE5000000 | 0x400, 0x68FFFFFF, XY(-10, 3));
    assert_int_equal(psx_play_pixel(gpu, 1014, 3), 0x7FFF);
    psx_gpu_destroy(&gpu);
}

static void test_area_is_inclusive(void **state)
{
    struct psx_gpu *gpu = psx_play_gpu();

    (void)state;
    PSX_PLAY(gpu, 0xE3000000 | 10 | 20 << 10, 0xE4000000 | 12 | 21 << 10);
    PSX_PLAY(gpu, 0x60FFFFFF, XY(0, 0), XY(100, 100));
    assert_int_equal(gpu->pixels, 6);
    assert_int_equal(psx_play_pixel(gpu, 10, 20), 0x7FFF);
    assert_int_equal(psx_play_pixel(gpu, 12, 21), 0x7FFF);
    assert_int_equal(psx_play_pixel(gpu, 13, 21), 0);
    PSX_PLAY(gpu, 0xE4000000 | 9 | 21 << 10, 0x60FFFFFF, XY(0, 0), XY(100, 100));
    PSX_PLAY(gpu, 0x20FFFFFF, XY(0, 0), XY(100, 0), XY(0, 100), 0x40FFFFFF, XY(0, 0), XY(99, 99));
    assert_int_equal(gpu->pixels, 6);
    psx_gpu_destroy(&gpu);
}

static void test_nothing_is_drawn_outside_the_reset_area(void **state)
{
    struct psx_gpu *gpu;

    (void)state;
    assert_int_equal(psx_gpu_create(PSX_GPU_SECOND, &gpu), 0);
    PSX_PLAY(gpu, 0x60FFFFFF, XY(0, 0), XY(100, 100));
    assert_int_equal(gpu->pixels, 1);
    assert_int_equal(psx_play_pixel(gpu, 0, 0), 0x7FFF);
    psx_gpu_destroy(&gpu);
}

static void test_creation(void **state)
{
    struct psx_gpu *gpu, *other;

    (void)state;
    assert_int_equal(psx_gpu_create(PSX_GPU_SECOND_2MIB, &gpu), 0);
    assert_int_equal(gpu->lines, 1024);
    other = psx_play_gpu();
    assert_int_equal(psx_gpu_copy(other, gpu), -EINVAL);
    psx_gpu_destroy(&gpu);
    psx_gpu_destroy(&other);
    for (int n = 0; n == 0 || support_allocation_failed(); n++) {
        support_fail_allocation(n);
        if (psx_gpu_create(PSX_GPU_SECOND, &gpu) != 0)
            assert_true(support_allocation_failed());
        psx_gpu_destroy(&gpu);
    }
    support_fail_allocation(-1);
}

/* The buffer for reads has the same size with either VRAM. */
static void test_bytes_grow_with_vram(void **state)
{
    struct psx_gpu *small = NULL, *large = NULL;

    (void)state;
    assert_int_equal(psx_gpu_create(PSX_GPU_SECOND, &small), 0);
    assert_int_equal(psx_gpu_create(PSX_GPU_SECOND_2MIB, &large), 0);
    assert_int_equal(psx_gpu_bytes(large) - psx_gpu_bytes(small), 1 << 20);
    psx_gpu_destroy(&small);
    psx_gpu_destroy(&large);
}

/* A copy continues as the original does, even from the middle of a command. */
static void test_copies_go_on_alike(void **state)
{
    struct psx_gpu *gpu = psx_play_gpu(), *copy = psx_play_gpu();

    (void)state;
    PSX_PLAY(gpu, 0xE1000000 | PAGE_4, 0x64808080, 0, 0x00010000, XY(1, 1));
    PSX_PLAY(gpu, 0xC0000000, 0, XY(3, 1), 0x580000FF, XY(0, 0), 0xFF00, XY(5, 5), 0x123456);
    assert_int_equal(psx_gpu_copy(copy, gpu), 0);
    PSX_PLAY(gpu, XY(9, 20), 0x50005000);
    PSX_PLAY(copy, XY(9, 20), 0x50005000);
    assert_int_equal(psx_play_crc32(gpu), psx_play_crc32(copy));
    assert_memory_equal(&gpu->state, &copy->state, sizeof(gpu->state));
    assert_int_equal(psx_gpu_read(copy, 5, NULL), 2);
    psx_gpu_destroy(&gpu);
    psx_gpu_destroy(&copy);
}

static void test_cancelled(void **state)
{
    static const uint8_t words[8] = {0};
    struct psx_gpu *gpu = psx_play_gpu();
    struct cancel cancel;

    (void)state;
    cancel_init(&cancel, NULL);
    assert_int_equal(psx_gpu_gp0(gpu, words, 2, &cancel), 0);
    cancel_raise(&cancel);
    assert_int_equal(psx_gpu_gp0(gpu, words, 2, &cancel), -EINTR);
    psx_gpu_destroy(&gpu);
}

/* A cancelled call that draws little is executed completely; one that draws much stops. */
static void test_cancelled_after_much(void **state)
{
    enum { QUAD_WORDS = 5, QUADS = 100, PIXELS = 1022 * 510 };
    const uint32_t quad[QUAD_WORDS] = {0x2A0000FF, XY(0, 0), XY(1022, 0), XY(0, 510),
                                       XY(1022, 510)};
    static uint8_t words[QUADS * QUAD_WORDS * 4];
    struct psx_gpu *gpu = psx_play_gpu();
    struct cancel cancel;

    (void)state;
    for (unsigned i = 0; i < QUADS * QUAD_WORDS; i++)
        for (unsigned byte = 0; byte < 4; byte++)
            words[4 * i + byte] = (uint8_t)(quad[i % QUAD_WORDS] >> 8 * byte);
    PSX_PLAY(gpu, 0xE3000000, 0xE4000000 | 1023 | 511 << 10);
    cancel_init(&cancel, NULL);
    cancel_raise(&cancel);
    assert_int_equal(
        psx_gpu_gp0_patiently(gpu, words, QUADS * QUAD_WORDS, QUADS * PIXELS + 1, &cancel), 0);
    assert_int_equal(gpu->pixels, QUADS * PIXELS);
    assert_int_equal(psx_gpu_gp0_patiently(gpu, words, QUADS * QUAD_WORDS, 10 * PIXELS, &cancel),
                     -EINTR);
    assert_int_equal(gpu->pixels, (QUADS + 10) * PIXELS);
    psx_gpu_destroy(&gpu);
}

static void test_polygon_page_stays_in_e1(void **state)
{
    struct psx_gpu *gpu = psx_play_gpu();

    (void)state;
    PSX_PLAY(gpu, 0xE1000600);
    /* Culled for its size, but the page still takes effect. */
    PSX_PLAY(gpu, 0x24808080, XY(0, 0), 0, XY(1023, 0), 0x09FF0000, XY(-1000, 0), 0);
    assert_int_equal(psx_gpu_status(gpu) & 0x87FF, 0x07FF);
    PSX_PLAY(gpu, 0x24808080, XY(0, 0), 0, XY(9, 0), 0, XY(0, 9), 0xFFFF0000);
    assert_int_equal(psx_gpu_status(gpu) & 0x87FF, 0x0600);
    psx_gpu_destroy(&gpu);
}

/*
 * Creates a GPU with a palette of entries base + i at (0, 500), and texels 0, 1, 2, … in the page
 * at (640, 0).
 */
static struct psx_gpu *textured_gpu(uint16_t base)
{
    struct psx_gpu *gpu = psx_play_gpu();

    for (int i = 0; i < 256; i++)
        put(gpu, i, 500, (uint16_t)(base + i));
    for (int i = 0; i < 64; i++)
        put(gpu, 640 + i, 0, (uint16_t)(0x3210 + 0x4444 * (i % 4)));
    for (int i = 0; i < 128; i++)
        put(gpu, 640 + i, 1, (uint16_t)(2 * i | (2 * i + 1) << 8));
    for (int i = 0; i < 256; i++)
        put(gpu, 640 + i, 2, (uint16_t)(base + i));
    return gpu;
}

enum { CLUT = 500 << 6, PAGE = 10 };

/* Draws a raw sprite of `width` texels from (u, v) on, at (0, 100). */
static void sprite(struct psx_gpu *gpu, uint32_t page, unsigned u, unsigned v, int width)
{
    PSX_PLAY(gpu, 0xE1000000 | page, 0x65000000, XY(0, 100), (uint32_t)CLUT << 16 | v << 8 | u,
             XY(width, 1));
}

static void test_depths(void **state)
{
    struct psx_gpu *gpu = textured_gpu(0x100);

    (void)state;
    sprite(gpu, PAGE | PAGE_4, 0, 0, 16);
    for (int i = 0; i < 16; i++)
        assert_int_equal(psx_play_pixel(gpu, i, 100), 0x100 + i);
    for (uint32_t depth = 1; depth < 4; depth++) { /* 3 means 15 bits as well */
        sprite(gpu, PAGE | depth << 7, 0, depth == 1 ? 1 : 2, 256);
        for (int i = 0; i < 256; i++)
            assert_int_equal(psx_play_pixel(gpu, i, 100), 0x100 + i);
    }
    psx_gpu_destroy(&gpu);
}

/* Pages do not wrap at their width, but at VRAM's right edge. */
static void test_pages_wrap_at_1024(void **state)
{
    struct psx_gpu *gpu = psx_play_gpu();

    (void)state;
    put(gpu, 1023, 3, 0x1111);
    put(gpu, 0, 3, 0x2222);
    put(gpu, 191, 3, 0x3333);
    sprite(gpu, 15 | PAGE_15, 63, 3, 2);
    assert_int_equal(psx_play_pixel(gpu, 0, 100), 0x1111);
    assert_int_equal(psx_play_pixel(gpu, 1, 100), 0x2222);
    sprite(gpu, 15 | PAGE_15, 255, 3, 2); /* U wraps, back to the page */
    assert_int_equal(psx_play_pixel(gpu, 0, 100), 0x3333);
    put(gpu, 960, 3, 0x4444);
    sprite(gpu, 15 | PAGE_15, 255, 3, 2);
    assert_int_equal(psx_play_pixel(gpu, 1, 100), 0x4444);
    for (int i = 0; i < 256; i++)
        put(gpu, i, 500, (uint16_t)(0x100 + i));
    put(gpu, 0, 3, 0x0605);
    sprite(gpu, 15 | PAGE_8, 128, 3, 2);
    assert_int_equal(psx_play_pixel(gpu, 0, 100), 0x105);
    assert_int_equal(psx_play_pixel(gpu, 1, 100), 0x106);
    psx_gpu_destroy(&gpu);
}

static void test_palettes_wrap_at_1024(void **state)
{
    struct psx_gpu *gpu = textured_gpu(0);

    (void)state;
    put(gpu, 1023, 400, 0x1234);
    put(gpu, 0, 400, 0x2345);
    PSX_PLAY(gpu, 0xE1000000 | PAGE | PAGE_8, 0x65000000, XY(0, 100),
             (uint32_t)(400 << 6 | 63) << 16 | 1 << 8 | 15, XY(2, 1));
    assert_int_equal(psx_play_pixel(gpu, 0, 100), 0x1234);
    assert_int_equal(psx_play_pixel(gpu, 1, 100), 0x2345);
    psx_gpu_destroy(&gpu);
}

static void test_texel_zero_is_transparent(void **state)
{
    struct psx_gpu *gpu = textured_gpu(0);

    (void)state;
    put(gpu, 0, 100, 0x5555);
    put(gpu, 1, 100, 0x5555);
    sprite(gpu, PAGE | PAGE_4, 0, 0, 2);
    assert_int_equal(psx_play_pixel(gpu, 0, 100), 0x5555);
    assert_int_equal(psx_play_pixel(gpu, 1, 100), 1);
    /* 8000h is black, but drawn, through a window as well. */
    put(gpu, 640, 2, 0x8000);
    PSX_PLAY(gpu, 0xE2000000 | 31 | 31 << 5);
    put(gpu, 640, 0, 0x8000);
    sprite(gpu, PAGE | PAGE_15, 77, 99, 1);
    assert_int_equal(psx_play_pixel(gpu, 0, 100), 0x5555);
    put(gpu, 640 + 5, 3, 0);
    sprite(gpu, PAGE | PAGE_15, 77, 99, 1);
    assert_int_equal(psx_play_pixel(gpu, 0, 100), 0x5555);
    psx_gpu_destroy(&gpu);
}

static void test_window_offset_outside_the_mask(void **state)
{
    struct psx_gpu *gpu = textured_gpu(0x100);

    (void)state;
    /* With mask 2 in U, bit 4 of U comes from the offset, whose other bits do not matter. */
    PSX_PLAY(gpu, 0xE2000000 | 2 | 31 << 10 | 31 << 15);
    sprite(gpu, PAGE | PAGE_15, 0, 2, 40);
    for (int i = 0; i < 40; i++)
        assert_int_equal(psx_play_pixel(gpu, i, 100), 0x100 + ((i & ~16) | 16));
    psx_gpu_destroy(&gpu);
}

static void test_palette_is_latched(void **state)
{
    struct psx_gpu *gpu = textured_gpu(0x100);

    (void)state;
    sprite(gpu, PAGE | PAGE_4, 1, 0, 1);
    put(gpu, 1, 500, 0x2000);
    sprite(gpu, PAGE | PAGE_4, 1, 0, 1); /* the same palette: not read again */
    assert_int_equal(psx_play_pixel(gpu, 0, 100), 0x101);
    sprite(gpu, PAGE | PAGE_15, 1, 2, 1); /* 15 bits: neither loads the palette nor counts */
    sprite(gpu, PAGE | PAGE_4, 1, 0, 1);
    assert_int_equal(psx_play_pixel(gpu, 0, 100), 0x101);
    sprite(gpu, PAGE | PAGE_8, 1, 1, 1); /* from 16 to 256 entries: read again */
    assert_int_equal(psx_play_pixel(gpu, 0, 100), 0x2000);
    put(gpu, 1, 500, 0x3000);
    sprite(gpu, PAGE | PAGE_4, 1, 0, 1); /* from 256 to 16: not read again */
    assert_int_equal(psx_play_pixel(gpu, 0, 100), 0x2000);
    PSX_PLAY(gpu, 0xA0000000, XY(1, 500), XY(1, 1), 0x3500); /* nor after an upload over it */
    sprite(gpu, PAGE | PAGE_8, 1, 1, 1);
    assert_int_equal(psx_play_pixel(gpu, 0, 100), 0x2000);
    PSX_PLAY(gpu, 0x01000000);
    sprite(gpu, PAGE | PAGE_4, 1, 0, 1);
    assert_int_equal(psx_play_pixel(gpu, 0, 100), 0x3500);
    psx_gpu_destroy(&gpu);
}

static void test_gp1_drops_the_palette(void **state)
{
    struct psx_gpu *gpu = textured_gpu(0x100);

    (void)state;
    sprite(gpu, PAGE | PAGE_4, 1, 0, 1);
    put(gpu, 1, 500, 0x2000);
    psx_gpu_gp1(gpu, 0x01000000);
    sprite(gpu, PAGE | PAGE_4, 1, 0, 1);
    assert_int_equal(psx_play_pixel(gpu, 0, 100), 0x2000);
    psx_gpu_destroy(&gpu);
}

static void test_flips(void **state)
{
    enum { FLIP_X = 1 << 12, FLIP_Y = 1 << 13 };
    struct psx_gpu *gpu = psx_play_gpu();

    (void)state;
    for (int v = 0; v < 256; v++)
        for (int u = 0; u < 256; u++)
            put(gpu, 256 + u, 256 + v, (uint16_t)(0x8000 | (u & 127) << 8 | v));
    for (unsigned u = 10; u < 12; u++) {
        PSX_PLAY(gpu, 0xE1000000 | 20 | PAGE_15 | FLIP_X, 0x7D000000, 0, 20 << 8 | u);
        assert_int_equal(psx_play_pixel(gpu, 0, 0), 0x8000 | 11 << 8 | 20);
        assert_int_equal(psx_play_pixel(gpu, 15, 1), 0x8000 | (-4 & 127) << 8 | 21);
    }
    for (unsigned v = 20; v < 22; v++) {
        PSX_PLAY(gpu, 0xE1000000 | 20 | PAGE_15 | FLIP_Y, 0x7D000000, 0, v << 8 | 10);
        assert_int_equal(psx_play_pixel(gpu, 0, 0), 0x8000 | 10 << 8 | v);
        assert_int_equal(psx_play_pixel(gpu, 1, 15), 0x8000 | 11 << 8 | (v - 15));
    }
    psx_gpu_destroy(&gpu);
}

static void test_rectangles_wrap_at_256_texels(void **state)
{
    struct psx_gpu *gpu = psx_play_gpu();

    (void)state;
    for (int v = 0; v < 256; v++)
        for (int u = 0; u < 256; u++)
            put(gpu, 256 + u, 256 + v, (uint16_t)(0x8000 | (u & 127) << 8 | v));
    PSX_PLAY(gpu, 0xE1000000 | 20 | PAGE_15, 0xE4000000 | 255 << 10 | 255, 0x65000000,
             XY(-600, -300), 250 << 8 | 251, XY(1000, 511));
    for (int y = 0; y < 211; y += 7)
        for (int x = 0; x < 256; x += 5)
            assert_int_equal(psx_play_pixel(gpu, x, y),
                             0x8000 | ((251 + 600 + x) & 127) << 8 | ((250 + 300 + y) & 255));
    psx_gpu_destroy(&gpu);
}

static void test_modulation(void **state)
{
    static const uint32_t colours[] = {0x00, 0x01, 0x40, 0x7F, 0x80, 0x81, 0xFF};
    struct psx_gpu *gpu = psx_play_gpu();

    (void)state;
    for (uint16_t texel = 1; texel < 32; texel++)
        for (size_t i = 0; i < COUNT_OF(colours); i++) {
            uint32_t scaled = texel * colours[i] >> 7;

            put(gpu, 640, 0, texel);
            PSX_PLAY(gpu, 0xE1000000 | PAGE | PAGE_15, 0x6C000000 | colours[i], 0, 0);
            assert_int_equal(psx_play_pixel(gpu, 0, 0), scaled > 31 ? 31 : scaled);
        }
    psx_gpu_destroy(&gpu);
}

static int dithered(int value, int x, int y)
{
    static const int matrix[4][4] = {
        {-4, 0, -3, 1}, {2, -2, 3, -1}, {-3, 1, -4, 0}, {3, -1, 2, -2}};

    value += matrix[y & 3][x & 3];
    return value < 0 ? 0 : value > 255 ? 31 : value >> 3;
}

/* Compares a flat-shaded polygon of two levels with the matrix at each pixel. */
static void test_dither_matrix(void **state)
{
    static const int levels[] = {0, 3, 4, 100, 101, 102, 103, 252, 255};
    struct psx_gpu *gpu = psx_play_gpu();

    (void)state;
    PSX_PLAY(gpu, 0xE1000200);
    for (size_t i = 0; i < COUNT_OF(levels); i++) {
        uint32_t colour = (uint32_t)levels[i] * 0x010101;

        PSX_PLAY(gpu, 0x38000000 | colour, XY(0, 0), colour, XY(9, 0), colour, XY(0, 9), colour,
                 XY(9, 9));
        for (int y = 0; y < 9; y++)
            for (int x = 0; x < 9; x++)
                assert_int_equal(psx_play_pixel(gpu, x, y), 0x0421 * dithered(levels[i], x, y));
    }
    psx_gpu_destroy(&gpu);
}

static void test_modulated_values_beyond_255_are_dithered_then_clamped(void **state)
{
    struct psx_gpu *gpu = psx_play_gpu();

    (void)state;
    for (int i = 0; i < 16; i++)
        put(gpu, 640 + i, 0, 0x001F);
    PSX_PLAY(gpu, 0x240000FF | 0, XY(0, 0), 0); /* aborted by the GP1 that follows */
    psx_gpu_gp1(gpu, 0x01000000);
    PSX_PLAY(gpu, 0xE1000200);
    PSX_PLAY(gpu, 0x2C0000FF, XY(0, 0), 0, XY(8, 0), (uint32_t)(PAGE | PAGE_15) << 16 | 8, XY(0, 8),
             0, XY(8, 8), 8);
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 8; x++)
            assert_int_equal(psx_play_pixel(gpu, x, y), 31);
    psx_gpu_destroy(&gpu);
}

/*
 * Which kinds of commands heed E1.9 (psx-gpu.md 8). The texel is white, and dithering changes the
 * colour visibly.
 */
static void test_what_is_dithered(void **state)
{
    static const struct {
        uint8_t op;
        bool dithered;
    } cases[] = {
        {0x28, false}, {0x29, false}, {0x2C, true},  {0x2D, false}, {0x38, true},
        {0x39, true},  {0x3C, true},  {0x3D, false}, {0x60, false}, {0x64, false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct psx_gpu *gpu = psx_play_gpu();
        uint8_t op = cases[i].op;
        bool textured = op & 4, gouraud = op >= 0x30 && op < 0x40, quad = op < 0x60;
        uint32_t words[12] = {(uint32_t)op << 24 | 0x636363};
        size_t count = 1;

        for (int x = 0; x < 64; x++)
            for (int y = 0; y < 64; y++)
                put(gpu, 640 + x, y, 0x4210);
        for (int corner = 0; corner < (quad ? 4 : 1); corner++) {
            if (gouraud && corner > 0)
                words[count++] = 0x636363;
            words[count++] = XY(corner & 1 ? 4 : 0, corner & 2 ? 4 : 0);
            if (textured)
                words[count++] = corner == 1 ? (uint32_t)(PAGE | PAGE_15) << 16 : 0;
        }
        if (!quad)
            words[count++] = XY(4, 4);
        PSX_PLAY(gpu, 0xE1000200 | PAGE | PAGE_15);
        psx_play_gp0(gpu, words, count);

        unsigned distinct = 0;

        for (int x = 1; x < 4; x++)
            distinct += psx_play_pixel(gpu, x, 1) != psx_play_pixel(gpu, 0, 0);
        if ((distinct > 0) != cases[i].dithered)
            fail_msg("%02X is %sdithered", op, distinct > 0 ? "" : "not ");
        psx_gpu_destroy(&gpu);
    }
}

static int blended(int back, int front, unsigned mode)
{
    int value = mode == 0   ? (back + front) >> 1
                : mode == 1 ? back + front
                : mode == 2 ? back - front
                            : back + (front >> 2);

    return value < 0 ? 0 : value > 31 ? 31 : value;
}

static void test_blend_modes(void **state)
{
    struct psx_gpu *gpu = psx_play_gpu();

    (void)state;
    for (unsigned mode = 0; mode < 4; mode++)
        for (int back = 0; back < 32; back++)
            for (int front = 0; front < 32; front++) {
                /* Neighbouring channels are at their extremes, so that a carry would be seen. */
                uint16_t under = (uint16_t)(31 | back << 5 | 31 << 10);
                uint16_t must = (uint16_t)(blended(31, 31, mode) | blended(back, front, mode) << 5 |
                                           blended(31, 0, mode) << 10);

                put(gpu, 0, 0, under | 0x8000);
                PSX_PLAY(gpu, 0xE1000000 | mode << 5, 0x6A000000 | RGB5(31, front, 0), 0);
                assert_int_equal(psx_play_pixel(gpu, 0, 0), must);
            }
    psx_gpu_destroy(&gpu);
}

static void test_texel_bit_15_blends_and_is_kept(void **state)
{
    struct psx_gpu *gpu = psx_play_gpu();

    (void)state;
    put(gpu, 640, 0, 0x8010);
    put(gpu, 641, 0, 0x0010);
    put(gpu, 0, 0, 0x0008);
    put(gpu, 1, 0, 0x8008);
    PSX_PLAY(gpu, 0xE1000020 | PAGE | PAGE_15, 0x67000000, 0, 0, XY(2, 1));
    assert_int_equal(psx_play_pixel(gpu, 0, 0), 0x8018);
    assert_int_equal(psx_play_pixel(gpu, 1, 0), 0x0010);
    PSX_PLAY(gpu, 0x65000000, 0, 0, XY(2, 1)); /* not semi-transparent, but bit 15 is still kept */
    assert_int_equal(psx_play_pixel(gpu, 0, 0), 0x8010);
    psx_gpu_destroy(&gpu);
}

static void test_polygons_heed_texel_bit_15(void **state)
{
    struct psx_gpu *gpu = psx_play_gpu();

    (void)state;
    put(gpu, 640, 0, 0x8010);
    put(gpu, 641, 0, 0x0010);
    put(gpu, 0, 0, 0x0008);
    put(gpu, 1, 0, 0x0008);
    PSX_PLAY(gpu, 0x2F000000, XY(0, 0), 0, XY(4, 0), (uint32_t)(PAGE | PAGE_15 | 0x20) << 16 | 4,
             XY(0, 4), 0, XY(4, 4), 4);
    assert_int_equal(psx_play_pixel(gpu, 0, 0), 0x8018);
    assert_int_equal(psx_play_pixel(gpu, 1, 0), 0x0010);
    psx_gpu_destroy(&gpu);
}

/* The mask bits affect every kind of command that draws, but not fills. */
static void test_mask_set_and_check(void **state)
{
    static const uint32_t draws[][8] = {
        {4, 0x20FFFFFF, 0, 4, 4 << 16},
        {3, 0x40FFFFFF, 0, 4},
        {3, 0x60FFFFFF, 0, 4 | 4 << 16},
        {6, 0x30FFFFFF, 0, 0xFFFFFF, 4, 0xFFFFFF, 4 << 16},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(draws); i++) {
        struct psx_gpu *gpu = psx_play_gpu();

        PSX_PLAY(gpu, 0xE6000001);
        psx_play_gp0(gpu, draws[i] + 1, draws[i][0]);
        assert_int_equal(psx_play_pixel(gpu, 1, 0), 0xFFFF);
        put(gpu, 0, 0, 0x8123);
        put(gpu, 1, 0, 0x0123);
        PSX_PLAY(gpu, 0xE6000002);
        psx_play_gp0(gpu, draws[i] + 1, draws[i][0]);
        assert_int_equal(psx_play_pixel(gpu, 0, 0), 0x8123);
        assert_int_equal(psx_play_pixel(gpu, 1, 0), 0x7FFF);
        PSX_PLAY(gpu, 0xE6000003, 0x0200FF00, 0, XY(16, 1));
        assert_int_equal(psx_play_pixel(gpu, 0, 0), 0x03E0);
        psx_gpu_destroy(&gpu);
    }
}

static void test_colours_are_cut_to_5_bits(void **state)
{
    struct psx_gpu *gpu = psx_play_gpu();

    (void)state;
    PSX_PLAY(gpu, 0x68F80F17, 0);
    assert_int_equal(psx_play_pixel(gpu, 0, 0), 2 | 1 << 5 | 31 << 10);
    psx_gpu_destroy(&gpu);
}

/* In 480i, the lines of the displayed field are not drawn. */
static void test_interlaced_lines_are_skipped(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 4; n++) {
        struct psx_gpu *gpu = psx_play_gpu();
        unsigned start = n & 1, field = n >> 1;
        int skipped = (int)(start + field) & 1;

        psx_gpu_gp1(gpu, 0x08000024);
        psx_gpu_gp1(gpu, 0x05000000 | start << 10);
        gpu->state.registers.field = (uint8_t)field;
        PSX_PLAY(gpu, 0x60FFFFFF, XY(0, 0), XY(4, 4), 0x20FFFFFF, XY(10, 0), XY(14, 0), XY(10, 4));
        PSX_PLAY(gpu, 0x40FFFFFF, XY(20, 0), XY(20, 3), 0x02FFFFFF, XY(32, 0), XY(16, 4));
        PSX_PLAY(gpu, 0xA0000000, XY(50, 0), XY(1, 2), 0x12341234);
        for (int y = 0; y < 4; y++)
            for (int x = 0; x < 4; x++) {
                static const int columns[4] = {0, 10, 20, 32};

                assert_int_equal(psx_play_pixel(gpu, columns[x], y),
                                 (y & 1) == skipped ? 0 : 0x7FFF);
            }
        assert_int_equal(psx_play_pixel(gpu, 50, skipped), 0x1234);
        psx_gpu_destroy(&gpu);
    }
}

static void test_lines_are_not_skipped_when(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 4; n++) {
        struct psx_gpu *gpu = psx_play_gpu();
        static const uint32_t modes[4] = {0x08000020, 0x08000004, 0x08000024, 0x08000024};

        psx_gpu_gp1(gpu, modes[n]);
        PSX_PLAY(gpu, n == 2 ? 0xE1000400 : 0xE1000000);
        gpu->never_skip = n == 3; /* field=both */
        PSX_PLAY(gpu, 0x60FFFFFF, XY(0, 0), XY(4, 4));
        assert_int_equal(gpu->pixels, 16);
        psx_gpu_destroy(&gpu);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_creation),
        cmocka_unit_test(test_bytes_grow_with_vram),
        cmocka_unit_test(test_copies_go_on_alike),
        cmocka_unit_test(test_cancelled),
        cmocka_unit_test(test_cancelled_after_much),
        cmocka_unit_test(test_rectangle_sizes),
        cmocka_unit_test(test_rectangle_origin_wraps),
        cmocka_unit_test(test_area_is_inclusive),
        cmocka_unit_test(test_nothing_is_drawn_outside_the_reset_area),
        cmocka_unit_test(test_polygon_page_stays_in_e1),
        cmocka_unit_test(test_depths),
        cmocka_unit_test(test_pages_wrap_at_1024),
        cmocka_unit_test(test_palettes_wrap_at_1024),
        cmocka_unit_test(test_texel_zero_is_transparent),
        cmocka_unit_test(test_window_offset_outside_the_mask),
        cmocka_unit_test(test_palette_is_latched),
        cmocka_unit_test(test_gp1_drops_the_palette),
        cmocka_unit_test(test_flips),
        cmocka_unit_test(test_rectangles_wrap_at_256_texels),
        cmocka_unit_test(test_modulation),
        cmocka_unit_test(test_dither_matrix),
        cmocka_unit_test(test_modulated_values_beyond_255_are_dithered_then_clamped),
        cmocka_unit_test(test_what_is_dithered),
        cmocka_unit_test(test_blend_modes),
        cmocka_unit_test(test_texel_bit_15_blends_and_is_kept),
        cmocka_unit_test(test_polygons_heed_texel_bit_15),
        cmocka_unit_test(test_mask_set_and_check),
        cmocka_unit_test(test_colours_are_cut_to_5_bits),
        cmocka_unit_test(test_interlaced_lines_are_skipped),
        cmocka_unit_test(test_lines_are_not_skipped_when),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include "formats/psx/gpu/draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* Returns registers with the drawing area x0,y0..x1,y1 and an offset. */
static struct psx_registers registers_with(uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1,
                                           int offset_x, int offset_y)
{
    struct psx_registers registers;

    psx_registers_reset(&registers, PSX_GPU_SECOND);
    psx_registers_environment(&registers, 0xE3000000 | x0 | y0 << 10);
    psx_registers_environment(&registers, 0xE4000000 | x1 | y1 << 10);
    psx_registers_environment(&registers, 0xE5000000 | ((uint32_t)offset_x & 0x7FF) |
                                              ((uint32_t)offset_y & 0x7FF) << 11);
    return registers;
}

static struct psx_draw decode(const struct psx_registers *registers, const uint32_t *words)
{
    struct psx_gp0_event event = {.type = GP0_EVENT_COMMAND, .op = (uint8_t)(words[0] >> 24)};
    struct psx_draw draw;

    event.count = psx_gp0_table[event.op].words;
    memcpy(event.words, words, sizeof(words[0]) * event.count);
    psx_draw_decode(&event, registers, &draw);
    return draw;
}

#define WORDS(...) ((const uint32_t[]){__VA_ARGS__})
#define XY(x, y)   ((uint32_t)(x)&0xFFFF) | (uint32_t)(y) << 16

static void assert_box(const struct psx_box *box, int x, int y, int width, int height)
{
    assert_int_equal(box->x, x);
    assert_int_equal(box->y, y);
    assert_int_equal(box->width, width);
    assert_int_equal(box->height, height);
}

static void test_fields_of_a_textured_quad(void **state)
{
    struct psx_registers registers = registers_with(0, 0, 319, 239, 0, 0);
    struct psx_draw draw;

    (void)state;
    psx_registers_environment(&registers, 0xE1000600);
    draw = decode(&registers,
                  WORDS(0x3E808080, XY(-8, 10), 0x78200000, 0x404040, XY(56, 10), 0x00AA003F,
                        0xFF404040, XY(-8, 74), 0xFFFF3F00, 0x202020, XY(0x83F, 74), 0xFFFF3F3F));
    assert_int_equal(draw.kind, GP0_POLYGON);
    assert_int_equal(draw.vertex_count, 4);
    assert_true(draw.textured && draw.gouraud && draw.semi && draw.dither);
    assert_false(draw.raw);
    assert_int_equal(draw.clut, 0x7820);
    assert_int_equal(draw.page, 10);
    assert_int_equal(draw.depth, PSX_DEPTH_8);
    assert_int_equal(draw.blend, 1);
    assert_int_equal(draw.vertex[0].x, -8);
    assert_int_equal(draw.vertex[2].colour, 0x404040);
    assert_int_equal(draw.vertex[3].colour, 0x202020);
    assert_int_equal(draw.vertex[3].x, 63);
    assert_int_equal(draw.vertex[3].u, 63);
    assert_int_equal(draw.vertex[2].v, 63);
}

static void test_dither_by_kind(void **state)
{
    static const struct {
        uint8_t op;
        bool dithered;
    } cases[] = {
        {0x20, false}, {0x21, false}, {0x24, true},  {0x25, false}, {0x30, true},
        {0x31, true},  {0x34, true},  {0x35, false}, {0x40, true},  {0x50, true},
        {0x60, false}, {0x64, false}, {0x48, true},  {0x02, false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct psx_registers registers = registers_with(0, 0, 319, 239, 0, 0);
        uint32_t words[GP0_WORDS_MAX] = {(uint32_t)cases[i].op << 24};

        assert_false(decode(&registers, words).dither);
        psx_registers_environment(&registers, 0xE1000200);
        assert_int_equal(decode(&registers, words).dither, cases[i].dithered);
    }
}

static void test_depth_3_is_15_bit(void **state)
{
    struct psx_registers registers = registers_with(0, 0, 319, 239, 0, 0);

    (void)state;
    psx_registers_environment(&registers, 0xE10001FF);
    assert_int_equal(decode(&registers, WORDS(0x6C000000, 0, 0)).depth, PSX_DEPTH_15);
    assert_int_equal(decode(&registers, WORDS(0x6C000000, 0, 0)).page, 31);
    assert_int_equal(decode(&registers, WORDS(0x68000000, 0)).depth, PSX_DEPTH_NONE);
}

static void test_rectangle_sizes(void **state)
{
    struct psx_registers registers = registers_with(0, 0, 1023, 511, 0, 0);
    static const struct {
        uint32_t op, size, width, height;
    } cases[] = {
        {0x60, XY(1023, 511), 1023, 511},
        {0x60, XY(1024, 1), 0, 1},
        {0x60, XY(1025, 513), 1, 1},
        {0x60, XY(1, 512), 1, 0},
        {0x60, 0, 0, 0},
        {0x68, 0, 1, 1},
        {0x70, 0, 8, 8},
        {0x78, 0, 16, 16},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct psx_draw draw = decode(&registers, WORDS(cases[i].op << 24, 0, cases[i].size));
        struct psx_box box;
        bool empty = cases[i].width == 0 || cases[i].height == 0;

        assert_int_equal(draw.width, cases[i].width);
        assert_int_equal(draw.height, cases[i].height);
        assert_int_equal(psx_draw_box(&draw, &registers, &box),
                         empty ? PSX_CULL_EMPTY : PSX_CULL_NO);
    }
}

static void test_fill_is_rounded_to_16(void **state)
{
    static const struct {
        uint32_t size, width, height;
    } cases[] = {
        {XY(1, 1), 16, 1},         {XY(16, 511), 16, 511}, {XY(0x3F1, 1), 1024, 1},
        {XY(0x3FF, 512), 1024, 0}, {XY(0x400, 1), 0, 1},   {XY(0x401, 513), 16, 1},
    };
    struct psx_registers registers = registers_with(0, 0, 0, 0, 5, 5);

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct psx_draw draw =
            decode(&registers, WORDS(0x02000000, XY(0x7FF, 0x3FF), cases[i].size));

        assert_int_equal(draw.x, 0x3F0);
        assert_int_equal(draw.y, 0x1FF);
        assert_int_equal(draw.width, cases[i].width);
        assert_int_equal(draw.height, cases[i].height);
    }
}

static void test_transfer_sizes(void **state)
{
    struct psx_registers registers = registers_with(0, 0, 0, 0, 0, 0);
    struct psx_draw draw;

    (void)state;
    draw = decode(&registers, WORDS(0x80000000, XY(0x401, 0x201), XY(0x7FF, 0x3FF), 0));
    assert_int_equal(draw.from_x, 1);
    assert_int_equal(draw.from_y, 1);
    assert_int_equal(draw.x, 1023);
    assert_int_equal(draw.y, 511);
    assert_int_equal(draw.width, 1024);
    assert_int_equal(draw.height, 512);
    draw = decode(&registers, WORDS(0xA0000000, 0, XY(1025, 513)));
    assert_int_equal(draw.width, 1);
    assert_int_equal(draw.height, 1);
}

static void test_box_of_polygons_and_lines(void **state)
{
    struct psx_registers registers = registers_with(0, 240, 319, 479, 0, 240);
    struct psx_draw draw;
    struct psx_box box;

    (void)state;
    draw = decode(&registers, WORDS(0x20000000, XY(20, 30), XY(60, 30), XY(20, 70)));
    assert_int_equal(psx_draw_box(&draw, &registers, &box), PSX_CULL_NO);
    assert_box(&box, 20, 270, 40, 40);
    draw = decode(&registers, WORDS(0x42000000, XY(0, 0), XY(319, 239)));
    assert_int_equal(psx_draw_box(&draw, &registers, &box), PSX_CULL_NO);
    assert_box(&box, 0, 240, 320, 240);
    draw = decode(&registers, WORDS(0x28000000, XY(-8, 10), XY(56, 10), XY(-8, 74), XY(56, 74)));
    assert_int_equal(psx_draw_box(&draw, &registers, &box), PSX_CULL_NO);
    assert_box(&box, 0, 250, 56, 64);
}

static void test_cull_reasons(void **state)
{
    struct psx_registers registers = registers_with(0, 0, 1023, 511, 0, 0);
    struct psx_draw draw;
    struct psx_box box;

    (void)state;
    draw = decode(&registers, WORDS(0x20000000, XY(0, 0), XY(1023, 0), XY(0, 511)));
    assert_int_equal(psx_draw_box(&draw, &registers, &box), PSX_CULL_NO);
    draw = decode(&registers, WORDS(0x20000000, XY(0, 0), XY(1023, 0), XY(0, 512)));
    assert_int_equal(psx_draw_box(&draw, &registers, &box), PSX_CULL_SIZE);
    draw = decode(&registers, WORDS(0x20000000, XY(-1, 0), XY(1023, 0), XY(0, 1)));
    assert_int_equal(psx_draw_box(&draw, &registers, &box), PSX_CULL_SIZE);
    draw = decode(&registers, WORDS(0x20000000, XY(0, 0), XY(5, 5), XY(10, 10)));
    assert_int_equal(psx_draw_box(&draw, &registers, &box), PSX_CULL_EMPTY);
    draw = decode(&registers, WORDS(0x40000000, XY(0, 0), XY(0, 512)));
    assert_int_equal(psx_draw_box(&draw, &registers, &box), PSX_CULL_SIZE);
    draw = decode(&registers, WORDS(0x40000000, XY(0, -1), XY(9, -1)));
    assert_int_equal(psx_draw_box(&draw, &registers, &box), PSX_CULL_CLIP);
    registers = registers_with(20, 0, 19, 511, 0, 0);
    draw = decode(&registers, WORDS(0x60000000, 0, XY(100, 100)));
    assert_int_equal(psx_draw_box(&draw, &registers, &box), PSX_CULL_CLIP);
}

static void test_halves_of_a_quad_are_culled_apart(void **state)
{
    struct psx_registers registers = registers_with(0, 0, 1023, 511, 0, 0);
    struct psx_draw draw;
    struct psx_box box;

    (void)state;
    draw = decode(&registers, WORDS(0x28000000, XY(0, 0), XY(10, 0), XY(0, 10), XY(0, 600)));
    assert_int_equal(psx_draw_box(&draw, &registers, &box), PSX_CULL_NO);
    assert_box(&box, 0, 0, 10, 10);
    draw = decode(&registers, WORDS(0x28000000, XY(0, 600), XY(10, 0), XY(0, 10), XY(10, 20)));
    assert_int_equal(psx_draw_box(&draw, &registers, &box), PSX_CULL_NO);
    assert_box(&box, 0, 0, 10, 20);
    draw = decode(&registers, WORDS(0x28000000, XY(0, 600), XY(10, 0), XY(0, 10), XY(10, 700)));
    assert_int_equal(psx_draw_box(&draw, &registers, &box), PSX_CULL_SIZE);
}

static void test_coordinates_come_back_from_above(void **state)
{
    struct psx_registers registers = registers_with(0, 0, 1023, 511, -1024, -1024);
    struct psx_draw draw;
    struct psx_box box;

    (void)state;
    /* -100 - 1024 = -1124 wraps to 924 in 11 signed bits. */
    draw = decode(&registers, WORDS(0x20000000, XY(-100, -1000), XY(-60, -1000), XY(-100, -980)));
    assert_int_equal(psx_draw_box(&draw, &registers, &box), PSX_CULL_NO);
    assert_box(&box, 924, 24, 40, 20);
    draw = decode(&registers, WORDS(0x60000000, XY(-100, -1000), XY(40, 20)));
    assert_int_equal(psx_draw_box(&draw, &registers, &box), PSX_CULL_NO);
    assert_box(&box, 924, 24, 40, 20);
}

static void test_segments_of_a_polyline(void **state)
{
    struct psx_registers registers = registers_with(0, 240, 319, 479, 0, 240);
    struct psx_draw draw = decode(&registers, WORDS(0x580000FF, XY(10, 10), 0x00FF00, XY(50, 10)));
    struct psx_gp0_event event = {.type = GP0_EVENT_SEGMENT, .count = 2};
    struct psx_box box, all;

    (void)state;
    assert_int_equal(psx_draw_box(&draw, &registers, &all), PSX_CULL_NO);
    event.words[0] = 0xFF0000;
    event.words[1] = XY(50, 50);
    psx_draw_next_segment(&event, &draw);
    assert_int_equal(draw.vertex[0].colour, 0x00FF00);
    assert_int_equal(draw.vertex[0].x, 50);
    assert_int_equal(draw.vertex[1].colour, 0xFF0000);
    assert_int_equal(psx_draw_box(&draw, &registers, &box), PSX_CULL_NO);
    assert_box(&box, 50, 250, 1, 41);
    psx_box_add(&all, &box, PSX_VRAM_HEIGHT);
    assert_box(&all, 10, 250, 41, 41);
    box = (struct psx_box){0};
    psx_box_add(&all, &box, PSX_VRAM_HEIGHT);
    assert_box(&all, 10, 250, 41, 41);
    psx_box_add(&box, &all, PSX_VRAM_HEIGHT);
    assert_box(&box, 10, 250, 41, 41);
}

/* Lines of the drawing area from 512 on are lines of VRAM from 0 on. */
static void test_boxes_in_lines_from_512_on(void **state)
{
    static const struct {
        int y, height;
        int box_y, box_height; /* 0: clipped */
    } cases[] = {
        {100, 30, 100, 30}, {600, 30, 88, 30},   {500, 30, 500, 30},
        {511, 2, 511, 2},   {1000, 60, 488, 24}, {512, 511, 0, 511},
        {1, 511, 1, 511},   {1023, 1, 511, 1},   {-30, 40, 0, 10},
    };
    struct psx_registers registers = registers_with(0, 0, 1023, 1023, 0, 0);
    struct psx_draw draw;
    struct psx_box box;

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        draw = decode(&registers,
                      WORDS(0x60FFFFFF, XY(3, cases[i].y), XY(5, (unsigned)cases[i].height)));
        assert_int_equal(psx_draw_box(&draw, &registers, &box), PSX_CULL_NO);
        assert_box(&box, 3, cases[i].box_y, 5, cases[i].box_height);
    }
    /* Triangles that are far apart cover all lines at most. */
    draw = decode(&registers, WORDS(0x28FFFFFF, XY(0, 10), XY(8, 500), XY(0, 510), XY(8, 1000)));
    assert_int_equal(psx_draw_box(&draw, &registers, &box), PSX_CULL_NO);
    assert_box(&box, 0, 0, 8, 512);
    psx_draw_area(&registers, &box);
    assert_box(&box, 0, 0, 1024, 512);
    registers = registers_with(10, 700, 19, 1023, 0, 0);
    psx_draw_area(&registers, &box);
    assert_box(&box, 10, 188, 10, 324);
    psx_registers_gp1(&registers, 0x09000001); /* after that they are in the second MiB */
    psx_draw_area(&registers, &box);
    assert_box(&box, 0, 0, 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields_of_a_textured_quad),
        cmocka_unit_test(test_dither_by_kind),
        cmocka_unit_test(test_depth_3_is_15_bit),
        cmocka_unit_test(test_rectangle_sizes),
        cmocka_unit_test(test_fill_is_rounded_to_16),
        cmocka_unit_test(test_transfer_sizes),
        cmocka_unit_test(test_box_of_polygons_and_lines),
        cmocka_unit_test(test_cull_reasons),
        cmocka_unit_test(test_halves_of_a_quad_are_culled_apart),
        cmocka_unit_test(test_coordinates_come_back_from_above),
        cmocka_unit_test(test_segments_of_a_polyline),
        cmocka_unit_test(test_boxes_in_lines_from_512_on),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

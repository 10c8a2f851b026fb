/* SPDX-License-Identifier: MIT */
#include "image/canvas.h"

#include "tests/support/support.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

enum { WIDTH = 20, HEIGHT = 12 };

static unsigned count(const struct canvas *canvas, uint8_t colour)
{
    unsigned found = 0;

    for (size_t i = 0; i < (size_t)canvas->width * canvas->height; i++)
        found += canvas->pixels[i] == colour;
    return found;
}

static void test_sizes(void **state)
{
    struct canvas canvas;

    (void)state;
    assert_int_equal(canvas_init(&canvas, 0, 5, 0), -EINVAL);
    assert_int_equal(canvas_init(&canvas, 5, 0, 0), -EINVAL);
    assert_int_equal(canvas_init(&canvas, PICTURE_MAX + 1, 5, 0), -EINVAL);
    support_fail_allocation(0);
    assert_int_equal(canvas_init(&canvas, 5, 5, 0), -ENOMEM);
    support_fail_allocation(-1);
    canvas_clear(&canvas);
    assert_int_equal(canvas_init(&canvas, WIDTH, HEIGHT, 7), 0);
    assert_int_equal(count(&canvas, 7), WIDTH * HEIGHT);
    canvas_clear(&canvas);
    assert_null(canvas.pixels);
}

static void test_everything_is_clipped(void **state)
{
    static const struct {
        int64_t x, y, width, height;
        unsigned filled;
    } cases[] = {
        {0, 0, WIDTH, HEIGHT, WIDTH * HEIGHT},
        {2, 3, 4, 5, 20},
        {-2, -3, 4, 5, 4},
        {WIDTH - 1, HEIGHT - 1, 9, 9, 1},
        {WIDTH, 0, 9, 9, 0},
        {0, 0, 0, 5, 0},
        {0, 0, -1, 5, 0},
        {-5, 0, 5, 5, 0},
        {INT64_MIN, INT64_MIN, INT64_MAX, INT64_MAX, 0},
        {-10, -10, INT64_MAX, INT64_MAX, WIDTH * HEIGHT},
        {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX, 0},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct canvas canvas;

        assert_int_equal(canvas_init(&canvas, WIDTH, HEIGHT, 0), 0);
        canvas_fill(&canvas, cases[i].x, cases[i].y, cases[i].width, cases[i].height, 1);
        assert_int_equal(count(&canvas, 1), cases[i].filled);
        canvas_hatch(&canvas, cases[i].x, cases[i].y, cases[i].width, cases[i].height, 2);
        assert_true(count(&canvas, 2) <= cases[i].filled);
        canvas_clear(&canvas);
    }
}

static void test_outline(void **state)
{
    struct canvas canvas;

    (void)state;
    assert_int_equal(canvas_init(&canvas, WIDTH, HEIGHT, 0), 0);
    canvas_outline(&canvas, 2, 3, 6, 4, 1);
    assert_int_equal(count(&canvas, 1), 6 * 2 + 2 * 2);
    assert_int_equal(canvas.pixels[4 * WIDTH + 3], 0); /* the inside is empty */
    canvas_dot(&canvas, -1, 0, 1);
    canvas_dot(&canvas, 0, HEIGHT, 1);
    assert_int_equal(count(&canvas, 1), 16);
    canvas_clear(&canvas);
}

enum { CELL = FONT_WIDTH * FONT_HEIGHT, LAST = 0x17F };

static size_t encode(uint32_t point, char *out)
{
    if (point < 0x80) {
        out[0] = (char)point;
        return 1;
    }
    if (point < 0x800) {
        out[0] = (char)(0xC0 | point >> 6);
        out[1] = (char)(0x80 | (point & 0x3F));
        return 2;
    }
    out[0] = (char)(0xE0 | point >> 12);
    out[1] = (char)(0x80 | (point >> 6 & 0x3F));
    out[2] = (char)(0x80 | (point & 0x3F));
    return 3;
}

/* Draws a text of one cell. */
static void look_at(const char *text, size_t length, uint8_t pixels[CELL])
{
    struct canvas canvas;

    assert_int_equal(canvas_init(&canvas, FONT_WIDTH, FONT_HEIGHT, 0), 0);
    assert_int_equal(font_cells(text, length), 1);
    assert_int_equal(font_draw(&canvas, 0, 0, 100, text, length, 1), FONT_WIDTH);
    memcpy(pixels, canvas.pixels, CELL);
    canvas_clear(&canvas);
}

static void look_at_point(uint32_t point, uint8_t pixels[CELL])
{
    char text[3];

    look_at(text, encode(point, text), pixels);
}

/* Returns whether the characters look alike: spaces, and D with a stroke of two alphabets. */
static bool are_alike(uint32_t a, uint32_t b)
{
    return (a == ' ' && b == 0xA0) || (a == 0xD0 && b == 0x110);
}

/* Returns whether the character is drawn: control characters and the soft hyphen are not. */
static bool is_drawn(uint32_t point)
{
    return (point < 0x7F || point >= 0xA0) && point != 0xAD;
}

static void test_characters_differ(void **state)
{
    static uint8_t seen[LAST + 1][CELL];
    static const uint8_t nothing[CELL];
    uint8_t box[CELL];

    (void)state;
    look_at_point(0x65E5, box);
    assert_memory_not_equal(box, nothing, CELL);
    for (uint32_t i = ' '; i <= LAST; i++) {
        if (!is_drawn(i))
            continue;
        look_at_point(i, seen[i]);
        assert_int_equal(memcmp(seen[i], nothing, CELL) == 0, i == ' ' || i == 0xA0);
        assert_memory_not_equal(seen[i], box, CELL);
        for (uint32_t j = ' '; j < i; j++)
            if (is_drawn(j) && (memcmp(seen[i], seen[j], CELL) == 0) != are_alike(j, i))
                fail_msg("U+%04X and U+%04X", i, j);
    }
}

static void test_characters_that_are_not_there_are_boxes(void **state)
{
    static const uint32_t points[] = {0x250, 0x391, 0x416, 0x4E00, 0xFFFD};
    uint8_t box[CELL], seen[CELL];

    (void)state;
    look_at_point(0x65E5, box);
    for (size_t i = 0; i < COUNT_OF(points); i++) {
        look_at_point(points[i], seen);
        assert_memory_equal(seen, box, CELL);
    }
    look_at("\xF0\x9F\x98\x80", 4, seen);
    assert_memory_equal(seen, box, CELL);
}

static void test_decomposed_letters_look_the_same(void **state)
{
    static const struct {
        uint32_t composed;
        const char *decomposed;
    } cases[] = {
        {0xE9, "e\xCC\x81"},  {0xC9, "E\xCC\x81"},  {0xEF, "i\xCC\x88"},  {0xC7, "C\xCC\xA7"},
        {0x11F, "g\xCC\x86"}, {0x16F, "u\xCC\x8A"}, {0x105, "a\xCC\xA8"}, {'x', "x\xCD\xA3"},
    };
    uint8_t composed[CELL], decomposed[CELL];

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        look_at_point(cases[i].composed, composed);
        look_at(cases[i].decomposed, strlen(cases[i].decomposed), decomposed);
        assert_memory_equal(composed, decomposed, CELL);
    }
}

static void test_cells_are_characters(void **state)
{
    (void)state;
    assert_int_equal(font_cells("", 0), 0);
    assert_int_equal(font_cells("abc", 3), 3);
    assert_int_equal(font_cells("\xC3\xA9t\xC3\xA9", 5), 3);
    assert_int_equal(font_cells("e\xCC\x81\xCC\x80", 5), 1);
    assert_int_equal(font_cells("\xCC\x81", 2), 1); /* a combining mark after no character */
    assert_int_equal(font_cells("\xC3\xA9", 1), 1); /* cut off */
    assert_int_equal(font_cells("\xFF\xFE", 2), 2);
}

static void test_text_is_cut_to_its_room(void **state)
{
    struct canvas canvas;

    (void)state;
    assert_int_equal(canvas_init(&canvas, WIDTH, HEIGHT, 0), 0);
    assert_int_equal(font_draw(&canvas, 0, 0, 4, "abc", 3, 1), 0);
    assert_int_equal(font_draw(&canvas, 0, 0, -5, "abc", 3, 1), 0);
    assert_int_equal(font_draw(&canvas, 0, 0, 5, "abc", 3, 1), 5);
    assert_int_equal(font_draw(&canvas, 0, 0, 10, "abc", 3, 1), 5);
    assert_int_equal(font_draw(&canvas, 0, 0, 11, "abc", 3, 1), 11);
    assert_int_equal(font_draw(&canvas, 0, 0, 100, "abc", 3, 1), font_width(3));
    assert_int_equal(font_draw(&canvas, 0, 0, 11, "\xC3\xA9\xC3\xA8\xC3\xA7", 6, 1), 11);
    assert_int_equal(font_draw(&canvas, 0, 0, 100, "\xC3\xA9\xC3\xA8\xC3\xA7", 6, 1),
                     font_width(3));
    canvas_clear(&canvas);
}

static void test_strange_bytes_are_question_marks(void **state)
{
    static const char bytes[] = {'\x7F', '\x1F', '\xC4', '\0'};

    (void)state;
    for (size_t i = 0; i < sizeof(bytes); i++) {
        struct canvas a, b;

        assert_int_equal(canvas_init(&a, WIDTH, HEIGHT, 0), 0);
        assert_int_equal(canvas_init(&b, WIDTH, HEIGHT, 0), 0);
        font_draw(&a, 1, 1, 9, &bytes[i], 1, 1);
        font_draw(&b, 1, 1, 9, "?", 1, 1);
        assert_memory_equal(a.pixels, b.pixels, WIDTH * HEIGHT);
        canvas_clear(&a);
        canvas_clear(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_everything_is_clipped),
        cmocka_unit_test(test_outline),
        cmocka_unit_test(test_characters_differ),
        cmocka_unit_test(test_characters_that_are_not_there_are_boxes),
        cmocka_unit_test(test_decomposed_letters_look_the_same),
        cmocka_unit_test(test_cells_are_characters),
        cmocka_unit_test(test_text_is_cut_to_its_room),
        cmocka_unit_test(test_strange_bytes_are_question_marks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

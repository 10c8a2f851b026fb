#include "core/canvas.h"
#include "core/font.h"

#include "support.h"

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
    assert_int_equal(canvas.pixels[4 * WIDTH + 3], 0); /* hollow */
    canvas_dot(&canvas, -1, 0, 1);
    canvas_dot(&canvas, 0, HEIGHT, 1);
    assert_int_equal(count(&canvas, 1), 16);
    canvas_clear(&canvas);
}

/* All characters differ, and stay within their box. */
static void test_characters(void **state)
{
    uint8_t seen[95][FONT_WIDTH * FONT_HEIGHT];

    (void)state;
    for (unsigned i = 0; i < 95; i++) {
        struct canvas canvas;
        char c = (char)(' ' + i);

        assert_int_equal(canvas_init(&canvas, FONT_WIDTH, FONT_HEIGHT, 0), 0);
        assert_int_equal(font_draw(&canvas, 0, 0, 100, &c, 1, 1), FONT_WIDTH);
        memcpy(seen[i], canvas.pixels, sizeof(seen[i]));
        assert_int_equal(count(&canvas, 1) == 0, c == ' ');
        for (unsigned j = 0; j < i; j++)
            assert_memory_not_equal(seen[i], seen[j], sizeof(seen[i]));
        canvas_clear(&canvas);
    }
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
        cmocka_unit_test(test_characters),
        cmocka_unit_test(test_text_is_cut_to_its_room),
        cmocka_unit_test(test_strange_bytes_are_question_marks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

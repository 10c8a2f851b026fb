/* SPDX-License-Identifier: MIT */
/* When a reader goes away, drawing for it ends, however large the trace. */
#include "config.h"

#include "tests/support/support.h"

#include "formats/aerogpu/replay/replay.h"

enum { SIDE = 256 };

/* Counts texels, and goes away at that number of them */
struct reader {
    struct cancel cancel;
    unsigned painted, last;
};

static void paint(void *context, uint32_t x, uint32_t y, const float colour[4])
{
    struct reader *reader = context;

    (void)x, (void)y, (void)colour;
    if (++reader->painted == reader->last)
        cancel_raise(&reader->cancel);
}

static unsigned paint_half(unsigned last)
{
    static const struct aerogpu_soft_vertex corners[3] = {
        {.x = -1, .y = 1}, {.x = 1, .y = 1}, {.x = -1, .y = -1}};
    struct reader reader = {.last = last};
    const struct aerogpu_soft_area area = {.width = SIDE,
                                           .height = SIDE,
                                           .view_width = SIDE,
                                           .view_height = SIDE,
                                           .right = SIDE,
                                           .bottom = SIDE,
                                           .cancel = &reader.cancel};

    cancel_init(&reader.cancel, NULL);
    aerogpu_soft_triangle(&area, corners, paint, &reader);
    return reader.painted;
}

static void a_triangle_ends_within_a_row(void **state)
{
    (void)state;
    assert_in_range(paint_half(0), SIDE * SIDE / 2 - SIDE, SIDE * SIDE / 2 + SIDE);
    assert_in_range(paint_half(1), 1, SIDE);
    assert_in_range(paint_half(10 * SIDE), 10 * SIDE, 11 * SIDE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_triangle_ends_within_a_row)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}

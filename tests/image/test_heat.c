/* SPDX-License-Identifier: MIT */
/* Numbers as colours, and the strip that explains the colours. */
#include "config.h"

#include "tests/support/support.h"

#include "image/heat.h"

#include <string.h>

static void colours_are_those_of_the_row_below(void **state)
{
    (void)state;
    assert_memory_equal(heat_colour(&heat_writes, 0), "\0\0\0", 3);
    assert_memory_equal(heat_colour(&heat_writes, 1), heat_writes.heats[1].rgb, 3);
    assert_memory_equal(heat_colour(&heat_writes, 12), heat_writes.heats[9].rgb, 3);
    assert_memory_equal(heat_colour(&heat_writes, 13), heat_writes.heats[10].rgb, 3);
    assert_memory_equal(heat_colour(&heat_writes, 100000), "\377\377\377", 3);
}

/* Strips have all colours, however narrow they are. */
static void strips_of_every_width_have_all_colours(void **state)
{
    static const uint32_t widths[] = {1024, 800, 100, 16, 1};

    (void)state;
    assert_int_equal(heat_legend_lines(1024), 16);
    for (size_t n = 0; n < COUNT_OF(widths); n++) {
        struct canvas legend = {.pixels = NULL};
        unsigned found = 0;

        assert_int_equal(heat_legend_init(&heat_writes, widths[n], &legend), 0);
        assert_int_equal(legend.width, widths[n]);
        assert_int_equal(legend.height, heat_legend_lines(widths[n]));
        for (uint8_t i = 0; i < HEATS; i++)
            found += memchr(legend.pixels, i, (size_t)legend.width * legend.height) != NULL;
        assert_int_equal(found, HEATS);
        assert_memory_equal(heat_legend_colour(&heat_writes, 3), heat_writes.heats[3].rgb, 3);
        canvas_clear(&legend);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(colours_are_those_of_the_row_below),
        cmocka_unit_test(strips_of_every_width_have_all_colours),
    };

    return cmocka_run_group_tests_name("heat", tests, NULL, NULL);
}

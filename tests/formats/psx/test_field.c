/* SPDX-License-Identifier: MIT */
#include "formats/psx/index/indexing.h"

#include "tests/support/support.h"

static const struct psx_display progressive = {.mode = 0x00};
static const struct psx_display ntsc = {.mode = 0x27};
static const struct psx_display pal = {.mode = 0x2F};

static void test_interval_of_stamps(void **state)
{
    static const uint8_t early[8] = {0xF0, 0xFF, 0xFF, 0xFF}, late[8] = {0x10, 0, 0, 0, 1};
    struct psx_packet from = {.payload = early}, to = {.payload = late};

    (void)state;
    assert_int_equal(psx_field_interval(&from, &to), 0);
    from.words = 2;
    assert_int_equal(psx_field_interval(&from, &to), 0);
    to.words = 2;
    assert_int_equal(psx_field_interval(&from, &to), 0x20);
    to.words = 1;
    assert_int_equal(psx_field_interval(&from, &to), 0x20);
}

static void test_time_tells_the_field(void **state)
{
    static const struct {
        const struct psx_display *display;
        uint64_t interval;
        uint8_t field;
    } cases[] = {
        {&ntsc, 563969, 1}, {&ntsc, 563968, 1},        {&ntsc, 566121, 0},
        {&ntsc, 566122, 0}, {&ntsc, 563969 - 1076, 1}, {&ntsc, 565044, 1},
        {&ntsc, 565046, 0}, {&ntsc, 566121 + 1076, 0}, {&pal, 676486, 1},
        {&pal, 678654, 0},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_int_equal(psx_field_first(PSX_FIELD_AUTO, cases[i].display, cases[i].interval),
                         cases[i].field);
        for (uint8_t before = 0; before < 2; before++)
            assert_int_equal(
                psx_field_next(PSX_FIELD_AUTO, cases[i].display, before, cases[i].interval),
                cases[i].field);
    }
}

static void test_toggles_where_time_does_not_tell(void **state)
{
    static const uint64_t intervals[] = {0, 563969 - 1077, 566121 + 1077, 2 * 566121};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(intervals); i++) {
        assert_int_equal(psx_field_first(PSX_FIELD_AUTO, &ntsc, intervals[i]), 0);
        assert_int_equal(psx_field_next(PSX_FIELD_AUTO, &ntsc, 0, intervals[i]), 1);
        assert_int_equal(psx_field_next(PSX_FIELD_AUTO, &ntsc, 1, intervals[i]), 0);
    }
}

static void test_holds_while_progressive(void **state)
{
    (void)state;
    assert_int_equal(psx_field_first(PSX_FIELD_AUTO, &progressive, 563969), 0);
    assert_int_equal(psx_field_next(PSX_FIELD_AUTO, &progressive, 1, 566121), 1);
    assert_int_equal(psx_field_next(PSX_FIELD_EVEN, &progressive, 1, 0), 1);
}

static void test_fixed_starts(void **state)
{
    (void)state;
    assert_int_equal(psx_field_first(PSX_FIELD_EVEN, &ntsc, 563969), 0);
    assert_int_equal(psx_field_first(PSX_FIELD_ODD, &ntsc, 566121), 1);
    assert_int_equal(psx_field_next(PSX_FIELD_ODD, &ntsc, 1, 563969), 0);
    assert_int_equal(psx_field_next(PSX_FIELD_EVEN, &ntsc, 0, 566121), 1);
    assert_int_equal(psx_field_first(PSX_FIELD_BOTH, &ntsc, 563969), 0);
    assert_int_equal(psx_field_next(PSX_FIELD_BOTH, &ntsc, 0, 563969), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_interval_of_stamps),
        cmocka_unit_test(test_time_tells_the_field),
        cmocka_unit_test(test_toggles_where_time_does_not_tell),
        cmocka_unit_test(test_holds_while_progressive),
        cmocka_unit_test(test_fixed_starts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include "formats/psx/index/indexing.h"

#include "formats/psx/information.h"
#include "tests/formats/psx/build.h"
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

/*
 * Builds frames in 480i whose times do not imply a field: comments declare the fields of frames 0
 * and 2, from which the others follow.
 */
static void build_told(struct psx_build *build)
{
    struct text comment = TEXT_INIT;

    psx_build_start(build, PSX_MAGIC_16);
    GP1(build, 0x08000027);
    psx_field_write(1, &comment);
    assert_int_equal(comment.length, PSX_FIELD_PACKET);
    psx_build_bytes(build, comment.bytes, comment.length);
    EMPTY_PACKET(build, PSX_PACKET_BEGIN);
    for (unsigned frame = 0; frame < 4; frame++) {
        if (frame == 2)
            psx_build_bytes(build, comment.bytes, comment.length);
        psx_build_string(build, PSX_PACKET_COMMENT, "field=1 ", 8); /* almost such a comment */
        psx_build_vsync(build, 566121 * (uint64_t)frame);
    }
    text_clear(&comment);
}

static void test_comments_tell_the_field(void **state)
{
    static const uint8_t fields[][4] = {[PSX_FIELD_AUTO] = {1, 0, 1, 0},
                                        [PSX_FIELD_EVEN] = {0, 1, 0, 1}, /* as always */
                                        [PSX_FIELD_ODD] = {1, 0, 1, 0}};
    static const char *const options[] = {"field=auto", "field=even", "field=odd"};
    struct psx_build build;

    (void)state;
    build_told(&build);
    for (unsigned rule = 0; rule < COUNT_OF(options); rule++) {
        struct text message = TEXT_INIT;
        struct psx_opened opened;

        psx_opened_init(&opened, build.bytes, build.size);
        assert_int_equal(options_parse(&opened.options, options[rule], &message), 1);
        psx_opened_tree(&opened);
        for (unsigned frame = 0; frame < 4; frame++)
            assert_int_equal(psx_opened_index(&opened)->frames[frame].field, fields[rule][frame]);
        assert_int_equal(psx_opened_index(&opened)->string_count, 4);
        psx_opened_close(&opened);
    }
    psx_build_free(&build);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_interval_of_stamps),
        cmocka_unit_test(test_time_tells_the_field),
        cmocka_unit_test(test_toggles_where_time_does_not_tell),
        cmocka_unit_test(test_holds_while_progressive),
        cmocka_unit_test(test_fixed_starts),
        cmocka_unit_test(test_comments_tell_the_field),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

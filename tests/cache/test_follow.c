/* SPDX-License-Identifier: MIT */
/*
 * What a growing dump shows: each change is a moment of its own, which is reported once, when its
 * counts are set.
 */
#include "cache/follow.h"

#include "tests/support/support.h"

struct told {
    const struct follow *follow;
    uint64_t times, packets, frames, moment;
    bool grows;
};

static void grew(void *context)
{
    struct told *told = context;

    told->times++;
    told->packets = told->follow->packets;
    told->frames = told->follow->frames;
    told->moment = told->follow->moment;
    told->grows = follow_grows(told->follow);
}

static void test_a_listener_is_told_of_each_moment(void **state)
{
    struct follow follow = {0};
    struct told told = {.follow = &follow};

    (void)state;
    follow_listen(&follow, grew, &told);
    for (uint64_t n = 1; n <= 3; n++) {
        uint64_t before = follow.moment;

        follow_show(&follow, 10 * n, n, n == 3);
        assert_int_equal(told.times, n);
        assert_int_equal(told.packets, 10 * n);
        assert_int_equal(told.frames, n);
        assert_true(told.moment > before);
        assert_int_equal(told.grows, n < 3);
    }
}

/* The end of a dump is a moment, although it shows nothing more: texts mention it. */
static void test_an_end_is_a_moment(void **state)
{
    struct follow follow = {0};
    uint64_t before;

    (void)state;
    follow_show(&follow, 7, 2, false);
    before = follow.moment;
    assert_true(follow_grows(&follow));
    follow_show(&follow, 7, 2, true);
    assert_true(follow.moment > before);
    assert_false(follow_grows(&follow));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_listener_is_told_of_each_moment),
        cmocka_unit_test(test_an_end_is_a_moment),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

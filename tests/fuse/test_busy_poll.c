/* SPDX-License-Identifier: MIT */
#include "fuse/busy_poll.h"

#include "tests/support/support.h"

enum { MICROSECOND = 1000, MILLISECOND = 1000 * MICROSECOND, AWHILE = 20 };

/* Simulates `count` requests with a gap before each. Returns the time that was polled in vain. */
static int64_t come(struct busy_poll *poll, int count, int64_t gap)
{
    int64_t wasted = 0;

    for (int i = 0; i < count; i++) {
        int64_t looked = busy_poll_now(poll, 0);

        wasted += gap > looked ? looked : 0;
        busy_poll_learn(poll, gap, looked);
    }
    return wasted;
}

static void test_sleeps_at_first(void **state)
{
    struct busy_poll poll;

    (void)state;
    busy_poll_init(&poll, 2);
    assert_int_equal(busy_poll_now(&poll, 0), 0);
    (void)come(&poll, 1, 50 * MICROSECOND);
    assert_int_equal(busy_poll_now(&poll, 0), 0);
}

static void test_looks_when_requests_are_dense(void **state)
{
    struct busy_poll poll;

    (void)state;
    busy_poll_init(&poll, 2);
    assert_int_equal(come(&poll, AWHILE, 100 * MICROSECOND), 0);
    assert_true(busy_poll_now(&poll, 0) > 100 * MICROSECOND);
}

/* A gap that is long only because the reader thread had to wake up does not prevent polling. */
static void test_a_slow_waking_is_no_gap(void **state)
{
    struct busy_poll poll;

    (void)state;
    busy_poll_init(&poll, 2);
    (void)come(&poll, AWHILE, 700 * MICROSECOND);
    (void)come(&poll, 3, 700 * MICROSECOND);
    assert_true(busy_poll_now(&poll, 0) > 0);
}

static void test_looks_once_after_the_last_request(void **state)
{
    struct busy_poll poll;
    int64_t once;

    (void)state;
    busy_poll_init(&poll, 2);
    (void)come(&poll, 1000, 20 * MICROSECOND);
    once = busy_poll_now(&poll, 0);
    assert_true(once > 0 && once <= 200 * MICROSECOND);
    assert_int_equal(come(&poll, 1, 60000 * (int64_t)MILLISECOND), once);
    assert_int_equal(busy_poll_now(&poll, 0), 0);
}

static void test_never_looks_where_requests_come_slowly(void **state)
{
    struct busy_poll poll;

    (void)state;
    busy_poll_init(&poll, 2);
    assert_int_equal(come(&poll, AWHILE, 3 * MILLISECOND), 0);
    for (int i = 0; i < AWHILE; i++) { /* a program that opens, reads, and works for a while */
        assert_int_equal(come(&poll, 2, 50 * MICROSECOND), 0);
        assert_int_equal(come(&poll, 1, 4 * MILLISECOND), 0);
    }
}

static void test_a_late_request_amid_many_changes_little(void **state)
{
    struct busy_poll poll;

    (void)state;
    busy_poll_init(&poll, 2);
    (void)come(&poll, AWHILE, 50 * MICROSECOND);
    (void)come(&poll, 1, 400 * MICROSECOND);
    assert_true(busy_poll_now(&poll, 0) > 0);
}

/* The worst case: each request comes just after the poll for it has ended. */
static void test_looks_in_vain_seldom(void **state)
{
    struct busy_poll poll;
    int64_t wasted;

    (void)state;
    busy_poll_init(&poll, 2);
    (void)come(&poll, AWHILE, 50 * MICROSECOND);
    wasted = come(&poll, 1000, 210 * MICROSECOND);
    assert_true(wasted <= 1000 * 210 * MICROSECOND / 3);
}

static void test_leaves_processors_to_threads_that_answer(void **state)
{
    struct busy_poll poll;

    (void)state;
    busy_poll_init(&poll, 4);
    (void)come(&poll, AWHILE, 50 * MICROSECOND);
    assert_true(busy_poll_now(&poll, 2) > 0);
    assert_int_equal(busy_poll_now(&poll, 3), 0);
    assert_int_equal(busy_poll_now(&poll, 100), 0);
}

static void test_sleeps_on_one_processor(void **state)
{
    struct busy_poll poll;

    (void)state;
    for (unsigned processors = 0; processors < 2; processors++) {
        busy_poll_init(&poll, processors);
        (void)come(&poll, AWHILE, 50 * MICROSECOND);
        assert_int_equal(busy_poll_now(&poll, 0), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sleeps_at_first),
        cmocka_unit_test(test_looks_when_requests_are_dense),
        cmocka_unit_test(test_a_slow_waking_is_no_gap),
        cmocka_unit_test(test_looks_once_after_the_last_request),
        cmocka_unit_test(test_never_looks_where_requests_come_slowly),
        cmocka_unit_test(test_a_late_request_amid_many_changes_little),
        cmocka_unit_test(test_looks_in_vain_seldom),
        cmocka_unit_test(test_leaves_processors_to_threads_that_answer),
        cmocka_unit_test(test_sleeps_on_one_processor),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

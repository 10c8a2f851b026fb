/* SPDX-License-Identifier: MIT */
#include "base/minimise.h"

#include "tests/support/support.h"

#include <errno.h>
#include <string.h>

enum { UNITS = 1000, NEVER = 1 << 30 };

/* The property holds while all units of the list are kept. */
struct needed {
    size_t list[4], count;
    unsigned tries, fails_after; /* number of the test that fails */
};

static int needs_all(void *context, const bool *kept)
{
    struct needed *needed = context;

    if (needed->tries++ == needed->fails_after)
        return -EIO;
    for (size_t i = 0; i < needed->count; i++)
        if (!kept[needed->list[i]])
            return 0;
    return 1;
}

static size_t count_kept(const bool *kept, size_t count)
{
    size_t left = 0;

    for (size_t i = 0; i < count; i++)
        left += kept[i];
    return left;
}

static void what_is_needed_is_left(void **state)
{
    static const struct needed cases[] = {
        {.list = {0}, .count = 0},        {.list = {0}, .count = 1},
        {.list = {999}, .count = 1},      {.list = {0, 999}, .count = 2},
        {.list = {499, 500}, .count = 2}, {.list = {3, 250, 251, 700}, .count = 4},
    };

    (void)state;
    for (unsigned i = 0; i < COUNT_OF(cases); i++) {
        struct needed needed = cases[i];
        const struct minimise minimise = {needs_all, &needed};
        bool kept[UNITS];

        needed.fails_after = NEVER;
        memset(kept, true, sizeof(kept));
        assert_int_equal(minimise_units(&minimise, kept, UNITS), 0);
        assert_int_equal(count_kept(kept, UNITS), needed.count);
        for (size_t n = 0; n < needed.count; n++)
            assert_true(kept[needed.list[n]]);
        assert_true(needed.tries < 120);
    }
}

static void few_units_are_tried_one_by_one(void **state)
{
    (void)state;
    for (size_t count = 0; count < 6; count++)
        for (size_t which = 0; which < count; which++) {
            struct needed needed = {.list = {which}, .count = 1, .fails_after = NEVER};
            const struct minimise minimise = {needs_all, &needed};
            bool kept[6] = {true, true, true, true, true, true};

            assert_int_equal(minimise_units(&minimise, kept, count), 0);
            assert_int_equal(count_kept(kept, count), 1);
            assert_true(kept[which]);
        }
}

/* Units can be left out in pairs only. */
static int needs_pairs(void *context, const bool *kept)
{
    (void)context;
    for (size_t i = 0; i < UNITS; i += 2)
        if (kept[i] != kept[i + 1])
            return 0;
    return kept[10];
}

static void units_that_go_together_go(void **state)
{
    const struct minimise minimise = {needs_pairs, NULL};
    bool kept[UNITS];

    (void)state;
    memset(kept, true, sizeof(kept));
    assert_int_equal(minimise_units(&minimise, kept, UNITS), 0);
    assert_int_equal(needs_pairs(NULL, kept), 1);
    assert_true(count_kept(kept, UNITS) < UNITS / 2);
}

static void units_that_are_out_stay_out(void **state)
{
    struct needed needed = {.list = {4}, .count = 1, .fails_after = NEVER};
    const struct minimise minimise = {needs_all, &needed};
    bool kept[8] = {false, true, true, false, true};

    (void)state;
    assert_int_equal(minimise_units(&minimise, kept, 8), 0);
    assert_int_equal(count_kept(kept, 8), 1);
    assert_true(kept[4]);
}

/* Whenever a failure occurs, the property holds for the units that are left. */
static void a_failure_leaves_what_holds(void **state)
{
    (void)state;
    for (unsigned after = 0; after < 60; after++) {
        struct needed needed = {.list = {17, 600}, .count = 2, .fails_after = after};
        const struct minimise minimise = {needs_all, &needed};
        bool kept[UNITS];
        int status;

        memset(kept, true, sizeof(kept));
        status = minimise_units(&minimise, kept, UNITS);
        assert_true(status == -EIO || (status == 0 && needed.tries <= after));
        needed.fails_after = NEVER;
        assert_int_equal(needs_all(&needed, kept), 1);
    }
}

static void memory_may_be_short(void **state)
{
    struct needed needed = {.fails_after = NEVER};
    const struct minimise minimise = {needs_all, &needed};
    bool kept[1] = {true};

    (void)state;
    support_fail_allocation(0);
    assert_int_equal(minimise_units(&minimise, kept, 1), -ENOMEM);
    support_fail_allocation(-1);
    assert_true(kept[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_needed_is_left),
        cmocka_unit_test(few_units_are_tried_one_by_one),
        cmocka_unit_test(units_that_go_together_go),
        cmocka_unit_test(units_that_are_out_stay_out),
        cmocka_unit_test(a_failure_leaves_what_holds),
        cmocka_unit_test(memory_may_be_short),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include "base/decimal.h"

#include "tests/support/support.h"

#include <inttypes.h>
#include <stdio.h>

static void assert_digits(uint64_t value)
{
    char printed[DECIMAL_DIGITS_MAX + 1];
    int length = snprintf(printed, sizeof(printed), "%" PRIu64, value);

    assert_int_equal(decimal_digits(value), length);
}

static void test_digits(void **state)
{
    (void)state;
    assert_digits(0);
    for (unsigned n = 0; n < DECIMAL_DIGITS_MAX; n++) {
        assert_digits(decimal_powers[n] - 1);
        assert_digits(decimal_powers[n]);
        assert_digits(decimal_powers[n] + 1);
    }
    for (unsigned bit = 0; bit < 64; bit++) {
        assert_digits((UINT64_C(1) << bit) - 1);
        assert_digits(UINT64_C(1) << bit);
    }
    assert_digits(UINT64_MAX);
}

static void test_powers(void **state)
{
    (void)state;
    assert_true(decimal_powers[0] == 1);
    for (unsigned n = 1; n < DECIMAL_DIGITS_MAX; n++) {
        assert_int_equal(decimal_powers[n] % 10, 0);
        assert_true(decimal_powers[n] / 10 == decimal_powers[n - 1]);
    }
}

static void test_pairs(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 100; n++) {
        assert_int_equal(decimal_pairs[2 * n], '0' + n / 10);
        assert_int_equal(decimal_pairs[2 * n + 1], '0' + n % 10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_digits),
        cmocka_unit_test(test_powers),
        cmocka_unit_test(test_pairs),
    };

    return cmocka_run_group_tests_name("decimal", tests, NULL, NULL);
}

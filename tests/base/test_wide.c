/* SPDX-License-Identifier: MIT */
#include "base/wide.h"

#include "tests/support/support.h"

static bool equal(struct wide a, uint64_t high, uint64_t low)
{
    return a.high == high && a.low == low;
}

static void test_products(void **state)
{
    (void)state;
    assert_true(equal(wide_product(0, UINT64_MAX), 0, 0));
    assert_true(equal(wide_product(UINT64_MAX, UINT64_MAX), UINT64_MAX - 1, 1));
    assert_true(equal(wide_product(UINT64_C(1) << 63, 6), 3, 0));
    assert_true(equal(wide_times((struct wide){1, UINT64_MAX}, 2), 3, UINT64_MAX - 1));
    assert_true(equal(wide_times((struct wide){UINT64_MAX, 1}, 2), UINT64_MAX - 1, 2));
}

static void test_sums(void **state)
{
    (void)state;
    assert_true(equal(wide_sum((struct wide){0, UINT64_MAX}, 1), 1, 0));
    assert_true(equal(wide_sum((struct wide){7, 0}, UINT64_MAX), 7, UINT64_MAX));
}

static void test_shifts(void **state)
{
    const struct wide number = {0x0123456789ABCDEF, 0xFEDCBA9876543210};

    (void)state;
    assert_true(equal(wide_down(number, 0), number.high, number.low));
    assert_true(equal(wide_down(number, 4), 0x00123456789ABCDE, 0xFFEDCBA987654321));
    assert_true(equal(wide_down(number, 64), 0, number.high));
    assert_true(equal(wide_down(number, 127), 0, 0));
    assert_true(equal(wide_below(number, 0), 0, 0));
    assert_true(equal(wide_below(number, 8), 0, 0x10));
    assert_true(equal(wide_below(number, 64), 0, number.low));
    assert_true(equal(wide_below(number, 72), 0xEF, number.low));
}

static void test_shares(void **state)
{
    (void)state;
    assert_int_equal(wide_share(1, 0, 100), 0);
    assert_int_equal(wide_share(2, 3, 100), 66);
    assert_int_equal(wide_share(UINT64_MAX, UINT64_MAX, 10000), 10000);
    assert_int_equal(wide_share(UINT64_C(1) << 62, UINT64_MAX, 100), 25);
}

/*
 * Compares the functions for 32-bit processors with those of this processor, and with each other.
 */
static void test_halves(void **state)
{
    uint64_t random = 1, a, b;

    (void)state;
    for (unsigned i = 0; i < 20000; i++) {
        struct wide product, halves;

        random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
        a = random >> (random >> 58);
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
        b = (random >> (random >> 58)) | 1;
        product = wide_product(a, b);
        halves = wide_product_by_halves(a, b);
        assert_true(equal(halves, product.high, product.low));
        assert_true(wide_quotient_by_halves(product, b) == a);
        assert_true(wide_quotient_by_halves(product, b | random) ==
                    wide_quotient(product, b | random));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_products), cmocka_unit_test(test_sums),
        cmocka_unit_test(test_shifts),   cmocka_unit_test(test_shares),
        cmocka_unit_test(test_halves),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

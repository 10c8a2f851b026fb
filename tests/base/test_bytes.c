/* SPDX-License-Identifier: MIT */
#include "base/bytes.h"
#include "base/cancel.h"

#include "tests/support/support.h"

static void test_little_endian(void **state)
{
    static const uint8_t bytes[] = {0, 0x01, 0x82, 0x03, 0x84, 0x05, 0x86, 0x07, 0x88};

    (void)state;
    assert_int_equal(bytes_le16(bytes + 1), 0x8201);
    assert_int_equal(bytes_le32(bytes + 1), 0x84038201);
    assert_true(bytes_le64(bytes + 1) == 0x8807860584038201);
    assert_true(bytes_le(bytes + 1, 8) == 0x8807860584038201);
    assert_true(bytes_le(bytes + 1, 3) == 0x038201);
    assert_true(bytes_le(bytes + 1, 0) == 0);
}

static void test_words(void **state)
{
    static const uint32_t words[] = {0x84038201, 0x88078605};
    static const uint8_t bytes[] = {0x01, 0x82, 0x03, 0x84, 0x05, 0x86, 0x07, 0x88, 0};
    uint8_t written[] = {0, 0, 0, 0, 0, 0, 0, 0, 0};

    (void)state;
    bytes_put_words(written, words, 0);
    assert_int_equal(written[0], 0);
    bytes_put_words(written, words, 2);
    assert_memory_equal(written, bytes, sizeof(bytes));
}

static void test_big_endian(void **state)
{
    static const uint8_t bytes[] = {0x81, 0x02, 0x83, 0x04, 0};
    uint8_t written[] = {0, 0, 0, 0, 0};

    (void)state;
    assert_int_equal(bytes_be32(bytes), 0x81028304);
    bytes_put_be32(written, 0x81028304);
    assert_memory_equal(written, bytes, sizeof(bytes));
}

static void test_sums_and_products(void **state)
{
    uint64_t result;

    (void)state;
    assert_true(bytes_add(UINT64_MAX - 1, 1, &result));
    assert_true(result == UINT64_MAX);
    assert_false(bytes_add(UINT64_MAX, 1, &result));
    assert_true(bytes_mul(UINT32_MAX, UINT32_MAX, &result));
    assert_true(result == 0xFFFFFFFE00000001);
    assert_false(bytes_mul((uint64_t)1 << 32, (uint64_t)1 << 32, &result));
}

static void test_inside(void **state)
{
    (void)state;
    assert_true(bytes_inside(0, 0, 0));
    assert_true(bytes_inside(3, 4, 7));
    assert_true(bytes_inside(7, 0, 7));
    assert_false(bytes_inside(3, 5, 7));
    assert_false(bytes_inside(8, 0, 7));
    assert_false(bytes_inside(1, UINT64_MAX, 7));
    assert_false(bytes_inside(UINT64_MAX, 1, 7));
}

static void test_cancelled_with_its_parent(void **state)
{
    struct cancel parent, child;

    (void)state;
    assert_false(cancel_requested(NULL));
    cancel_init(&parent, NULL);
    cancel_init(&child, &parent);
    assert_false(cancel_requested(&child));
    cancel_raise(&child);
    assert_true(cancel_requested(&child));
    assert_false(cancel_requested(&parent));
    cancel_init(&child, &parent);
    cancel_raise(&parent);
    assert_true(cancel_requested(&child));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_little_endian), cmocka_unit_test(test_words),
        cmocka_unit_test(test_big_endian),    cmocka_unit_test(test_sums_and_products),
        cmocka_unit_test(test_inside),        cmocka_unit_test(test_cancelled_with_its_parent),
    };

    return cmocka_run_group_tests_name("bytes", tests, NULL, NULL);
}

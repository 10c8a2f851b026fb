/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tree/inode.h"
#include "tree/told_sizes.h"

#include "tests/support/support.h"

/* Any two rules. The table has 65,536 places, in which the keys of a rule follow each other. */
enum { RULE = 40, OTHER_RULE = 41, TABLE = 65536 };

static void test_what_was_told_is_known(void **state)
{
    struct told_sizes *sizes = told_sizes_create();
    uint64_t size = 7;

    (void)state;
    assert_non_null(sizes);
    assert_false(told_sizes_may_have(sizes, inode_pack(RULE, 3)));
    assert_false(told_sizes_find(sizes, inode_pack(RULE, 3), &size));
    assert_int_equal(size, 7);
    for (uint64_t key = 0; key < 1000; key++) {
        told_sizes_add(sizes, inode_pack(RULE, key), 10 * key);
        told_sizes_add(sizes, inode_pack(OTHER_RULE, key), 10 * key + 1);
    }
    for (uint64_t key = 0; key < 1000; key++) {
        assert_true(told_sizes_find(sizes, inode_pack(RULE, key), &size));
        assert_int_equal(size, 10 * key);
        assert_true(told_sizes_find(sizes, inode_pack(OTHER_RULE, key), &size));
        assert_int_equal(size, 10 * key + 1);
    }
    assert_false(told_sizes_may_have(sizes, inode_pack(RULE, 1000)));
    told_sizes_destroy(&sizes);
    assert_null(sizes);
}

/* Of two files with the same place, the first one keeps it. */
static void test_two_of_one_place(void **state)
{
    const uint64_t first = inode_pack(RULE, 5), second = inode_pack(RULE, 5 + TABLE);
    struct told_sizes *sizes = told_sizes_create();
    uint64_t size = 7;

    (void)state;
    assert_non_null(sizes);
    told_sizes_add(sizes, first, 100);
    assert_true(told_sizes_may_have(sizes, second));
    assert_false(told_sizes_find(sizes, second, &size));
    told_sizes_add(sizes, second, 200);
    assert_false(told_sizes_find(sizes, second, &size));
    assert_true(told_sizes_find(sizes, first, &size));
    assert_int_equal(size, 100);
    told_sizes_destroy(&sizes);
}

/* The size of an empty file can be stored, even for the largest possible key. */
static void test_an_empty_file(void **state)
{
    const uint64_t inode = inode_pack(RULE, INODE_KEY_MASK);
    struct told_sizes *sizes = told_sizes_create();
    uint64_t size = 7;

    (void)state;
    assert_non_null(sizes);
    told_sizes_add(sizes, inode, 0);
    assert_true(told_sizes_may_have(sizes, inode));
    assert_true(told_sizes_find(sizes, inode, &size));
    assert_int_equal(size, 0);
    told_sizes_destroy(&sizes);
}

static void test_without_memory(void **state)
{
    (void)state;
    support_fail_allocation(0);
    assert_null(told_sizes_create());
    support_fail_allocation(-1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_was_told_is_known),
        cmocka_unit_test(test_two_of_one_place),
        cmocka_unit_test(test_an_empty_file),
        cmocka_unit_test(test_without_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

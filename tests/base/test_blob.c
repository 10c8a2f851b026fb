/* SPDX-License-Identifier: MIT */
#include "base/blob.h"
#include "base/memory.h"

#include "tests/support/support.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void test_empty(void **state)
{
    struct blob *blob = NULL;

    (void)state;
    blob_unref(&blob);
    assert_null(blob);
    assert_int_equal(blob_create(0, &blob), 0);
    assert_int_equal(blob->size, 0);
    assert_int_equal(blob_footprint(blob), 0);
    blob_unref(&blob);
    assert_null(blob);
    assert_int_equal(blob_adopt(NULL, 0, &blob), 0);
    assert_null(blob->data);
    blob_unref(&blob);
}

static void test_sizes(void **state)
{
    static const size_t sizes[] = {1,
                                   4096,
                                   MEMORY_LARGE - 1,
                                   MEMORY_LARGE,
                                   MEMORY_LARGE + 1,
                                   MEMORY_KEPT / 2,
                                   MEMORY_KEPT,
                                   MEMORY_KEPT + 1};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        struct blob *blob = NULL;

        assert_int_equal(blob_create(sizes[i], &blob), 0);
        assert_int_equal(blob->size, sizes[i]);
        memset(blob->data, 0x5A, sizes[i]);
        assert_true(blob_footprint(blob) >= sizes[i]);
        assert_true(blob_footprint(blob) < sizes[i] + 4096 * 16);
        blob_unref(&blob);
    }
}

static void test_too_large(void **state)
{
    struct blob *blob = NULL;

    (void)state;
    assert_int_equal(blob_create(SIZE_MAX, &blob), -ENOMEM);
    assert_int_equal(blob_create(SIZE_MAX - 8192, &blob), -ENOMEM);
    assert_null(blob);
}

static void test_references(void **state)
{
    struct blob *first = NULL, *second;

    (void)state;
    assert_int_equal(blob_create(3, &first), 0);
    second = blob_ref(first);
    assert_ptr_equal(first, second);
    memcpy(first->data, "abc", 3);
    blob_unref(&first);
    assert_null(first);
    assert_memory_equal(second->data, "abc", 3);
    blob_unref(&second);
}

static void test_borrowed(void **state)
{
    static const uint8_t bytes[] = {1, 2, 3};
    struct blob *blob = NULL;

    (void)state;
    assert_int_equal(blob_borrow(bytes, sizeof(bytes), &blob), 0);
    assert_ptr_equal(blob->data, bytes);
    assert_int_equal(blob_footprint(blob), 0);
    blob_unref(&blob);
}

static void test_adopted(void **state)
{
    struct blob *blob = NULL;

    (void)state;
    assert_int_equal(blob_adopt(strdup("adopted"), 7, &blob), 0);
    assert_memory_equal(blob->data, "adopted", 7);
    assert_int_equal(blob_footprint(blob), 7);
    blob_unref(&blob);
}

static void test_no_memory(void **state)
{
    (void)state;
    for (int n = 0; n == 0 || support_allocation_failed(); n++) {
        struct blob *small = NULL, *large = NULL, *adopted = NULL;
        char *bytes = malloc(8);
        int status = 0, worst = 0;

        memory_trim();
        support_fail_allocation(n);
        worst = (status = blob_create(10, &small)) < 0 ? status : worst;
        worst = (status = blob_create(MEMORY_LARGE, &large)) < 0 ? status : worst;
        worst = (status = blob_adopt(bytes, 8, &adopted)) < 0 ? status : worst;
        assert_int_equal(worst, support_allocation_failed() ? -ENOMEM : 0);
        blob_unref(&small);
        blob_unref(&large);
        blob_unref(&adopted);
    }
    support_fail_allocation(-1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty),     cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_too_large), cmocka_unit_test(test_references),
        cmocka_unit_test(test_borrowed),  cmocka_unit_test(test_adopted),
        cmocka_unit_test(test_no_memory),
    };

    return cmocka_run_group_tests_name("blob", tests, NULL, NULL);
}

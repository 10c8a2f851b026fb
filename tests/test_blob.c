#include "core/blob.h"
#include "core/memory.h"

#include "support.h"

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

/* Under AddressSanitizer malloc() gives the blocks, and nothing is kept. */
static bool blocks_are_kept(void)
{
    void *block = memory_take(MEMORY_LARGE);

    memory_trim();
    memory_give(block, MEMORY_LARGE);
    return memory_trim() > 0;
}

static void test_blocks_are_reused(void **state)
{
    uint8_t *block, *again;

    (void)state;
    if (!blocks_are_kept())
        skip();
    block = memory_take(900000);
    memory_give(block, 900000);
    again = memory_take(900001); /* as many pages */
    assert_ptr_equal(block, again);
    memory_give(again, 900001);
    again = memory_take(1800000);
    assert_ptr_not_equal(block, again);
    memory_give(again, 1800000);
    assert_int_equal(memory_trim(), memory_round(900000) + memory_round(1800000));
}

static void test_kept_blocks_are_bounded(void **state)
{
    void *blocks[64];

    (void)state;
    if (!blocks_are_kept())
        skip();
    for (size_t size = MEMORY_LARGE; size <= 2 * MEMORY_KEPT; size *= 2) {
        for (size_t i = 0; i < COUNT_OF(blocks); i++)
            assert_non_null(blocks[i] = memory_take(size));
        for (size_t i = 0; i < COUNT_OF(blocks); i++)
            memory_give(blocks[i], size);
    }
    assert_in_range(memory_trim(), 1, MEMORY_KEPT);
    assert_int_equal(memory_trim(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_too_large),
        cmocka_unit_test(test_references),
        cmocka_unit_test(test_borrowed),
        cmocka_unit_test(test_adopted),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_blocks_are_reused),
        cmocka_unit_test(test_kept_blocks_are_bounded),
    };

    return cmocka_run_group_tests_name("blob", tests, NULL, NULL);
}

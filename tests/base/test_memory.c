/* SPDX-License-Identifier: MIT */
#include "base/memory.h"

#include "base/blob.h"
#include "base/text.h"

#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static void test_rounding(void **state)
{
    (void)state;
    assert_int_equal(memory_round(0), 0);
    assert_true(memory_round(1) >= 4096);
    assert_int_equal(memory_round(memory_round(1)), memory_round(1));
    assert_int_equal(memory_round(SIZE_MAX), 0);
    assert_null(memory_take(SIZE_MAX));
    assert_null(memory_take_empty(SIZE_MAX));
}

/*
 * Returns whether freed blocks are kept. Under AddressSanitizer malloc() provides the blocks, and
 * none is kept.
 */
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
        support_skip("a sanitizer has an allocator of its own");
    block = memory_take(900000);
    memory_give(block, 900000);
    again = memory_take(900001); /* the same number of pages */
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
        support_skip("a sanitizer has an allocator of its own");
    for (size_t size = MEMORY_LARGE; size <= 2 * MEMORY_KEPT; size *= 2) {
        for (size_t i = 0; i < COUNT_OF(blocks); i++)
            assert_non_null(blocks[i] = memory_take(size));
        for (size_t i = 0; i < COUNT_OF(blocks); i++)
            memory_give(blocks[i], size);
    }
    assert_in_range(memory_trim(), 1, MEMORY_KEPT);
    assert_int_equal(memory_trim(), 0);
}

/* Returns the bytes of the process that are in memory and belong to no file. */
static size_t anonymous_memory(void)
{
    FILE *file = fopen("/proc/self/status", "r");
    size_t kilobytes = 0;
    char line[200];

    while (file != NULL && fgets(line, sizeof(line), file) != NULL)
        if (sscanf(line, "RssAnon: %zu", &kilobytes) == 1)
            break;
    if (file != NULL)
        fclose(file);
    return kilobytes * 1024;
}

/*
 * Regions are zero and aligned, and are returned completely, even the part after the last large
 * page.
 */
static void test_large_pages(void **state)
{
    enum { LARGE = 2 << 20 };
    const size_t sizes[] = {1, LARGE - 1, LARGE, 2 * LARGE + 4097, 3 * LARGE - 5};
    struct memory_region none;
    size_t before;

    (void)state;
    if (!blocks_are_kept())
        support_skip("a sanitizer has an allocator of its own");
    before = anonymous_memory();
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        struct memory_region region;
        uint8_t *space;

        assert_true(memory_region_reserve(&region, sizes[i]));
        space = region.bytes;
        assert_int_equal((uintptr_t)space % LARGE, 0);
        memory_populate(space + sizes[i] / 2, sizes[i] - sizes[i] / 2);
        assert_int_equal(space[0] | space[sizes[i] - 1], 0);
        memset(space, 1, sizes[i]);
        memory_region_release(&region);
    }
    assert_true(anonymous_memory() < before + LARGE);
    assert_false(memory_region_reserve(&none, SIZE_MAX));
    memory_region_release(&none);
}

static struct blob *make_text_blob(size_t size)
{
    struct text text = TEXT_INIT;
    struct blob *blob = NULL;

    while (text.length < size)
        text_add(&text, "a line of a listing, as long as they are on average\n");
    assert_int_equal(text_blob(&text, &blob), 0);
    return blob;
}

/* ThreadSanitizer's malloc() keeps freed memory. */
#ifdef __has_feature
#if __has_feature(thread_sanitizer)
#define MALLOC_KEEPS true
#endif
#endif
#ifdef __SANITIZE_THREAD__
#define MALLOC_KEEPS true
#endif
#ifndef MALLOC_KEEPS
#define MALLOC_KEEPS false
#endif

/*
 * Large blobs of many sizes, and texts, are freed in a different order than that of their creation.
 */
static void test_memory_goes_back(void **state)
{
    enum { BLOBS = 200, BYTES = 300000 };
    struct blob *blobs[BLOBS];
    size_t before, max;

    (void)state;
    if (MALLOC_KEEPS || !blocks_are_kept() || anonymous_memory() == 0)
        support_skip("a sanitizer has an allocator of its own");
    memory_setup();
    before = anonymous_memory();
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < BLOBS; i++) {
            if (i % 2 == 0)
                blobs[i] = make_text_blob(BYTES + i * 1000);
            else
                assert_int_equal(blob_create(BYTES + i * 1000, &blobs[i]), 0);
            memset(blobs[i]->data, 1, blobs[i]->size);
        }
        max = anonymous_memory();
        assert_true(max > before + (size_t)BLOBS * BYTES);
        for (size_t i = 0; i < BLOBS; i++)
            blob_unref(&blobs[(i * 7) % BLOBS]);
        assert_true(anonymous_memory() < before + MEMORY_KEPT + (2 << 20));
    }
    memory_trim();
}

static void make_and_drop_texts(struct blob **blobs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        blobs[i] = make_text_blob(MEMORY_LARGE / 4);
    for (size_t i = 0; i < count; i++)
        blob_unref(&blobs[i]);
}

static long page_faults(void)
{
    struct rusage usage;

    assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
    return usage.ru_minflt;
}

/*
 * Texts are made one after the other: the pieces of a text reuse the memory of the pieces before.
 */
static void test_small_blocks_are_had_again_and_go_back(void **state)
{
    enum { PIECES = 24, TEXTS = 100, MANY = 2000 };
    struct blob *blobs[MANY];
    size_t before;
    long faults;

    (void)state;
    if (MALLOC_KEEPS || !blocks_are_kept() || anonymous_memory() == 0)
        support_skip("a sanitizer has an allocator of its own");
    memory_setup();
    make_and_drop_texts(blobs, PIECES);
    before = anonymous_memory();
    faults = page_faults();
    for (int n = 0; n < TEXTS; n++)
        make_and_drop_texts(blobs, PIECES);
    assert_true(page_faults() - faults < TEXTS);
    make_and_drop_texts(blobs, MANY);
    memory_trim();
    assert_true(anonymous_memory() < before + (1 << 20));
}

static void test_reserved_space_is_zero_and_costs_nothing(void **state)
{
    const size_t size = SIZE_MAX > UINT32_MAX ? (size_t)(UINT64_C(1) << 36) : (size_t)1 << 30;
    size_t before = anonymous_memory();
    uint8_t *space = memory_reserve(size);

    (void)state;
    if (space == NULL)
        support_skip("the machine grants no such address space");
    assert_int_equal(space[0], 0);
    assert_int_equal(space[size - 1], 0);
    space[size / 2] = 7;
    space[size - 1] = 9;
    assert_int_equal(space[size / 2], 7);
    assert_int_equal(space[size / 2 + 1], 0);
    if (before > 0)
        assert_true(anonymous_memory() < before + (4 << 20));
    memory_unreserve(space, size);
    memory_unreserve(NULL, size);
}

static void test_reserving_too_much_fails(void **state)
{
    (void)state;
    assert_null(memory_reserve(SIZE_MAX - (1 << 20)));
    support_fail_allocation(0);
    assert_null(memory_reserve(4096));
    assert_true(support_allocation_failed());
    support_fail_allocation(-1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rounding),
        cmocka_unit_test(test_blocks_are_reused),
        cmocka_unit_test(test_kept_blocks_are_bounded),
        cmocka_unit_test(test_large_pages),
        cmocka_unit_test(test_memory_goes_back),
        cmocka_unit_test(test_small_blocks_are_had_again_and_go_back),
        cmocka_unit_test(test_reserved_space_is_zero_and_costs_nothing),
        cmocka_unit_test(test_reserving_too_much_fails),
    };

    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}

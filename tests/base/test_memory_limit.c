/* SPDX-License-Identifier: MIT */
/* The limit of memory, compared with the pages that this process uses and returns. */
#include "base/memory_limit.h"

#include "base/memory.h"

#include "tests/support/support.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MIB ((uint64_t)1 << 20)

enum { BLOCK = 64 << 20 };

/* Skips the test under sanitizers, which use pages of their own. */
static void need_plain_memory(void)
{
    void *block = memory_take(BLOCK);
    uint64_t held = memory_limit_held();

    memory_give(block, BLOCK);
    if (held == 0 || memory_limit_held() + BLOCK / 2 > held)
        support_skip("memory is not given back at once, or nothing tells what is held");
}

static void what_is_held_is_what_is_written(void **state)
{
    uint64_t before;
    uint8_t *space;

    (void)state;
    memory_limit_open();
    need_plain_memory();
    before = memory_limit_held();
    space = memory_reserve(BLOCK);
    assert_true(memory_limit_held() < before + BLOCK / 4);
    memset(space, 1, BLOCK);
    assert_true(memory_limit_held() > before + BLOCK / 4 * 3);
    memory_unreserve(space, BLOCK);
    assert_true(memory_limit_held() < before + BLOCK / 4);
}

static void a_file_of_another_form_tells_nothing(void **state)
{
    static const char *const texts[] = {"", "\n", "words", "1", "1 2", "1 2 x", "1 2 3"};
    char *folder = support_folder(), *path = support_path(folder, "statm");

    (void)state;
    assert_int_equal(memory_limit_read(-1), 0);
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        int file;

        support_write(path, texts[i], strlen(texts[i]));
        file = open(path, O_RDONLY);
        assert_int_equal(memory_limit_read(file), 0);
        close(file);
    }
    support_write(path, "9 5 2 1 0 7 0", 13);
    {
        int file = open(path, O_RDONLY);

        assert_int_equal(memory_limit_read(file), 3 * sysconf(_SC_PAGESIZE));
        close(file);
    }
    free(path);
    support_remove(&folder);
}

static void dumps_share_the_limit(void **state)
{
    static const struct memory_share one = {.shared = 100 * MIB, .own = MIB};
    static const struct memory_share other = {.shared = 90 * MIB, .own = 20 * MIB};
    static const struct memory_share any = {.shared = 0};

    (void)state;
    memory_limit_open();
    if (memory_limit_held() == 0)
        support_skip("nothing tells what is held");
    assert_int_equal(memory_limit(), 0);
    memory_limit_add(&one);
    assert_int_equal(memory_limit(), 101 * MIB);
    memory_limit_add(&other);
    assert_int_equal(memory_limit(), 121 * MIB);
    memory_limit_add(&any);
    assert_int_equal(memory_limit(), 0);
    assert_true(memory_limit_admits(UINT64_MAX));
    assert_int_equal(memory_limit_of_worker(0), 0);
    memory_limit_remove(&any);
    assert_int_equal(memory_limit(), 121 * MIB);
    memory_limit_remove(&one);
    memory_limit_remove(&other);
    assert_int_equal(memory_limit(), 0);
    assert_false(memory_limit_look());
}

struct keeping {
    uint8_t *space;
    unsigned asked;
};

static void give_back(void *context, uint64_t bytes)
{
    struct keeping *keeping = context;

    assert_true(bytes > 0);
    keeping->asked++;
    if (keeping->space != NULL)
        memory_unreserve(keeping->space, BLOCK);
    keeping->space = NULL;
}

static void what_is_kept_is_given_back_first(void **state)
{
    struct keeping keeping = {.asked = 0};
    struct memory_holder holder = {.relieve = give_back, .context = &keeping};
    struct memory_share share = {.shared = 0};

    (void)state;
    memory_limit_open();
    need_plain_memory();
    share.shared = memory_limit_held() + MEMORY_LIMIT_SLACK + BLOCK / 2;
    memory_limit_add(&share);
    memory_limit_join(&holder);
    assert_false(memory_limit_look());
    assert_int_equal(keeping.asked, 0);

    keeping.space = memory_reserve(BLOCK);
    memset(keeping.space, 1, BLOCK);
    assert_false(memory_limit_look());
    assert_int_equal(keeping.asked, 1);
    assert_null(keeping.space);

    memory_limit_leave(&holder);
    memory_limit_remove(&share);
}

/* If the first of two holders gives back enough, the second one is not asked to. */
static void no_more_is_given_back_than_is_wanted(void **state)
{
    struct keeping keeping[2] = {{.asked = 0}, {.asked = 0}};
    struct memory_holder holders[2];
    struct memory_share share = {.shared = 0};

    (void)state;
    memory_limit_open();
    need_plain_memory();
    for (unsigned n = 0; n < 2; n++) {
        keeping[n].space = memory_reserve(BLOCK);
        memset(keeping[n].space, 1, BLOCK);
        holders[n] = (struct memory_holder){.relieve = give_back, .context = &keeping[n]};
        memory_limit_join(&holders[n]);
    }
    share.shared = memory_limit_held() + MEMORY_LIMIT_SLACK - BLOCK / 2;
    memory_limit_add(&share);
    assert_false(memory_limit_look());
    assert_int_equal(keeping[0].asked + keeping[1].asked, 1);

    for (unsigned n = 0; n < 2; n++) {
        memory_limit_leave(&holders[n]);
        if (keeping[n].space != NULL)
            memory_unreserve(keeping[n].space, BLOCK);
    }
    memory_limit_remove(&share);
}

static void beyond_it_large_blocks_are_refused(void **state)
{
    struct memory_share share = {.shared = 0};
    unsigned refusals = memory_refusals();
    void *block, *before;

    (void)state;
    memory_limit_open();
    need_plain_memory();
    before = memory_take(BLOCK);
    share.shared = memory_limit_held() + BLOCK / 2;
    memory_limit_add(&share);
    assert_null(memory_take(BLOCK));
    assert_int_equal(memory_refusals(), refusals + 1);
    memory_limit_spare(BLOCK); /* others could give back the same amount */
    block = memory_take(BLOCK);
    assert_non_null(block);
    assert_true(memory_limit_look());
    assert_true(memory_limit_is_passed());
    memory_limit_spare(-(int64_t)BLOCK);
    memory_give(block, BLOCK);
    assert_false(memory_limit_look());
    assert_false(memory_limit_is_passed());
    memory_limit_remove(&share);
    memory_give(before, BLOCK);
}

static void another_process_counts(void **state)
{
    uint64_t told = 0;
    struct memory_holder holder = {.told = NULL};
    struct memory_share share = {.shared = 0};

    (void)state;
    memory_limit_open();
    if (memory_limit_held() == 0)
        support_skip("nothing tells what is held");
    share.shared = memory_limit_held() + 400 * MIB;
    memory_limit_add(&share);
    memory_limit_join(&holder);
    memory_limit_watch(&holder, &told, UINT64_C(1) << 40);
    assert_false(memory_limit_look());
    assert_true(memory_limit_of_worker(0) < 400 * MIB);
    assert_true(memory_limit_of_worker(0) > 300 * MIB);
    told = UINT64_MAX; /* a wrong number */
    assert_true(memory_limit_look());
    assert_int_equal(memory_limit_of_worker(0), share.shared / 4);
    memory_limit_watch(&holder, &told, 200 * MIB); /* the number is limited to this */
    assert_false(memory_limit_look());
    assert_true(memory_limit_of_worker(0) < 200 * MIB);
    memory_limit_watch(&holder, NULL, 0);
    assert_false(memory_limit_look());
    memory_limit_leave(&holder);
    memory_limit_remove(&share);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_held_is_what_is_written),
        cmocka_unit_test(a_file_of_another_form_tells_nothing),
        cmocka_unit_test(dumps_share_the_limit),
        cmocka_unit_test(what_is_kept_is_given_back_first),
        cmocka_unit_test(no_more_is_given_back_than_is_wanted),
        cmocka_unit_test(beyond_it_large_blocks_are_refused),
        cmocka_unit_test(another_process_counts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/*
 * Sources with edits: the bytes are those of a plain copy with the same bytes replaced, wherever
 * edits begin and end. The original's bytes stay unchanged, and if its file is damaged, so is the
 * source.
 */
#include "config.h"

#include "source/edited.h"

#include "tests/support/support.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PAGE = 4096, SIZE = 20 * PAGE + 123, EDITS = 5, ROUNDS = 3000 };

static char *folder, *path;
static struct problems *problems;
static struct source *original;
static uint8_t bytes[SIZE], put[3 * PAGE], expected[SIZE + EDITS * sizeof(put)];

static int set_up(void **state)
{
    static const struct source_params params;

    (void)state;
    folder = support_folder();
    path = support_path(folder, "dump");
    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (uint8_t)(i * 7 + i / 251);
    memset(put, 0xEE, sizeof(put));
    support_write(path, bytes, SIZE);
    assert_int_equal(problems_create(&problems), 0);
    assert_int_equal(source_open(path, &params, problems, &original), 0);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    source_close(&original);
    problems_destroy(&problems);
    free(path);
    support_remove(&folder);
    return 0;
}

static size_t apply(const struct source_edit *edits, size_t count)
{
    size_t from = 0, to = 0;

    for (size_t i = 0; i <= count; i++) {
        size_t end = i < count ? edits[i].offset : SIZE;

        memcpy(expected + to, bytes + from, end - from);
        to += end - from;
        if (i == count)
            break;
        memcpy(expected + to, edits[i].bytes, edits[i].length);
        to += edits[i].length;
        from = edits[i].offset + edits[i].size;
    }
    return to;
}

/* Checks a source that is copied at once, and one whose pages are copied when they are accessed. */
static void check(const struct source_edit *edits, size_t count)
{
    size_t size = apply(edits, count);

    for (int later = 0; later < 2; later++) {
        struct source *source;

        assert_int_equal(source_open_edited(original, edits, count, later, &source), 0);
        assert_int_equal(source->size, size);
        assert_memory_equal(source->data, expected, size);
        assert_int_equal(source_check(source), SOURCE_INTACT);
        source_close(&source);
        assert_null(source);
    }
}

static void nothing_may_be_edited(void **state)
{
    (void)state;
    check(NULL, 0);
}

static void edits_stand_at_pages_and_elsewhere(void **state)
{
    static const uint64_t places[] = {0, 1, PAGE - 1, PAGE, PAGE + 1, 7 * PAGE, SIZE - 1, SIZE};

    (void)state;
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
        for (size_t j = i; j < sizeof(places) / sizeof(places[0]); j++)
            for (size_t length = 0; length <= 2 * PAGE; length += PAGE / 2)
                check(&(struct source_edit){places[i], places[j] - places[i], put, length + 1}, 1);
}

static void many_edits_are_made_at_once(void **state)
{
    unsigned seed = 1;

    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct source_edit edits[EDITS];
        uint64_t at = 0;

        for (unsigned i = 0; i < EDITS; i++) {
            uint64_t size = (uint64_t)rand_r(&seed) % (2 * PAGE);

            at += (uint64_t)rand_r(&seed) % (2 * PAGE);
            edits[i] = (struct source_edit){at, size, put, (size_t)size};
            if (rand_r(&seed) % 2 == 0)
                edits[i].length = (size_t)rand_r(&seed) % sizeof(put);
            at += size;
        }
        check(edits, EDITS);
    }
}

static void the_original_stays(void **state)
{
    const struct source_edit edit = {100, 50, put, sizeof(put)};

    (void)state;
    check(&edit, 1);
    assert_int_equal(original->size, SIZE);
    assert_memory_equal(original->data, bytes, SIZE);
}

static void what_is_left_is_not_nothing(void **state)
{
    const struct source_edit all = {0, SIZE, NULL, 0};
    struct source *source;

    (void)state;
    assert_int_equal(source_open_edited(original, &all, 1, true, &source), -EINVAL);
    assert_null(source);
}

static void too_much_is_refused(void **state)
{
    const struct source_edit edit = {0, 1, put, (size_t)EDITED_COPY_MAX + 1};
    struct source *source;

    (void)state;
    assert_int_equal(source_open_edited(original, &edit, 1, true, &source), -EFBIG);
    assert_null(source);
}

static void a_change_of_the_original_is_one_of_it(void **state)
{
    struct source *source;
    int file;

    (void)state;
    assert_int_equal(source_open_edited(original, NULL, 0, true, &source), 0);
    file = open(path, O_WRONLY | O_CLOEXEC);
    assert_int_equal(pwrite(file, "x", 1, 5), 1);
    close(file);
    assert_int_equal(source_check(source), SOURCE_WRITTEN);
    assert_int_equal(source_state(source), SOURCE_WRITTEN);
    source_close(&source);
}

static void bytes_that_are_lost_are_told(void **state)
{
    struct source *source;
    unsigned sum = 0;

    (void)state;
    assert_int_equal(source_open_edited(original, NULL, 0, true, &source), 0);
    assert_int_equal(truncate(path, PAGE), 0);
    for (size_t i = 0; i < SIZE; i++)
        sum += ((const volatile uint8_t *)source->data)[i];
    assert_int_not_equal(sum, 0);
    assert_int_equal(source_check(source), SOURCE_SHORTENED);
    source_close(&source);
}

/* Bytes that moved are copied on access, from a file that has been cut off. */
static void bytes_that_move_are_lost_with_the_original(void **state)
{
    const struct source_edit edit = {100, 0, put, 1};
    struct source *source;
    unsigned sum = 0;

    (void)state;
    assert_int_equal(source_open_edited(original, &edit, 1, true, &source), 0);
    assert_int_equal(truncate(path, PAGE), 0);
    for (size_t i = 0; i <= SIZE; i++)
        sum += ((const volatile uint8_t *)source->data)[i];
    assert_int_not_equal(sum, 0);
    assert_int_equal(source_check(source), SOURCE_SHORTENED);
    source_close(&source);
}

enum { LARGE = 64 << 20, TOUCHED_MAX = 4 << 20, THREADS = 4 };

/* Returns the bytes of memory that the process uses, without shared pages. */
static uint64_t memory(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    unsigned long long all, resident, shared;

    assert_non_null(file);
    assert_int_equal(fscanf(file, "%llu %llu %llu", &all, &resident, &shared), 3);
    fclose(file);
    return (resident - shared) * (uint64_t)sysconf(_SC_PAGESIZE);
}

static void open_large(struct source **large)
{
    static const struct source_params params;
    char *place = support_path(folder, "large");

    support_write(place, bytes, SIZE);
    assert_int_equal(truncate(place, LARGE), 0);
    assert_int_equal(source_open(place, &params, problems, large), 0);
    free(place);
}

static void what_is_not_touched_takes_no_memory(void **state)
{
    const struct source_edit edit = {100, 0, put, 1};
    uint64_t before;
    struct source *large, *source;

    (void)state;
    open_large(&large);
    before = memory();
    assert_int_equal(source_open_edited(large, &edit, 1, true, &source), 0);
    for (size_t i = 101; i <= SIZE; i++)
        assert_int_equal(source->data[i], bytes[i - 1]);
    assert_int_equal(source->data[LARGE], 0);
    assert_true(memory() < before + TOUCHED_MAX);
    source_close(&source);
    source_close(&large);
}

static void *count_differences(void *context)
{
    const struct source *source = context;
    uintptr_t count = 0;

    for (size_t i = 101; i <= SIZE; i++)
        count += source->data[i] != bytes[i - 1];
    return (void *)count;
}

static void threads_touch_the_same_at_once(void **state)
{
    const struct source_edit edit = {100, 0, put, 1};

    (void)state;
    for (unsigned round = 0; round < ROUNDS / 10; round++) {
        struct source *source;
        pthread_t threads[THREADS];
        void *count;

        assert_int_equal(source_open_edited(original, &edit, 1, true, &source), 0);
        for (unsigned n = 0; n < THREADS; n++)
            assert_int_equal(pthread_create(&threads[n], NULL, count_differences, source), 0);
        for (unsigned n = 0; n < THREADS; n++) {
            pthread_join(threads[n], &count);
            assert_null(count);
        }
        source_close(&source);
    }
}

static void memory_may_be_short(void **state)
{
    (void)state;
    for (int n = 0; n == 0 || support_allocation_failed(); n++) {
        struct source *source;
        int status;

        support_fail_allocation(n);
        status = source_open_edited(original, NULL, 0, true, &source);
        assert_int_equal(status, support_allocation_failed() ? -ENOMEM : 0);
        source_close(&source);
    }
    support_fail_allocation(-1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(nothing_may_be_edited, set_up, tear_down),
        cmocka_unit_test_setup_teardown(edits_stand_at_pages_and_elsewhere, set_up, tear_down),
        cmocka_unit_test_setup_teardown(many_edits_are_made_at_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_original_stays, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_left_is_not_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(too_much_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_change_of_the_original_is_one_of_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bytes_that_are_lost_are_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bytes_that_move_are_lost_with_the_original, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(what_is_not_touched_takes_no_memory, set_up, tear_down),
        cmocka_unit_test_setup_teardown(threads_touch_the_same_at_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(memory_may_be_short, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

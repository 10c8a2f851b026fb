/* SPDX-License-Identifier: MIT */
/*
 * Limits of an expansion: bytes, the ratio of sizes, time, a budget that several dumps share, and
 * the window.
 */
#include "config.h"

#include "source/spool.h"

#include "tests/source/source_play.h"

#include "tests/support/support.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void test_expansion_is_capped(void **state)
{
    struct bytes plain = source_play_sample(700000);

    (void)state;
    for (size_t i = 0; i < COUNT_OF(source_play_containers); i++) {
        struct bytes packed = source_play_containers[i].pack(plain);

        opened.params.max_expand = 699999;
        source_play_open(packed.data, packed.size);
        source_play_assert(plain, 699999);
        assert_true(source_play_says("error"));
        assert_true(source_play_says("max-expand"));
        opened.params.max_expand = 1;
        source_play_open(packed.data, packed.size);
        source_play_assert(plain, 1);
        opened.params.max_expand = 700000;
        source_play_open(packed.data, packed.size);
        source_play_assert(plain, 700000);
        assert_int_equal(problems_count(opened.problems), 0);
        opened.params.max_expand = 0; /* the default */
        source_play_open(packed.data, packed.size);
        source_play_assert(plain, 700000);
        free(packed.data);
    }
    free(plain.data);
}

/* Packs `size` zeros, which expand to hundreds of times their packed size in any container. */
static struct bytes pack_zeros(size_t i, size_t size)
{
    struct bytes zeros = {calloc(1, size), size}, packed = source_play_containers[i].pack(zeros);

    free(zeros.data);
    return packed;
}

static void test_ratio_is_capped(void **state)
{
    enum { MORE = 70 << 20, LESS = 60 << 20 };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(source_play_containers); i++) {
        struct bytes more = pack_zeros(i, MORE), less = pack_zeros(i, LESS);

        opened.params.max_ratio = 100;
        source_play_open(more.data, more.size);
        assert_int_equal(opened.source->size, SPOOL_RATIO_FROM);
        assert_true(source_play_says("error"));
        assert_true(source_play_says("max-ratio"));
        source_play_open(less.data, less.size);
        assert_int_equal(opened.source->size, LESS);
        assert_int_equal(problems_count(opened.problems), 0);
        opened.params.max_ratio = (unsigned)(MORE / more.size + 1);
        source_play_open(more.data, more.size);
        assert_int_equal(opened.source->size, MORE);
        opened.params.max_ratio = 0; /* no limit */
        source_play_open(more.data, more.size);
        assert_int_equal(opened.source->size, MORE);
        assert_int_equal(problems_count(opened.problems), 0);
        free(more.data);
        free(less.data);
    }
}

/* Holes make a file longer without taking space, so they do not count. */
static void test_holes_do_not_count(void **state)
{
    enum { MORE = 70 << 20, HOLE = 64 << 20 };

    (void)state;
    opened.params.max_ratio = 2;
    for (size_t i = 0; i < COUNT_OF(source_play_containers); i++) {
        struct bytes more = pack_zeros(i, MORE);
        struct stat status;

        support_write(opened.path, more.data, more.size);
        assert_int_equal(truncate(opened.path, (off_t)more.size + HOLE), 0);
        assert_int_equal(stat(opened.path, &status), 0);
        if ((uint64_t)status.st_blocks * 512 > HOLE / 2)
            support_skip("a file system without holes");
        assert_int_equal(source_open(opened.path, &opened.params, opened.problems, &opened.source),
                         0);
        assert_int_equal(opened.source->size, SPOOL_RATIO_FROM);
        assert_true(source_play_says("max-ratio"));
        source_close(&opened.source);
        free(more.data);
    }
}

/* Empty streams cost time and expand to nothing. */
static void test_empty_streams_are_capped(void **state)
{
    enum { FEW = 4000, MANY = 4200 };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(source_play_containers); i++) {
        struct bytes plain = source_play_sample(1000),
                     packed = source_play_containers[i].pack(plain);
        struct bytes none = source_play_containers[i].pack((struct bytes){(uint8_t *)"", 0});
        uint8_t *file = malloc(2 * packed.size + MANY * none.size), *at = file;

        memcpy(at, packed.data, packed.size);
        at += packed.size;
        for (int n = 0; n < MANY; n++, at += none.size)
            memcpy(at, none.data, none.size);
        memcpy(at, packed.data, packed.size);
        source_play_open(file, (size_t)(at - file) + packed.size);
        assert_int_equal(opened.source->size, 1000);
        assert_true(source_play_says("empty streams"));

        at -= (MANY - FEW) * none.size;
        memcpy(at, packed.data, packed.size);
        source_play_open(file, (size_t)(at - file) + packed.size);
        assert_int_equal(opened.source->size, 2000);
        assert_int_equal(problems_count(opened.problems), 0);
        free(file);
        free(none.data);
        free(packed.data);
        free(plain.data);
    }
}

struct padded {
    struct cancel cancel;
    uint64_t packed;
};

static void cancel_in_padding(void *context, uint64_t done, uint64_t total)
{
    struct padded *padded = context;

    (void)total;
    if (done > padded->packed)
        cancel_raise(&padded->cancel);
}

/* A file may end with any number of zeros, which can be a hole. */
static void test_padding_is_cancelled(void **state)
{
    enum { ZEROS = 8 << 20 };
    static const char tail[] = "more";

    (void)state;
    for (size_t i = 0; i < COUNT_OF(source_play_containers); i++) {
        struct bytes plain = source_play_sample(1000),
                     packed = source_play_containers[i].pack(plain);
        struct padded padded = {.packed = packed.size};
        uint8_t *file = calloc(1, packed.size + ZEROS + sizeof(tail));
        size_t size = packed.size + ZEROS;

        assert_non_null(file);
        memcpy(file, packed.data, packed.size);
        opened.params.progress = NULL;
        opened.params.cancel = NULL;
        source_play_open(file, size);
        source_play_assert(plain, 1000);
        if (problems_count(opened.problems) == 0) { /* this container may be padded */
            memcpy(file + size, tail, sizeof(tail));
            source_play_open(file, size + sizeof(tail));
            assert_true(source_play_says("has 5 bytes"));
            opened.params.progress = cancel_in_padding;
            opened.params.progress_context = &padded;
            opened.params.cancel = &padded.cancel;
            source_close(&opened.source);
            assert_int_equal(
                source_open(opened.path, &opened.params, opened.problems, &opened.source), -EINTR);
            assert_null(opened.source);
        }
        free(file);
        free(packed.data);
        free(plain.data);
    }
}

/* A hole may be longer than what can be read in a day. */
static void test_padding_is_capped(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(source_play_containers); i++) {
        struct bytes plain = source_play_sample(1000),
                     packed = source_play_containers[i].pack(plain);

        source_play_open(packed.data, packed.size);
        assert_int_equal(truncate(opened.path, (off_t)packed.size + 2 * SPOOL_PADDING_MAX), 0);
        source_close(&opened.source);
        assert_int_equal(source_open(opened.path, &opened.params, opened.problems, &opened.source),
                         0);
        source_play_assert(plain, 1000);
        assert_int_equal(problems_count(opened.problems), 1);
        assert_true(source_play_says(" bytes at its offset "));
        free(packed.data);
        free(plain.data);
    }
}

/* What cannot be expanded in the time is left for later, or refused. */
static void test_time_is_capped(void **state)
{
    enum { SIZE = 200 << 20 };

    (void)state;
    opened.params.max_wait_ms = 1;
    for (size_t i = 0; i < COUNT_OF(source_play_containers); i++) {
        struct bytes packed = pack_zeros(i, SIZE);
        uint64_t before;

        support_write(opened.path, packed.data, packed.size);
        opened.params.unfinished = false;
        assert_int_equal(source_open(opened.path, &opened.params, opened.problems, &opened.source),
                         -EAGAIN);
        assert_null(opened.source);
        opened.params.unfinished = true;
        source_play_open(packed.data, packed.size);
        assert_non_null(opened.source->expansion);
        assert_int_equal(opened.source->container, source_play_containers[i].container);
        before = opened.source->size;
        assert_true(before < SIZE);
        assert_true(before == 0 || opened.source->data[before - 1] == 0);
        assert_int_equal(source_complete(opened.source, NULL), 0);
        assert_null(opened.source->expansion);
        assert_int_equal(opened.source->size, SIZE);
        assert_int_equal(opened.source->data[SIZE - 1], 0);
        assert_int_equal(problems_count(opened.problems), 0);
        free(packed.data);
    }
}

static void test_unfinished_is_cancelled_or_closed(void **state)
{
    struct bytes packed = pack_zeros(0, 200 << 20);
    struct cancel cancel;

    (void)state;
    cancel_init(&cancel, NULL);
    cancel_raise(&cancel);
    opened.params.max_wait_ms = 1;
    opened.params.unfinished = true;
    source_play_open(packed.data, packed.size);
    source_close(&opened.source);
    source_play_open(packed.data, packed.size);
    assert_int_equal(source_complete(opened.source, &cancel), -EINTR);
    source_close(&opened.source);
    source_play_open(packed.data, packed.size);
    support_write(opened.path, "something else", 14);
    assert_int_equal(source_complete(opened.source, NULL), -EBUSY);
    free(packed.data);
}

static void test_budget_is_shared(void **state)
{
    struct bytes plain = {calloc(1, 700000), 700000};
    struct spool_budget budget = {.max = 1000000};
    struct source *other = NULL;

    (void)state;
    opened.params.budget = &budget;
    for (size_t i = 0; i < COUNT_OF(source_play_containers); i++) {
        struct bytes packed = source_play_containers[i].pack(plain);

        source_play_open(packed.data, packed.size);
        assert_int_equal(budget.used, 700000);
        assert_int_equal(source_open(opened.path, &opened.params, opened.problems, &other),
                         -ENOSPC);
        assert_null(other);
        assert_true(source_play_says("max-expand"));
        assert_int_equal(budget.used, 700000);
        source_close(&opened.source);
        assert_int_equal(budget.used, 0);
        assert_int_equal(source_open(opened.path, &opened.params, opened.problems, &other), 0);
        source_close(&other);
        free(packed.data);
    }
    free(plain.data);
}

/*
 * A container that expands to less than sixteen times its size always fits, whatever other
 * containers use. One that expands to more leaves a part of the budget.
 */
static void test_budget_is_fair(void **state)
{
    struct bytes plain = source_play_sample(700000), zeros = {calloc(1, 700000), 700000};
    struct spool_budget budget = {.max = 740000};

    (void)state;
    opened.params.budget = &budget;
    for (size_t i = 0; i < COUNT_OF(source_play_containers); i++) {
        struct bytes packed = source_play_containers[i].pack(plain),
                     bomb = source_play_containers[i].pack(zeros);

        atomic_store(&budget.used, 740000);
        source_play_open(packed.data, packed.size);
        source_play_assert(plain, plain.size);
        source_close(&opened.source);
        assert_int_equal(budget.used, 740000);
        atomic_store(&budget.used, 0);
        support_write(opened.path, bomb.data, bomb.size);
        assert_int_equal(source_open(opened.path, &opened.params, opened.problems, &opened.source),
                         0); /* cut off */
        assert_int_equal(budget.used, 740000 - 740000 / 16);
        assert_true(source_play_says("max-expand"));
        source_close(&opened.source);
        assert_int_equal(budget.used, 0);
        free(packed.data);
        free(bomb.data);
    }
    free(plain.data);
    free(zeros.data);
}

/* Opens a frame with one raw block that requires a window of 2^log bytes. */
static void open_window(unsigned log)
{
    uint8_t frame[] = {0x28, 0xB5, 0x2F, 0xFD, 0x00, 0, 3 << 3 | 1, 0, 0, 'a', 'b', 'c'};

    frame[5] = (uint8_t)((log - 10) << 3);
    source_play_open(frame, sizeof(frame));
    assert_int_equal(opened.source->container, SOURCE_ZSTD);
}

static void test_window_is_capped(void **state)
{
    (void)state;
    open_window(27);
    assert_int_equal(opened.source->size, 3);
    assert_int_equal(problems_count(opened.problems), 0);
    open_window(28);
    assert_int_equal(opened.source->size, 0);
    assert_true(source_play_says("error"));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, source_play_begin, source_play_end)
    const struct CMUnitTest tests[] = {
        TEST(test_expansion_is_capped),  TEST(test_ratio_is_capped),
        TEST(test_holes_do_not_count),   TEST(test_empty_streams_are_capped),
        TEST(test_padding_is_cancelled), TEST(test_padding_is_capped),
        TEST(test_time_is_capped),       TEST(test_unfinished_is_cancelled_or_closed),
        TEST(test_budget_is_shared),     TEST(test_budget_is_fair),
        TEST(test_window_is_capped),
    };

    return cmocka_run_group_tests_name("source_expansion_limits", tests, NULL, NULL);
}

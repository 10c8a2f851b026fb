/* SPDX-License-Identifier: MIT */
/* Opening files and folders and the files beside them, and files that another program cuts off. */
#include "config.h"

#include "tests/source/source_play.h"

#include "tests/support/support.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void test_empty_file(void **state)
{
    (void)state;
    source_play_open("", 0);
    assert_null(opened.source->data);
    assert_int_equal(opened.source->size, 0);
    assert_int_equal(opened.source->container, SOURCE_PLAIN);
    assert_false(opened.source->is_folder);
    source_close(&opened.source);
    assert_null(opened.source);
    source_close(&opened.source);
}

static void test_plain_file(void **state)
{
    struct stat status;
    char *real;

    (void)state;
    source_play_open("plain contents", 14);
    assert_memory_equal(opened.source->data, "plain contents", 14);
    assert_int_equal(opened.source->size, 14);
    assert_int_equal(opened.source->container, SOURCE_PLAIN);
    assert_int_equal(problems_count(opened.problems), 0);
    assert_int_equal(stat(opened.path, &status), 0);
    assert_memory_equal(&opened.source->mtime, &status.st_mtim, sizeof(opened.source->mtime));
    real = realpath(opened.path, NULL);
    assert_string_equal(opened.source->path, real);
    assert_string_equal(source_basename(opened.source), "dump");
    free(real);
}

/* Limits are derived from the bytes that are stored, without holes. */
static void test_holes_are_not_sent(void **state)
{
    enum { HOLE = 64 << 20 };
    static const uint8_t byte = 1;
    struct stat status;

    (void)state;
    source_play_open(&byte, 1);
    assert_int_equal(source_file_sent(opened.source), 1);
    assert_int_equal(source_sent(opened.source), 1);
    source_close(&opened.source);
    assert_int_equal(truncate(opened.path, HOLE), 0);
    assert_int_equal(stat(opened.path, &status), 0);
    if ((uint64_t)status.st_blocks * 512 > HOLE / 2)
        support_skip("a file system without holes");
    assert_int_equal(source_open(opened.path, &opened.params, opened.problems, &opened.source), 0);
    assert_int_equal(source_size(opened.source), HOLE);
    assert_int_equal(source_file_size(opened.source), HOLE);
    assert_true(source_file_sent(opened.source) < HOLE / 2);
    assert_int_equal(source_sent(opened.source), source_file_sent(opened.source));
}

static void test_short_files_are_plain(void **state)
{
    static const uint8_t beginnings[][8] = {{0x28, 0xB5, 0x2F, 0xFD},
                                            {0xFD, '7', 'z', 'X', 'Z', 0},
                                            {0x1F, 0x8B, 8},
                                            {0x50, 0x2A, 0x4D, 0x18, 0, 0, 0, 0}};
    static const size_t lengths[] = {3, 5, 2, 8};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(beginnings); i++)
        for (size_t length = 1; length <= lengths[i]; length++) {
            source_play_open(beginnings[i], length);
            assert_int_equal(opened.source->container, SOURCE_PLAIN);
            assert_int_equal(opened.source->size, length);
        }
}

/* The part that another program cuts off reads as zeros, and the process continues. */
static void test_shortened_while_open(void **state)
{
    enum { PAGES = 16, PAGE = 4096 };
    static uint8_t bytes[PAGES * PAGE];

    (void)state;
    memset(bytes, 0x5A, sizeof(bytes));
    source_play_open(bytes, sizeof(bytes));
    assert_int_equal(source_check(opened.source), SOURCE_INTACT);
    assert_int_equal(truncate(opened.path, 3 * PAGE), 0);
    assert_int_equal(opened.source->data[3 * PAGE - 1], 0x5A);
    assert_int_equal(source_state(opened.source), SOURCE_INTACT);
    for (size_t i = 3 * PAGE; i < sizeof(bytes); i += 512)
        assert_int_equal(opened.source->data[i], 0);
    assert_int_not_equal(source_state(opened.source), SOURCE_INTACT);
    assert_int_equal(source_check(opened.source), SOURCE_SHORTENED);
    assert_int_equal(source_state(opened.source), SOURCE_SHORTENED);
}

static void test_folder_and_siblings(void **state)
{
    static const char *const bad[] = {"", ".", "..", "a/b", "/dump", "dump/"};
    struct source *sibling = NULL;
    char *other = support_path(opened.folder, "other");

    (void)state;
    support_write(opened.path, "dump", 4);
    support_write(other, "other", 5);
    assert_int_equal(source_open(opened.folder, &opened.params, opened.problems, &opened.source),
                     0);
    assert_true(opened.source->is_folder);
    assert_null(opened.source->data);
    assert_int_equal(
        source_open_sibling(opened.source, "other", &opened.params, opened.problems, &sibling), 0);
    assert_memory_equal(sibling->data, "other", 5);
    assert_string_equal(source_name(sibling), source_basename(opened.source));
    source_close(&opened.source);
    assert_int_equal(
        source_open_sibling(sibling, "dump", &opened.params, opened.problems, &opened.source), 0);
    assert_memory_equal(opened.source->data, "dump", 4);
    assert_string_equal(source_name(opened.source), "dump");
    source_close(&sibling);
    assert_int_equal(
        source_open_sibling(opened.source, "none", &opened.params, opened.problems, &sibling),
        -ENOENT);
    for (size_t i = 0; i < COUNT_OF(bad); i++)
        assert_int_equal(
            source_open_sibling(opened.source, bad[i], &opened.params, opened.problems, &sibling),
            -EINVAL);
    assert_null(sibling);
    free(other);
}

/*
 * A file is opened by its descriptor, even if its name is that of another file. Files beside it
 * must not be links.
 */
static void test_opened_file(void **state)
{
    char *moved = support_path(opened.folder, "moved"), *link = support_path(opened.folder, "link");
    struct source_file file = {.no_links = true};
    struct source *sibling = NULL;

    (void)state;
    support_write(opened.path, "first", 5);
    file.fd = open(opened.path, O_RDONLY);
    file.folder = open(opened.folder, O_RDONLY | O_DIRECTORY);
    assert_true(file.fd >= 0 && file.folder >= 0);
    assert_int_equal(rename(opened.path, moved), 0);
    support_write(opened.path, "second", 6);
    assert_int_equal(symlink("moved", link), 0);
    opened.params.file = &file;
    assert_int_equal(source_open(opened.path, &opened.params, opened.problems, &opened.source), 0);
    assert_int_equal(opened.source->size, 5);
    assert_memory_equal(opened.source->data, "first", 5);
    assert_string_equal(opened.source->path, opened.path);
    opened.params.file = NULL;
    close(file.fd);
    assert_int_equal(
        source_open_sibling(opened.source, "link", &opened.params, opened.problems, &sibling),
        -ELOOP);
    assert_null(sibling);
    assert_int_equal(
        source_open_sibling(opened.source, "dump", &opened.params, opened.problems, &sibling), 0);
    assert_memory_equal(sibling->data, "second", 6);
    source_close(&opened.source);
    assert_int_equal(
        source_open_sibling(sibling, "link", &opened.params, opened.problems, &opened.source),
        -ELOOP);
    source_close(&sibling);
    close(file.folder);
    free(moved);
    free(link);
}

static void test_what_cannot_be_opened(void **state)
{
    (void)state;
    assert_int_equal(source_open(opened.path, &opened.params, opened.problems, &opened.source),
                     -ENOENT);
    assert_null(opened.source);
    assert_int_equal(mkfifo(opened.path, 0600), 0);
    assert_int_equal(source_open(opened.path, &opened.params, opened.problems, &opened.source),
                     -EINVAL);
    assert_int_equal(source_open("/dev/null", &opened.params, opened.problems, &opened.source),
                     -EINVAL);
    assert_null(opened.source);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, source_play_begin, source_play_end)
    const struct CMUnitTest tests[] = {
        TEST(test_empty_file),           TEST(test_plain_file),
        TEST(test_holes_are_not_sent),   TEST(test_short_files_are_plain),
        TEST(test_shortened_while_open), TEST(test_folder_and_siblings),
        TEST(test_opened_file),          TEST(test_what_cannot_be_opened),
    };

    return cmocka_run_group_tests_name("source", tests, NULL, NULL);
}

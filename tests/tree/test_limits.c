/* SPDX-License-Identifier: MIT */
/*
 * What exceeds -o max-seconds and -o max-text is listed, refused and reported, and is not made
 * again.
 */
#include "config.h"

#include "tests/support/fake.h"
#include "tests/support/support.h"
#include "tests/support/tree_play.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A text of 40 pieces of 64 KiB, that is 2.5 MiB. */
static const char long_text[] = "/things/01-b/long.txt";

static char *problems_of(struct fake *fake)
{
    struct text text = TEXT_INIT;
    char *copy;

    problems_write(fake->problems, &text);
    text_add_char(&text, '\0');
    assert_int_equal(text_status(&text), 0);
    copy = strdup(text.bytes);
    text_clear(&text);
    return copy;
}

static void expect_line(struct fake *fake, const char *subject, const char *limit)
{
    char *problems = problems_of(fake), *line = strstr(problems, subject);

    assert_non_null(line);
    assert_non_null(strstr(line, limit));
    assert_null(strstr(line + 1, subject)); /* only once */
    free(problems);
}

static int stat_of(struct tree *tree, const char *path)
{
    struct tree_attributes attributes;

    return tree_stat(tree, play_find(tree, path), NULL, &attributes);
}

static bool find_entry(void *context, const char *name, uint64_t inode, enum rule_kind kind,
                       uint64_t next)
{
    (void)inode, (void)kind, (void)next;
    *(bool *)context |= strcmp(name, "long.txt") == 0;
    return true;
}

static void a_text_beyond_its_cap_is_listed_and_refused(void **state)
{
    struct fake *fake = fake_create(4);
    struct tree *tree;
    struct tree_file *file = NULL;
    uint64_t cursor = 0;
    bool found = false;
    unsigned made;

    (void)state;
    fake->options.max_text = 1 << 20;
    tree = fake_tree(fake, 0);
    assert_int_equal(stat_of(tree, long_text), -EFBIG);
    made = fake->pieces;
    assert_true(made <= 17); /* sizing stops at the cap: 16 pieces are a MiB */
    assert_int_equal(stat_of(tree, long_text), -EFBIG);
    assert_int_equal(tree_open(tree, play_find(tree, long_text), &file), -EFBIG);
    assert_null(file);
    assert_int_equal(fake->pieces, made); /* nothing is made again */
    assert_int_equal(tree_list(tree, play_find(tree, "/things/01-b"), &cursor, find_entry, &found),
                     0);
    assert_true(found);
    assert_int_equal(stat_of(tree, "/things/01-b/notes.txt"), 0);
    expect_line(fake, "things/01-b/long.txt", "-o max-text");
    tree_destroy(&tree);
    fake_free(fake);
}

static void a_handle_that_came_before_is_refused_too(void **state)
{
    struct fake *fake = fake_create(4);
    struct tree *tree;
    struct tree_file *file;
    struct tree_window window;

    (void)state;
    fake->options.max_text = 1 << 20;
    tree = fake_tree(fake, 0);
    file = play_open(tree, long_text); /* its size is not known yet */
    assert_int_equal(tree_read(file, 0, 10, NULL, &window), -EFBIG);
    tree_close(&file);
    tree_destroy(&tree);
    fake_free(fake);
}

static void a_text_within_its_cap_is_whole(void **state)
{
    struct fake *fake = fake_create(4);
    struct tree *tree;

    (void)state;
    fake->options.max_text = 3 << 20;
    tree = fake_tree(fake, 0);
    assert_int_equal(stat_of(tree, long_text), 0);
    assert_int_equal(problems_count(fake->problems), 0);
    tree_destroy(&tree);
    fake_free(fake);
}

/* A text that is made in memory as a whole. */
static void a_single_text_is_stopped_while_it_grows(void **state)
{
    struct fake *fake = fake_create(4);
    struct tree *tree;

    (void)state;
    fake->options.max_text = 64 << 10;
    fake->letters = 1 << 20;
    tree = fake_tree(fake, 0);
    assert_int_equal(stat_of(tree, "/by-frame/000000/info.txt"), -EFBIG);
    assert_true(fake->letters_made <= 128 << 10);
    expect_line(fake, "by-frame/000000/info.txt", "-o max-text");
    tree_destroy(&tree);
    fake_free(fake);
}

static void work_beyond_its_time_fails_and_is_told(unsigned threads)
{
    struct fake *fake = fake_create(4);
    struct tree *tree;
    unsigned pieces;

    fake->options.max_seconds = 1;
    fake->settled = true;
    tree = fake_tree(fake, threads);
    fake->shut = fake->burns = true;
    assert_int_equal(stat_of(tree, long_text), -EIO);
    pieces = fake->slow + fake->pieces;
    assert_int_equal(stat_of(tree, long_text), -EIO);
    assert_int_equal(fake->slow + fake->pieces, pieces);
    fake->shut = false;
    assert_int_equal(stat_of(tree, "/things/01-b/notes.txt"), 0);
    assert_int_equal(stat_of(tree, "/problems.txt"), 0);
    expect_line(fake, "things/01-b/long.txt", "-o max-seconds");
    tree_destroy(&tree);
    fake_free(fake);
}

static void with_threads_work_beyond_its_time_fails(void **state)
{
    (void)state;
    work_beyond_its_time_fails_and_is_told(2);
}

static void without_threads_work_beyond_its_time_fails(void **state)
{
    (void)state;
    work_beyond_its_time_fails_and_is_told(0);
}

/* problems.txt, which explains why other files failed, has no limit. */
static void problems_have_no_limit(void **state)
{
    struct fake *fake = fake_create(4);
    struct tree *tree;

    (void)state;
    fake->options.max_text = 1;
    fake->settled = true;
    tree = fake_tree(fake, 0);
    for (unsigned frame = 0; frame < 3; frame++)
        problems_add(fake->problems, PROBLEM_NOTE, frame, frame, "some line that is long enough");
    assert_int_equal(stat_of(tree, "/problems.txt"), 0);
    tree_destroy(&tree);
    fake_free(fake);
}

/* The lines of problems.txt are limited, however many files are refused. */
static void lines_are_bounded(void **state)
{
    struct fake *fake = fake_create(1200); /* 300 frames */
    struct tree *tree;
    char path[64];

    (void)state;
    fake->options.max_text = 1;
    tree = fake_tree(fake, 0);
    for (unsigned frame = 0; frame < 300; frame++) {
        snprintf(path, sizeof(path), "/by-frame/%06u/packets.tsv", frame);
        assert_int_equal(stat_of(tree, path), -EFBIG);
    }
    assert_int_equal(problems_count(fake->problems), 101);
    expect_line(fake, "further files are not made", "-o max-text");
    tree_destroy(&tree);
    fake_free(fake);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_beyond_its_cap_is_listed_and_refused),
        cmocka_unit_test(a_handle_that_came_before_is_refused_too),
        cmocka_unit_test(a_text_within_its_cap_is_whole),
        cmocka_unit_test(a_single_text_is_stopped_while_it_grows),
        cmocka_unit_test(with_threads_work_beyond_its_time_fails),
        cmocka_unit_test(without_threads_work_beyond_its_time_fails),
        cmocka_unit_test(problems_have_no_limit),
        cmocka_unit_test(lines_are_bounded),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

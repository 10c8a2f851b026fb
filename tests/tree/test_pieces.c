/* SPDX-License-Identifier: MIT */
/*
 * Binary files that are made piece by piece: they may have any size, and little of them is in
 * memory.
 */
#include "config.h"

#include "tests/support/fake.h"
#include "tests/support/support.h"
#include "tests/support/tree_play.h"

#include "tree/inode.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t huge = UINT64_C(3) << 40;

/* Expects `expected` bytes of things/00-a/huge.bin. */
static void expect_read(struct tree_file *file, uint64_t offset, size_t size, size_t expected)
{
    struct tree_window window;

    assert_int_equal(tree_read(file, offset, size, NULL, &window), 0);
    assert_int_equal(window.length, expected);
    for (size_t i = 0; i < window.length; i++)
        assert_int_equal(window.data[i], (offset + i) % 251);
    blob_unref(&window.blob);
}

static void an_empty_file_has_no_piece(void **state)
{
    struct fake *fake = fake_create(4);
    struct tree *tree = NULL;
    struct tree_file *file = NULL;
    struct tree_attributes attributes;

    (void)state;
    fake->huge_bytes = 0;
    tree = fake_tree(fake, 0);
    assert_int_equal(tree_attributes(tree, play_find(tree, "/things/00-a/huge.bin"), &attributes),
                     0);
    assert_int_equal(attributes.size, 0);
    file = play_open(tree, "/things/00-a/huge.bin");
    expect_read(file, 0, 10, 0);
    expect_read(file, RULE_PIECE, 10, 0);
    assert_int_equal(fake->huges, 0);
    tree_close(&file);
    tree_destroy(&tree);
    fake_free(fake);
}

static void a_window_ends_where_its_piece_does(void **state)
{
    struct fake *fake = fake_create(4);
    struct tree *tree = NULL;
    struct tree_file *file = NULL;

    (void)state;
    fake->huge_bytes = huge + 5;
    tree = fake_tree(fake, 0);
    file = play_open(tree, "/things/00-a/huge.bin");
    expect_read(file, 0, 1, 1);
    expect_read(file, 0, SIZE_MAX, RULE_PIECE);
    expect_read(file, RULE_PIECE - 3, 10, 3);
    assert_int_equal(fake->huges, 1);
    expect_read(file, RULE_PIECE, 10, 10);
    expect_read(file, huge / 2 + 7, 10, 10);
    expect_read(file, huge - 1, 10, 1);
    expect_read(file, huge, 10, 5);
    expect_read(file, huge + 4, 10, 1);
    expect_read(file, huge + 5, 10, 0);
    expect_read(file, UINT64_MAX, 10, 0);
    assert_int_equal(fake->huges, 5);
    assert_true(play_statistics(tree).pinned <= RULE_PIECE + 4096);
    tree_close(&file);
    assert_int_equal(play_statistics(tree).pinned, 0);
    tree_destroy(&tree);
    fake_free(fake);
}

/* If the size has to be prepared, stat, open and read each prepare it. */
static void a_size_may_have_to_be_prepared(void **state)
{
    struct fake *fake = fake_create(4);
    struct tree *tree = fake_tree(fake, 0);
    uint64_t inode = play_find(tree, "/things/00-a/huge.bin");
    struct tree_attributes attributes;
    struct tree_file *file = NULL;

    (void)state;
    fake->unknown = true;
    assert_int_equal(tree_attributes(tree, inode, &attributes), -EAGAIN);
    assert_int_equal(fake->preparations, 0);
    file = play_open(tree, "/things/00-a/huge.bin");
    expect_read(file, RULE_PIECE - 1, 10, 1);
    assert_int_equal(fake->preparations, 1);
    tree_close(&file);
    fake->known = 0;
    assert_int_equal(tree_stat(tree, inode, NULL, &attributes), 0);
    assert_int_equal(attributes.size, RULE_PIECE);
    assert_int_equal(fake->preparations, 2);
    tree_destroy(&tree);

    fake->useless = true;
    fake->known = 0;
    tree = fake_tree(fake, 0);
    assert_int_equal(tree_stat(tree, inode, NULL, &attributes), -EIO);
    file = play_open(tree, "/things/00-a/huge.bin");
    assert_int_equal(tree_read(file, 0, 1, NULL, &(struct tree_window){0}), -EIO);
    tree_close(&file);
    tree_destroy(&tree);
    fake_free(fake);
}

static void a_piece_that_is_short_is_refused(void **state)
{
    struct fake *fake = fake_create(4);
    struct tree *tree = fake_tree(fake, 0);
    struct tree_file *file = play_open(tree, "/things/00-a/huge.bin");
    struct tree_window window;
    struct text line = TEXT_INIT;

    (void)state;
    fake->short_of = true;
    assert_int_equal(tree_read(file, 0, 10, NULL, &window), -EIO);
    assert_null(window.blob);
    assert_true(problems_first_sentence(fake->problems, &line));
    text_add_char(&line, '\0');
    assert_string_equal(line.bytes,
                        "huge.bin of key 0: 1048575 bytes were made, but 1048576 announced");
    fake->short_of = false;
    expect_read(file, 0, 10, 10);
    text_clear(&line);
    tree_close(&file);
    tree_destroy(&tree);
    fake_free(fake);
}

static void a_reader_that_goes_away_is_not_waited_for(void **state)
{
    struct fake *fake = fake_create(4);
    struct tree *tree = fake_tree(fake, 0);
    struct tree_file *file = play_open(tree, "/things/00-a/huge.bin");
    struct tree_window window;
    struct cancel gone;

    (void)state;
    cancel_init(&gone, NULL);
    cancel_raise(&gone);
    fake->shut = true;
    assert_int_equal(tree_read(file, 0, 10, &gone, &window), -EINTR);
    fake->shut = false;
    expect_read(file, 0, 10, 10);
    tree_close(&file);
    tree_destroy(&tree);
    fake_free(fake);
}

/* A file without pieces that is too large for memory is refused before it is made. */
static void what_does_not_fit_into_memory_says_so(void **state)
{
    struct fake *fake = fake_create(4);
    struct tree *tree = NULL;
    struct tree_file *file = NULL;
    struct text line = TEXT_INIT;

    (void)state;
    fake->big_bytes = huge;
    tree = fake_tree(fake, 0);
    file = play_open(tree, "/things/00-a/big.bin");
    assert_int_equal(tree_read(file, 0, 1, NULL, &(struct tree_window){0}), -EIO);
    assert_int_equal(fake->bigs, 0);
    assert_int_equal(problems_count(fake->problems), 1);
    problems_write(fake->problems, &line);
    text_add_char(&line, '\0');
    assert_non_null(strstr(line.bytes, "files of 3298534883328 bytes do not fit into memory"));
    text_clear(&line);
    tree_close(&file);
    tree_destroy(&tree);
    fake_free(fake);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_file_has_no_piece),
        cmocka_unit_test(a_window_ends_where_its_piece_does),
        cmocka_unit_test(a_size_may_have_to_be_prepared),
        cmocka_unit_test(a_piece_that_is_short_is_refused),
        cmocka_unit_test(a_reader_that_goes_away_is_not_waited_for),
        cmocka_unit_test(what_does_not_fit_into_memory_says_so),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

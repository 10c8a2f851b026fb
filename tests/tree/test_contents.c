/* SPDX-License-Identifier: MIT */
/* Contents of a tree: the common files, failures, and what open files pin. */
#include "config.h"

#include "tests/support/fake.h"
#include "tests/support/tree_play.h"
#include "tests/support/walk.h"

#include "tree/inode.h"

#include "tests/support/support.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Contents. */

static void the_common_files_say_what_they_should(void **state)
{
    struct fake *fake = fake_create(43);
    struct tree *tree = fake_tree(fake, 0);

    (void)state;
    play_expect_begins(tree, "/metadata.txt", "format: fake\npackets: 43\n");
    play_expect_begins(tree, "/metadata.json", "{");
    play_expect_begins(tree, "/packets.tsv", "packet\tname\n0\tsome row\n1\tsome row\n2\tsome");
    play_expect_begins(tree, "/by-frame/000010/packets.tsv", "packet\tname\n40\tsome row\n");
    play_expect_begins(tree, "/by-frame/000010/commands.txt", "40\tsome row\n41\tsome row\n42");
    play_expect_begins(tree, "/by-frame/000010/info.txt", "frame: 000010\nhalf: 5\n");
    play_expect_begins(tree, "/packets/00000/00000007-vsync.txt", "7\tsome row\n");
    play_expect_begins(tree, "/.gpudumpfs/version", "gpudumpfs ");
    assert_int_equal(play_size(tree, "/problems.txt"), 0);
    tree_destroy(&tree);
    fake_free(fake);
}

static void the_readme_tells_every_rule_and_this_dumps_numbers(void **state)
{
    struct fake *fake = fake_create(43);
    struct tree *tree = fake_tree(fake, 0);
    size_t size = 0;
    char *text = walk_read(tree, "/README.txt", &size);
    static const char *const contents[] = {
        "made up.fake",
        ("A dump made up for tests. It shows nothing that ever was on a screen, and has\n"
         "a sentence long enough to be broken, which 'must not: happen' in quotes.\n\nIt has"),
        "43 packets, 00000000 to 00000042",
        "11 frames, 000000 to 000010",
        "\nREADME.txt ",
        "\npackets/BBBBB/NNNNNNNN-NAME.bin ",
        "\nby-frame/NNNNNN/commands.txt ",
        "\nlatest.png ",
        "\n.gpudumpfs/cache.txt ",
        "\nthings/ ",
        "\nthings/NN-NAME/inner/NN.bin ",
        "frames/%06d.png",
        "by-frame/000005/commands.txt",
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(contents); i++)
        if (strstr(text, contents[i]) == NULL)
            fail_msg("no '%s' in:\n%s", contents[i], text);
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n"))
        assert_true(strlen(line) <= 80);
    free(text);
    tree_destroy(&tree);
    fake_free(fake);
}

static void a_picture_has_the_size_and_texts_that_were_told(void **state)
{
    struct fake *fake = fake_create(43);
    struct tree *tree = fake_tree(fake, 0);
    struct dump_picture picture;
    uint64_t size = 0;

    (void)state;
    assert_int_equal(dump_picture_header(&fake->dump, 4, &picture), -ENOENT);
    assert_int_equal(dump_picture_header(&fake->dump, 11, &picture), -ENOENT);
    assert_int_equal(dump_picture_header(&fake->dump, 0, &picture), 0);
    assert_int_equal(picture.header.text_count, 2); /* no text for the unknown time */
    assert_int_equal(dump_picture_header(&fake->dump, 10, &picture), 0);
    assert_int_equal(picture.header.text_count, 3);
    assert_int_equal(picture.header.colour, PICTURE_RGB);
    assert_int_equal(picture.header.significant_bits, 5);
    assert_string_equal(picture.texts[0].text, "10");
    assert_string_equal(picture.texts[1].text, "0.166667");
    assert_string_equal(picture.texts[2].text, "FAKE-?1");
    assert_int_equal(dump_picture_size(&fake->dump, &picture, &size), 0);
    assert_int_equal(play_size(tree, "/frames/000010.png"), size);
    assert_int_equal(fake->pictures, 0);

    assert_int_equal(dump_picture_init(&fake->dump, 10, 1 << 20, 1, PICTURE_RGB, 8, &picture), 0);
    assert_int_equal(dump_picture_size(&fake->dump, &picture, &size), -EFBIG);
    assert_int_equal(dump_picture_init(&fake->dump, 99, 1, 1, PICTURE_RGB, 8, &picture), -ENOENT);
    tree_destroy(&tree);
    fake_free(fake);
}

static void a_small_picture_tells_its_size_by_being_made(void **state)
{
    struct fake *fake = fake_create(43);
    struct tree *tree = NULL;
    struct tree_attributes attributes;
    size_t size = 0;
    char *bytes = NULL;

    (void)state;
    fake->options.png = PICTURE_SMALL;
    tree = fake_tree(fake, 0);
    assert_int_equal(tree_attributes(tree, play_find(tree, "/frames/000010.png"), &attributes),
                     -EAGAIN);
    bytes = walk_read(tree, "/frames/000010.png", &size);
    assert_int_equal(play_size(tree, "/frames/000010.png"), size);
    assert_int_equal(fake->pictures, 1);
    free(bytes);
    tree_destroy(&tree);
    fake_free(fake);
}

static void a_listing_of_one_piece_is_formatted_once(void **state)
{
    struct fake *fake = fake_create(43);
    struct tree *tree = fake_tree(fake, 0);
    size_t size = 0;

    (void)state;
    free(walk_read(tree, "/by-frame/000001/commands.txt", &size));
    assert_int_equal(fake->pieces, 1);
    assert_int_equal(play_statistics(tree).made[CACHE_TEXT], 1);
    tree_destroy(&tree);
    fake_free(fake);
}

static void the_end_of_a_listing_is_read_without_its_beginning(void **state)
{
    struct fake *fake = fake_create(43);
    struct tree *tree = fake_tree(fake, 0);
    struct tree_file *file = NULL;
    unsigned formatted = 0;

    (void)state;
    fake->options.cache = 1 << 20;
    assert_int_equal(play_size(tree, "/things/00-a/long.txt"), 40 * 65536);
    assert_int_equal(fake->pieces, 40);
    file = play_open(tree, "/things/00-a/long.txt");
    formatted = fake->pieces;
    play_expect_read(file, 40 * 65536 - 100, 4096, 100);
    assert_int_equal(fake->pieces, formatted + 1);
    play_expect_read(file, 39 * 65536, 4096, 4096);   /* the piece is held by the open file */
    play_expect_read(file, 38 * 65536, 99999, 65536); /* a window ends at the end of its piece */
    assert_int_equal(fake->pieces, formatted + 2);
    play_expect_read(file, 40 * 65536, 1, 0);
    play_expect_read(file, UINT64_MAX, 1, 0);
    assert_true(play_statistics(tree).pinned < 3 * 65536);
    tree_close(&file);
    assert_int_equal(play_statistics(tree).pinned, 0);
    tree_destroy(&tree);
    fake_free(fake);
}

/*
 * Closing a file for good drops its contents, offsets and pieces, except what another open file
 * uses.
 */
static void closing_for_good_leaves_nothing(void **state)
{
    static const char *const paths[] = {
        "/things/00-a/long.txt",  "/by-frame/000001/commands.txt",
        "/things/01-b/notes.txt", "/frames/000000.png",
        "/things/01-b/huge.bin",  "/packets/00000/00000000-gp0.bin"};
    struct fake *fake = fake_create(43);
    struct tree *tree = NULL;
    struct tree_file *file = NULL, *other;
    uint64_t items;

    (void)state;
    fake->options.cache = 32 << 20;
    tree = fake_tree(fake, 0);
    tree_close_for_good(&file);
    for (size_t i = 0; i < COUNT_OF(paths); i++) {
        struct tree_window window = {0};
        uint64_t offset = 0;

        file = play_open(tree, paths[i]);
        do {
            assert_int_equal(tree_read(file, offset, 1 << 20, NULL, &window), 0);
            blob_unref(&window.blob);
            offset += window.length;
        } while (window.length > 0);
        assert_true(offset > 0);
        tree_close_for_good(&file);
        assert_int_equal(play_statistics(tree).items, 0);
        assert_int_equal(play_statistics(tree).held, 0);
    }
    other = play_open(tree, "/frames/000000.png");
    play_expect_read(other, 0, 8, 8);
    items = play_statistics(tree).items;
    file = play_open(tree, "/frames/000000.png");
    play_expect_read(file, 0, 8, 8);
    tree_close_for_good(&file);
    assert_int_equal(play_statistics(tree).items, items);
    tree_close(&other);
    tree_destroy(&tree);
    fake_free(fake);
}

/*
 * Shows how many pieces are formatted to find the size of a listing, and how many to read it, if
 * the listing fits in a part of the cache or not.
 */
static void a_listing_that_the_cache_can_hold_is_formatted_once(void **state)
{
    static const struct {
        uint64_t cache;
        unsigned once_more;
    } cases[] = {{32 << 20, 0}, {8 << 20, 40 - 16}};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct fake *fake = fake_create(43);
        struct tree *tree = NULL;
        size_t length = 0;

        fake->options.cache = cases[i].cache;
        tree = fake_tree(fake, 0);
        assert_int_equal(play_size(tree, "/things/00-a/long.txt"), 40 * 65536);
        assert_int_equal(fake->pieces, 40);
        free(walk_read(tree, "/things/00-a/long.txt", &length));
        assert_int_equal(length, 40 * 65536);
        assert_int_equal(fake->pieces, 40 + cases[i].once_more);
        tree_destroy(&tree);
        fake_free(fake);
    }
}

static void failures_are_told_and_leave_the_rest_alone(void **state)
{
    struct fake *fake = fake_create(43);
    struct tree *tree = fake_tree(fake, 0);
    struct tree_file *file = NULL;

    (void)state;
    play_expect_failure(tree, "/things/00-a/broken.txt", -EIO);
    assert_int_equal(play_size(tree, "/things/00-a/broken.txt"), -EIO);
    fake->failure = -ENOMEM;
    play_expect_failure(tree, "/things/00-a/broken.txt", -ENOMEM);
    fake->failure = -EINTR;
    play_expect_failure(tree, "/things/00-a/broken.txt", -EINTR);
    fake->failure = -ENOENT;
    play_expect_failure(tree, "/things/00-a/broken.txt", -ENOENT);
    assert_int_equal(problems_count(fake->problems), 0);

    /* the announced length was wrong: no bytes, and one problem */
    play_expect_failure(tree, "/things/00-a/lying.bin", -EIO);
    play_expect_failure(tree, "/things/00-a/lying.bin", -EIO);
    assert_int_equal(problems_count(fake->problems), 1);
    play_expect_begins(
        tree, "/problems.txt",
        "- packet - error: lying.bin of key 0: 4 bytes were made, but 5 announced\n");

    assert_int_equal(tree_open(tree, play_find(tree, "/things"), &file), -EISDIR);
    assert_int_equal(tree_open(tree, inode_pack(RULE_LATEST, 0), &file), -ELOOP);
    assert_null(file);
    tree_destroy(&tree);
    fake_free(fake);
}

static void note_change(void *context, uint64_t inode)
{
    assert_int_equal(inode, inode_pack(RULE_PROBLEMS, 0));
    ++*(unsigned *)context;
}

static void problems_are_live_and_their_size_true(void **state)
{
    struct fake *fake = fake_create(43);
    struct tree *tree = fake_tree(fake, 0);
    struct tree_file *file = play_open(tree, "/problems.txt");
    struct tree_attributes attributes;
    unsigned changes = 0;

    (void)state;
    tree_on_change(tree, note_change, &changes);
    play_expect_read(file, 0, 100, 0);
    for (uint64_t n = 1; n < 5; n++) {
        problems_add(fake->problems, PROBLEM_NOTE, n * 8, n, "defect %llu", (unsigned long long)n);
        assert_int_equal(changes, n);
        assert_int_equal(tree_attributes(tree, play_find(tree, "/problems.txt"), &attributes),
                         -EAGAIN);
        assert_int_equal(tree_stat(tree, play_find(tree, "/problems.txt"), NULL, &attributes), 0);
        assert_true(attributes.live && attributes.size > 0);
        play_expect_read(file, 0, 4096, attributes.size); /* in an open file, too */
    }
    tree_close(&file);
    tree_destroy(&tree);
    problems_add(fake->problems, PROBLEM_NOTE, 0, 0, "after the tree");
    assert_int_equal(changes, 4);
    fake_free(fake);
}

struct slow_listener {
    struct fake *fake;
    atomic_bool begun, ended;
};

static void listen_slowly(void *context, uint64_t inode)
{
    struct slow_listener *listener = context;

    (void)inode;
    atomic_store(&listener->begun, true);
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    atomic_store(&listener->ended, true);
}

static void *add_problem(void *context)
{
    struct slow_listener *listener = context;

    problems_add(listener->fake->problems, PROBLEM_NOTE, 0, 0, "one");
    return NULL;
}

/*
 * After its removal a listener is not being called any more, so the mount that listens may be
 * freed.
 */
static void a_listener_is_not_called_any_more(void **state)
{
    struct slow_listener listener = {.fake = fake_create(43)};
    struct tree *tree = fake_tree(listener.fake, 0);
    pthread_t thread;

    (void)state;
    tree_on_change(tree, listen_slowly, &listener);
    assert_int_equal(pthread_create(&thread, NULL, add_problem, &listener), 0);
    while (!atomic_load(&listener.begun))
        sched_yield();
    tree_on_change(tree, NULL, NULL);
    assert_true(atomic_load(&listener.ended));
    pthread_join(thread, NULL);
    tree_destroy(&tree);
    fake_free(listener.fake);
}

/* Returns the number of a `key: value` line, or -1 if there is no such line. */
static int value_of(const void *text, size_t length, const char *key)
{
    char *copy = strndup(text, length), *line = NULL;
    int value = -1;

    assert_non_null(copy);
    line = strstr(copy, key);
    if (line != NULL)
        sscanf(line + strlen(key), ": %d", &value);
    free(copy);
    return value;
}

static void about_files_are_fixed_at_open_and_of_one_size(void **state)
{
    struct fake *fake = fake_create(43);
    struct tree *tree = fake_tree(fake, 0);
    int64_t size = play_size(tree, "/.gpudumpfs/cache.txt");
    struct tree_file *file = play_open(tree, "/.gpudumpfs/cache.txt");
    struct tree_window window;
    char *text = NULL;
    size_t length = 0;

    (void)state;
    free(walk_read(tree, "/frames/000000.png", &length));
    assert_int_equal(tree_read(file, 0, 4096, NULL, &window), 0);
    assert_int_equal(window.length, size);
    assert_int_equal(value_of(window.data, window.length, "renders"), 0);
    assert_int_equal(value_of(window.data, window.length, "budget"), 1 << 20);
    blob_unref(&window.blob);
    tree_close(&file);
    text = walk_read(tree, "/.gpudumpfs/cache.txt", &length);
    assert_int_equal(length, size);
    assert_int_equal(value_of(text, length, "renders"), 1);
    assert_int_equal(value_of(text, length, "failed"), 0);
    free(text);
    tree_destroy(&tree);
    fake_free(fake);
}

/* Pins. */

static void a_file_larger_than_the_cache_is_made_once_for_its_handle(void **state)
{
    struct fake *fake = fake_create(43);
    struct tree *tree = fake_tree(fake, 0);
    struct tree_file *file = play_open(tree, "/things/00-a/big.bin");
    struct tree_file *other = play_open(tree, "/things/00-a/big.bin");

    (void)state;
    assert_true(fake->big_bytes > fake->options.cache);
    for (uint64_t offset = 0; offset < fake->big_bytes; offset += 65536)
        play_expect_read(file, offset, 65536, 65536);
    assert_int_equal(fake->bigs, 1);
    assert_true(play_statistics(tree).pinned >= fake->big_bytes);
    play_expect_read(file, fake->big_bytes, 10, 0);
    play_expect_read(other, fake->big_bytes, 10, 0); /* reading after the end needs no bytes */
    assert_int_equal(fake->bigs, 1);
    play_expect_read(other, 0, 10, 10);
    assert_int_equal(fake->bigs, 2);
    tree_close(&file);
    tree_close(&file);
    tree_close(&other);
    assert_int_equal(play_statistics(tree).pinned, 0);
    tree_destroy(&tree);
    fake_free(fake);
}

static void pins_beyond_the_overdraft_are_refused(void **state)
{
    struct fake *fake = fake_create(43);
    struct tree *tree = fake_tree(fake, 0);
    struct tree_file *first = NULL, *second = NULL;
    struct tree_window window;

    (void)state;
    fake->big_bytes = TREE_OVERDRAFT / 2 + (1 << 20);
    first = play_open(tree, "/things/00-a/big.bin");
    second = play_open(tree, "/things/01-b/big.bin");
    play_expect_read(first, 0, 10, 10);
    assert_int_equal(tree_read(second, 0, 10, NULL, &window), -ENOMEM);
    assert_null(window.blob);
    tree_close(&first);
    play_expect_read(second, 0, 10, 10);
    tree_close(&second);
    tree_destroy(&tree);
    fake_free(fake);
}

static void files_left_open_end_with_the_tree(void **state)
{
    struct fake *fake = fake_create(43);
    struct tree *tree = fake_tree(fake, 0);

    (void)state;
    play_expect_read(play_open(tree, "/things/00-a/big.bin"), 0, 10, 10);
    play_expect_read(play_open(tree, "/things/00-a/long.txt"), 0, 10, 10);
    play_open(tree, "/packets.tsv");
    tree_destroy(&tree);
    fake_free(fake);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_common_files_say_what_they_should),
        cmocka_unit_test(the_readme_tells_every_rule_and_this_dumps_numbers),
        cmocka_unit_test(a_picture_has_the_size_and_texts_that_were_told),
        cmocka_unit_test(a_small_picture_tells_its_size_by_being_made),
        cmocka_unit_test(a_listing_of_one_piece_is_formatted_once),
        cmocka_unit_test(the_end_of_a_listing_is_read_without_its_beginning),
        cmocka_unit_test(a_listing_that_the_cache_can_hold_is_formatted_once),
        cmocka_unit_test(closing_for_good_leaves_nothing),
        cmocka_unit_test(failures_are_told_and_leave_the_rest_alone),
        cmocka_unit_test(problems_are_live_and_their_size_true),
        cmocka_unit_test(a_listener_is_not_called_any_more),
        cmocka_unit_test(about_files_are_fixed_at_open_and_of_one_size),
        cmocka_unit_test(a_file_larger_than_the_cache_is_made_once_for_its_handle),
        cmocka_unit_test(pins_beyond_the_overdraft_are_refused),
        cmocka_unit_test(files_left_open_end_with_the_tree),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

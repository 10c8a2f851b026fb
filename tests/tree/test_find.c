/* SPDX-License-Identifier: MIT */
/*
 * find/ and near-frames.tsv: searches for pictures by their contents, in a tree that counts what is
 * made.
 */
#include "config.h"

#include "tests/support/fake.h"
#include "tests/support/tree_play.h"

#include "image/fingerprint.h"
#include "tree/find.h"

#include "tests/support/support.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { HASH_DIGITS = 2 * SHA256_SIZE, PATH_MAX_HERE = 200 };

/*
 * Frames 0 to 10, of which 4 and 9 have no picture. Pictures with the same grey differ in their
 * sides.
 */
enum { PACKETS = 43, FRAMES = 11, PICTURES = 9 };

/* Returns find/frame/HASH for the fake's picture of a frame, followed by `rest`. */
static const char *path_of(uint64_t frame, const char *rest)
{
    static char path[PATH_MAX_HERE];
    uint8_t bytes[3 * 8 * 2], digest[SHA256_SIZE];
    struct picture_pixels pixels = {3 + (uint32_t)(frame % 4), 2, PICTURE_RGB, bytes};
    size_t length = (size_t)snprintf(path, sizeof(path), "find/frame/");

    memset(bytes, (int)frame, sizeof(bytes));
    fingerprint_sha256(&pixels, digest);
    for (unsigned i = 0; i < SHA256_SIZE; i++, length += 2)
        snprintf(path + length, sizeof(path) - length, "%02x", digest[i]);
    snprintf(path + length, sizeof(path) - length, "%s", rest);
    return path;
}

static void a_picture_is_found_at_its_first_frame(void **state)
{
    struct fake *fake = fake_create(PACKETS);
    struct tree *tree = fake_tree(fake, 2);

    (void)state;
    assert_int_equal(play_find(tree, path_of(0, "/first.png")),
                     play_find(tree, "frames/000000.png"));
    assert_true(fake->pictures < PICTURES); /* no more than one step of the search */
    assert_int_equal(play_find(tree, path_of(10, "/first.png")),
                     play_find(tree, "frames/000010.png"));
    play_expect_begins(tree, path_of(7, "/where.tsv"), "frame\tpicture\n7\tframes/000007.png\n");
    assert_int_equal(play_size(tree, path_of(7, "/where.tsv")), 34);
    assert_int_equal(fake->pictures, PICTURES);
    tree_destroy(&tree);
    fake_free(fake);
}

static void names_of_no_picture_are_not_there(void **state)
{
    struct fake *fake = fake_create(PACKETS);
    struct tree *tree = fake_tree(fake, 0);
    char path[PATH_MAX_HERE];
    uint64_t inode = 0;

    (void)state;
    assert_int_equal(tree_find(tree, "find/frame/0", true, &inode), -ENOENT);
    assert_int_equal(tree_find(tree, "find/texture", true, &inode), -ENOENT); /* no textures */
    snprintf(path, sizeof(path), "%s", path_of(3, ""));
    path[strlen(path) - 1] = 'x';
    assert_int_equal(tree_find(tree, path, true, &inode), -ENOENT);
    assert_int_equal(fake->pictures, 0); /* a name that is not a hash starts no search */
    path[strlen(path) - 1] = path_of(3, "")[strlen(path) - 1] == '0' ? '1' : '0';
    assert_int_equal(tree_find(tree, path, true, &inode), -ENOENT);
    assert_int_equal(tree_find(tree, path_of(11, ""), true, &inode), -ENOENT);
    assert_int_equal(fake->pictures, PICTURES);
    assert_int_equal(tree_find(tree, path_of(12, ""), true, &inode), -ENOENT);
    assert_int_equal(fake->pictures, PICTURES); /* all hashes are known */
    tree_destroy(&tree);
    fake_free(fake);
}

static void listings_and_sizes_make_no_picture(void **state)
{
    struct fake *fake = fake_create(PACKETS);
    struct tree *tree = fake_tree(fake, 0);
    uint64_t cursor = 0, entries = 0;
    static const char head[] = "frame\tsha256\tdhash\tnear\tdistance\n";

    (void)state;
    assert_int_equal(
        tree_list(tree, play_find(tree, "find/frame"), &cursor, play_count_entry, &entries), 0);
    assert_int_equal(entries, 2); /* . and .. */
    assert_int_equal(play_size(tree, "near-frames.tsv"),
                     sizeof(head) - 1 + PICTURES * (2 * 6 + HASH_DIGITS + 16 + 2 + 5));
    assert_int_equal(fake->pictures, 0);
    play_expect_begins(tree, "near-frames.tsv", head);
    assert_int_equal(fake->pictures, PICTURES);
    tree_destroy(&tree);
    fake_free(fake);
}

/* The greys of the fake repeat after 256 frames, and the sides after 4. */
static void equal_pictures_are_all_told(void **state)
{
    struct fake *fake = fake_create(1100 * FAKE_PACKETS_PER_FRAME);
    struct tree *tree = fake_tree(fake, 0);

    (void)state;
    play_expect_begins(tree, path_of(6, "/where.tsv"),
                       "frame\tpicture\n6\tframes/000006.png\n262\tframes/000262.png\n"
                       "518\tframes/000518.png\n1030\tframes/001030.png\n");
    assert_int_equal(play_find(tree, path_of(262, "/first.png")),
                     play_find(tree, "frames/000006.png")); /* 774 has no picture */
    tree_destroy(&tree);
    fake_free(fake);
}

static void a_search_ends_with_its_reader(void **state)
{
    struct fake *fake = fake_create(PACKETS);
    struct tree *tree = fake_tree(fake, 2);
    struct cancel cancel;

    (void)state;
    cancel_init(&cancel, NULL);
    cancel_raise(&cancel);
    assert_int_equal(find_prepare_frame(tree_dump(tree), 0, &cancel), -EINTR);
    assert_int_equal(fake->pictures, 0);
    assert_int_equal(find_prepare_frame(tree_dump(tree), 0, NULL), 0);
    assert_int_equal(fake->pictures, PICTURES);
    tree_destroy(&tree);
    fake_free(fake);
}

/* Returns whether near-frames.tsv has the row. */
static bool has_row(struct tree *tree, const char *row)
{
    struct tree_file *file = play_open(tree, "near-frames.tsv");
    struct tree_window window;
    bool found;

    assert_int_equal(tree_read(file, 0, 1 << 16, NULL, &window), 0);
    found = memmem(window.data, window.length, row, strlen(row)) != NULL;
    blob_unref(&window.blob);
    tree_close(&file);
    return found;
}

static void what_takes_too_long_is_left_off(void **state)
{
    struct fake *fake = fake_create(PACKETS);
    struct tree *tree;
    uint64_t inode = 0;

    (void)state;
    fake->options.max_seconds = 1;
    fake->heavy = 1 + 3;
    tree = fake_tree(fake, 2);
    assert_true(has_row(tree, "\n000003\tleft-off-beyond-max-seconds---"));
    assert_true(has_row(tree, "\n000010\t"));
    assert_false(has_row(tree, "\n000010\tleft-off"));
    assert_int_equal(problems_count(fake->problems), 1);
    play_find(tree, path_of(10, "/first.png"));
    for (unsigned n = 0; n < 2; n++) /* the picture may be among those that were left off */
        assert_int_equal(tree_find(tree, path_of(11, ""), true, &inode), -EIO);
    play_expect_failure(tree, path_of(10, "/where.tsv"), -EIO);
    tree_destroy(&tree);
    fake_free(fake);
}

static void what_fails_for_now_is_looked_at_again(void **state)
{
    struct fake *fake = fake_create(PACKETS);
    struct tree *tree = fake_tree(fake, 2);

    (void)state;
    fake->transient_failure = 1 + 3;
    play_expect_failure(tree, "near-frames.tsv", -EIO);
    fake->transient_failure = 0;
    assert_int_equal(play_find(tree, path_of(3, "/first.png")),
                     play_find(tree, "frames/000003.png"));
    assert_int_equal(fake->pictures, PICTURES); /* each picture was made once */
    tree_destroy(&tree);
    fake_free(fake);
}

static void a_cache_without_room_is_no_obstacle(void **state)
{
    struct fake *fake = fake_create(PACKETS);
    struct tree *tree = fake_tree(fake, 2);
    uint64_t used = 0;

    (void)state;
    assert_int_equal(cache_charge(tree_cache(tree), &used, fake->options.cache, UINT64_MAX), 0);
    assert_true(has_row(tree, "\n000010\t"));
    assert_true(play_statistics(tree).beyond > 0);
    assert_int_equal(cache_charge(tree_cache(tree), &used, 0, 0), 0);
    assert_int_equal(play_find(tree, path_of(3, "/first.png")),
                     play_find(tree, "frames/000003.png"));
    assert_int_equal(fake->pictures, PICTURES);
    tree_destroy(&tree);
    fake_free(fake);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_picture_is_found_at_its_first_frame),
        cmocka_unit_test(names_of_no_picture_are_not_there),
        cmocka_unit_test(listings_and_sizes_make_no_picture),
        cmocka_unit_test(equal_pictures_are_all_told),
        cmocka_unit_test(a_search_ends_with_its_reader),
        cmocka_unit_test(what_takes_too_long_is_left_off),
        cmocka_unit_test(what_fails_for_now_is_looked_at_again),
        cmocka_unit_test(a_cache_without_room_is_no_obstacle),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

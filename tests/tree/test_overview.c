/* SPDX-License-Identifier: MIT */
/* contact-sheet.png and timeline.png of a tree that counts what is made. */
#include "config.h"

#include "tests/support/fake.h"
#include "tests/support/tree_play.h"

#include "image/board.h"
#include "tree/frame_pixels.h"
#include "tree/overview.h"

#include "tests/support/support.h"

#include <errno.h>
#include <string.h>

enum { PACKETS = 43, PICTURES = 9 };

static void frames_are_chosen_evenly(void **state)
{
    struct fake *fake = fake_create(1000 * FAKE_PACKETS_PER_FRAME);
    struct tree *tree = fake_tree(fake, 0);
    uint64_t frames[CONTACT_SHEET_FRAMES];
    unsigned count = 0;

    (void)state;
    assert_int_equal(frame_pixels_choose(tree_dump(tree), CONTACT_SHEET_FRAMES, frames, &count), 0);
    assert_in_range(count, CONTACT_SHEET_FRAMES - 1, CONTACT_SHEET_FRAMES);
    assert_int_equal(frames[0], 0);
    assert_in_range(frames[count - 1], 977, 999);
    for (unsigned i = 1; i < count; i++)
        assert_in_range(frames[i] - frames[i - 1], 20, 23);
    assert_int_equal(frame_pixels_choose(tree_dump(tree), 3, frames, &count), 0);
    assert_int_equal(frames[1], 500); /* 499 has no picture */
    assert_int_equal(fake->pictures, 0);
    tree_destroy(&tree);
    fake_free(fake);
}

/* Whether a square of one grey, of pictures, is in it. */
static bool has_grey(const struct picture_pixels *pixels, uint8_t grey)
{
    for (size_t i = 0; i < (size_t)pixels->width * pixels->height; i++) {
        const uint8_t *rgb = pixels->bytes + 3 * i;

        if (rgb[0] == grey && rgb[1] == grey && rgb[2] == grey)
            return true;
    }
    return false;
}

static void a_sheet_has_every_frame_and_the_size_it_said(void **state)
{
    struct fake *fake = fake_create(PACKETS);
    struct tree *tree = fake_tree(fake, 0);
    int64_t size = play_size(tree, "contact-sheet.png");
    struct picture_pixels pixels;
    struct tree_file *file;
    struct tree_window window;

    (void)state;
    assert_true(size > 0);
    assert_int_equal(fake->pictures, 0);
    file = play_open(tree, "contact-sheet.png");
    assert_int_equal(tree_read(file, 0, (size_t)size, NULL, &window), 0);
    assert_int_equal(window.length, size);
    assert_int_equal(fake->pictures, PICTURES);
    assert_int_equal(picture_decode(window.data, window.length, PICTURE_RGB, &pixels), 0);
    for (uint8_t frame = 0; frame < 11; frame++)
        assert_int_equal(has_grey(&pixels, frame), frame % 5 != 4);
    picture_pixels_clear(&pixels);
    blob_unref(&window.blob);
    tree_close(&file);
    tree_destroy(&tree);
    fake_free(fake);
}

static void a_dump_without_figures_has_no_time_line(void **state)
{
    struct fake *fake = fake_create(PACKETS);
    struct tree *tree = fake_tree(fake, 0);
    uint64_t inode = 0;

    (void)state;
    assert_int_equal(tree_find(tree, "timeline.png", true, &inode), -ENOENT);
    tree_destroy(&tree);
    fake_free(fake);
    fake = fake_create(0);
    tree = fake_tree(fake, 0);
    assert_int_equal(tree_find(tree, "contact-sheet.png", true, &inode), -ENOENT);
    tree_destroy(&tree);
    fake_free(fake);
}

/* All of a file, in a PNG's pixels; to be cleared. */
static void read_picture(struct tree *tree, const char *name, struct picture_pixels *out)
{
    int64_t size = play_size(tree, name);
    struct tree_file *file = play_open(tree, name);
    struct tree_window window;

    assert_int_equal(tree_read(file, 0, (size_t)size, NULL, &window), 0);
    assert_int_equal(picture_decode(window.data, window.length, PICTURE_RGB, out), 0);
    blob_unref(&window.blob);
    tree_close(&file);
}

static void a_picture_that_takes_too_long_is_left_off(unsigned threads)
{
    struct fake *fake = fake_create(PACKETS);
    struct picture_pixels pixels, again;
    struct tree *tree;

    fake->options.max_seconds = 1;
    fake->heavy = 1 + 3;
    tree = fake_tree(fake, threads);
    read_picture(tree, "contact-sheet.png", &pixels);
    for (uint8_t frame = 0; frame < 11; frame++)
        assert_int_equal(has_grey(&pixels, frame), frame % 5 != 4 && frame != 3);
    assert_int_equal(problems_count(fake->problems), 1);
    fake->heavy = 0;
    play_find(tree, "frames/000003.png");
    assert_int_equal(play_size(tree, "frames/000003.png") > 0, true);
    play_expect_begins(tree, "frames/000003.png", "\x89PNG"); /* by itself it has its own time */
    cache_drop(tree_cache(tree), (struct cache_key){play_find(tree, "contact-sheet.png"), 0});
    read_picture(tree, "contact-sheet.png", &again);
    assert_memory_equal(pixels.bytes, again.bytes, (size_t)pixels.width * pixels.height * 3);
    assert_int_equal(problems_count(fake->problems), 1); /* told once */
    picture_pixels_clear(&pixels);
    picture_pixels_clear(&again);
    tree_destroy(&tree);
    fake_free(fake);
}

static void with_threads_the_rest_is_drawn(void **state)
{
    (void)state;
    a_picture_that_takes_too_long_is_left_off(2);
}

static void without_threads_the_rest_is_drawn(void **state)
{
    (void)state;
    a_picture_that_takes_too_long_is_left_off(0);
}

/* What failed by nobody's fault is neither shown as absent nor kept. */
static void a_mishap_leaves_no_trace(void **state)
{
    struct fake *fake = fake_create(PACKETS);
    struct tree *tree = fake_tree(fake, 2);
    struct picture_pixels pixels;

    (void)state;
    fake->mishap = 1 + 3;
    play_expect_failure(tree, "contact-sheet.png", -EIO);
    fake->mishap = 0;
    read_picture(tree, "contact-sheet.png", &pixels);
    assert_true(has_grey(&pixels, 3));
    picture_pixels_clear(&pixels);
    tree_destroy(&tree);
    fake_free(fake);
}

static void a_picture_beyond_the_memory_leaves_its_place(void **state)
{
    struct fake *fake = fake_create(PACKETS);
    struct tree *tree = fake_tree(fake, 2);
    struct picture_pixels pixels;

    (void)state;
    fake->greedy = 1 + 3;
    read_picture(tree, "contact-sheet.png", &pixels);
    assert_false(has_grey(&pixels, 3));
    assert_true(has_grey(&pixels, 5));
    picture_pixels_clear(&pixels);
    tree_destroy(&tree);
    fake_free(fake);
}

static void boards_shrink_and_clip(void **state)
{
    uint8_t bytes[3 * 20 * 10];
    const struct picture_pixels picture = {20, 10, PICTURE_RGB, bytes};
    struct board board;

    (void)state;
    memset(bytes, 77, sizeof(bytes));
    assert_int_equal(board_init(&board, 40, 30), 0);
    assert_int_equal(board_place(&board, &picture, 31, 0, 10, 10), -EINVAL);
    assert_int_equal(board_place(&board, &picture, 30, 20, 10, 10), 0);
    assert_int_equal(board.tiles[0].width, 10);
    assert_int_equal(board.tiles[0].height, 5);
    assert_int_equal(board.tiles[0].y, 22); /* in the middle */
    assert_int_equal(board_write(&board, 0, 0, 40, 2, "ABCDEFG", 7, BOARD_TEXT), 2 * 17);
    board_write_left_of(&board, 10, 12, 3, "long", 4, BOARD_TEXT);
    for (unsigned i = 1; i < BOARD_TILES_MAX; i++)
        assert_int_equal(board_place(&board, &picture, 0, 0, 40, 30), 0);
    assert_int_equal(board_place(&board, &picture, 0, 0, 40, 30), -EINVAL);
    board_clear(&board);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_are_chosen_evenly),
        cmocka_unit_test(a_sheet_has_every_frame_and_the_size_it_said),
        cmocka_unit_test(a_dump_without_figures_has_no_time_line),
        cmocka_unit_test(with_threads_the_rest_is_drawn),
        cmocka_unit_test(without_threads_the_rest_is_drawn),
        cmocka_unit_test(a_mishap_leaves_no_trace),
        cmocka_unit_test(a_picture_beyond_the_memory_leaves_its_place),
        cmocka_unit_test(boards_shrink_and_clip),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

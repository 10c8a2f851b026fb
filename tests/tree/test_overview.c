/* SPDX-License-Identifier: MIT */
/* contact-sheet.png and timeline.png of a tree that counts what is made. */
#include "config.h"

#include "tests/support/fake.h"
#include "tests/support/tree_play.h"

#include "image/board.h"
#include "tree/frame_pixels.h"
#include "tree/overview.h"
#include "tree/overview_board.h"

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

/* Returns whether the picture has a pixel of this grey, and so the picture of a frame. */
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

static struct dump_ops same, taller; /* the fake's own, and with a tall picture of frame 3 */

static int taller_frame(struct dump *dump, uint64_t number, struct dump_frame *out)
{
    int status = same.frame(dump, number, out);

    out->height = number == 3 ? 40 : out->height;
    return status;
}

/* The first picture of a program is often that of a small window. */
static void cells_have_the_shape_of_the_largest_picture(void **state)
{
    int64_t sizes[2];

    (void)state;
    for (unsigned tall = 0; tall < 2; tall++) {
        struct fake *fake = fake_create(PACKETS);
        struct tree *tree;

        same = taller = *fake->dump.ops;
        taller.frame = taller_frame;
        if (tall)
            fake->dump.ops = &taller;
        tree = fake_tree(fake, 0);
        sizes[tall] = play_size(tree, "contact-sheet.png");
        tree_destroy(&tree);
        fake_free(fake);
    }
    assert_in_range(sizes[1] - sizes[0], 38 * 560 * 3, INT64_MAX); /* rows of the sheet */
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

/* Decodes a complete PNG file. Call picture_pixels_clear() on the result. */
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
    play_expect_begins(tree, "frames/000003.png", "\x89PNG"); /* has a time limit of its own */
    cache_drop(tree_cache(tree), (struct cache_key){play_find(tree, "contact-sheet.png"), 0});
    read_picture(tree, "contact-sheet.png", &again);
    assert_memory_equal(pixels.bytes, again.bytes, (size_t)pixels.width * pixels.height * 3);
    assert_int_equal(problems_count(fake->problems), 1); /* reported once */
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

/* A picture that failed transiently is not shown as absent, and the failure is not kept. */
static void a_transient_failure_leaves_no_trace(void **state)
{
    struct fake *fake = fake_create(PACKETS);
    struct tree *tree = fake_tree(fake, 2);
    struct picture_pixels pixels;

    (void)state;
    fake->transient_failure = 1 + 3;
    play_expect_failure(tree, "contact-sheet.png", -EIO);
    fake->transient_failure = 0;
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

/* The time line of a tree whose frames.tsv has the numbers of the frames as figures. */

enum { FRAMES = 11, LINE_WIDTH = 1600, FIGURES = 0, PROBLEMS = 1 };

static const uint8_t lane_colours[][3] = {{94, 176, 255}, {255, 178, 84}};

static struct dump_ops quick, lined; /* the fake's own, and with figures */

static struct fake *fake_with_figures(void)
{
    struct fake *fake = fake_create(PACKETS);

    quick = *fake->dump.ops;
    lined = quick;
    lined.tables.timeline[0] = "packet";
    fake->dump.ops = &lined;
    fake->options.max_seconds = 1;
    return fake;
}

/*
 * Returns the height of a frame's bar: the number of pixels of its colour in a column without
 * letters.
 */
static unsigned bar_height(const struct picture_pixels *pixels, unsigned lane, unsigned frame)
{
    unsigned plot = LINE_WIDTH - 2 * OVERVIEW_MARGIN, height = 0;
    size_t x = OVERVIEW_MARGIN + (10 * frame + 9) * plot / (10 * FRAMES);

    for (uint32_t y = OVERVIEW_HEAD; y < pixels->height; y++)
        height +=
            memcmp(pixels->bytes + 3 * (y * (size_t)pixels->width + x), lane_colours[lane], 3) == 0;
    return height;
}

/* Returns whether the head contains this text and nothing else. */
static bool head_is(struct fake *fake, const struct picture_pixels *pixels, const char *what)
{
    const struct picture_header header = {
        .width = LINE_WIDTH, .height = OVERVIEW_HEAD, .colour = PICTURE_RGB};
    struct picture_pixels expected;
    struct blob *png = NULL;
    struct board board;
    bool is;

    assert_int_equal(board_init(&board, LINE_WIDTH, OVERVIEW_HEAD), 0);
    overview_write_head(&board, &fake->dump, what);
    assert_int_equal(board_encode(&board, &header, PICTURE_STORED, NULL, &png), 0);
    assert_int_equal(picture_decode(png->data, png->size, PICTURE_RGB, &expected), 0);
    assert_int_equal(pixels->width, LINE_WIDTH);
    is = memcmp(pixels->bytes, expected.bytes, (size_t)3 * LINE_WIDTH * OVERVIEW_HEAD) == 0;
    picture_pixels_clear(&expected);
    blob_unref(&png);
    board_clear(&board);
    return is;
}

static bool problems_have(const struct fake *fake, const char *what)
{
    struct text text = TEXT_INIT;
    bool have;

    problems_write(fake->problems, &text);
    text_add_char(&text, '\0');
    assert_int_equal(text_status(&text), 0);
    have = strstr(text.bytes, what) != NULL;
    text_clear(&text);
    return have;
}

static void a_time_line_shows_figures_and_problems(void **state)
{
    struct fake *fake = fake_with_figures();
    struct tree *tree = fake_tree(fake, 0);
    struct picture_pixels pixels;

    (void)state;
    problems_add(fake->problems, PROBLEM_ERROR, 72, 9, "one in frame 2");
    problems_add(fake->problems, PROBLEM_NOTE, 240, 30, "two in frame 7");
    problems_add(fake->problems, PROBLEM_NOTE, 248, 31, "two in frame 7");
    problems_add(fake->problems, PROBLEM_NOTE, 0, PROBLEM_NOWHERE, "in none");
    problems_add(fake->problems, PROBLEM_NOTE, 800, 100, "behind the end");
    problems_add_drawing(fake->problems, PROBLEM_NOTE, 160, 20, "seen by who draws frame 5");
    read_picture(tree, "timeline.png", &pixels);
    assert_true(head_is(fake, &pixels, "11 frames"));
    for (unsigned frame = 0; frame < FRAMES; frame++) {
        assert_int_equal(bar_height(&pixels, FIGURES, frame), (frame * 108 + 9) / 10);
        assert_int_equal(bar_height(&pixels, PROBLEMS, frame), frame == 2   ? 54
                                                               : frame == 7 ? 108
                                                                            : 0);
        assert_int_equal(has_grey(&pixels, (uint8_t)frame), frame % 5 != 4);
    }
    picture_pixels_clear(&pixels);
    tree_destroy(&tree);
    fake_free(fake);
}

/*
 * Reads the time line, which must have this head and this line in problems.txt. Then reads it
 * again, when there would be time for all of it: it stays unchanged, and is reported once.
 */
static void read_left_off(struct fake *fake, const char *head, const char *line,
                          struct picture_pixels *out)
{
    struct tree *tree = fake_tree(fake, 0);
    struct picture_pixels again;

    read_picture(tree, "timeline.png", out);
    assert_true(head_is(fake, out, head));
    assert_true(problems_have(fake, line));
    lined.tables.frame_table = quick.tables.frame_table;
    lined.pictures.make = quick.pictures.make;
    lined.settle = quick.settle;
    cache_drop(tree_cache(tree), (struct cache_key){play_find(tree, "timeline.png"), 0});
    read_picture(tree, "timeline.png", &again);
    assert_memory_equal(out->bytes, again.bytes, (size_t)3 * out->width * out->height);
    assert_int_equal(problems_count(fake->problems), 1);
    picture_pixels_clear(&again);
    tree_destroy(&tree);
    fake_free(fake);
}

/* Charges the time of a helper, of which `milliseconds` count. */
static int spend(unsigned milliseconds, const struct cancel *cancel)
{
    budget_charge_helper(UINT64_C(2000000) * milliseconds, false);
    return cancel_requested(cancel) ? -EINTR : 0;
}

static int costly_rows(struct dump *dump, uint64_t key, uint64_t piece, const struct cancel *cancel,
                       struct text *text)
{
    int status = spend(1100, cancel);

    return status == 0 ? quick.tables.frame_table.piece(dump, key, piece, cancel, text) : status;
}

static void figures_that_take_too_long_are_left_off(void **state)
{
    struct fake *fake = fake_with_figures();
    struct picture_pixels pixels;

    (void)state;
    lined.tables.frame_table.piece = costly_rows;
    read_left_off(
        fake,
        "11 frames; left off, since the time is used up (-o max-seconds): figures of 5 frames",
        "timeline.png: not all frames are counted", &pixels);
    for (unsigned frame = 1; frame < FRAMES; frame++)
        assert_int_equal(bar_height(&pixels, FIGURES, frame) > 0, frame < 2 * FAKE_ROWS_PER_PIECE);
    assert_true(has_grey(&pixels, 10));
    picture_pixels_clear(&pixels);
}

static int costly_last_rows(struct dump *dump, uint64_t key, uint64_t piece,
                            const struct cancel *cancel, struct text *text)
{
    int status =
        piece * FAKE_ROWS_PER_PIECE + FAKE_ROWS_PER_PIECE < FRAMES ? 0 : spend(2200, cancel);

    return status == 0 ? quick.tables.frame_table.piece(dump, key, piece, cancel, text) : status;
}

static void nothing_is_left_off_when_the_last_figures_were_slow(void **state)
{
    struct fake *fake = fake_with_figures();
    struct picture_pixels pixels;
    struct tree *tree;

    (void)state;
    lined.tables.frame_table.piece = costly_last_rows;
    tree = fake_tree(fake, 0);
    read_picture(tree, "timeline.png", &pixels);
    assert_true(head_is(fake, &pixels, "11 frames"));
    assert_int_equal(problems_count(fake->problems), 0);
    picture_pixels_clear(&pixels);
    tree_destroy(&tree);
    fake_free(fake);
}

static int costly_picture(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                          struct blob **out)
{
    int status = frame == 3 ? spend(700, cancel) : 0;

    return status == 0 ? quick.pictures.make(dump, frame, cancel, out) : status;
}

static void pictures_of_the_time_line_are_left_off(void **state)
{
    struct fake *fake = fake_with_figures();
    struct picture_pixels pixels;

    (void)state;
    lined.pictures.make = costly_picture;
    read_left_off(fake,
                  "11 frames; left off, since the time is used up (-o max-seconds): 1 picture",
                  "timeline.png: not all of its pictures are drawn", &pixels);
    for (uint8_t frame = 0; frame < FRAMES; frame++) {
        assert_int_equal(bar_height(&pixels, FIGURES, frame), (frame * 108 + 9) / 10);
        assert_int_equal(has_grey(&pixels, frame), frame % 5 != 4 && frame != 3);
    }
    picture_pixels_clear(&pixels);
}

static int costly_settle(struct dump *dump, const struct cancel *cancel)
{
    (void)dump;
    return spend(700, cancel);
}

static void problems_that_take_too_long_are_left_off(void **state)
{
    struct fake *fake = fake_with_figures();
    struct picture_pixels pixels;

    (void)state;
    lined.settle = costly_settle;
    lined.pictures.make = costly_picture;
    read_left_off(
        fake,
        "11 frames; left off, since the time is used up (-o max-seconds): 1 picture, problems",
        "timeline.png: problems are not counted", &pixels);
    assert_int_equal(bar_height(&pixels, FIGURES, 10), 108);
    picture_pixels_clear(&pixels);
}

/* The time line shows what is known of a dump that cannot be read to its end. */
static void a_dump_that_does_not_settle_has_a_time_line(void **state)
{
    struct fake *fake = fake_with_figures();
    struct tree *tree = fake_tree(fake, 0);
    struct picture_pixels pixels;

    (void)state;
    fake->settlement = -EIO;
    problems_add(fake->problems, PROBLEM_ERROR, 72, 9, "one in frame 2");
    read_picture(tree, "timeline.png", &pixels);
    assert_int_equal(bar_height(&pixels, PROBLEMS, 2), 108);
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
    assert_int_equal(board.tiles[0].y, 22); /* centred */
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
        cmocka_unit_test(cells_have_the_shape_of_the_largest_picture),
        cmocka_unit_test(a_dump_without_figures_has_no_time_line),
        cmocka_unit_test(with_threads_the_rest_is_drawn),
        cmocka_unit_test(without_threads_the_rest_is_drawn),
        cmocka_unit_test(a_transient_failure_leaves_no_trace),
        cmocka_unit_test(a_picture_beyond_the_memory_leaves_its_place),
        cmocka_unit_test(a_time_line_shows_figures_and_problems),
        cmocka_unit_test(figures_that_take_too_long_are_left_off),
        cmocka_unit_test(nothing_is_left_off_when_the_last_figures_were_slow),
        cmocka_unit_test(pictures_of_the_time_line_are_left_off),
        cmocka_unit_test(problems_that_take_too_long_are_left_off),
        cmocka_unit_test(a_dump_that_does_not_settle_has_a_time_line),
        cmocka_unit_test(boards_shrink_and_clip),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

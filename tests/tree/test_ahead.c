/* SPDX-License-Identifier: MIT */
/* Pictures that are made before they are requested: which, how many, and until when. */
#include "config.h"

#include "tests/support/fake.h"
#include "tests/support/support.h"
#include "tests/support/tree_play.h"

#include "tree/inode.h"
#include "tree/internal.h"
#include "tree/readahead.h"
#include "tree/readahead_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Every fifth frame of the fake has no picture: 4, 9, 14, … */
enum { PACKETS = 400, AHEAD = 4 };

struct scene {
    struct fake *fake;
    struct tree *tree;
};

static void scene_begin(struct scene *scene, uint64_t cache, unsigned threads)
{
    scene->fake = fake_create(PACKETS);
    scene->fake->options.cache = cache;
    scene->tree = fake_tree(scene->fake, threads);
}

static void scene_end(struct scene *scene)
{
    tree_destroy(&scene->tree);
    assert_int_equal(scene->fake->slow, 0);
    fake_free(scene->fake);
}

static void pause_a_little(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
}

static void await(atomic_uint *number, unsigned value)
{
    for (int i = 0; i < 100000 && *number != value; i++)
        pause_a_little();
    assert_int_equal(*number, value);
}

/* Waits for this number of pictures, and asserts that no more are made. */
static void settle(struct scene *scene, unsigned pictures)
{
    await(&scene->fake->pictures, pictures);
    for (int i = 0; i < 50; i++)
        pause_a_little();
    assert_int_equal(scene->fake->pictures, pictures);
}

static void read_picture(struct scene *scene, unsigned frame)
{
    struct tree_file *file = NULL;
    struct tree_window window;

    assert_int_equal(tree_open(scene->tree, inode_pack(RULE_FRAME_PNG, frame), &file), 0);
    assert_int_equal(tree_read(file, 0, 1 << 20, NULL, &window), 0);
    assert_true(window.length > 0);
    blob_unref(&window.blob);
    tree_close(&file);
}

/* Reads the first bytes of a picture, as a reader whose kernel caches them. */
static void read_kept(struct scene *scene, unsigned frame, size_t bytes)
{
    struct tree_file *file = NULL;
    struct tree_window window;

    assert_int_equal(tree_open(scene->tree, inode_pack(RULE_FRAME_PNG, frame), &file), 0);
    assert_int_equal(tree_read(file, 0, bytes, NULL, &window), 0);
    blob_unref(&window.blob);
    tree_close_kept(&file);
}

/* A reader that waits for the answer to a read. */
struct waiting {
    struct tree_request request;
    struct tree_file *file;
    atomic_uint answered;
};

static void note_answer(struct tree_request *request, int status)
{
    (void)status;
    blob_unref(&request->window.blob);
    ((struct waiting *)request)->answered++;
}

static void begin_reading_file(struct tree_file *file, struct waiting *waiting)
{
    *waiting = (struct waiting){.request.done = note_answer, .file = file};
    tree_submit_read(file, 0, 10, &waiting->request);
}

static void begin_reading(struct scene *scene, struct waiting *waiting, unsigned frame)
{
    struct tree_file *file = NULL;

    assert_int_equal(tree_open(scene->tree, inode_pack(RULE_FRAME_PNG, frame), &file), 0);
    begin_reading_file(file, waiting);
}

static void end_reading(struct waiting *waiting)
{
    await(&waiting->answered, 1);
    tree_close(&waiting->file);
}

static void a_reader_in_order_finds_the_next_ones(void **state)
{
    struct scene scene;

    (void)state;
    scene_begin(&scene, 1 << 20, 2);
    read_picture(&scene, 0);
    settle(&scene, 1);
    read_picture(&scene, 1);
    settle(&scene, 2 + AHEAD); /* 2, 3, 5, 6 */
    read_picture(&scene, 2);
    settle(&scene, 3 + AHEAD);
    read_picture(&scene, 3);
    read_picture(&scene, 5);
    settle(&scene, 5 + AHEAD);
    assert_int_equal(readahead_pictures(scene.tree), 3 + AHEAD);
    scene_end(&scene);
}

static void nothing_is_made_beyond_the_last(void **state)
{
    struct scene scene;

    (void)state;
    scene_begin(&scene, 1 << 20, 2);
    read_picture(&scene, 96);
    read_picture(&scene, 97);
    settle(&scene, 3); /* 98; 99 has no picture */
    read_picture(&scene, 98);
    settle(&scene, 3);
    scene_end(&scene);
}

static void a_random_reader_pays_for_nothing_else(void **state)
{
    static const unsigned frames[] = {0, 7, 3, 50, 12, 90, 30};
    struct scene scene;

    (void)state;
    scene_begin(&scene, 1 << 20, 2);
    for (size_t i = 0; i < COUNT_OF(frames); i++)
        read_picture(&scene, frames[i]);
    settle(&scene, COUNT_OF(frames));
    assert_int_equal(readahead_pictures(scene.tree), 0);
    scene_end(&scene);
}

static void two_readers_have_a_series_each(void **state)
{
    struct scene scene;

    (void)state;
    scene_begin(&scene, 1 << 20, 3);
    read_picture(&scene, 0);
    read_picture(&scene, 50);
    read_picture(&scene, 1);
    read_picture(&scene, 51);
    settle(&scene, 4 + 2 * AHEAD);
    scene_end(&scene);
}

/* Nothing is made ahead that would be dropped before it is requested. */
static void a_small_cache_is_not_filled(void **state)
{
    struct scene scene;

    (void)state;
    scene_begin(&scene, 2000, 2);
    for (unsigned frame = 0; frame < 4; frame++)
        read_picture(&scene, frame);
    settle(&scene, 4);
    scene_end(&scene);
}

static void one_thread_is_left_to_readers(void **state)
{
    for (unsigned threads = 0; threads < 2; threads++) {
        struct scene scene;

        (void)state;
        scene_begin(&scene, 1 << 20, threads);
        for (unsigned frame = 0; frame < 4; frame++)
            read_picture(&scene, frame);
        settle(&scene, 4);
        scene_end(&scene);
    }
}

static void what_is_made_ahead_is_waited_for_by_its_reader(void **state)
{
    struct scene scene;
    struct waiting waiting;

    (void)state;
    scene_begin(&scene, 1 << 20, 2);
    read_picture(&scene, 0);
    scene.fake->shut = true;
    begin_reading(&scene, &waiting, 1);
    await(&scene.fake->slow, 2); /* 1 and 2 */
    scene.fake->shut = false;
    end_reading(&waiting);
    read_picture(&scene, 2);
    settle(&scene, 3 + AHEAD);
    scene_end(&scene);
}

static void the_next_are_drawn_while_one_is_encoded(void **state)
{
    struct scene scene;
    struct waiting waiting;

    (void)state;
    scene_begin(&scene, 1 << 20, 2);
    scene.fake->staged = true;
    read_picture(&scene, 0);
    scene.fake->shut = true;
    begin_reading(&scene, &waiting, 1);
    await(&scene.fake->drawn, 2 + AHEAD);
    assert_int_equal(scene.fake->pictures, 1);
    scene.fake->shut = false;
    end_reading(&waiting);
    settle(&scene, 2 + AHEAD);
    assert_int_equal(scene.fake->drawn, 2 + AHEAD);
    scene_end(&scene);
}

static void an_end_between_drawing_and_encoding_waits_for_nothing(void **state)
{
    struct scene scene;
    struct waiting waiting;

    (void)state;
    scene_begin(&scene, 1 << 20, 2);
    scene.fake->staged = true;
    read_picture(&scene, 0);
    scene.fake->shut = true;
    begin_reading(&scene, &waiting, 1);
    await(&scene.fake->drawn, 2 + AHEAD);
    tree_cancel_request(&waiting.request);
    end_reading(&waiting);
    scene_end(&scene);
}

static void a_reader_that_goes_elsewhere_ends_it(void **state)
{
    struct waiting waiting[1 + READAHEAD_SERIES];
    struct scene scene;

    (void)state;
    scene_begin(&scene, 1 << 20, 2);
    read_picture(&scene, 0);
    scene.fake->shut = true;
    begin_reading(&scene, &waiting[0], 1);
    await(&scene.fake->slow, 2);
    for (unsigned i = 0; i < READAHEAD_SERIES; i++)
        begin_reading(&scene, &waiting[1 + i], 20 + 5 * i);
    await(&scene.fake->cancelled, 1); /* 2, which is not being read */
    scene.fake->shut = false;
    for (unsigned i = 0; i < 1 + READAHEAD_SERIES; i++)
        end_reading(&waiting[i]);
    settle(&scene, 2 + READAHEAD_SERIES);
    scene_end(&scene);
}

/*
 * Work that is done in turn does not wait for a picture that no reader waits for: that picture is
 * given up.
 */
static void what_another_program_draws_ends_it(void **state)
{
    struct waiting picture, slow;
    struct scene scene;

    (void)state;
    scene_begin(&scene, 1 << 20, 4);
    read_picture(&scene, 0);
    scene.fake->shut = true;
    begin_reading(&scene, &picture, 1);
    await(&scene.fake->slow, 2);
    begin_reading_file(play_open(scene.tree, "/things/00-a/big.bin"), &slow);
    await(&scene.fake->cancelled, 1); /* 2, which is not being read */
    await(&scene.fake->slow, 2);      /* 1 has a reader */
    scene.fake->shut = false;
    end_reading(&picture);
    end_reading(&slow);
    settle(&scene, 2);
    read_picture(&scene, 2);
    read_picture(&scene, 3);
    settle(&scene, 4 + AHEAD);
    scene_end(&scene);
}

/* If frames are drawn in turn, a reader that jumps to another frame does not wait either. */
static void a_jump_ends_it_where_frames_are_drawn_in_turn(void **state)
{
    struct waiting picture, other;
    struct dump_ops ops;
    struct scene scene;

    (void)state;
    scene_begin(&scene, 1 << 20, 4);
    ops = *scene.fake->dump.ops;
    ops.pictures.drawn_in_turn = true;
    scene.fake->dump.ops = &ops;
    read_picture(&scene, 0);
    scene.fake->shut = true;
    begin_reading(&scene, &picture, 1);
    await(&scene.fake->slow, 2);
    begin_reading(&scene, &other, 20);
    await(&scene.fake->cancelled, 1); /* 2, which is not being read */
    await(&scene.fake->slow, 2);
    scene.fake->shut = false;
    end_reading(&picture);
    end_reading(&other);
    settle(&scene, 3);
    read_picture(&scene, 21); /* a frame that is next in order does not end it */
    settle(&scene, 4 + AHEAD);
    scene_end(&scene);
}

/* Reads four pictures in order, then again. Returns how many of them are made again. */
static unsigned count_made_anew(bool cheap, size_t bytes)
{
    struct dump_ops ops;
    struct scene scene;
    unsigned before;

    scene_begin(&scene, 1 << 20, 2);
    ops = *scene.fake->dump.ops;
    ops.pictures.cheap = cheap;
    scene.fake->dump.ops = &ops;
    for (unsigned frame = 0; frame < 4; frame++)
        read_kept(&scene, frame, bytes);
    settle(&scene, 4 + AHEAD);
    before = scene.fake->pictures;
    read_picture(&scene, 3); /* downwards, which does not count as an order */
    read_picture(&scene, 2);
    read_picture(&scene, 1);
    read_picture(&scene, 0);
    before = scene.fake->pictures - before;
    scene_end(&scene);
    return before;
}

static void what_was_taken_in_order_makes_room(void **state)
{
    (void)state;
    assert_int_equal(count_made_anew(true, 1 << 20), 3); /* frame 0 began no series yet */
    assert_int_equal(count_made_anew(true, 10), 0);      /* its end was not read */
    assert_int_equal(count_made_anew(false, 1 << 20), 0);
}

static void what_is_read_at_random_stays(void **state)
{
    static const unsigned frames[] = {0, 7, 3, 50, 12};
    struct dump_ops ops;
    struct scene scene;

    (void)state;
    scene_begin(&scene, 1 << 20, 2);
    ops = *scene.fake->dump.ops;
    ops.pictures.cheap = true;
    scene.fake->dump.ops = &ops;
    for (size_t i = 0; i < COUNT_OF(frames); i++)
        read_kept(&scene, frames[i], 1 << 20);
    for (size_t i = 0; i < COUNT_OF(frames); i++)
        read_kept(&scene, frames[i], 1 << 20);
    settle(&scene, COUNT_OF(frames));
    scene_end(&scene);
}

static void it_is_told_how_many_are_made_now(void **state)
{
    struct scene scene;
    struct waiting waiting;

    (void)state;
    scene_begin(&scene, 1 << 20, 2);
    read_picture(&scene, 0);
    assert_int_equal(tree_drawing_ahead(scene.tree), 0);
    scene.fake->shut = true;
    begin_reading(&scene, &waiting, 1);
    await(&scene.fake->slow, 2); /* 1, which has a reader, and 2 */
    assert_int_equal(tree_drawing_ahead(scene.tree), 1);
    scene.fake->shut = false;
    end_reading(&waiting);
    settle(&scene, 2 + AHEAD);
    assert_int_equal(tree_drawing_ahead(scene.tree), 0);
    scene_end(&scene);
}

static void an_end_in_its_midst_waits_for_nothing(void **state)
{
    struct scene scene;
    struct waiting waiting;

    (void)state;
    scene_begin(&scene, 1 << 20, 2);
    read_picture(&scene, 0);
    scene.fake->shut = true;
    begin_reading(&scene, &waiting, 1);
    await(&scene.fake->slow, 2);
    tree_cancel_request(&waiting.request);
    end_reading(&waiting);
    scene_end(&scene);
}

/*
 * Returns the request that draws a picture ahead, and the item that it is for. There must be one.
 */
static struct readahead_request *find_begun(struct readahead *readahead, struct cache_key *item)
{
    struct readahead_request *found = NULL;

    readahead_lock(readahead);
    for (unsigned n = 0; n < READAHEAD_SERIES * READAHEAD_PICTURES; n++) {
        struct readahead_request *request =
            &readahead->series[n / READAHEAD_PICTURES].requests[n % READAHEAD_PICTURES];

        if (request->begun)
            found = request;
    }
    readahead_unlock(readahead);
    assert_non_null(found);
    *item = found->cache.key;
    return found;
}

static bool is_begun(struct readahead *readahead, const struct readahead_request *request)
{
    bool begun;

    readahead_lock(readahead);
    begun = request->begun;
    readahead_unlock(readahead);
    return begun;
}

/* The end of a cancelled picture's first stage may be reported when its request serves another. */
static void a_report_of_a_former_picture_changes_nothing(void **state)
{
    struct scene scene;
    struct waiting waiting;
    struct readahead_request *request;
    struct cache_key item, former;

    (void)state;
    scene_begin(&scene, 1 << 20, 2);
    read_picture(&scene, 0);
    scene.fake->shut = true;
    begin_reading(&scene, &waiting, 1);
    await(&scene.fake->slow, 2);
    request = find_begun(scene.tree->readahead, &item);
    former = (struct cache_key){.item = inode_pack(RULE_FRAME_PNG, 0)};
    request->cache.first_stage_done(&request->cache, former);
    assert_true(is_begun(scene.tree->readahead, request));
    request->cache.first_stage_done(&request->cache, item);
    assert_false(is_begun(scene.tree->readahead, request));
    scene.fake->shut = false;
    end_reading(&waiting);
    settle(&scene, 2 + AHEAD);
    scene_end(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_reader_in_order_finds_the_next_ones),
        cmocka_unit_test(nothing_is_made_beyond_the_last),
        cmocka_unit_test(a_random_reader_pays_for_nothing_else),
        cmocka_unit_test(two_readers_have_a_series_each),
        cmocka_unit_test(a_small_cache_is_not_filled),
        cmocka_unit_test(one_thread_is_left_to_readers),
        cmocka_unit_test(what_is_made_ahead_is_waited_for_by_its_reader),
        cmocka_unit_test(the_next_are_drawn_while_one_is_encoded),
        cmocka_unit_test(an_end_between_drawing_and_encoding_waits_for_nothing),
        cmocka_unit_test(a_reader_that_goes_elsewhere_ends_it),
        cmocka_unit_test(what_another_program_draws_ends_it),
        cmocka_unit_test(a_jump_ends_it_where_frames_are_drawn_in_turn),
        cmocka_unit_test(what_was_taken_in_order_makes_room),
        cmocka_unit_test(what_is_read_at_random_stays),
        cmocka_unit_test(it_is_told_how_many_are_made_now),
        cmocka_unit_test(an_end_in_its_midst_waits_for_nothing),
        cmocka_unit_test(a_report_of_a_former_picture_changes_nothing),
    };

    return cmocka_run_group_tests_name("ahead", tests, NULL, NULL);
}

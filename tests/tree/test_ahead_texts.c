/* SPDX-License-Identifier: MIT */
/* Texts of frames that are made before they are requested: which, how many, and until when. */
#include "config.h"

#include "tests/support/fake.h"
#include "tests/support/support.h"

#include "tree/inode.h"
#include "tree/internal.h"
#include "tree/readahead.h"
#include "tree/readahead_parts.h"

#include <errno.h>
#include <string.h>
#include <time.h>

enum { PACKETS = 400, FRAMES = 100, BELIEVED = 3, LIMIT = 32 };

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

/* Waits for this number of texts, and asserts that no more are made. */
static void settle(struct scene *scene, unsigned texts)
{
    await(&scene->fake->pieces, texts);
    for (int i = 0; i < 50; i++)
        pause_a_little();
    assert_int_equal(scene->fake->pieces, texts);
}

static void look_up(struct scene *scene, unsigned frame)
{
    struct tree_attributes attributes;
    uint64_t inode = inode_pack(RULE_FRAME_COMMANDS, frame);

    assert_int_equal(tree_stat(scene->tree, inode, NULL, &attributes), 0);
    assert_true(attributes.size > 0);
}

static void look_up_all(struct scene *scene, unsigned first, unsigned last)
{
    for (unsigned frame = first; frame <= last; frame++)
        look_up(scene, frame);
}

static int read_file(struct scene *scene, uint64_t inode)
{
    struct tree_file *file = NULL;
    struct tree_window window = {0};
    int status;

    assert_int_equal(tree_open(scene->tree, inode, &file), 0);
    status = tree_read(file, 0, 1 << 20, NULL, &window);
    assert_true(status != 0 || window.length > 0);
    blob_unref(&window.blob);
    tree_close(&file);
    return status;
}

static int read_text(struct scene *scene, unsigned frame)
{
    return read_file(scene, inode_pack(RULE_FRAME_COMMANDS, frame));
}

/* A caller that waits for the answer to a request. */
struct waiting {
    struct tree_request request;
    atomic_uint answered;
    int status;
};

static void note_answer(struct tree_request *request, int status)
{
    struct waiting *waiting = (struct waiting *)request;

    waiting->status = status;
    waiting->answered++;
}

static void begin_looking_up(struct scene *scene, struct waiting *waiting, unsigned frame)
{
    *waiting = (struct waiting){.request.done = note_answer};
    tree_submit_stat(scene->tree, inode_pack(RULE_FRAME_COMMANDS, frame), &waiting->request);
}

static struct tree_target target_of(struct scene *scene, unsigned frame)
{
    return (struct tree_target){.rule = scene->tree->rules.by_id[RULE_FRAME_COMMANDS],
                                .key = frame,
                                .inode = inode_pack(RULE_FRAME_COMMANDS, frame)};
}

static void shut_gate(struct scene *scene, unsigned threads)
{
    scene_begin(scene, 64 << 20, threads);
    scene->fake->shut = true;
    scene->fake->gated_from = BELIEVED;
    scene->fake->gated_to = 2 * BELIEVED;
}

/*
 * After the first lookups a series is assumed, and the texts of the next frames wait at the gate,
 * in two threads.
 */
static void begin_at_the_gate(struct scene *scene, unsigned threads)
{
    shut_gate(scene, threads);
    look_up_all(scene, 0, BELIEVED - 1);
    await(&scene->fake->slow, 2);
}

static void sizes_in_order_find_the_next_ones(void **state)
{
    struct scene scene;

    (void)state;
    scene_begin(&scene, 1 << 20, 2);
    look_up_all(&scene, 0, 1);
    settle(&scene, 2);
    look_up(&scene, 2);
    settle(&scene, 3 + 3); /* as many as were requested */
    look_up(&scene, 3);
    settle(&scene, 4 + 4);
    look_up(&scene, 4); /* more than half of them are left: not enough to wake a thread */
    settle(&scene, 4 + 4);
    look_up(&scene, 5);
    settle(&scene, 6 + 6);
    assert_int_equal(readahead_texts(scene.tree), 12 - BELIEVED);
    assert_int_equal(readahead_pictures(scene.tree), 0);
    scene_end(&scene);
}

static void a_reader_in_order_finds_the_next_ones(void **state)
{
    struct scene scene;

    (void)state;
    scene_begin(&scene, 1 << 20, 3);
    for (unsigned frame = 10; frame < 10 + BELIEVED; frame++)
        assert_int_equal(read_text(&scene, frame), 0);
    settle(&scene, 2 * BELIEVED);
    assert_int_equal(readahead_texts(scene.tree), BELIEVED);
    scene_end(&scene);
}

/* The wildcards of a shell may go from the last frame to the first. */
static void a_reader_downwards_finds_those_before(void **state)
{
    struct scene scene;

    (void)state;
    scene_begin(&scene, 1 << 20, 2);
    for (unsigned frame = 5; frame > 5 - BELIEVED; frame--)
        look_up(&scene, frame);
    settle(&scene, 6); /* 2, 1 and 0 */
    for (unsigned frame = 5 - BELIEVED; frame > 0; frame--)
        look_up(&scene, frame);
    settle(&scene, 6);
    scene_end(&scene);
}

static void nothing_is_made_beyond_the_last(void **state)
{
    struct scene scene;

    (void)state;
    scene_begin(&scene, 1 << 20, 2);
    look_up_all(&scene, FRAMES - 4, FRAMES - 2);
    settle(&scene, 4);
    look_up(&scene, FRAMES - 1);
    settle(&scene, 4);
    scene_end(&scene);
}

static void random_sizes_pay_for_nothing_else(void **state)
{
    static const unsigned frames[] = {0, 7, 30, 50, 20, 90, 10, 33, 60, 71, 5};
    struct scene scene;

    (void)state;
    scene_begin(&scene, 1 << 20, 2);
    for (size_t i = 0; i < COUNT_OF(frames); i++)
        look_up(&scene, frames[i]);
    settle(&scene, COUNT_OF(frames));
    assert_int_equal(readahead_texts(scene.tree), 0);
    scene_end(&scene);
}

static void one_frame_is_no_order(void **state)
{
    struct scene scene;

    (void)state;
    scene_begin(&scene, 1 << 20, 2);
    for (int again = 0; again < 2 * BELIEVED; again++)
        look_up(&scene, 3);
    settle(&scene, 1);
    scene_end(&scene);
}

/* There is a maximum, and no more texts are made than fit in their part of the cache. */
static void how_many_there_may_be(void **state)
{
    static const struct {
        uint64_t cache;
        unsigned max;
    } cases[] = {{1 << 20, LIMIT}, {16 << 10, 3}, {2000, 0}};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct scene scene;

        scene_begin(&scene, cases[i].cache, 2);
        for (unsigned frame = 0; frame < 50; frame++) {
            look_up(&scene, frame);
            for (int n = 0; n < 4; n++)
                pause_a_little();
            assert_in_range(scene.fake->pieces, frame + 1, frame + 1 + cases[i].max);
        }
        assert_true(scene.fake->pieces > 50 || cases[i].max == 0);
        scene_end(&scene);
    }
}

static void one_thread_is_left_to_requests(void **state)
{
    (void)state;
    for (unsigned threads = 0; threads < 2; threads++) {
        struct scene scene;

        scene_begin(&scene, 1 << 20, threads);
        look_up_all(&scene, 0, 9);
        settle(&scene, 10);
        scene_end(&scene);
    }
}

static void long_texts_leave_a_thread(void **state)
{
    struct scene scene;

    (void)state;
    shut_gate(&scene, 2);
    for (unsigned frame = 0; frame < BELIEVED; frame++) {
        struct tree_target target = target_of(&scene, frame);

        readahead_note_text(scene.tree, &target, 1 << 20, false);
    }
    await(&scene.fake->slow, 1);
    for (int i = 0; i < 50; i++)
        pause_a_little();
    assert_int_equal(scene.fake->slow, 1);
    scene.fake->shut = false;
    settle(&scene, BELIEVED);
    scene_end(&scene);
}

static void two_threads_work_and_another_answers(void **state)
{
    struct scene scene;

    (void)state;
    begin_at_the_gate(&scene, 3);
    scene.fake->quick = true; /* and the last thread makes a picture meanwhile */
    assert_int_equal(scene.fake->pictures, 0);
    {
        struct tree_file *file = NULL;
        struct waiting waiting = {.request.done = note_answer};

        assert_int_equal(tree_open(scene.tree, inode_pack(RULE_FRAME_PNG, 0), &file), 0);
        tree_submit_read(file, 0, 10, &waiting.request);
        await(&waiting.answered, 1);
        assert_int_equal(waiting.status, 0);
        blob_unref(&waiting.request.window.blob);
        tree_close(&file);
    }
    scene.fake->shut = false;
    settle(&scene, 2 * BELIEVED);
    scene_end(&scene);
}

static void what_is_made_ahead_is_waited_for(void **state)
{
    struct waiting waiting;
    struct scene scene;

    (void)state;
    begin_at_the_gate(&scene, 2);
    begin_looking_up(&scene, &waiting, BELIEVED);
    pause_a_little();
    assert_int_equal(waiting.answered, 0);
    scene.fake->shut = false;
    await(&waiting.answered, 1);
    assert_int_equal(waiting.status, 0);
    settle(&scene, BELIEVED + 1 + BELIEVED + 1);
    scene_end(&scene);
}

/* The reader makes texts itself, so all threads except one work for the series. */
static void come_to(struct scene *scene, unsigned frame)
{
    struct tree_target target = target_of(scene, frame);

    readahead_begin(scene->tree, &target, true);
}

/*
 * A reader that has caught up with the pool makes some texts itself while the pool makes those
 * after them.
 */
static void a_reader_that_makes_them_is_left_some(void **state)
{
    struct scene scene;

    (void)state;
    scene_begin(&scene, 1 << 20, 2);
    scene.fake->shut = true;
    scene.fake->gated_from = 14;
    scene.fake->gated_to = 15;
    look_up(&scene, 0);
    come_to(&scene, 1);
    look_up_all(&scene, 1, 13);
    await(&scene.fake->slow, 1);
    come_to(&scene, 14);
    scene.fake->shut = false;
    settle(&scene, 14 + 1 + 9); /* 14, and from 19 to 14 + 13 */
    for (unsigned frame = 14; frame <= 17; frame++)
        assert_int_equal(read_text(&scene, frame), 0);
    settle(&scene, 24 + 3);
    assert_int_equal(read_text(&scene, 18), 0);
    settle(&scene, 19 + 19); /* none was left out */
    scene_end(&scene);
}

static void a_reader_that_goes_elsewhere_ends_it(void **state)
{
    struct scene scene;

    (void)state;
    begin_at_the_gate(&scene, 2);
    for (unsigned n = 0; n < READAHEAD_SERIES; n++)
        look_up(&scene, 20 + 5 * n);
    await(&scene.fake->cancelled, 2);
    scene.fake->shut = false;
    settle(&scene, BELIEVED + READAHEAD_SERIES);
    scene_end(&scene);
}

static void a_failure_is_told_to_its_reader_alone(void **state)
{
    struct tree_attributes attributes;
    struct scene scene;

    (void)state;
    scene_begin(&scene, 1 << 20, 2);
    scene.fake->broken = 4 + 1;
    look_up(&scene, 0);
    come_to(&scene, 1);
    look_up_all(&scene, 1, 2);
    settle(&scene, 4); /* 3; none after the failure */
    look_up(&scene, 3);
    assert_int_equal(tree_stat(scene.tree, inode_pack(RULE_FRAME_COMMANDS, 4), NULL, &attributes),
                     -EIO);
    look_up_all(&scene, 5, 6);
    settle(&scene, 6);
    look_up(&scene, 7);
    settle(&scene, 6 + 1 + 3);
    scene_end(&scene);
}

/* Returns a copy of the first series, whose jobs may not have ended yet. */
static struct readahead_series first_series(struct scene *scene)
{
    struct readahead *ahead = scene->tree->readahead;
    struct readahead_series series;

    pthread_mutex_lock(&ahead->lock);
    series = ahead->series[0];
    pthread_mutex_unlock(&ahead->lock);
    return series;
}

static void a_reader_that_turns_back_has_nothing_ahead(void **state) LOCKS_UNCHECKED
{
    struct readahead_series series;
    struct scene scene;

    (void)state;
    scene_begin(&scene, 1 << 20, 2);
    scene.fake->broken = 9 + 1;
    look_up_all(&scene, 4, 4);
    come_to(&scene, 5);
    look_up_all(&scene, 5, 7);
    settle(&scene, 5); /* 4 to 8; 9 fails */
    series = first_series(&scene);
    assert_int_equal(series.last, 7);
    assert_true(series.ahead > 0);
    look_up(&scene, 6);
    series = first_series(&scene);
    assert_int_equal(series.last, 6);
    assert_int_equal(series.ahead, 0);
    scene_end(&scene);
}

/* Returns how many jobs have begun since forget_runs(). */
static unsigned count_runs(struct scene *scene)
{
    struct readahead *ahead = scene->tree->readahead;
    unsigned count = 0;

    pthread_mutex_lock(&ahead->lock);
    for (unsigned n = 0; n < READAHEAD_RUNS; n++)
        count += ahead->runs[n].tree != NULL;
    pthread_mutex_unlock(&ahead->lock);
    return count;
}

static void forget_runs(struct scene *scene) LOCKS_UNCHECKED
{
    struct readahead *ahead = scene->tree->readahead;

    pthread_mutex_lock(&ahead->lock);
    assert_int_equal(ahead->running, 0);
    memset(ahead->runs, 0, sizeof(ahead->runs));
    pthread_mutex_unlock(&ahead->lock);
}

static void no_thread_is_woken_for_what_is_there(void **state)
{
    struct scene scene;

    (void)state;
    scene_begin(&scene, 1 << 20, 2);
    look_up_all(&scene, 0, FRAMES - 1);
    settle(&scene, FRAMES);
    assert_true(count_runs(&scene) > 0);
    forget_runs(&scene);
    look_up_all(&scene, 0, FRAMES - 1);
    for (unsigned frame = 0; frame < FRAMES; frame++)
        assert_int_equal(read_text(&scene, frame), 0);
    assert_int_equal(count_runs(&scene), 0);
    settle(&scene, FRAMES);
    scene_end(&scene);
}

static void an_end_in_its_midst_waits_for_nothing(void **state)
{
    struct scene scene;

    (void)state;
    begin_at_the_gate(&scene, 2);
    scene_end(&scene);
}

/*
 * A listing continues a series: an entry whose size is known because its text was made ahead is not
 * looked up any more.
 */
static void listings_go_on_like_lookups(void **state)
{
    static const unsigned made[] = {4 + 4, 4 + 4, 6 + 6};
    struct tree_attributes attributes;
    struct scene scene;

    (void)state;
    scene_begin(&scene, 1 << 20, 2);
    assert_int_equal(tree_attributes(scene.tree, inode_pack(RULE_FRAME_COMMANDS, 3), &attributes),
                     -EAGAIN);
    settle(&scene, 0); /* listing alone makes nothing */
    look_up_all(&scene, 0, BELIEVED - 1);
    settle(&scene, 2 * BELIEVED);
    for (unsigned n = 0; n < COUNT_OF(made); n++) {
        assert_int_equal(
            tree_attributes(scene.tree, inode_pack(RULE_FRAME_COMMANDS, BELIEVED + n), &attributes),
            0);
        settle(&scene, made[n]);
    }
    scene_end(&scene);
}

static void look_up_packet(struct scene *scene, uint64_t packet)
{
    struct tree_attributes attributes;

    assert_int_equal(tree_stat(scene->tree, inode_pack(RULE_PACKET_TXT, packet), NULL, &attributes),
                     0);
}

/* The texts of packets are a series of their own. */
static void packets_in_order_find_the_next_ones(void **state)
{
    struct scene scene;

    (void)state;
    scene_begin(&scene, 1 << 20, 2);
    for (uint64_t packet = 0; packet < BELIEVED; packet++)
        look_up_packet(&scene, packet);
    for (int i = 0; i < 100000 && readahead_texts(scene.tree) < BELIEVED; i++)
        pause_a_little();
    assert_int_equal(readahead_texts(scene.tree), BELIEVED);
    for (uint64_t packet = PACKETS - BELIEVED; packet < PACKETS; packet++)
        look_up_packet(&scene, packet); /* there is none after the last */
    assert_int_equal(readahead_texts(scene.tree), BELIEVED);
    scene_end(&scene);
}

static void look_up_path(struct scene *scene, const char *path)
{
    struct tree_attributes attributes;
    uint64_t inode = 0;

    assert_int_equal(tree_find(scene->tree, path, false, &inode), 0);
    assert_int_equal(tree_stat(scene->tree, inode, NULL, &attributes), 0);
}

static void await_texts(struct scene *scene, uint64_t count)
{
    for (int i = 0; i < 100000 && readahead_texts(scene->tree) < count; i++)
        pause_a_little();
    assert_int_equal(readahead_texts(scene->tree), count);
}

/* lengths of the texts of packets, as a dump notes them; 0 if not known yet */
static atomic_uint noted[PACKETS];
static const struct dump_ops *noted_of;

static int note_piece(struct dump *dump, uint64_t packet, uint64_t piece,
                      const struct cancel *cancel, struct text *text)
{
    size_t before = text->length;
    int status = noted_of->texts.packet.piece(dump, packet, piece, cancel, text);

    noted[packet] = (unsigned)(text->length - before);
    return status;
}

static int noted_length(struct dump *dump, uint64_t packet, uint64_t *length)
{
    (void)dump;
    *length = noted[packet];
    return *length > 0 ? 0 : -ENODATA;
}

/*
 * The length is known for all texts that have been made, including that of the packet from which
 * the reader comes.
 */
static void lengths_that_are_noted_end_no_order(void **state)
{
    struct scene scene;
    struct dump_ops ops;

    (void)state;
    scene_begin(&scene, 1 << 20, 2);
    noted_of = scene.fake->dump.ops;
    ops = *noted_of;
    ops.texts.packet.piece = note_piece;
    ops.texts.packet.length = noted_length;
    scene.fake->dump.ops = &ops;
    for (uint64_t packet = 0; packet < BELIEVED; packet++)
        look_up_packet(&scene, packet);
    await_texts(&scene, BELIEVED);
    for (uint64_t packet = 0; packet < PACKETS; packet++)
        noted[packet] = 1;
    for (uint64_t packet = PACKETS / 2; packet < PACKETS; packet++)
        look_up_packet(&scene, packet); /* nothing is made for these */
    assert_int_equal(readahead_texts(scene.tree), BELIEVED);
    tree_destroy(&scene.tree);
    scene.fake->dump.ops = noted_of;
    fake_free(scene.fake);
}

/* Texts of a family, in one folder after another. */
static void members_in_order_find_those_of_the_next_folder(void **state)
{
    struct scene scene;

    (void)state;
    scene_begin(&scene, 1 << 20, 2);
    look_up_path(&scene, "things/00-a/inner/00.txt");
    look_up_path(&scene, "things/00-a/inner/02.txt");
    look_up_path(&scene, "things/00-a/inner/04.txt");
    await_texts(&scene, BELIEVED);
    look_up_path(&scene, "things/00-a/inner/06.txt"); /* the last one in this folder */
    await_texts(&scene, BELIEVED + 2);
    look_up_path(&scene, "things/03-e_f/inner/02.txt");
    await_texts(&scene, BELIEVED + 2);
    scene_end(&scene);
}

/* Texts without pieces are made as a whole. */
static void whole_texts_are_read_ahead(void **state)
{
    struct scene scene;

    (void)state;
    scene_begin(&scene, 1 << 20, 2);
    for (unsigned frame = 0; frame < BELIEVED; frame++)
        assert_int_equal(read_file(&scene, inode_pack(RULE_FRAME_INFO, frame)), 0);
    for (int i = 0; i < 100000 && readahead_texts(scene.tree) < BELIEVED; i++)
        pause_a_little();
    assert_int_equal(readahead_texts(scene.tree), BELIEVED);
    scene_end(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(listings_go_on_like_lookups),
        cmocka_unit_test(packets_in_order_find_the_next_ones),
        cmocka_unit_test(lengths_that_are_noted_end_no_order),
        cmocka_unit_test(members_in_order_find_those_of_the_next_folder),
        cmocka_unit_test(whole_texts_are_read_ahead),
        cmocka_unit_test(sizes_in_order_find_the_next_ones),
        cmocka_unit_test(a_reader_in_order_finds_the_next_ones),
        cmocka_unit_test(a_reader_downwards_finds_those_before),
        cmocka_unit_test(nothing_is_made_beyond_the_last),
        cmocka_unit_test(random_sizes_pay_for_nothing_else),
        cmocka_unit_test(one_frame_is_no_order),
        cmocka_unit_test(how_many_there_may_be),
        cmocka_unit_test(one_thread_is_left_to_requests),
        cmocka_unit_test(long_texts_leave_a_thread),
        cmocka_unit_test(two_threads_work_and_another_answers),
        cmocka_unit_test(what_is_made_ahead_is_waited_for),
        cmocka_unit_test(a_reader_that_makes_them_is_left_some),
        cmocka_unit_test(a_reader_that_goes_elsewhere_ends_it),
        cmocka_unit_test(a_failure_is_told_to_its_reader_alone),
        cmocka_unit_test(a_reader_that_turns_back_has_nothing_ahead),
        cmocka_unit_test(no_thread_is_woken_for_what_is_there),
        cmocka_unit_test(an_end_in_its_midst_waits_for_nothing),
    };

    return cmocka_run_group_tests_name("ahead texts", tests, NULL, NULL);
}

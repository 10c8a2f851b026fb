/* SPDX-License-Identifier: MIT */
/* Requests that are answered later, many at the same time. */
#include "config.h"

#include "tests/tree/caller.h"

#include "tree/inode.h"

#include "tests/support/support.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* Answers. */

static void what_is_at_hand_is_answered_at_once(void **state)
{
    struct scene *scene = *state;
    struct tree_file *packet = scene_open(scene->tree, "/packets/00000/00000001-gp0.bin");
    struct tree_file *picture = scene_open(scene->tree, "/frames/000000.png");
    struct caller caller;

    scene->fake->shut = true;
    caller_read(&caller, packet, 3, 100);
    assert_true(caller_is_answered(&caller));
    assert_int_equal(caller.request.window.length, FAKE_PACKET_BYTES - 3);
    assert_int_equal(caller_answer(&caller), 0);

    caller_init(&caller);
    tree_submit_stat(scene->tree, inode_pack(RULE_FRAME_PNG, 0), &caller.request);
    assert_true(caller_is_answered(&caller));
    assert_int_equal(caller_answer(&caller), 0);
    caller_read(&caller, picture, caller.request.attributes.size, 10);
    assert_true(caller_is_answered(&caller));
    assert_int_equal(caller.request.window.length, 0);
    assert_int_equal(caller_answer(&caller), 0);

    caller_init(&caller);
    tree_submit_stat(scene->tree, inode_pack(RULE_FRAME_PNG, 4), &caller.request);
    assert_int_equal(caller_answer(&caller), -ENOENT);
    caller_init(&caller);
    tree_submit_stat(scene->tree, TREE_ROOT, &caller.request);
    assert_int_equal(caller_answer(&caller), 0);
    assert_int_equal(caller.request.attributes.kind, RULE_DIRECTORY);
    assert_int_equal(scene->fake->slow, 0);
    tree_close(&packet);
    tree_close(&picture);
}

static void sizes_of_texts_are_answered_later(void **state)
{
    struct scene *scene = *state;
    static const char *const paths[] = {"/README.txt", "/packets.tsv", "/things/03-e_f/notes.txt",
                                        "/by-frame/000002/state.txt", "/problems.txt"};

    for (size_t i = 0; i < COUNT_OF(paths); i++) {
        struct tree_attributes attributes;
        struct caller caller;
        uint64_t inode = 0;

        assert_int_equal(tree_find(scene->tree, paths[i], true, &inode), 0);
        caller_init(&caller);
        tree_submit_stat(scene->tree, inode, &caller.request);
        assert_int_equal(caller_answer(&caller), 0);
        assert_int_equal(tree_stat(scene->tree, inode, NULL, &attributes), 0);
        assert_int_equal(caller.request.attributes.size, attributes.size);
        assert_int_equal(caller.request.attributes.inode, inode);
    }
}

static void a_listing_is_read_through_its_offsets(void **state)
{
    struct scene *scene = *state;
    struct tree_file *file = scene_open(scene->tree, "/things/00-a/long.txt");
    struct caller callers[40];

    for (unsigned i = 0; i < COUNT_OF(callers); i++)
        caller_read(&callers[i], file, (uint64_t)(i * 17 % 40) * 65536 + 65536 - 64, 100);
    for (unsigned i = 0; i < COUNT_OF(callers); i++) {
        char expected[64];

        sem_wait(&callers[i].answered);
        sem_post(&callers[i].answered);
        assert_int_equal(callers[i].request.window.length, 64);
        snprintf(expected, sizeof(expected), "%031u %030d", i * 17 % 40, 102);
        assert_memory_equal(callers[i].request.window.data, expected, 62);
        assert_int_equal(caller_answer(&callers[i]), 0);
    }
    tree_close(&file);
}

static void failures_are_answered(void **state)
{
    struct scene *scene = *state;
    struct tree_file *file = scene_open(scene->tree, "/things/00-a/broken.txt");
    struct caller caller;
    uint64_t inode = 0;

    caller_read(&caller, file, 0, 10);
    assert_int_equal(caller_answer(&caller), -EIO);
    scene->fake->failure = -ENOMEM;
    caller_read(&caller, file, 0, 10);
    assert_int_equal(caller_answer(&caller), -ENOMEM);
    assert_int_equal(tree_find(scene->tree, "/things/00-a/broken.txt", true, &inode), 0);
    caller_init(&caller);
    tree_submit_stat(scene->tree, inode, &caller.request);
    assert_int_equal(caller_answer(&caller), -ENOMEM);
    tree_close(&file);
}

/* Names and sizes that are not known yet. */

struct names {
    char all[256];
    size_t max; /* names that are taken */
};

static bool note_name(void *context, const char *name, uint64_t inode, enum rule_kind kind,
                      uint64_t next)
{
    struct names *names = context;

    (void)inode, (void)kind, (void)next;
    if (names->max == 0)
        return false;
    names->max--;
    strcat(strcat(names->all, name), " ");
    return true;
}

/*
 * Asserts that the answer does not come before the gate is opened. Returns the status of the
 * answer.
 */
static int answer_behind_the_gate(struct scene *scene, struct caller *caller)
{
    unsigned before = scene->fake->preparations;

    caller_await(&scene->fake->slow, 1);
    assert_false(caller_is_answered(caller));
    scene->fake->shut = false;
    sem_wait(&caller->answered);
    sem_post(&caller->answered);
    assert_int_equal(scene->fake->preparations, before + 1);
    scene->fake->shut = true;
    return caller->status;
}

static void names_that_are_not_known_are_answered_later(void **state)
{
    struct scene *scene = *state;
    uint64_t late = scene_find(scene->tree, "/late"), group = 0, bin = 0;
    struct names names = {.max = 100};
    struct caller caller;

    scene->fake->unknown = scene->fake->shut = true;
    caller_init(&caller);
    tree_submit_lookup(scene->tree, late, "01", &caller.request);
    assert_int_equal(answer_behind_the_gate(scene, &caller), 0);
    group = caller.request.attributes.inode;
    assert_int_equal(caller.request.attributes.kind, RULE_DIRECTORY);
    assert_int_equal(caller_answer(&caller), 0);

    caller_init(&caller);
    tree_submit_list(scene->tree, group, 0, note_name, &names, &caller.request);
    assert_int_equal(answer_behind_the_gate(scene, &caller), 0);
    assert_string_equal(names.all, ". .. 00.bin 01.bin 02.bin there ");
    assert_int_equal(caller_answer(&caller), 0);

    caller_init(&caller); /* the name is known, its size is not */
    tree_submit_lookup(scene->tree, group, "02.bin", &caller.request);
    assert_int_equal(answer_behind_the_gate(scene, &caller), 0);
    bin = caller.request.attributes.inode;
    assert_int_equal(caller.request.attributes.size, 1000 + inode_key(bin));
    assert_int_equal(caller_answer(&caller), 0);

    caller_init(&caller);
    tree_submit_link(scene->tree, inode_pack(inode_rule(bin) + 2, inode_key(group)),
                     &caller.request);
    assert_int_equal(answer_behind_the_gate(scene, &caller), 0);
    assert_memory_equal(caller.request.window.data, "01.bin", 6);
    assert_int_equal(caller_answer(&caller), 0);

    caller_init(&caller); /* everything is known */
    tree_submit_lookup(scene->tree, group, "maybe.txt", &caller.request);
    assert_true(caller_is_answered(&caller));
    assert_int_equal(caller_answer(&caller), -ENOENT);
}

/*
 * The inode number is that of an earlier mount: the directories above the file are not known
 * either.
 */
static void a_number_is_answered_through_all_that_is_above_it(void **state)
{
    struct scene *scene = *state;
    uint64_t bin = scene_find(scene->tree, "/late/01/02.bin");
    struct tree_attributes attributes;
    struct caller caller;

    scene->fake->unknown = true;
    assert_int_equal(tree_attributes(scene->tree, bin, &attributes), -EAGAIN);
    caller_init(&caller);
    tree_submit_stat(scene->tree, bin, &caller.request);
    assert_int_equal(caller_answer(&caller), 0);
    assert_int_equal(caller.request.attributes.size, 1000 + inode_key(bin));
    assert_int_equal(scene->fake->preparations, 3);

    scene->fake->known = 0;
    caller_init(&caller);
    tree_submit_open(scene->tree, bin, &caller.request);
    assert_int_equal(caller_answer(&caller), 0);
    assert_int_equal(scene->fake->preparations, 5);
    caller_read(&caller, caller.request.opened, 0, 10);
    assert_int_equal(caller_answer(&caller), 0);
    assert_int_equal(caller.request.window.length, 10);
    tree_close(&caller.request.file);
}

/* A listing continues where a name had to be prepared, with a new request. */
static void a_synchronous_walk_waits(void **state)
{
    struct scene *scene = *state;
    struct names names = {.max = 3};
    uint64_t cursor = 0, inode = 0;

    scene->fake->unknown = true;
    assert_int_equal(tree_find(scene->tree, "/late/02/there", true, &inode), 0);
    assert_int_equal(scene->fake->preparations, 3);
    scene->fake->known = 0;
    assert_int_equal(
        tree_list(scene->tree, scene_find(scene->tree, "/late"), &cursor, note_name, &names), 0);
    names.max = 100;
    assert_int_equal(
        tree_list(scene->tree, scene_find(scene->tree, "/late"), &cursor, note_name, &names), 0);
    assert_string_equal(names.all, ". .. 00 01 02 ");
}

static void many_requests_have_it_prepared_once(void **state)
{
    struct scene *scene = *state;
    uint64_t late = scene_find(scene->tree, "/late");
    struct caller callers[20];

    scene->fake->unknown = scene->fake->shut = true;
    for (int i = 0; i < 20; i++) {
        caller_init(&callers[i]);
        tree_submit_lookup(scene->tree, late, i % 2 == 0 ? "00" : "07", &callers[i].request);
    }
    caller_await(&scene->fake->slow, 1);
    for (int i = 0; i < 4; i++) {
        tree_cancel_request(&callers[i].request);
        assert_int_equal(caller_answer(&callers[i]), -EINTR);
    }
    scene->fake->shut = false;
    for (int i = 4; i < 20; i++)
        assert_int_equal(caller_answer(&callers[i]), i % 2 == 0 ? 0 : -ENOENT);
    assert_int_equal(scene->fake->preparations, 1);
    assert_int_equal(scene_statistics(scene->tree).items, 0);
}

static void what_is_never_known_is_an_error(void **state)
{
    struct scene *scene = *state;
    uint64_t late = scene_find(scene->tree, "/late"), inode = 0;
    struct caller caller;

    scene->fake->unknown = scene->fake->useless = true;
    caller_init(&caller);
    tree_submit_lookup(scene->tree, late, "01", &caller.request);
    assert_int_equal(caller_answer(&caller), -EIO);
    assert_int_equal(tree_lookup(scene->tree, late, "01", &inode), -EIO);
    assert_in_range(scene->fake->preparations, 2, 100);

    scene->fake->shut = true;
    caller_init(&caller);
    tree_submit_lookup(scene->tree, late, "01", &caller.request);
    caller_await(&scene->fake->slow, 1);
    tree_cancel_request(&caller.request);
    assert_int_equal(caller_answer(&caller), -EINTR);
    caller_await(&scene->fake->cancelled, 1);
}

/* One making for many. */

static void fifty_readers_have_one_picture_made(void **state)
{
    struct scene *scene = *state;
    struct tree_file *files[50];
    struct caller callers[50];

    scene->fake->shut = true;
    for (int i = 0; i < 50; i++) {
        files[i] = scene_open(scene->tree, "/frames/000003.png");
        caller_read(&callers[i], files[i], 0, 10);
    }
    for (int i = 0; i < 50; i++)
        assert_false(caller_is_answered(&callers[i]));
    scene->fake->shut = false;
    for (int i = 0; i < 50; i++) {
        assert_int_equal(caller_answer(&callers[i]), 0);
        tree_close(&files[i]);
    }
    assert_int_equal(scene->fake->pictures, 1);
    assert_int_equal(scene_statistics(scene->tree).made[CACHE_RENDER], 1);
}

/* Reads ahead in a file that the cache cannot hold, again and again while it is made. */
static void one_handle_makes_a_large_file_once(void **state)
{
    struct scene *scene = *state;

    for (unsigned round = 0; round < 50; round++) {
        struct tree_file *file = scene_open(scene->tree, "/things/00-a/big.bin");
        struct caller callers[24];
        unsigned before = scene->fake->bigs;

        scene->fake->shut = true;
        for (unsigned i = 0; i < 24; i++) {
            if (i == 12)
                scene->fake->shut = false;
            caller_read(&callers[i], file, i * 65536, 65536);
        }
        for (unsigned i = 0; i < 24; i++)
            assert_int_equal(caller_answer(&callers[i]), 0);
        tree_close(&file);
        /* the result of the previous round is reused as long as the thread that made it holds it */
        assert_true(scene->fake->bigs - before <= 1);
    }
    assert_true(scene->fake->bigs > 1);
}

struct reader {
    struct tree *tree;
    const struct cancel *cancel;
    pthread_t thread;
    int status;
};

static void *read_picture(void *context)
{
    struct reader *reader = context;
    struct tree_file *file = NULL;
    struct tree_window window = {0};

    reader->status = tree_open(reader->tree, inode_pack(RULE_FRAME_PNG, 3), &file);
    if (reader->status == 0)
        reader->status = tree_read(file, 0, 10, reader->cancel, &window);
    blob_unref(&window.blob);
    tree_close(&file);
    return NULL;
}

static void threads_that_wait_share_one_making(void **state)
{
    struct scene *scene = *state;
    struct reader readers[6];
    struct cancel cancel;

    cancel_init(&cancel, &scene->fake->dump.cancel);
    scene->fake->shut = true;
    for (int i = 0; i < 6; i++) {
        readers[i] = (struct reader){.tree = scene->tree, .cancel = i == 3 ? &cancel : NULL};
        pthread_create(&readers[i].thread, NULL, read_picture, &readers[i]);
    }
    caller_await(&scene->fake->slow, 1);
    cancel_raise(&cancel);
    pthread_join(readers[3].thread, NULL);
    assert_int_equal(readers[3].status, -EINTR);
    scene->fake->shut = false;
    for (int i = 0; i < 6; i++) {
        if (i == 3)
            continue;
        pthread_join(readers[i].thread, NULL);
        assert_int_equal(readers[i].status, 0);
    }
    assert_int_equal(scene->fake->pictures, 1);
}

static void pictures_do_not_wait_for_long_texts(void **state)
{
    struct scene *scene = *state;
    static const char *const paths[] = {"/things/00-a/long.txt", "/things/01-b/long.txt",
                                        "/things/02-c.d/long.txt", "/problems.txt"};
    struct tree_file *file = scene_open(scene->tree, "/frames/000003.png");
    struct caller callers[COUNT_OF(paths)], reader;

    scene->fake->shut = scene->fake->quick = true;
    scene->fake->settled = false;
    for (size_t i = 0; i < COUNT_OF(paths); i++) {
        caller_init(&callers[i]);
        tree_submit_stat(scene->tree, scene_find(scene->tree, paths[i]), &callers[i].request);
    }
    for (int i = 0; i < 100 && scene->fake->slow + scene->fake->settlings == 0; i++)
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    caller_read(&reader, file, 0, 10);
    assert_int_equal(caller_answer(&reader), 0);
    assert_int_equal(scene->fake->slow + scene->fake->settlings, 1);
    scene->fake->shut = false;
    scene->fake->settled = true;
    for (size_t i = 0; i < COUNT_OF(paths); i++)
        assert_int_equal(caller_answer(&callers[i]), 0);
    tree_close(&file);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, scene_begin, scene_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_is_at_hand_is_answered_at_once),
        TEST(sizes_of_texts_are_answered_later),
        TEST(a_listing_is_read_through_its_offsets),
        TEST(failures_are_answered),
        TEST(names_that_are_not_known_are_answered_later),
        TEST(a_number_is_answered_through_all_that_is_above_it),
        TEST(a_synchronous_walk_waits),
        TEST(many_requests_have_it_prepared_once),
        TEST(what_is_never_known_is_an_error),
        TEST(fifty_readers_have_one_picture_made),
        TEST(one_handle_makes_a_large_file_once),
        TEST(threads_that_wait_share_one_making),
        TEST(pictures_do_not_wait_for_long_texts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

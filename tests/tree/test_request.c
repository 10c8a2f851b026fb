/* SPDX-License-Identifier: MIT */
/* Requests that are answered later, many at once, and taken back at any moment. */
#include "config.h"

#include "tests/support/fake.h"

#include "base/bytes.h"
#include "tree/inode.h"

#include "tests/support/support.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct caller {
    struct tree_request request;
    sem_t answered;
    atomic_uint answers;
    int status;
};

static void note_answer(struct tree_request *request, int status)
{
    struct caller *caller = (struct caller *)request;

    caller->status = status;
    caller->answers++;
    sem_post(&caller->answered);
}

static void caller_init(struct caller *caller)
{
    memset(caller, 0, sizeof(*caller));
    caller->request.done = note_answer;
    sem_init(&caller->answered, 0, 0);
}

static void submit_read(struct caller *caller, struct tree_file *file, uint64_t offset, size_t size)
{
    caller_init(caller);
    tree_submit_read(file, offset, size, &caller->request);
}

/* Waits for the answer, and counts it: there must be exactly one. */
static int answer(struct caller *caller)
{
    struct timespec soon;

    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_sec += 20;
    if (sem_timedwait(&caller->answered, &soon) != 0)
        fail_msg("no answer came");
    assert_int_equal(caller->answers, 1);
    blob_unref(&caller->request.window.blob);
    sem_destroy(&caller->answered);
    return caller->status;
}

static bool is_answered(struct caller *caller)
{
    return caller->answers > 0;
}

/* Waits until a number is reached, not for long. */
static void await(atomic_uint *number, unsigned value)
{
    for (int i = 0; i < 100000 && *number != value; i++)
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    assert_int_equal(*number, value);
}

static struct tree_file *open_path(struct tree *tree, const char *path)
{
    struct tree_file *file = NULL;
    uint64_t inode = 0;

    assert_int_equal(tree_find(tree, path, true, &inode), 0);
    assert_int_equal(tree_open(tree, inode, &file), 0);
    return file;
}

static struct cache_statistics statistics(struct tree *tree)
{
    struct cache_statistics now;

    cache_statistics(tree_cache(tree), &now);
    return now;
}

struct scene {
    struct fake *fake;
    struct tree *tree;
};

static int scene_begin(void **state)
{
    struct scene *scene = calloc(1, sizeof(*scene));

    assert_non_null(scene);
    scene->fake = fake_create(43);
    scene->tree = fake_tree(scene->fake, 2);
    *state = scene;
    return 0;
}

static int scene_end(void **state)
{
    struct scene *scene = *state;

    scene->fake->shut = false;
    if (scene->tree != NULL)
        assert_int_equal(statistics(scene->tree).pinned, 0);
    tree_destroy(&scene->tree);
    assert_int_equal(scene->fake->slow, 0);
    fake_free(scene->fake);
    free(scene);
    return 0;
}

/* Answers. */

static void what_is_at_hand_is_answered_at_once(void **state)
{
    struct scene *scene = *state;
    struct tree_file *packet = open_path(scene->tree, "/packets/00000/00000001-gp0.bin");
    struct tree_file *picture = open_path(scene->tree, "/frames/000000.png");
    struct caller caller;

    scene->fake->shut = true;
    submit_read(&caller, packet, 3, 100);
    assert_true(is_answered(&caller));
    assert_int_equal(caller.request.window.length, FAKE_PACKET_BYTES - 3);
    assert_int_equal(answer(&caller), 0);

    caller_init(&caller);
    tree_submit_stat(scene->tree, inode_pack(RULE_FRAME_PNG, 0), &caller.request);
    assert_true(is_answered(&caller));
    assert_int_equal(answer(&caller), 0);
    submit_read(&caller, picture, caller.request.attributes.size, 10);
    assert_true(is_answered(&caller));
    assert_int_equal(caller.request.window.length, 0);
    assert_int_equal(answer(&caller), 0);

    caller_init(&caller);
    tree_submit_stat(scene->tree, inode_pack(RULE_FRAME_PNG, 4), &caller.request);
    assert_int_equal(answer(&caller), -ENOENT);
    caller_init(&caller);
    tree_submit_stat(scene->tree, TREE_ROOT, &caller.request);
    assert_int_equal(answer(&caller), 0);
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
        assert_int_equal(answer(&caller), 0);
        assert_int_equal(tree_stat(scene->tree, inode, NULL, &attributes), 0);
        assert_int_equal(caller.request.attributes.size, attributes.size);
        assert_int_equal(caller.request.attributes.inode, inode);
    }
}

static void a_listing_is_read_through_its_offsets(void **state)
{
    struct scene *scene = *state;
    struct tree_file *file = open_path(scene->tree, "/things/00-a/long.txt");
    struct caller callers[40];

    for (unsigned i = 0; i < COUNT_OF(callers); i++)
        submit_read(&callers[i], file, (uint64_t)(i * 17 % 40) * 65536 + 65536 - 64, 100);
    for (unsigned i = 0; i < COUNT_OF(callers); i++) {
        char expected[64];

        sem_wait(&callers[i].answered);
        sem_post(&callers[i].answered);
        assert_int_equal(callers[i].request.window.length, 64);
        snprintf(expected, sizeof(expected), "%031u %030d", i * 17 % 40, 102);
        assert_memory_equal(callers[i].request.window.data, expected, 62);
        assert_int_equal(answer(&callers[i]), 0);
    }
    tree_close(&file);
}

static void failures_are_answered(void **state)
{
    struct scene *scene = *state;
    struct tree_file *file = open_path(scene->tree, "/things/00-a/broken.txt");
    struct caller caller;
    uint64_t inode = 0;

    submit_read(&caller, file, 0, 10);
    assert_int_equal(answer(&caller), -EIO);
    scene->fake->failure = -ENOMEM;
    submit_read(&caller, file, 0, 10);
    assert_int_equal(answer(&caller), -ENOMEM);
    assert_int_equal(tree_find(scene->tree, "/things/00-a/broken.txt", true, &inode), 0);
    caller_init(&caller);
    tree_submit_stat(scene->tree, inode, &caller.request);
    assert_int_equal(answer(&caller), -ENOMEM);
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

static uint64_t find(struct tree *tree, const char *path)
{
    uint64_t inode = 0;

    assert_int_equal(tree_find(tree, path, false, &inode), 0);
    return inode;
}

/* The caller is not kept waiting; the answer comes when the gate is opened. */
static int answer_behind_the_gate(struct scene *scene, struct caller *caller)
{
    unsigned before = scene->fake->preparations;

    await(&scene->fake->slow, 1);
    assert_false(is_answered(caller));
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
    uint64_t late = find(scene->tree, "/late"), group = 0, bin = 0;
    struct names names = {.max = 100};
    struct caller caller;

    scene->fake->unknown = scene->fake->shut = true;
    caller_init(&caller);
    tree_submit_lookup(scene->tree, late, "01", &caller.request);
    assert_int_equal(answer_behind_the_gate(scene, &caller), 0);
    group = caller.request.attributes.inode;
    assert_int_equal(caller.request.attributes.kind, RULE_DIRECTORY);
    assert_int_equal(answer(&caller), 0);

    caller_init(&caller);
    tree_submit_list(scene->tree, group, 0, note_name, &names, &caller.request);
    assert_int_equal(answer_behind_the_gate(scene, &caller), 0);
    assert_string_equal(names.all, ". .. 00.bin 01.bin 02.bin there ");
    assert_int_equal(answer(&caller), 0);

    caller_init(&caller); /* the name is known, its size is not */
    tree_submit_lookup(scene->tree, group, "02.bin", &caller.request);
    assert_int_equal(answer_behind_the_gate(scene, &caller), 0);
    bin = caller.request.attributes.inode;
    assert_int_equal(caller.request.attributes.size, 1000 + inode_key(bin));
    assert_int_equal(answer(&caller), 0);

    caller_init(&caller);
    tree_submit_link(scene->tree, inode_pack(inode_rule(bin) + 2, inode_key(group)),
                     &caller.request);
    assert_int_equal(answer_behind_the_gate(scene, &caller), 0);
    assert_memory_equal(caller.request.window.data, "01.bin", 6);
    assert_int_equal(answer(&caller), 0);

    caller_init(&caller); /* all is known now */
    tree_submit_lookup(scene->tree, group, "maybe.txt", &caller.request);
    assert_true(is_answered(&caller));
    assert_int_equal(answer(&caller), -ENOENT);
}

/* From an inode number of an earlier mount: the directories above are not known either. */
static void a_number_is_answered_through_all_that_is_above_it(void **state)
{
    struct scene *scene = *state;
    uint64_t bin = find(scene->tree, "/late/01/02.bin");
    struct tree_attributes attributes;
    struct caller caller;

    scene->fake->unknown = true;
    assert_int_equal(tree_attributes(scene->tree, bin, &attributes), -EAGAIN);
    caller_init(&caller);
    tree_submit_stat(scene->tree, bin, &caller.request);
    assert_int_equal(answer(&caller), 0);
    assert_int_equal(caller.request.attributes.size, 1000 + inode_key(bin));
    assert_int_equal(scene->fake->preparations, 3);

    scene->fake->known = 0;
    caller_init(&caller);
    tree_submit_open(scene->tree, bin, &caller.request);
    assert_int_equal(answer(&caller), 0);
    assert_int_equal(scene->fake->preparations, 5);
    submit_read(&caller, caller.request.opened, 0, 10);
    assert_int_equal(answer(&caller), 0);
    assert_int_equal(caller.request.window.length, 10);
    tree_close(&caller.request.file);
}

/* A directory is listed on from where the need arose, by a request from there. */
static void a_synchronous_walk_waits(void **state)
{
    struct scene *scene = *state;
    struct names names = {.max = 3};
    uint64_t cursor = 0, inode = 0;

    scene->fake->unknown = true;
    assert_int_equal(tree_find(scene->tree, "/late/02/there", true, &inode), 0);
    assert_int_equal(scene->fake->preparations, 3);
    scene->fake->known = 0;
    assert_int_equal(tree_list(scene->tree, find(scene->tree, "/late"), &cursor, note_name, &names),
                     0);
    names.max = 100;
    assert_int_equal(tree_list(scene->tree, find(scene->tree, "/late"), &cursor, note_name, &names),
                     0);
    assert_string_equal(names.all, ". .. 00 01 02 ");
}

static void many_requests_have_it_prepared_once(void **state)
{
    struct scene *scene = *state;
    uint64_t late = find(scene->tree, "/late");
    struct caller callers[20];

    scene->fake->unknown = scene->fake->shut = true;
    for (int i = 0; i < 20; i++) {
        caller_init(&callers[i]);
        tree_submit_lookup(scene->tree, late, i % 2 == 0 ? "00" : "07", &callers[i].request);
    }
    await(&scene->fake->slow, 1);
    for (int i = 0; i < 4; i++) {
        tree_cancel_request(&callers[i].request);
        assert_int_equal(answer(&callers[i]), -EINTR);
    }
    scene->fake->shut = false;
    for (int i = 4; i < 20; i++)
        assert_int_equal(answer(&callers[i]), i % 2 == 0 ? 0 : -ENOENT);
    assert_int_equal(scene->fake->preparations, 1);
    assert_int_equal(statistics(scene->tree).items, 0);
}

static void what_is_never_known_is_an_error(void **state)
{
    struct scene *scene = *state;
    uint64_t late = find(scene->tree, "/late"), inode = 0;
    struct caller caller;

    scene->fake->unknown = scene->fake->useless = true;
    caller_init(&caller);
    tree_submit_lookup(scene->tree, late, "01", &caller.request);
    assert_int_equal(answer(&caller), -EIO);
    assert_int_equal(tree_lookup(scene->tree, late, "01", &inode), -EIO);
    assert_in_range(scene->fake->preparations, 2, 100);

    scene->fake->shut = true;
    caller_init(&caller);
    tree_submit_lookup(scene->tree, late, "01", &caller.request);
    await(&scene->fake->slow, 1);
    tree_cancel_request(&caller.request);
    assert_int_equal(answer(&caller), -EINTR);
    await(&scene->fake->cancelled, 1);
}

/* One making for many. */

static void fifty_readers_have_one_picture_made(void **state)
{
    struct scene *scene = *state;
    struct tree_file *files[50];
    struct caller callers[50];

    scene->fake->shut = true;
    for (int i = 0; i < 50; i++) {
        files[i] = open_path(scene->tree, "/frames/000003.png");
        submit_read(&callers[i], files[i], 0, 10);
    }
    for (int i = 0; i < 50; i++)
        assert_false(is_answered(&callers[i]));
    scene->fake->shut = false;
    for (int i = 0; i < 50; i++) {
        assert_int_equal(answer(&callers[i]), 0);
        tree_close(&files[i]);
    }
    assert_int_equal(scene->fake->pictures, 1);
    assert_int_equal(statistics(scene->tree).made[CACHE_RENDER], 1);
}

/* Reads ahead of a file that the cache cannot hold, again and again while it is made. */
static void one_handle_makes_a_large_file_once(void **state)
{
    struct scene *scene = *state;

    for (unsigned round = 0; round < 50; round++) {
        struct tree_file *file = open_path(scene->tree, "/things/00-a/big.bin");
        struct caller callers[24];
        unsigned before = scene->fake->bigs;

        scene->fake->shut = true;
        for (unsigned i = 0; i < 24; i++) {
            if (i == 12)
                scene->fake->shut = false;
            submit_read(&callers[i], file, i * 65536, 65536);
        }
        for (unsigned i = 0; i < 24; i++)
            assert_int_equal(answer(&callers[i]), 0);
        tree_close(&file);
        /* The one before is found, and none made, while the thread that made it has not let go. */
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
    await(&scene->fake->slow, 1);
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
    struct tree_file *file = open_path(scene->tree, "/frames/000003.png");
    struct caller callers[COUNT_OF(paths)], reader;

    scene->fake->shut = scene->fake->quick = true;
    scene->fake->settled = false;
    for (size_t i = 0; i < COUNT_OF(paths); i++) {
        caller_init(&callers[i]);
        tree_submit_stat(scene->tree, find(scene->tree, paths[i]), &callers[i].request);
    }
    for (int i = 0; i < 100 && scene->fake->slow + scene->fake->settlings == 0; i++)
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    submit_read(&reader, file, 0, 10);
    assert_int_equal(answer(&reader), 0);
    assert_int_equal(scene->fake->slow + scene->fake->settlings, 1);
    scene->fake->shut = false;
    scene->fake->settled = true;
    for (size_t i = 0; i < COUNT_OF(paths); i++)
        assert_int_equal(answer(&callers[i]), 0);
    tree_close(&file);
}

/* Callers that go away. */

static void a_reader_that_goes_away_disturbs_no_one(void **state)
{
    struct scene *scene = *state;
    struct tree_file *one = open_path(scene->tree, "/frames/000003.png");
    struct tree_file *two = open_path(scene->tree, "/frames/000003.png");
    struct caller callers[6];

    scene->fake->shut = true;
    for (int i = 0; i < 6; i++)
        submit_read(&callers[i], i < 3 ? one : two, 0, 10);
    await(&scene->fake->slow, 1);
    for (int i = 0; i < 5; i++) { /* all of the first file, and some of the other */
        tree_cancel_request(&callers[i].request);
        assert_int_equal(answer(&callers[i]), -EINTR);
    }
    tree_close(&one);
    assert_int_equal(scene->fake->cancelled, 0);
    scene->fake->shut = false;
    assert_int_equal(answer(&callers[5]), 0);
    assert_int_equal(scene->fake->pictures, 1);
    tree_cancel_request(&callers[5].request); /* too late, and harmless */
    assert_int_equal(callers[5].answers, 1);
    tree_close(&two);
}

static void the_last_reader_to_go_away_ends_the_making(void **state)
{
    struct scene *scene = *state;
    struct tree_file *file = open_path(scene->tree, "/things/00-a/big.bin");
    struct caller callers[2], later;

    scene->fake->shut = true;
    submit_read(&callers[0], file, 0, 10);
    submit_read(&callers[1], file, 10, 10);
    await(&scene->fake->slow, 1);
    tree_cancel_request(&callers[0].request);
    tree_cancel_request(&callers[1].request);
    assert_int_equal(answer(&callers[0]), -EINTR);
    assert_int_equal(answer(&callers[1]), -EINTR);
    submit_read(&later, file, 0, 10); /* comes while the making is being given up */
    await(&scene->fake->cancelled, 1);
    await(&scene->fake->slow, 1);
    assert_false(is_answered(&later));
    scene->fake->shut = false;
    assert_int_equal(answer(&later), 0);
    assert_int_equal(scene->fake->bigs, 1);
    tree_close(&file);
}

enum { MEETINGS = 6000 };

struct meeting {
    pthread_barrier_t *barrier;
    struct tree_file **file;
};

static void *come_and_go(void *context)
{
    struct meeting *meeting = context;

    for (int i = 0; i < MEETINGS; i++) {
        struct caller caller;

        pthread_barrier_wait(meeting->barrier);
        submit_read(&caller, *meeting->file, 0, 10);
        tree_cancel_request(&caller.request);
        sem_wait(&caller.answered);
        blob_unref(&caller.request.window.blob);
        sem_destroy(&caller.answered);
        pthread_barrier_wait(meeting->barrier);
    }
    return NULL;
}

/* Comes a little earlier or later each time, also just when the other one leaves. */
static void a_request_as_the_last_one_leaves_is_served(void **state)
{
    struct scene *scene = *state;
    struct tree_file *file = NULL;
    pthread_barrier_t barrier;
    struct meeting meeting = {.barrier = &barrier, .file = &file};
    pthread_t other;
    int failures = 0;

    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&other, NULL, come_and_go, &meeting);
    for (int i = 0; i < MEETINGS; i++) {
        struct caller caller;

        file = open_path(scene->tree, "/things/00-a/broken.txt"); /* made anew each time */
        pthread_barrier_wait(&barrier);
        for (volatile int pause = 0; pause < i % 100 * 20; pause++)
            ;
        submit_read(&caller, file, 0, 10);
        failures += answer(&caller) != -EIO;
        pthread_barrier_wait(&barrier);
        tree_close(&file);
    }
    pthread_join(other, NULL);
    pthread_barrier_destroy(&barrier);
    assert_int_equal(failures, 0);
}

static void a_size_that_nobody_wants_is_not_waited_for(void **state)
{
    struct scene *scene = *state;
    uint64_t inode = 0;
    struct caller caller;

    scene->fake->shut = true;
    assert_int_equal(tree_find(scene->tree, "/things/00-a/long.txt", true, &inode), 0);
    caller_init(&caller);
    tree_submit_stat(scene->tree, inode, &caller.request);
    await(&scene->fake->slow, 1);
    tree_cancel_request(&caller.request);
    assert_int_equal(answer(&caller), -EINTR);
    await(&scene->fake->cancelled, 1);
}

static void pieces_that_nobody_wants_are_not_counted(void **state)
{
    struct scene *scene = *state;
    struct caller caller;

    scene->fake->shut = scene->fake->counting = true;
    caller_init(&caller);
    tree_submit_stat(scene->tree, find(scene->tree, "/things/00-a/long.txt"), &caller.request);
    await(&scene->fake->slow, 1);
    tree_cancel_request(&caller.request);
    assert_int_equal(answer(&caller), -EINTR);
    await(&scene->fake->cancelled, 1);
    await(&scene->fake->slow, 0);
}

static void the_problems_wait_until_all_is_known(void **state)
{
    struct scene *scene = *state;
    struct tree_file *file = open_path(scene->tree, "/problems.txt");
    struct caller caller, other;

    scene->fake->settled = false;
    submit_read(&caller, file, 0, 100);
    submit_read(&other, file, 0, 100);
    await(&scene->fake->settlings, 1);
    tree_cancel_request(&other.request);
    assert_int_equal(answer(&other), -EINTR);
    problems_add(scene->fake->problems, PROBLEM_ERROR, 8, 1, "found late");
    assert_false(is_answered(&caller));
    scene->fake->settled = true;
    sem_wait(&caller.answered);
    sem_post(&caller.answered);
    assert_true(caller.request.window.length > 0);
    assert_int_equal(answer(&caller), 0);
    tree_close(&file);
}

static void the_end_of_the_tree_answers_everyone(void **state)
{
    struct scene *scene = *state;
    struct caller callers[8];
    static const char *const paths[] = {"/frames/000000.png", "/frames/000001.png",
                                        "/things/00-a/big.bin", "/things/00-a/long.txt"};

    scene->fake->shut = true;
    for (int i = 0; i < 8; i++)
        submit_read(&callers[i], open_path(scene->tree, paths[i % 4]), 0, 10);
    await(&scene->fake->slow, 2);
    tree_destroy(&scene->tree);
    for (int i = 0; i < 8; i++)
        assert_int_equal(answer(&callers[i]), -EINTR);
    assert_int_equal(scene->fake->closed, 1);
}

/* Everything at once. */

enum { STRESS_FILES = 4, STRESS_THREADS = 4, STRESS_ROUNDS = 400, STRESS_CALLERS = 6 };

struct stress {
    struct tree *tree;
    struct tree_file **files;
    uint64_t random;
    pthread_t thread;
    atomic_uint *failures;
};

static void stress_round(struct stress *stress)
{
    struct caller callers[STRESS_CALLERS];
    unsigned cancelled = 0;

    for (int i = 0; i < STRESS_CALLERS; i++) {
        uint64_t random = support_random(&stress->random);

        submit_read(&callers[i], stress->files[random % STRESS_FILES], (random >> 8) % 3000000,
                    random >> 40);
        if ((random >> 32) % 3 == 0) {
            tree_cancel_request(&callers[i].request);
            cancelled |= 1U << i;
        }
    }
    for (int i = 0; i < STRESS_CALLERS; i++) {
        sem_wait(&callers[i].answered);
        if (callers[i].status != 0 && !(callers[i].status == -EINTR && (cancelled & 1U << i) != 0))
            ++*stress->failures;
        blob_unref(&callers[i].request.window.blob);
        sem_destroy(&callers[i].answered);
    }
}

static void *run_stress(void *context)
{
    struct stress *stress = context;

    for (int round = 0; round < STRESS_ROUNDS; round++) {
        struct tree_file *own = NULL;
        struct tree_window window = {0};

        stress_round(stress);
        if (tree_open(stress->tree, inode_pack(RULE_FRAME_PNG, round % 4), &own) != 0 ||
            tree_read(own, 0, 10, NULL, &window) != 0)
            ++*stress->failures;
        blob_unref(&window.blob);
        tree_close(&own);
    }
    return NULL;
}

static void many_threads_request_and_cancel(void **state)
{
    struct scene *scene = *state;
    struct tree_file *files[STRESS_FILES] = {
        open_path(scene->tree, "/things/00-a/big.bin"),
        open_path(scene->tree, "/things/01-b/long.txt"),
        open_path(scene->tree, "/packets.tsv"),
        open_path(scene->tree, "/frames/000002.png"),
    };
    struct stress threads[STRESS_THREADS];
    atomic_uint failures = 0;

    for (uint64_t i = 0; i < STRESS_THREADS; i++) {
        threads[i] = (struct stress){
            .tree = scene->tree, .files = files, .random = i + 1, .failures = &failures};
        pthread_create(&threads[i].thread, NULL, run_stress, &threads[i]);
    }
    for (int i = 0; i < STRESS_THREADS; i++)
        pthread_join(threads[i].thread, NULL);
    assert_int_equal(failures, 0);
    for (int i = 0; i < STRESS_FILES; i++)
        tree_close(&files[i]);
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
        TEST(a_reader_that_goes_away_disturbs_no_one),
        TEST(the_last_reader_to_go_away_ends_the_making),
        TEST(a_request_as_the_last_one_leaves_is_served),
        TEST(a_size_that_nobody_wants_is_not_waited_for),
        TEST(pieces_that_nobody_wants_are_not_counted),
        TEST(the_problems_wait_until_all_is_known),
        TEST(the_end_of_the_tree_answers_everyone),
        TEST(many_threads_request_and_cancel),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

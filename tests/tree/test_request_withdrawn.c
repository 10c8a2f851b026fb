/* SPDX-License-Identifier: MIT */
/* Requests that are cancelled at any moment, and those that stay. */
#include "config.h"

#include "tests/tree/caller.h"

#include "tree/inode.h"

#include "tests/support/support.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

static void a_reader_that_goes_away_disturbs_no_one(void **state)
{
    struct scene *scene = *state;
    struct tree_file *one = scene_open(scene->tree, "/frames/000003.png");
    struct tree_file *two = scene_open(scene->tree, "/frames/000003.png");
    struct caller callers[6];

    scene->fake->shut = true;
    for (int i = 0; i < 6; i++)
        caller_read(&callers[i], i < 3 ? one : two, 0, 10);
    caller_await(&scene->fake->slow, 1);
    for (int i = 0; i < 5; i++) { /* all requests of the first file, and some of the second */
        tree_cancel_request(&callers[i].request);
        assert_int_equal(caller_answer(&callers[i]), -EINTR);
    }
    tree_close(&one);
    assert_int_equal(scene->fake->cancelled, 0);
    scene->fake->shut = false;
    assert_int_equal(caller_answer(&callers[5]), 0);
    assert_int_equal(scene->fake->pictures, 1);
    tree_cancel_request(&callers[5].request); /* too late, and harmless */
    assert_int_equal(callers[5].answers, 1);
    tree_close(&two);
}

static void the_last_reader_to_go_away_ends_the_making(void **state)
{
    struct scene *scene = *state;
    struct tree_file *file = scene_open(scene->tree, "/things/00-a/big.bin");
    struct caller callers[2], later;

    scene->fake->shut = true;
    caller_read(&callers[0], file, 0, 10);
    caller_read(&callers[1], file, 10, 10);
    caller_await(&scene->fake->slow, 1);
    tree_cancel_request(&callers[0].request);
    tree_cancel_request(&callers[1].request);
    assert_int_equal(caller_answer(&callers[0]), -EINTR);
    assert_int_equal(caller_answer(&callers[1]), -EINTR);
    caller_read(&later, file, 0, 10); /* comes while the making is being cancelled */
    caller_await(&scene->fake->cancelled, 1);
    caller_await(&scene->fake->slow, 1);
    assert_false(caller_is_answered(&later));
    scene->fake->shut = false;
    assert_int_equal(caller_answer(&later), 0);
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
        caller_read(&caller, *meeting->file, 0, 10);
        tree_cancel_request(&caller.request);
        sem_wait(&caller.answered);
        blob_unref(&caller.request.window.blob);
        sem_destroy(&caller.answered);
        pthread_barrier_wait(meeting->barrier);
    }
    return NULL;
}

/*
 * The request comes a little earlier or later each time, also just when the other one is cancelled.
 */
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

        file = scene_open(scene->tree, "/things/00-a/broken.txt"); /* made again each time */
        pthread_barrier_wait(&barrier);
        for (volatile int pause = 0; pause < i % 100 * 20; pause++)
            ;
        caller_read(&caller, file, 0, 10);
        failures += caller_answer(&caller) != -EIO;
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
    caller_await(&scene->fake->slow, 1);
    tree_cancel_request(&caller.request);
    assert_int_equal(caller_answer(&caller), -EINTR);
    caller_await(&scene->fake->cancelled, 1);
}

static void pieces_that_nobody_wants_are_not_counted(void **state)
{
    struct scene *scene = *state;
    struct caller caller;

    scene->fake->shut = scene->fake->counting = true;
    caller_init(&caller);
    tree_submit_stat(scene->tree, scene_find(scene->tree, "/things/00-a/long.txt"),
                     &caller.request);
    caller_await(&scene->fake->slow, 1);
    tree_cancel_request(&caller.request);
    assert_int_equal(caller_answer(&caller), -EINTR);
    caller_await(&scene->fake->cancelled, 1);
    caller_await(&scene->fake->slow, 0);
}

/* Opening problems.txt waits, so that the reader gets all problems. */
static void the_problems_wait_until_all_is_known(void **state)
{
    struct scene *scene = *state;
    uint64_t inode = scene_find(scene->tree, "/problems.txt");
    struct caller caller, other;
    struct tree_window window;
    struct tree_file *file;

    scene->fake->settled = false;
    caller_init(&caller);
    caller_init(&other);
    tree_submit_open(scene->tree, inode, &caller.request);
    tree_submit_open(scene->tree, inode, &other.request);
    caller_await(&scene->fake->settlings, 1);
    tree_cancel_request(&other.request);
    assert_int_equal(caller_answer(&other), -EINTR);
    problems_add(scene->fake->problems, PROBLEM_ERROR, 8, 1, "found late");
    assert_false(caller_is_answered(&caller));
    scene->fake->settled = true;
    assert_int_equal(caller_answer(&caller), 0);
    file = caller.request.opened;
    assert_int_equal(tree_read(file, 0, 100, NULL, &window), 0);
    assert_true(window.length > 0);
    blob_unref(&window.blob);
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
        caller_read(&callers[i], scene_open(scene->tree, paths[i % 4]), 0, 10);
    caller_await(&scene->fake->slow, 2);
    tree_destroy(&scene->tree);
    for (int i = 0; i < 8; i++)
        assert_int_equal(caller_answer(&callers[i]), -EINTR);
    assert_int_equal(scene->fake->closed, 1);
}

/* Everything at the same time. */

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

        caller_read(&callers[i], stress->files[random % STRESS_FILES], (random >> 8) % 3000000,
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
        scene_open(scene->tree, "/things/00-a/big.bin"),
        scene_open(scene->tree, "/things/01-b/long.txt"),
        scene_open(scene->tree, "/packets.tsv"),
        scene_open(scene->tree, "/frames/000002.png"),
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

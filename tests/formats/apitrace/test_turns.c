/* SPDX-License-Identifier: MIT */
/*
 * What is computed from a trace when it is first needed: one thread computes it, others wait or
 * leave.
 */
#include "config.h"

#include "tests/formats/apitrace/open.h"
#include "tests/formats/apitrace/script.h"
#include "tests/support/support.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 8 };

static const char script[] = "glXCreateContext(dpy=0x1, vis=null, shareList=null, direct=1) = 0xC\n"
                             "glXMakeCurrent(dpy=0x1, drawable=5, ctx=0xC) = 1\n"
                             "glShaderSource(shader=1, count=1, string={\"x\"}, length=null)\n"
                             "glViewport(x=0, y=0, width=100, height=50)\n"
                             "glDrawArrays(mode=4, first=0, count=3)\n"
                             "glXSwapBuffers(dpy=0x1, drawable=5)\n";

static char *folder;
static struct apitrace_opened opened;

static struct apitrace_dump *dump(void)
{
    return apitrace_dump_of(tree_dump(opened.tree));
}

static int ask_for_objects(const struct cancel *cancel)
{
    const struct apitrace_object_index *objects;

    return apitrace_dump_objects(&dump()->base, cancel, &objects);
}

static int ask_for_presentation(const struct cancel *cancel)
{
    const struct apitrace_presentation *presentation;

    return apitrace_dump_presentation(&dump()->base, cancel, &presentation);
}

static bool has_objects(void)
{
    return apitrace_dump_peek_objects(&dump()->base) != NULL;
}

static bool has_presentation(void)
{
    return apitrace_dump_peek_presentation(&dump()->base) != NULL;
}

struct waiter {
    int (*ask)(const struct cancel *cancel);
    struct cancel cancel;
    pthread_t thread;
    int status;
};

static void *wait_for_it(void *context)
{
    struct waiter *waiter = context;

    waiter->status = waiter->ask(&waiter->cancel);
    return NULL;
}

static void start_waiter(struct waiter *waiter, int (*ask)(const struct cancel *cancel))
{
    waiter->ask = ask;
    cancel_init(&waiter->cancel, NULL);
    assert_int_equal(pthread_create(&waiter->thread, NULL, wait_for_it, waiter), 0);
}

/* This thread has the lock, and stands for one that goes through a long trace. */
static void expect_waiter_leaves(struct cancellable_mutex *turn,
                                 int (*ask)(const struct cancel *cancel), bool (*has)(void))
{
    struct waiter waiter;

    assert_int_equal(cancellable_mutex_lock(turn, NULL), 0);
    start_waiter(&waiter, ask);
    assert_false(has()); /* and does not wait */
    cancel_raise(&waiter.cancel);
    pthread_join(waiter.thread, NULL);
    assert_int_equal(waiter.status, -EINTR);
    cancellable_mutex_unlock(turn);
    assert_false(has());
    assert_int_equal(ask(NULL), 0);
    assert_true(has());
}

static void a_cancelled_waiter_leaves(void **state)
{
    (void)state;
    expect_waiter_leaves(&dump()->objects_mutex, ask_for_objects, has_objects);
    expect_waiter_leaves(&dump()->presentation_mutex, ask_for_presentation, has_presentation);
}

static void what_is_found_needs_no_turn(void **state)
{
    (void)state;
    assert_int_equal(ask_for_objects(NULL), 0);
    assert_int_equal(ask_for_presentation(NULL), 0);
    assert_int_equal(cancellable_mutex_lock(&dump()->objects_mutex, NULL), 0);
    assert_int_equal(cancellable_mutex_lock(&dump()->presentation_mutex, NULL), 0);
    assert_int_equal(ask_for_objects(NULL), 0);
    assert_int_equal(ask_for_presentation(NULL), 0);
    assert_true(has_objects() && has_presentation());
    cancellable_mutex_unlock(&dump()->objects_mutex);
    cancellable_mutex_unlock(&dump()->presentation_mutex);
}

/* Threads that leave do not disturb those that stay. */
static void expect_found(int (*ask)(const struct cancel *cancel), bool (*has)(void))
{
    struct waiter waiters[THREADS];

    for (unsigned i = 0; i < THREADS; i++) {
        start_waiter(&waiters[i], ask);
        if (i % 2 != 0)
            cancel_raise(&waiters[i].cancel);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        pthread_join(waiters[i].thread, NULL);
        if (i % 2 == 0 || waiters[i].status != -EINTR)
            assert_int_equal(waiters[i].status, 0);
    }
    assert_true(has());
}

static void many_ask_at_once(void **state)
{
    (void)state;
    expect_found(ask_for_objects, has_objects);
    expect_found(ask_for_presentation, has_presentation);
}

static int open_script(void **state)
{
    char *path = support_path(folder, "script.trace");

    (void)state;
    apitrace_script(path, script);
    apitrace_open(path, &opened);
    free(path);
    return 0;
}

static int close_script(void **state)
{
    (void)state;
    apitrace_close(&opened);
    return 0;
}

static int make_folder(void **state)
{
    (void)state;
    folder = support_folder();
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    support_remove(&folder);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_cancelled_waiter_leaves, open_script, close_script),
        cmocka_unit_test_setup_teardown(what_is_found_needs_no_turn, open_script, close_script),
        cmocka_unit_test_setup_teardown(many_ask_at_once, open_script, close_script),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

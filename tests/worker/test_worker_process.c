/* SPDX-License-Identifier: MIT */
/* When the process of a worker starts, and when it ends. */
#include "worker/worker.h"
#include "worker/worker_program.h"

#include "tests/support/support.h"
#include "tests/worker/fakeworker_calls.h"

#include "base/bytes.h"
#include "base/thread.h"
#include "source/source.h"
#include "worker/launch.h"
#include "worker/message.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static void test_nothing_is_started(void **state)
{
    struct worker *worker = fakeworker_create(), *none = NULL;

    (void)state;
    assert_int_equal(worker_starts(worker), 0);
    worker_destroy(&worker);
    worker_destroy(&none);
    assert_null(worker);
    fakeworker_assert_ended();
}

/*
 * Nothing of the dump, which is unreadable memory here, is read before a process starts: opening a
 * dump does not cost what a picture needs.
 */
static void test_dump_is_not_read_before_a_start(void **state)
{
    const size_t size = 1 << 20;
    struct source source = {.size = size, .file_size = size};
    const struct worker_params params = {.program = fakeworker_program, .kept_for = &source};
    struct worker *worker;

    (void)state;
    source.data = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(source.data, MAP_FAILED);
    assert_int_equal(worker_create(&params, &worker), 0);
    worker_drop_shaders(worker);
    worker_destroy(&worker);
    assert_int_equal(munmap((void *)(uintptr_t)source.data, size), 0);
}

static void test_no_program(void **state)
{
    const struct worker_params params = {.program = "/nowhere/at/all"};
    struct worker_reply reply;
    struct worker *worker;

    (void)state;
    assert_int_equal(worker_create(&params, &worker), 0);
    assert_int_equal(worker_start(worker, NULL), -ENOENT);
    assert_int_equal(fakeworker_call(worker, FAKE_ECHO, "", 0, &reply), -ENOENT);
    assert_string_not_equal(reply.reason, "");
    assert_null(reply.payload);
    worker_destroy(&worker);
    fakeworker_assert_ended();
}

/* Processes that keep failing cost a holder a limited time. */
static void test_failures_have_a_limit(void **state)
{
    const struct worker_params params = {.program = fakeworker_program, .time_limit_ms = SHORT_MS};
    struct worker *worker;
    struct worker_reply reply;
    int status = -ETIMEDOUT;
    uint64_t starts;

    (void)state;
    assert_int_equal(worker_create(&params, &worker), 0);
    for (int hold = 0; hold < 2; hold++) {
        starts = worker_starts(worker);
        assert_int_equal(worker_acquire(worker, NULL), 0);
        for (int i = 0; i < 20; i++)
            status = fakeworker_call(worker, FAKE_HANG, "", 0, &reply);
        assert_int_equal(status, -ETIMEDOUT);
        assert_false(reply.died);
        assert_string_not_equal(reply.reason, "");
        assert_true(worker_starts(worker) > starts);
        assert_true(worker_starts(worker) - starts <= 4);
        worker_release(worker);
    }
    worker_destroy(&worker);
    fakeworker_assert_ended();
}

static struct worker *create_drowsy(void)
{
    const struct worker_params params = {
        .program = fakeworker_program, .time_limit_ms = LONG_MS, .memory_limit = FAKE_DROWSY};
    struct worker *worker = NULL;

    assert_int_equal(worker_create(&params, &worker), 0);
    return worker;
}

/*
 * Cancels the start of a process, which may take long: the start goes on, and the process serves
 * the next call.
 */
static void test_cancelled_while_it_starts(void **state)
{
    const struct worker_request echo = {.kind = FAKE_ECHO, .max_reply = 10};
    struct worker_reply reply;

    (void)state;
    for (int ahead = 0; ahead < 2; ahead++) {
        struct worker *worker = create_drowsy();
        struct cancel cancel;
        pthread_t thread;

        cancel_init(&cancel, NULL);
        assert_int_equal(thread_start(&thread, fakeworker_raise_soon, &cancel), 0);
        assert_int_equal(ahead ? worker_start(worker, &cancel)
                               : worker_call(worker, &echo, &cancel, &reply),
                         -EINTR);
        pthread_join(thread, NULL);
        assert_int_equal(worker_start(worker, NULL), 0); /* the process runs */
        kill(worker_process(worker), SIGUSR1);
        fakeworker_assert_echo(worker);
        assert_int_equal(worker_starts(worker), 1);
        worker_destroy(&worker);
        fakeworker_assert_ended();
    }
}

static struct worker *create_restless(void)
{
    const struct worker_params params = {
        .program = fakeworker_program, .time_limit_ms = LONG_MS, .idle_ms = 1};
    struct worker *worker = NULL;

    assert_int_equal(worker_create(&params, &worker), 0);
    return worker;
}

/* Waits until the process has ended and was reaped, so that its number is unused. */
static void wait_for_end(pid_t process)
{
    for (int i = 0; i < LONG_MS && kill(process, 0) == 0; i++)
        usleep(1000);
    assert_int_equal(kill(process, 0), -1);
    assert_int_equal(errno, ESRCH);
}

static void test_leaves_when_nobody_needs_it(void **state)
{
    struct worker *worker = create_restless();
    const struct worker_request old = {.kind = FAKE_ECHO, .max_reply = 10, .generation = 1};
    struct worker_reply reply;
    pid_t process = 0;

    (void)state;
    for (unsigned i = 1; i <= 3; i++) {
        assert_int_equal(worker_acquire(worker, NULL), 0);
        fakeworker_assert_echo(worker);
        process = worker_process(worker);
        assert_true(process > 0);
        worker_release(worker);
        wait_for_end(process);

        assert_int_equal(worker_acquire(worker, NULL), 0);
        assert_int_equal(worker_process(worker), 0);
        assert_int_equal(worker_call(worker, &old, NULL, &reply), -ESTALE);
        assert_false(reply.died);
        assert_int_equal(worker_starts(worker), i);
        worker_release(worker);
    }
    worker_destroy(&worker);
    fakeworker_assert_ended();
}

/* The process stays between the calls of a thread that has acquired the worker. */
static void test_stays_while_it_is_needed(void **state)
{
    struct worker *worker = create_restless();
    pid_t process;

    (void)state;
    assert_int_equal(worker_acquire(worker, NULL), 0);
    fakeworker_assert_echo(worker);
    process = worker_process(worker);
    for (int i = 0; i < 20; i++) {
        usleep(3000);
        fakeworker_assert_echo(worker);
    }
    assert_int_equal(worker_process(worker), process);
    assert_int_equal(worker_starts(worker), 1);
    worker_release(worker);
    worker_destroy(&worker);
    fakeworker_assert_ended();
}

/*
 * A caller starts the process ahead while it does something else; its first call finds the process.
 */
static void test_started_ahead(void **state)
{
    struct worker *worker = fakeworker_create();
    struct cancel cancel;
    pid_t process;

    (void)state;
    assert_int_equal(worker_start(worker, NULL), 0);
    process = worker_process(worker);
    assert_int_not_equal(process, 0);
    assert_int_equal(worker_start(worker, NULL), 0);
    fakeworker_assert_echo(worker);
    assert_int_equal(worker_process(worker), process);
    assert_int_equal(worker_starts(worker), 1);
    worker_destroy(&worker);

    /* Started by a caller that has cancelled already. */
    cancel_init(&cancel, NULL);
    cancel_raise(&cancel);
    worker = fakeworker_create();
    assert_int_equal(worker_start(worker, &cancel), -EINTR);
    fakeworker_assert_echo(worker);
    assert_int_equal(worker_starts(worker), 1);
    worker_destroy(&worker);
    fakeworker_assert_ended();
}

static void test_killed_between_calls(void **state)
{
    struct worker *worker = fakeworker_create();
    struct worker_reply reply;

    (void)state;
    fakeworker_assert_echo(worker);
    kill(worker_process(worker), SIGKILL);
    assert_int_equal(fakeworker_call(worker, FAKE_ECHO, "", 0, &reply), -EIO);
    assert_true(reply.died && reply.killed);
    fakeworker_assert_echo(worker);
    worker_destroy(&worker);
    fakeworker_assert_ended();
}

static void test_inherits_five_descriptors(void **state)
{
    struct worker *worker = fakeworker_create();
    struct worker_reply reply;

    (void)state;
    assert_int_equal(fakeworker_call(worker, FAKE_DESCRIPTORS, "", 0, &reply), 0);
    assert_int_equal(bytes_le32(reply.payload->data), LAUNCH_BREADCRUMB + 1);
    blob_unref(&reply.payload);
    worker_destroy(&worker);
}

/* The real program, as far as it runs without a driver. */
static void test_the_real_worker(void **state)
{
    const struct worker_params params = {.program = NULL};
    const struct worker_request hello = {.kind = MESSAGE_HELLO, .max_reply = 64};
    struct worker_reply reply;
    struct worker *worker;

    char *path = worker_program();
    bool built = path != NULL && access(path, X_OK) == 0;

    (void)state;
    free(path);
    if (!built)
        support_skip("built without the graphics worker");
    assert_int_equal(worker_create(&params, &worker), 0);
    assert_int_equal(worker_call(worker, &hello, NULL, &reply), 0);
    assert_int_equal(reply.payload->size, 4);
    assert_true((bytes_le32(reply.payload->data) & 1) != 0);
    blob_unref(&reply.payload);
    assert_int_equal(fakeworker_call(worker, 999, "", 0, &reply), -EOPNOTSUPP);
    assert_int_equal(fakeworker_call(worker, MESSAGE_HELLO, "more", 4, &reply), -EPROTO);
    assert_int_equal(worker_starts(worker), 1);
    worker_destroy(&worker);
    fakeworker_assert_ended();
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_is_started),
        cmocka_unit_test(test_dump_is_not_read_before_a_start),
        cmocka_unit_test(test_no_program),
        cmocka_unit_test(test_failures_have_a_limit),
        cmocka_unit_test(test_cancelled_while_it_starts),
        cmocka_unit_test(test_leaves_when_nobody_needs_it),
        cmocka_unit_test(test_stays_while_it_is_needed),
        cmocka_unit_test(test_started_ahead),
        cmocka_unit_test(test_killed_between_calls),
        cmocka_unit_test(test_inherits_five_descriptors),
        cmocka_unit_test(test_the_real_worker),
    };

    (void)count;
    fakeworker_find(arguments[0]);
    return cmocka_run_group_tests_name("worker process", tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* Workers that a launcher starts, and requests that the launcher refuses. */
#include "config.h"

#include "cli/helpers.h"

#include "tests/support/support.h"
#include "worker/launcher.h"
#include "worker/worker.h"
#include "worker/worker_program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char program[4096]; /* tests/worker/fakeworker */
static struct launcher_params params = {.program_file = -1, .namespaces = true};

static void be_launcher(void *context, int socket)
{
    (void)context;
    launcher_serve(&params, socket);
}

static int start_launcher(void **state)
{
    (void)state;
    params.program = program;
    worker_use_program(params.program, NULL);
    return helpers_start(HELPER_LAUNCHER, "launcher", be_launcher, NULL);
}

static int end_launcher(void **state)
{
    (void)state;
    helpers_end();
    return 0;
}

static int asking(enum helper_kind kind, uint64_t number, uint32_t flags, size_t count, int *value)
{
    const int file = open("/dev/null", O_RDWR | O_CLOEXEC);
    const int files[HELPER_FILES] = {file, file, file, file, file, file, file, file};
    struct helper_request request;
    int status;

    helper_fill(&request, kind, program);
    request.number = number;
    request.flags = flags;
    status = helper_ask(HELPER_LAUNCHER, &request, files, count, value, NULL);
    close(file);
    return status;
}

static void it_starts_and_ends_a_worker(void **state)
{
    int process = 0, ended = 0;

    (void)state;
    assert_int_equal(asking(HELPER_START, 0, 0, 3, &process), 0);
    assert_true(process > 0);
    assert_int_equal(waitpid(process, NULL, WNOHANG), -1); /* not a child of this process */
    assert_int_equal(asking(HELPER_REAP, (uint64_t)process, 1, 0, &ended), 0);
    assert_true(WIFSIGNALED(ended) || WIFEXITED(ended));
    assert_int_equal(kill(process, 0), -1);
    assert_int_equal(asking(HELPER_REAP, (uint64_t)process, 1, 0, &ended), -ESRCH);
}

/* The launcher ends no processes except workers. */
static void it_ends_no_other_process(void **state)
{
    pid_t victim = fork();
    int ended;

    (void)state;
    if (victim == 0)
        for (;;)
            pause();
    assert_int_equal(asking(HELPER_REAP, (uint64_t)victim, 1, 0, &ended), -ESRCH);
    assert_int_equal(asking(HELPER_REAP, 0, 1, 0, &ended), -ESRCH);
    assert_int_equal(asking(HELPER_REAP, UINT64_MAX, 1, 0, &ended), -ESRCH);
    assert_int_equal(asking(HELPER_REAP, (UINT64_C(1) << 32) + (uint64_t)victim, 1, 0, &ended),
                     -ESRCH);
    assert_int_equal(waitpid(victim, &ended, WNOHANG), 0);
    kill(victim, SIGKILL);
    assert_int_equal(waitpid(victim, &ended, 0), victim);
}

static void strange_requests_are_refused(void **state)
{
    int value;

    (void)state;
    assert_int_equal(asking(0, 0, 0, 0, &value), -EINVAL);
    assert_int_equal(asking(HELPER_OPEN, 0, 0, 0, &value), -EINVAL);
    for (size_t count = 0; count <= HELPER_FILES; count++)
        if (count != 3)
            assert_int_equal(asking(HELPER_START, 0, 0, count, &value), -EINVAL);
    /* this launcher has no folder for shaders */
    assert_int_equal(asking(HELPER_START, 0, HELPER_SHADERS, 6, &value), -EINVAL);
}

/* Calls work as without a launcher. */
static void a_worker_answers(void **state)
{
    const struct worker_params of = {.program = NULL};
    struct worker *worker = NULL;

    (void)state;
    assert_int_equal(worker_create(&of, &worker), 0);
    assert_int_equal(worker_acquire(worker, NULL), 0);
    assert_int_equal(worker_start(worker, NULL), 0);
    assert_true(worker_process(worker) > 0);
    worker_release(worker);
    worker_destroy(&worker);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_starts_and_ends_a_worker),
        cmocka_unit_test(it_ends_no_other_process),
        cmocka_unit_test(strange_requests_are_refused),
        cmocka_unit_test(a_worker_answers),
    };

    (void)count;
    snprintf(program, sizeof(program), "%.*s/../worker/fakeworker",
             (int)(strrchr(arguments[0], '/') - arguments[0]), arguments[0]);
    return cmocka_run_group_tests(tests, start_launcher, end_launcher);
}

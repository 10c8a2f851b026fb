/* SPDX-License-Identifier: MIT */
/*
 * The confinement of the graphics worker, from inside: no way out is open, neither before drivers
 * are loaded nor afterwards, neither to root nor to a user.
 */
#include "config.h"

#include "worker/worker.h"

#include "tests/support/support.h"
#include "tests/worker/escapee.h"

#include "base/bytes.h"
#include "base/landlock.h"
#include "glworker/core/confine.h"

#include <errno.h>
#include <grp.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOBODY = 65534, LINES_MAX = 4096 };

static char program[PATH_MAX]; /* tests/worker/escapee */

/*
 * Runs escapee, and stores what it could do, which should be nothing, and the layers at the start
 * and at the end. Returns 0 or -errno.
 */
static int try_to_escape(const char *path, char lines[LINES_MAX], unsigned *start, unsigned *now)
{
    const struct worker_params params = {.program = path};
    const struct worker_request request = {.kind = ESCAPEE_TRY, .max_reply = LINES_MAX};
    struct worker_reply reply = {.payload = NULL};
    struct worker *worker;
    int status = worker_create(&params, &worker);

    if (status == 0) {
        status = worker_call(worker, &request, NULL, &reply);
        worker_destroy(&worker);
    }
    if (status == 0) {
        *start = bytes_le32(reply.payload->data);
        *now = bytes_le32(reply.payload->data + 4);
        snprintf(lines, LINES_MAX, "%.*s", (int)reply.payload->size - 8,
                 (const char *)reply.payload->data + 8);
    } else {
        snprintf(lines, LINES_MAX, "%s\n", reply.reason);
    }
    blob_unref(&reply.payload);
    return status;
}

static void assert_confined(const char *lines, unsigned start, unsigned now)
{
    const unsigned common = CONFINE_LIMITS | CONFINE_PRIVILEGES | CONFINE_LOADING |
                            (landlock_abi() > 0 ? CONFINE_FILES : 0);

    assert_string_equal(lines, "");
    assert_int_equal(start & common, common);
    assert_int_equal(start & CONFINE_SYSTEM_CALLS, 0);
    assert_int_equal(now, start | CONFINE_SYSTEM_CALLS);
}

static void test_no_way_out(void **state)
{
    char lines[LINES_MAX];
    unsigned start = 0, now = 0;

    (void)state;
    if (landlock_abi() == 0)
        support_skip("no Landlock here");
    assert_int_equal(try_to_escape(program, lines, &start, &now), 0);
    assert_confined(lines, start, now);
}

struct found {
    int status;
    unsigned start, now;
    char lines[LINES_MAX];
};

/* The same for a user without privileges, if the tests run as root. */
static void test_no_way_out_for_a_user(void **state)
{
    struct found found = {.status = -EIO};
    int channel[2], ended;
    pid_t child;

    (void)state;
    if (geteuid() != 0 || landlock_abi() == 0)
        support_skip("needs root");
    assert_int_equal(pipe(channel), 0);
    child = fork();
    if (child == 0) {
        if (setgroups(0, NULL) != 0 || setresgid(NOBODY, NOBODY, NOBODY) != 0 ||
            setresuid(NOBODY, NOBODY, NOBODY) != 0)
            _exit(1);
        if (access(program, X_OK) != 0)
            _exit(2);
        found.status = try_to_escape(program, found.lines, &found.start, &found.now);
        (void)!write(channel[1], &found, sizeof(found));
        _exit(0);
    }
    close(channel[1]);
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_true(WIFEXITED(ended));
    if (WEXITSTATUS(ended) == 2)
        support_skip("the build is closed to other users");
    assert_int_equal(WEXITSTATUS(ended), 0);
    assert_int_equal(read(channel[0], &found, sizeof(found)), sizeof(found));
    close(channel[0]);
    assert_int_equal(found.status, 0);
    assert_confined(found.lines, found.start, found.now);
}

/* A process that cannot give up the calls of loading ends instead of looking at a dump. */
static void test_no_work_without_the_final_list(void **state)
{
    char lines[LINES_MAX], reason[80], *folder = support_folder();
    char *path = support_path(folder, "escapee" ESCAPEE_WITHOUT_LISTS);
    char *whole = realpath(program, NULL);
    unsigned start = 0, now = 0;

    (void)state;
    assert_int_equal(symlink(whole, path), 0);
    assert_int_equal(try_to_escape(path, lines, &start, &now), -EIO);
    snprintf(reason, sizeof(reason), "the graphics worker died (exit status %d)\n", ENOMEM);
    assert_string_equal(lines, reason);
    assert_int_equal(now, 0);
    free(whole);
    free(path);
    support_remove(&folder);
}

/* The real program is fully confined before any shader is read, whatever its first request is. */
static void test_confined_before_the_first_shader(void **state)
{
    const struct worker_params params = {.program = NULL};
    const struct worker_request hello = {.kind = MESSAGE_HELLO, .max_reply = 64};
    struct worker_reply reply;
    struct worker *worker;

    (void)state;
    assert_int_equal(worker_create(&params, &worker), 0);
    assert_int_equal(worker_call(worker, &hello, NULL, &reply), 0);
    assert_int_equal(reply.payload->size, 4);
    /* The daemon's HELLO was the first message, so this is the second. */
    assert_true((bytes_le32(reply.payload->data) & CONFINE_SYSTEM_CALLS) != 0);
    blob_unref(&reply.payload);
    worker_destroy(&worker);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_way_out),
        cmocka_unit_test(test_no_way_out_for_a_user),
        cmocka_unit_test(test_no_work_without_the_final_list),
        cmocka_unit_test(test_confined_before_the_first_shader),
    };
    const char *slash = strrchr(arguments[0], '/');

    (void)count;
    snprintf(program, sizeof(program), "%.*s/escapee",
             slash == NULL ? 1 : (int)(slash - arguments[0]), slash == NULL ? "." : arguments[0]);
    return cmocka_run_group_tests_name("confine", tests, NULL, NULL);
}

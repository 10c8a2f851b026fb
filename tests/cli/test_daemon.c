/* SPDX-License-Identifier: MIT */
#include "cli/daemon.h"

#include "tests/support/support.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Exit statuses of the children. */
enum { IS_CLOSED_ON_EXEC = 40, IS_INHERITED, HAS_FAILED };

/* Closes the pipe of a parent whose child has ended. */
static void end(struct daemon *daemon)
{
    close(daemon->word);
    daemon->word = -1;
}

static void test_a_child_that_fails_gives_its_status(void **state)
{
    struct daemon daemon = {.word = -1};

    (void)state;
    assert_int_equal(daemon_fork(&daemon), 0);
    if (daemon.child == 0)
        _exit(HAS_FAILED);
    assert_int_equal(daemon_wait(&daemon), HAS_FAILED);
    end(&daemon);
}

static void test_a_child_that_ends_without_a_word_has_failed(void **state)
{
    struct daemon daemon = {.word = -1};

    (void)state;
    assert_int_equal(daemon_fork(&daemon), 0);
    if (daemon.child == 0)
        _exit(0);
    assert_int_equal(daemon_wait(&daemon), 1);
    end(&daemon);
}

static bool is_inherited(int fd)
{
    return (fcntl(fd, F_GETFD) & FD_CLOEXEC) == 0;
}

/*
 * A program that the child starts, such as fusermount3, must not keep the pipe open: the parent
 * would wait for that program, too.
 */
static void test_programs_do_not_inherit_the_pipe(void **state)
{
    struct daemon daemon = {.word = -1};

    (void)state;
    assert_int_equal(daemon_fork(&daemon), 0);
    if (daemon.child == 0)
        _exit(is_inherited(daemon.word) ? IS_INHERITED : IS_CLOSED_ON_EXEC);
    assert_false(is_inherited(daemon.word));
    assert_int_equal(daemon_wait(&daemon), IS_CLOSED_ON_EXEC);
    end(&daemon);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_child_that_fails_gives_its_status),
        cmocka_unit_test(test_a_child_that_ends_without_a_word_has_failed),
        cmocka_unit_test(test_programs_do_not_inherit_the_pipe),
    };

    return cmocka_run_group_tests_name("daemon", tests, NULL, NULL);
}

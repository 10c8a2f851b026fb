/* SPDX-License-Identifier: MIT */
#include "base/process.h"

#include "tests/support/support.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* Starts a child that sleeps, with SIGTERM blocked. */
static pid_t start_sleeper(void)
{
    int ready[2];
    char word;
    pid_t child;

    assert_int_equal(pipe(ready), 0);
    child = fork();
    if (child == 0) {
        sigset_t set;

        sigemptyset(&set);
        sigaddset(&set, SIGTERM);
        sigprocmask(SIG_BLOCK, &set, NULL);
        (void)!write(ready[1], "", 1);
        for (;;)
            pause();
    }
    assert_true(child > 0);
    assert_int_equal(read(ready[0], &word, 1), 1);
    close(ready[0]);
    close(ready[1]);
    return child;
}

static void test_nobody(void **state)
{
    (void)state;
    assert_false(process_is_dying(0));
    assert_false(process_is_dying(-1));
    assert_true(process_is_dying(0x7FFFFFFF));
}

static void test_the_living(void **state)
{
    pid_t child = start_sleeper();

    (void)state;
    assert_false(process_is_dying(getpid()));
    assert_false(process_is_dying(child));
    kill(child, SIGTERM); /* blocked: pending, but not deadly */
    assert_false(process_is_dying(child));
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

static void test_the_dead(void **state)
{
    pid_t child = start_sleeper();
    siginfo_t ended;

    (void)state;
    kill(child, SIGKILL);
    assert_int_equal(waitid(P_PID, (id_t)child, &ended, WEXITED | WNOWAIT), 0);
    assert_true(process_is_dying(child)); /* not reaped yet */
    waitpid(child, NULL, 0);
    assert_true(process_is_dying(child));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nobody),
        cmocka_unit_test(test_the_living),
        cmocka_unit_test(test_the_dead),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

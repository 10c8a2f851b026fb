/* SPDX-License-Identifier: MIT */
/* Waiting for a child: how it ends, or that it does not end. */
#include "config.h"

#include "cli/child.h"

#include "base/log.h"
#include "tests/support/support.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char *folder, *messages;

static int make_folder(void **state)
{
    (void)state;
    folder = support_folder();
    messages = support_path(folder, "messages");
    return 0;
}

static int end_folder(void **state)
{
    (void)state;
    free(messages);
    support_remove(&folder);
    return 0;
}

/* Redirects standard error to a file until end_messages(). */
static int begin_messages(void)
{
    int before = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
    int file = open(messages, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

    log_open("test", LOG_WARNING);
    assert_true(file >= 0 && dup2(file, STDERR_FILENO) >= 0);
    close(file);
    return before;
}

static void end_messages(int before, const char *expected)
{
    size_t size;
    uint8_t *told;

    assert_true(dup2(before, STDERR_FILENO) >= 0);
    close(before);
    told = support_read(messages, &size);
    assert_int_equal(size, strlen(expected));
    assert_memory_equal(told, expected, size);
    free(told);
}

/* Returns what child_wait() returns for a child that calls `work`, and checks the messages. */
static int outcome_of(void (*work)(void), unsigned seconds, const char *expected)
{
    int before = begin_messages(), status;
    struct child child;

    assert_int_equal(child_fork(&child), 0);
    if (child.process == 0) {
        work();
        _exit(0);
    }
    status = child_wait(&child, seconds, "dump");
    end_messages(before, expected);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
    return status;
}

static void end_well(void)
{
}

static void end_with_31(void)
{
    _exit(31);
}

static void end_by_signal(void)
{
    signal(SIGTERM, SIG_DFL);
    raise(SIGTERM);
}

static void wait_for_ever(void)
{
    for (;;)
        pause();
}

static void spin(void)
{
    for (volatile bool on = true; on;)
        ;
}

static void stop_and_wait(void)
{
    raise(SIGSTOP);
    wait_for_ever();
}

static void its_status_is_had(void **state)
{
    (void)state;
    assert_int_equal(outcome_of(end_well, 0, ""), 0);
    assert_int_equal(outcome_of(end_with_31, 100, ""), 31);
}

static void a_signal_is_told(void **state)
{
    (void)state;
    assert_int_equal(
        outcome_of(end_by_signal, 0,
                   "test: dump: the process that reads it was ended by a signal: Terminated\n"),
        -1);
}

static void one_that_does_not_end_is_killed(void **state)
{
    static void (*const works[])(void) = {wait_for_ever, spin, stop_and_wait};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(works); i++)
        assert_int_equal(
            outcome_of(works[i], 1, "test: dump: abandoned, since it took longer than 1 s\n"), -1);
}

/*
 * Waits for a child of another user, which its parent may not kill. Returns 0, or a sum of bits: 1
 * if there is no child, 2 if child_wait() does not return -1, 4 if the child has ended.
 */
static int outcome_of_foreign(void)
{
    struct child child;
    int status;

    if (child_fork(&child) != 0)
        return 1;
    if (child.process == 0) {
        alarm(5);
        if (setresuid(65534, 65534, 65534) == 0)
            wait_for_ever();
        _exit(1);
    }
    status = setresuid(1, 1, 1) == 0 ? child_wait(&child, 1, "dump") : 0;
    return (status != -1 ? 2 : 0) | (waitpid(child.process, NULL, WNOHANG) != 0 ? 4 : 0);
}

static void one_that_cannot_be_killed_is_not_waited_for(void **state)
{
    int before, ended;
    pid_t parent;

    (void)state;
    if (geteuid() != 0)
        support_skip("not root: no process of another user");
    before = begin_messages();
    parent = fork();
    if (parent == 0)
        _exit(outcome_of_foreign());
    assert_int_equal(waitpid(parent, &ended, 0), parent);
    end_messages(before, "test: dump: abandoned, since it took longer than 1 s\n");
    assert_int_equal(ended, 0);
}

/*
 * Forking and waiting leave the signal mask unchanged: a process that inherited a blocked SIGCHLD
 * would not notice the ends of its own children.
 */
static void signals_are_as_before(void **state)
{
    sigset_t before, after;

    (void)state;
    sigprocmask(SIG_BLOCK, NULL, &before);
    (void)outcome_of(end_well, 0, "");
    sigprocmask(SIG_BLOCK, NULL, &after);
    for (int number = 1; number < NSIG; number++)
        assert_int_equal(sigismember(&before, number), sigismember(&after, number));
}

static void end_unless_as_before(void)
{
    sigset_t now;

    sigprocmask(SIG_BLOCK, NULL, &now);
    _exit(sigismember(&now, SIGCHLD));
}

static void the_child_has_them_too(void **state)
{
    (void)state;
    assert_int_equal(outcome_of(end_unless_as_before, 0, ""), 0);
}

/* The child of a child ends when its parent ends; a pipe reports this to the test. */
static void it_ends_with_its_parent(void **state)
{
    int ends[2], ended;
    char byte;
    pid_t parent;

    (void)state;
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    parent = fork();
    if (parent == 0) {
        struct child child;

        if (child_fork(&child) != 0)
            _exit(1);
        if (child.process == 0)
            wait_for_ever();
        _exit(0);
    }
    close(ends[1]);
    assert_int_equal(waitpid(parent, &ended, 0), parent);
    assert_int_equal(ended, 0);
    assert_int_equal(read(ends[0], &byte, 1), 0);
    close(ends[0]);
}

/*
 * Clears the signal of the parent's death, as a change of user does, and follows the parent only
 * after the parent has ended: child_follow_parent() must end the process.
 */
static void follow_too_late(const struct child *child, int out)
{
    (void)prctl(PR_SET_PDEATHSIG, 0);
    (void)!write(out, "1", 1);
    while (getppid() == child->parent)
        usleep(1000);
    child_follow_parent(child);
    (void)!write(out, "2", 1);
    _exit(0);
}

static void it_asks_whether_its_parent_is_there(void **state)
{
    int ends[2];
    char bytes[2];
    pid_t parent;

    (void)state;
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    parent = fork();
    if (parent == 0) {
        struct child child;

        if (child_fork(&child) == 0 && child.process == 0)
            follow_too_late(&child, ends[1]);
        wait_for_ever();
    }
    close(ends[1]);
    assert_int_equal(read(ends[0], bytes, 1), 1);
    assert_int_equal(kill(parent, SIGKILL), 0);
    assert_int_equal(waitpid(parent, NULL, 0), parent);
    assert_int_equal(read(ends[0], bytes, 1), 0);
    close(ends[0]);
}

/* Waits for each child once: for the first one by its process id, for the others as they end. */
static void each_of_several_is_had_once(void **state)
{
    enum { COUNT = 5 };
    pid_t processes[COUNT];
    bool had[COUNT] = {false};
    int ended;

    (void)state;
    for (int i = 0; i < COUNT; i++) {
        processes[i] = child_begin();
        if (processes[i] == 0)
            _exit(i);
        assert_true(processes[i] > 0);
    }
    assert_int_equal(child_wait_for(processes[0], &ended), processes[0]);
    for (int n = 1; n < COUNT; n++) {
        pid_t process = child_wait_for(-1, &ended);
        int i = 1;

        while (i < COUNT && processes[i] != process)
            i++;
        assert_true(i < COUNT && !had[i] && WIFEXITED(ended));
        assert_int_equal(WEXITSTATUS(ended), i);
        had[i] = true;
    }
    assert_int_equal(child_wait_for(-1, &ended), -ECHILD);
}

static void all_of_several_end_with_their_parent(void **state)
{
    int ends[2], ended;
    char byte;
    pid_t parent;

    (void)state;
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    parent = fork();
    if (parent == 0) {
        for (int i = 0; i < 3; i++)
            if (child_begin() == 0)
                wait_for_ever();
        _exit(0);
    }
    close(ends[1]);
    assert_int_equal(waitpid(parent, &ended, 0), parent);
    assert_int_equal(ended, 0);
    assert_int_equal(read(ends[0], &byte, 1), 0);
    close(ends[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(its_status_is_had),
        cmocka_unit_test(a_signal_is_told),
        cmocka_unit_test(one_that_does_not_end_is_killed),
        cmocka_unit_test(one_that_cannot_be_killed_is_not_waited_for),
        cmocka_unit_test(signals_are_as_before),
        cmocka_unit_test(the_child_has_them_too),
        cmocka_unit_test(it_ends_with_its_parent),
        cmocka_unit_test(it_asks_whether_its_parent_is_there),
        cmocka_unit_test(each_of_several_is_had_once),
        cmocka_unit_test(all_of_several_end_with_their_parent),
    };

    return cmocka_run_group_tests(tests, make_folder, end_folder);
}

/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/landlock.h"

#include "tests/support/support.h"

#include "base/privileges.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char *folder; /* contains open/file and closed/file */
static int before;   /* closed/file, opened for writing before the rules were in force */

static int path_status(const char *name, int flags)
{
    char path[PATH_MAX];
    int fd;

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    fd = open(path, flags | O_CLOEXEC, 0600);
    if (fd < 0)
        return -errno;
    close(fd);
    return 0;
}

static int truncate_status(const char *name)
{
    char path[PATH_MAX];

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    return truncate(path, 0) < 0 ? -errno : 0;
}

/*
 * Runs `checks` in a child that has these rights below open/ and no other rights. Returns the
 * number of the check that failed, or 0.
 */
static int run_child(unsigned rights, int (*checks)(void))
{
    pid_t process;
    int ended;

    if (landlock_abi() == 0)
        support_skip("no Landlock here");
    process = fork();
    if (process == 0) {
        struct landlock_rules rules;
        char path[PATH_MAX];

        snprintf(path, sizeof(path), "%s/open", folder);
        if (privileges_drop() != 0)
            _exit(97);
        if (landlock_open(&rules, LANDLOCK_NETWORK | LANDLOCK_SOCKETS | LANDLOCK_SIGNALS) != 0)
            _exit(98);
        if (landlock_allow(&rules, "/nowhere/at/all", rights) != -ENOENT ||
            landlock_allow(&rules, path, rights) != 0 || landlock_restrict(&rules) != 0)
            _exit(99);
        _exit(checks());
    }
    assert_true(process > 0);
    assert_int_equal(waitpid(process, &ended, 0), process);
    return WIFEXITED(ended) ? WEXITSTATUS(ended) : -WTERMSIG(ended);
}

static int read_alone(void)
{
    if (path_status("open/file", O_RDONLY) != 0)
        return 1;
    if (path_status("open/file", O_WRONLY) != -EACCES)
        return 2;
    if (path_status("closed/file", O_RDONLY) != -EACCES)
        return 3;
    if (path_status("open", O_RDONLY | O_DIRECTORY) != -EACCES)
        return 4;
    if (path_status("open/new", O_WRONLY | O_CREAT) != -EACCES)
        return 5;
    if (landlock_abi() >= 3 && truncate_status("open/file") != -EACCES)
        return 6;
    /* files that were open remain usable */
    return pwrite(before, "x", 1, 0) == 1 ? 0 : 7;
}

static void test_read(void **state)
{
    (void)state;
    assert_int_equal(run_child(LANDLOCK_READ, read_alone), 0);
}

static int written(void)
{
    if (path_status("open/file", O_WRONLY | O_TRUNC) != 0 || truncate_status("open/file") != 0)
        return 1;
    if (path_status("open/file", O_RDONLY) != -EACCES)
        return 2;
    if (path_status("open/other", O_WRONLY | O_CREAT) != -EACCES)
        return 3;
    return path_status("closed/file", O_WRONLY) == -EACCES ? 0 : 4;
}

static void test_write(void **state)
{
    (void)state;
    assert_int_equal(run_child(LANDLOCK_WRITE, written), 0);
}

static int changed(void)
{
    char path[PATH_MAX];

    if (path_status("open", O_RDONLY | O_DIRECTORY) != 0)
        return 1;
    if (path_status("open/new", O_WRONLY | O_CREAT | O_EXCL) != 0)
        return 2;
    snprintf(path, sizeof(path), "%s/open/new", folder);
    if (unlink(path) != 0)
        return 3;
    return path_status("closed/new", O_WRONLY | O_CREAT) == -EACCES ? 0 : 4;
}

static void test_change(void **state)
{
    (void)state;
    assert_int_equal(run_child(LANDLOCK_WRITE | LANDLOCK_LIST | LANDLOCK_CHANGE, changed), 0);
}

static int signals(void)
{
    if (landlock_abi() < 6)
        return 0;
    if (kill(getppid(), 0) != -1 || errno != EPERM)
        return 1;
    return kill(getpid(), 0) == 0 ? 0 : 2;
}

static void test_signals(void **state)
{
    (void)state;
    assert_int_equal(run_child(LANDLOCK_READ, signals), 0);
}

/* A rule for a file leaves out the rights that exist only for folders. */
static void test_of_a_file(void **state)
{
    struct landlock_rules rules;
    char path[PATH_MAX];

    (void)state;
    if (landlock_abi() == 0)
        support_skip("no Landlock here");
    snprintf(path, sizeof(path), "%s/open/file", folder);
    assert_int_equal(landlock_open(&rules, LANDLOCK_FILES), 0);
    assert_int_equal(landlock_allow(&rules, path, LANDLOCK_READ | LANDLOCK_LIST | LANDLOCK_CHANGE),
                     0);
    assert_int_equal(landlock_allow(&rules, path, LANDLOCK_LIST), 0);
    close(rules.fd);
    rules.fd = -1;
    assert_int_equal(landlock_restrict(&rules), -EBADF);
}

static int set_up(void **state)
{
    char path[PATH_MAX];

    (void)state;
    folder = support_folder();
    for (int i = 0; i < 2; i++) {
        const char *name = i == 0 ? "open" : "closed";

        snprintf(path, sizeof(path), "%s/%s", folder, name);
        assert_int_equal(mkdir(path, 0700), 0);
        snprintf(path, sizeof(path), "%s/%s/file", folder, name);
        support_write(path, "abc", 3);
    }
    before = open(path, O_RDWR | O_CLOEXEC);
    return before < 0 ? -1 : 0;
}

static int tear_down(void **state)
{
    (void)state;
    close(before);
    support_remove(&folder);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read),      cmocka_unit_test(test_write),
        cmocka_unit_test(test_change),    cmocka_unit_test(test_signals),
        cmocka_unit_test(test_of_a_file),
    };

    return cmocka_run_group_tests_name("landlock", tests, set_up, tear_down);
}

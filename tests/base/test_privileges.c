/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/privileges.h"

#include "tests/support/support.h"

#include <errno.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int drop(void)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct held[_LINUX_CAPABILITY_U32S_3];
    bool could = prctl(PR_CAPBSET_READ, CAP_SETPCAP, 0, 0, 0) == 1 && geteuid() == 0;

    if (privileges_drop() != 0 || privileges_drop() != 0)
        return 1;
    if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1)
        return 2;
    if (syscall(SYS_capget, &header, held) != 0)
        return 3;
    for (int i = 0; i < _LINUX_CAPABILITY_U32S_3; i++)
        if ((held[i].effective | held[i].permitted | held[i].inheritable) != 0)
            return 4;
    if (could && prctl(PR_CAPBSET_READ, CAP_SYS_ADMIN, 0, 0, 0) != 0)
        return 5;
    return sethostname("gpudumpfs", 9) == -1 && errno == EPERM ? 0 : 6;
}

static void test_drop(void **state)
{
    pid_t process = fork();
    int ended;

    (void)state;
    if (process == 0)
        _exit(drop());
    assert_true(process > 0);
    assert_int_equal(waitpid(process, &ended, 0), process);
    assert_true(WIFEXITED(ended));
    assert_int_equal(WEXITSTATUS(ended), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_drop)};

    return cmocka_run_group_tests_name("privileges", tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/syscall_filter.h"

#include "tests/support/support.h"

#include "base/privileges.h"
#include "base/thread.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Runs a function in a child. Returns 0, or the number of the check that failed. */
static int run_child(int (*child)(void))
{
    pid_t process = fork();
    int ended;

    if (process == 0)
        _exit(privileges_drop() == 0 ? child() : 99);
    assert_true(process > 0);
    assert_int_equal(waitpid(process, &ended, 0), process);
    return WIFEXITED(ended) ? WEXITSTATUS(ended) : -WTERMSIG(ended);
}

static int install_deny_list(void)
{
    static const long refused[] = {SYS_getppid, SYS_socket};
    struct syscall_filter filter;

    syscall_filter_init(&filter);
    syscall_filter_add_all(&filter, refused, COUNT_OF(refused), SYSCALL_FILTER_REFUSE(EXDEV));
    return syscall_filter_install(&filter, SYSCALL_FILTER_ALLOW);
}

static int refused_alone(void)
{
    if (install_deny_list() != 0)
        return 1;
    if (syscall(SYS_getppid) != -1 || errno != EXDEV)
        return 2;
    if (socket(AF_UNIX, SOCK_STREAM, 0) != -1 || errno != EXDEV)
        return 3;
    return syscall(SYS_getuid) < 0 ? 4 : 0;
}

static void test_list_of_what_is_refused(void **state)
{
    (void)state;
    assert_int_equal(run_child(refused_alone), 0);
}

static int allowed_alone(void)
{
    /* a sanitizer calls sigaltstack() before _exit() */
    static const long allowed[] = {SYS_exit_group, SYS_getuid, SYS_sigaltstack};
    struct syscall_filter filter;

    syscall_filter_init(&filter);
    syscall_filter_add_all(&filter, allowed, COUNT_OF(allowed), SYSCALL_FILTER_ALLOW);
    if (syscall_filter_install(&filter, SYSCALL_FILTER_REFUSE(EPERM)) != 0)
        return 1;
    if (syscall(SYS_getppid) != -1 || errno != EPERM)
        return 2;
    if (syscall(SYS_openat, AT_FDCWD, "/", O_RDONLY) != -1 || errno != EPERM)
        return 3;
    return syscall(SYS_getuid) < 0 ? 4 : 0;
}

static void test_list_of_what_is_allowed(void **state)
{
    (void)state;
    assert_int_equal(run_child(allowed_alone), 0);
}

/*
 * Returns whether getppid() is allowed with these arguments. The call has no arguments, so only the
 * filter examines them.
 */
static bool passes(uint64_t first, uint64_t second)
{
    return syscall(SYS_getppid, first, second) >= 0;
}

static int tests_of_arguments(void)
{
    const uint64_t high = UINT64_C(1) << 40;
    const struct syscall_filter_test both[] = {SYSCALL_FILTER_SET(0, high | 4),
                                               SYSCALL_FILTER_CLEAR(1, 3)};
    const struct syscall_filter_test number = SYSCALL_FILTER_INT(0, 7);
    struct syscall_filter filter;

    syscall_filter_init(&filter);
    syscall_filter_add_if(&filter, SYS_getppid, both, 2, SYSCALL_FILTER_ALLOW);
    syscall_filter_add_if(&filter, SYS_getppid, &number, 1, SYSCALL_FILTER_ALLOW);
    syscall_filter_add(&filter, SYS_getppid, SYSCALL_FILTER_REFUSE(EPERM));
    if (syscall_filter_install(&filter, SYSCALL_FILTER_ALLOW) != 0)
        return 1;
    if (!passes(high | 4, 0) || !passes(high | 5, 4) || !passes(high | 4, high))
        return 2;
    if (passes(high, 0) || passes(4, 0) || passes(high | 4, 1) || passes(high | 4, 2))
        return 3;
    if (!passes(7, 3) || !passes(high | 7, 3) || passes(6, 3) || passes(0, 0))
        return 4;
    return syscall(SYS_getuid) < 0 ? 5 : 0;
}

static void test_arguments(void **state)
{
    (void)state;
    assert_int_equal(run_child(tests_of_arguments), 0);
}

static void *try_socket(void *context)
{
    *(bool *)context = socket(AF_UNIX, SOCK_STREAM, 0) == -1 && errno == EXDEV;
    return NULL;
}

static int threads_but_no_processes(void)
{
    struct syscall_filter filter;
    bool refused = false;
    pthread_t thread;

    if (install_deny_list() != 0)
        return 1;
    syscall_filter_init(&filter);
    syscall_filter_add_threads(&filter);
    if (syscall_filter_install(&filter, SYSCALL_FILTER_ALLOW) != 0)
        return 2;
    if (thread_start(&thread, try_socket, &refused) != 0)
        return 3;
    pthread_join(thread, NULL);
    if (!refused)
        return 4; /* the earlier filter still applies, also to threads created later */
    if (syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) != -1 || errno != EPERM)
        return 5;
    if (syscall(SYS_clone3, NULL, 0) != -1 || errno != ENOSYS)
        return 6;
    if (syscall(SYS_tgkill, 1, 1, 0) != -1 || errno != EPERM)
        return 7;
    return raise(SIGCONT) != 0 ? 8 : 0;
}

static void test_threads_but_no_processes(void **state)
{
    (void)state;
    assert_int_equal(run_child(threads_but_no_processes), 0);
}

#ifdef __x86_64__
/* Calls getppid() as a 32-bit program does. */
static int call_as_32_bits(void)
{
    long result;

    signal(SIGSEGV, SIG_DFL); /* a kernel without these calls sends this signal */
    __asm__ volatile("int $0x80" : "=a"(result) : "0"(64L) : "memory");
    return 0;
}

static int other_architecture(void)
{
    return install_deny_list() != 0 ? 1 : call_as_32_bits();
}

static int x32(void)
{
    if (install_deny_list() != 0)
        return 1;
    syscall(0x40000000 + SYS_getppid);
    return 2;
}

static void test_other_architectures_end_it(void **state)
{
    const int without = run_child(call_as_32_bits);

    (void)state;
    assert_int_equal(run_child(x32), -SIGSYS);
    assert_true(without == 0 || without == -SIGSEGV);
    assert_int_equal(run_child(other_architecture), without == 0 ? -SIGSYS : without);
}
#endif

static void test_full(void **state)
{
    static struct syscall_filter filter;
    const struct syscall_filter_test tests[SYSCALL_FILTER_TESTS + 1] = {{0}};

    (void)state;
    syscall_filter_init(&filter);
    for (int i = 0; i < SYSCALL_FILTER_MAX; i++)
        syscall_filter_add(&filter, i, SYSCALL_FILTER_ALLOW);
    assert_int_equal(syscall_filter_install(&filter, SYSCALL_FILTER_ALLOW), -E2BIG);
    syscall_filter_init(&filter);
    syscall_filter_add_if(&filter, 0, tests, COUNT_OF(tests), SYSCALL_FILTER_ALLOW);
    assert_int_equal(syscall_filter_install(&filter, SYSCALL_FILTER_ALLOW), -E2BIG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list_of_what_is_refused),
        cmocka_unit_test(test_list_of_what_is_allowed),
        cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_threads_but_no_processes),
#ifdef __x86_64__
        cmocka_unit_test(test_other_architectures_end_it),
#endif
        cmocka_unit_test(test_full),
    };

    return cmocka_run_group_tests_name("syscall_filter", tests, NULL, NULL);
}

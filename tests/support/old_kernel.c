/* SPDX-License-Identifier: MIT */
/*
 * old_kernel COMMAND [ARGUMENT...]: runs a command as on a kernel older than Linux 5.1: system
 * calls that were added from then on fail with ENOSYS. This is done by a filter of system calls,
 * which the command and everything that it starts inherit. Unless old_kernel runs as root, programs
 * with set-user-ID or file capabilities lose these.
 */
#include "config.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Numbers that are the same on all processors except Alpha. */
enum {
    FIRST =
        424, /* pidfd_send_signal(); io_uring, pidfd_open(), close_range(), openat2(), Landlock */
    LAST = 511,
};

static int refuse_new_calls(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, FIRST, 0, 2),
        BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, LAST, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof(code) / sizeof(code[0]), code};

    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0)
        return 0;
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
                   prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) < 0
               ? -errno
               : 0;
}

int main(int argc, char **argv)
{
    if (argc < 2 || refuse_new_calls() < 0) {
        perror("old_kernel");
        return 125;
    }
    if (syscall(FIRST, -1, 0, NULL, 0) != -1 || errno != ENOSYS) {
        fputs("old_kernel: a new call is still there\n", stderr);
        return 125;
    }
    execvp(argv[1], argv + 1);
    perror(argv[1]);
    return 127;
}

/* SPDX-License-Identifier: MIT */
/*
 * Filters of system calls (seccomp), for processes that take from themselves what they do not
 * need. A filter is a list of rows; the first that matches a call decides, and a last word is for
 * calls that none matches: so a list of what is allowed, of what is refused, or both. Calls of
 * other architectures, x32 among them, end the process. A filter is built by one thread.
 *
 * Filters are for processors whose calls were looked at one by one, SYSCALL_FILTER_ARCHITECTURE.
 * On others, where calls have other names and arguments (clone() of s390x, times of 64 bits on
 * those of 32), none is installed (-ENOSYS), and lists of calls are left out.
 */
#ifndef GPUDUMPFS_BASE_SYSCALL_FILTER_H
#define GPUDUMPFS_BASE_SYSCALL_FILTER_H

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__x86_64__) && !defined(__ILP32__)
#define SYSCALL_FILTER_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define SYSCALL_FILTER_ARCHITECTURE AUDIT_ARCH_AARCH64
#elif defined(__riscv) && __riscv_xlen == 64
#define SYSCALL_FILTER_ARCHITECTURE AUDIT_ARCH_RISCV64
#endif

enum { SYSCALL_FILTER_MAX = 1024, SYSCALL_FILTER_TESTS = 4 };

/* What becomes of a call. A refusal returns an errno, as libraries try what they can do without. */
#define SYSCALL_FILTER_ALLOW         ((uint32_t)SECCOMP_RET_ALLOW)
#define SYSCALL_FILTER_REFUSE(error) ((uint32_t)SECCOMP_RET_ERRNO | (uint32_t)(error))
#define SYSCALL_FILTER_KILL          ((uint32_t)SECCOMP_RET_KILL_PROCESS)

/* An argument (0 to 5) fits if its bits of `mask` are those of `value`. */
struct syscall_filter_test {
    unsigned argument;
    uint64_t mask, value;
};

/* An int, of which the kernel looks at the low half alone; some bits set; all of them clear. */
#define SYSCALL_FILTER_INT(argument, value)                                                        \
    {                                                                                              \
        (argument), UINT32_MAX, (uint32_t)(value)                                                  \
    }
#define SYSCALL_FILTER_SET(argument, bits)                                                         \
    {                                                                                              \
        (argument), (bits), (bits)                                                                 \
    }
#define SYSCALL_FILTER_CLEAR(argument, bits)                                                       \
    {                                                                                              \
        (argument), (bits), 0                                                                      \
    }

struct syscall_filter {
    struct sock_filter code[SYSCALL_FILTER_MAX];
    unsigned short count;
    bool full; /* something had no room, so that it cannot be installed */
};

void syscall_filter_init(struct syscall_filter *filter);

/* Rows: one call; several; one if all tests fit (at most SYSCALL_FILTER_TESTS, NULL ends none). */
void syscall_filter_add(struct syscall_filter *filter, long number, uint32_t action);
void syscall_filter_add_all(struct syscall_filter *filter, const long *numbers, size_t count,
                            uint32_t action);
void syscall_filter_add_if(struct syscall_filter *filter, long number,
                           const struct syscall_filter_test *tests, size_t count, uint32_t action);

/*
 * Rows that any process without children has: clone() makes threads alone, clone3(), whose flags
 * are in memory where no filter sees them, is "not there", so that the C library takes clone();
 * signals go to threads of this process; prlimit64() is for itself.
 */
void syscall_filter_add_threads(struct syscall_filter *filter);

/*
 * Holds from here on for all threads of the process and what they start, behind filters that it
 * has already: of their words the severest counts. The process has no_new_privs. 0; -E2BIG: too
 * many rows; or a negative errno where the kernel has no seccomp.
 */
int syscall_filter_install(struct syscall_filter *filter, uint32_t otherwise);

#endif

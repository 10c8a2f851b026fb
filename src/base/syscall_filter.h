/* SPDX-License-Identifier: MIT */
/*
 * Filters of system calls (seccomp), for processes that deny themselves what they do not need. A
 * filter is a list of rows. The first row that matches a call decides; a default applies to calls
 * that no row matches. A filter can therefore list what is allowed, what is refused, or both. Calls
 * of other architectures, including x32, kill the process. A filter is built by one thread.
 *
 * Filters exist for the processors whose calls were reviewed one by one
 * (SYSCALL_FILTER_ARCHITECTURE). On others, calls have other names and arguments (clone() of s390x,
 * 64-bit times on 32-bit processors): there no filter is installed (-ENOSYS), and lists of calls
 * are left out.
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

/*
 * What happens to a call. A refused call fails with an errno, since libraries try calls that they
 * can do without.
 */
#define SYSCALL_FILTER_ALLOW         ((uint32_t)SECCOMP_RET_ALLOW)
#define SYSCALL_FILTER_REFUSE(error) ((uint32_t)SECCOMP_RET_ERRNO | (uint32_t)(error))
#define SYSCALL_FILTER_KILL          ((uint32_t)SECCOMP_RET_KILL_PROCESS)

/* An argument (0 to 5) matches if its bits in `mask` equal those of `value`. */
struct syscall_filter_test {
    unsigned argument;
    uint64_t mask, value;
};

/* Tests that an int argument has this value: the kernel uses only the low half of it. */
#define SYSCALL_FILTER_INT(argument, value)                                                        \
    {                                                                                              \
        (argument), UINT32_MAX, (uint32_t)(value)                                                  \
    }

/* Tests that all of `bits` are set in an argument. */
#define SYSCALL_FILTER_SET(argument, bits)                                                         \
    {                                                                                              \
        (argument), (bits), (bits)                                                                 \
    }

/* Tests that all of `bits` are clear in an argument. */
#define SYSCALL_FILTER_CLEAR(argument, bits)                                                       \
    {                                                                                              \
        (argument), (bits), 0                                                                      \
    }

struct syscall_filter {
    struct sock_filter code[SYSCALL_FILTER_MAX];
    unsigned short count;
    bool full; /* a row did not fit, so that the filter cannot be installed */
};

void syscall_filter_init(struct syscall_filter *filter);

/* Adds a row for one call. */
void syscall_filter_add(struct syscall_filter *filter, long number, uint32_t action);

/* Adds a row for each of several calls. */
void syscall_filter_add_all(struct syscall_filter *filter, const long *numbers, size_t count,
                            uint32_t action);

/*
 * Adds a row for one call, which matches if all `count` tests match, at most SYSCALL_FILTER_TESTS.
 */
void syscall_filter_add_if(struct syscall_filter *filter, long number,
                           const struct syscall_filter_test *tests, size_t count, uint32_t action);

/*
 * Adds the rows for any process without children. clone() may only start threads. clone3(), whose
 * flags are in memory where no filter sees them, fails with ENOSYS, so that the C library uses
 * clone(). Signals may only go to threads of this process. prlimit64() may only concern the process
 * itself.
 */
void syscall_filter_add_threads(struct syscall_filter *filter);

/*
 * Puts the filter into force, for good, for all threads of the process and what they start, in
 * addition to filters that it has already: the most severe decision counts. `otherwise` is the
 * action for calls that no row matches. The process must have no_new_privs. Returns 0, -E2BIG if
 * there are too many rows, -EBUSY if a thread has another filter, or another -errno if the kernel
 * has no seccomp.
 */
int syscall_filter_install(struct syscall_filter *filter, uint32_t otherwise);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * A filter is a program for the kernel's BPF machine. It begins with checks of the architecture.
 * Then each row adds instructions. Between rows the accumulator holds the call's number:
 *
 *     row without tests         row with tests
 *     number differs? skip 1    number differs? go to the next row
 *     return action             for each test: load each half of the argument, apply the mask;
 *                                   if it differs from the value: go to `again`
 *                               return action
 *                               again: load the number
 */
#include "config.h"

#include "base/syscall_filter.h"

#include <errno.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    X32_CALLS = 0x40000000, /* calls of x32 have numbers from here on */
    HALF_LENGTH = 3,        /* instructions that test one half of an argument */
};

static void emit(struct syscall_filter *filter, uint16_t code, uint32_t k, uint8_t yes, uint8_t no)
{
    if (filter->count == SYSCALL_FILTER_MAX)
        filter->full = true;
    else
        filter->code[filter->count++] = (struct sock_filter){code, yes, no, k};
}

static void emit_load(struct syscall_filter *filter, size_t offset)
{
    emit(filter, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void emit_return(struct syscall_filter *filter, uint32_t action)
{
    emit(filter, BPF_RET | BPF_K, action, 0, 0);
}

void syscall_filter_init(struct syscall_filter *filter)
{
    filter->count = 0;
    filter->full = false;
#ifdef SYSCALL_FILTER_ARCHITECTURE
    emit_load(filter, offsetof(struct seccomp_data, arch));
    emit(filter, BPF_JMP | BPF_JEQ | BPF_K, SYSCALL_FILTER_ARCHITECTURE, 1, 0);
    emit_return(filter, SYSCALL_FILTER_KILL);
#endif
    emit_load(filter, offsetof(struct seccomp_data, nr));
    emit(filter, BPF_JMP | BPF_JGE | BPF_K, X32_CALLS, 0, 1);
    emit_return(filter, SYSCALL_FILTER_KILL);
}

void syscall_filter_add(struct syscall_filter *filter, long number, uint32_t action)
{
    emit(filter, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, 1);
    emit_return(filter, action);
}

void syscall_filter_add_all(struct syscall_filter *filter, const long *numbers, size_t count,
                            uint32_t action)
{
    for (size_t i = 0; i < count; i++)
        syscall_filter_add(filter, numbers[i], action);
}

/*
 * Emits the test of one half of an argument: the low half, or the high half if `high` is 1. If the
 * test fails, `no` instructions are skipped.
 */
static void emit_half(struct syscall_filter *filter, const struct syscall_filter_test *test,
                      unsigned high, uint8_t no)
{
    const size_t half = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? high : 1 - high;

    emit_load(filter, offsetof(struct seccomp_data, args) + test->argument * sizeof(uint64_t) +
                          half * sizeof(uint32_t));
    emit(filter, BPF_ALU | BPF_AND | BPF_K, (uint32_t)(test->mask >> (32 * high)), 0, 0);
    emit(filter, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(test->value >> (32 * high)), 0, no);
}

void syscall_filter_add_if(struct syscall_filter *filter, long number,
                           const struct syscall_filter_test *tests, size_t count, uint32_t action)
{
    /*
     * Instructions to skip to the last one of the row, which loads the number again: the tests, and
     * the return. A call with another number skips that last one, too.
     */
    size_t left = count * 2 * HALF_LENGTH + 1;

    if (count > SYSCALL_FILTER_TESTS) {
        filter->full = true;
        return;
    }
    emit(filter, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, (uint8_t)(left + 1));
    for (size_t i = 0; i < count; i++)
        for (unsigned high = 0; high < 2; high++) {
            left -= HALF_LENGTH;
            emit_half(filter, &tests[i], high, (uint8_t)left);
        }
    emit_return(filter, action);
    emit_load(filter, offsetof(struct seccomp_data, nr));
}

void syscall_filter_add_threads(struct syscall_filter *filter)
{
    const struct syscall_filter_test thread = SYSCALL_FILTER_SET(0, CLONE_THREAD);
    const struct syscall_filter_test own = SYSCALL_FILTER_INT(0, getpid());
    const struct syscall_filter_test self = SYSCALL_FILTER_INT(0, 0);

    syscall_filter_add_if(filter, SYS_clone, &thread, 1, SYSCALL_FILTER_ALLOW);
    syscall_filter_add(filter, SYS_clone, SYSCALL_FILTER_REFUSE(EPERM));
    syscall_filter_add(filter, SYS_clone3, SYSCALL_FILTER_REFUSE(ENOSYS));
    syscall_filter_add_if(filter, SYS_tgkill, &own, 1, SYSCALL_FILTER_ALLOW);
    syscall_filter_add(filter, SYS_tgkill, SYSCALL_FILTER_REFUSE(EPERM));
    syscall_filter_add_if(filter, SYS_prlimit64, &self, 1, SYSCALL_FILTER_ALLOW);
    syscall_filter_add(filter, SYS_prlimit64, SYSCALL_FILTER_REFUSE(EPERM));
}

int syscall_filter_install(struct syscall_filter *filter, uint32_t otherwise)
{
    struct sock_fprog program = {.filter = filter->code};
    long status;

    emit_return(filter, otherwise);
    program.len = filter->count;
    if (filter->full)
        return -E2BIG;
#ifndef SYSCALL_FILTER_ARCHITECTURE
    return -ENOSYS;
#endif
    status = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
    if (status > 0)
        return -EBUSY; /* `status` is the number of a thread that has another filter */
    return status < 0 ? -errno : 0;
}

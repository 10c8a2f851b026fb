/* SPDX-License-Identifier: MIT */
/*
 * Preloaded into a daemon: has one allocation fail. A signal SIGRTMIN+3 whose value is n makes the
 * n-th allocation from then on fail, in whichever thread it is; SIGRTMIN+4 does so for the n-th
 * array that grows. A negative n ends that.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);

static atomic_int left = -1, arrays_left = -1;

static bool must_fail(atomic_int *count)
{
    if (atomic_load(count) < 0 || atomic_fetch_sub(count, 1) != 0)
        return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size)
{
    return must_fail(&left) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return must_fail(&left) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
    return must_fail(&left) ? NULL : __libc_realloc(block, size);
}

/* The counts of these programs do not overflow. */
void *reallocarray(void *block, size_t count, size_t size)
{
    return must_fail(&left) || must_fail(&arrays_left) ? NULL : __libc_realloc(block, count * size);
}

static void set(int signal, siginfo_t *info, void *context)
{
    (void)context;
    atomic_store(signal == SIGRTMIN + 3 ? &left : &arrays_left, info->si_value.sival_int);
}

__attribute__((constructor)) static void begin(void)
{
    struct sigaction action = {.sa_sigaction = set, .sa_flags = SA_SIGINFO | SA_RESTART};

    sigaction(SIGRTMIN + 3, &action, NULL);
    sigaction(SIGRTMIN + 4, &action, NULL);
}

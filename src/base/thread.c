/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/thread.h"

#include <signal.h>
#include <time.h>

enum { LOOK_NANOSECONDS = 10 * 1000 * 1000 };
enum { STACK_BYTES = 8 << 20 }; /* address space; memory is taken only as it is used */

int thread_start(pthread_t *thread, void *(*run)(void *context), void *context)
{
    static const int own[] = {SIGBUS, SIGSEGV, SIGILL, SIGFPE};
    pthread_attr_t attributes;
    sigset_t blocked, before;
    int error;

    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    sigfillset(&blocked);
    for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
        sigdelset(&blocked, own[i]);
    pthread_sigmask(SIG_SETMASK, &blocked, &before);
    error = pthread_create(thread, &attributes, run, context);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return -error;
}

void thread_condition_init(pthread_cond_t *condition)
{
    pthread_condattr_t attributes;

    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
}

void thread_wait_a_little(pthread_cond_t *condition, pthread_mutex_t *lock)
{
    struct timespec until;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += LOOK_NANOSECONDS;
    if (until.tv_nsec >= 1000000000L) {
        until.tv_nsec -= 1000000000L;
        until.tv_sec++;
    }
    pthread_cond_timedwait(condition, lock, &until);
}

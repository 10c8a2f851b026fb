/* SPDX-License-Identifier: MIT */
/*
 * Starts threads of our own. Signals are the main program's business, so all are blocked in these
 * threads, except those that a thread causes itself (SIGBUS on a mapped file that was truncated:
 * source/sigbus_guard.h). Also has a wait that returns every now and then, since raising a cancel
 * flag wakes no thread.
 */
#ifndef GPUDUMPFS_BASE_THREAD_H
#define GPUDUMPFS_BASE_THREAD_H

#include <pthread.h>

/*
 * Like pthread_create(), but with a stack of 8 MiB on every C library: musl's default is 128 KiB,
 * and decoders of nested structures need more. Returns 0, with a thread to be joined, or -errno.
 */
int thread_start(pthread_t *thread, void *(*run)(void *context), void *context);

/* Initialises a condition for thread_wait_a_little(), which needs the monotonic clock. */
void thread_condition_init(pthread_cond_t *condition);

/*
 * Waits until the condition is signalled, but at most 10 ms. The caller holds the lock. May return
 * early.
 */
void thread_wait_a_little(pthread_cond_t *condition, pthread_mutex_t *lock);

#endif

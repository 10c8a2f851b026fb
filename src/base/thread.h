/* SPDX-License-Identifier: MIT */
/*
 * Starting threads of our own: they answer no signals, which are the program's
 * business, but for those that a thread raises by what it does itself (SIGBUS of
 * a mapped file that was shortened: source/sigbus_guard.h). And how one of them waits for
 * another, and looks up now and then, since a cancel flag wakes no thread.
 */
#ifndef GPUDUMPFS_BASE_THREAD_H
#define GPUDUMPFS_BASE_THREAD_H

#include <pthread.h>

/*
 * As pthread_create(), but with a stack of 8 MiB on every C library: musl's own are of 128 KiB,
 * and decoders of nested structures need more. 0 or -errno; 0 stands for a thread to join.
 */
int thread_start(pthread_t *thread, void *(*run)(void *context), void *context);

/* A condition for thread_wait_a_little(), whose clock is never set. */
void thread_condition_init(pthread_cond_t *condition);

/* Until the condition is signalled, or 10 ms at most. The lock is held. */
void thread_wait_a_little(pthread_cond_t *condition, pthread_mutex_t *lock);

#endif

/*
 * Starting threads of our own: they answer no signals, which are the program's
 * business, but for those that a thread raises by what it does itself (SIGBUS of
 * a mapped file that was shortened: core/guard.h).
 */
#ifndef GPUDUMPFS_CORE_THREAD_H
#define GPUDUMPFS_CORE_THREAD_H

#include <pthread.h>

/* As pthread_create() with default attributes. 0 or -errno; 0 stands for a thread to join. */
int thread_start(pthread_t *thread, void *(*run)(void *context), void *context);

#endif

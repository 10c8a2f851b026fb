/* SPDX-License-Identifier: MIT */
/* What the system reports about other processes. Any thread. */
#ifndef GPUDUMPFS_BASE_PROCESS_H
#define GPUDUMPFS_BASE_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * Returns whether a thread is gone, or about to end: Linux turns every deadly signal into a SIGKILL
 * for each thread, which stays pending while the thread waits. Returns false if that cannot be
 * determined; `thread` is 0 for a thread outside our PID namespace.
 */
bool process_is_dying(pid_t thread);

#endif

/* SPDX-License-Identifier: MIT */
/* What the system tells of other processes. Any thread. */
#ifndef GPUDUMPFS_BASE_PROCESS_H
#define GPUDUMPFS_BASE_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * Whether a thread is gone, or on its way: Linux makes every deadly signal a
 * SIGKILL of each thread, which stays pending while the thread waits. False where
 * it cannot be seen: 0 stands for a thread outside our namespace.
 */
bool process_is_dying(pid_t thread);

#endif

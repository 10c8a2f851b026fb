/* SPDX-License-Identifier: MIT */
/*
 * If another program truncates a mapped file, touching the lost bytes raises SIGBUS, which would
 * end the process. With a guard, these bytes read as zeros instead, and a flag records that. A
 * guard can also produce bytes when they are first touched, for pages of a mapping that its file
 * does not have. Any thread; the handler is installed for the process along with a guard.
 */
#ifndef GPUDUMPFS_SOURCE_SIGBUS_GUARD_H
#define GPUDUMPFS_SOURCE_SIGBUS_GUARD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * Adds a guard: a touched page of the mapping that the file no longer has is replaced by zeros, and
 * *lost is set. `lost` must outlive the guard. Returns 0 or -ENOMEM.
 */
int sigbus_guard_add(const void *data, size_t size, atomic_bool *lost);

/*
 * The same, but first calls `fill`, on the thread that touches the page and in the signal's
 * handler, to map what belongs at `address`. `fill` returns whether it has done so. It may only
 * make system calls, may touch guarded bytes itself, and may be called by several threads for the
 * same page at the same time. The kernel does not call it: a system call that is passed such bytes
 * fails with EFAULT.
 */
int sigbus_guard_add_filled(const void *data, size_t size, atomic_bool *lost,
                            bool (*fill)(void *context, const void *address), void *context);

/* Removes a guard. Must be called before the bytes are unmapped. */
void sigbus_guard_remove(const void *data);

#endif

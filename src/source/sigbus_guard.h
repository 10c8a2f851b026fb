/* SPDX-License-Identifier: MIT */
/*
 * A file that is mapped may be shortened by another program; touching what it
 * lost raises SIGBUS, which would end the process. Guarded bytes read as zeros
 * instead, and a flag tells that they did; or they are made when they are touched first, where
 * the mapping is of a file that has none. Any thread; the handler is the process's own,
 * installed with a guard.
 */
#ifndef GPUDUMPFS_SOURCE_SIGBUS_GUARD_H
#define GPUDUMPFS_SOURCE_SIGBUS_GUARD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * From now on a page of the mapping that the file no longer has is replaced by
 * zeros when it is touched, and *lost raised. 0 or -ENOMEM. `lost` outlives the guard.
 */
int sigbus_guard_add(const void *data, size_t size, atomic_bool *lost);

/*
 * The same, but first `fill` is asked, by the thread that touches and in the signal's handler, to
 * map what stands at `address`: true if it has. It makes system calls alone, may itself touch
 * guarded bytes, and may be called by several threads at once for the same page. The kernel does
 * not call it: a system call that is given such bytes fails with EFAULT.
 */
int sigbus_guard_add_filled(const void *data, size_t size, atomic_bool *lost,
                            bool (*fill)(void *context, const void *address), void *context);

/* Before the mapping goes away. */
void sigbus_guard_remove(const void *data);

#endif

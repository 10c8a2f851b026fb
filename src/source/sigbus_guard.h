/* SPDX-License-Identifier: MIT */
/*
 * A file that is mapped may be shortened by another program; touching what it
 * lost raises SIGBUS, which would end the process. Guarded bytes read as zeros
 * instead, and a flag tells that they did. Any thread; the handler is the
 * process's own, installed with a guard.
 */
#ifndef GPUDUMPFS_SOURCE_SIGBUS_GUARD_H
#define GPUDUMPFS_SOURCE_SIGBUS_GUARD_H

#include <stdatomic.h>
#include <stddef.h>

/*
 * From now on a page of the mapping that the file no longer has is replaced by
 * zeros when it is touched, and *lost raised. 0 or -ENOMEM. `lost` outlives the guard.
 */
int sigbus_guard_add(const void *data, size_t size, atomic_bool *lost);

/* Before the mapping goes away. */
void sigbus_guard_remove(const void *data);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Transient failures, such as a helper process that another program killed: the work did not cause
 * them, and a retry succeeds. They are counted per thread, so that work which consists of many
 * parts can distinguish a part that cannot be made from one that could not be made just now. Any
 * thread, for itself. A thread that waits in the cache for a making of another thread counts that
 * thread's failure as its own.
 */
#ifndef GPUDUMPFS_BASE_TRANSIENT_FAILURES_H
#define GPUDUMPFS_BASE_TRANSIENT_FAILURES_H

/* Counts a failure of what the calling thread does. */
void transient_failures_add(void);

/* Returns the calling thread's count. */
unsigned transient_failures(void);

#endif

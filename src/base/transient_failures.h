/* SPDX-License-Identifier: MIT */
/*
 * Transient failures: a helper process that somebody else kills, for one. Nothing that the work did
 * is to blame, and another time it succeeds. Counted for each thread, so that what is made of many
 * parts can tell a part that cannot be made from one that could not be made just now. Any thread,
 * for itself; one that waits in the cache for another's making counts the failures of that.
 */
#ifndef GPUDUMPFS_BASE_TRANSIENT_FAILURES_H
#define GPUDUMPFS_BASE_TRANSIENT_FAILURES_H

/* Counts one of what the calling thread does. */
void transient_failures_add(void);

/* How many there were. */
unsigned transient_failures(void);

#endif

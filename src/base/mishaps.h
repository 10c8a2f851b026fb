/* SPDX-License-Identifier: MIT */
/*
 * What befalls work from outside, such as a helper process that somebody else kills: nothing that
 * the work did is to blame, and another time it comes to its end. Counted for each thread, so
 * that what is made of many parts can tell a part that cannot be made from one that could not be
 * made just now. Any thread, for itself; one that waits in the cache
 * for another's making is befallen by what befell that.
 */
#ifndef GPUDUMPFS_BASE_MISHAPS_H
#define GPUDUMPFS_BASE_MISHAPS_H

/* One more has befallen what the calling thread does. */
void mishaps_add(void);

/* How many there were. */
unsigned mishaps(void);

#endif

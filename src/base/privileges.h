/* SPDX-License-Identifier: MIT */
/* What a process may beyond its user's files. Threads that are there already keep what they have.
 */
#ifndef GPUDUMPFS_BASE_PRIVILEGES_H
#define GPUDUMPFS_BASE_PRIVILEGES_H

/*
 * Gives up all capabilities, for good: those held, inheritable, ambient, and of the bounding set
 * where it may; and no program that it runs gains any (no_new_privs). Nothing is lost by a
 * process that has none. 0 or a negative errno, if no_new_privs or the capabilities stay.
 */
int privileges_drop(void);

#endif

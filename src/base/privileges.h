/* SPDX-License-Identifier: MIT */
/*
 * Gives up what a process may do beyond accessing its user's files. Threads that exist already keep
 * their privileges.
 */
#ifndef GPUDUMPFS_BASE_PRIVILEGES_H
#define GPUDUMPFS_BASE_PRIVILEGES_H

/*
 * Gives up all capabilities for good: permitted, effective, inheritable, ambient and, where
 * allowed, those of the bounding set. Programs that the process runs cannot gain any
 * (no_new_privs). Harmless for a process that has none. Returns 0, or -errno if no_new_privs cannot
 * be set or the capabilities cannot be dropped.
 */
int privileges_drop(void);

#endif

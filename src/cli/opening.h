/* SPDX-License-Identifier: MIT */
/*
 * Finishes opening a dump that program_open() has left unfinished, after it is mounted. Main
 * thread.
 */
#ifndef GPUDUMPFS_CLI_OPENING_H
#define GPUDUMPFS_CLI_OPENING_H

#include "cli/program.h"
#include "fuse/mount.h"

/*
 * Waits until the dump is open. Returns 0, -ECANCELED if the mount was to end before that, or
 * another -errno, which is logged unless it comes from mount_wait() or from starting the thread.
 * `ready` is that of mount_wait().
 */
int opening_wait(struct program *program, const char *path, struct mount *mount,
                 void (*ready)(void *context), void *context);

#endif

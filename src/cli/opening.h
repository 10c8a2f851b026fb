/* SPDX-License-Identifier: MIT */
/* A dump that program_open() has left unfinished, once it is mounted. Main thread. */
#ifndef GPUDUMPFS_CLI_OPENING_H
#define GPUDUMPFS_CLI_OPENING_H

#include "cli/program.h"
#include "fuse/mount.h"

/*
 * Returns when it is open: 0; -ECANCELED where the mount was to end before; or -errno, which is
 * told unless it is mount_wait()'s or a thread's. `ready` as in mount_wait().
 */
int opening_wait(struct program *program, const char *path, struct mount *mount,
                 void (*ready)(void *context), void *context);

#endif

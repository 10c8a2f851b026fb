/* SPDX-License-Identifier: MIT */
/*
 * How a process gives up privileges before it reads the first byte of a dump (docs/confinement.md).
 * Main thread, before any other thread is made. Notes which layers hold (base/confinement.h); a
 * layer that the kernel lacks is left out.
 */
#ifndef GPUDUMPFS_CLI_CONFINE_H
#define GPUDUMPFS_CLI_CONFINE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct confine_user {
    bool changes; /* otherwise the process keeps its user */
    uid_t uid;
    gid_t gid;
};

struct confine_params {
    struct confine_user user;
    uint64_t file_max; /* largest size of a file, in bytes; UINT64_MAX: no limit */
    int device;        /* number that FUSE's device has, or will have (mount_attach()); -1: none */
};

/*
 * Finds the user that a process of root becomes, by name or number; NULL: `nobody`. Returns 0,
 * -ENOENT if there is no such user, or -EPERM if one was named and the process is not root's.
 */
int confine_find_user(const char *name, struct confine_user *out);

/*
 * Becomes that user, without any of the former groups, and empties the capability bounding set.
 * Does nothing unless `changes`. Returns 0 or -errno.
 */
int confine_become(const struct confine_user *user);

/* Applies all layers. Before that, has the C library open what it opens at its first use. */
void confine_process(const struct confine_params *params);

#endif

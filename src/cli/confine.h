/* SPDX-License-Identifier: MIT */
/*
 * What the daemon takes from itself before it reads the first byte of a dump (docs/confinement.md).
 * Main thread, before any other is made. Which layers hold is noted (base/confinement.h); one that
 * the kernel lacks is left out.
 */
#ifndef GPUDUMPFS_CLI_CONFINE_H
#define GPUDUMPFS_CLI_CONFINE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct confine_user {
    bool changes; /* else the process stays what it is */
    uid_t uid;
    gid_t gid;
};

struct confine_params {
    struct confine_user user;
    uint64_t file_max; /* bytes to which a file may grow; UINT64_MAX: any */
    int device;        /* the number that FUSE's has, or will have (mount_attach()); -1: none */
};

/*
 * Which user a process of root's becomes: a name or a number; NULL: `nobody`. 0, -ENOENT: there is
 * none; -EPERM: one was named, and the process is not root's.
 */
int confine_find_user(const char *name, struct confine_user *out);

/* Becomes that user, with none of the groups of before. 0 or -errno. */
int confine_become(const struct confine_user *user);

/* All layers. What the C library opens at its first use is opened before. */
void confine_process(const struct confine_params *params);

#endif

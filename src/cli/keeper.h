/* SPDX-License-Identifier: MIT */
/*
 * The process that keeps the rights of the mounting user (docs/confinement.md). It opens files for
 * the confined daemon, but only those that were granted before the daemon saw the dump. It makes
 * the mount, and unmounts on request or when the daemon has ended. It reads no dump.
 */
#ifndef GPUDUMPFS_CLI_KEEPER_H
#define GPUDUMPFS_CLI_KEEPER_H

#include <stdbool.h>
#include <stddef.h>

/* What may be opened. */
enum keeper_right {
    KEEPER_FILE,   /* to read, by exactly this path, which may go through links */
    KEEPER_APPEND, /* the same, to append */
    KEEPER_FOLDER, /* to read, any regular file directly in it; links are not followed */
    KEEPER_TREE,   /* the same, anywhere below it; also its folders, to list them */
    KEEPER_NAMES,  /* to read, regular files with these `names`, also through links; `*.end`: all
                      names that end so */
};

struct keeper_grant {
    enum keeper_right right;
    char *path;
    char *target; /* for the path of a descriptor, which means another file in the keeper: where it
                     leads; NULL: the path is no descriptor's, or leads to no path (a deleted file)
                     and is not opened */
    const char *const *names; /* NULL-terminated, borrowed */
    int folder;               /* the keeper's descriptor of the folder */
};

struct keeper_grants {
    struct keeper_grant *rows;
    size_t count, room;
};

/* Adds a grant. Returns 0 or -ENOMEM. */
int keeper_grant(struct keeper_grants *grants, enum keeper_right right, const char *path,
                 const char *const *names);
void keeper_grants_clear(struct keeper_grants *grants);

struct keeper_params {
    struct keeper_grants *grants;
    const char *spool;            /* folder for unnamed files */
    void (*begin)(void *context); /* called first, in the keeper's process; NULL: nothing */
    /*
     * Makes the mount, and stores its device, which the keeper then owns. Returns 0, -errno, or the
     * status with which the daemon is to end. NULL, like the two functions after it, if there is no
     * mount.
     */
    int (*mount)(void *context, int *device);
    int (*unmount)(void *context);            /* as in mount_params */
    void (*detach)(void *context, bool gone); /* unmounts unless `gone`; removes what was made */
    void *context;
};

/*
 * Serves requests until the daemon ends. The process may have no descriptors except the standard
 * ones and `socket`.
 */
void keeper_serve(const struct keeper_params *params, int socket);

#endif

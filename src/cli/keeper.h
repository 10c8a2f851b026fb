/* SPDX-License-Identifier: MIT */
/*
 * The process that keeps the rights of the user that mounts (docs/confinement.md): it opens files
 * for the confined daemon, those that were granted before the daemon saw the dump, makes the mount,
 * and takes it away when asked to, or when the daemon has ended. It reads no dump.
 */
#ifndef GPUDUMPFS_CLI_KEEPER_H
#define GPUDUMPFS_CLI_KEEPER_H

#include <stdbool.h>
#include <stddef.h>

/* What may be opened. */
enum keeper_right {
    KEEPER_FILE,   /* to read, by this very path, which may lead over links */
    KEEPER_APPEND, /* the same, to append to */
    KEEPER_FOLDER, /* to read, any regular file that lies in it, and no link */
    KEEPER_TREE,   /* the same, anywhere below it; and folders, to be listed */
    KEEPER_NAMES,  /* to read, regular files of these `names`, which may be links; `*.end`: all of
                      names that end so */
};

struct keeper_grant {
    enum keeper_right right;
    char *path;
    char *target; /* what the path of a descriptor leads to, which is another one in the keeper;
                     NULL: it is none's, or leads to no path (a deleted file) and is not opened */
    const char *const *names; /* NULL-terminated, borrowed */
    int folder;               /* the keeper's descriptor of it */
};

struct keeper_grants {
    struct keeper_grant *rows;
    size_t count, room;
};

/* 0 or -ENOMEM. */
int keeper_grant(struct keeper_grants *grants, enum keeper_right right, const char *path,
                 const char *const *names);
void keeper_grants_clear(struct keeper_grants *grants);

struct keeper_params {
    struct keeper_grants *grants;
    const char *spool;            /* the folder of files without a name */
    void (*begin)(void *context); /* before all else, in its process; NULL: nothing */
    /*
     * Makes the mount; *device is then the keeper's. 0 or what the daemon is to end with. NULL,
     * with the two that follow: there is none.
     */
    int (*mount)(void *context, int *device);
    int (*unmount)(void *context); /* of mount_params */
    void (*detach)(void *context,
                   bool gone); /* unmounts, and removes what was made for the mount */
    void *context;
};

/* Serves until the daemon ends. The process has no descriptors but the standard ones and that. */
void keeper_serve(const struct keeper_params *params, int socket);

#endif

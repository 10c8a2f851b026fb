/*
 * A tree served as a mount, through libfuse's low-level interface. One thread
 * reads requests; what may take long is answered later by the tree's own threads.
 * No FUSE header is included outside this folder. The main thread calls these
 * functions, in the order in which they stand here.
 */
#ifndef GPUDUMPFS_FUSE_MOUNT_H
#define GPUDUMPFS_FUSE_MOUNT_H

#include "tree/tree.h"

#include <stdbool.h>

struct mount;

enum { MOUNT_MAX_READ = 1 << 20 };

struct mount_params {
    const char *program; /* its name in libfuse's messages */
    const char *source;  /* shown by df and mount */
    const char *options; /* FUSE's own, separated by commas; NULL or empty: none */
    unsigned max_read;   /* bytes of one read request; 0: MOUNT_MAX_READ */
    bool debug;          /* every request to the log */
};

/* "3.14.0" */
const char *mount_library(void);

/* Checks the options. 0, -EINVAL (libfuse has told the log why), -ENOMEM. */
int mount_create(const struct mount_params *params, struct mount **out);

/* Makes the mount; nobody answers yet. 0, or -EIO (libfuse has told the log why). */
int mount_attach(struct mount *mount, const char *path);

/*
 * Blocks the signals that end the mount, so that no thread made from now on
 * takes them. To be called after the fork, before tree_create().
 */
void mount_hold_signals(void);

/*
 * Answers requests until the mount is gone or SIGTERM, SIGINT or SIGHUP comes.
 * `ready` is called once, when the mount can be used. Requests may still be under
 * way on return: tree_destroy() answers them. 0, or -errno of the FUSE device.
 */
int mount_serve(struct mount *mount, struct tree *tree, void (*ready)(void *context),
                void *context);

/* Takes the mount away if it is still there, after tree_destroy(). */
void mount_detach(struct mount *mount);

void mount_destroy(struct mount **mount);

#endif

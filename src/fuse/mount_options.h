/* SPDX-License-Identifier: MIT */
/* What a mount is made with (mount.h). Constant while it is there; any thread. */
#ifndef GPUDUMPFS_FUSE_MOUNT_OPTIONS_H
#define GPUDUMPFS_FUSE_MOUNT_OPTIONS_H

#include "tree/options.h"

#include <stdbool.h>
#include <sys/types.h>

enum { MOUNT_MAX_READ = 1 << 20 };

/* What a mount looks like, and how long it stays. */
struct mount_options {
    enum options_keep xattr; /* whether files have extended attributes */
    uid_t uid;
    gid_t gid;
    mode_t umask;          /* permissions that are taken away from those of the dump */
    unsigned idle_unmount; /* seconds without a request, then mount_params' unmount; 0: never */
};

struct mount_params {
    const char *program;                 /* its name in libfuse's messages */
    const char *source;                  /* shown by df and mount */
    const struct mount_options *options; /* borrowed: they outlive the mount */
    const char *fuse_options;            /* libfuse's, as its -o takes them; NULL or empty: none */
    unsigned max_read;                   /* bytes of one read request; 0: MOUNT_MAX_READ */
    bool debug;                          /* every request to the log */
    bool replaceable;                    /* mount_replace() may be called */
    /*
     * Called by a thread of its own, again and again until it succeeds. A dump that still grows is
     * in use. 0, -EBUSY or -EPERM where it may succeed later, or another negative errno.
     */
    int (*unmount)(void *context);
    void *context;
};

/* Whether an option without a value is in a list as `fuse_options`. */
bool mount_has_option(const char *list, const char *name);

#endif

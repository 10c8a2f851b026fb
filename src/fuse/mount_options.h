/* SPDX-License-Identifier: MIT */
/* The parameters of a mount (mount.h). Constant while the mount exists; any thread. */
#ifndef GPUDUMPFS_FUSE_MOUNT_OPTIONS_H
#define GPUDUMPFS_FUSE_MOUNT_OPTIONS_H

#include "tree/options.h"

#include <stdbool.h>
#include <sys/types.h>

enum { MOUNT_MAX_READ = 1 << 20 };

/* How a mount looks, and how long it stays. */
struct mount_options {
    enum options_keep xattr; /* whether files have extended attributes */
    uid_t uid;
    gid_t gid;
    mode_t umask; /* permissions to take away from those of the dump */
    /* Seconds without a request until `unmount` of mount_params is called; 0: never. */
    unsigned idle_unmount;
};

struct mount_params {
    const char *program;                 /* program name in libfuse's messages */
    const char *source;                  /* shown by df and mount */
    const struct mount_options *options; /* borrowed: must outlive the mount */
    const char *fuse_options; /* for libfuse, as its -o takes them; NULL or empty: none */
    unsigned max_read;        /* largest read request, in bytes; 0: MOUNT_MAX_READ */
    bool debug;               /* log every request */
    bool replaceable;         /* mount_replace() may be called */
    /*
     * Unmounts an idle mount. Called from a thread of its own, again and again until it succeeds; a
     * dump that still grows counts as in use. Returns 0, -EBUSY or -EPERM if it may succeed later,
     * or another -errno.
     */
    int (*unmount)(void *context);
    void *context;
};

/* Returns whether a list such as `fuse_options` has the option `name`, which takes no value. */
bool mount_has_option(const char *list, const char *name);

#endif

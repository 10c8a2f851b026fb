/* SPDX-License-Identifier: MIT */
/*
 * Where a dump is mounted: the default name, the checks that libfuse leaves to us
 * (fuse.md, "Settings that matter"), and a directory that is made for the mount and removed after
 * it. Main thread.
 */
#ifndef GPUDUMPFS_CLI_MOUNTPOINT_H
#define GPUDUMPFS_CLI_MOUNTPOINT_H

#include "base/text.h"

#include <stdbool.h>

struct mountpoint {
    char *path; /* absolute */
    bool missing;
    bool made;
    bool occupied; /* there are files in it, which the mount will hide */
};

/*
 * The dump's name without its folder and its extensions: `a/b.psxgpu.zst` gives
 * `b`. For free(); NULL without memory.
 */
char *mountpoint_name(const char *dump);

/*
 * Resolves and checks. 0, or -errno with a sentence for the user in `message`:
 * not a directory, a stale mount, a folder that is not there, another dump's mount.
 */
int mountpoint_check(struct mountpoint *point, const char *name, struct text *message);

/*
 * Whether the FUSE device cannot be used, with a sentence in `message` that tells what to do;
 * `device` is its path. Of use once mounting has failed.
 */
bool mountpoint_explain_device(const char *device, struct text *message);

/*
 * The absolute path of a name that does not exist, in a folder that does: for free(). 0 or -errno;
 * the name has one character at least.
 */
int mountpoint_resolve_missing(const char *name, char **path);

/* Makes the directory if it is missing. 0 or -errno. */
int mountpoint_make(struct mountpoint *point);

/*
 * Makes the directory if it has gone since: a daemon that has just been unmounted
 * there takes away what it had made. True: it was made.
 */
bool mountpoint_remake(struct mountpoint *point);

/* Removes the directory if it was made; frees the path. */
void mountpoint_clear(struct mountpoint *point);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Where a dump is mounted: the default name, checks that libfuse does not make (fuse.md, "Settings
 * that matter"), and a directory that is made for the mount and removed after it. Main thread.
 */
#ifndef GPUDUMPFS_CLI_MOUNTPOINT_H
#define GPUDUMPFS_CLI_MOUNTPOINT_H

#include "base/text.h"

#include <stdbool.h>

struct mountpoint {
    char *path; /* absolute */
    bool missing;
    bool made;
    bool occupied; /* it has files, which the mount will hide */
};

/*
 * Returns the dump's name without its folder and extensions: `b` for `a/b.psxgpu.zst`. The caller
 * frees it. Returns NULL if there is no memory.
 */
char *mountpoint_name(const char *dump);

/*
 * Resolves and checks the mountpoint. Returns 0, or -errno with a sentence for the user in
 * `message`: it is no directory, a stale mount, in a folder that does not exist, or the mountpoint
 * of another dump.
 */
int mountpoint_check(struct mountpoint *point, const char *name, struct text *message);

/*
 * Returns whether the FUSE device at path `device` cannot be used, with a sentence in `message`
 * about what to do. Call it after mounting has failed.
 */
bool mountpoint_explain_device(const char *device, struct text *message);

/*
 * Returns the absolute path of a name that does not exist, in a folder that does; the caller frees
 * *path. The name must have at least one character. Returns 0 or -errno.
 */
int mountpoint_resolve_missing(const char *name, char **path);

/* Makes the directory if it is missing. Returns 0 or -errno. */
int mountpoint_make(struct mountpoint *point);

/*
 * Makes the directory if it has gone in the meantime: a daemon that was just unmounted there
 * removes the directory that it had made. Returns whether it was made.
 */
bool mountpoint_remake(struct mountpoint *point);

/* Removes the directory if it was made here, and frees the path. */
void mountpoint_clear(struct mountpoint *point);

#endif

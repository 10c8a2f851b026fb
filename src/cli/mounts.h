/* SPDX-License-Identifier: MIT */
/*
 * The mounts of dumps that there are, as the kernel lists them, and taking them away. Main thread,
 * unless a function says otherwise.
 */
#ifndef GPUDUMPFS_CLI_MOUNTS_H
#define GPUDUMPFS_CLI_MOUNTS_H

#include "cli/mount_table.h"
#include "cli/program.h"

struct mounts {
    struct mount_line *entries; /* in the order in which they were mounted */
    size_t count, room;
};

/*
 * Ours of a file in the form of /proc/self/mountinfo (proc(5)); lines of another form are left
 * out. 0, -ENOMEM; to be cleared in any case.
 */
int mounts_read(FILE *file, struct mounts *out);
void mounts_clear(struct mounts *mounts);

/*
 * Which mount is the uppermost at a place, a real path: 0 and its connection, or -EINVAL: none of
 * FUSE. Sends no request to the mount. Any thread.
 */
int mounts_find(const char *place, unsigned *connection);

/* Prints a table: mountpoint, dump, format and process, `-` where that is not known. */
enum program_status mounts_print(void);

/*
 * Takes away the mounts that each name stands for: a mountpoint, or a dump with all its mounts.
 * What cannot be done is told, and PROGRAM_MOUNTPOINT.
 */
enum program_status mounts_unmount(char **names, int count);

/*
 * Unmounts, by fusermount3 where only that may. The program that serves the mount goes on
 * meanwhile, so it is another thread. 0; -EBUSY: in use; -EPERM: fusermount3 has refused it, and
 * has told why unless `quiet`; or another negative errno. Any thread.
 */
int mounts_take_away(const char *place, bool quiet);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The mounts of dumps that the kernel lists, and how to unmount them. Main thread, unless a
 * function says otherwise.
 */
#ifndef GPUDUMPFS_CLI_MOUNTS_H
#define GPUDUMPFS_CLI_MOUNTS_H

#include "cli/mount_table.h"
#include "cli/program.h"

struct mounts {
    struct mount_line *entries; /* in the order in which the mounts were made */
    size_t count, room;
};

/*
 * Reads our mounts from a file in the form of /proc/self/mountinfo (proc(5)); lines of another form
 * are skipped. Returns 0 or -ENOMEM. Call mounts_clear() even if this fails.
 */
int mounts_read(FILE *file, struct mounts *out);
void mounts_clear(struct mounts *mounts);

/*
 * Finds the uppermost mount at a place, which must be a real path. Returns 0 with its connection,
 * -EINVAL if it is no FUSE mount or there is none, or another -errno. Sends no request to the
 * mount. Any thread.
 */
int mounts_find(const char *place, unsigned *connection);

/* Prints a table of mountpoint, dump, format and process; `-` where that is unknown. */
enum program_status mounts_print(void);

/*
 * Unmounts what each name means: the mount at a mountpoint, or all mounts of a dump. Failures are
 * logged, and make the result PROGRAM_MOUNTPOINT.
 */
enum program_status mounts_unmount(char **names, int count);

/*
 * Unmounts, with fusermount3 if only that is permitted. The program that serves the mount must go
 * on serving meanwhile, so the caller is another thread or process. Returns 0, -EBUSY if the mount
 * is in use, -EPERM if fusermount3 has refused (it prints the reason unless `quiet`), or another
 * -errno. Any thread.
 */
int mounts_take_away(const char *place, bool quiet);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The kernel's table of mounts, /proc/self/mountinfo (proc(5)): its lines, which of them are mounts
 * of this program, and which processes serve them. Sends no request to a mount. Any thread.
 */
#ifndef GPUDUMPFS_CLI_MOUNT_TABLE_H
#define GPUDUMPFS_CLI_MOUNT_TABLE_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

struct mount_line {
    char *place, *dump; /* unescaped; `dump` is no path for a stream or a mount of mount.fuse3 */
    char *type;         /* of the file system */
    /* The device's minor number, by which the kernel identifies a FUSE mount. */
    unsigned connection;
};

/* Opens the table. Returns NULL with errno on failure. */
FILE *mount_table_open(void);

/*
 * Reads the next line, in the order in which the mounts were made; lines of another form are
 * skipped. Returns 1 with a line that the caller clears, 0 at the end, or -ENOMEM.
 */
int mount_table_next(FILE *table, struct mount_line *line);
void mount_line_clear(struct mount_line *line);

/* Returns whether the file system of the mount is FUSE, with any subtype. */
bool mount_line_is_fuse(const struct mount_line *line);

/*
 * Returns whether the mount has the program's own type, or another type (-o subtype=) and is served
 * by the program.
 */
bool mount_line_is_ours(const struct mount_line *line);

/*
 * Finds the id of the process that serves the mount; "-" if unknown. Ignores the calling process.
 */
void mount_line_process(const struct mount_line *line, char found[NAME_MAX + 1]);

#endif

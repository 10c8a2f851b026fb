/* SPDX-License-Identifier: MIT */
/*
 * The table of mounts that the kernel keeps, /proc/self/mountinfo (proc(5)), line by line, which of
 * them are the program's, and which processes serve them. Sends no request to a mount. Any thread.
 */
#ifndef GPUDUMPFS_CLI_MOUNT_TABLE_H
#define GPUDUMPFS_CLI_MOUNT_TABLE_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

struct mount_line {
    char *place, *dump; /* as they are; of a stream or by mount.fuse3 `dump` is no path */
    char *type;         /* of the file system */
    /* The device's minor number, by which the kernel tells FUSE mounts apart. */
    unsigned connection;
};

/* The table; NULL with errno. */
FILE *mount_table_open(void);

/*
 * The next line, in the order in which they were mounted, to be cleared: 1; 0: the end; -ENOMEM.
 * Lines of another form are left out.
 */
int mount_table_next(FILE *table, struct mount_line *line);
void mount_line_clear(struct mount_line *line);

bool mount_line_is_fuse(const struct mount_line *line);

/* Whether it is of the program's own type, or of another name (-o subtype=) and served by it. */
bool mount_line_is_ours(const struct mount_line *line);

/* The number of the process that serves it, or "-"; this process is left out. */
void mount_line_process(const struct mount_line *line, char found[NAME_MAX + 1]);

#endif

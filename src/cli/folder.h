/* SPDX-License-Identifier: MIT */
/*
 * The dumps of a folder, for one mount of them all: which files are dumps, and how to open one. One
 * thread requests names; others open and close dumps.
 */
#ifndef GPUDUMPFS_CLI_FOLDER_H
#define GPUDUMPFS_CLI_FOLDER_H

#include "cli/program.h"
#include "fuse/mount.h"

struct folder_dumps;

/*
 * Opens the folder, but no file in it. `options` are borrowed. With `single`, dumps get no threads.
 * Returns 0, or -errno of the folder, such as -ENOTDIR.
 */
int folder_dumps_create(const char *path, const struct program_options *options, bool single,
                        struct folder_dumps **out);

/* Reads the folder, and finds out which files are dumps. Returns 0 or -errno. */
int folder_dumps_read(struct folder_dumps *dumps);

/* Returns the real path of the folder. */
const char *folder_dumps_path(const struct folder_dumps *dumps);

void folder_dumps_destroy(struct folder_dumps **dumps);

/* Fills in the parameters of mount_create_folder(). */
void folder_dumps_describe(struct folder_dumps *dumps, struct mount_dumps *out);

#endif

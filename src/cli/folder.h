/* SPDX-License-Identifier: MIT */
/*
 * The dumps of a folder, for one mount of them all: which files are dumps, and how one is opened.
 * One thread asks for names, others open and close dumps.
 */
#ifndef GPUDUMPFS_CLI_FOLDER_H
#define GPUDUMPFS_CLI_FOLDER_H

#include "cli/program.h"
#include "fuse/mount.h"

struct folder_dumps;

/* Looks at no file in it. Options are borrowed. 0, or -errno of the folder, -ENOTDIR. */
int folder_dumps_create(const char *path, const struct program_options *options, bool single,
                        struct folder_dumps **out);

/* Which files are dumps. 0 or -errno. */
int folder_dumps_read(struct folder_dumps *dumps);

/* Its real path. */
const char *folder_dumps_path(const struct folder_dumps *dumps);

void folder_dumps_destroy(struct folder_dumps **dumps);

/* For mount_create_folder(). */
void folder_dumps_describe(struct folder_dumps *dumps, struct mount_dumps *out);

#endif

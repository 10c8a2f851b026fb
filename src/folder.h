/*
 * The dumps of a folder, for one mount of them all: which files are dumps, and how one is
 * opened. Names are asked for by one thread, dumps are opened and closed by one other.
 */
#ifndef GPUDUMPFS_FOLDER_H
#define GPUDUMPFS_FOLDER_H

#include "fuse/mount.h"

struct folder_dumps;

/* Options are borrowed. 0, or -errno of the folder, -ENOTDIR. */
int folder_dumps_create(const char *path, const struct options *options, bool single,
                        struct folder_dumps **out);
void folder_dumps_destroy(struct folder_dumps **dumps);

/* For mount_create_folder(). */
void folder_dumps_describe(struct folder_dumps *dumps, struct mount_dumps *out);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Kept files: files that are kept from one run to the next in the user's cache,
 * $XDG_CACHE_HOME/gpudumpfs or ~/.cache/gpudumpfs: compiled shaders (worker.md 4.2), indexes
 * (psx.md 1.1). The folder (0700) and its files (0600) belong to the user, are writable by no other
 * user, and are reached over no symbolic link. Writing replaces a complete file. These functions
 * are for the process itself, or for the keeper of a confined one (base/helper.h). Any thread;
 * several processes may use a folder at the same time.
 */
#ifndef GPUDUMPFS_SOURCE_DISK_CACHE_H
#define GPUDUMPFS_SOURCE_DISK_CACHE_H

#include "base/sha256.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Maximum number of bytes of all files in the folder, unless 1/DISK_CACHE_PART of the free space on
 * the disk is more.
 */
#define DISK_CACHE_MAX (UINT64_C(256) << 20)

enum { DISK_CACHE_PART = 16, DISK_CACHE_NAME = SHA256_DIGITS };

/* Returns the folder, to be freed with free(); NULL if there is no place that is the user's own. */
char *disk_cache_home(void);

/* Returns whether `name` is a valid file name: the digits of a hash. */
bool disk_cache_is_name(const char *name);

/*
 * Opens a file for reading. Returns a descriptor, or -errno: -ENOENT, -EINVAL for a path without a
 * folder, -EPERM if the file or folder is not the user's own.
 */
int disk_cache_open(const char *path);

/*
 * Returns how many bytes all files in the path's folder may have, after creating the folder:
 * DISK_CACHE_MAX, or a part of the disk's free space if that is more, so that there is room for
 * what is kept of large dumps.
 */
uint64_t disk_cache_room(const char *path);

/*
 * Replaces a file by what `write` writes into a new one, creating the folder if necessary. Then
 * removes other files in the folder, those written longest ago first, until all files together have
 * at most `max` bytes. Returns 0, or a negative errno, such as that of `write`: then the previous
 * file stays.
 */
int disk_cache_replace(const char *path, int (*write)(void *context, int file), void *context,
                       uint64_t max);

#endif

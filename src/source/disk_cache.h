/* SPDX-License-Identifier: MIT */
/*
 * Files that are kept from one run to the next in the user's cache, $XDG_CACHE_HOME/gpudumpfs, else
 * ~/.cache/gpudumpfs: shaders that were compiled (worker.md 4.2), indexes (psx.md 1.1). The folder
 * (0700) and its files (0600) are the user's own, writable by nobody else, and are reached over no
 * link; what is written replaces a file whole. This is how the process itself does it, or a keeper
 * for a confined one. Any thread; processes may use one folder at once.
 */
#ifndef GPUDUMPFS_SOURCE_DISK_CACHE_H
#define GPUDUMPFS_SOURCE_DISK_CACHE_H

#include "base/sha256.h"

#include <stdbool.h>
#include <stdint.h>

/* Bytes of all files of the folder, at most, unless the disk has so many times more free. */
#define DISK_CACHE_MAX (UINT64_C(256) << 20)

enum { DISK_CACHE_PART = 16, DISK_CACHE_NAME = SHA256_DIGITS };

/* The folder, for free(). NULL: there is no place for it that is the user's own. */
char *disk_cache_home(void);

/* A file's name: a hash's digits. */
bool disk_cache_is_name(const char *name);

/*
 * To read, for close(), or -errno: -ENOENT, -EINVAL of a path without a folder, -EPERM for what
 * is not the user's own.
 */
int disk_cache_open(const char *path);

/*
 * How many bytes all files of the path's folder, which is made, may hold: DISK_CACHE_MAX, or a
 * part of what its disk has free if that is more, so that what is kept of large dumps has room.
 */
uint64_t disk_cache_room(const char *path);

/*
 * Replaces the file by what `write` puts into another one, and makes the folder; drops files in it
 * that were not written for longest, so that all hold at most `max` bytes. 0 or a negative errno,
 * `write`'s among them: then the former file stays.
 */
int disk_cache_replace(const char *path, int (*write)(void *context, int file), void *context,
                       uint64_t max);

#endif

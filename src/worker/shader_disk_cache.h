/* SPDX-License-Identifier: MIT */
/*
 * Compiled shaders, which processes of one worker leave for those after them: files without
 * names, which Mesa keeps its database in (worker.md 4.1), and from one mount of a dump to the
 * next a file for each dump in $XDG_CACHE_HOME/gpudumpfs, else ~/.cache/gpudumpfs (4.2). They are
 * as trustworthy as what the dump made of the process that wrote them: nothing looks into them but
 * processes that are confined alike, for the same dump. One thread at a time for each cache.
 */
#ifndef GPUDUMPFS_WORKER_SHADER_DISK_CACHE_H
#define GPUDUMPFS_WORKER_SHADER_DISK_CACHE_H

#include "source/source.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    SHADER_DISK_CACHE_DATABASE,
    SHADER_DISK_CACHE_INDEX, /* of the database */
    SHADER_DISK_CACHE_SUMS,  /* Mesa's note of what it has stored */
    SHADER_DISK_CACHE_FILES,
    SHADER_DISK_CACHE_KEPT =
        SHADER_DISK_CACHE_SUMS /* those before, beyond a mount; Mesa makes the last again */
};

/* Bytes of one of them, at most; Mesa begins anew before (LAUNCH_SHADERS_MAX). */
#define SHADER_DISK_CACHE_FILE_MAX (UINT64_C(64) << 20)

struct shader_disk_cache {
    int files[SHADER_DISK_CACHE_FILES]; /* -1: there are none */
};

void shader_disk_cache_init(struct shader_disk_cache *shaders);

/* Makes the files unless they are there. 0 or a negative errno, then there are none. */
int shader_disk_cache_make(struct shader_disk_cache *shaders);

/*
 * Descriptors of the same files for a worker beside the one that made them, for processes of
 * both may use them at once. 0 or a negative errno, then *to has none; nor when *from has none.
 */
int shader_disk_cache_share(const struct shader_disk_cache *from, struct shader_disk_cache *to);

/* Forgets all. */
void shader_disk_cache_clear(struct shader_disk_cache *shaders);

/* Bytes of the database, 0: nothing was stored yet. */
uint64_t shader_disk_cache_stored(const struct shader_disk_cache *shaders);

/* The memory that they take. */
uint64_t shader_disk_cache_bytes(const struct shader_disk_cache *shaders);

/*
 * The folder beside `program` in which Mesa looks for the files: its names lead to a
 * process' own descriptors. For free(); NULL: it is not there, and nothing can be kept.
 */
char *shader_disk_cache_folder(const char *program);

/*
 * The file for a dump, found again as long as its size, its time, and its first and last
 * bytes are the same. For free(); NULL: there is no place for it that is the user's own. Where a
 * keeper has the files (base/helper.h) it is the name alone, which only the functions below know.
 */
char *shader_disk_cache_path(const struct source *source);

/*
 * Fills shader_disk_cache_make()'s empty files. 0; -ENOENT: there is no such file; or a negative
 * errno for one that is not ours, damaged or cut, which is told in verbose mode. The files are
 * empty then.
 */
int shader_disk_cache_load(const char *path, const struct shader_disk_cache *shaders);

/* Removes the file. */
void shader_disk_cache_drop(const char *path);

/*
 * Replaces the file, and makes its folder (0700); drops files of others in it that were not
 * written for longest, so that all hold at most disk_cache_room(), or at most `max` bytes. A
 * keeper, which alone knows the folder of the file's name, does it where there is one. 0 or a
 * negative errno.
 */
int shader_disk_cache_save(const char *path, const struct shader_disk_cache *shaders);
int shader_disk_cache_save_within(const char *path, const struct shader_disk_cache *shaders,
                                  uint64_t max);

#endif

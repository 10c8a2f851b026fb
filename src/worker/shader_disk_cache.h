/* SPDX-License-Identifier: MIT */
/*
 * Compiled shaders that processes of one worker leave for later ones. Within a mount they are in
 * unnamed files, where Mesa keeps its database (worker.md 4.1). From one mount of a dump to the
 * next they are in a file for each dump in $XDG_CACHE_HOME/gpudumpfs, or ~/.cache/gpudumpfs (4.2).
 *
 * They are as trustworthy as what the dump made of the process that wrote them. So only processes
 * that are confined in the same way, for the same dump, interpret them. One thread at a time for
 * each cache.
 */
#ifndef GPUDUMPFS_WORKER_SHADER_DISK_CACHE_H
#define GPUDUMPFS_WORKER_SHADER_DISK_CACHE_H

#include "source/source.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    SHADER_DISK_CACHE_DATABASE,
    SHADER_DISK_CACHE_INDEX, /* of the database */
    SHADER_DISK_CACHE_SUMS,  /* Mesa's record of what it has stored */
    SHADER_DISK_CACHE_FILES,
    SHADER_DISK_CACHE_KEPT =
        SHADER_DISK_CACHE_SUMS /* number of files kept beyond a mount; Mesa recreates the last */
};

/* Largest size of a file in bytes; Mesa starts a new database earlier (LAUNCH_SHADERS_MAX). */
#define SHADER_DISK_CACHE_FILE_MAX (UINT64_C(64) << 20)

struct shader_disk_cache {
    int files[SHADER_DISK_CACHE_FILES]; /* -1: there are no files */
};

void shader_disk_cache_init(struct shader_disk_cache *shaders);

/* Creates the files unless they exist. Returns 0, or a negative errno; then there are no files. */
int shader_disk_cache_make(struct shader_disk_cache *shaders);

/*
 * Duplicates the descriptors for a worker beside the one that made the files; processes of both may
 * use the files at the same time. Returns 0, or a negative errno. *to has no files if this fails,
 * or if *from has none.
 */
int shader_disk_cache_share(const struct shader_disk_cache *from, struct shader_disk_cache *to);

/* Closes the files. */
void shader_disk_cache_clear(struct shader_disk_cache *shaders);

/* Returns the size of the database in bytes; 0 if nothing has been stored. */
uint64_t shader_disk_cache_stored(const struct shader_disk_cache *shaders);

/* Returns the memory that the files take, in bytes. */
uint64_t shader_disk_cache_bytes(const struct shader_disk_cache *shaders);

/*
 * Returns the folder beside `program` in which Mesa looks for the files; its links point to a
 * process' own descriptors. The caller frees the path. Returns NULL if there is no such folder, so
 * that nothing can be kept.
 */
char *shader_disk_cache_folder(const char *program);

/*
 * Returns the path of the file for a dump, which stays the same as long as the dump's size, time,
 * and first and last bytes do. The caller frees it. Returns NULL if there is no suitable folder of
 * the user's own, or for a dump that grows. With a keeper (base/helper.h) this is only the file's
 * name, which only the functions below understand.
 */
char *shader_disk_cache_path(const struct source *source);

/*
 * Fills the empty files of shader_disk_cache_make() from the file. Returns 0, -ENOENT if there is
 * no such file, or another negative errno for a file that is not the user's own, damaged or
 * truncated; that is logged in verbose mode. The files are empty if this fails.
 */
int shader_disk_cache_load(const char *path, const struct shader_disk_cache *shaders);

/* Removes the file. */
void shader_disk_cache_drop(const char *path);

/*
 * Replaces the file, and creates its folder (0700) if necessary. Removes the files of other dumps
 * in the folder that were written longest ago, so that all together have at most disk_cache_room()
 * bytes. With a keeper, which alone knows the folder, the keeper does this. Returns 0 or a negative
 * errno.
 */
int shader_disk_cache_save(const char *path, const struct shader_disk_cache *shaders);

/*
 * Does the same in this process, even if there is a keeper, but so that all files together have at
 * most `max` bytes.
 */
int shader_disk_cache_save_within(const char *path, const struct shader_disk_cache *shaders,
                                  uint64_t max);

#endif

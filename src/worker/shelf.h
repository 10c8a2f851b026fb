/*
 * Compiled shaders from one mount of a dump to the next: a file for each dump in
 * $XDG_CACHE_HOME/gpudumpfs, else ~/.cache/gpudumpfs. What a file holds was written by a
 * process that the dump may have taken over, and goes to processes for the same dump
 * alone (worker.md 4.2). Any thread.
 */
#ifndef GPUDUMPFS_WORKER_SHELF_H
#define GPUDUMPFS_WORKER_SHELF_H

#include "source/source.h"
#include "worker/shaders.h"

/* Most bytes of all files of the folder. */
#define SHELF_MOST (UINT64_C(256) << 20)

/*
 * The file for a dump, found again as long as its size, its time, and its first and last
 * bytes are the same. For free(); NULL: there is no place for it that is the user's own.
 */
char *shelf_path(const struct source *source);

/*
 * Fills shaders_make()'s empty files. 0; -ENOENT: there is no such file; or a negative errno
 * for one that is not ours, damaged or cut, which is told in verbose mode. The files are empty
 * then.
 */
int shelf_load(const char *path, const struct shaders *shaders);

/*
 * Replaces the file, and makes its folder (0700); drops files of others in it that were not
 * written for longest, so that all hold `most` bytes at most. 0 or a negative errno.
 */
int shelf_save(const char *path, const struct shaders *shaders, uint64_t most);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The shaders that the processes of one worker have compiled. Each process hands them on to the
 * next, the cache pays for them, and the next mount of the dump finds them again (worker.md 4). One
 * thread at a time.
 */
#ifndef GPUDUMPFS_WORKER_COMPILED_SHADERS_H
#define GPUDUMPFS_WORKER_COMPILED_SHADERS_H

#include "cache/cache.h"
#include "worker/shader_disk_cache.h"

struct compiled_shaders {
    struct shader_disk_cache database;
    char *folder; /* where a process finds them; NULL: not known yet, or there is none */
    const struct source *kept_for; /* the dump that they are kept for, borrowed; NULL: none */
    char *path; /* file that keeps them, from the first start on; NULL: they are not kept */
    uint64_t loaded_bytes;      /* bytes of the database when it was loaded from `path` */
    bool loaded;                /* loading was tried */
    struct cache *const *cache; /* pays for the shaders; none if this or *cache is NULL */
    uint64_t charged;           /* bytes charged to the cache */
    bool over_budget; /* the cache refused the charge: the next process begins without shaders */
};

/* Initializes an empty set of shaders. Both pointers are borrowed. */
void compiled_shaders_init(struct compiled_shaders *shaders, const struct source *kept_for,
                           struct cache *const *cache);

/*
 * Prepares the files for a process of this program, which is about to start. The first time, loads
 * what an earlier mount has left. Returns false if there are no files, or no folder to find them
 * in.
 */
bool compiled_shaders_begin(struct compiled_shaders *shaders, const char *program);

/*
 * Charges the cache for the shaders that there are now. Call it after a process may have compiled
 * more.
 */
void compiled_shaders_pay(struct compiled_shaders *shaders);

/* Discards the shaders, here and on disk. */
void compiled_shaders_drop(struct compiled_shaders *shaders);

/* Saves the shaders for the next mount, and frees everything. */
void compiled_shaders_end(struct compiled_shaders *shaders);

#endif

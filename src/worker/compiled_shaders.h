/* SPDX-License-Identifier: MIT */
/*
 * The shaders that a worker's processes have compiled: each hands them on to the next one, the
 * cache pays for them, and the dump's next mount finds them again (worker.md 4). One thread at a
 * time.
 */
#ifndef GPUDUMPFS_WORKER_COMPILED_SHADERS_H
#define GPUDUMPFS_WORKER_COMPILED_SHADERS_H

#include "cache/cache.h"
#include "worker/shader_disk_cache.h"

struct compiled_shaders {
    struct shader_disk_cache database;
    char *folder;                  /* in which a process finds them */
    const struct source *kept_for; /* the dump that they are kept for; NULL: none */
    char *path;                    /* where to, from the first start on; NULL: nowhere */
    uint64_t loaded_bytes;         /* bytes of the database that came from there */
    bool loaded;                   /* it has been looked at */
    struct cache *const *cache;    /* that pays for them; NULL, or to NULL: none */
    uint64_t charged;              /* so much */
    bool over_budget;              /* they take more than that: the next process begins without */
};

/* There are none yet. Both are borrowed. */
void compiled_shaders_init(struct compiled_shaders *shaders, const struct source *kept_for,
                           struct cache *const *cache);

/*
 * For a process of this program, which is about to start: at the first time with what an earlier
 * mount has left. False: there are no files, or no folder to find them in.
 */
bool compiled_shaders_begin(struct compiled_shaders *shaders, const char *program);

/* A process may have compiled more. */
void compiled_shaders_pay(struct compiled_shaders *shaders);

/* Forgets them, here and on the disk. */
void compiled_shaders_drop(struct compiled_shaders *shaders);

/* Keeps them for the next mount, and forgets them. */
void compiled_shaders_end(struct compiled_shaders *shaders);

#endif

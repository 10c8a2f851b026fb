/* SPDX-License-Identifier: MIT */
/*
 * Trees that replace each other in one mount. Everything except `next` and `unused` belongs to the
 * reader thread; before and after the mount is served, any thread may use it.
 */
#ifndef GPUDUMPFS_FUSE_GENERATIONS_H
#define GPUDUMPFS_FUSE_GENERATIONS_H

#include "base/locks.h"
#include "fuse/internal.h"

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

struct generation {
    struct mount mount;
    struct generations *all;
    struct generation *older;
    uint64_t users GUARDED_BY(lock_of_generations); /* requests and open files */
};

struct generations {
    /* The newest one is served. Those after it (`older`) still have users. */
    struct generation *newest;
    pthread_mutex_t lock;
    /* Will be the newest at the next generations_turn(); NULL: none. */
    struct generation *next GUARDED_BY(lock_of_generations);
    /* Those that have no users, and never will. */
    struct generation *unused GUARDED_BY(lock_of_generations);
};

/* Creates the list, still empty. Returns 0 or -ENOMEM. */
int generations_create(struct generations **out);
void generations_destroy(struct generations **generations);

/* Implements mount_replace(). */
int generations_replace(struct mount *mount, struct tree *tree) EXCLUDES(lock_of_generations);

/* Implements mount_take_unused(). */
struct tree *generations_take_unused(struct mount *mount) EXCLUDES(lock_of_generations);

/*
 * Makes the tree of generations_replace() the newest one, and moves those without users to the
 * unused ones. To be called between two messages.
 */
void generations_turn(struct generations *generations) EXCLUDES(lock_of_generations);

/* Returns the mount that new requests are about. */
struct mount *generations_newest(struct generations *generations);

/* Returns the mount that requests about an open file of that tree are about. */
struct mount *generations_of(struct generations *generations, const struct tree *tree);

/*
 * The same functions as folder_count(), folder_ahead(), folder_reply_early() and folder_look(),
 * over all generations.
 */
size_t generations_count(struct generations *generations) EXCLUDES(lock_of_mount);
size_t generations_ahead(struct generations *generations);
int64_t generations_reply_early(struct generations *generations, int64_t now)
    EXCLUDES(lock_of_mount);
void generations_look(struct generations *generations, bool all) EXCLUDES(lock_of_mount);

#endif

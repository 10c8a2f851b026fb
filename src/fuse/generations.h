/* SPDX-License-Identifier: MIT */
/*
 * Trees that take each other's place in one mount. But for `next` and `unused` the reader thread's,
 * or anyone's before it serves and after that.
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
    struct generation *newest; /* is served; those behind it have users */
    pthread_mutex_t lock;
    struct generation *next GUARDED_BY(lock_of_generations);   /* is to be the newest; or NULL */
    struct generation *unused GUARDED_BY(lock_of_generations); /* nothing will use them */
};

/* 0 or -ENOMEM. */
int generations_create(struct generations **out);
void generations_destroy(struct generations **generations);

/* As mount_replace() and mount_take_unused(). */
int generations_replace(struct mount *mount, struct tree *tree) EXCLUDES(lock_of_generations);
struct tree *generations_take_unused(struct mount *mount) EXCLUDES(lock_of_generations);

/* Takes what generations_replace() gave, and lets go of what nothing uses. Between two messages. */
void generations_turn(struct generations *generations) EXCLUDES(lock_of_generations);

/* What requests are about; what those about an open file of that tree are about. */
struct mount *generations_newest(struct generations *generations);
struct mount *generations_of(struct generations *generations, const struct tree *tree);

/* As folder_count() and those behind it. */
size_t generations_count(struct generations *generations) EXCLUDES(lock_of_mount);
size_t generations_ahead(struct generations *generations);
int64_t generations_reply_early(struct generations *generations, int64_t now)
    EXCLUDES(lock_of_mount);
void generations_look(struct generations *generations, bool all) EXCLUDES(lock_of_mount);

#endif

/*
 * Reading ahead: who reads pictures in their order finds the next ones made, by
 * the pool, while the last one is still on its way to the reader. One after the
 * other, the next one begun when the last is drawn; few, none that the cache could
 * not hold, and none any more when the reader goes elsewhere. Any thread; never waits but in
 * ahead_end().
 */
#ifndef GPUDUMPFS_TREE_AHEAD_H
#define GPUDUMPFS_TREE_AHEAD_H

#include "cache/cache.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct tree;
struct tree_target;

enum { AHEAD_SERIES = 4, AHEAD_AT_ONCE = 4 };

/* For one picture. */
struct ahead_request {
    struct ahead_series *series;
    bool asked; /* `cache` is the cache's */
    bool begun; /* … and not half made yet */
    struct cache_request cache;
};

/* Pictures of one folder in order, up to the one that was read last. */
struct ahead_series {
    struct tree *tree;
    const struct rule *rule; /* NULL: none yet */
    uint64_t last;           /* read */
    uint64_t made;           /* asked for ahead, up to this one */
    unsigned read;           /* in order */
    uint64_t used;           /* when, for the oldest to give way */
    struct ahead_request requests[AHEAD_AT_ONCE];
};

struct ahead {
    pthread_mutex_t lock;
    pthread_cond_t answered;
    struct ahead_series series[AHEAD_SERIES];
    uint64_t clock, pictures; /* made ahead so far */
    bool ended;
};

/* 0 or -ENOMEM. It is destroyed when it has ended. */
int ahead_create(struct ahead **out);
void ahead_destroy(struct ahead **ahead);

/* A file's contents are asked for. */
void ahead_note(struct tree *tree, const struct tree_target *target);

/* Takes back what is asked for; nothing more will be. */
void ahead_end(struct tree *tree);

/* How many pictures were made before somebody asked for them. */
uint64_t ahead_pictures(struct tree *tree);

#endif

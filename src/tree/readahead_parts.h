/* SPDX-License-Identifier: MIT */
/*
 * What the files of reading ahead share (readahead.h): its series, and what each file does for the
 * others. Any thread; the lock is held where it says so.
 */
#ifndef GPUDUMPFS_TREE_READAHEAD_PARTS_H
#define GPUDUMPFS_TREE_READAHEAD_PARTS_H

#include "base/cancel.h"
#include "base/locks.h"
#include "cache/cache.h"
#include "tree/rule.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct tree;
struct tree_target;

enum {
    READAHEAD_SERIES = 16,
    READAHEAD_PICTURES = 4,
    READAHEAD_RUNS = 16,
    READAHEAD_IN_ORDER = 2, /* pictures before their order is believed */
};

/* For one picture. */
struct readahead_request {
    struct readahead_series *series;              /* always the same */
    bool requested GUARDED_BY(lock_of_readahead); /* `cache` is the cache's */
    bool begun GUARDED_BY(lock_of_readahead);     /* … and its first stage is not over */
    struct cache_request cache;
};

/* A job that makes texts of a series in a row. */
struct readahead_run {
    struct pool_job job;
    struct tree *tree;
    struct readahead_series *series
        GUARDED_BY(lock_of_readahead); /* NULL: the reader went elsewhere */
    struct cancel cancel;
    bool under_way GUARDED_BY(lock_of_readahead);
};

/*
 * Pictures of a folder, the text of one name in frame after frame or of packet after packet, or
 * texts of a family, in folder after folder.
 */
struct readahead_series {
    struct tree *tree;                               /* always the same */
    const struct rule *rule;                         /* NULL: none yet */
    uint64_t last GUARDED_BY(lock_of_readahead);     /* that the reader took */
    uint64_t made GUARDED_BY(lock_of_readahead);     /* begun ahead, up to this one */
    uint64_t used GUARDED_BY(lock_of_readahead);     /* when, for the oldest to give way */
    unsigned in_order GUARDED_BY(lock_of_readahead); /* taken by the reader */
    struct readahead_request requests[READAHEAD_PICTURES];
    /* Of texts. */
    unsigned ahead GUARDED_BY(lock_of_readahead); /* how many `made` is from `last` */
    unsigned runs GUARDED_BY(lock_of_readahead);  /* that are under way */
    bool downwards GUARDED_BY(lock_of_readahead);
    bool waiting GUARDED_BY(
        lock_of_readahead); /* a thread is at the next one: it makes it, or waits for it, … */
    bool helps GUARDED_BY(lock_of_readahead);     /* … as readers of the series do */
    bool read GUARDED_BY(lock_of_readahead);      /* not only its size is requested */
    uint64_t bytes GUARDED_BY(lock_of_readahead); /* of one of them: the largest of late */
};

struct readahead {
    pthread_mutex_t lock;
    pthread_cond_t answered; /* a request for a picture was */
    struct readahead_series series[READAHEAD_SERIES];
    struct readahead_run runs[READAHEAD_RUNS];
    unsigned running GUARDED_BY(lock_of_readahead);
    atomic_uint drawing; /* pictures that are requested and not made; read without the lock */
    uint64_t clock GUARDED_BY(lock_of_readahead);
    /* Made ahead so far. */
    uint64_t pictures GUARDED_BY(lock_of_readahead), texts GUARDED_BY(lock_of_readahead);
    bool ended GUARDED_BY(lock_of_readahead);
};

static inline void readahead_lock(struct readahead *readahead) ACQUIRE(lock_of_readahead)
{
    pthread_mutex_lock(&readahead->lock);
}

static inline void readahead_unlock(struct readahead *readahead) RELEASE(lock_of_readahead)
{
    pthread_mutex_unlock(&readahead->lock);
}

static inline bool readahead_is_pictures(const struct rule *rule)
{
    return rule->family != NULL && rule->work == CACHE_RENDER;
}

/* readahead_order.c: the picture after `key` in its folder, … */
bool readahead_next_picture(const struct tree *tree, const struct rule *rule, uint64_t key,
                            uint64_t *next);

/* … the text after or before it: of the next packet, in the next directory, in the same one, … */
bool readahead_next_text(const struct tree *tree, const struct rule *rule, uint64_t key,
                         bool downwards, uint64_t *next);

/* … and of either. */
bool readahead_next(const struct tree *tree, const struct rule *rule, uint64_t key, bool downwards,
                    uint64_t *next);

/*
 * readahead_series.c: the series that the target belongs to, a new one in place of the oldest if
 * need be. False: that one has pictures to take back first, which is the caller's, without the
 * lock.
 */
bool readahead_take_series(struct tree *tree, const struct tree_target *target,
                           struct readahead_series **out) REQUIRES(lock_of_readahead);

/* Whether the cache has any of its pictures to make. */
bool readahead_is_requested(const struct readahead_series *series) REQUIRES(lock_of_readahead);

/* readahead_pictures.c: a reader takes one; more are requested. */
void readahead_note_picture(struct tree *tree, const struct tree_target *target)
    EXCLUDES(lock_of_readahead);

/* Takes back what is requested of a series. */
void readahead_give_up(struct readahead_series *series) EXCLUDES(lock_of_readahead);

/* The same of all series but one, and those of a rule. Of both NULL is none. */
void readahead_leave_others(struct tree *tree, const struct readahead_series *kept,
                            const struct rule *rule) EXCLUDES(lock_of_readahead);

/* readahead_texts.c: as readahead_note_text(), of a text whose series is of use. */
void readahead_take_text(struct tree *tree, const struct tree_target *target, uint64_t size,
                         bool read) EXCLUDES(lock_of_readahead);

/* A thread makes a text itself, or waits for it. */
void readahead_note_wait(struct tree *tree, const struct tree_target *target)
    EXCLUDES(lock_of_readahead);

/* What jobs of a series still do is of no use. */
void readahead_cancel_runs(struct readahead *readahead, const struct readahead_series *series)
    REQUIRES(lock_of_readahead);

#endif

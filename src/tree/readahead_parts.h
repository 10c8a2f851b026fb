/* SPDX-License-Identifier: MIT */
/*
 * What the files of reading ahead (readahead.h) share: its series, and what each file does for the
 * others. Any thread may call these functions; the attributes say which need the lock.
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
    READAHEAD_SERIES = 16,  /* series at the same time */
    READAHEAD_PICTURES = 4, /* pictures of a series that are made ahead */
    READAHEAD_RUNS = 16,    /* runs at the same time, of all series */
    READAHEAD_IN_ORDER = 2, /* pictures in order before more are made ahead */
};

/* A request for one picture. */
struct readahead_request {
    struct readahead_series *series; /* never changes */
    /* It was submitted to the cache, and is not answered yet. */
    bool requested GUARDED_BY(lock_of_readahead);
    bool begun GUARDED_BY(lock_of_readahead);   /* the first stage of its picture is not over */
    uint64_t key GUARDED_BY(lock_of_readahead); /* of its picture */
    struct cache_request cache;
};

/* A run: a job that makes texts of a series, one after another. */
struct readahead_run {
    struct pool_job job;
    struct tree *tree;
    struct readahead_series *series
        GUARDED_BY(lock_of_readahead); /* NULL: the reader has left the series */
    struct cancel cancel;
    bool under_way GUARDED_BY(lock_of_readahead);
};

/*
 * A series, that is, files which a reader takes in order: pictures of a folder, the text of one
 * name in consecutive frames or of consecutive packets, or texts of a family in consecutive
 * folders.
 */
struct readahead_series {
    struct tree *tree;                           /* never changes */
    const struct rule *rule;                     /* NULL: the series was never used */
    uint64_t last GUARDED_BY(lock_of_readahead); /* key that the reader took last */
    uint64_t made GUARDED_BY(lock_of_readahead); /* last key begun ahead */
    /* Clock at the last use: the oldest series is replaced. */
    uint64_t used GUARDED_BY(lock_of_readahead);
    unsigned in_order GUARDED_BY(lock_of_readahead); /* number that the reader took in order */
    struct readahead_request requests[READAHEAD_PICTURES];
    /* The following fields are for texts. */
    unsigned ahead GUARDED_BY(lock_of_readahead); /* number of texts from `last` to `made` */
    unsigned runs GUARDED_BY(lock_of_readahead);  /* jobs under way */
    bool downwards GUARDED_BY(lock_of_readahead);
    /* A thread makes the next text itself, or waits for it. */
    bool waiting GUARDED_BY(lock_of_readahead);
    /* A thread has made a text of this series itself, or waited for one. */
    bool helps GUARDED_BY(lock_of_readahead);
    bool read GUARDED_BY(lock_of_readahead);      /* contents are read, not only sizes requested */
    uint64_t bytes GUARDED_BY(lock_of_readahead); /* of one text: the largest of the recent ones */
};

struct readahead {
    pthread_mutex_t lock;
    pthread_cond_t answered; /* a request for a picture was answered */
    struct readahead_series series[READAHEAD_SERIES];
    struct readahead_run runs[READAHEAD_RUNS];
    unsigned running GUARDED_BY(lock_of_readahead);
    atomic_uint drawing; /* pictures requested and not made; read without the lock */
    uint64_t clock GUARDED_BY(lock_of_readahead);
    /* Numbers of pictures and of texts that were made ahead so far. */
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

/*
 * readahead_order.c: finds the picture after `key` in its folder. Returns false if there is none.
 */
bool readahead_next_picture(const struct tree *tree, const struct rule *rule, uint64_t key,
                            uint64_t *next);

/*
 * Finds the text after `key`, or before it if `downwards`: of the next packet, in the next
 * directory, or in the same directory. Returns false if there is none.
 */
bool readahead_next_text(const struct tree *tree, const struct rule *rule, uint64_t key,
                         bool downwards, uint64_t *next);

/* Finds the next picture or text, depending on the rule. */
bool readahead_next(const struct tree *tree, const struct rule *rule, uint64_t key, bool downwards,
                    uint64_t *next);

/*
 * readahead_series.c: finds the series that the target belongs to, or begins a new one in place of
 * the oldest. Returns false if the oldest one still has requests for pictures: the caller then
 * gives them up with readahead_give_up(), without the lock.
 */
bool readahead_take_series(struct tree *tree, const struct tree_target *target,
                           struct readahead_series **out) REQUIRES(lock_of_readahead);

/* Returns whether the cache still has a request of the series. */
bool readahead_is_requested(const struct readahead_series *series) REQUIRES(lock_of_readahead);

/* readahead_pictures.c: notes that a reader takes a picture, and requests more. */
void readahead_note_picture(struct tree *tree, const struct tree_target *target)
    EXCLUDES(lock_of_readahead);

/* Cancels the requests of a series. */
void readahead_give_up(struct readahead_series *series) EXCLUDES(lock_of_readahead);

/* Cancels the requests of all series except `kept` and those of `rule`; either may be NULL. */
void readahead_leave_others(struct tree *tree, const struct readahead_series *kept,
                            const struct rule *rule) EXCLUDES(lock_of_readahead);

/*
 * readahead_texts.c: as readahead_note_text(), for a text of which others are worth making ahead.
 */
void readahead_take_text(struct tree *tree, const struct tree_target *target, uint64_t size,
                         bool read) EXCLUDES(lock_of_readahead);

/* Notes that a thread makes a text itself, or waits for it. */
void readahead_note_wait(struct tree *tree, const struct tree_target *target)
    EXCLUDES(lock_of_readahead);

/* Cancels the jobs of a series, whose results are no longer useful. */
void readahead_cancel_runs(struct readahead *readahead, const struct readahead_series *series)
    REQUIRES(lock_of_readahead);

#endif

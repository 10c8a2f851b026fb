/* SPDX-License-Identifier: MIT */
/*
 * Reading ahead: a reader that takes pictures or texts in their order finds the next ones
 * made by the pool. A series is begun by any read, believed after some in order, and given up
 * when the reader goes elsewhere; nothing is made that the cache could not hold.
 *
 * Pictures of a family are made one after the other, in two stages: the next one is drawn
 * while the last is encoded (CACHE_FIRST_STAGE). Texts of frames or packets, upwards or downwards,
 * cost less than waking a thread: one job makes several in a row, no more than were requested in
 * order; all jobs together use all threads, or all but one where texts were long of late or their
 * reader makes some itself. What a reader waits for goes first.
 *
 * What is drawn by another program (`rule.slow`) is drawn in turn, by one that has to go to each
 * place: who requests such a picture goes elsewhere as far as all other series of pictures are
 * concerned.
 *
 * What readers get for it, as the time of a run without over that with it (medians of five,
 * two idle processors): `cat` of all pictures 1.8 (PSX), 1.1 (OpenGL); of the two stages alone
 * 1.2; `grep` and `cat` over all commands.txt 1.2 to 1.5.
 *
 * Any thread; never waits but in readahead_end().
 */
#ifndef GPUDUMPFS_TREE_READAHEAD_H
#define GPUDUMPFS_TREE_READAHEAD_H

#include "base/cancel.h"
#include "base/locks.h"
#include "cache/cache.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct rule;
struct tree;
struct tree_target;

enum { READAHEAD_SERIES = 16, READAHEAD_PICTURES = 4, READAHEAD_RUNS = 16 };

/* For one picture. */
struct readahead_request {
    struct readahead_series *series;
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
    struct tree *tree;
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
    uint64_t clock GUARDED_BY(lock_of_readahead);
    /* Made ahead so far. */
    uint64_t pictures GUARDED_BY(lock_of_readahead), texts GUARDED_BY(lock_of_readahead);
    bool ended GUARDED_BY(lock_of_readahead);
};

/* 0 or -ENOMEM. It is destroyed when it has ended. */
int readahead_create(struct readahead **out);
void readahead_destroy(struct readahead **readahead);

/*
 * A file's contents are requested; `waits`: by a thread that makes them itself or waits for
 * them. Of a series of texts some are left to it then, so that it has something to do.
 */
void readahead_begin(struct tree *tree, const struct tree_target *target, bool waits)
    EXCLUDES(lock_of_readahead);

/* A text's size was told, also in a listing, or (`read`) its contents begin to be read. */
void readahead_note_text(struct tree *tree, const struct tree_target *target, uint64_t size,
                         bool read) EXCLUDES(lock_of_readahead);

/* Nothing more is begun. Cancels what was requested; runs are cancelled, and end with the pool.
 */
void readahead_end(struct tree *tree) EXCLUDES(lock_of_readahead);

/* How many were made before a reader requested them. */
uint64_t readahead_pictures(struct tree *tree) EXCLUDES(lock_of_readahead);
uint64_t readahead_texts(struct tree *tree) EXCLUDES(lock_of_readahead);

#endif

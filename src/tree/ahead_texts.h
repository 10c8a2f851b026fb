/*
 * Reading ahead in texts: who looks up or reads the same text of one frame after the
 * other, upwards or downwards, finds those of the next frames made by the pool. A text
 * costs less than waking a thread: one job makes several in a row, all jobs together
 * use all threads, or all but one where texts were long of late or who reads them makes
 * some himself. None is made before the order is believed, no more in a row than were
 * asked for in order, of a long one no more than its length, and none any more when the
 * reader goes elsewhere. What somebody waits for goes first. Any thread; never waits.
 */
#ifndef GPUDUMPFS_TREE_AHEAD_TEXTS_H
#define GPUDUMPFS_TREE_AHEAD_TEXTS_H

#include "base/cancel.h"
#include "cache/pool.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct rule;
struct tree;
struct tree_target;

enum { AHEAD_TEXT_SERIES = 8, AHEAD_RUNS = 16 };

/* The text of one name in frame after frame, up to the one that was asked for last. */
struct text_series {
    const struct rule *rule; /* NULL: none yet */
    uint64_t last;           /* asked for */
    uint64_t made;           /* begun ahead, up to this one, … */
    unsigned ahead;          /* … which is so many from the last */
    unsigned in_order;       /* asked for */
    unsigned runs;           /* that are under way */
    bool downwards;
    bool waiting;   /* a thread is at the next one: it makes it, or waits for it, … */
    bool helps;     /* … as those who ask do */
    bool read;      /* not only its size is asked for */
    uint64_t bytes; /* of one of them: the largest of late */
    uint64_t used;  /* when, for the oldest to give way */
};

/* A job that makes texts of a series in a row. */
struct text_run {
    struct pool_job job;
    struct tree *tree;
    struct text_series *series; /* NULL: the reader went elsewhere */
    struct cancel cancel;
    bool under_way;
};

struct ahead_texts {
    pthread_mutex_t lock;
    struct text_series series[AHEAD_TEXT_SERIES];
    struct text_run runs[AHEAD_RUNS];
    unsigned running;
    uint64_t clock, texts; /* made ahead so far */
    bool ended;
};

/* 0 or -ENOMEM. It is destroyed when it has ended. */
int ahead_texts_create(struct ahead_texts **out);
void ahead_texts_destroy(struct ahead_texts **ahead);

/*
 * A thread is about to make the contents of a file itself, or to wait for them. Of a
 * series some texts are left to it then, so that it has something to do meanwhile.
 */
void ahead_texts_wait(struct tree *tree, const struct tree_target *target);

/* A file's size was told, or (`read`) its contents begin to be read. */
void ahead_texts_note(struct tree *tree, const struct tree_target *target, uint64_t size,
                      bool read);

/* No more are begun; what is under way is cancelled, and ends with the pool. */
void ahead_texts_end(struct tree *tree);

/* How many were made before somebody asked for them. */
uint64_t ahead_texts_made(struct tree *tree);

#endif

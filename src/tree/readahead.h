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
 * place: a reader that requests such a picture, or begins another series of such a dump's frames,
 * has left, as far as all other series of pictures are concerned.
 *
 * What readers get for it, as the time of a run without over that with it (medians of five,
 * two idle processors): `cat` of all pictures 1.8 (PSX), 1.1 (OpenGL); of the two stages alone
 * 1.2; `grep` and `cat` over all commands.txt 1.2 to 1.5.
 *
 * Any thread; never waits but in readahead_end().
 */
#ifndef GPUDUMPFS_TREE_READAHEAD_H
#define GPUDUMPFS_TREE_READAHEAD_H

#include "base/locks.h"

#include <stdbool.h>
#include <stdint.h>

struct readahead;
struct tree;
struct tree_target;

/* Of a tree that keeps it. 0 or -ENOMEM. It is destroyed when it has ended. */
int readahead_create(struct tree *tree, struct readahead **out);
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

/*
 * Whether a picture is one of the latest that a reader has taken in order: the next ones are
 * requested, not this one again.
 */
bool readahead_has_passed(struct tree *tree, const struct tree_target *target)
    EXCLUDES(lock_of_readahead);

/* How many pictures are being made that no reader has requested yet, or that wait for a thread. */
unsigned readahead_drawing(const struct tree *tree);

/* How many were made before a reader requested them. */
uint64_t readahead_pictures(struct tree *tree) EXCLUDES(lock_of_readahead);
uint64_t readahead_texts(struct tree *tree) EXCLUDES(lock_of_readahead);

#endif

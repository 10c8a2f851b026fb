/* SPDX-License-Identifier: MIT */
/*
 * Reading ahead (readahead): a reader that takes pictures or texts in order finds the next ones
 * already made by the pool (cache/pool.h).
 *
 * A series is what one reader takes in order. Any read begins a series; after some files in order
 * the next ones are made ahead; and the series is given up when the reader takes another file.
 * Nothing is made that the cache could not hold. What a reader waits for goes first.
 *
 * Pictures of a family are made one after another, each by a request to the cache, in two stages:
 * the next one is drawn while the last one is encoded (CACHE_FIRST_STAGE).
 *
 * Texts of frames or packets, upwards or downwards, cost less than waking a thread. So one job,
 * called a run, makes several in a row, though not more than were requested in order. All jobs
 * together use all threads of the pool, or all but one if recent texts were long or their reader
 * makes some itself.
 *
 * Pictures that another program draws (`rule.slow`) are drawn in turn, by a program that has to
 * advance to each of them. When a reader requests such a picture, or begins another series of
 * frames of such a dump, the readers of all other series of pictures are taken to have left.
 *
 * The gain for readers, as time without reading ahead divided by time with it (medians of five, two
 * idle processors): `cat` of all pictures 1.8 (PSX), 1.1 (OpenGL), the two stages alone 1.2; `grep`
 * and `cat` over all commands.txt 1.2 to 1.5.
 *
 * Any thread; only readahead_end() waits.
 */
#ifndef GPUDUMPFS_TREE_READAHEAD_H
#define GPUDUMPFS_TREE_READAHEAD_H

#include "base/locks.h"

#include <stdbool.h>
#include <stdint.h>

struct readahead;
struct tree;
struct tree_target;

/*
 * Creates the state for a tree, which keeps it. Returns 0 or -ENOMEM. Destroy it after
 * readahead_end().
 */
int readahead_create(struct tree *tree, struct readahead **out);
void readahead_destroy(struct readahead **readahead);

/*
 * Notes that a file's contents are requested. `waits`: by a thread that makes them itself, or waits
 * for them; some texts of a series are then left to this thread, so that it has something to do.
 */
void readahead_begin(struct tree *tree, const struct tree_target *target, bool waits)
    EXCLUDES(lock_of_readahead);

/*
 * Notes that a text's size was reported, perhaps in a listing, or (`read`) that reading of its
 * contents begins.
 */
void readahead_note_text(struct tree *tree, const struct tree_target *target, uint64_t size,
                         bool read) EXCLUDES(lock_of_readahead);

/*
 * Ends reading ahead: begins nothing more, cancels the requests and waits for them. Jobs are
 * cancelled, too, and end with the pool.
 */
void readahead_end(struct tree *tree) EXCLUDES(lock_of_readahead);

/*
 * Returns whether a picture is one of the latest that a reader has taken in order: this reader will
 * request the next ones, not this one again.
 */
bool readahead_has_passed(struct tree *tree, const struct tree_target *target)
    EXCLUDES(lock_of_readahead);

/*
 * Returns how many pictures made ahead are not complete; some may still wait for a thread. Takes no
 * lock.
 */
unsigned readahead_drawing(const struct tree *tree);

/* Returns how many pictures were made before a reader requested them. */
uint64_t readahead_pictures(struct tree *tree) EXCLUDES(lock_of_readahead);

/* Returns how many texts were made before a reader requested them. */
uint64_t readahead_texts(struct tree *tree) EXCLUDES(lock_of_readahead);

#endif

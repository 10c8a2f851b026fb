/* SPDX-License-Identifier: MIT */
/*
 * Picture batches: the work on a file that is made from many pictures of a dump, each made as for a
 * reader, within one limit of processor time, which is four times that of a file (-o max-seconds).
 * A picture may take half of the time that is left, the last one all of it, but none more than half
 * of the limit that it would have by itself. What is not made in time is left off, and the work
 * goes on without it. Any thread.
 */
#ifndef GPUDUMPFS_TREE_PICTURE_BATCH_H
#define GPUDUMPFS_TREE_PICTURE_BATCH_H

#include "tree/internal.h"

#include "image/picture.h"

/*
 * A batch has a limit of its own, as a pass has: its time does not count for the making that runs
 * it (cache/index_task.h).
 */
struct picture_batch {
    struct tree *tree;
    struct budget_pause pause;
    struct budget_use use; /* all work of the batch polls its cancel */
};

/* Begins a batch of the calling thread, which must also end it. */
void picture_batch_begin(struct picture_batch *batch, struct tree *tree,
                         const struct cancel *cancel);

/*
 * Ends the batch and returns its result: `status`, or the error of the limit that was exceeded,
 * which is also reported for the file `inode`.
 */
int picture_batch_end(struct picture_batch *batch, int status, uint64_t inode);

/*
 * Returns whether at least that many hundredths are left of the time of the calling thread's batch
 * or pass; true if that has no limit.
 */
bool picture_batch_has_time(unsigned hundredths);

/*
 * Calls dump_ops.settle within the calling thread's batch. Returns its result, or -ETIME if there
 * is not enough time.
 */
int picture_batch_settle(struct tree *tree, const struct cancel *cancel);

/*
 * Makes the pixels of a rule's picture, as frame_pixels_get(), within the calling thread's batch or
 * pass. `last`: it is the last picture of the batch. Returns 0, or
 *
 *     -ETIME   it is left off, since there is not enough time
 *     -EAGAIN  a transient failure (base/transient_failures.h): it may succeed another time
 *     -EINTR   `cancel`, that of the batch, is raised
 *     others   there is no such picture
 */
int picture_batch_picture(struct tree *tree, const struct rule *rule, uint64_t key, bool last,
                          const struct cancel *cancel, struct picture_pixels *out);

/*
 * As picture_batch_picture(), for a frame's picture in these sides by dump_ops.pictures.make_small;
 * if that is NULL, for the complete picture.
 */
int picture_batch_small(struct tree *tree, uint64_t frame, bool last, const uint32_t sides[2],
                        const struct cancel *cancel, struct picture_pixels *out);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Picture batches: what is made of many pictures of a dump, each as a reader would get it, within
 * one limit of processor time: four times that of a file (-o max-seconds). A picture may take half
 * of what is left, the last one all of it, and none more than half of what it may take by itself;
 * what is not made in time is left off, and the rest goes on without it. Any thread.
 */
#ifndef GPUDUMPFS_TREE_PICTURE_BATCH_H
#define GPUDUMPFS_TREE_PICTURE_BATCH_H

#include "tree/internal.h"

#include "image/picture.h"

/* As a pass has it, its time is not that of the making that needs it (cache/index_task.h). */
struct picture_batch {
    struct tree *tree;
    struct budget_pause pause;
    struct budget_use use; /* its cancel is what all work of the batch polls */
};

/* From begin to end it is the calling thread's. */
void picture_batch_begin(struct picture_batch *batch, struct tree *tree,
                         const struct cancel *cancel);

/* What came of it: `status`, or what a limit makes of it, which is told of the file. */
int picture_batch_end(struct picture_batch *batch, int status, uint64_t inode);

/*
 * Whether so many hundredths of its time are left. Of the calling thread's batch, or pass; true
 * where that has no limit.
 */
bool picture_batch_has_time(unsigned hundredths);

/*
 * dump_ops.settle, of the calling thread's batch: what that says, or -ETIME: there is no time for
 * it.
 */
int picture_batch_settle(struct tree *tree, const struct cancel *cancel);

/*
 * The pixels of a rule's picture, as frame_pixels_get(), of the calling thread's batch or pass;
 * `last`: nothing comes behind it. 0;
 *
 *     -ETIME   it is left off, since there is no time for it
 *     -EAGAIN  a transient failure (base/transient_failures.h): another time there may be one
 *     -EINTR   `cancel`, which is the batch's, is raised
 *     others   there is no such picture
 */
int picture_batch_picture(struct tree *tree, const struct rule *rule, uint64_t key, bool last,
                          const struct cancel *cancel, struct picture_pixels *out);

/* The same of a frame as dump_ops.frame_small makes it; where that is NULL, of its picture. */
int picture_batch_small(struct tree *tree, uint64_t frame, bool last, const uint32_t sides[2],
                        const struct cancel *cancel, struct picture_pixels *out);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Tours: what is made of many pictures of a dump, each as a reader would get it, within one limit
 * of processor time: four times that of a file (-o max-seconds). A picture may take half of what is
 * left, the last one all of it, and none more than half of what it may take by itself; what is not
 * made in time is left off, and the rest goes on without it. Any thread.
 */
#ifndef GPUDUMPFS_TREE_TOUR_H
#define GPUDUMPFS_TREE_TOUR_H

#include "tree/internal.h"

#include "image/picture.h"

/* As a pass has it, its time is not that of the making that needs it (cache/index_task.h). */
struct tour {
    struct tree *tree;
    struct budget_pause pause;
    struct budget_use use; /* its cancel is what all work of the tour polls */
};

/* From begin to end it is the calling thread's. */
void tour_begin(struct tour *tour, struct tree *tree, const struct cancel *cancel);

/* What came of it: `status`, or what a limit makes of it, which is told of the file. */
int tour_end(struct tour *tour, int status, uint64_t inode);

/*
 * Whether so many hundredths of its time are left. Of the calling thread's tour, or pass; true
 * where that has no limit.
 */
bool tour_has_time(unsigned hundredths);

/*
 * dump_ops.settle, of the calling thread's tour: what that says, or -ETIME: there is no time for
 * it.
 */
int tour_settle(struct tree *tree, const struct cancel *cancel);

/*
 * The pixels of a rule's picture, as frame_pixels_get(), of the calling thread's tour or pass;
 * `last`: nothing comes behind it. 0;
 *
 *     -ETIME   it is left off, since there is no time for it
 *     -EAGAIN  something from outside befell it (base/mishaps.h): another time there may be one
 *     -EINTR   `cancel`, which is the tour's, is raised
 *     others   there is no such picture
 */
int tour_picture(struct tree *tree, const struct rule *rule, uint64_t key, bool last,
                 const struct cancel *cancel, struct picture_pixels *out);

/* The same of a frame as dump_ops.frame_small makes it; where that is NULL, of its picture. */
int tour_small(struct tree *tree, uint64_t frame, bool last, const uint32_t sides[2],
               const struct cancel *cancel, struct picture_pixels *out);

#endif

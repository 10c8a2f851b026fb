/* SPDX-License-Identifier: MIT */
/*
 * What timeline.png shows over the frames of a dump, as numbers: a lane for each column of
 * frames.tsv that dump_ops.timeline names, and one for the lines of problems.txt. Frames fall on
 * columns of the plot, several on one where there are many. Part of a batch (tree/picture_batch.h):
 * what there is no time for is left off, and overview_state has it. One thread; may take long.
 */
#ifndef GPUDUMPFS_TREE_TIMELINE_LANES_H
#define GPUDUMPFS_TREE_TIMELINE_LANES_H

#include "tree/overview_board.h"

enum { TIMELINE_WIDTH = 1600, TIMELINE_PLOT = TIMELINE_WIDTH - 2 * OVERVIEW_MARGIN };

/* What falls on a column of the plot. */
struct timeline_bucket {
    double sum, max;
    uint64_t count; /* frames */
};

struct timeline_lane {
    const char *name;
    unsigned cell; /* of frames.tsv */
    bool found;
    double max;
    uint64_t counted; /* frames, from the first on */
    struct timeline_bucket buckets[TIMELINE_PLOT];
};

struct timeline_lanes {
    struct dump *dump;
    struct overview_state *state;
    uint64_t frame_count;
    unsigned count; /* at least one: the last one is that of problems */
    struct timeline_lane *lanes;
};

/* How many lanes a dump has. Never waits. */
unsigned timeline_lanes_count(const struct dump *dump);

/* The column that a frame begins on; that behind the last one for frame_count. */
int64_t timeline_column(uint64_t frame_count, uint64_t frame);

/* Zeroed but for names; to be cleared in any case. 0, -ENOMEM. */
int timeline_lanes_init(struct timeline_lanes *lanes, struct dump *dump,
                        struct overview_state *state, uint64_t frame_count);
void timeline_lanes_clear(struct timeline_lanes *lanes);

/* Reads all that there is time for. 0, or a negative errno. */
int timeline_lanes_read(struct timeline_lanes *lanes, const struct cancel *cancel);

/* Frames whose figures are left off. */
uint64_t timeline_lanes_left_off(const struct timeline_lanes *lanes);

#endif

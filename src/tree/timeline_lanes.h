/* SPDX-License-Identifier: MIT */
/*
 * The figures that timeline.png shows over the frames of a dump: a lane for each column of
 * frames.tsv that dump_ops.tables.timeline names, and one for the lines of problems.txt. Frames are
 * mapped to columns of the plot, several to one if there are many. This is part of a batch
 * (tree/picture_batch.h): what there is not enough time for is left off, and noted in
 * overview_state. One thread; may take long.
 */
#ifndef GPUDUMPFS_TREE_TIMELINE_LANES_H
#define GPUDUMPFS_TREE_TIMELINE_LANES_H

#include "tree/overview_board.h"

enum { TIMELINE_WIDTH = 1600, TIMELINE_PLOT = TIMELINE_WIDTH - 2 * OVERVIEW_MARGIN };

/* The frames of one column of the plot. */
struct timeline_bucket {
    double sum, max;
    uint64_t count; /* number of frames */
};

struct timeline_lane {
    const char *name;
    unsigned cell; /* column of frames.tsv */
    bool found;
    double max;
    uint64_t counted; /* number of frames counted, from the first on */
    struct timeline_bucket buckets[TIMELINE_PLOT];
};

struct timeline_lanes {
    struct dump *dump;
    struct overview_state *state;
    uint64_t frame_count;
    unsigned count; /* at least one: the last lane is that of problems */
    struct timeline_lane *lanes;
};

/* Returns how many lanes a dump has. Never waits. */
unsigned timeline_lanes_count(const struct dump *dump);

/* Returns the column where a frame begins; for frame_count, the one after the last. */
int64_t timeline_column(uint64_t frame_count, uint64_t frame);

/*
 * Initializes the lanes, zeroed except for their names. Returns 0 or -ENOMEM. Call
 * timeline_lanes_clear() even if it fails.
 */
int timeline_lanes_init(struct timeline_lanes *lanes, struct dump *dump,
                        struct overview_state *state, uint64_t frame_count);
void timeline_lanes_clear(struct timeline_lanes *lanes);

/* Reads all figures that there is time for. Returns 0 or -errno. */
int timeline_lanes_read(struct timeline_lanes *lanes, const struct cancel *cancel);

/* Returns how many frames' figures were left off. */
uint64_t timeline_lanes_left_off(const struct timeline_lanes *lanes);

#endif

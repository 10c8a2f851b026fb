/* SPDX-License-Identifier: MIT */
/*
 * A comparison as a dump of its own: its rules answer from the trees of the two that it compares,
 * of which it keeps the keys of their frames. A pass makes those in a thread; names that need it
 * are known after it. Both trees outlive the comparison's.
 */
#ifndef GPUDUMPFS_COMPARE_COMPARE_DUMP_H
#define GPUDUMPFS_COMPARE_COMPARE_DUMP_H

#include "tree/tree.h"

/* Names of the directories in which the two trees are to be shown beside this one's names. */
#define COMPARE_A "a"
#define COMPARE_B "b"

/* Everything is borrowed, and outlives the comparison. */
struct compare_dump_params {
    struct tree *trees[2];
    const char *paths[2];
    const struct options *options;
    struct problems *problems;
};

/*
 * Makes its tree, of two that can be compared (comparison_is_possible()), with threads as in
 * tree_create(). tree_destroy() ends it; what it waits for in the two others it waits for then,
 * too, unless their dumps are cancelled. What tree_create() says.
 */
int compare_dump_create(const struct compare_dump_params *params, unsigned threads,
                        struct tree **out);

#endif

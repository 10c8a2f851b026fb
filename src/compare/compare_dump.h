/* SPDX-License-Identifier: MIT */
/*
 * A comparison as a dump of its own. Its rules get their answers from the trees of the two dumps
 * that it compares, of which it keeps the keys of the frames. A pass makes these keys, in a thread;
 * names that depend on them are known after it. Both trees must outlive the comparison's tree.
 */
#ifndef GPUDUMPFS_COMPARE_COMPARE_DUMP_H
#define GPUDUMPFS_COMPARE_COMPARE_DUMP_H

#include "tree/tree.h"

/* Names of the directories that are to show the two trees, next to the names of this one. */
#define COMPARE_A "a"
#define COMPARE_B "b"

/* All pointers are borrowed, and must outlive the comparison. */
struct compare_dump_params {
    struct tree *trees[2];
    const char *paths[2];
    const struct options *options;
    struct problems *problems;
};

/*
 * Makes the tree of a comparison, of two dumps that can be compared (comparison_is_possible()),
 * with `threads` as in tree_create(). tree_destroy() ends it, and then also waits for what the
 * comparison has requested from the two other trees, unless their dumps are cancelled. Returns 0,
 * -ENOMEM, or an error of tree_create().
 */
int compare_dump_create(const struct compare_dump_params *params, unsigned threads,
                        struct tree **out);

#endif

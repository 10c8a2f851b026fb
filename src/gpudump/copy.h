/*
 * Copies files and folders of a tree to disk, several at once: the threads that
 * read them are the threads that produce them. Called by the main thread.
 */
#ifndef GPUDUMPFS_GPUDUMP_COPY_H
#define GPUDUMPFS_GPUDUMP_COPY_H

#include "tree/tree.h"

#include <stdbool.h>

struct copy;

struct copy_params {
    struct tree *tree;
    unsigned threads; /* at least 1 */
    bool progress;    /* a line on the terminal */
    uint64_t total;   /* files that will be added, for that line; 0: each addition is counted */
    /* Files that are there already with the right size and the dump's time are left: a file
     * gets that time when it is whole. Live ones are copied anew. */
    bool resume;
};

/* 0, -ENOMEM, or -EAGAIN for want of threads. */
int copy_begin(const struct copy_params *params, struct copy **out);

/*
 * Copies what `path` (from the tree's root) names to `destination`, a folder with
 * all that is below. A link is kept where what it leads to is copied with it, and
 * followed elsewhere. Files may still be under way on return; what is live is copied by
 * copy_end(), so that it tells of all the others.
 */
void copy_add(struct copy *copy, const char *path, uint64_t inode, const char *destination);

/* Waits until all is copied. False if something failed: the log has told what. */
bool copy_end(struct copy **copy);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Walks a complete tree of any format and checks it against the rules of gpudumpfs-tree(7): what is
 * listed can be looked up, a listing can be resumed anywhere, sizes are exact, links lead
 * to existing files, and bytes are the same in whatever pieces they are read. If a check fails, the
 * calling test fails with the path concerned.
 */
#ifndef GPUDUMPFS_TESTS_SUPPORT_WALK_H
#define GPUDUMPFS_TESTS_SUPPORT_WALK_H

#include "tree/tree.h"

struct walk_params {
    /* How many entries of a directory are examined, from both ends; 0 means all. */
    unsigned max_entries;
    /* Names of files whose reading must fail with -EIO, with a NULL at the end; NULL for none. */
    const char *const *broken;
    bool any_source; /* the digest leaves out files that name the source */
    /*
     * Endings of the names of files that are looked up but not read, with a NULL at the end; NULL
     * for none.
     */
    const char *const *unread;
};

struct walk_result {
    uint64_t directories, files, links, broken;
    uint64_t bytes;
    /* Of all paths, inodes, sizes and bytes, without live files and .gpudumpfs/. */
    uint32_t digest;
};

/* Walks from the root. `params` may be NULL: everything is examined, and nothing is broken. */
void walk_tree(struct tree *tree, const struct walk_params *params, struct walk_result *result);

/* Reads the beginning of a file. Returns 0 or -errno. */
int walk_try(struct tree *tree, const char *path);

/*
 * Returns the complete contents of a file, with a NUL after them, to be freed with free(). Links
 * are followed. Fails the test if that is impossible.
 */
char *walk_read(struct tree *tree, const char *path, size_t *size);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Walks a whole tree, whatever its format, and holds it to the rules of
 * gpudumpfs-tree(7): what is listed can be looked up, a listing can go on from anywhere, sizes are
 * true, links lead somewhere, bytes are the same however they are read. Fails the
 * calling test with the path of what is wrong.
 */
#ifndef GPUDUMPFS_TESTS_SUPPORT_WALK_H
#define GPUDUMPFS_TESTS_SUPPORT_WALK_H

#include "tree/tree.h"

struct walk_params {
    /* Of a directory's entries, how many are looked into, from both ends; 0: all. */
    unsigned max_entries;
    /* Names that read as -EIO; NULL at the end. NULL: none does. */
    const char *const *broken;
    bool any_source; /* the digest leaves out what names the source */
    /* Names' endings of files that are found, but not read; NULL at the end. NULL: all are. */
    const char *const *unread;
};

struct walk_result {
    uint64_t directories, files, links, broken;
    uint64_t bytes;
    /* Of all paths, inodes, sizes and bytes, live files and .gpudumpfs/ left out. */
    uint32_t digest;
};

/* From the root; params NULL: everything, nothing broken. */
void walk_tree(struct tree *tree, const struct walk_params *params, struct walk_result *result);

/* What comes of reading a file's beginning: 0 or -errno. */
int walk_try(struct tree *tree, const char *path);

/* The whole contents of the file of that path, for free(), a NUL behind. Links are followed. */
char *walk_read(struct tree *tree, const char *path, size_t *size);

#endif

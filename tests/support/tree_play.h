/* SPDX-License-Identifier: MIT */
/* What the suites of the tree often do with a tree. All functions fail the test on failure. */
#ifndef GPUDUMPFS_TESTS_SUPPORT_TREE_PLAY_H
#define GPUDUMPFS_TESTS_SUPPORT_TREE_PLAY_H

#include "tests/support/walk.h"

/* For walk_tree() over the fake: the names of its files that cannot be read. */
extern const struct walk_params play_with_broken;

/* Return the inode of a path, and an open file. Links are followed. */
uint64_t play_find(struct tree *tree, const char *path);
struct tree_file *play_open(struct tree *tree, const char *path);

/* Reads `size` bytes at an offset, expects to get `expected` bytes, and releases them. */
void play_expect_read(struct tree_file *file, uint64_t offset, size_t size, size_t expected);

/* Opens the file, which must succeed, and expects that reading it returns `expected`. */
void play_expect_failure(struct tree *tree, const char *path, int expected);

/* Expects that the contents of the path's file begin with `beginning`. */
void play_expect_begins(struct tree *tree, const char *path, const char *beginning);

/* Returns the size of the path's file, or a negative errno. */
int64_t play_size(struct tree *tree, const char *path);

struct cache_statistics play_statistics(struct tree *tree);

/* A tree_emit that counts entries in its context, a uint64_t. */
bool play_count_entry(void *context, const char *name, uint64_t inode, enum rule_kind kind,
                      uint64_t next);

#endif

/* SPDX-License-Identifier: MIT */
/* What the suites of the tree do with a tree again and again; failures end the test. */
#ifndef GPUDUMPFS_TESTS_SUPPORT_TREE_PLAY_H
#define GPUDUMPFS_TESTS_SUPPORT_TREE_PLAY_H

#include "tests/support/walk.h"

/* For walk_tree() over the fake: its files that cannot be read. */
extern const struct walk_params play_with_broken;

/* The inode of a path, and an open file; links are followed. */
uint64_t play_find(struct tree *tree, const char *path);
struct tree_file *play_open(struct tree *tree, const char *path);

/* Expects so many bytes at an offset, and gives them back. */
void play_expect_read(struct tree_file *file, uint64_t offset, size_t size, size_t expected);

/* Expects that the file opens, and that reading it fails. */
void play_expect_failure(struct tree *tree, const char *path, int expected);

void play_expect_begins(struct tree *tree, const char *path, const char *beginning);

/* The path's size, or a negative errno. */
int64_t play_size(struct tree *tree, const char *path);

struct cache_statistics play_statistics(struct tree *tree);

/* A tree_emit: counts in the uint64_t that is its context. */
bool play_count_entry(void *context, const char *name, uint64_t inode, enum rule_kind kind,
                      uint64_t next);

#endif

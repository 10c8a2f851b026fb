/* SPDX-License-Identifier: MIT */
/*
 * Told sizes: sizes that were already reported to readers, of files that have two names and whose
 * size is known only from their contents. Later answers must be the same even if the contents were
 * dropped meanwhile: the reader's kernel keeps the first size, and reads the file by it.
 *
 * The table has a fixed size and forgets nothing. Of two files with the same place in the table it
 * has the first one; of the other it can only say that its size may have been reported. Any thread;
 * nothing waits.
 */
#ifndef GPUDUMPFS_TREE_TOLD_SIZES_H
#define GPUDUMPFS_TREE_TOLD_SIZES_H

#include <stdbool.h>
#include <stdint.h>

struct told_sizes;

/* Returns NULL if there is no memory. */
struct told_sizes *told_sizes_create(void);
void told_sizes_destroy(struct told_sizes **sizes);

/* Adds a size, which never changes: no file that is live or grows has two names (rules.c). */
void told_sizes_add(struct told_sizes *sizes, uint64_t inode, uint64_t size);

/* Returns false if no size is in the table, though one may have been reported. */
bool told_sizes_find(const struct told_sizes *sizes, uint64_t inode, uint64_t *size);

/* Returns false if the size was certainly never reported. */
bool told_sizes_may_have(const struct told_sizes *sizes, uint64_t inode);

#endif

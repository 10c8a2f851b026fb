/* SPDX-License-Identifier: MIT */
/*
 * Sizes already reported for files that have two names and whose size is known only from their
 * contents. A later answer must be the same, also where the contents were dropped since: a reader's
 * system keeps the first one, and reads the file by it.
 * The table never forgets, nor grows: of two files with one place the first is in it, and of the
 * other it says that it may be there. Any thread may ask and tell; nothing waits.
 */
#ifndef GPUDUMPFS_TREE_TOLD_SIZES_H
#define GPUDUMPFS_TREE_TOLD_SIZES_H

#include <stdbool.h>
#include <stdint.h>

struct told_sizes;

/* NULL: no memory. */
struct told_sizes *told_sizes_create(void);
void told_sizes_destroy(struct told_sizes **sizes);

/* One that stays so: no file that lives or grows has two names (rules.c). */
void told_sizes_add(struct told_sizes *sizes, uint64_t inode, uint64_t size);

/* False: none is known, though one may have been told. */
bool told_sizes_find(const struct told_sizes *sizes, uint64_t inode, uint64_t *size);

/* False: none was told, ever. */
bool told_sizes_may_have(const struct told_sizes *sizes, uint64_t inode);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Complete files of a tree in memory, for uses that need all bytes at once. Any thread; may take
 * long.
 */
#ifndef GPUDUMPFS_COMPARE_CONTENTS_H
#define GPUDUMPFS_COMPARE_CONTENTS_H

#include "tree/tree.h"

/* Appends the bytes of a file to `out`. `cancel` may be NULL. Returns 0 or -errno. */
int contents_read(struct tree *tree, uint64_t inode, const struct cancel *cancel, struct text *out);

/*
 * As contents_read(), for a text; of one longer than `max` bytes, appends only the first lines,
 * which are at most `max` bytes long.
 */
int contents_read_lines(struct tree *tree, uint64_t inode, size_t max, const struct cancel *cancel,
                        struct text *out);

/*
 * Finds the file or folder `folder`NNNNNN`rest` of a frame, however many digits frames have in this
 * dump, and stores its path. Returns 0, -ENOENT, or another -errno.
 */
enum { CONTENTS_PATH = 64 };
int contents_find_frame(struct tree *tree, const char *folder, uint64_t frame, const char *rest,
                        char path[CONTENTS_PATH], uint64_t *inode);

#endif

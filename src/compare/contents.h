/* SPDX-License-Identifier: MIT */
/* Whole files of a tree in memory, for what needs all of them at once. Any thread; may take long.
 */
#ifndef GPUDUMPFS_COMPARE_CONTENTS_H
#define GPUDUMPFS_COMPARE_CONTENTS_H

#include "tree/tree.h"

/* Adds a file's bytes to `out`. 0 or -errno; `cancel` may be NULL. */
int contents_read(struct tree *tree, uint64_t inode, const struct cancel *cancel, struct text *out);

/* Likewise of a text, but only its first lines where it is longer than `max` bytes. */
int contents_read_lines(struct tree *tree, uint64_t inode, size_t max, const struct cancel *cancel,
                        struct text *out);

/*
 * The file or folder `folder`NNNNNN`rest` of a frame, whatever digits frames have in this dump.
 * 0, -ENOENT, or another -errno.
 */
enum { CONTENTS_PATH = 64 };
int contents_find_frame(struct tree *tree, const char *folder, uint64_t frame, const char *rest,
                        char path[CONTENTS_PATH], uint64_t *inode);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * What one dump may cost (tree/allowance.h): the limits of its budget, and the lines
 * of problems.txt about what went beyond them. Any thread, but where said.
 */
#ifndef GPUDUMPFS_TREE_LIMITS_H
#define GPUDUMPFS_TREE_LIMITS_H

#include "tree/internal.h"

#include "base/text.h"

/* What shows a whole dump (tree/picture_batch.h) may take so many times what another file may. */
enum { LIMITS_BATCH_TIMES = 4 };

/* The dump's budget begins, before anything of it is made. */
void limits_begin(struct tree *tree);

/* It may hold nothing any more. */
void limits_end(struct tree *tree);

/* How long one text may become that is held in memory, or is so long already, in bytes. */
struct text_allowance limits_allowance(const struct tree *tree, uint64_t so_far);

/* A line of problems.txt: what of a file is left off, since its time is used up
 * (tree/picture_batch.h). */
void limits_tell_left_off(struct tree *tree, const char *what);

/*
 * What became of a text that was made with that allowance: -EFBIG, and a problem, where it was
 * to become longer; else `status`.
 */
int limits_judge(struct tree *tree, const struct text_allowance *allowance, uint64_t inode,
                 int status);

/* The same of a text as a whole, of which `length` bytes are known. */
int limits_check_length(struct tree *tree, uint64_t inode, uint64_t length);

#endif

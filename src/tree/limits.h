/* SPDX-License-Identifier: MIT */
/*
 * The limits of what one dump may cost (tree/allowance.h): its budgets, and the lines of
 * problems.txt about what exceeded them. Any thread, except where noted.
 */
#ifndef GPUDUMPFS_TREE_LIMITS_H
#define GPUDUMPFS_TREE_LIMITS_H

#include "tree/internal.h"

#include "base/text.h"

/*
 * What shows a complete dump (tree/picture_batch.h) may take this many times as much time as a
 * file.
 */
enum { LIMITS_BATCH_TIMES = 4 };

/*
 * Sets up the dump's budgets, before anything of it is made. Called once, by the thread that
 * creates the tree.
 */
void limits_begin(struct tree *tree);

/* Ends the budgets of batches, and the dump's share of the memory limit. */
void limits_end(struct tree *tree);

/*
 * Returns how many bytes a text that is made now may have: at most as many as memory allows, and at
 * most as many as are left of the limit of a file (-o max-text) after the `so_far` bytes before
 * this text.
 */
struct text_allowance limits_allowance(const struct tree *tree, uint64_t so_far);

/*
 * Adds a line to problems.txt about `what`: a part of a file that was left off since the file's
 * time is used up (tree/picture_batch.h).
 */
void limits_tell_left_off(struct tree *tree, const char *what);

/*
 * Returns the result of making a text with that allowance: -EFBIG if the text was to become longer,
 * which is also reported in problems.txt; otherwise `status`.
 */
int limits_judge(struct tree *tree, const struct text_allowance *allowance, uint64_t inode,
                 int status);

/*
 * Checks the length of a complete text, of which `length` bytes are known so far. Returns 0, or
 * -EFBIG as limits_judge() does.
 */
int limits_check_length(struct tree *tree, uint64_t inode, uint64_t length);

#endif

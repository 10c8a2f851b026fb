/* SPDX-License-Identifier: MIT */
/*
 * The last checks before a result leaves the tree: that it has the announced length, and that the
 * dump did not change while it was made. Any thread.
 */
#ifndef GPUDUMPFS_TREE_OUTCOME_H
#define GPUDUMPFS_TREE_OUTCOME_H

#include "tree/rule.h"

/*
 * Returns 0 if as many bytes were made as announced; otherwise -EIO, and adds a problem: a copy
 * would be cut off, so a failure with a reason is better.
 */
int outcome_check_length(const struct dump *dump, const struct rule *rule, uint64_t key,
                         uint64_t made, uint64_t announced);

/*
 * Returns -EIO if the dump's file was changed meanwhile, since what was made, or even a failure to
 * make it, may be a consequence of the change; otherwise `status`. Does not check after -EINTR.
 */
int outcome_of(struct dump *dump, int status);

/*
 * As outcome_of(), for an answer about a name of that rule which is about to leave the tree; a
 * success of a rule that is `apart` is not checked.
 */
int outcome_leave(struct dump *dump, const struct rule *rule, int status);

#endif

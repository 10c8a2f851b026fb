/* SPDX-License-Identifier: MIT */
/*
 * The last check before a result leaves the tree: it has the announced length, and the dump did not
 * change while it was made. Any thread.
 */
#ifndef GPUDUMPFS_TREE_OUTCOME_H
#define GPUDUMPFS_TREE_OUTCOME_H

#include "tree/rule.h"

/*
 * -EIO, and a problem, unless as many bytes were made as announced: copies would be cut
 * off, so better none, and a reason.
 */
int outcome_check_length(const struct dump *dump, const struct rule *rule, uint64_t key,
                         uint64_t made, uint64_t announced);

/*
 * What came of making something: -EIO where the dump's file was changed meanwhile: what was made,
 * even a failure, may be a consequence of that. Else `status`.
 */
int outcome_of(struct dump *dump, int status);

/* The same of an answer that is about to leave the tree, about a name of that rule. */
int outcome_leave(struct dump *dump, const struct rule *rule, int status);

#endif

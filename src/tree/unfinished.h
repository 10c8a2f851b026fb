/* SPDX-License-Identifier: MIT */
/*
 * The counting of packets.tsv, which takes as long as writing it: 13 s of a dump of 2.2 GB, of
 * which it has 3.3. A reader that asks for its size may be answered early and leave (struct rule's
 * size_so_far). So what was counted by then is kept, and the next one goes on there. Any thread.
 */
#ifndef GPUDUMPFS_TREE_UNFINISHED_H
#define GPUDUMPFS_TREE_UNFINISHED_H

#include <stdint.h>

struct blob;
struct tree;

/* Keeps the offsets of a listing, in which the ends of so many pieces stand. */
void unfinished_leave(struct tree *tree, struct blob *offsets, uint64_t pieces);

/* Takes over what was kept of a listing as long as `offsets`: the number of its pieces, 0: none. */
uint64_t unfinished_take(struct tree *tree, struct blob *offsets);

/* Bytes that were counted so far. */
uint64_t unfinished_length(const struct tree *tree);

#endif

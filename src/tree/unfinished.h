/* SPDX-License-Identifier: MIT */
/*
 * Where the counting of packets.tsv was left. It takes as long as writing the file: 13 s for 3.3
 * GB, of a dump of 2.2 GB. A reader that asks for the size may be answered early and leave (struct
 * rule's size_so_far), so what was counted by then is kept, and the next reader goes on there. Any
 * thread.
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

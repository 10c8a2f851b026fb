/* SPDX-License-Identifier: MIT */
/*
 * Files that are made piece by piece: listings, whose pieces have lengths that one
 * pass over them finds, and binary files, whose pieces are RULE_PIECE bytes long.
 * One item of the cache tells how they lie, each piece is an item of its own, made
 * when it is read: a file may be larger than all memory. Any thread.
 */
#ifndef GPUDUMPFS_TREE_PIECES_H
#define GPUDUMPFS_TREE_PIECES_H

#include "tree/internal.h"

/* How much there is of a listing; rows are DUMP_NOT_KNOWN of one by pieces of its own. */
struct pieces_extent {
    uint64_t pieces, rows;
};

/* A piece, and the item of the cache that it is. */
struct piece {
    uint64_t number, begin, length;
};

/* Its part. The last one of a listing that grows may be longer by the time it is made. */
static inline uint64_t piece_part(const struct tree *tree, const struct rule *rule,
                                  const struct piece *piece)
{
    uint64_t length = rule_has_grown(rule, tree->dump) ? piece->length : 0;

    return (length << PART_LENGTH_SHIFT & ~PART_GROWN) | piece->number;
}

/* Whether a file is made in pieces: then PART_OFFSETS of it, or what has grown, tells how they lie.
 */
bool pieces_has(const struct tree *tree, const struct rule *rule);

/* How an item of such a file is made; the context is the tree. */
const struct cache_maker *pieces_maker(const struct tree *tree, const struct rule *rule,
                                       struct cache_key key);

/* Whether a part of such a file tells how its pieces lie, and is none itself. */
static inline bool pieces_is_offsets(uint64_t part)
{
    return part >= PART_GROWN;
}

/*
 * Whether who makes PART_OFFSETS has made the pieces as well, which are in the cache then unless
 * they take a large part of it.
 */
bool pieces_come_with_offsets(const struct tree *tree, const struct rule *rule);

/* The whole file's length, by what PART_OFFSETS holds. */
uint64_t pieces_size(const struct tree *tree, const struct rule *rule, const struct blob *offsets);

/* The length of a listing that knows it without being formatted. 0 or -ENODATA. */
int pieces_known_length(struct tree *tree, const struct rule *rule, uint64_t key, uint64_t *length);

/* The piece that holds the byte at `offset`; false at or beyond the end. */
bool pieces_find(const struct tree *tree, const struct rule *rule, const struct blob *offsets,
                 uint64_t offset, struct piece *out);

/*
 * Appends a piece of a listing by the file's inode, its head before the first, for what is made
 * of texts. -ENOENT: there are not so many pieces, or the file is no listing.
 */
int pieces_write(const struct tree *tree, uint64_t inode, uint64_t piece,
                 const struct cancel *cancel, struct text *text, struct pieces_extent *extent);

#endif

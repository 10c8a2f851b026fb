/* SPDX-License-Identifier: MIT */
/*
 * Files that are made in pieces: listings, whose pieces have lengths that are found by one pass
 * over them, and binary files, whose pieces are RULE_PIECE bytes long. One item of the cache has
 * the offsets of the pieces. Each piece is an item of its own, made when it is read, so a file may
 * be larger than memory. Any thread.
 */
#ifndef GPUDUMPFS_TREE_PIECES_H
#define GPUDUMPFS_TREE_PIECES_H

#include "tree/internal.h"

/* The extent of a listing; rows is DUMP_NOT_KNOWN if the listing has pieces of its own. */
struct pieces_extent {
    uint64_t pieces, rows;
};

/* A piece of a file; offset and length in bytes. */
struct piece {
    uint64_t number, begin, length;
};

/*
 * Returns the part number of a piece's item in the cache. If the listing grows, the number contains
 * the length, since the last piece may be longer by the time it is made.
 */
static inline uint64_t piece_part(const struct tree *tree, const struct rule *rule,
                                  const struct piece *piece)
{
    uint64_t length = rule_has_grown(rule, tree->dump) ? piece->length : 0;

    return (length << PART_LENGTH_SHIFT & ~PART_GROWN) | piece->number;
}

/*
 * Returns whether a file is made in pieces. The item with part PART_OFFSETS, or for a file that
 * grows the item of a moment, then has the offsets.
 */
bool pieces_has(const struct tree *tree, const struct rule *rule);

/* Returns how an item of such a file is made; the maker's context is the tree. */
const struct cache_maker *pieces_maker(const struct tree *tree, const struct rule *rule,
                                       struct cache_key key);

/* Returns whether the part has the offsets of the pieces, and is not a piece itself. */
static inline bool pieces_is_offsets(uint64_t part)
{
    return part >= PART_GROWN;
}

/*
 * Returns whether making PART_OFFSETS makes the pieces, too; these are then in the cache, unless
 * they take a large part of it.
 */
bool pieces_come_with_offsets(const struct tree *tree, const struct rule *rule);

/* Returns the length of the complete file from the item with its offsets. */
uint64_t pieces_size(const struct tree *tree, const struct rule *rule, const struct blob *offsets);

/* Stores the length of a listing if that is known without formatting. Returns 0 or -ENODATA. */
int pieces_known_length(struct tree *tree, const struct rule *rule, uint64_t key, uint64_t *length);

/* Finds the piece with the byte at `offset`; returns false at or beyond the end. */
bool pieces_find(const struct tree *tree, const struct rule *rule, const struct blob *offsets,
                 uint64_t offset, struct piece *out);

/*
 * Appends one piece of a listing, given by the file's inode, with the head before the first piece,
 * for what is made from texts; stores the listing's extent. Returns 0, -ENOENT if there is no such
 * piece or the file is not a listing, or another -errno.
 */
int pieces_write(const struct tree *tree, uint64_t inode, uint64_t piece,
                 const struct cancel *cancel, struct text *text, struct pieces_extent *extent);

#endif

/*
 * Listings are made in pieces: one item of the cache holds where each piece ends,
 * found by formatting all of it once, and each piece is an item of its own, made
 * when it is read. So a listing over the whole dump costs 8 bytes a piece, and
 * its end is read without what stands before it. Any thread.
 */
#ifndef GPUDUMPFS_TREE_LISTING_H
#define GPUDUMPFS_TREE_LISTING_H

#include "tree/piece.h"

/* The makers' context is the tree. */
extern const struct cache_maker listing_offsets_maker, listing_piece_maker;

/* The listing of a file, or NULL. */
const struct dump_listing *listing_of(const struct tree *tree, const struct rule *rule);

/* The whole listing's length, from its offsets. */
uint64_t listing_size(const struct blob *offsets);

/* The piece that holds the byte at `offset`; false at or beyond the end. */
bool listing_find(const struct blob *offsets, uint64_t offset, struct piece *out);

#endif

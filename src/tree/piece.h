/* A piece of a file that is made in pieces, and the item of the cache that it is. */
#ifndef GPUDUMPFS_TREE_PIECE_H
#define GPUDUMPFS_TREE_PIECE_H

#include "tree/internal.h"

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

#endif

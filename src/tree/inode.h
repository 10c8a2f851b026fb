/* SPDX-License-Identifier: MIT */
/*
 * Inode numbers: the rule's id above its key, except that of the root, which is 1. The keys of a
 * family's members are packed from the key of their directory. Pure arithmetic.
 */
#ifndef GPUDUMPFS_TREE_INODE_H
#define GPUDUMPFS_TREE_INODE_H

#include "tree/tree.h"

#define INODE_KEY_MASK ((UINT64_C(1) << RULE_KEY_BITS) - 1)

static inline uint64_t inode_pack(unsigned rule, uint64_t key)
{
    return rule == RULE_ROOT ? (uint64_t)TREE_ROOT : (uint64_t)rule << RULE_KEY_BITS | key;
}

/* Unpack the rule's id and the key; the id is RULE_NONE for a number that no file has. */
static inline unsigned inode_rule(uint64_t inode)
{
    unsigned rule = (unsigned)(inode >> RULE_KEY_BITS);

    if (inode == TREE_ROOT)
        return RULE_ROOT;
    return rule == RULE_ROOT ? RULE_NONE : rule;
}

static inline uint64_t inode_key(uint64_t inode)
{
    return inode == TREE_ROOT ? 0 : inode & INODE_KEY_MASK;
}

/* Packs the key of a family's member; returns false if it does not fit into RULE_KEY_BITS. */
static inline bool inode_member(unsigned bits, uint64_t parent_key, uint64_t ordinal, uint64_t *key)
{
    if (bits == 0) {
        *key = ordinal;
        return ordinal <= INODE_KEY_MASK;
    }
    if (bits > RULE_KEY_BITS || ordinal > INODE_KEY_MASK >> (RULE_KEY_BITS - bits) ||
        parent_key > INODE_KEY_MASK >> bits)
        return false;
    *key = parent_key << bits | ordinal;
    return true;
}

/* Unpack a member's key. With bits 0 it does not contain the parent's key, which is taken as 0. */
static inline uint64_t inode_parent_key(unsigned bits, uint64_t key)
{
    return bits == 0 ? 0 : key >> bits;
}

static inline uint64_t inode_ordinal(unsigned bits, uint64_t key)
{
    return bits == 0 ? key : key & (INODE_KEY_MASK >> (RULE_KEY_BITS - bits));
}

#endif

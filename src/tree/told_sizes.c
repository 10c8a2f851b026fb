/* SPDX-License-Identifier: MIT */
#include "tree/told_sizes.h"

#include "tree/inode.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

enum { PLACES = 1 << 16 };

struct told_sizes {
    struct {
        atomic_uint_fast64_t inode; /* 0: none; set once */
        atomic_uint_fast64_t known; /* its size plus 1; 0: not known */
    } places[PLACES];
};

struct told_sizes *told_sizes_create(void)
{
    return calloc(1, sizeof(struct told_sizes)); /* mostly pages that are never touched */
}

void told_sizes_destroy(struct told_sizes **sizes)
{
    free(*sizes);
    *sizes = NULL;
}

/*
 * Files of a rule that follow each other are neighbours. Rules begin all over the table, and so do
 * the parts of a key above its last number: 24 bits, or 28.
 */
static size_t place_of(uint64_t inode)
{
    const uint64_t key = inode_key(inode), above = inode_rule(inode) + (key >> 24) + (key >> 28);
    const uint64_t spread = above * UINT64_C(0x9e3779b97f4a7c15);

    return (size_t)(key + (spread >> 32)) % PLACES;
}

/* Whether the place is the inode's. */
static bool take_place(struct told_sizes *sizes, uint64_t inode)
{
    atomic_uint_fast64_t *place = &sizes->places[place_of(inode)].inode;
    uint_fast64_t found = 0;

    return atomic_compare_exchange_strong(place, &found, inode) || found == inode;
}

void told_sizes_add(struct told_sizes *sizes, uint64_t inode, uint64_t size)
{
    if (take_place(sizes, inode))
        atomic_store(&sizes->places[place_of(inode)].known, size + 1);
}

void told_sizes_add_passing(struct told_sizes *sizes, uint64_t inode)
{
    (void)take_place(sizes, inode);
}

bool told_sizes_find(const struct told_sizes *sizes, uint64_t inode, uint64_t *size)
{
    const size_t place = place_of(inode);
    uint64_t known = 0;

    if (atomic_load(&sizes->places[place].inode) == inode)
        known = atomic_load(&sizes->places[place].known);
    if (known != 0)
        *size = known - 1;
    return known != 0;
}

bool told_sizes_may_have(const struct told_sizes *sizes, uint64_t inode)
{
    return atomic_load(&sizes->places[place_of(inode)].inode) != 0;
}

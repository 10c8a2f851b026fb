/* SPDX-License-Identifier: MIT */
#include "tree/told_sizes.h"

#include "tree/inode.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

enum { PLACES = 1 << 16 };

struct told_sizes {
    struct {
        atomic_uint_fast64_t inode; /* 0: free; set once */
        atomic_uint_fast64_t known; /* size plus 1; 0: not known */
    } places[PLACES];
};

struct told_sizes *told_sizes_create(void)
{
    return calloc(1, sizeof(struct told_sizes)); /* most of its pages are never touched */
}

void told_sizes_destroy(struct told_sizes **sizes)
{
    free(*sizes);
    *sizes = NULL;
}

/*
 * Files of a rule with consecutive keys have consecutive places; each rule begins at another place.
 */
static size_t place_of(uint64_t inode)
{
    const uint64_t spread = inode_rule(inode) * UINT64_C(0x9e3779b97f4a7c15);

    return (size_t)(inode_key(inode) + (spread >> 32)) % PLACES;
}

void told_sizes_add(struct told_sizes *sizes, uint64_t inode, uint64_t size)
{
    const size_t place = place_of(inode);
    uint_fast64_t found = 0;

    if (atomic_compare_exchange_strong(&sizes->places[place].inode, &found, inode) ||
        found == inode)
        atomic_store(&sizes->places[place].known, size + 1);
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

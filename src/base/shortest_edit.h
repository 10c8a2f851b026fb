/* SPDX-License-Identifier: MIT */
/*
 * The shortest way from one list to another: which elements go, which come, by the greedy method
 * of Myers ("An O(ND) difference algorithm and its variations", 1986). One thread.
 */
#ifndef GPUDUMPFS_BASE_SHORTEST_EDIT_H
#define GPUDUMPFS_BASE_SHORTEST_EDIT_H

#include "base/cancel.h"

#include <stdbool.h>
#include <stddef.h>

struct shortest_edit {
    /* Whether element `a` of the first list is equal to element `b` of the second. */
    bool (*same)(const void *context, size_t a, size_t b);
    const void *context;
    size_t a_count, b_count;
    const struct cancel *cancel; /* may be NULL */
};

/*
 * Sets gone[a] for what the second list has not, come[b] for what the first has not; all others
 * keep their order. All are false before. Lists that differ in more than 4096 elements between
 * their common ends are replaced there as a whole. 0, -ENOMEM, -EINTR, or -EFBIG: more elements
 * than 31 bits count.
 */
int shortest_edit_find(const struct shortest_edit *edit, bool *gone, bool *come);

#endif

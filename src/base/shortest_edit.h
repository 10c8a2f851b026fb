/* SPDX-License-Identifier: MIT */
/*
 * Finds the shortest edit from one list to another: which elements are deleted and which inserted,
 * by the greedy method of Myers ("An O(ND) difference algorithm and its variations", 1986). One
 * thread.
 */
#ifndef GPUDUMPFS_BASE_SHORTEST_EDIT_H
#define GPUDUMPFS_BASE_SHORTEST_EDIT_H

#include "base/cancel.h"

#include <stdbool.h>
#include <stddef.h>

struct shortest_edit {
    /* Returns whether element `a` of the first list equals element `b` of the second. */
    bool (*same)(const void *context, size_t a, size_t b);
    const void *context;
    size_t a_count, b_count;
    const struct cancel *cancel; /* may be NULL */
};

/*
 * Sets gone[a] for elements that only the first list has, and come[b] for elements that only the
 * second list has; all others keep their order. The caller clears both arrays beforehand. If the
 * lists differ by more than 4096 elements between their common ends, everything between the ends is
 * replaced. Returns 0, -ENOMEM, -EINTR, or -EFBIG if there are more elements than 31 bits can
 * count.
 */
int shortest_edit_find(const struct shortest_edit *edit, bool *gone, bool *come);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Delta debugging: finds, among many units such as the commands of a dump, a few that still have a
 * property which all of them have together. Tries to leave out runs of units, long ones first
 * (after Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input", 2002; of their
 * algorithm only the complements are tried). One thread.
 */
#ifndef GPUDUMPFS_BASE_MINIMISE_H
#define GPUDUMPFS_BASE_MINIMISE_H

#include <stdbool.h>
#include <stddef.h>

struct minimise {
    /*
     * Returns 1 if the property holds for the units i with kept[i], 0 if not, or -errno, which ends
     * the search.
     */
    int (*test)(void *context, const bool *kept);
    void *context;
};

/*
 * Reduces a set of units. `kept` has `count` entries: on entry the candidates, in the end the units
 * that are left, none of which can be left out alone. The property holds for the units in `kept`
 * whenever this returns, even on failure. Returns 0, -ENOMEM, or the error of `test`.
 */
int minimise_units(const struct minimise *minimise, bool *kept, size_t count);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Delta debugging: of many units, such as the commands of a dump, a few that still have a property
 * which all of them have together. Runs of units are left out, long ones first (after Zeller and
 * Hildebrandt, "Simplifying and isolating failure-inducing input", 2002, of whose algorithm
 * the complements are tried alone). One thread.
 */
#ifndef GPUDUMPFS_BASE_MINIMISE_H
#define GPUDUMPFS_BASE_MINIMISE_H

#include <stdbool.h>
#include <stddef.h>

struct minimise {
    /* Whether the property holds for the units i with kept[i]: 1, 0, or -errno, which ends it. */
    int (*test)(void *context, const bool *kept);
    void *context;
};

/*
 * `kept`: the units that come into question, `count` in all; in the end those that are left, none
 * of which can be left out alone. It holds for them at any time, also after a failure. 0, -ENOMEM,
 * or what `test` said.
 */
int minimise_units(const struct minimise *minimise, bool *kept, size_t count);

#endif

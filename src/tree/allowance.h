/* SPDX-License-Identifier: MIT */
/*
 * Limits of what a dump may cost (-o max-seconds, -o max-text, -o max-resident): as the user sets
 * them, or as the dump's size allows. Pure functions, except that allowance_index() reads the
 * memory limit; any thread.
 */
#ifndef GPUDUMPFS_TREE_ALLOWANCE_H
#define GPUDUMPFS_TREE_ALLOWANCE_H

#include "base/memory_limit.h"
#include "tree/options.h"

/* Sizes in bytes of all files together from which the dump is read, without holes. */
struct allowance_sizes {
    uint64_t file, expanded; /* as they are on disk, and after expansion */
    bool follows;            /* the dump is still being written */
};

/* Returns the processor time that one making or pass may take, in nanoseconds; 0 means no limit. */
uint64_t allowance_time(const struct options *options, const struct allowance_sizes *sizes);

/* Returns how many bytes one text may have; 0 means no limit. */
uint64_t allowance_text(const struct options *options, const struct allowance_sizes *sizes);

/* Returns how much memory the dump allows the program to hold (base/memory_limit.h). */
struct memory_share allowance_memory(const struct options *options,
                                     const struct allowance_sizes *sizes);

/*
 * Returns how many bytes an index that is made at the open may take (-o max-memory): at most half
 * of the program's memory limit.
 */
uint64_t allowance_index(const struct options *options);

#endif

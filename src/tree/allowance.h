/* SPDX-License-Identifier: MIT */
/*
 * What a dump may cost (-o max-seconds, -o max-text, -o max-resident): as its user says, or as
 * its size allows. Pure functions; any thread.
 */
#ifndef GPUDUMPFS_TREE_ALLOWANCE_H
#define GPUDUMPFS_TREE_ALLOWANCE_H

#include "base/memory_limit.h"
#include "tree/options.h"

/* Of all that it is read from, in bytes. */
struct allowance_sizes {
    uint64_t file, expanded;
    bool follows; /* it is still being written */
};

/* Processor time of one making or pass, in nanoseconds; 0: no limit. */
uint64_t allowance_time(const struct options *options, const struct allowance_sizes *sizes);

/* Bytes of one text; 0: no limit. */
uint64_t allowance_text(const struct options *options, const struct allowance_sizes *sizes);

/* Of all that the program holds. */
struct memory_share allowance_memory(const struct options *options,
                                     const struct allowance_sizes *sizes);

/* Bytes that an index may take which is made at the open (-o max-memory), within all those. */
uint64_t allowance_index(const struct options *options);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Replaces the C library's allocator for the whole program and its shared libraries: one allocation
 * can be made to fail, and what is held can be counted. Linking tests/formats/starve.c is enough.
 * If a sanitizer has its own allocator, only allocations of our own code fail, and nothing is
 * counted.
 */
#ifndef GPUDUMPFS_TESTS_FORMATS_STARVE_H
#define GPUDUMPFS_TESTS_FORMATS_STARVE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Makes the n-th allocation from now on (counted from 0) fail: malloc, calloc, realloc, memalign
 * and its variants, mmap.
 */
void starve_begin(int n);

/* Ends the failing of allocations. Returns whether the allocation that was to fail was reached. */
bool starve_end(void);

/*
 * Returns the number of allocations from starve_begin() to starve_end(), provided that none failed.
 */
int starve_count(void);

/* What is held at this moment: blocks of memory, mappings, open files */
struct starve_held {
    int64_t blocks, mappings, files;
};

struct starve_held starve_held(void);

#endif

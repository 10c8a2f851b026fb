/* SPDX-License-Identifier: MIT */
/*
 * An allocator in place of the C library's, for the whole program with its shared
 * libraries: one allocation can be made to fail, and what is held can be counted.
 * Linking tests/formats/starve.c is enough. Where a sanitizer has its own allocator, only
 * our own code's allocations fail, and nothing is counted.
 */
#ifndef GPUDUMPFS_TESTS_FORMATS_STARVE_H
#define GPUDUMPFS_TESTS_FORMATS_STARVE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The allocation number `n` (from 0) from now on fails: malloc, calloc, realloc,
 * memalign and its like, mmap.
 */
void starve_begin(int n);

/* None fails any more. Whether it was reached. */
bool starve_end(void);

/* Allocations from starve_begin() to starve_end(), if none has failed. */
int starve_count(void);

/* What is held at this moment: blocks of memory, mappings, open files. */
struct starve_held {
    int64_t blocks, mappings, files;
};

struct starve_held starve_held(void);

#endif

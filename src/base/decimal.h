/* SPDX-License-Identifier: MIT */
/*
 * Tables and functions for formatting decimal numbers by hand, in loops that write millions of
 * them. Pure functions and constants, any thread.
 */
#ifndef GPUDUMPFS_BASE_DECIMAL_H
#define GPUDUMPFS_BASE_DECIMAL_H

#include <stdint.h>

enum { DECIMAL_DIGITS_MAX = 20 }; /* enough for 64 bits */

extern const uint64_t decimal_powers[DECIMAL_DIGITS_MAX]; /* 10^n */
extern const char decimal_pairs[2 * 100 + 1];             /* "00" to "99" */

/* Returns the number of decimal digits of a value; 1 for 0. */
static inline unsigned decimal_digits(uint64_t value)
{
    uint64_t odd = value | 1; /* not 0, and of the same length: powers of ten from 10 on are even */
    /* Bits * log10(2), rounded down: the number of digits, or one less. */
    unsigned below = (64 - (unsigned)__builtin_clzll(odd)) * 1233 >> 12;

    return below + (odd >= decimal_powers[below]);
}

#endif

/* SPDX-License-Identifier: MIT */
/*
 * What writing decimal numbers by hand takes, in loops that write millions of them. Pure
 * functions and constants, any thread.
 */
#ifndef GPUDUMPFS_BASE_DECIMAL_H
#define GPUDUMPFS_BASE_DECIMAL_H

#include <stdint.h>

enum { DECIMAL_DIGITS_MAX = 20 }; /* of 64 bits */

extern const uint64_t decimal_powers[DECIMAL_DIGITS_MAX]; /* 10^n */
extern const char decimal_pairs[2 * 100 + 1];             /* 00 to 99 */

/* Decimal digits of a number, 1 for 0. */
static inline unsigned decimal_digits(uint64_t value)
{
    uint64_t odd = value | 1; /* not 0, and a power of ten from 10 on has no such digit */
    /* Bits * log10(2), rounded down: the number of digits, or one less. */
    unsigned below = (64 - (unsigned)__builtin_clzll(odd)) * 1233 >> 12;

    return below + (odd >= decimal_powers[below]);
}

#endif

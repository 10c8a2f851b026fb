/* SPDX-License-Identifier: MIT */
/*
 * Unsigned 128-bit numbers as two halves: products of two 64-bit numbers, and sums of many. If the
 * compiler has a 128-bit type, it does the work, in one or two instructions. It has none for 32-bit
 * processors, which use the functions named `..._by_halves`. Pure functions, callable from any
 * thread. Results are truncated to 128 bits.
 */
#ifndef GPUDUMPFS_BASE_WIDE_H
#define GPUDUMPFS_BASE_WIDE_H

#include <stdbool.h>
#include <stdint.h>

struct wide {
    uint64_t high, low;
};

static inline struct wide wide_product_by_halves(uint64_t a, uint64_t b)
{
    uint64_t low = (a & UINT32_MAX) * (b & UINT32_MAX);
    uint64_t middle = (a >> 32) * (b & UINT32_MAX) + (low >> 32);
    uint64_t other = (a & UINT32_MAX) * (b >> 32) + (middle & UINT32_MAX);

    return (struct wide){(a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32),
                         other << 32 | (low & UINT32_MAX)};
}

/* Returns the low 64 bits of number / divisor, bit by bit. The divisor must not be 0. */
static inline uint64_t wide_quotient_by_halves(struct wide number, uint64_t divisor)
{
    uint64_t rest = number.high % divisor, quotient = 0;

    for (int bit = 63; bit >= 0; bit--) {
        bool carry = rest >> 63 != 0;

        rest = rest << 1 | (number.low >> bit & 1);
        if (carry || rest >= divisor) {
            rest -= divisor;
            quotient |= UINT64_C(1) << bit;
        }
    }
    return quotient;
}

static inline struct wide wide_product(uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
    __extension__ unsigned __int128 product = (unsigned __int128)a * b;

    return (struct wide){(uint64_t)(product >> 64), (uint64_t)product};
#else
    return wide_product_by_halves(a, b);
#endif
}

/* Returns the low 64 bits of number / divisor. The divisor must not be 0. */
static inline uint64_t wide_quotient(struct wide number, uint64_t divisor)
{
#ifdef __SIZEOF_INT128__
    __extension__ unsigned __int128 whole = (unsigned __int128)number.high << 64 | number.low;

    return (uint64_t)(whole / divisor);
#else
    return wide_quotient_by_halves(number, divisor);
#endif
}

static inline struct wide wide_sum(struct wide number, uint64_t more)
{
    uint64_t low = number.low + more;

    return (struct wide){number.high + (low < more), low};
}

/* Returns number * factor. */
static inline struct wide wide_times(struct wide number, uint64_t factor)
{
    struct wide product = wide_product(number.low, factor);

    product.high += number.high * factor;
    return product;
}

/* Returns number / 2^bits, 0 <= bits < 128. */
static inline struct wide wide_down(struct wide number, unsigned bits)
{
    if (bits >= 64)
        return (struct wide){0, number.high >> (bits - 64)};
    if (bits == 0)
        return number;
    return (struct wide){number.high >> bits, number.high << (64 - bits) | number.low >> bits};
}

/* Returns number % 2^bits, 0 <= bits < 128. */
static inline struct wide wide_below(struct wide number, unsigned bits)
{
    if (bits >= 64)
        return (struct wide){number.high & ((UINT64_C(1) << (bits - 64)) - 1), number.low};
    return (struct wide){0, number.low & ((UINT64_C(1) << bits) - 1)};
}

/* Returns part / whole * length, rounded down; 0 if `whole` is 0. */
static inline uint64_t wide_share(uint64_t part, uint64_t whole, uint64_t length)
{
    return whole == 0 ? 0 : wide_quotient(wide_product(part, length), whole);
}

#endif

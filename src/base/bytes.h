/* SPDX-License-Identifier: MIT */
/*
 * Reads and writes numbers in untrusted bytes, and does arithmetic that detects overflow. Numbers
 * are little-endian, or big-endian for formats that use that order. Every parser uses these
 * functions; none overlays a struct on file bytes or casts a pointer into them (a PSX dump of
 * DuckStation has its words at addresses that are 2 mod 4). Pure functions, callable from any
 * thread.
 */
#ifndef GPUDUMPFS_BASE_BYTES_H
#define GPUDUMPFS_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The compiler turns each of these into a single load on a little-endian machine. */
static inline uint16_t bytes_le16(const uint8_t *p)
{
    return (uint16_t)(p[0] | p[1] << 8);
}

static inline uint32_t bytes_le32(const uint8_t *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline uint64_t bytes_le64(const uint8_t *p)
{
    return bytes_le32(p) | (uint64_t)bytes_le32(p + 4) << 32;
}

/* Reads a little-endian number of `size` bytes, at most 8. Sizes 4 and 8 are single loads. */
static inline uint64_t bytes_le(const uint8_t *p, size_t size)
{
    uint64_t value = 0;

    if (size == 4)
        return bytes_le32(p);
    if (size == 8)
        return bytes_le64(p);
    for (size_t i = 0; i < size; i++)
        value |= (uint64_t)p[i] << 8 * i;
    return value;
}

static inline uint32_t bytes_be32(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* Writes the low `size` bytes of a number, at most 8, in little-endian order. */
static inline void bytes_put_le(uint8_t *p, size_t size, uint64_t value)
{
    for (size_t i = 0; i < size; i++)
        p[i] = (uint8_t)(value >> 8 * i);
}

static inline void bytes_put_le32(uint8_t *p, uint32_t value)
{
    bytes_put_le(p, 4, value);
}

static inline void bytes_put_le64(uint8_t *p, uint64_t value)
{
    bytes_put_le(p, 8, value);
}

static inline void bytes_put_words(uint8_t *p, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        bytes_put_le32(p + 4 * i, words[i]);
}

static inline void bytes_put_be32(uint8_t *p, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        p[i] = (uint8_t)(value >> (24 - 8 * i));
}

/* Sets *sum = a + b. Returns false, with *sum undefined, if the result does not fit. */
static inline bool bytes_add(uint64_t a, uint64_t b, uint64_t *sum)
{
    return !__builtin_add_overflow(a, b, sum);
}

/* Sets *product = a * b. Returns false, with *product undefined, if the result does not fit. */
static inline bool bytes_mul(uint64_t a, uint64_t b, uint64_t *product)
{
    return !__builtin_mul_overflow(a, b, product);
}

/* Returns whether [offset, offset + length) is inside [0, size). */
static inline bool bytes_inside(uint64_t offset, uint64_t length, uint64_t size)
{
    return offset <= size && length <= size - offset;
}

#endif

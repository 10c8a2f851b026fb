/* SPDX-License-Identifier: MIT */
/*
 * Reading numbers from untrusted bytes, writing them, and arithmetic that cannot overflow
 * unnoticed; little-endian, and big-endian for formats that have it so. Every parser uses these;
 * none lays a struct over file bytes or casts a pointer into them (a PSX dump of DuckStation holds
 * its words at 2 mod 4). Pure functions, callable from any thread.
 */
#ifndef GPUDUMPFS_BASE_BYTES_H
#define GPUDUMPFS_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The compiler turns each of these into one load on a little-endian machine. */
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

/* The number that so many bytes are, at most 8; of the usual sizes one load each, too. */
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

/* The low `size` bytes of a number, at most 8. */
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

/* *sum = a + b; false (and *sum undefined) when the result does not fit. */
static inline bool bytes_add(uint64_t a, uint64_t b, uint64_t *sum)
{
    return !__builtin_add_overflow(a, b, sum);
}

/* *product = a * b; false (and *product undefined) when it does not fit. */
static inline bool bytes_mul(uint64_t a, uint64_t b, uint64_t *product)
{
    return !__builtin_mul_overflow(a, b, product);
}

/* Whether [offset, offset + length) lies inside [0, size). */
static inline bool bytes_inside(uint64_t offset, uint64_t length, uint64_t size)
{
    return offset <= size && length <= size - offset;
}

#endif

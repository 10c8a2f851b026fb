/* SPDX-License-Identifier: MIT */
/*
 * 64-bit FNV-1a (Fowler, Noll and Vo). The hashes are the same in every process, unlike those of
 * hash.h. For uses that need no defence against keys chosen to collide. A pure function, any
 * thread.
 */
#ifndef GPUDUMPFS_BASE_FNV_H
#define GPUDUMPFS_BASE_FNV_H

#include <stddef.h>
#include <stdint.h>

static inline uint64_t fnv1a(const void *bytes, size_t size)
{
    uint64_t hash = UINT64_C(0xCBF29CE484222325);

    for (const uint8_t *byte = bytes; size > 0; size--, byte++)
        hash = (hash ^ *byte) * UINT64_C(0x100000001B3);
    return hash;
}

#endif

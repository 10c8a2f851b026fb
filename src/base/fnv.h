/* SPDX-License-Identifier: MIT */
/*
 * FNV-1a with 64 bits (Fowler, Noll and Vo): the same in every process, where hash.h's differ. For
 * what needs no defence against keys that are made to fall together. A pure function, any thread.
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

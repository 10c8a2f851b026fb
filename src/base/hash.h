/* SPDX-License-Identifier: MIT */
/*
 * Hashes for keys that a dump may choose (names, handles, values). They depend on a secret of this
 * process, so that no dump can be built of colliding keys; nothing that is shown may depend on
 * them. Pure functions, any thread.
 *
 * Include uthash through this header, so that its tables use these hashes. If uthash cannot
 * allocate memory when adding an element, it leaves the element's `hh.tbl` NULL.
 */
#ifndef GPUDUMPFS_BASE_HASH_H
#define GPUDUMPFS_BASE_HASH_H

#include "base/wide.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define HASH_NONFATAL_OOM                1
#define HASH_FUNCTION(key, length, hash) ((hash) = (unsigned)hash_bytes(key, length))
#include <uthash.h>

/* Random, the second one odd; constant for the life of the process. */
extern uint64_t hash_secret[2];

/* Multiplies and combines both halves of the product: one half alone loses information. */
static inline uint64_t hash_fold(uint64_t a, uint64_t b)
{
    struct wide product = wide_product(a, b);

    return product.low ^ product.high;
}

/* All bits of the result are equally good. */
static inline uint64_t hash_u64(uint64_t value)
{
    return hash_fold(value ^ hash_secret[0], hash_secret[1]);
}

static inline uint64_t hash_bytes(const void *bytes, size_t length)
{
    const uint8_t *at = bytes;
    uint64_t hash = hash_secret[0] ^ length, word;

    for (; length >= sizeof(word); length -= sizeof(word), at += sizeof(word)) {
        memcpy(&word, at, sizeof(word));
        hash = hash_fold(hash ^ word, hash_secret[1]);
    }
    if (length > 0) {
        word = 0;
        memcpy(&word, at, length);
        hash = hash_fold(hash ^ word, hash_secret[1]);
    }
    return hash;
}

#endif

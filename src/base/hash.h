/* SPDX-License-Identifier: MIT */
/*
 * Hashes of what a dump may choose (names, handles, values). They depend on a secret of this
 * process, so that no dump can be made of keys that fall together; nothing that is shown may
 * depend on them. Pure functions, any thread.
 *
 * uthash is included through this header, whose tables then use it; memory that they lack is
 * told by a NULL `hh.tbl`.
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

/* Random, the second one odd; the same as long as the process lives. */
extern uint64_t hash_secret[2];

/* Both halves of a product are needed to tell what it was made of. */
static inline uint64_t hash_fold(uint64_t a, uint64_t b)
{
    struct wide product = wide_product(a, b);

    return product.low ^ product.high;
}

/* All bits are as good as any. */
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

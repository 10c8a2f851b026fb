/* SPDX-License-Identifier: MIT */
/*
 * SHA-256 (FIPS 180-4), for hashes that formats print and by which kept files are named. Pure
 * functions, any thread.
 */
#ifndef GPUDUMPFS_BASE_SHA256_H
#define GPUDUMPFS_BASE_SHA256_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SHA256_SIZE = 32, SHA256_DIGITS = 2 * SHA256_SIZE };

struct sha256 {
    uint32_t state[8];
    uint64_t length; /* bytes added so far */
    uint8_t block[64];
    bool instructions; /* use the processor's SHA instructions */
};

void sha256_init(struct sha256 *hash);

/*
 * Chooses whether to use the processor's SHA instructions. Call it right after sha256_init(), which
 * uses them if the processor has them. Returns whether they will be used.
 */
bool sha256_uses_instructions(struct sha256 *hash, bool wanted);
void sha256_add(struct sha256 *hash, const void *bytes, size_t size);
void sha256_finish(struct sha256 *hash, uint8_t digest[SHA256_SIZE]);

/* Writes the digest as lower-case hexadecimal digits, NUL-terminated. */
void sha256_digits(const uint8_t digest[SHA256_SIZE], char digits[SHA256_DIGITS + 1]);

#endif

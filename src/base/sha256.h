/* SPDX-License-Identifier: MIT */
/*
 * SHA-256 (FIPS 180-4), for hashes that formats print and that kept files are known by. Pure
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
    uint64_t length; /* bytes so far */
    uint8_t block[64];
    bool instructions; /* of the processor are used */
};

void sha256_init(struct sha256 *hash);

/* Behind sha256_init(), which uses the processor's instructions where it has them: returns that. */
bool sha256_uses_instructions(struct sha256 *hash, bool wanted);
void sha256_add(struct sha256 *hash, const void *bytes, size_t size);
void sha256_finish(struct sha256 *hash, uint8_t digest[SHA256_SIZE]);

/* As lower-case hexadecimal digits, terminated. */
void sha256_digits(const uint8_t digest[SHA256_SIZE], char digits[SHA256_DIGITS + 1]);

#endif

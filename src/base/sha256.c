/* SPDX-License-Identifier: MIT */
#include "base/sha256.h"

#include "base/bytes.h"

#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#include <stdatomic.h>
#endif

enum { BLOCK = 64, LENGTH_AT = 56 };

static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t turn(uint32_t value, unsigned bits)
{
    return value >> bits | value << (32 - bits);
}

static void schedule(const uint8_t *block, uint32_t words[64])
{
    for (size_t i = 0; i < 16; i++)
        words[i] = bytes_be32(block + 4 * i);
    for (size_t i = 16; i < 64; i++) {
        uint32_t a = words[i - 15], b = words[i - 2];

        words[i] = words[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ a >> 3) + words[i - 7] +
                   (turn(b, 17) ^ turn(b, 19) ^ b >> 10);
    }
}

static void add_block(struct sha256 *hash, const uint8_t *block)
{
    uint32_t words[64], s[8];

    schedule(block, words);
    memcpy(s, hash->state, sizeof(s));
    for (int i = 0; i < 64; i++) {
        uint32_t first = s[7] + (turn(s[4], 6) ^ turn(s[4], 11) ^ turn(s[4], 25)) +
                         ((s[4] & s[5]) ^ (~s[4] & s[6])) + constants[i] + words[i];
        uint32_t second = (turn(s[0], 2) ^ turn(s[0], 13) ^ turn(s[0], 22)) +
                          ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));

        memmove(s + 1, s, 7 * sizeof(s[0]));
        s[4] += first;
        s[0] = first + second;
    }
    for (int i = 0; i < 8; i++)
        hash->state[i] += s[i];
}

static void add_blocks_plain(struct sha256 *hash, const uint8_t *blocks, size_t count)
{
    for (; count > 0; count--, blocks += BLOCK)
        add_block(hash, blocks);
}

#if defined(__x86_64__)

/*
 * Uses the processor's SHA instructions: two vectors hold the state as a, b, e, f and c, d, g, h.
 */
__attribute__((target("sha,sse4.1"))) static void add_blocks_x86(struct sha256 *hash,
                                                                 const uint8_t *blocks,
                                                                 size_t count)
{
    const __m128i order = _mm_set_epi64x(0x0C0D0E0F08090A0B, 0x0405060700010203);
    const uint32_t *s = hash->state;
    __m128i abef = _mm_set_epi32((int)s[0], (int)s[1], (int)s[4], (int)s[5]);
    __m128i cdgh = _mm_set_epi32((int)s[2], (int)s[3], (int)s[6], (int)s[7]);

    for (; count > 0; count--, blocks += BLOCK) {
        const __m128i abef_before = abef, cdgh_before = cdgh;
        __m128i words[4];

        for (int i = 0; i < 16; i++) {
            __m128i *now = &words[i % 4], sum;

            if (i < 4) {
                *now = _mm_shuffle_epi8(_mm_loadu_si128((const void *)(blocks + 16 * i)), order);
            } else {
                sum = _mm_add_epi32(_mm_sha256msg1_epu32(*now, words[(i + 1) % 4]),
                                    _mm_alignr_epi8(words[(i + 3) % 4], words[(i + 2) % 4], 4));
                *now = _mm_sha256msg2_epu32(sum, words[(i + 3) % 4]);
            }
            sum = _mm_add_epi32(*now, _mm_loadu_si128((const void *)(constants + 4 * i)));
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0E));
        }
        abef = _mm_add_epi32(abef, abef_before);
        cdgh = _mm_add_epi32(cdgh, cdgh_before);
    }
    hash->state[0] = (uint32_t)_mm_extract_epi32(abef, 3);
    hash->state[1] = (uint32_t)_mm_extract_epi32(abef, 2);
    hash->state[2] = (uint32_t)_mm_extract_epi32(cdgh, 3);
    hash->state[3] = (uint32_t)_mm_extract_epi32(cdgh, 2);
    hash->state[4] = (uint32_t)_mm_extract_epi32(abef, 1);
    hash->state[5] = (uint32_t)_mm_extract_epi32(abef, 0);
    hash->state[6] = (uint32_t)_mm_extract_epi32(cdgh, 1);
    hash->state[7] = (uint32_t)_mm_extract_epi32(cdgh, 0);
}

/* Checks for features that gcc 12's __builtin_cpu_supports() does not know. */
static bool look_for_instructions(void)
{
    unsigned a, b, c, d, features;

    return __get_cpuid(1, &a, &b, &features, &d) && (features & bit_SSE4_1) &&
           __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_SHA);
}

/* Checks only once: in a virtual machine, cpuid takes longer than hashing a block. */
static bool has_instructions(void)
{
    enum { UNKNOWN, NO, YES };
    static atomic_int known;
    int has = atomic_load_explicit(&known, memory_order_relaxed);

    if (has == UNKNOWN) {
        has = look_for_instructions() ? YES : NO;
        atomic_store_explicit(&known, has, memory_order_relaxed);
    }
    return has == YES;
}

#else

static bool has_instructions(void)
{
    return false;
}

#define add_blocks_x86 add_blocks_plain

#endif

bool sha256_uses_instructions(struct sha256 *hash, bool wanted)
{
    hash->instructions = wanted && has_instructions();
    return hash->instructions;
}

static void add_blocks(struct sha256 *hash, const uint8_t *blocks, size_t count)
{
    (hash->instructions ? add_blocks_x86 : add_blocks_plain)(hash, blocks, count);
}

void sha256_init(struct sha256 *hash)
{
    static const uint32_t first[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

    memcpy(hash->state, first, sizeof(first));
    hash->length = 0;
    sha256_uses_instructions(hash, true);
}

void sha256_add(struct sha256 *hash, const void *bytes, size_t size)
{
    const uint8_t *next = bytes;

    while (size > 0) {
        size_t held = hash->length % BLOCK, taken = BLOCK - held < size ? BLOCK - held : size;

        if (held == 0 && size >= BLOCK) {
            taken = size - size % BLOCK;
            add_blocks(hash, next, taken / BLOCK);
        } else {
            memcpy(hash->block + held, next, taken);
            if (held + taken == BLOCK)
                add_blocks(hash, hash->block, 1);
        }
        hash->length += taken;
        next += taken;
        size -= taken;
    }
}

void sha256_finish(struct sha256 *hash, uint8_t digest[SHA256_SIZE])
{
    static const uint8_t padding[BLOCK] = {0x80};
    uint64_t bits = hash->length * 8;
    size_t held = hash->length % BLOCK;
    uint8_t length[8];

    bytes_put_be32(length, (uint32_t)(bits >> 32));
    bytes_put_be32(length + 4, (uint32_t)bits);
    sha256_add(hash, padding, held < LENGTH_AT ? LENGTH_AT - held : BLOCK + LENGTH_AT - held);
    sha256_add(hash, length, sizeof(length));
    for (size_t i = 0; i < 8; i++)
        bytes_put_be32(digest + 4 * i, hash->state[i]);
}

void sha256_digits(const uint8_t digest[SHA256_SIZE], char digits[SHA256_DIGITS + 1])
{
    static const char hexadecimal[] = "0123456789abcdef";

    for (size_t i = 0; i < SHA256_SIZE; i++) {
        digits[2 * i] = hexadecimal[digest[i] >> 4];
        digits[2 * i + 1] = hexadecimal[digest[i] & 15];
    }
    digits[SHA256_DIGITS] = '\0';
}

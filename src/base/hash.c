/* SPDX-License-Identifier: MIT */
#include "base/hash.h"

#include <sys/auxv.h>

uint64_t hash_secret[2];

/*
 * Runs before main(), so that no thread needs to check whether there is a secret. The kernel gives
 * each process sixteen random bytes; reading them takes no system call, which might be refused
 * later.
 */
__attribute__((constructor)) static void choose_secret(void)
{
    const void *given = (const void *)(uintptr_t)getauxval(AT_RANDOM);

    if (given != NULL)
        memcpy(hash_secret, given, sizeof(hash_secret));
    hash_secret[0] ^= UINT64_C(0x9E3779B97F4A7C15);
    hash_secret[1] = (hash_secret[1] ^ UINT64_C(0xBF58476D1CE4E5B9)) | 1;
}

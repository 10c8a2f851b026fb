/* SPDX-License-Identifier: MIT */
#include "tree/allowance.h"

#define SECOND UINT64_C(1000000000)
#define MIB    ((uint64_t)1 << 20)

/* Sanitizers make programs slower by this factor, and larger. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SLOWNESS 50
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SLOWNESS 50
#endif
#endif
#ifdef SLOWNESS
enum { LARGE = true };
#else
#define SLOWNESS 1
enum { LARGE = false };
#endif

/*
 * The limits of a dump if the user sets none. Bytes that cost a stranger nothing, as in a dump that
 * expands a thousandfold, add little time; bytes that had to be sent add more. Times are processor
 * time.
 */
enum {
    MILLISECONDS = 1800,    /* time for any dump */
    OF_EXPANDED_MIB = 20,   /* milliseconds more for each MiB of the expanded dump */
    OF_EXPANDED_MAX = 2000, /* maximum of these, in milliseconds */
    OF_FILE_MIB = 250,      /* milliseconds more for each MiB of the file */
    TEXT_MIB = 128,         /* length of a text of any dump */
    TEXT_OF_A_BYTE = 64,    /* bytes of text more for each byte of the expanded dump */
    MEMORY_MIB = 416,       /* memory of any dump */
    MEMORY_OF_A_BYTE = 16,  /* bytes of memory more for each byte of the file */
    CACHE_MIB = 256,        /* memory of the cache, which is part of MEMORY_MIB */
};

/* A dump that grows is made by its own user, and may become as long as that user likes. */
uint64_t allowance_time(const struct options *options, const struct allowance_sizes *sizes)
{
    uint64_t expanded = sizes->expanded * OF_EXPANDED_MIB / MIB;
    uint64_t file = sizes->file * OF_FILE_MIB / MIB;

    if (options->max_seconds != OPTIONS_BY_DUMP)
        return options->max_seconds * SECOND;
    if (sizes->follows)
        return 0;
    expanded = expanded < OF_EXPANDED_MAX ? expanded : (uint64_t)OF_EXPANDED_MAX;
    return (MILLISECONDS + expanded + file) * SLOWNESS * (SECOND / 1000);
}

uint64_t allowance_text(const struct options *options, const struct allowance_sizes *sizes)
{
    if (options->max_text != OPTIONS_SIZE_BY_DUMP)
        return options->max_text;
    return sizes->follows ? 0 : TEXT_MIB * MIB + sizes->expanded * TEXT_OF_A_BYTE;
}

struct memory_share allowance_memory(const struct options *options,
                                     const struct allowance_sizes *sizes)
{
    uint64_t more = options->cache > CACHE_MIB * MIB ? options->cache - CACHE_MIB * MIB : 0;

    if (options->max_resident != OPTIONS_SIZE_BY_DUMP)
        return (struct memory_share){.shared = options->max_resident};
    if (sizes->follows || LARGE)
        return (struct memory_share){.shared = 0};
    return (struct memory_share){.shared = MEMORY_MIB * MIB,
                                 .own = more + sizes->file * MEMORY_OF_A_BYTE};
}

uint64_t allowance_index(const struct options *options)
{
    uint64_t all = memory_limit(), half = all / 2;

    return all == 0 || options->max_memory < half ? options->max_memory : half;
}

/* SPDX-License-Identifier: MIT */
/*
 * What fuzz targets of kept indexes (source/kept.h) share. The first byte of the input gives a
 * number of changes, modulo 16. For each change five bytes follow: an offset and a value that is
 * XORed into the index. The rest is a dump. Its index is built, changed, given the correct hash,
 * and stored as the kept index of the dump. If the index is accepted, the tree of the dump is
 * walked.
 */
#ifndef GPUDUMPFS_TESTS_FUZZ_KEPT_H
#define GPUDUMPFS_TESTS_FUZZ_KEPT_H

#include "formats/format.h"
#include "source/kept.h"

#include <stdbool.h>
#include <stdint.h>

/* The functions and options of a format. */
struct fuzz_kept {
    const char *path;
    uint64_t max_memory; /* the option max-memory; bytes */
    bool (*is_dump)(const struct source *source);

    /*
     * Writes the index of the complete dump, for which no index is kept yet, and stores its key in
     * *key. Returns false if the dump has no index.
     */
    bool (*write)(const struct source *source, const struct options *options,
                  struct problems *problems, struct kept_writer *writer, struct kept_key *key);
};

void fuzz_kept(const struct fuzz_kept *format, const uint8_t *data, size_t size);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * What fuzz targets of kept indexes (source/kept.h) share. The input is a number of bytes to be
 * changed, for each a place and a value, and a dump, whose index is made, changed there, given the
 * right hash, and taken for the dump's. What is not refused is walked as any dump's tree.
 */
#ifndef GPUDUMPFS_TESTS_FUZZ_KEPT_H
#define GPUDUMPFS_TESTS_FUZZ_KEPT_H

#include "formats/format.h"
#include "source/kept.h"

#include <stdbool.h>
#include <stdint.h>

/* What there is of a format. */
struct fuzz_kept {
    const char *path;
    uint64_t max_memory; /* the option */
    bool (*is_dump)(const struct source *source);

    /*
     * Writes the index of the whole dump, of which none is kept yet, and tells its key; false: it
     * has none.
     */
    bool (*write)(const struct source *source, const struct options *options,
                  struct problems *problems, struct kept_writer *writer, struct kept_key *key);
};

void fuzz_kept(const struct fuzz_kept *format, const uint8_t *data, size_t size);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * What the tests of apitrace traces share: opening a trace as a user does, from a file or from
 * bytes, and reading the texts of all frames at once.
 */
#ifndef GPUDUMPFS_TESTS_FORMATS_APITRACE_OPEN_H
#define GPUDUMPFS_TESTS_FORMATS_APITRACE_OPEN_H

#include "formats/apitrace/dump.h"
#include "formats/format.h"

struct apitrace_opened {
    struct options options;
    struct format_dump dump;
    struct tree *tree;
    struct text message; /* why the trace could not be opened */
};

/*
 * Opens a trace. Returns 0, or the error of format_open() or format_tree(). Call apitrace_close()
 * even if it fails.
 */
int apitrace_try(const char *path, struct apitrace_opened *out);

/* Opens an apitrace trace. Fails the test if this is not possible. */
void apitrace_open(const char *path, struct apitrace_opened *out);
/* Does the same with a cache of `cache` bytes; 0 means the default. */
void apitrace_open_within(const char *path, uint64_t cache, struct apitrace_opened *out);
void apitrace_open_bytes(const void *bytes, size_t size, struct apitrace_opened *out);
void apitrace_close(struct apitrace_opened *opened);

/* Returns the index of the complete trace, waiting for it if necessary. */
const struct apitrace_index *apitrace_opened_index(const struct apitrace_opened *opened);

/* Returns all by-frame/NNNNNN/NAME, concatenated and followed by a NUL, to be freed with free(). */
char *apitrace_all(const struct apitrace_opened *opened, const char *name, size_t *size);

/* Returns problems.txt, to be freed with free(). */
char *apitrace_problems(const struct apitrace_opened *opened);

#endif

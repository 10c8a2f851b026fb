/* SPDX-License-Identifier: MIT */
/*
 * What the tests of apitrace traces share: a trace opened as a user has it, from a
 * file or from bytes, and its texts put together.
 */
#ifndef GPUDUMPFS_TESTS_FORMATS_APITRACE_OPEN_H
#define GPUDUMPFS_TESTS_FORMATS_APITRACE_OPEN_H

#include "formats/apitrace/dump.h"
#include "formats/format.h"

struct apitrace_opened {
    struct options options;
    struct format_dump dump;
    struct tree *tree;
    struct text message; /* why it could not be opened */
};

/* 0, or what format_open() says; to be closed in any case. */
int apitrace_try(const char *path, struct apitrace_opened *out);

/* Fails the test unless it opens, and as an apitrace trace. */
void apitrace_open(const char *path, struct apitrace_opened *out);
/* With a cache of so many bytes. */
void apitrace_open_within(const char *path, uint64_t cache, struct apitrace_opened *out);
void apitrace_open_bytes(const void *bytes, size_t size, struct apitrace_opened *out);
void apitrace_close(struct apitrace_opened *opened);

/* Of the whole trace. */
const struct apitrace_index *apitrace_opened_index(const struct apitrace_opened *opened);

/* All by-frame/NNNNNN/NAME, one after the other, for free(), a NUL behind. */
char *apitrace_all(const struct apitrace_opened *opened, const char *name, size_t *size);

/* problems.txt, for free(). */
char *apitrace_problems(const struct apitrace_opened *opened);

#endif

/* SPDX-License-Identifier: MIT */
/* A payload that a test has opened as a tree */
#ifndef GPUDUMPFS_TESTS_FORMATS_GAPIR_SHOWN_H
#define GPUDUMPFS_TESTS_FORMATS_GAPIR_SHOWN_H

#include "formats/format.h"

struct shown {
    struct options options;
    struct format_dump dump;
    struct tree *tree;
};

/* Opens a payload. `option` is NULL or one `name=value`. */
void shown_open(const char *path, const char *option, struct shown *out);
void shown_close(struct shown *shown);

/* Checks that a file of the tree contains a text, or does not. */
void shown_expect(const struct shown *shown, const char *path, const char *wanted);
void shown_expect_not(const struct shown *shown, const char *path, const char *unwanted);

#endif

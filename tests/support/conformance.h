/* SPDX-License-Identifier: MIT */
/*
 * Tables of tests/conformance/: text read line by line. Lines that are empty or begin with '#' are
 * skipped; a '\' at the end of a line joins it with the next one. One thread.
 */
#ifndef GPUDUMPFS_TESTS_SUPPORT_CONFORMANCE_H
#define GPUDUMPFS_TESTS_SUPPORT_CONFORMANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct conformance {
    const char *name; /* of the file */
    char *text, *rest;
    unsigned line;  /* number of the line where the last row began, from 1 */
    unsigned lines; /* lines read so far */
};

/* Returns the path of a file or folder of tests/conformance, to be freed with free(). */
char *conformance_path(const char *name);

/* Opens a table. Fails the test if there is none. `name` must outlive `table`. */
void conformance_open(struct conformance *table, const char *name);
void conformance_close(struct conformance *table);

/* Returns the next line, which the caller may modify, or NULL at the end. */
char *conformance_next(struct conformance *table);

/*
 * Splits the next line into its fields, which are separated by tabs. Returns false at the end.
 * Fails the test if the line does not have `count` fields.
 */
bool conformance_row(struct conformance *table, char **fields, unsigned count);

/* Parses a number in base `base`. Fails the test if the field is not a number. */
uint64_t conformance_number(const struct conformance *table, const char *field, int base);

/* Fails the test, with the table's name and line in front of the message. */
void conformance_fail(const struct conformance *table, const char *format, ...)
    __attribute__((format(printf, 2, 3), noreturn));

#endif

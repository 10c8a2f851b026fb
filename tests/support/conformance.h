/* SPDX-License-Identifier: MIT */
/*
 * Tables of tests/conformance/: lines of text, read one after the other. Lines that are empty
 * or begin with '#' are none; a '\' at the end of one goes on in the next. One thread.
 */
#ifndef GPUDUMPFS_TESTS_SUPPORT_CONFORMANCE_H
#define GPUDUMPFS_TESTS_SUPPORT_CONFORMANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct conformance {
    const char *name; /* of the file */
    char *text, *rest;
    unsigned line;  /* where the last one began, from 1 */
    unsigned lines; /* so far */
};

/* A file or folder of tests/support/conformance, for free(). */
char *conformance_path(const char *name);

/* Fails the test when there is no such table. `name` outlives it. */
void conformance_open(struct conformance *table, const char *name);
void conformance_close(struct conformance *table);

/* The next line, to be written over; NULL at the end. */
char *conformance_next(struct conformance *table);

/*
 * The next line's fields, which tabs separate. A line with another number of fields fails the
 * test. false at the end.
 */
bool conformance_row(struct conformance *table, char **fields, unsigned count);

/* A number in base `base`; fails the test when the field is none. */
uint64_t conformance_number(const struct conformance *table, const char *field, int base);

/* Fails the test with the table's name and line before the message. */
void conformance_fail(const struct conformance *table, const char *format, ...)
    __attribute__((format(printf, 2, 3), noreturn));

#endif

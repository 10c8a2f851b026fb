/* SPDX-License-Identifier: MIT */
/*
 * The corpus's gapir/cases.tsv, kind by kind, for the tests that hold our code against it:
 * gapir/test_cases has those of the machine, gapir/test_encodings those of bytes.
 */
#ifndef GPUDUMPFS_TESTS_FORMATS_GAPIR_CASES_H
#define GPUDUMPFS_TESTS_FORMATS_GAPIR_CASES_H

#include "base/text.h"
#include "formats/gapir/decode/decode.h"

struct case_row {
    char *kind, *name, *source, *params, *program, *expect, *note;
};

/*
 * Calls `check` for each row of a kind; it says what is wrong, or nothing. Fails unless there
 * are so many rows, and nothing is wrong.
 */
void cases_check(const char *kind, unsigned rows,
                 void (*check)(const struct case_row *row, struct text *wrong));

/* Says what differs. */
void cases_want_text(const struct text *text, const char *wanted, struct text *wrong);

/* Fails the test when there is no such. */
enum gapir_type cases_type(const char *name);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Runs the cases of the corpus's gapir/cases.tsv, one kind at a time, for the tests that compare
 * our code with them: gapir/test_cases has those of the machine, gapir/test_encodings those of
 * bytes.
 */
#ifndef GPUDUMPFS_TESTS_FORMATS_GAPIR_CASES_H
#define GPUDUMPFS_TESTS_FORMATS_GAPIR_CASES_H

#include "base/text.h"
#include "formats/gapir/decode/decode.h"

struct case_row {
    char *kind, *name, *source, *params, *program, *expect, *note;
};

/*
 * Calls `check` for each row of a kind; `check` appends to `wrong` what is wrong, if anything.
 * Fails the test unless there are exactly `rows` rows and all are correct. Skips the test if there
 * is no corpus.
 */
void cases_check(const char *kind, unsigned rows,
                 void (*check)(const struct case_row *row, struct text *wrong));

/* Appends to `wrong` how `text` differs from `wanted`, or nothing if they are equal. */
void cases_want_text(const struct text *text, const char *wanted, struct text *wrong);

/* Returns the type of that name. Fails the test if there is none. */
enum gapir_type cases_type(const char *name);

#endif

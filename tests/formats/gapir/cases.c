/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tests/formats/gapir/cases.h"

#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 7 };

void cases_check(const char *kind, unsigned rows,
                 void (*check)(const struct case_row *row, struct text *wrong))
{
    char *path = support_corpus("gapir/cases.tsv");
    size_t size;
    char *table = (char *)support_read(path, &size), *rest = table, *line;
    unsigned seen = 0, failed = 0;

    table[size] = 0;
    while ((line = strsep(&rest, "\n")) != NULL) {
        char *columns[COLUMNS] = {0};
        for (unsigned n = 0; n < COLUMNS && line != NULL; n++)
            columns[n] = strsep(&line, "\t");
        if (columns[0] == NULL || strcmp(columns[0], kind) != 0)
            continue;
        struct case_row row = {columns[0], columns[1], columns[2], columns[3],
                               columns[4], columns[5], columns[6]};
        struct text wrong = TEXT_INIT;
        assert_non_null(row.expect);
        check(&row, &wrong);
        seen++;
        if (wrong.length != 0) {
            failed++;
            print_error("%s: %.*s\n", row.name, (int)wrong.length, wrong.bytes);
        }
        text_clear(&wrong);
    }
    free(table);
    free(path);
    assert_int_equal(failed, 0);
    assert_int_equal(seen, rows);
}

static bool is(const struct text *text, const char *wanted)
{
    return text->length == strlen(wanted) && memcmp(text->bytes, wanted, text->length) == 0;
}

void cases_want_text(const struct text *text, const char *wanted, struct text *wrong)
{
    if (!is(text, wanted))
        text_printf(wrong, "[%.*s] for [%s] ", (int)text->length, text->bytes, wanted);
}

enum gapir_type cases_type(const char *name)
{
    for (unsigned type = 0; type < GAPIR_TYPES; type++)
        if (strcmp(gapir_type_name(type), name) == 0)
            return type;
    fail_msg("no type %s", name);
    return GAPIR_TYPES;
}

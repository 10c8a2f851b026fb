/* SPDX-License-Identifier: MIT */
#include "tests/formats/psx/rows.h"

#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

char *psx_row_cell(const struct psx_row *row, const char *column)
{
    static const char *const names[] = {"frame",  "draw",     "upload",     "packet",    "word",
                                        "op",     "name",     "x",          "y",         "outcome",
                                        "before", "after",    "before_rgb", "after_rgb", "blend",
                                        "uv",     "texel_at", "texel",      "entry_at",  "entry"};

    for (unsigned i = 0; i < COUNT_OF(names); i++)
        if (strcmp(names[i], column) == 0)
            return row->cells[i];
    fail_msg("no column %s", column);
    return NULL;
}

unsigned long psx_row_number(const struct psx_row *row, const char *column, int base)
{
    const char *cell = psx_row_cell(row, column);
    char *end;
    unsigned long value = strtoul(cell, &end, base);

    if (*end != '\0' || end == cell)
        fail_msg("%s is %s", column, cell);
    return value;
}

bool psx_row_next(char **rest, struct psx_row *row)
{
    char *line = strsep(rest, "\n");

    if (line == NULL || *line == '\0')
        return false;
    for (unsigned i = 0; i < COUNT_OF(row->cells); i++)
        row->cells[i] = strsep(&line, "\t");
    return true;
}

bool psx_row_is(const struct psx_row *row, const char *column, const char *value)
{
    return strcmp(psx_row_cell(row, column), value) == 0;
}

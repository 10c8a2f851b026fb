/* SPDX-License-Identifier: MIT */
/*
 * Rows of the tables of pixel/ and vram-pixel/, accessed by the names of their columns. One thread.
 */
#ifndef GPUDUMPFS_TESTS_FORMATS_PSX_ROWS_H
#define GPUDUMPFS_TESTS_FORMATS_PSX_ROWS_H

#include <stdbool.h>

/* Its cells point into the table that it was parsed from. */
struct psx_row {
    char *cells[32];
};

/* Parses the table's next row in place. Returns false at the end of the table. */
bool psx_row_next(char **rest, struct psx_row *row);

char *psx_row_cell(const struct psx_row *row, const char *column);

/*
 * Returns a cell as a number. Fails the test unless the cell is a number of the given base, and
 * nothing else.
 */
unsigned long psx_row_number(const struct psx_row *row, const char *column, int base);

bool psx_row_is(const struct psx_row *row, const char *column, const char *value);

#endif

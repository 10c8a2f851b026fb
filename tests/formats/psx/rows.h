/* SPDX-License-Identifier: MIT */
/*
 * Rows of the tables of pixel/ and vram-pixel/, by the names of their columns. One thread.
 */
#ifndef GPUDUMPFS_TESTS_FORMATS_PSX_ROWS_H
#define GPUDUMPFS_TESTS_FORMATS_PSX_ROWS_H

#include <stdbool.h>

/* Its cells are parts of the table that it was taken from. */
struct psx_row {
    char *cells[32];
};

/* Takes the table's next row apart, in place; false at its end. */
bool psx_row_next(char **rest, struct psx_row *row);

char *psx_row_cell(const struct psx_row *row, const char *column);

/* A cell that is a number of that base, and nothing else. */
unsigned long psx_row_number(const struct psx_row *row, const char *column, int base);

bool psx_row_is(const struct psx_row *row, const char *column, const char *value);

#endif

/* SPDX-License-Identifier: MIT */
/* Tables of a tree, read completely: cells by the names of their columns. One thread. */
#ifndef GPUDUMPFS_COMPARE_TSV_H
#define GPUDUMPFS_COMPARE_TSV_H

#include "compare/text_diff.h"
#include "tree/tree.h"

struct tsv {
    struct text bytes;
    struct text_diff_lines lines; /* the first line has the column names */
};

/*
 * Reads a table, without the rows beyond TSV_MAX bytes. Returns 0 or -errno. Call tsv_clear() even
 * if this fails.
 */
enum { TSV_MAX = 1 << 28 };
int tsv_read(struct tree *tree, uint64_t inode, const struct cancel *cancel, struct tsv *out);
void tsv_clear(struct tsv *tsv);

/* Returns the number of rows, without the line of column names. */
size_t tsv_rows(const struct tsv *tsv);

/*
 * Stores a cell as a string, truncated to TSV_CELL - 1 bytes. Returns false if there is no such
 * column or row.
 */
enum { TSV_CELL = 256 };
bool tsv_cell(const struct tsv *tsv, size_t row, const char *column, char out[TSV_CELL]);

/*
 * Stores the value of a cell. Returns false if there is no such cell, or it is not a decimal
 * number.
 */
bool tsv_number(const struct tsv *tsv, size_t row, const char *column, uint64_t *out);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Tables of a tree, read whole: cells by the names of their columns. One thread.
 */
#ifndef GPUDUMPFS_COMPARE_TSV_H
#define GPUDUMPFS_COMPARE_TSV_H

#include "compare/text_diff.h"
#include "tree/tree.h"

struct tsv {
    struct text bytes;
    struct text_diff_lines lines; /* the first has the columns */
};

/* 0 or -errno; to be cleared in any case. Rows behind TSV_MAX bytes are left out. */
enum { TSV_MAX = 1 << 28 };
int tsv_read(struct tree *tree, uint64_t inode, const struct cancel *cancel, struct tsv *out);
void tsv_clear(struct tsv *tsv);

/* Rows, the line of columns not among them. */
size_t tsv_rows(const struct tsv *tsv);

/* A cell as a string, cut to the room that there is; false: there is no such column or row. */
enum { TSV_CELL = 256 };
bool tsv_cell(const struct tsv *tsv, size_t row, const char *column, char out[TSV_CELL]);

/* A cell that is a decimal number. */
bool tsv_number(const struct tsv *tsv, size_t row, const char *column, uint64_t *out);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The objects of a tree, as struct dump_objects describes them: rows of a table, and the file of
 * each. One thread; may take long.
 */
#ifndef GPUDUMPFS_COMPARE_OBJECTS_H
#define GPUDUMPFS_COMPARE_OBJECTS_H

#include "compare/tsv.h"

struct dump_objects;

/* Of a row: 0 if it has none. */
struct objects_file {
    uint64_t number, inode;
    uint64_t picture; /* a better file to show it, an inode; 0: it has none */
    size_t name;      /* where it stands among the names */
};

struct objects {
    const struct dump_objects *kind; /* borrowed */
    struct tsv table;
    struct objects_file *files; /* of each row */
    struct text names;          /* of the folder's entries, each with a 0 behind it */
    /* Each row without its place, and with `bytes=` a number that is equal where its file is. */
    struct text compared;
    struct text_diff_lines lines;
};

/*
 * Reads a table below `prefix`, "" or a folder's path with a slash; of files the bytes if
 * `with_bytes`. Without such a table there are no rows. 0 or -errno; to be cleared in any case.
 */
int objects_read(struct tree *tree, const struct dump_objects *kind, const char *prefix,
                 bool with_bytes, const struct cancel *cancel, struct objects *out);
void objects_clear(struct objects *objects);

/* The number of a row, and the frame in which it is made; UINT64_MAX: it has none. */
uint64_t objects_number(const struct objects *objects, size_t row);
uint64_t objects_frame(const struct objects *objects, size_t row);

/* The name of a row's file, if it has one: that of an entry of the folder. */
const char *objects_file_name(const struct objects *objects, size_t row);

/* A row's cells without its place, `column=cell` with blanks between. */
void objects_describe(const struct objects *objects, size_t row, struct text *out);

#endif

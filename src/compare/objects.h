/* SPDX-License-Identifier: MIT */
/*
 * The objects of a tree, as struct dump_objects describes them: the rows of a table, and a file for
 * each. One thread; may take long.
 */
#ifndef GPUDUMPFS_COMPARE_OBJECTS_H
#define GPUDUMPFS_COMPARE_OBJECTS_H

#include "compare/tsv.h"

struct dump_objects;

/* The file of a row; all 0 if the row has none. */
struct objects_file {
    uint64_t number, inode;
    uint64_t picture; /* inode of the file that shows the object best; 0: none */
    size_t name;      /* offset of its name in `names` */
};

struct objects {
    const struct dump_objects *kind; /* borrowed */
    struct tsv table;
    struct objects_file *files; /* one for each row */
    struct text names;          /* names of the files, relative to the folder, each with a NUL */
    /*
     * Each row as it is compared: without the columns of its place, and with `bytes=` and a number
     * that is equal for files with equal bytes.
     */
    struct text compared;
    struct text_diff_lines lines;
};

/*
 * Reads a table below `prefix`, which is "" or a folder's path with a slash, and the bytes of the
 * files if `with_bytes`. Without such a table there are no rows. Returns 0 or -errno. Call
 * objects_clear() even if this fails.
 */
int objects_read(struct tree *tree, const struct dump_objects *kind, const char *prefix,
                 bool with_bytes, const struct cancel *cancel, struct objects *out);
void objects_clear(struct objects *objects);

/* Returns the number of the object in a row; UINT64_MAX if it has none. */
uint64_t objects_number(const struct objects *objects, size_t row);

/* Returns the frame in which the object of a row is made; UINT64_MAX if it has none. */
uint64_t objects_frame(const struct objects *objects, size_t row);

/* Returns the name of a row's file, relative to the folder; only for a row that has a file. */
const char *objects_file_name(const struct objects *objects, size_t row);

/* Appends the cells of a row as `column=cell`, separated by blanks, without those of its place. */
void objects_describe(const struct objects *objects, size_t row, struct text *out);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The tables of a dump with their columns and types, generated from docs/tables/FORMAT.sql
 * (schema.awk). A data set and a database have the same tables that sqlite3(1) makes of a mount
 * with those scripts. Also reads the rows of a table of a tree one after the other, in memory that
 * does not depend on their number. Main thread.
 */
#ifndef GPUDUMPFS_CLI_SCHEMA_H
#define GPUDUMPFS_CLI_SCHEMA_H

#include "tree/tree.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum schema_type { SCHEMA_INTEGER, SCHEMA_REAL, SCHEMA_TEXT };

struct schema_column {
    const char *name;
    enum schema_type type;
    bool nullable; /* a cell may be `-`, for no value */
};

struct schema_table {
    const char *format; /* NULL: the table is in every format */
    const char *name;
    const char *folder; /* of the numbered folders with a file each; NULL: there is one file */
    const char *number; /* first column, with the folder's number, such as "in_frame" */
    const char *file;   /* path in the root, or in such a folder */
    /*
     * NULL if they depend on the dump: then the file's first line names them, and all are integers.
     */
    const struct schema_column *columns;
    size_t count;
};

/* Generated; the last row's name is NULL. */
extern const struct schema_table schema_tables[];

/*
 * Returns the table after `before`, or the first if that is NULL: first all tables of the format,
 * then `commands`, which has a row for each line of each commands.txt. Returns NULL after the last.
 */
const struct schema_table *schema_next(const char *format, const struct schema_table *before);

/* Returns the name in SQL, such as "INTEGER". */
const char *schema_type_name(enum schema_type type);

/*
 * Receives a line without its line feed; the first one has the names of the columns. Returns 0, or
 * a status that ends the walk.
 */
typedef int schema_take(void *context, const char *line, size_t length);

/*
 * Passes all lines of a table to `take`; `folder` is the name of the numbered folder, NULL for a
 * table of the root. Returns 0, -ENOENT if there is no such file, -EFBIG if a line is too long, the
 * status of `take`, or another -errno.
 */
int schema_each_row(struct tree *tree, const struct schema_table *table, const char *folder,
                    schema_take *take, void *context);

/* A numbered folder of the tree. */
enum { SCHEMA_NAME = 24 };
struct schema_folder {
    uint64_t number;
    char name[SCHEMA_NAME];
};

/*
 * Finds the numbered folders below `folder` with numbers from `first` to `last`; the caller frees
 * *out. There are none if `folder` does not exist. Returns 0 or -errno. May take long.
 */
int schema_folders(struct tree *tree, const char *folder, uint64_t first, uint64_t last,
                   struct schema_folder **out, size_t *count);

#endif

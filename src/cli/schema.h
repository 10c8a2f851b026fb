/* SPDX-License-Identifier: MIT */
/*
 * The tables of a dump with their columns and types, of docs/tables/FORMAT.sql (schema.awk): what
 * sqlite3(1) makes of a mount by those scripts, a data set and a database have likewise. And the
 * rows of a table of a tree, one after the other, in memory that does not depend on their number.
 * Main thread.
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
    bool nullable; /* a cell may be `-`: there is nothing */
};

struct schema_table {
    const char *format; /* NULL: of every one */
    const char *name;
    const char *folder; /* of the numbered folders that have a file each; NULL: there is one */
    const char *number; /* the column in front that tells the folder's number, "in_frame" */
    const char *file;   /* its path, in the root or in such a folder */
    /* NULL: they depend on the dump; the file's first line names them, and all are integers. */
    const struct schema_column *columns;
    size_t count;
};

/* Generated; the last row's name is NULL. */
extern const struct schema_table schema_tables[];

/*
 * Tables of a format: all that it has of its own, then `commands`: a row for each line of each
 * commands.txt. NULL behind the last.
 */
const struct schema_table *schema_next(const char *format, const struct schema_table *before);

/* "INTEGER" */
const char *schema_type_name(enum schema_type type);

/* A line without its end; the first has the names of the columns. 0, or what ends the walk. */
typedef int schema_take(void *context, const char *line, size_t length);

/*
 * All lines of a table, of the numbered folder of that name (NULL for a table of the root).
 * -ENOENT: it is not there; -EFBIG: a line that nothing holds; what `take` said; or another -errno.
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
 * The numbered folders below `folder` with numbers from `first` to `last`; for free(). Such a
 * folder that is not there has none. 0 or -errno. May take long.
 */
int schema_folders(struct tree *tree, const char *folder, uint64_t first, uint64_t last,
                   struct schema_folder **out, size_t *count);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The file of `gpudump export --sqlite`, as one process writes it: one dump in one transaction.
 * Functions return 0, -ECANCELED for an error of SQLite, which is already logged, or another
 * -errno. Main thread only. Without SQLite, none of this is built.
 */
#ifndef GPUDUMPFS_CLI_DATABASE_H
#define GPUDUMPFS_CLI_DATABASE_H

#include "cli/dataset.h"
#include "cli/schema.h"

struct database;

/* database_file.c: the file, and rows of tables. */

/*
 * Returns 0 if the file may be replaced: it does not exist, it is empty, or it is a database that
 * gpudump made, known by the application id in its header. Returns -EEXIST if it is any other file,
 * or another -errno.
 */
int database_check(const char *path);

/* Opens an existing file, and begins a transaction for the dump with this number. */
int database_open(const char *path, uint64_t dump, struct database **out);

/*
 * Adds all rows of a table of the tree, from all frames or other folders that have it. If the tree
 * has no such file, creates the table without rows, unless its columns depend on the dump.
 */
int database_add_table(struct database *database, struct tree *tree, const char *format,
                       const struct schema_table *table);

/* Runs a statement, and clears its text. */
int database_run(struct database *database, struct text *statement);

/*
 * Runs a statement whose first parameter is the dump's number, followed by the values. A value
 * whose `bytes` is NULL becomes SQL's NULL.
 */
struct database_value {
    const char *bytes;
    size_t length;
};
int database_insert(struct database *database, const char *statement,
                    const struct database_value *values, size_t count);

/* Calls `take` for each row of a query, with its cells as strings; NULL for SQL's NULL. */
enum { DATABASE_COLUMNS = 4 };
typedef void database_take(void *context, const char *const cells[DATABASE_COLUMNS]);
int database_each(struct database *database, const char *query, unsigned columns,
                  database_take *take, void *context);

/*
 * Commits the transaction, or rolls it back if anything in it has failed, and closes the file.
 * Returns 0, -EIO for an error of SQLite because of which the file cannot be written, such as a
 * full disk, or the first error.
 */
int database_close(struct database **database);

/* database_finish.c: contents that are not in the tables of docs/tables. */

/* Adds a row to `dumps`. If the dump cannot be opened, `tree` is NULL and `error` says why. */
int database_add_dump(struct database *database, const struct dataset_input *input,
                      struct tree *tree, const char *error);

/* Adds metadata.txt. */
int database_add_metadata(struct database *database, struct tree *tree);

/* Adds problems.txt as it is at the end. */
int database_add_problems(struct database *database, struct tree *tree);

/* Adds indexes, and the views over all formats. Call it after the last dump. */
int database_finish(struct database *database);

#endif

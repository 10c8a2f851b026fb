/* SPDX-License-Identifier: MIT */
/*
 * The file of `gpudump export --sqlite`, as one process writes it: all of a dump in one
 * transaction. Statuses are 0, -ECANCELED for what SQLite has told (and the log), or another
 * -errno. Main thread only. Without SQLite there is none of this.
 */
#ifndef GPUDUMPFS_CLI_DATABASE_H
#define GPUDUMPFS_CLI_DATABASE_H

#include "cli/dataset.h"
#include "cli/schema.h"

struct database;

/*
 * database_file.c: the file, and rows of tables.
 */

/*
 * Whether such a file may be replaced: there is none, it is empty, or it is a database that was
 * made here, by the application's id in its head. 0, or -errno; -EEXIST: it is another one's.
 */
int database_check(const char *path);

/* Begins a transaction that is about the dump of this number. */
int database_open(const char *path, uint64_t dump, struct database **out);

/*
 * All rows of a table of the tree, of all frames or other folders that it has; without a row where
 * it has no such file.
 */
int database_add_table(struct database *database, struct tree *tree, const char *format,
                       const struct schema_table *table);

/* Runs a statement, and clears it. */
int database_run(struct database *database, struct text *statement);

/* A statement whose first parameter is the dump's number; `bytes` NULL: there is nothing. */
struct database_value {
    const char *bytes;
    size_t length;
};
int database_insert(struct database *database, const char *statement,
                    const struct database_value *values, size_t count);

/* Each row of a query, its cells as strings. */
enum { DATABASE_COLUMNS = 4 };
typedef void database_take(void *context, const char *const cells[DATABASE_COLUMNS]);
int database_each(struct database *database, const char *query, unsigned columns,
                  database_take *take, void *context);

/* Ends the transaction, which has failed if anything has. */
int database_close(struct database **database);

/*
 * database_finish.c: what is not in the tables of docs/tables.
 */

/* A row of `dumps`. `tree`: NULL if it cannot be opened, for that reason. */
int database_add_dump(struct database *database, const struct dataset_input *input,
                      struct tree *tree, const char *error);

/* metadata.txt, and problems.txt as it is at the end. */
int database_add_metadata(struct database *database, struct tree *tree);
int database_add_problems(struct database *database, struct tree *tree);

/* Behind the last dump: indexes, and the views over formats. */
int database_finish(struct database *database);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * What the files of `gpudump assert` give each other. A case is a dump and its conditions; its
 * result is an object of JSON, of which text, JSON and JUnit are made. Main thread only.
 */
#ifndef GPUDUMPFS_CLI_ASSERT_H
#define GPUDUMPFS_CLI_ASSERT_H

#include "cli/condition.h"
#include "cli/gpudump.h"

enum { ASSERT_VERSION = 1 }; /* of the JSON that is printed */

/* Opens the dump and judges it: the result of a case, a new reference. NULL: no memory. */
json_t *assert_judge(struct program *program, const char *path,
                     const struct condition_list *conditions);

/* What that is written to `path` would overwrite of what a case reads, as a word; NULL: nothing. */
const char *assert_input_of(const char *path, const char *dump,
                            const struct condition_list *conditions);

/* The result of a case that came to nothing. */
json_t *assert_failure(const char *path, const char *why);

/* Appends what became of a condition, of one object of a result: a line without its end. */
void assert_describe(const json_t *condition, struct text *text);

/* A line for each condition that does not hold, of a verbose program for all. */
void assert_print(const struct gpudump *gpudump, const json_t *result);

/*
 * suite.c: the cases of a file, or the dumps of a folder, in processes of their own, as many at a
 * time as there are jobs. Each is printed when it and those before it are done. Appends the results
 * to `cases`. 0, or -errno, which is told.
 */
int suite_run(struct gpudump *gpudump, json_t *cases);

/* junit.c: the results of the suite `name` as a file. 0 or -errno. */
int junit_write(const char *path, const char *name, const json_t *cases);

#endif

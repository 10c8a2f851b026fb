/* SPDX-License-Identifier: MIT */
/*
 * Interfaces between the files of `gpudump assert`. A case is a dump and its conditions. Its result
 * is a JSON object, from which text, JSON and JUnit output are made. Main thread only.
 */
#ifndef GPUDUMPFS_CLI_ASSERT_H
#define GPUDUMPFS_CLI_ASSERT_H

#include "cli/condition.h"
#include "cli/gpudump.h"

enum { ASSERT_VERSION = 1 }; /* version of the JSON output */

/*
 * Opens the dump and judges its conditions. Returns the result of a case, a new reference, even if
 * the dump cannot be opened. Returns NULL if there is no memory.
 */
json_t *assert_judge(struct program *program, const char *path,
                     const struct condition_list *conditions);

/*
 * Returns which input of a case writing to `path` would overwrite, "dump" or "image". Returns NULL
 * if there is none.
 */
const char *assert_input_of(const char *path, const char *dump,
                            const struct condition_list *conditions);

/* Returns the result of a case that could not be judged, a new reference; `why` is the reason. */
json_t *assert_failure(const char *path, const char *why);

/* Appends the outcome of one condition of a result, as a line without its line feed. */
void assert_describe(const json_t *condition, struct text *text);

/*
 * Logs each condition that cannot be judged. Unless JSON is requested, prints a line for each
 * condition that does not hold, or in a verbose program for every condition.
 */
void assert_print(const struct gpudump *gpudump, const json_t *result);

/*
 * suite.c: judges the cases of a suite, or the dumps of a folder, each in its own process, as many
 * at the same time as there are jobs. Prints each case when it and all cases before it are done.
 * Appends the results to `cases`. Returns 0, or -errno, which is logged.
 */
int suite_run(struct gpudump *gpudump, json_t *cases);

/* junit.c: writes the results of the suite `name` to a file. Returns 0 or -errno. */
int junit_write(const char *path, const char *name, const json_t *cases);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * `gpudump export --sqlite`: a database of all tables of the dumps (docs/dataset.md 5). Each dump
 * is written by its own process, in one transaction, so that a dump that crashes one process leaves
 * the others alone. The file gets its name when it is complete.
 */
#include "config.h"

#include "cli/database.h"

#include "base/log.h"
#include "cli/child.h"
#include "cli/condition.h"
#include "cli/dataset.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef HAVE_SQLITE

/* Exit statuses of the process that writes a dump. */
enum outcome {
    OUTCOME_GOOD,
    OUTCOME_NO_DUMP, /* the dump could not be opened or read; the database can be completed */
    OUTCOME_LOST,    /* the database cannot be written */
};

static int write_tree(struct database *database, struct tree *tree)
{
    const char *format = tree_dump(tree)->format;
    const struct schema_table *table = NULL;
    int status = database_add_metadata(database, tree);

    while (status == 0 && (table = schema_next(format, table)) != NULL)
        status = database_add_table(database, tree, format, table);
    return status == 0 ? database_add_problems(database, tree) : status;
}

/* Writes one dump. Returns 0, or 1 if it could not be opened or read, which is logged. */
static int write_dump(struct gpudump *gpudump, const struct dataset_input *input,
                      struct database *database)
{
    struct program *program = &gpudump->program;
    enum program_status opened;
    int status;

    program_look(program, input->path);
    opened = program_open(program, input->path);
    if (opened == PROGRAM_OK)
        opened = program_make_tree(program, 0);
    status = database_add_dump(database, input, opened == PROGRAM_OK ? program->tree : NULL,
                               opened == PROGRAM_OK ? NULL : program_open_error(opened));
    if (status == 0 && opened == PROGRAM_OK)
        status = write_tree(database, program->tree);
    if (status != 0 && status != -ECANCELED)
        log_write(LOG_ERR, "%s: %s", input->path, strerror(-status));
    program_close(program);
    return status != 0 || opened != PROGRAM_OK;
}

/* Writes one dump, in its own process. */
static enum outcome run_dump(struct gpudump *gpudump, const struct dataset_input *input,
                             uint64_t number, const char *path)
{
    struct database *database = NULL;
    int failed, closed, opened = database_open(path, number, &database);

    if (opened != 0 && opened != -ECANCELED) /* an error of SQLite is logged */
        log_write(LOG_ERR, "%s: %s", input->path, strerror(-opened));
    if (opened != 0)
        return OUTCOME_LOST;
    failed = write_dump(gpudump, input, database);
    closed = database_close(&database);
    if (closed == -EIO)
        return OUTCOME_LOST;
    return closed != 0 || failed ? OUTCOME_NO_DUMP : OUTCOME_GOOD;
}

/* Adds a dump by a process. A failure is logged. */
static enum outcome add_input(struct gpudump *gpudump, const struct dataset_input *input,
                              uint64_t number, const char *path)
{
    pid_t pid = child_begin();
    int status = SIGKILL; /* in case the process cannot be waited for */

    if (pid == 0) {
        gpudump->program.quiet = true;
        _exit((int)run_dump(gpudump, input, number, path));
    }
    if (pid > 0)
        (void)child_wait_for(pid, &status);
    if (pid > 0 && WIFSIGNALED(status))
        log_write(LOG_ERR, "%s: its export was ended by signal %d", input->path, WTERMSIG(status));
    return pid > 0 && WIFEXITED(status) ? (enum outcome)WEXITSTATUS(status) : OUTCOME_NO_DUMP;
}

static int add_all(struct gpudump *gpudump, const struct dataset_inputs *inputs, const char *path)
{
    struct progress progress;
    struct database *database = NULL;
    enum outcome outcome = OUTCOME_GOOD;
    int status;

    progress_begin(&progress, !gpudump->program.quiet);
    for (size_t i = 0; outcome != OUTCOME_LOST && i < inputs->count; i++) {
        outcome = add_input(gpudump, &inputs->list[i], i, path);
        if (outcome != OUTCOME_GOOD)
            gpudump->failed = true;
        progress_show(&progress, inputs->list[i].name, i + 1, inputs->count);
    }
    progress_end(&progress);
    if (outcome == OUTCOME_LOST)
        return -ECANCELED;
    status = database_open(path, inputs->count, &database);
    if (status == 0)
        status = database_finish(database);
    if (database != NULL && database_close(&database) != 0 && status == 0)
        status = -ECANCELED;
    return status;
}

/* Returns 0 if the file may be written, -EEXIST if not, which is logged, or another -errno. */
static int check_place(const char *path, const struct dataset_inputs *inputs)
{
    struct stat file;
    int status;

    for (size_t i = 0; i < inputs->count; i++)
        if (contents_is_of_input(path, inputs->list[i].path))
            return contents_refuse(path, "dump");
    if (stat(path, &file) == 0 && !S_ISREG(file.st_mode))
        return S_ISDIR(file.st_mode) ? -EISDIR : -EINVAL;
    status = database_check(path);
    if (status == -EEXIST)
        log_write(LOG_ERR, "%s is not a database that gpudump wrote, and is not overwritten", path);
    return status;
}

static int export_to(struct gpudump *gpudump, const struct dataset_inputs *inputs)
{
    struct replacement replacement = {.lock = -1};
    int status = check_place(gpudump->sqlite, inputs);

    if (status == 0)
        status = replacement_begin(gpudump->sqlite, &replacement);
    if (status != 0)
        return status;
    status = add_all(gpudump, inputs, replacement.temporary);
    if (status == 0)
        return replacement_commit(&replacement);
    replacement_abandon(&replacement);
    return status;
}

enum program_status gpudump_export_sqlite(struct gpudump *gpudump)
{
    struct dataset_inputs inputs = {0};
    bool found = dataset_inputs_find(gpudump, gpudump->paths, gpudump->path_count, NULL, &inputs) ==
                 0; /* otherwise it is logged */
    int status = found ? export_to(gpudump, &inputs) : 0;

    dataset_inputs_clear(&inputs);
    if (status == -ENOENT)
        log_write(LOG_ERR, "%s: its folder does not exist", gpudump->sqlite);
    else if (status == -ECANCELED) /* the reason is logged */
        log_write(LOG_ERR, "%s: the database could not be written%s", gpudump->sqlite,
                  access(gpudump->sqlite, F_OK) == 0 ? "; the file remains unchanged" : "");
    else if (status != 0)
        contents_tell(gpudump, gpudump->sqlite, status);
    gpudump->failed = gpudump->failed || !found || status != 0;
    return gpudump_outcome(gpudump);
}

#else

enum program_status gpudump_export_sqlite(struct gpudump *gpudump)
{
    (void)gpudump;
    log_write(LOG_ERR, "--sqlite: this program was built without SQLite (libsqlite3-dev)");
    return PROGRAM_USAGE;
}

#endif

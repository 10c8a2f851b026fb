/* SPDX-License-Identifier: MIT */
#include "cli/dataset.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { PATH_ROOM = 128 };

/* Writes rows of a table to a file, each after the number of its folder if it has one. */
struct table_job {
    struct tree *tree;
    const struct schema_table *table;
    const struct schema_folder *folders; /* NULL: the table is in the root */
    size_t count;
    /* The following is used while the file is written. */
    struct dataset_file *file;
    const struct schema_folder *folder;
    bool has_head;   /* the file has its header line */
    bool is_in_head; /* the next line is the header of a folder's table */
};

static int put_row(void *context, const char *line, size_t length)
{
    struct table_job *job = context;
    char cell[SCHEMA_NAME + 2] = "";
    bool is_head = job->is_in_head;
    int status = 0;

    job->is_in_head = false;
    if (is_head && job->has_head)
        return 0;
    job->has_head = true;
    if (is_head && job->folder != NULL)
        status = dataset_put(job->file, job->table->number, strlen(job->table->number));
    else if (job->folder != NULL)
        snprintf(cell, sizeof(cell), "%llu", (unsigned long long)job->folder->number);
    if (job->folder != NULL)
        strcat(cell, "\t");
    if (status == 0)
        status = dataset_put(job->file, cell, strlen(cell));
    if (status == 0)
        status = dataset_put(job->file, line, length);
    return status == 0 ? dataset_put(job->file, "\n", 1) : status;
}

static int write_rows(struct table_job *job, const struct schema_folder *folder)
{
    job->folder = folder;
    job->is_in_head = true;
    return schema_each_row(job->tree, job->table, folder != NULL ? folder->name : NULL, put_row,
                           job);
}

/* A folder may lack the table. If all folders of a part lack it, there is no file for the part. */
static int write_table(void *context, struct dataset_file *file)
{
    struct table_job *job = context;
    int status = 0;

    job->file = file;
    if (job->folders == NULL)
        return write_rows(job, NULL);
    for (size_t i = 0; status == 0 && i < job->count; i++) {
        status = write_rows(job, &job->folders[i]);
        if (status == -ENOENT)
            status = 0;
    }
    return status == 0 && !job->has_head ? -ENOENT : status;
}

void dataset_export_table(struct dataset_export *export, const struct schema_table *table)
{
    struct table_job job = {.tree = export->program->tree, .table = table};
    char path[PATH_ROOM];

    snprintf(path, sizeof(path), "tables/%s.tsv", table->name);
    dataset_make(export, path, write_table, &job);
}

void dataset_export_part(struct dataset_export *export, const struct schema_table *table,
                         const struct schema_folder *folders, size_t count)
{
    struct table_job job = {
        .tree = export->program->tree, .table = table, .folders = folders, .count = count};
    char path[PATH_ROOM];

    snprintf(path, sizeof(path), "tables/%s/%s.tsv", table->name, folders[0].name);
    dataset_make(export, path, write_table, &job);
}

/* SPDX-License-Identifier: MIT */
#include "cli/dataset.h"

#include "base/log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int write_metadata(void *context, struct dataset_file *file)
{
    struct tree *tree = context;
    uint64_t inode = 0;
    int status = tree_find(tree, "metadata.json", true, &inode);

    return status == 0 ? dataset_put_contents(file, tree, inode) : status;
}

static bool is_of_frames(const struct schema_table *table)
{
    return table->folder != NULL && strcmp(table->number, "in_frame") == 0;
}

/* Calls `run` for DATASET_PART_FRAMES folders at a time, of those that this process exports. */
static void each_part(struct dataset_export *export, const struct schema_folder *folders,
                      size_t count, const struct schema_table *table,
                      void (*run)(struct dataset_export *export, const struct schema_table *table,
                                  const struct schema_folder *folders, size_t count))
{
    for (size_t at = 0; at < count && export->broken == 0; at += DATASET_PART_FRAMES) {
        size_t left = count - at;

        if (export->finishes || at / DATASET_PART_FRAMES % export->shares == export->share)
            run(export, table, folders + at,
                left < DATASET_PART_FRAMES ? left : DATASET_PART_FRAMES);
    }
}

/* Exports a table with folders other than those of frames, such as submissions. */
static int export_folders(struct dataset_export *export, const struct schema_table *table)
{
    struct schema_folder *folders = NULL;
    size_t count = 0;
    int status =
        schema_folders(export->program->tree, table->folder, 0, UINT64_MAX, &folders, &count);

    each_part(export, folders, count, table, dataset_export_part);
    free(folders);
    return status;
}

/* Exports what belongs to the whole dump. */
static int export_whole(struct dataset_export *export)
{
    struct tree *tree = export->program->tree;
    const struct schema_table *table = NULL;
    int status = 0;

    dataset_make(export, "metadata.json", write_metadata, tree);
    if ((export->parts & DATASET_TABLES) == 0)
        return 0;
    while (status == 0 && (table = schema_next(tree_dump(tree)->format, table)) != NULL)
        if (table->folder == NULL)
            dataset_export_table(export, table);
        else if (!is_of_frames(table))
            status = export_folders(export, table);
    return status;
}

/* Exports all files of some frames, and their rows of tables. */
static void export_frames(struct dataset_export *export, const struct schema_table *unused,
                          const struct schema_folder *frames, size_t count)
{
    const char *format = tree_dump(export->program->tree)->format;
    const struct schema_table *table = NULL;

    (void)unused;
    for (size_t i = 0; i < count && export->broken == 0; i++)
        dataset_export_frame(export, &frames[i]);
    if ((export->parts & DATASET_TABLES) == 0)
        return;
    while ((table = schema_next(format, table)) != NULL)
        if (is_of_frames(table))
            dataset_export_part(export, table, frames, count);
}

static int export_tree(struct dataset_export *export)
{
    struct schema_folder *frames = NULL;
    size_t count = 0;
    int status = export->finishes ? export_whole(export) : 0;

    if (status == 0)
        status = schema_folders(export->program->tree, "by-frame", export->first, export->last,
                                &frames, &count);
    each_part(export, frames, count, NULL, export_frames);
    free(frames);
    return status;
}

int dataset_export_dump(struct dataset_export *export)
{
    int status = dataset_problems_begin(export), result = 0;

    export->failed = json_array();
    if (status == 0 && export->program->tree != NULL) {
        status = export_tree(export);
        if (export->broken != 0) /* already logged */
            goto out;
    }
    if (status == 0 && export->finishes)
        status = dataset_problems_end(export);
    if (status == 0 && export->finishes)
        status = dataset_manifest_write(export);
    if (status != 0)
        log_write(LOG_ERR, "%s: %s", export->folder, strerror(-status));
out:
    if (export->program->tree == NULL || json_array_size(export->failed) > 0)
        result = 1;
    if (status == 0)
        status = export->broken;
    json_decref(export->failed);
    text_clear(&export->problems);
    return status != 0 ? status : result;
}

/* SPDX-License-Identifier: MIT */
#include "cli/dataset.h"

#include "compare/found.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PROBLEMS_SHOWN = 1000 };

/* Folders with a file for each frame, as the manifest describes them. */
static const struct family {
    enum dataset_part part;
    const char *name, *files, *type, *meaning;
} families[] = {
    {DATASET_FRAMES, "frames", "frames/FRAME.png", NULL, "the picture at the end of a frame"},
    {DATASET_DRAW_IDS, "draw-ids", "draw-ids/FRAME.npy", "<i4",
     "height x width x 2: frame and draw that wrote each pixel last; -1 -1: unknown; a draw of -2 "
     "or less: not a draw"},
    {DATASET_DEPTH, "depth", "depth/FRAME.npy", "<f4", "height x width: depth at the frame's end"},
    {DATASET_MASKS, "masks", "masks/FRAME.npy", "<i4",
     "rows x 4: of each draw its number, height and width of what it draws to, 0; then, for each "
     "run "
     "of pixels that it wrote, its number, line, column, length"},
};
enum { FAMILIES = sizeof(families) / sizeof(families[0]) };

/* The contents of a finished folder, sorted by name. */
struct inventory {
    const char *folder;
    struct text sums;
    json_t *tables; /* by name: the files and the number of rows */
    uint64_t counts[FAMILIES];
    uint64_t files, bytes;
};

/* Returns the rest of a path that is below a folder; NULL if it is not. */
static const char *below(const char *path, const char *folder)
{
    size_t length = strlen(folder);

    return strncmp(path, folder, length) == 0 && path[length] == '/' ? path + length + 1 : NULL;
}

/* `path` is tables/NAME.tsv or tables/NAME/NNNNNN.tsv. The first line is no row. */
static void count_table(struct inventory *inventory, const char *path, uint64_t lines)
{
    const char *rest = below(path, "tables");
    char *name = strndup(rest, strcspn(rest, "/."));
    json_t *table = name != NULL ? json_object_get(inventory->tables, name) : NULL;

    if (table == NULL && name != NULL) {
        table = json_pack("{s:[],s:I}", "files", "rows", (json_int_t)0);
        json_object_set_new(inventory->tables, name, table);
    }
    json_array_append_new(json_object_get(table, "files"), json_string(path));
    json_integer_set(json_object_get(table, "rows"),
                     json_integer_value(json_object_get(table, "rows")) +
                         (json_int_t)(lines > 0 ? lines - 1 : 0));
    free(name);
}

static int count_file(struct inventory *inventory, const char *path)
{
    uint64_t size = 0, lines = 0;
    char sum[DATASET_SUM], *full = NULL;
    int status;

    if (asprintf(&full, "%s/%s", inventory->folder, path) < 0)
        return -ENOMEM;
    status = dataset_sum_file(full, sum, &size, &lines);
    free(full);
    if (status != 0)
        return status;
    dataset_sum_line(sum, path, &inventory->sums);
    inventory->files++;
    inventory->bytes += size;
    for (unsigned i = 0; i < FAMILIES; i++)
        inventory->counts[i] += below(path, families[i].name) != NULL;
    if (below(path, "tables") != NULL)
        count_table(inventory, path, lines);
    return text_status(&inventory->sums);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* Names that begin with a dot belong to an unfinished export. */
static int is_shown(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && strcmp(entry->d_name, DATASET_MANIFEST) != 0 &&
           strcmp(entry->d_name, DATASET_SUMS) != 0;
}

/* Ensures that the folder's entries survive a crash of the machine. */
static int sync_folder(const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), status = 0;

    if (fd < 0)
        return -errno;
    if (fsync(fd) != 0 && errno != EINVAL)
        status = -errno;
    close(fd);
    return status;
}

static int count_folder(struct inventory *inventory, const char *path);

static int count_entry(struct inventory *inventory, const char *folder, const struct dirent *entry)
{
    char *path = NULL, *full = NULL;
    struct stat file;
    int status = -ENOMEM;

    if (asprintf(&path, "%s%s%s", folder, *folder != '\0' ? "/" : "", entry->d_name) < 0)
        path = NULL;
    if (path == NULL || asprintf(&full, "%s/%s", inventory->folder, path) < 0)
        full = NULL;
    if (full != NULL)
        status = lstat(full, &file) == 0 ? 0 : -errno;
    if (status == 0 && S_ISDIR(file.st_mode))
        status = count_folder(inventory, path);
    else if (status == 0)
        status = count_file(inventory, path);
    free(full);
    free(path);
    return status;
}

static int count_folder(struct inventory *inventory, const char *path)
{
    struct dirent **entries = NULL;
    char *full = NULL;
    int status = 0, count;

    if (asprintf(&full, "%s/%s", inventory->folder, path) < 0)
        return -ENOMEM;
    count = scandir(full, &entries, is_shown, by_name);
    if (count < 0)
        status = -errno;
    for (int i = 0; i < count; i++) {
        if (status == 0)
            status = count_entry(inventory, path, entries[i]);
        free(entries[i]);
    }
    free(entries);
    if (status == 0)
        status = sync_folder(full);
    free(full);
    return status;
}

/* Columns. */

static json_t *describe_column(const char *name, size_t length, enum schema_type type,
                               bool nullable)
{
    return json_pack("{s:o,s:s,s:b}", "name", found_string(name, length), "type",
                     schema_type_name(type), "nullable", (int)nullable);
}

/* Adds the columns of a table whose file names them: all are integers. */
static void add_own_columns(json_t *columns, const char *folder, const char *path)
{
    char *full = NULL, *line = NULL;
    size_t room = 0;
    FILE *file = asprintf(&full, "%s/%s", folder, path) >= 0 ? fopen(full, "rb") : NULL;

    if (file != NULL && getline(&line, &room, file) > 0)
        for (char *rest = line, *name; (name = strsep(&rest, "\t\n")) != NULL;)
            if (*name != '\0')
                json_array_append_new(columns,
                                      describe_column(name, strlen(name), SCHEMA_INTEGER, false));
    if (file != NULL)
        fclose(file);
    free(line);
    free(full);
}

static void add_columns(json_t *described, const struct schema_table *table, const char *folder)
{
    const json_t *files = json_object_get(described, "files");
    json_t *columns = json_array();

    if (table->number != NULL)
        json_array_append_new(
            columns, describe_column(table->number, strlen(table->number), SCHEMA_INTEGER, false));
    if (table->columns == NULL)
        add_own_columns(columns, folder, json_string_value(json_array_get(files, 0)));
    for (size_t i = 0; i < table->count; i++) {
        const struct schema_column *column = &table->columns[i];

        json_array_append_new(columns, describe_column(column->name, strlen(column->name),
                                                       column->type, column->nullable));
    }
    json_object_set_new(described, "columns", columns);
}

static json_t *describe_tables(const struct inventory *inventory, const char *format)
{
    const struct schema_table *table = NULL;
    json_t *tables = json_object();

    while ((table = schema_next(format, table)) != NULL) {
        json_t *described = json_object_get(inventory->tables, table->name);

        if (described == NULL)
            continue;
        add_columns(described, table, inventory->folder);
        json_object_set(tables, table->name, described);
    }
    return tables;
}

static json_t *describe_families(const struct dataset_export *export,
                                 const struct inventory *inventory)
{
    json_t *described = json_object();

    for (unsigned i = 0; i < FAMILIES; i++)
        if (export->parts & families[i].part)
            json_object_set_new(described, families[i].name,
                                json_pack("{s:s,s:I,s:s?,s:s}", "files", families[i].files, "count",
                                          (json_int_t)inventory->counts[i], "dtype",
                                          families[i].type, "meaning", families[i].meaning));
    return described;
}

/* Describes the first lines; problems.txt has all. */
static json_t *describe_problems(const struct dataset_export *export)
{
    json_t *lines = json_array();
    uint64_t count = 0;

    for (size_t at = 0; at < export->problems.length; count++) {
        const char *line = export->problems.bytes + at;
        const char *end = memchr(line, '\n', export->problems.length - at);
        size_t length = end != NULL ? (size_t)(end - line) : export->problems.length - at;

        if (count < PROBLEMS_SHOWN)
            json_array_append_new(lines, found_string(line, length));
        at += length + 1;
    }
    return json_pack("{s:I,s:o}", "count", (json_int_t)count, "lines", lines);
}

static json_t *describe(const struct dataset_export *export, const struct inventory *inventory)
{
    struct tree *tree = export->program->tree;
    const char *format = tree != NULL ? tree_dump(tree)->format : NULL;
    json_t *manifest = json_pack("{s:i,s:s}", "version", DATASET_VERSION, "kind", "dump");

    json_object_update(manifest, (json_t *)(uintptr_t) export->identity);
    json_object_set_new(manifest, "opened", json_boolean(tree != NULL));
    json_object_set_new(manifest, "format", format != NULL ? json_string(format) : json_null());
    json_object_set_new(manifest, "error",
                        export->error != NULL ? json_string(export->error) : json_null());
    json_object_set_new(manifest, "frames", describe_families(export, inventory));
    json_object_set_new(manifest, "tables",
                        format != NULL ? describe_tables(inventory, format) : json_object());
    json_object_set(manifest, "failed", export->failed);
    json_object_set_new(manifest, "problems", describe_problems(export));
    json_object_set_new(manifest, "files", json_integer((json_int_t)inventory->files));
    json_object_set_new(manifest, "bytes", json_integer((json_int_t)inventory->bytes));
    return manifest;
}

/*
 * Writes the sums, including the manifest's, and then the manifest. Takes ownership of the
 * reference.
 */
static int write_both(const char *folder, json_t *manifest, struct text *sums)
{
    char *text = manifest != NULL ? json_dumps(manifest, JSON_INDENT(2)) : NULL;
    char sum[DATASET_SUM];
    int status = text != NULL ? 0 : -ENOMEM;

    json_decref(manifest);
    if (status == 0) {
        dataset_sum_bytes(text, strlen(text), sum);
        dataset_sum_line(sum, DATASET_MANIFEST, sums);
        status = text_status(sums);
    }
    if (status == 0)
        status = dataset_replace(folder, DATASET_SUMS, sums->bytes, sums->length);
    if (status == 0)
        status = dataset_replace(folder, DATASET_MANIFEST, text, strlen(text));
    if (status == 0)
        status = sync_folder(folder);
    free(text);
    return status;
}

int dataset_remove_work(const char *folder)
{
    char *work = NULL;
    DIR *opened;
    const struct dirent *entry;
    int status = 0;

    if (asprintf(&work, "%s/" DATASET_WORK, folder) < 0)
        return -ENOMEM;
    opened = opendir(work);
    while (opened != NULL && (entry = readdir(opened)) != NULL)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            (void)unlinkat(dirfd(opened), entry->d_name, 0);
    if (opened != NULL)
        closedir(opened);
    if (rmdir(work) != 0 && errno != ENOENT)
        status = -errno;
    free(work);
    return status;
}

int dataset_manifest_write(struct dataset_export *export)
{
    struct inventory inventory = {.folder = export->folder, .tables = json_object()};
    int status = count_folder(&inventory, "");

    if (status == 0)
        status = dataset_remove_work(export->folder);
    if (status == 0)
        status = write_both(export->folder, describe(export, &inventory), &inventory.sums);
    json_decref(inventory.tables);
    text_clear(&inventory.sums);
    return status;
}

json_t *dataset_manifest_read(const char *folder)
{
    char *path = NULL;
    json_t *manifest = NULL;

    if (asprintf(&path, "%s/" DATASET_MANIFEST, folder) >= 0)
        manifest = json_load_file(path, 0, NULL);
    free(path);
    return manifest;
}

/* The manifest of the whole data set. */

static const char *const summed[] = {"dump", "opened", "format", "error", "files", "bytes"};

/*
 * Adds two lines of sums, and an entry of the manifest. Returns 0, even if the folder has no
 * manifest, or -errno.
 */
static int add_dump(const char *folder, const char *name, json_t *dumps, struct text *sums)
{
    static const char *const heads[] = {DATASET_SUMS, DATASET_MANIFEST};
    json_t *row = NULL, *manifest = NULL;
    char *path = NULL;
    int status = 0;

    if (asprintf(&path, "%s/%s", folder, name) < 0)
        return -ENOMEM;
    manifest = dataset_manifest_read(path);
    free(path);
    if (manifest == NULL)
        return 0;
    row = json_pack("{s:o}", "folder", found_string(name, strlen(name)));
    for (size_t i = 0; i < sizeof(summed) / sizeof(summed[0]); i++)
        json_object_set(row, summed[i], json_object_get(manifest, summed[i]));
    json_object_set_new(
        row, "failed",
        json_integer((json_int_t)json_array_size(json_object_get(manifest, "failed"))));
    json_object_set(row, "problems",
                    json_object_get(json_object_get(manifest, "problems"), "count"));
    json_array_append_new(dumps, row);
    json_decref(manifest);
    for (unsigned i = 0; status == 0 && i < 2; i++) {
        uint64_t size, lines;
        char sum[DATASET_SUM], *full = NULL, *shown = NULL;

        if (asprintf(&shown, "%s/%s", name, heads[i]) < 0)
            return -ENOMEM;
        status = asprintf(&full, "%s/%s", folder, shown) >= 0
                     ? dataset_sum_file(full, sum, &size, &lines)
                     : -ENOMEM;
        if (status == 0)
            dataset_sum_line(sum, shown, sums);
        free(full);
        free(shown);
    }
    return status;
}

static int is_dump_folder(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && (entry->d_type == DT_DIR || entry->d_type == DT_UNKNOWN);
}

int dataset_manifest_write_root(const char *folder)
{
    json_t *dumps = json_array();
    struct text sums = TEXT_INIT;
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, is_dump_folder, by_name);
    int status = count < 0 ? -errno : 0;

    for (int i = 0; i < count; i++) {
        if (status == 0)
            status = add_dump(folder, entries[i]->d_name, dumps, &sums);
        free(entries[i]);
    }
    free(entries);
    if (status == 0)
        status = write_both(folder,
                            json_pack("{s:i,s:s,s:O}", "version", DATASET_VERSION, "kind",
                                      "data set", "dumps", dumps),
                            &sums);
    json_decref(dumps);
    text_clear(&sums);
    return status;
}

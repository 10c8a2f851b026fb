/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "compare/objects.h"

#include "base/array.h"
#include "base/hash.h"
#include "compare/contents.h"
#include "tree/dump.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(struct objects_file) <= 4 * sizeof(uint64_t), "kept of each object");

/* The entries of a folder in the order of their numbers; numbered folders in it are entered. */
struct files {
    struct tree *tree;
    const struct dump_objects *kind;
    const struct cancel *cancel;
    struct objects_file *list;
    size_t count, room;
    struct text *names;
    const char *folder; /* numbered folder that is entered, or NULL */
    int status;
};

static bool number_of(const char *name, uint64_t *number)
{
    char *end = NULL;

    *number = strtoull(name, &end, 10);
    return *name >= '0' && *name <= '9' && end != NULL;
}

static bool is_number(const char *name)
{
    return *name != '\0' && name[strspn(name, "0123456789")] == '\0';
}

/* Adds a name, and its offset to the file. */
static void add_name(struct files *files, const char *folder, const char *name,
                     struct objects_file *file)
{
    file->name = files->names->length;
    text_printf(files->names, "%s%s%s", folder != NULL ? folder : "", folder != NULL ? "/" : "",
                name);
    text_add_char(files->names, '\0');
    if (files->status == 0)
        files->status = text_status(files->names);
}

static struct objects_file *add_file(struct files *files)
{
    if (ARRAY_GROW(files->list, files->count, files->room) != 0) {
        files->status = -ENOMEM;
        return NULL;
    }
    files->list[files->count] = (struct objects_file){0};
    return &files->list[files->count++];
}

static int find_below(struct files *files, const char *folder, const char *name, uint64_t *inode)
{
    struct text path = TEXT_INIT;
    int status;

    text_printf(&path, "%s/%s/%s", files->kind->folder, folder, name);
    text_add_char(&path, '\0');
    status = text_status(&path);
    if (status == 0)
        status = tree_find(files->tree, path.bytes, true, inode);
    text_clear(&path);
    return status;
}

/* Adds the file of an object that has a folder. */
static void add_of_folder(struct files *files, const char *folder, uint64_t number)
{
    const struct dump_objects *kind = files->kind;
    struct objects_file *file;
    uint64_t inode = 0;

    for (unsigned i = 0; i < DUMP_OBJECT_FILES && kind->files[i] != NULL; i++) {
        if (find_below(files, folder, kind->files[i], &inode) != 0)
            continue;
        file = add_file(files);
        if (file == NULL)
            return;
        file->number = number;
        file->inode = inode;
        if (kind->picture != NULL && find_below(files, folder, kind->picture, &inode) == 0)
            file->picture = inode;
        add_name(files, folder, file->picture != 0 ? kind->picture : kind->files[i], file);
        return;
    }
}

static bool add_entry(void *context, const char *name, uint64_t inode, enum rule_kind kind,
                      uint64_t next_cursor)
{
    struct files *files = context;
    struct objects_file *file;
    uint64_t number = 0, cursor = 0;

    (void)next_cursor;
    if (cancel_requested(files->cancel)) {
        files->status = -EINTR;
        return false;
    }
    if (!number_of(name, &number))
        return true;
    if (kind == RULE_DIRECTORY && files->kind->files[0] != NULL) {
        add_of_folder(files, name, number);
    } else if (kind == RULE_DIRECTORY && files->folder == NULL && is_number(name)) {
        files->folder = name;
        if (tree_list(files->tree, inode, &cursor, add_entry, files) != 0 && files->status == 0)
            files->status = -EIO;
        files->folder = NULL;
    } else if (kind == RULE_FILE && (file = add_file(files)) != NULL) {
        file->number = number;
        file->inode = inode;
        add_name(files, files->folder, name, file);
    }
    return files->status == 0;
}

static int list_files(struct files *files, const char *prefix)
{
    char path[CONTENTS_PATH];
    uint64_t inode = 0, cursor = 0;
    int status;

    snprintf(path, sizeof(path), "%s%s", prefix, files->kind->folder);
    status = tree_find(files->tree, path, true, &inode);
    if (status == 0)
        status = tree_list(files->tree, inode, &cursor, add_entry, files);
    if (status == 0)
        status = files->status;
    return status == -ENOENT ? 0 : status;
}

/*
 * Assigns the files to the rows. Both are in the order of their numbers; several may have the same
 * number.
 */
static int match_files(struct objects *objects, const struct files *files)
{
    size_t rows = tsv_rows(&objects->table), at = 0;

    objects->files = calloc(rows + 1, sizeof(*objects->files));
    if (objects->files == NULL)
        return -ENOMEM;
    for (size_t row = 0; row < rows; row++) {
        uint64_t number = objects_number(objects, row);

        while (at < files->count && files->list[at].number < number)
            at++;
        if (at < files->count && files->list[at].number == number)
            objects->files[row] = files->list[at++];
    }
    return 0;
}

static int find_files(struct tree *tree, const char *prefix, const struct cancel *cancel,
                      struct objects *objects)
{
    struct files files = {
        .tree = tree, .kind = objects->kind, .cancel = cancel, .names = &objects->names};
    int status = objects->kind->folder != NULL ? list_files(&files, prefix) : 0;

    if (status == 0)
        status = match_files(objects, &files);
    free(files.list);
    return status;
}

static bool is_listed(const char *words, const struct text_diff_line *word)
{
    for (const char *at = words; at != NULL && *at != '\0';) {
        size_t length = strcspn(at, " ");

        if (length == word->length && memcmp(at, word->bytes, length) == 0)
            return true;
        at += length + (at[length] == ' ');
    }
    return false;
}

/*
 * Takes the first cell of a line, which then begins after it; returns false if there is none left.
 */
static bool take_cell(struct text_diff_line *line, struct text_diff_line *cell)
{
    const char *tab;

    if (line->bytes == NULL)
        return false;
    tab = memchr(line->bytes, '\t', line->length);
    cell->bytes = line->bytes;
    cell->length = tab != NULL ? (size_t)(tab - line->bytes) : line->length;
    line->length -= cell->length + (tab != NULL);
    line->bytes = tab != NULL ? tab + 1 : NULL;
    return true;
}

void objects_describe(const struct objects *objects, size_t row, struct text *out)
{
    struct text_diff_line columns = objects->table.lines.list[0];
    struct text_diff_line cells = objects->table.lines.list[row + 1], column, cell;
    bool first = true;

    while (take_cell(&columns, &column) && take_cell(&cells, &cell)) {
        if (is_listed(objects->kind->place, &column))
            continue;
        text_add(out, first ? "" : " ");
        text_add_bytes(out, column.bytes, column.length);
        text_add_char(out, '=');
        text_add_bytes(out, cell.bytes, cell.length);
        first = false;
    }
}

static int add_bytes(struct tree *tree, uint64_t inode, const struct cancel *cancel,
                     struct text *out)
{
    struct text bytes = TEXT_INIT;
    int status = contents_read(tree, inode, cancel, &bytes);

    if (status == 0)
        text_printf(out, " bytes=%" PRIu64, hash_bytes(bytes.bytes, bytes.length));
    text_clear(&bytes);
    return status;
}

/* A file that cannot be read counts as one without bytes: the dump's problems say why. */
static int compare_rows(struct tree *tree, bool with_bytes, const struct cancel *cancel,
                        struct objects *objects)
{
    int status = 0;

    for (size_t row = 0; row < tsv_rows(&objects->table); row++) {
        uint64_t inode = objects->files[row].inode;

        if (cancel_requested(cancel))
            return -EINTR;
        objects_describe(objects, row, &objects->compared);
        if (with_bytes && inode != 0)
            status = add_bytes(tree, inode, cancel, &objects->compared);
        if (status == -EINTR || status == -ENOMEM)
            return status;
        text_add_char(&objects->compared, '\n');
    }
    status = text_status(&objects->compared);
    return status == 0 ? text_diff_split(objects->compared.bytes, objects->compared.length, NULL,
                                         &objects->lines)
                       : status;
}

int objects_read(struct tree *tree, const struct dump_objects *kind, const char *prefix,
                 bool with_bytes, const struct cancel *cancel, struct objects *out)
{
    char path[CONTENTS_PATH];
    uint64_t inode = 0;
    int status;

    *out = (struct objects){.kind = kind, .table = {.bytes = TEXT_INIT}, .names = TEXT_INIT};
    snprintf(path, sizeof(path), "%s%s", prefix, kind->table);
    status = tree_find(tree, path, true, &inode);
    if (status == -ENOENT)
        return 0;
    if (status == 0)
        status = tsv_read(tree, inode, cancel, &out->table);
    if (status == 0)
        status = find_files(tree, prefix, cancel, out);
    return status == 0 ? compare_rows(tree, with_bytes, cancel, out) : status;
}

void objects_clear(struct objects *objects)
{
    text_diff_clear(&objects->lines);
    text_clear(&objects->compared);
    text_clear(&objects->names);
    free(objects->files);
    tsv_clear(&objects->table);
}

static uint64_t cell_of(const struct objects *objects, size_t row, const char *column)
{
    uint64_t number = UINT64_MAX;

    return column != NULL && tsv_number(&objects->table, row, column, &number) ? number
                                                                               : UINT64_MAX;
}

const char *objects_file_name(const struct objects *objects, size_t row)
{
    return objects->names.bytes + objects->files[row].name;
}

uint64_t objects_number(const struct objects *objects, size_t row)
{
    return cell_of(objects, row, objects->kind->number);
}

uint64_t objects_frame(const struct objects *objects, size_t row)
{
    return cell_of(objects, row, objects->kind->frame);
}

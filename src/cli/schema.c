/* SPDX-License-Identifier: MIT */
#include "cli/schema.h"

#include "base/array.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 20, LINE_MAX_BYTES = 1 << 28, PATH_ROOM = 128 };

static const struct schema_column command_columns[] = {
    {"line", SCHEMA_INTEGER, false},
    {"packet", SCHEMA_INTEGER, true},
    {"draw", SCHEMA_INTEGER, true},
    {"text", SCHEMA_TEXT, true},
};

static const struct schema_table commands = {
    NULL, "commands", "by-frame", "in_frame", "commands.txt", command_columns, 4};

const struct schema_table *schema_next(const char *format, const struct schema_table *before)
{
    const struct schema_table *table = before == NULL ? schema_tables : before + 1;

    if (before == &commands)
        return NULL;
    while (table->name != NULL && strcmp(table->format, format) != 0)
        table++;
    return table->name != NULL ? table : &commands;
}

const char *schema_type_name(enum schema_type type)
{
    static const char *const names[] = {
        [SCHEMA_INTEGER] = "INTEGER", [SCHEMA_REAL] = "REAL", [SCHEMA_TEXT] = "TEXT"};

    return names[type];
}

/* Lines of a file. */

struct line_reader {
    struct text line; /* the part of a line that was in earlier windows */
    schema_take *take;
    void *context;
};

static int take_window(struct line_reader *reader, const char *bytes, size_t length)
{
    int status = 0;

    while (status == 0 && length > 0) {
        const char *end = memchr(bytes, '\n', length);
        size_t part = end != NULL ? (size_t)(end - bytes) : length;

        if (end != NULL && reader->line.length == 0) {
            status = reader->take(reader->context, bytes, part);
        } else {
            text_add_bytes(&reader->line, bytes, part);
            status = text_status(&reader->line);
            if (status == 0 && end != NULL) {
                status = reader->take(reader->context, reader->line.bytes, reader->line.length);
                text_reset(&reader->line);
            }
        }
        part += end != NULL;
        bytes += part;
        length -= part;
    }
    return status;
}

static int each_line(struct tree *tree, uint64_t inode, schema_take *take, void *context)
{
    struct line_reader reader = {
        .line = {.limit = LINE_MAX_BYTES}, .take = take, .context = context};
    struct tree_window window = {0};
    struct tree_file *file = NULL;
    uint64_t offset = 0;
    int status = tree_open(tree, inode, &file);

    while (status == 0) {
        status = tree_read(file, offset, PIECE, NULL, &window);
        if (status != 0 || window.length == 0)
            break;
        offset += window.length;
        status = take_window(&reader, (const char *)window.data, window.length);
        blob_unref(&window.blob);
    }
    blob_unref(&window.blob);
    tree_close_for_good(&file);
    if (status == 0 && reader.line.length > 0)
        status = take(context, reader.line.bytes, reader.line.length);
    text_clear(&reader.line);
    return status;
}

/* Commands: lines of a text as rows of a table. */

struct command_reader {
    const struct dump *dump;
    unsigned inside; /* state of command_place() */
    uint64_t line;
    struct text row;
    schema_take *take;
    void *context;
};

/* The text is already escaped, except that a format's own text may have tabs. */
static void add_command(struct text *row, const char *text, size_t length)
{
    size_t begin;

    text_add_char(row, '\t');
    begin = row->length;
    for (size_t i = 0; i < length; i++)
        if (text[i] == '\t')
            text_add(row, "\\t");
        else
            text_add_char(row, text[i]);
    text_end_cell(row, begin);
}

static int take_command(void *context, const char *line, size_t length)
{
    struct command_reader *reader = context;
    uint64_t packet, draw;
    size_t place = 0;
    int status;

    dump_command_numbers(reader->dump, line, length, &packet, &draw);
    if (reader->dump->ops->texts.command_place != NULL)
        place = reader->dump->ops->texts.command_place(line, length, &reader->inside);
    text_reset(&reader->row);
    text_add_u64(&reader->row, reader->line++);
    text_cell_or_none(&reader->row, packet != DUMP_NOT_KNOWN, packet);
    text_cell_or_none(&reader->row, draw != DUMP_NOT_KNOWN, draw);
    add_command(&reader->row, line + place, length - place);
    status = text_status(&reader->row);
    return status == 0 ? reader->take(reader->context, reader->row.bytes, reader->row.length)
                       : status;
}

static int each_command(struct tree *tree, uint64_t inode, schema_take *take, void *context)
{
    static const char head[] = "line\tpacket\tdraw\ttext";
    struct command_reader reader = {.dump = tree_dump(tree), .take = take, .context = context};
    int status = take(context, head, sizeof(head) - 1);

    if (status == 0)
        status = each_line(tree, inode, take_command, &reader);
    text_clear(&reader.row);
    return status;
}

int schema_each_row(struct tree *tree, const struct schema_table *table, const char *folder,
                    schema_take *take, void *context)
{
    char path[PATH_ROOM];
    uint64_t inode = 0;
    int status;

    if (folder != NULL)
        snprintf(path, sizeof(path), "%s/%s/%s", table->folder, folder, table->file);
    else
        snprintf(path, sizeof(path), "%s", table->file);
    status = tree_find(tree, path, true, &inode);
    if (status != 0)
        return status == -ENOTDIR ? -ENOENT : status;
    return table == &commands ? each_command(tree, inode, take, context)
                              : each_line(tree, inode, take, context);
}

/* Numbered folders. */

struct folder_search {
    uint64_t first, last;
    struct schema_folder *found;
    size_t count, room;
    int status;
};

static bool add_folder(struct folder_search *search, uint64_t number, const char *name)
{
    if (ARRAY_GROW(search->found, search->count, search->room) != 0) {
        search->status = -ENOMEM;
        return false;
    }
    search->found[search->count].number = number;
    strcpy(search->found[search->count++].name, name);
    return true;
}

static bool see_entry(void *context, const char *name, uint64_t inode, enum rule_kind kind,
                      uint64_t next_cursor)
{
    struct folder_search *search = context;
    size_t length = strlen(name);
    uint64_t number;

    (void)inode;
    (void)next_cursor;
    if (kind != RULE_DIRECTORY || length >= SCHEMA_NAME || strspn(name, "0123456789") != length)
        return true;
    number = strtoull(name, NULL, 10);
    return number < search->first || number > search->last || add_folder(search, number, name);
}

int schema_folders(struct tree *tree, const char *folder, uint64_t first, uint64_t last,
                   struct schema_folder **out, size_t *count)
{
    struct folder_search search = {.first = first, .last = last};
    uint64_t inode = 0, cursor = 0;
    int status = tree_find(tree, folder, true, &inode);

    if (status == 0)
        status = tree_list(tree, inode, &cursor, see_entry, &search);
    if (status == -ENOENT)
        status = 0;
    if (status == 0)
        status = search.status;
    if (status != 0)
        free(search.found);
    *out = status == 0 ? search.found : NULL;
    *count = status == 0 ? search.count : 0;
    return status;
}

/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/database.h"

#include "compare/contents.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OFFSET, PACKET, SEVERITY, WHAT, FIELDS };

static struct database_value value_of(const char *bytes, size_t length)
{
    bool is_none = bytes == NULL || (length == 1 && *bytes == '-');

    return (struct database_value){is_none ? NULL : bytes, is_none ? 0 : length};
}

static int read_text(struct tree *tree, const char *path, struct text *out)
{
    uint64_t inode = 0;
    int status = tree_find(tree, path, true, &inode);

    return status == 0 ? contents_read(tree, inode, NULL, out) : status;
}

int database_add_dump(struct database *database, const struct dataset_input *input,
                      struct tree *tree, const char *error)
{
    const char *format = tree != NULL ? tree_dump(tree)->format : NULL;
    struct text name = TEXT_INIT, path = TEXT_INIT;
    int status;

    text_add_escaped(&name, input->name, strlen(input->name));
    text_add_escaped(&path, input->path, strlen(input->path));
    status = text_status(&name) != 0 ? text_status(&name) : text_status(&path);
    if (status == 0)
        status = database_insert(
            database, "INSERT INTO dumps VALUES (?, ?, ?, ?, NULL, NULL, ?)",
            (const struct database_value[]){{name.bytes, name.length},
                                            {path.bytes, path.length},
                                            {format, format != NULL ? strlen(format) : 0},
                                            {error, error != NULL ? strlen(error) : 0}},
            4);
    text_clear(&name);
    text_clear(&path);
    return status;
}

/* Adds a line `key: value`. */
static int add_field(struct database *database, const char *line, size_t length)
{
    const char *colon = memmem(line, length, ": ", 2);
    size_t key = colon != NULL ? (size_t)(colon - line) : length;
    size_t skipped = colon != NULL ? key + 2 : length;

    return database_insert(
        database, "INSERT INTO metadata VALUES (?, ?, ?)",
        (const struct database_value[]){{line, key}, value_of(line + skipped, length - skipped)},
        2);
}

/* Adds a line `OFFSET packet N severity: what` (base/problems.h). */
static int add_problem(struct database *database, const char *line, size_t length)
{
    static const char word[] = " packet ";
    const char *end = line + length, *packet = memmem(line, length, word, sizeof(word) - 1);
    const char *severity, *what;
    char offset[32] = "";

    packet = packet != NULL ? packet + sizeof(word) - 1 : end;
    severity = memchr(packet, ' ', (size_t)(end - packet));
    severity = severity != NULL ? severity + 1 : end;
    what = memmem(severity, (size_t)(end - severity), ": ", 2);
    if (what == NULL)
        return 0;
    if (*line != '-')
        snprintf(offset, sizeof(offset), "%llu", strtoull(line, NULL, 16));
    return database_insert(database, "INSERT INTO problems VALUES (?, ?, ?, ?, ?)",
                           (const struct database_value[FIELDS]){
                               [OFFSET] = {*line != '-' ? offset : NULL, strlen(offset)},
                               [PACKET] = value_of(packet, (size_t)(severity - 1 - packet)),
                               [SEVERITY] = {severity, (size_t)(what - severity)},
                               [WHAT] = {what + 2, (size_t)(end - what - 2)}},
                           FIELDS);
}

static int add_lines(struct database *database, struct tree *tree, const char *path,
                     int (*add)(struct database *database, const char *line, size_t length))
{
    struct text text = TEXT_INIT;
    int status = read_text(tree, path, &text);

    for (size_t at = 0; status == 0 && at < text.length;) {
        const char *line = text.bytes + at, *end = memchr(line, '\n', text.length - at);
        size_t length = end != NULL ? (size_t)(end - line) : text.length - at;

        if (length > 0)
            status = add(database, line, length);
        at += length + 1;
    }
    text_clear(&text);
    return status;
}

int database_add_metadata(struct database *database, struct tree *tree)
{
    return add_lines(database, tree, "metadata.txt", add_field);
}

int database_add_problems(struct database *database, struct tree *tree)
{
    return add_lines(database, tree, "problems.txt", add_problem);
}

/* Indexes. */

/* Indexes a column by which rows are looked up: it has a number that other tables have, too. */
static void add_index(void *context, const char *const cells[DATABASE_COLUMNS])
{
    struct text *statements = context;

    text_printf(statements, "CREATE INDEX \"%s_by_%s\" ON \"%s\" (dump, \"%s\");", cells[0],
                cells[1], cells[0], cells[1]);
}

/*
 * Selects for indexing the first column after the dump's number in each table, and all columns that
 * name a frame, a packet, a draw, or the number of a row in another table.
 */
static const char indexed[] =
    "SELECT m.name, p.name FROM sqlite_master AS m, pragma_table_info(m.name) AS p "
    "WHERE m.type = 'table' AND m.name <> 'dumps' AND p.name <> 'dump' AND (p.cid = 1 OR p.name IN "
    "('in_frame', 'in_submission', 'frame', 'packet', 'draw', 'texture', 'resource', 'upload', "
    "'submission', 'allocation', 'command')) ORDER BY m.name, p.cid";

/*
 * Views over tables that all formats have, with the columns that these have in common. The tables
 * are named FORMAT_NAME; a table whose name only ends like that is left out (psx_near_frames).
 */

static void add_part(void *context, const char *const cells[DATABASE_COLUMNS])
{
    struct text *formats = context;

    text_printf(formats, "%s ", cells[0]);
}

static int add_view(struct database *database, const char *name, const char *columns)
{
    struct text formats = TEXT_INIT, view = TEXT_INIT;
    char query[256];
    int status;

    snprintf(query, sizeof(query),
             "SELECT substr(name, 1, length(name) - %zu) FROM sqlite_master WHERE type = 'table' "
             "AND name LIKE '%%\\_%s' ESCAPE '\\' AND name NOT LIKE '%%\\_%%\\_%s' ESCAPE '\\' "
             "ORDER BY name",
             strlen(name) + 1, name, name);
    status = database_each(database, query, 1, add_part, &formats);
    text_printf(&view, "CREATE VIEW %s AS ", name);
    for (size_t at = 0, end; at < formats.length; at = end + 1) {
        const char *format = formats.bytes + at;

        for (end = at; formats.bytes[end] != ' ';)
            end++;
        text_printf(&view, "%sSELECT dump, '%.*s' AS format, %s FROM %.*s_%s",
                    at > 0 ? " UNION ALL " : "", (int)(end - at), format, columns, (int)(end - at),
                    format, name);
    }
    if (status == 0)
        status = text_status(&formats);
    if (status == 0 && formats.length > 0)
        status = database_run(database, &view);
    text_clear(&formats);
    text_clear(&view);
    return status;
}

static const char counts[] =
    "UPDATE dumps SET packets = (SELECT value FROM metadata AS m WHERE m.dump = dumps.dump AND "
    "key = 'packets'), frames = (SELECT value FROM metadata AS m WHERE m.dump = dumps.dump AND key "
    "= 'frames')";

int database_finish(struct database *database)
{
    struct text statements = TEXT_INIT;
    int status = database_each(database, indexed, 2, add_index, &statements);

    if (status == 0)
        status = database_run(database, &statements);
    text_add(&statements, counts);
    if (status == 0)
        status = database_run(database, &statements);
    if (status == 0)
        status = add_view(database, "frames", "frame, first, last, time, width, height");
    if (status == 0)
        status = add_view(database, "packets", "packet, offset, bytes, type, name, frame");
    text_clear(&statements);
    return status;
}

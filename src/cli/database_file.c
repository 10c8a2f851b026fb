/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/database.h"

#include "base/log.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CELL_ROOM = 64,
    APPLICATION_ID = 0x67707564, /* "gpud": marks the databases that gpudump makes */
};

/* In a database's header: https://www.sqlite.org/fileformat.html 1.3 */
enum { HEAD = 100, HEAD_APPLICATION_ID = 68 };
static const char head_magic[] = "SQLite format 3";
static const uint8_t head_id[] = {0x67, 0x70, 0x75, 0x64};

struct database {
    sqlite3 *file;
    int64_t dump;
    int status;   /* the first failure */
    bool is_lost; /* it concerns the file, not the rows of a dump */
};

/* Returns whether an error means that the file cannot be written at all, by a full disk say. */
static bool concerns_file(int error)
{
    static const int errors[] = {SQLITE_FULL,     SQLITE_IOERR,   SQLITE_READONLY,
                                 SQLITE_CANTOPEN, SQLITE_CORRUPT, SQLITE_NOTADB};

    for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
        if ((error & 0xFF) == errors[i]) /* the higher bits say more about the same error */
            return true;
    return false;
}

static int tell(struct database *database)
{
    if (database->status == 0) {
        log_write(LOG_ERR, "SQLite: %s", sqlite3_errmsg(database->file));
        database->status = -ECANCELED;
        database->is_lost = concerns_file(sqlite3_errcode(database->file));
    }
    return database->status;
}

static int run(struct database *database, const char *statement)
{
    return sqlite3_exec(database->file, statement, NULL, NULL, NULL) == SQLITE_OK ? 0
                                                                                  : tell(database);
}

int database_run(struct database *database, struct text *statement)
{
    int status;

    text_add_char(statement, '\0');
    status = text_status(statement);
    if (status == 0)
        status = run(database, statement->bytes);
    text_clear(statement);
    return status;
}

static int prepare(struct database *database, struct text *statement, sqlite3_stmt **out)
{
    int status;

    text_add_char(statement, '\0');
    status = text_status(statement);
    if (status == 0 &&
        sqlite3_prepare_v2(database->file, statement->bytes, -1, out, NULL) != SQLITE_OK)
        status = tell(database);
    text_clear(statement);
    return status;
}

static int step(struct database *database, sqlite3_stmt *row)
{
    int status = sqlite3_step(row) == SQLITE_DONE ? 0 : tell(database);

    sqlite3_reset(row);
    return status;
}

static const char base_tables[] =
    "CREATE TABLE IF NOT EXISTS dumps (dump INTEGER PRIMARY KEY, name TEXT NOT NULL, "
    "path TEXT NOT NULL, format TEXT, packets INTEGER, frames INTEGER, error TEXT);"
    "CREATE TABLE IF NOT EXISTS metadata (dump INTEGER NOT NULL REFERENCES dumps, "
    "key TEXT NOT NULL, value TEXT);"
    "CREATE TABLE IF NOT EXISTS problems (dump INTEGER NOT NULL REFERENCES dumps, "
    "\"offset\" INTEGER, packet INTEGER, severity TEXT NOT NULL, problem TEXT NOT NULL);";

int database_check(const char *path)
{
    uint8_t head[HEAD];
    FILE *file = fopen(path, "rbe");
    size_t length;
    int status;

    if (file == NULL)
        return errno == ENOENT ? 0 : -errno;
    length = fread(head, 1, sizeof(head), file);
    status = ferror(file) != 0 ? -EIO : 0;
    fclose(file);
    if (status != 0 || length == 0)
        return status;
    return length == HEAD && memcmp(head, head_magic, sizeof(head_magic)) == 0 &&
                   memcmp(head + HEAD_APPLICATION_ID, head_id, sizeof(head_id)) == 0
               ? 0
               : -EEXIST;
}

static int begin(struct database *database)
{
    struct text id = TEXT_INIT;
    /* The file is discarded if anything fails, so it need not be flushed to the disk. */
    int status = run(database, "PRAGMA synchronous = OFF; BEGIN;");

    text_printf(&id, "PRAGMA application_id = %d", APPLICATION_ID);
    if (status == 0)
        return database_run(database, &id);
    text_clear(&id);
    return status;
}

int database_open(const char *path, uint64_t dump, struct database **out)
{
    struct database *database = calloc(1, sizeof(*database));
    int status;

    *out = NULL;
    if (database == NULL)
        return -ENOMEM;
    database->dump = (int64_t)dump;
    if (sqlite3_open_v2(path, &database->file, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK)
        tell(database);
    status = begin(database);
    if (status == 0)
        status = run(database, base_tables);
    if (status == 0)
        *out = database;
    else
        (void)database_close(&database);
    return status;
}

int database_close(struct database **database)
{
    struct database *closed = *database;
    int status;

    if (closed->file != NULL)
        run(closed, closed->status == 0 ? "COMMIT" : "ROLLBACK");
    status = closed->is_lost ? -EIO : closed->status;
    sqlite3_close(closed->file);
    free(closed);
    *database = NULL;
    return status;
}

int database_insert(struct database *database, const char *statement,
                    const struct database_value *values, size_t count)
{
    struct text text = TEXT_INIT;
    sqlite3_stmt *row = NULL;
    int status;

    text_add(&text, statement);
    status = prepare(database, &text, &row);
    if (status == 0) {
        sqlite3_bind_int64(row, 1, database->dump);
        for (size_t i = 0; i < count; i++)
            sqlite3_bind_text64(row, (int)i + 2, values[i].bytes, values[i].length, SQLITE_STATIC,
                                SQLITE_UTF8);
        status = step(database, row);
    }
    sqlite3_finalize(row);
    return status;
}

int database_each(struct database *database, const char *query, unsigned columns,
                  database_take *take, void *context)
{
    const char *cells[DATABASE_COLUMNS];
    struct text text = TEXT_INIT;
    sqlite3_stmt *row = NULL;
    int status, got = SQLITE_DONE;

    text_add(&text, query);
    status = prepare(database, &text, &row);
    while (status == 0 && (got = sqlite3_step(row)) == SQLITE_ROW) {
        for (unsigned i = 0; i < columns && i < DATABASE_COLUMNS; i++)
            cells[i] = (const char *)sqlite3_column_text(row, (int)i);
        take(context, cells);
    }
    if (status == 0 && got != SQLITE_DONE)
        status = tell(database);
    sqlite3_finalize(row);
    return status;
}

/* Tables. */

/* Adds rows to a table. */
struct table_writer {
    struct database *database;
    const struct schema_table *table;
    const char *format;               /* NULL: the table is common to all formats */
    const struct schema_folder *from; /* folder of the rows; NULL: the root */
    sqlite3_stmt *row;                /* made when the first header line is read */
    size_t columns;                   /* in the tree's file */
    bool is_in_head;
};

static void add_name(struct text *text, const char *name, size_t length)
{
    text_add_char(text, '"');
    text_add_bytes(text, name, length);
    text_add_char(text, '"');
}

static void add_table_name(struct text *text, const char *format, const char *name)
{
    text_printf(text, "%s%s%s", format != NULL ? format : "", format != NULL ? "_" : "", name);
}

static void add_column(struct text *text, const char *name, size_t length, enum schema_type type,
                       bool nullable)
{
    text_add(text, ", ");
    add_name(text, name, length);
    text_printf(text, " %s%s", schema_type_name(type), nullable ? "" : " NOT NULL");
}

/*
 * Adds the columns of a table whose first line names them. Our names have letters, digits and
 * underscores only. Another dump of the format may lack some of the columns.
 */
static void add_own_columns(struct text *text, const char *head, size_t length)
{
    for (size_t at = 0, end; at < length; at = end + 1) {
        for (end = at; end < length && head[end] != '\t';)
            end++;
        add_column(text, head + at, end - at, SCHEMA_INTEGER, true);
    }
}

static size_t count_cells(const char *line, size_t length)
{
    size_t count = 1;

    for (size_t i = 0; i < length; i++)
        count += line[i] == '\t';
    return count;
}

static int make_table(struct table_writer *writer, const char *head, size_t length)
{
    const struct schema_table *table = writer->table;
    struct text text = TEXT_INIT;

    text_add(&text, "CREATE TABLE IF NOT EXISTS ");
    add_table_name(&text, writer->format, table->name);
    text_add(&text, " (dump INTEGER NOT NULL REFERENCES dumps");
    if (table->number != NULL)
        add_column(&text, table->number, strlen(table->number), SCHEMA_INTEGER, false);
    for (size_t i = 0; i < table->count; i++) {
        const struct schema_column *column = &table->columns[i];

        add_column(&text, column->name, strlen(column->name), column->type, column->nullable);
    }
    if (table->columns == NULL)
        add_own_columns(&text, head, length);
    text_add_char(&text, ')');
    return database_run(writer->database, &text);
}

static void add_names(struct text *text, const struct schema_table *table, const char *head,
                      size_t length)
{
    text_add(text, " (dump");
    if (table->number != NULL)
        text_printf(text, ", %s", table->number);
    for (size_t at = 0, end; at < length; at = end + 1) {
        for (end = at; end < length && head[end] != '\t';)
            end++;
        text_add(text, ", ");
        add_name(text, head + at, end - at);
    }
    text_add_char(text, ')');
}

/* Another dump of the format may have more columns, if these depend on the dump. */
static int add_missing_columns(struct table_writer *writer, const char *head, size_t length)
{
    int status = 0;

    for (size_t at = 0, end; status == 0 && at < length; at = end + 1) {
        struct text text = TEXT_INIT;
        char name[CELL_ROOM];

        for (end = at; end < length && head[end] != '\t';)
            end++;
        snprintf(name, sizeof(name), "%.*s", (int)(end - at), head + at);
        add_table_name(&text, writer->format, writer->table->name);
        text_add_char(&text, '\0');
        status = text_status(&text);
        if (status == 0 &&
            sqlite3_table_column_metadata(writer->database->file, NULL, text.bytes, name, NULL,
                                          NULL, NULL, NULL, NULL) != SQLITE_OK) {
            text_clear(&text);
            text_add(&text, "ALTER TABLE ");
            add_table_name(&text, writer->format, writer->table->name);
            text_printf(&text, " ADD COLUMN \"%s\" INTEGER", name);
            status = database_run(writer->database, &text);
        }
        text_clear(&text);
    }
    return status;
}

/* Creates the table unless it exists, and prepares the statement that adds a row. */
static int take_head(struct table_writer *writer, const char *head, size_t length)
{
    struct text text = TEXT_INIT;
    int status;

    if (writer->row != NULL)
        return 0;
    writer->columns = count_cells(head, length);
    status = make_table(writer, head, length);
    if (status == 0 && writer->table->columns == NULL)
        status = add_missing_columns(writer, head, length);
    text_add(&text, "INSERT INTO ");
    add_table_name(&text, writer->format, writer->table->name);
    add_names(&text, writer->table, head, length);
    text_add(&text, writer->table->number != NULL ? " VALUES (?, ?" : " VALUES (?");
    for (size_t i = 0; i < writer->columns; i++)
        text_add(&text, ", ?");
    text_add_char(&text, ')');
    if (status != 0) {
        text_clear(&text);
        return status;
    }
    return prepare(writer->database, &text, &writer->row);
}

/*
 * Binds a number as SQLite stores it: an integer if the column has integers and the number fits
 * into signed 64 bits, otherwise a real. Returns false if the cell is no number.
 */
static bool bind_number(sqlite3_stmt *row, int at, enum schema_type type, const char *cell,
                        size_t length)
{
    char digits[CELL_ROOM], *end;
    long long integer;
    double real;

    if (length == 0 || length >= sizeof(digits))
        return false;
    memcpy(digits, cell, length);
    digits[length] = '\0';
    errno = 0;
    integer = type == SCHEMA_INTEGER ? strtoll(digits, &end, 10) : 0;
    if (type == SCHEMA_INTEGER && errno == 0 && *end == '\0')
        return sqlite3_bind_int64(row, at, integer) == SQLITE_OK;
    real = strtod(digits, &end);
    return *end == '\0' && sqlite3_bind_double(row, at, real) == SQLITE_OK;
}

/* A cell of a number's column that is no number stays a text, as SQLite itself would leave it. */
static void bind_cell(sqlite3_stmt *row, int at, const struct schema_column *column,
                      const char *cell, size_t length)
{
    bool nullable = column != NULL && column->nullable;
    enum schema_type type = column != NULL ? column->type : SCHEMA_INTEGER;

    if (nullable && length == 1 && *cell == '-')
        sqlite3_bind_null(row, at);
    else if (type == SCHEMA_TEXT || !bind_number(row, at, type, cell, length))
        sqlite3_bind_text64(row, at, cell, length, SQLITE_STATIC, SQLITE_UTF8);
}

static int take_row(void *context, const char *line, size_t length)
{
    struct table_writer *writer = context;
    const struct schema_table *table = writer->table;
    int first = 2;

    if (writer->is_in_head) {
        writer->is_in_head = false;
        return take_head(writer, line, length);
    }
    if (count_cells(line, length) != writer->columns)
        return -EPROTO;
    sqlite3_bind_int64(writer->row, 1, writer->database->dump);
    if (writer->from != NULL)
        sqlite3_bind_int64(writer->row, first++, (int64_t)writer->from->number);
    for (size_t i = 0, end; i < writer->columns; i++, line += end + 1, length -= end + 1) {
        for (end = 0; end < length && line[end] != '\t';)
            end++;
        bind_cell(writer->row, first + (int)i, table->columns != NULL ? &table->columns[i] : NULL,
                  line, end);
    }
    return step(writer->database, writer->row);
}

static int add_rows(struct table_writer *writer, struct tree *tree,
                    const struct schema_folder *folder)
{
    int status;

    writer->from = folder;
    writer->is_in_head = true;
    status = schema_each_row(tree, writer->table, folder != NULL ? folder->name : NULL, take_row,
                             writer);
    return status == -ENOENT ? 0 : status;
}

int database_add_table(struct database *database, struct tree *tree, const char *format,
                       const struct schema_table *table)
{
    struct table_writer writer = {
        .database = database, .table = table, .format = table->format != NULL ? format : NULL};
    struct schema_folder *folders = NULL;
    size_t count = 0;
    int status = 0;

    if (table->folder == NULL)
        status = add_rows(&writer, tree, NULL);
    else
        status = schema_folders(tree, table->folder, 0, UINT64_MAX, &folders, &count);
    for (size_t i = 0; status == 0 && i < count; i++)
        status = add_rows(&writer, tree, &folders[i]);
    if (status == 0 && writer.row == NULL && table->columns != NULL)
        status = make_table(&writer, "", 0); /* empty, for queries: the dump has no such file */
    sqlite3_finalize(writer.row);
    free(folders);
    return status;
}

/* SPDX-License-Identifier: MIT */
#include "tree/pixel_files.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Names and keys. */

enum { COLUMN_BITS = PIXEL_FILES_BITS / 2 };

_Static_assert(1 << COLUMN_BITS >= PICTURE_MAX, "a pixel's place fits in its key");

uint32_t pixel_files_column(uint64_t key)
{
    return (uint32_t)(key & ((1 << COLUMN_BITS) - 1));
}

uint32_t pixel_files_line(uint64_t key)
{
    return (uint32_t)(key >> COLUMN_BITS & ((1 << COLUMN_BITS) - 1));
}

uint64_t pixel_files_frame(uint64_t key)
{
    return key >> PIXEL_FILES_BITS;
}

/* Parses `X,Y`; the tree compares the rest with the name that the ordinal has. */
bool pixel_files_parse(struct dump *dump, uint64_t frame, const char *name, uint64_t *ordinal)
{
    unsigned x, y;

    (void)dump;
    (void)frame;
    if (sscanf(name, "%5u,%5u", &x, &y) != 2 || x >> COLUMN_BITS != 0 || y >> COLUMN_BITS != 0)
        return false;
    *ordinal = (uint64_t)y << COLUMN_BITS | x;
    return true;
}

static int put_name(uint64_t ordinal, const char *suffix, char *name)
{
    snprintf(name, RULE_NAME_MAX + 1, "%" PRIu32 ",%" PRIu32 "%s", pixel_files_column(ordinal),
             pixel_files_line(ordinal), suffix);
    return 0;
}

int pixel_files_name_tsv(struct dump *dump, uint64_t frame, uint64_t ordinal, char *name)
{
    (void)dump;
    (void)frame;
    return put_name(ordinal, ".tsv", name);
}

int pixel_files_name_js(struct dump *dump, uint64_t frame, uint64_t ordinal, char *name)
{
    (void)dump;
    (void)frame;
    return put_name(ordinal, ".js", name);
}

int pixel_files_next(uint64_t from, uint32_t width, uint32_t height, uint64_t *ordinal)
{
    uint64_t line = from >> COLUMN_BITS, column = pixel_files_column(from);

    if (column >= width) {
        column = 0;
        line++;
    }
    if (width == 0 || line >= height)
        return -ENOENT;
    *ordinal = line << COLUMN_BITS | column;
    return 0;
}

/* Contents. */

static void add_head(const struct pixel_table *table, struct text *text)
{
    for (unsigned i = 0; i < table->column_count; i++) {
        text_add(text, i > 0 ? "\t" : "");
        text_add(text, table->columns[i].name);
    }
    text_add_char(text, '\n');
}

static int write_table(const struct pixel_table *table, struct dump *dump, uint64_t key,
                       const struct cancel *cancel, struct text *text)
{
    int status;

    add_head(table, text);
    status = table->rows(dump, key, cancel, text);
    return status == 0 ? text_status(text) : status;
}

int pixel_files_table_make(const struct pixel_table *table, struct dump *dump, uint64_t key,
                           const struct cancel *cancel, struct blob **out)
{
    struct text text = TEXT_INIT;
    int status = write_table(table, dump, key, cancel, &text);

    if (status == 0)
        return text_blob(&text, out);
    text_clear(&text);
    return status;
}

/* Appends a cell as JSON. */
static void add_value(struct text *text, const char *cell, size_t length, bool is_number)
{
    bool none = length == 1 && *cell == '-', quoted = !none && !is_number;

    text_add(text, quoted ? "\"" : "");
    text_add_bytes(text, none ? "null" : cell, none ? 4 : length);
    text_add(text, quoted ? "\"" : "");
}

/* Appends a line of the table as an array, and returns where the next line begins. */
static const char *add_array(const struct pixel_table *table, struct text *text, const char *line,
                             bool head)
{
    for (unsigned i = 0; i < table->column_count; i++) {
        size_t length = strcspn(line, "\t\n");

        text_add_char(text, i == 0 ? '[' : ',');
        add_value(text, line, length, !head && table->columns[i].is_number);
        line += length + 1;
    }
    text_add_char(text, ']');
    return line;
}

static void add_call(const struct pixel_table *table, struct text *text, uint64_t key,
                     const struct text *lines)
{
    const char *end = lines->bytes + lines->length, *line;

    text_printf(
        text,
        "gpudumpfsHistory({\"frame\":%" PRIu64 ",\"%s\":[%" PRIu32 ",%" PRIu32 "],\n\"columns\":",
        pixel_files_frame(key), table->place, pixel_files_column(key), pixel_files_line(key));
    line = add_array(table, text, lines->bytes, true);
    text_add(text, ",\n\"rows\":[");
    for (bool first = true; line < end; first = false) {
        text_add(text, first ? "\n" : ",\n");
        line = add_array(table, text, line, false);
    }
    text_add(text, "]});\n");
}

int pixel_files_script_make(const struct pixel_table *table, struct dump *dump, uint64_t key,
                            const struct cancel *cancel, struct blob **out)
{
    struct text lines = TEXT_INIT, text = TEXT_INIT;
    int status = write_table(table, dump, key, cancel, &lines);

    if (status == 0)
        add_call(table, &text, key, &lines);
    text_clear(&lines);
    if (status == 0)
        return text_blob(&text, out);
    text_clear(&text);
    return status;
}

/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tests/support/conformance.h"

#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *conformance_path(const char *name)
{
    const char *top = getenv("top_srcdir");
    char *path;

    if (asprintf(&path, "%s/tests/conformance/%s", top != NULL ? top : TOP_SRCDIR, name) < 0)
        abort();
    return path;
}

void conformance_open(struct conformance *table, const char *name)
{
    char *path = conformance_path(name);
    size_t size;

    *table = (struct conformance){.name = name};
    table->text = (char *)support_read(path, &size);
    table->text[size] = '\0';
    table->rest = table->text;
    free(path);
}

void conformance_close(struct conformance *table)
{
    free(table->text);
    *table = (struct conformance){0};
}

/* Returns the next line, joined with those that continue it. Stores their number in *taken. */
static char *take_line(struct conformance *table, unsigned *taken)
{
    char *line = table->rest, *end;

    for (*taken = 1; (end = strchr(table->rest, '\n')) != NULL; (*taken)++) {
        table->rest = end + 1;
        if (end == line || end[-1] != '\\') {
            *end = '\0';
            return line;
        }
        end[-1] = end[0] = ' ';
    }
    table->rest = NULL;
    return line;
}

char *conformance_next(struct conformance *table)
{
    unsigned taken = 0;

    while (table->rest != NULL && *table->rest != '\0') {
        char *line;

        table->lines += taken;
        line = take_line(table, &taken);
        table->line = table->lines + 1;
        if (*line == '#' || *line == '\0')
            continue;
        table->lines += taken;
        return line;
    }
    return NULL;
}

bool conformance_row(struct conformance *table, char **fields, unsigned count)
{
    char *line = conformance_next(table);
    unsigned found = 0;

    if (line == NULL)
        return false;
    while (line != NULL && found < count)
        fields[found++] = strsep(&line, "\t");
    if (found < count || line != NULL)
        conformance_fail(table, "not %u fields", count);
    return true;
}

uint64_t conformance_number(const struct conformance *table, const char *field, int base)
{
    char *end = NULL;
    uint64_t number = strtoull(field, &end, base);

    if (end == field || *end != '\0')
        conformance_fail(table, "no number: %s", field);
    return number;
}

void conformance_fail(const struct conformance *table, const char *format, ...)
{
    char message[1024];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(message, sizeof(message), format, arguments);
    va_end(arguments);
    fail_msg("%s:%u: %s", table->name, table->line, message);
    abort();
}

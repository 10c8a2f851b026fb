/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tests/formats/apitrace/script.h"

#include "examples/apitrace_writer.h"
#include "tests/support/support.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FUNCTIONS_MAX = 128, NAME_ROOM = 64, ARGUMENTS_MAX = 12, BLOB_MAX = 4096 };

struct function {
    struct trace_function function;
    char name[NAME_ROOM], arguments[ARGUMENTS_MAX][NAME_ROOM];
};

struct script {
    struct trace_writer *writer;
    const char *at;
    struct function functions[FUNCTIONS_MAX];
    unsigned count;
};

static void skip_blanks(struct script *script)
{
    while (*script->at == ' ')
        script->at++;
}

static bool take(struct script *script, char wanted)
{
    skip_blanks(script);
    if (*script->at != wanted)
        return false;
    script->at++;
    return true;
}

static void expect(struct script *script, char wanted)
{
    if (!take(script, wanted))
        fail_msg("no '%c' before: %.60s", wanted, script->at);
}

static void take_name(struct script *script, char name[NAME_ROOM])
{
    size_t length = 0;

    skip_blanks(script);
    while (isalnum((unsigned char)script->at[length]) || script->at[length] == '_' ||
           script->at[length] == ':')
        length++;
    assert_in_range(length, 1, NAME_ROOM - 1);
    memcpy(name, script->at, length);
    name[length] = '\0';
    script->at += length;
}

static void write_string(struct script *script)
{
    const char *end = strchr(script->at, '"');
    char *string;

    assert_non_null(end);
    string = strndup(script->at, (size_t)(end - script->at));
    trace_string(script->writer, string);
    free(string);
    script->at = end + 1;
}

static void write_blob(struct script *script)
{
    unsigned char bytes[BLOB_MAX];
    size_t size = 0;

    while (!take(script, ']')) {
        char *end = NULL;

        assert_true(size < BLOB_MAX);
        bytes[size++] = (unsigned char)strtoul(script->at, &end, 16);
        assert_true(end > script->at);
        script->at = end;
    }
    trace_blob(script->writer, bytes, size);
}

static void write_number(struct script *script)
{
    char *end = NULL;
    double real = strtod(script->at, &end);
    bool is_real = memchr(script->at, '.', (size_t)(end - script->at)) != NULL;

    if (end == script->at)
        fail_msg("no value: %.60s", script->at);
    if (strncmp(script->at, "0x", 2) == 0)
        trace_opaque(script->writer, strtoull(script->at, &end, 16));
    else if (is_real)
        trace_float(script->writer, (float)real);
    else if (real < 0)
        trace_int(script->writer, (int64_t)real);
    else
        trace_uint(script->writer, (uint64_t)real);
    script->at = end;
}

static unsigned count_values(const char *list)
{
    unsigned count = 1, depth = 0;
    bool quoted = false;

    for (; *list != '\0' && (quoted || *list != '}' || depth > 0); list++) {
        quoted = quoted != (*list == '"');
        if (quoted)
            continue;
        depth += *list == '{';
        depth -= *list == '}';
        count += *list == ',' && depth == 0;
    }
    return count;
}

static void write_value(struct script *script)
{
    if (take(script, '{')) {
        unsigned count = take(script, '}') ? 0 : count_values(script->at);

        trace_array(script->writer, count);
        for (unsigned n = 0; n < count; n++) {
            write_value(script);
            expect(script, n + 1 < count ? ',' : '}');
        }
    } else if (take(script, '"')) {
        write_string(script);
    } else if (take(script, '[')) {
        write_blob(script);
    } else if (strncmp(script->at, "null", 4) == 0) {
        trace_null(script->writer);
        script->at += 4;
    } else {
        write_number(script);
    }
}

/*
 * Returns the function of a line. The first line that calls it defines it and the order of its
 * arguments.
 */
static const struct trace_function *find_function(struct script *script, const char *name)
{
    struct script rest = {.at = script->at};
    struct function *function;

    for (unsigned n = 0; n < script->count; n++)
        if (strcmp(script->functions[n].name, name) == 0)
            return &script->functions[n].function;
    assert_true(script->count < FUNCTIONS_MAX);
    function = &script->functions[script->count];
    strcpy(function->name, name);
    function->function.id = script->count++;
    function->function.name = function->name;
    for (const char *at = rest.at; *at != '\n' && *at != '\0'; at++) {
        unsigned count = function->function.count;

        if (*at == '"')
            at = strchr(at + 1, '"');
        if (*at != '=' || at[-1] == ' ')
            continue;
        rest.at = at;
        while (isalnum((unsigned char)rest.at[-1]) || rest.at[-1] == '_')
            rest.at--;
        assert_true(count < ARGUMENTS_MAX);
        take_name(&rest, function->arguments[count]);
        function->function.arguments[count] = function->arguments[count];
        function->function.count++;
    }
    return &function->function;
}

/* Returns whether the line ends with the mark of a fake call. */
static bool is_fake(const struct script *script)
{
    static const char end[] = "// fake";
    size_t length = strcspn(script->at, "\n");

    return length >= strlen(end) &&
           strncmp(script->at + length - strlen(end), end, strlen(end)) == 0;
}

static void write_line(struct script *script)
{
    unsigned long thread = 0;
    char name[NAME_ROOM];
    uint64_t call;

    if (take(script, '@'))
        thread = strtoul(script->at, (char **)(uintptr_t)&script->at, 10);
    take_name(script, name);
    expect(script, '(');
    call = trace_enter(script->writer, (unsigned)thread, find_function(script, name));
    if (is_fake(script))
        trace_flags(script->writer, 1);
    for (unsigned n = 0; !take(script, ')'); n++) {
        char argument[NAME_ROOM];

        if (n > 0)
            expect(script, ',');
        take_name(script, argument);
        expect(script, '=');
        trace_argument(script->writer, n);
        write_value(script);
    }
    trace_end(script->writer);
    skip_blanks(script);
    if (strncmp(script->at, "...", 3) == 0)
        return;
    trace_leave(script->writer, call);
    if (take(script, '=')) {
        trace_result(script->writer);
        skip_blanks(script);
        write_value(script);
    }
    trace_end(script->writer);
}

void apitrace_script(const char *path, const char *text)
{
    const struct trace_params params = {.version = 6};
    struct script *script = calloc(1, sizeof(*script));

    assert_int_equal(trace_writer_open(path, &params, &script->writer), 0);
    for (const char *line = text; *line != '\0';) {
        script->at = line;
        skip_blanks(script);
        if (*script->at != '\n' && *script->at != '#' && *script->at != '\0')
            write_line(script);
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    assert_int_equal(trace_writer_close(&script->writer), 0);
    free(script);
}

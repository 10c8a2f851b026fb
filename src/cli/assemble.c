/* SPDX-License-Identifier: MIT */
/*
 * `gpudump disassemble DUMP` and `gpudump assemble TEXT DUMP`: a dump as a text that can be edited,
 * and back. The format defines the text. A regular DUMP is replaced when it is complete. To
 * standard output (`-`), everything before a mistake is written.
 */
#include "base/log.h"
#include "cli/gpudump.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int print(void *context, const void *bytes, size_t length)
{
    (void)context;
    return fwrite(bytes, 1, length, stdout) == length ? 0 : -errno;
}

enum program_status gpudump_disassemble(struct gpudump *gpudump)
{
    struct dump *dump = tree_dump(gpudump->program.tree);
    const struct format *format = gpudump->program.dump.format;
    const struct format_sink sink = {.write = print};
    int status;

    if (format->ops->disassemble == NULL) {
        log_write(LOG_ERR, "%s: this %s has no text form: it cannot be disassembled",
                  source_name(dump->source), format->title);
        return PROGRAM_USAGE;
    }
    status = format->ops->disassemble(dump, NULL, &sink);
    if (status == 0)
        status = dump_check_files(dump);
    if (status == -EFBIG)
        log_write(LOG_ERR, "%s: more packets or frames than -o max-memory allows",
                  source_name(dump->source));
    else if (status != 0 && status != -EPIPE)
        gpudump_tell(gpudump, gpudump_failed_place(source_name(dump->source)), status);
    return status == 0 || status == -EPIPE ? PROGRAM_OK : PROGRAM_USAGE;
}

enum { LINE_MAX_BYTES = 1 << 20 };

/* Reads a text line by line. */
struct reader {
    FILE *file;
    const char *name;
    char *line;
    uint64_t number; /* of the current line, from 1 */
    bool too_long;
    bool again; /* next_line() must return the line once more */
    size_t length;
};

static int read_line(struct reader *reader)
{
    int c = EOF;

    reader->length = 0;
    while ((c = getc_unlocked(reader->file)) != EOF && c != '\n') {
        if (reader->length == LINE_MAX_BYTES) {
            reader->number++;
            reader->too_long = true;
            return -EINVAL;
        }
        reader->line[reader->length++] = (char)c;
    }
    if (ferror(reader->file))
        return errno != 0 ? -errno : -EIO;
    if (c == EOF && reader->length == 0)
        return 0;
    reader->number++;
    return 1;
}

static int next_line(void *context, const char **line, size_t *length)
{
    struct reader *reader = context;
    int more = reader->again ? 1 : read_line(reader);

    reader->again = false;
    *line = reader->line;
    *length = reader->length;
    return more;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/*
 * Finds the format by the first statement, whose line will be returned once more. Returns 0,
 * -EINVAL, or another -errno; *out is NULL if there is no known format.
 */
static int find_format(struct reader *reader, const struct format **out)
{
    const char *line;
    size_t length, from = 0, to = 0;
    int more = 0;

    *out = NULL;
    while (from == to && (more = next_line(reader, &line, &length)) > 0) {
        for (from = 0; from < length && is_blank(line[from]);)
            from++;
        for (to = from; to < length && !is_blank(line[to]) && line[to] != '#';)
            to++;
    }
    if (more <= 0)
        return more;
    reader->again = true;
    *out = format_of_text(line + from, to - from);
    return 0;
}

static int write_bytes(void *context, const void *bytes, size_t length)
{
    return replacement_write(context, bytes, length);
}

static void tell_line(const struct reader *reader, const struct format_text_error *error)
{
    const unsigned long long number = reader->number > 0 ? reader->number : 1;

    if (reader->too_long)
        log_write(LOG_ERR, "%s:%llu:%d: the line has more than %d bytes", reader->name, number,
                  LINE_MAX_BYTES + 1, LINE_MAX_BYTES);
    else
        log_write(LOG_ERR, "%s:%llu:%zu: %s", reader->name, number, error->column, error->message);
}

/* Ends a dump; `status` is that of writing it. Returns 0 or -errno. */
static int finish(struct replacement *replacement, int status)
{
    if (replacement == NULL)
        return status;
    if (status == 0)
        return replacement_commit(replacement);
    replacement_abandon(replacement);
    return status;
}

/* Writes the dump to the replacement, and ends that; if it is NULL, to standard output. */
static enum program_status write_dump(struct gpudump *gpudump, struct reader *reader,
                                      const struct format *format, struct replacement *replacement)
{
    struct format_text_error error = {.column = 1};
    const struct format_lines lines = {next_line, reader};
    const struct format_sink sink = {.write = replacement != NULL ? write_bytes : print,
                                     .context = replacement};
    int status = format->ops->assemble(&lines, &sink, &error);
    bool mistaken = status == -EINVAL;

    if (mistaken)
        tell_line(reader, &error);
    status = finish(replacement, status);
    if (status != 0 && !mistaken)
        gpudump_tell(gpudump,
                     contents_is_stream(gpudump->paths[1]) ? "standard output" : gpudump->paths[1],
                     status);
    return mistaken ? PROGRAM_TEXT : gpudump_outcome(gpudump);
}

static enum program_status assemble(struct gpudump *gpudump, struct reader *reader)
{
    static const struct format_text_error no_text = {.column = 1,
                                                     .message = "this is not the text of a dump"};
    const char *path = gpudump->paths[1];
    struct replacement replacement;
    const struct format *format;
    int status = find_format(reader, &format);

    if (status == -EINVAL || (status == 0 && format == NULL)) {
        tell_line(reader, &no_text);
        return PROGRAM_TEXT;
    }
    if (status != 0) {
        gpudump_tell(gpudump, reader->name, status);
        return PROGRAM_USAGE;
    }
    if (contents_is_of_input(path, reader->name)) {
        contents_refuse(path, "text");
        return PROGRAM_USAGE;
    }
    if (contents_is_stream(path))
        return write_dump(gpudump, reader, format, NULL);
    status = replacement_begin(path, &replacement);
    if (status == 0)
        return write_dump(gpudump, reader, format, &replacement);
    gpudump_tell(gpudump, path, status);
    return PROGRAM_USAGE;
}

enum program_status gpudump_assemble(struct gpudump *gpudump)
{
    struct reader reader = {.name = gpudump->paths[0], .line = malloc(LINE_MAX_BYTES)};
    enum program_status status = PROGRAM_USAGE;
    bool is_input = strcmp(reader.name, "-") == 0;

    reader.file = is_input ? stdin : fopen(reader.name, "rbe");
    if (reader.file == NULL || reader.line == NULL)
        gpudump_tell(gpudump, reader.name, reader.line == NULL ? -ENOMEM : -errno);
    else
        status = assemble(gpudump, &reader);
    if (reader.file != NULL && !is_input)
        fclose(reader.file);
    free(reader.line);
    return status;
}

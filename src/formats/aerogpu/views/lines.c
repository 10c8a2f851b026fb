#include "formats/aerogpu/views/lines.h"

#include "formats/aerogpu/decode/command_text.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>

enum { CANCEL_EVERY = 256 };

void aerogpu_lines_cell_or_none(struct text *text, uint32_t value)
{
    text_cell_or_none(text, value != AEROGPU_NONE, value);
}

void aerogpu_lines_cell_hex(struct text *text, uint64_t value, unsigned digits)
{
    text_add(text, "\t0x");
    text_add_hex(text, value, digits);
}

void aerogpu_lines_format(struct text *text, uint32_t format)
{
    const char *name = aerogpu_name(AEROGPU_NAMES_FORMAT, format);

    if (name != NULL)
        text_add(text, name);
    else
        text_printf(text, "0x%" PRIX32, format);
}

void aerogpu_lines_command_name(const struct aerogpu_command *command, char *name, size_t size)
{
    const char *from = command->type != NULL ? command->type->name : "unknown";
    size_t length = 0;

    for (; *from != '\0' && length + 1 < size; from++)
        name[length++] = (char)tolower((unsigned char)*from);
    name[length] = '\0';
}

static bool open_stream(const struct aerogpu_dump *dump, uint32_t submission,
                        struct aerogpu_stream *stream)
{
    const uint8_t *bytes = NULL;
    uint64_t size = 0;

    *stream = (struct aerogpu_stream){0};
    if (aerogpu_index_stream(aerogpu_dump_index(dump), submission, &bytes, &size) != NULL)
        return false;
    aerogpu_stream_open(stream, bytes, size);
    return true;
}

int aerogpu_lines_commands(struct aerogpu_dump *dump, const struct aerogpu_scan *scan,
                           uint32_t submission, uint32_t first, uint32_t count, const char *prefix,
                           const struct cancel *cancel, struct text *text)
{
    struct aerogpu_stream stream;
    struct aerogpu_command command;

    if (count == 0 ||
        !aerogpu_scan_command(aerogpu_dump_index(dump), scan, submission, first, &command) ||
        !open_stream(dump, submission, &stream))
        return 0;
    stream.position = command.offset;
    stream.number = first;
    for (uint32_t i = 0; i < count && aerogpu_stream_next(&stream, &command); i++) {
        if (i % CANCEL_EVERY == 0 && cancel_requested(cancel))
            return -EINTR;
        text_add(text, prefix);
        aerogpu_describe_command(&command, text);
    }
    return 0;
}

void aerogpu_lines_stream_head(const struct aerogpu_dump *dump, uint32_t submission,
                               const char *prefix, struct text *text)
{
    struct aerogpu_stream stream;

    if (!open_stream(dump, submission, &stream) || stream.available < AEROGPU_STREAM_HEADER)
        return;
    text_add(text, prefix);
    aerogpu_describe_header(&stream, text);
}

void aerogpu_lines_stream_end(const struct aerogpu_dump *dump, const struct aerogpu_scan *scan,
                              uint32_t submission, const char *prefix, struct text *text)
{
    const struct aerogpu_scan_stream *counts = &scan->streams[submission];
    struct aerogpu_stream stream;
    struct aerogpu_command command;

    if (!open_stream(dump, submission, &stream))
        return;
    if (counts->commands > 0 && stream.error.kind == AEROGPU_OK &&
        aerogpu_scan_command(aerogpu_dump_index(dump), scan, submission, counts->commands - 1,
                             &command)) {
        stream.position = command.offset + command.size;
        stream.number = counts->commands;
    }
    aerogpu_stream_next(&stream, &command);
    if (stream.error.kind == AEROGPU_OK)
        return;
    text_add(text, prefix);
    aerogpu_describe_error(&stream.error, text);
}

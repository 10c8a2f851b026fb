/* SPDX-License-Identifier: MIT */
#include "formats/aerogpu/views/views.h"

#include "formats/aerogpu/decode/command_stream.h"
#include "tree/names.h"
#include "tree/tree.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    CANCEL_EVERY = 256,
    COMMAND_DIGITS = 6,
};

/* A submission's stream as lines. */

bool aerogpu_stream_of(const struct aerogpu_dump *dump, uint32_t submission,
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

static uint64_t min(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static int write_commands(struct aerogpu_dump *dump, const struct aerogpu_scan *scan,
                          uint32_t submission, uint32_t first, uint32_t count, const char *prefix,
                          const struct cancel *cancel, struct text *text)
{
    struct aerogpu_stream stream;
    struct aerogpu_command command;

    if (count == 0 ||
        !aerogpu_scan_command(aerogpu_dump_index(dump), scan, submission, first, &command) ||
        !aerogpu_stream_of(dump, submission, &stream))
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

static void write_stream_head(const struct aerogpu_dump *dump, uint32_t submission,
                              const char *prefix, struct text *text)
{
    struct aerogpu_stream stream;

    if (!aerogpu_stream_of(dump, submission, &stream) || stream.available < AEROGPU_STREAM_HEADER)
        return;
    text_add(text, prefix);
    aerogpu_describe_header(&stream, text);
}

static void write_stream_end(const struct aerogpu_dump *dump, const struct aerogpu_scan *scan,
                             uint32_t submission, const char *prefix, struct text *text)
{
    const struct aerogpu_scan_stream *counts = &scan->streams[submission];
    struct aerogpu_stream stream;
    struct aerogpu_command command;

    if (!aerogpu_stream_of(dump, submission, &stream))
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

/*
 * A submission's commands as lines, and as JSON: a header, a row for each command, and one for the
 * end.
 */

static int command_head(struct dump *dump, uint64_t key, struct text *text)
{
    write_stream_head(aerogpu_dump_of(dump), (uint32_t)key, "", text);
    return 0;
}

int aerogpu_commands_count(struct dump *dump, uint64_t key, const struct cancel *cancel,
                           uint64_t *rows)
{
    const struct aerogpu_scan *scan = NULL;
    int status = aerogpu_dump_scan(aerogpu_dump_of(dump), cancel, &scan);

    if (status == 0)
        *rows = (uint64_t)scan->streams[key].commands + 1;
    return status;
}

static int command_rows(struct dump *dump, uint64_t key, uint64_t first, uint64_t end,
                        const struct cancel *cancel, struct text *text)
{
    struct aerogpu_dump *aerogpu = aerogpu_dump_of(dump);
    const struct aerogpu_scan *scan = NULL;
    int status = aerogpu_dump_scan(aerogpu, cancel, &scan);
    uint32_t commands = 0;

    if (status != 0)
        return status;
    commands = (uint32_t)min(end, scan->streams[key].commands) - (uint32_t)first;
    status =
        write_commands(aerogpu, scan, (uint32_t)key, (uint32_t)first, commands, "", cancel, text);
    if (status == 0 && end > scan->streams[key].commands)
        write_stream_end(aerogpu, scan, (uint32_t)key, "", text);
    return status;
}

const struct dump_listing aerogpu_command_listing = {.head = command_head,
                                                     .count = aerogpu_commands_count,
                                                     .rows = command_rows,
                                                     .piece_rows = PIECE_COMMANDS};

static int json_head(struct dump *dump, uint64_t key, struct text *text)
{
    struct aerogpu_stream stream;

    if (aerogpu_stream_of(aerogpu_dump_of(dump), (uint32_t)key, &stream))
        aerogpu_json_begin(&stream, text);
    return 0;
}

static void write_json_end(struct aerogpu_stream *stream, struct text *text)
{
    struct aerogpu_command command;

    while (aerogpu_stream_next(stream, &command))
        continue;
    aerogpu_json_error(&stream->error, text);
    aerogpu_json_end(text);
}

static int json_rows(struct dump *dump, uint64_t key, uint64_t first, uint64_t end,
                     const struct cancel *cancel, struct text *text)
{
    const struct aerogpu_scan *scan = NULL;
    struct aerogpu_stream stream;
    struct aerogpu_command command;
    int status = aerogpu_dump_scan(aerogpu_dump_of(dump), cancel, &scan);

    if (status != 0)
        return status;
    if (!aerogpu_stream_of(aerogpu_dump_of(dump), (uint32_t)key, &stream))
        return -EIO;
    if (aerogpu_scan_command(aerogpu_index_of(dump), scan, (uint32_t)key, (uint32_t)first,
                             &command)) {
        stream.position = command.offset;
        stream.number = (uint32_t)first;
    }
    for (uint64_t i = first; i < min(end, scan->streams[key].commands); i++) {
        if (i % CANCEL_EVERY == 0 && cancel_requested(cancel))
            return -EINTR;
        if (aerogpu_stream_next(&stream, &command))
            aerogpu_json_command(&command, text);
    }
    if (end > scan->streams[key].commands)
        write_json_end(&stream, text);
    return 0;
}

const struct dump_listing aerogpu_command_json = {.head = json_head,
                                                  .count = aerogpu_commands_count,
                                                  .rows = json_rows,
                                                  .piece_rows = PIECE_COMMANDS};

/* Each command alone. */

static int next_command(struct dump *dump, uint64_t submission, uint64_t from, uint64_t *ordinal)
{
    const struct aerogpu_scan *scan = aerogpu_dump_peek(aerogpu_dump_of(dump));

    if (scan == NULL)
        return -EAGAIN;
    *ordinal = from;
    return from < scan->streams[submission].commands ? 0 : -ENOENT;
}

/*
 * Writes a name for files, such as "createbuffer" or "unknown". Writes at most `size` bytes
 * including the NUL.
 */
static void write_name(const struct aerogpu_command *command, char *name, size_t size)
{
    const char *from = command->type != NULL ? command->type->name : "unknown";
    size_t length = 0;

    for (; *from != '\0' && length + 1 < size; from++)
        name[length++] = (char)tolower((unsigned char)*from);
    name[length] = '\0';
}

static int name_command(struct dump *dump, uint64_t submission, uint64_t ordinal,
                        const char *suffix, char *name)
{
    const struct aerogpu_scan *scan = aerogpu_dump_peek(aerogpu_dump_of(dump));
    struct aerogpu_command command;
    char word[40];

    if (scan == NULL)
        return -EAGAIN;
    if (!aerogpu_scan_command(aerogpu_index_of(dump), scan, (uint32_t)submission, (uint32_t)ordinal,
                              &command))
        return -ENOENT;
    write_name(&command, word, sizeof(word));
    snprintf(name, RULE_NAME_MAX + 1, "%0*" PRIu64 "-%s%s",
             (int)names_digits(scan->streams[submission].commands, COMMAND_DIGITS), ordinal, word,
             suffix);
    return 0;
}

static int name_command_bin(struct dump *dump, uint64_t submission, uint64_t ordinal, char *name)
{
    return name_command(dump, submission, ordinal, ".bin", name);
}

static int name_command_txt(struct dump *dump, uint64_t submission, uint64_t ordinal, char *name)
{
    return name_command(dump, submission, ordinal, ".txt", name);
}

const struct rule_family aerogpu_command_bin_family = {SUBMISSION_BITS, next_command,
                                                       name_command_bin, NULL};
const struct rule_family aerogpu_command_txt_family = {SUBMISSION_BITS, next_command,
                                                       name_command_txt, NULL};

static int find_command(struct dump *dump, uint64_t key, struct aerogpu_command *out)
{
    const struct aerogpu_scan *scan = aerogpu_dump_peek(aerogpu_dump_of(dump));

    if (scan == NULL)
        return -EAGAIN;
    return aerogpu_scan_command(aerogpu_index_of(dump), scan, (uint32_t)(key >> SUBMISSION_BITS),
                                (uint32_t)(key & SUBMISSION_MASK), out)
               ? 0
               : -ENOENT;
}

int aerogpu_command_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    struct aerogpu_command command = {0};
    int status = find_command(dump, key, &command);

    *size = command.size;
    return status;
}

int aerogpu_command_bin(struct dump *dump, uint64_t key, const struct cancel *cancel,
                        struct blob **out)
{
    struct aerogpu_command command = {0};
    int status = find_command(dump, key, &command);

    (void)cancel;
    return status == 0 ? blob_borrow(command.bytes, command.size, out) : status;
}

int aerogpu_command_txt(struct dump *dump, uint64_t key, const struct cancel *cancel,
                        struct blob **out)
{
    const struct aerogpu_scan *scan = NULL;
    struct aerogpu_command command;
    struct text text = TEXT_INIT;
    int status = aerogpu_dump_scan(aerogpu_dump_of(dump), cancel, &scan);

    if (status == 0)
        status = find_command(dump, key, &command);
    if (status != 0)
        return status;
    aerogpu_describe_command(&command, &text);
    return text_blob(&text, out);
}

/* A frame's commands. */

uint32_t aerogpu_packet_command_write(const struct aerogpu_dump *dump,
                                      const struct aerogpu_record *record, const char *prefix,
                                      struct text *text)
{
    struct aerogpu_command command;
    struct aerogpu_error error;

    text_add(text, prefix);
    if (!aerogpu_index_packet(aerogpu_dump_index(dump), record, &command, &error)) {
        text_printf(text, "no command: %s\n", aerogpu_error_name(error.kind));
        return 0;
    }
    aerogpu_describe_command(&command, text);
    return record->length - command.size;
}

/* Returns NULL if there is no such frame. */
static const struct aerogpu_frame *frame_of(struct dump *dump, uint64_t frame)
{
    const struct aerogpu_index *index = aerogpu_index_of(dump);

    return frame < index->frame_count ? &index->frames[frame] : NULL;
}

/* A piece is one record, unless there are very many records. */

enum { FEW_RECORDS = 4096, RECORDS_OF_PIECE = 256 };

static uint64_t records_of_piece(const struct aerogpu_frame *frame)
{
    return frame->end - frame->first <= FEW_RECORDS ? 1 : RECORDS_OF_PIECE;
}

int aerogpu_frame_commands_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                                  uint64_t *pieces)
{
    const struct aerogpu_frame *frame = frame_of(dump, key);

    (void)cancel;
    if (frame == NULL)
        return -ENOENT;
    *pieces = (frame->end - frame->first + records_of_piece(frame) - 1) / records_of_piece(frame);
    return 0;
}

static int write_record_commands(struct aerogpu_dump *dump, uint32_t number,
                                 const struct cancel *cancel, struct text *text)
{
    const struct aerogpu_scan *scan = NULL;
    struct aerogpu_record record;
    char prefix[24];
    uint32_t submission;
    int status = 0;

    aerogpu_dump_record(dump, number, &record);
    snprintf(prefix, sizeof(prefix), "%0*" PRIu32 " ", (int)tree_packet_digits(&dump->base),
             number);
    if (record.type == AEROGPU_RECORD_PACKET && !aerogpu_packet_is_stream(&record))
        aerogpu_packet_command_write(dump, &record, prefix, text);
    submission = aerogpu_index_submission_at(aerogpu_dump_index(dump), number);
    if (submission == AEROGPU_NONE)
        return 0;
    status = aerogpu_dump_scan(dump, cancel, &scan);
    if (status != 0)
        return status;
    write_stream_head(dump, submission, prefix, text);
    status = write_commands(dump, scan, submission, 0, scan->streams[submission].commands, prefix,
                            cancel, text);
    if (status == 0)
        write_stream_end(dump, scan, submission, prefix, text);
    return status;
}

int aerogpu_frame_commands_piece(struct dump *dump, uint64_t key, uint64_t piece,
                                 const struct cancel *cancel, struct text *text)
{
    const struct aerogpu_frame *frame = frame_of(dump, key);
    uint64_t step = records_of_piece(frame), first = frame->first + piece * step;
    int status = 0;

    for (uint64_t i = first; status == 0 && i < min(first + step, frame->end); i++)
        status = write_record_commands(aerogpu_dump_of(dump), (uint32_t)i, cancel, text);
    return status;
}

size_t aerogpu_command_place(const char *line, size_t length, unsigned *inside)
{
    size_t packet = text_skip_fields(line, length, 1);
    bool has_offset = length - packet >= 2 && memcmp(line + packet, "0x", 2) == 0;

    (void)inside;
    return has_offset ? text_skip_fields(line, length, 2) : packet;
}

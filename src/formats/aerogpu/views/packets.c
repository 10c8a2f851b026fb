#include "formats/aerogpu/views/packets.h"

#include "core/bytes.h"
#include "formats/aerogpu/decode/command_text.h"
#include "formats/aerogpu/views/lines.h"
#include "tree/tables.h"
#include "tree/tree.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Tables. */

void aerogpu_packet_describe(const struct aerogpu_dump *dump, uint64_t number,
                             const struct aerogpu_record *record, struct dump_packet *out)
{
    uint32_t frame = aerogpu_dump_index(dump)->places[number].frame;

    out->offset = record->offset;
    out->data = record->offset + AEROGPU_RECORD_HEADER;
    out->bytes = record->length;
    out->frame = frame == AEROGPU_NONE ? DUMP_NO_FRAME : frame;
    out->type = record->type;
    out->name = aerogpu_record_name(record->type);
}

static void write_row(struct aerogpu_dump *dump, uint32_t number, struct text *text)
{
    struct aerogpu_record record;
    struct dump_packet description;
    struct aerogpu_blob blob;
    const char *kind = NULL;
    uint32_t submission = aerogpu_index_submission(aerogpu_dump_index(dump), number);

    aerogpu_dump_record(dump, number, &record);
    aerogpu_packet_describe(dump, number, &record, &description);
    tables_packet(&dump->base, number, &description, text);
    if (record.type == AEROGPU_RECORD_BLOB && aerogpu_blob_read(&record, &blob)) {
        kind = aerogpu_name(AEROGPU_NAMES_BLOB_KIND, blob.kind);
        text_cell(text, blob.id);
        if (kind != NULL)
            text_cell_word(text, kind);
        else
            aerogpu_lines_cell_hex(text, blob.kind, 8);
    } else {
        text_add(text, "\t-\t-");
    }
    aerogpu_lines_cell_or_none(text,
                               submission < aerogpu_dump_index(dump)->submission_count &&
                                       aerogpu_dump_index(dump)->submissions[submission] == number
                                   ? submission
                                   : AEROGPU_NONE);
    text_add_char(text, '\n');
}

int aerogpu_packet_rows(struct dump *dump, uint64_t first, uint64_t end,
                        const struct cancel *cancel, struct text *text)
{
    (void)cancel;
    for (uint64_t i = first; i < end; i++)
        write_row(aerogpu_dump_of(dump), (uint32_t)i, text);
    return 0;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* NULL: no such frame. */
static const struct aerogpu_frame *frame_of(struct dump *dump, uint64_t frame)
{
    const struct aerogpu_index *index = aerogpu_dump_index(aerogpu_dump_of(dump));

    return frame < index->frame_count ? &index->frames[frame] : NULL;
}

/* A packet decoded. */

static void write_mark(const struct aerogpu_record *record, struct text *text)
{
    if (record->length >= 4)
        text_field(text, "frame_index", "%" PRIu32, bytes_le32(record->payload));
}

static void write_kind(uint32_t kind, struct text *text)
{
    const char *name = aerogpu_name(AEROGPU_NAMES_BLOB_KIND, kind);

    text_field(text, "kind", "0x%08" PRIX32 " %s", kind, name != NULL ? name : "unknown");
}

static void write_blob(const struct aerogpu_record *record, struct text *text)
{
    struct aerogpu_blob blob;

    if (!aerogpu_blob_read(record, &blob))
        return;
    text_field(text, "blob_id", "%" PRIu64, blob.id);
    write_kind(blob.kind, text);
    text_field(text, "reserved", "0x%08" PRIX32, blob.reserved);
    text_field(text, "bytes", "%" PRIu32, blob.size);
}

static void write_range(const struct aerogpu_range *range, uint32_t number, struct text *text)
{
    text_printf(text,
                "range %" PRIu32 ": alloc_id=%" PRIu32 " flags=0x%08" PRIX32 " gpa=0x%016" PRIx64
                " size_bytes=%" PRIu64 " blob_id=%" PRIu64 "\n",
                number, range->alloc_id, range->flags, range->gpa, range->size, range->blob);
}

static void write_submission(const struct aerogpu_record *record, struct text *text)
{
    struct aerogpu_submission submission;
    struct aerogpu_range range;

    if (!aerogpu_submission_read(record, &submission))
        return;
    text_field(text, "record_version", "%" PRIu32, submission.record_version);
    text_field(text, "header_size", "%" PRIu32, submission.header_size);
    text_field(text, "submit_flags", "0x%08" PRIX32 "%s%s", submission.flags,
               (submission.flags & 1) != 0 ? " PRESENT" : "",
               (submission.flags & 2) != 0 ? " NO_IRQ" : "");
    text_field(text, "context_id", "%" PRIu32, submission.context);
    text_field(text, "engine_id", "%" PRIu32, submission.engine);
    text_field(text, "signal_fence", "%" PRIu64, submission.fence);
    text_field(text, "cmd_stream_blob_id", "%" PRIu64, submission.stream_blob);
    text_field(text, "alloc_table_blob_id", "%" PRIu64, submission.allocs_blob);
    text_field(text, "memory_range_count", "%" PRIu32, submission.range_count);
    for (uint32_t i = 0; i < submission.ranges; i++) {
        aerogpu_range_read(&submission, i, &range);
        write_range(&range, i, text);
    }
}

/* The packet that stands alone in a record; how many bytes follow it there. */
static uint32_t write_alone(const struct aerogpu_dump *dump, const struct aerogpu_record *record,
                            const char *prefix, struct text *text)
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

static void write_packet(const struct aerogpu_dump *dump, const struct aerogpu_record *record,
                         struct text *text)
{
    uint32_t trailing = write_alone(dump, record, "", text);

    if (trailing > 0)
        text_field(text, "trailing_bytes", "%" PRIu32, trailing);
}

static void write_fields(const struct aerogpu_dump *dump, uint64_t number, struct text *text)
{
    struct aerogpu_record record;

    aerogpu_dump_record(dump, number, &record);
    text_field(text, "type", "%u %s", record.type, aerogpu_record_name(record.type));
    text_field(text, "flags", "0x%02X", record.flags);
    text_field(text, "reserved", "0x%04X", record.reserved);
    text_field(text, "payload_bytes", "%" PRIu32, record.length);
    switch (record.type) {
    case AEROGPU_RECORD_BEGIN:
    case AEROGPU_RECORD_PRESENT:
        write_mark(&record, text);
        break;
    case AEROGPU_RECORD_BLOB:
        write_blob(&record, text);
        break;
    case AEROGPU_RECORD_SUBMISSION:
        write_submission(&record, text);
        break;
    case AEROGPU_RECORD_PACKET:
        if (!aerogpu_packet_is_stream(&record))
            write_packet(dump, &record, text);
        break;
    default:
        break;
    }
}

/* The submission that a Packet record is, or AEROGPU_NONE. */
static uint32_t stream_of(const struct aerogpu_dump *dump, uint64_t number)
{
    struct aerogpu_record record;

    aerogpu_dump_record(dump, number, &record);
    if (record.type != AEROGPU_RECORD_PACKET || !aerogpu_packet_is_stream(&record))
        return AEROGPU_NONE;
    return aerogpu_index_submission(aerogpu_dump_index(dump), (uint32_t)number);
}

/* Its fields are the first piece; the commands that it holds follow. */
int aerogpu_packet_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                          uint64_t *pieces)
{
    struct aerogpu_dump *aerogpu = aerogpu_dump_of(dump);
    const struct aerogpu_scan *scan = NULL;
    uint32_t submission = AEROGPU_NONE;
    int status = 0;

    *pieces = 1;
    if (key >= aerogpu_dump_index(aerogpu)->records)
        return -ENOENT;
    submission = stream_of(aerogpu, key);
    if (submission == AEROGPU_NONE)
        return 0;
    status = aerogpu_dump_scan(aerogpu, cancel, &scan);
    if (status == 0)
        *pieces += aerogpu_lines_pieces(scan->streams[submission].commands, LINES_COMMANDS) + 1;
    return status;
}

/* Piece 0: what stands before the commands; then the commands; last what ends them. */
static int stream_piece(struct aerogpu_dump *dump, uint32_t submission, uint64_t piece,
                        const struct cancel *cancel, struct text *text)
{
    const struct aerogpu_scan *scan = NULL;
    int status = aerogpu_dump_scan(dump, cancel, &scan);
    uint64_t first = piece * LINES_COMMANDS;

    if (status != 0)
        return status;
    if (piece == 0)
        aerogpu_lines_stream_head(dump, submission, "", text);
    if (first >= scan->streams[submission].commands) {
        aerogpu_lines_stream_end(dump, scan, submission, "", text);
        return 0;
    }
    return aerogpu_lines_commands(dump, scan, submission, (uint32_t)first, LINES_COMMANDS, "",
                                  cancel, text);
}

int aerogpu_packet_piece(struct dump *dump, uint64_t key, uint64_t piece,
                         const struct cancel *cancel, struct text *text)
{
    struct aerogpu_dump *aerogpu = aerogpu_dump_of(dump);

    if (piece > 0)
        return stream_piece(aerogpu, stream_of(aerogpu, key), piece - 1, cancel, text);
    write_fields(aerogpu, key, text);
    return 0;
}

/* A frame's commands: a record is a piece, unless there are very many. */

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
    *pieces = aerogpu_lines_pieces(frame->end - frame->first, records_of_piece(frame));
    return 0;
}

static int write_record_commands(struct aerogpu_dump *dump, uint32_t number,
                                 const struct cancel *cancel, struct text *text)
{
    const struct aerogpu_scan *scan = NULL;
    struct aerogpu_record record;
    char prefix[24];
    uint32_t submission = 0;
    int status = 0;

    aerogpu_dump_record(dump, number, &record);
    snprintf(prefix, sizeof(prefix), "%0*" PRIu32 " ", (int)tree_packet_digits(&dump->base),
             number);
    if (record.type == AEROGPU_RECORD_PACKET && !aerogpu_packet_is_stream(&record))
        write_alone(dump, &record, prefix, text);
    if (record.type != AEROGPU_RECORD_SUBMISSION &&
        !(record.type == AEROGPU_RECORD_PACKET && aerogpu_packet_is_stream(&record)))
        return 0;
    status = aerogpu_dump_scan(dump, cancel, &scan);
    if (status != 0)
        return status;
    submission = aerogpu_index_submission(aerogpu_dump_index(dump), number);
    aerogpu_lines_stream_head(dump, submission, prefix, text);
    status = aerogpu_lines_commands(dump, scan, submission, 0, scan->streams[submission].commands,
                                    prefix, cancel, text);
    if (status == 0)
        aerogpu_lines_stream_end(dump, scan, submission, prefix, text);
    return status;
}

int aerogpu_frame_commands_piece(struct dump *dump, uint64_t key, uint64_t piece,
                                 const struct cancel *cancel, struct text *text)
{
    const struct aerogpu_frame *frame = frame_of(dump, key);
    uint64_t step = records_of_piece(frame), first = frame->first + piece * step;
    int status = 0;

    for (uint64_t i = first; status == 0 && i < least(first + step, frame->end); i++)
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

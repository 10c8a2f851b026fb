/* SPDX-License-Identifier: MIT */
#include "formats/aerogpu/views/views.h"

#include "base/bytes.h"
#include "tree/tables.h"

#include <errno.h>
#include <inttypes.h>

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

    aerogpu_dump_record(dump, number, &record);
    aerogpu_packet_describe(dump, number, &record, &description);
    tables_packet(&dump->base, number, &description, text);
    if (record.type == AEROGPU_RECORD_BLOB && aerogpu_blob_read(&record, &blob)) {
        kind = aerogpu_name(AEROGPU_NAMES_BLOB_KIND, blob.kind);
        text_cell(text, blob.id);
        if (kind != NULL)
            text_cell_word(text, kind);
        else
            aerogpu_cell_hex(text, blob.kind, 8);
    } else {
        text_add(text, "\t-\t-");
    }
    aerogpu_cell_or_none(text, aerogpu_index_submission_at(aerogpu_dump_index(dump), number));
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

static void write_packet(const struct aerogpu_dump *dump, const struct aerogpu_record *record,
                         struct text *text)
{
    uint32_t trailing = aerogpu_packet_command_write(dump, record, "", text);

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

/* Returns the submission that a Packet record is, or AEROGPU_NONE. */
static uint32_t stream_of(const struct aerogpu_dump *dump, uint64_t number)
{
    struct aerogpu_record record;

    aerogpu_dump_record(dump, number, &record);
    if (record.type != AEROGPU_RECORD_PACKET || !aerogpu_packet_is_stream(&record))
        return AEROGPU_NONE;
    return aerogpu_index_submission_at(aerogpu_dump_index(dump), (uint32_t)number);
}

/* Writes the packet's fields, and what precedes the commands that it holds, which are its rows. */
int aerogpu_packet_head(struct dump *dump, uint64_t key, struct text *text)
{
    struct aerogpu_dump *aerogpu = aerogpu_dump_of(dump);
    uint32_t submission = stream_of(aerogpu, key);

    write_fields(aerogpu, key, text);
    return submission == AEROGPU_NONE ? 0 : aerogpu_command_listing.head(dump, submission, text);
}

int aerogpu_packet_count(struct dump *dump, uint64_t key, const struct cancel *cancel,
                         uint64_t *rows)
{
    uint32_t submission = AEROGPU_NONE;

    *rows = 0;
    if (key >= aerogpu_index_of(dump)->records)
        return -ENOENT;
    submission = stream_of(aerogpu_dump_of(dump), key);
    return submission == AEROGPU_NONE ? 0 : aerogpu_commands_count(dump, submission, cancel, rows);
}

int aerogpu_packet_lines(struct dump *dump, uint64_t key, uint64_t first, uint64_t end,
                         const struct cancel *cancel, struct text *text)
{
    uint32_t submission = stream_of(aerogpu_dump_of(dump), key);

    return submission == AEROGPU_NONE
               ? -EIO
               : aerogpu_command_listing.rows(dump, submission, first, end, cancel, text);
}

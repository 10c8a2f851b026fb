/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "formats/aerogpu/container.h"

#include "base/bytes.h"
#include "base/json_memory.h"
#include "formats/aerogpu/decode/abi.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAGIC = 8,
    VERSION_FIRST = 1,
    VERSION_LAST = 2,
    TOC_VERSION = 1,
    ALLOCS_HEADER = 24,
    ALLOCS_ENTRY = 32,
};

static const uint8_t header_magic[MAGIC] = "AEROGPUT";
static const uint8_t footer_magic[MAGIC] = "AEROGPUF";
static const uint8_t toc_magic[MAGIC] = "AEROTOC";

bool aerogpu_magic_is(const uint8_t *data, uint64_t size)
{
    return size >= MAGIC && memcmp(data, header_magic, MAGIC) == 0;
}

bool aerogpu_header_read(const uint8_t *data, uint64_t size, struct aerogpu_header *out)
{
    *out = (struct aerogpu_header){0};
    if (!aerogpu_magic_is(data, size) || size < AEROGPU_HEADER)
        return false;
    *out = (struct aerogpu_header){
        .header_size = bytes_le32(data + 8),
        .version = bytes_le32(data + 12),
        .abi_version = bytes_le32(data + 16),
        .flags = bytes_le32(data + 20),
        .meta_length = bytes_le32(data + 24),
        .reserved = bytes_le32(data + 28),
    };
    return true;
}

static bool version_known(uint32_t version)
{
    return version >= VERSION_FIRST && version <= VERSION_LAST;
}

bool aerogpu_header_known(const struct aerogpu_header *header)
{
    return header->header_size == AEROGPU_HEADER && version_known(header->version);
}

static const char *const verdict_names[] = {
    [AEROGPU_VERDICT_OK] = "ok",
    [AEROGPU_VERDICT_INVALID_MAGIC] = "InvalidMagic",
    [AEROGPU_VERDICT_HEADER_SIZE] = "UnsupportedHeaderSize",
    [AEROGPU_VERDICT_FOOTER_SIZE] = "UnsupportedFooterSize",
    [AEROGPU_VERDICT_VERSION] = "UnsupportedContainerVersion",
    [AEROGPU_VERDICT_TOC_VERSION] = "UnsupportedTocVersion",
    [AEROGPU_VERDICT_RECORD_OUT_OF_BOUNDS] = "RecordOutOfBounds",
    [AEROGPU_VERDICT_TOC_OUT_OF_BOUNDS] = "TocOutOfBounds",
    [AEROGPU_VERDICT_UNEXPECTED_EOF] = "Io(UnexpectedEof)",
    [AEROGPU_VERDICT_UNKNOWN_RECORD] = "UnknownRecordType",
    [AEROGPU_VERDICT_UNKNOWN_BLOB] = "UnknownBlobKind",
    [AEROGPU_VERDICT_MALFORMED_BLOB] = "MalformedBlob",
};

static bool has_value(enum aerogpu_verdict_kind kind)
{
    return kind == AEROGPU_VERDICT_HEADER_SIZE || kind == AEROGPU_VERDICT_FOOTER_SIZE ||
           kind == AEROGPU_VERDICT_VERSION || kind == AEROGPU_VERDICT_TOC_VERSION ||
           kind == AEROGPU_VERDICT_UNKNOWN_RECORD || kind == AEROGPU_VERDICT_UNKNOWN_BLOB;
}

void aerogpu_verdict_write(const struct aerogpu_verdict *verdict, struct text *text)
{
    text_add(text, verdict_names[verdict->kind]);
    if (has_value(verdict->kind))
        text_printf(text, "(%" PRIu32 ")", verdict->value);
    if (verdict->kind != AEROGPU_VERDICT_OK)
        text_printf(text, " at 0x%08" PRIX64, verdict->offset);
}

static bool refuse(struct aerogpu_verdict *verdict, enum aerogpu_verdict_kind kind, uint64_t offset,
                   uint32_t value)
{
    *verdict = (struct aerogpu_verdict){.kind = kind, .offset = offset, .value = value};
    return false;
}

/*
 * Checks header and meta JSON in the order in which their fields are read. Stores the end of the
 * meta JSON in *records.
 */
static bool check_header(const uint8_t *data, uint64_t size, uint64_t *records,
                         struct aerogpu_verdict *verdict)
{
    if (size < MAGIC)
        return refuse(verdict, AEROGPU_VERDICT_UNEXPECTED_EOF, size, 0);
    if (!aerogpu_magic_is(data, size))
        return refuse(verdict, AEROGPU_VERDICT_INVALID_MAGIC, 0, 0);
    if (size < 12)
        return refuse(verdict, AEROGPU_VERDICT_UNEXPECTED_EOF, size, 0);
    if (bytes_le32(data + 8) != AEROGPU_HEADER)
        return refuse(verdict, AEROGPU_VERDICT_HEADER_SIZE, 8, bytes_le32(data + 8));
    if (size < 16)
        return refuse(verdict, AEROGPU_VERDICT_UNEXPECTED_EOF, size, 0);
    if (!version_known(bytes_le32(data + 12)))
        return refuse(verdict, AEROGPU_VERDICT_VERSION, 12, bytes_le32(data + 12));
    if (size < AEROGPU_HEADER)
        return refuse(verdict, AEROGPU_VERDICT_UNEXPECTED_EOF, size, 0);
    *records = AEROGPU_HEADER + (uint64_t)bytes_le32(data + 24);
    if (*records > size)
        return refuse(verdict, AEROGPU_VERDICT_RECORD_OUT_OF_BOUNDS, 24, 0);
    return true;
}

static bool check_footer(const uint8_t *data, uint64_t size, struct aerogpu_verdict *verdict)
{
    uint64_t offset = size - AEROGPU_FOOTER;
    const uint8_t *footer = data + offset;
    uint32_t version = bytes_le32(footer + 12);

    if (memcmp(footer, footer_magic, MAGIC) != 0)
        return refuse(verdict, AEROGPU_VERDICT_INVALID_MAGIC, offset, 0);
    if (bytes_le32(footer + 8) != AEROGPU_FOOTER)
        return refuse(verdict, AEROGPU_VERDICT_FOOTER_SIZE, offset + 8, bytes_le32(footer + 8));
    if (!version_known(version) || version != bytes_le32(data + 12))
        return refuse(verdict, AEROGPU_VERDICT_VERSION, offset + 12, version);
    return true;
}

/* Checks the table's own header, at toc->offset. */
static bool check_table(const uint8_t *data, uint64_t size, uint64_t records,
                        const struct aerogpu_toc *toc, struct aerogpu_verdict *verdict)
{
    uint64_t footer = size - AEROGPU_FOOTER;
    const uint8_t *table;
    uint64_t count;

    if (!bytes_inside(toc->offset, toc->length, size))
        return refuse(verdict, AEROGPU_VERDICT_TOC_OUT_OF_BOUNDS, footer + 16, 0);
    table = data + toc->offset;
    if (toc->length < AEROGPU_TOC_HEADER)
        return refuse(verdict, AEROGPU_VERDICT_TOC_OUT_OF_BOUNDS, footer + 24, 0);
    if (memcmp(table, toc_magic, MAGIC) != 0)
        return refuse(verdict, AEROGPU_VERDICT_INVALID_MAGIC, toc->offset, 0);
    if (bytes_le32(table + 8) != TOC_VERSION)
        return refuse(verdict, AEROGPU_VERDICT_TOC_VERSION, toc->offset + 8, bytes_le32(table + 8));
    count = bytes_le32(table + 12);
    if (toc->length != AEROGPU_TOC_HEADER + count * AEROGPU_TOC_ENTRY)
        return refuse(verdict, AEROGPU_VERDICT_TOC_OUT_OF_BOUNDS, toc->offset + 12, 0);
    if (toc->offset < records)
        return refuse(verdict, AEROGPU_VERDICT_TOC_OUT_OF_BOUNDS, footer + 16, 0);
    return true;
}

void aerogpu_toc_entry(const uint8_t *data, const struct aerogpu_toc *toc, uint32_t index,
                       struct aerogpu_toc_entry *out)
{
    const uint8_t *p =
        data + toc->offset + AEROGPU_TOC_HEADER + (uint64_t)AEROGPU_TOC_ENTRY * index;

    *out = (struct aerogpu_toc_entry){
        .frame_index = bytes_le32(p),
        .flags = bytes_le32(p + 4),
        .start = bytes_le64(p + 8),
        .present = bytes_le64(p + 16),
        .end = bytes_le64(p + 24),
    };
}

static bool entry_fits(uint64_t records, uint64_t toc, const struct aerogpu_toc_entry *entry)
{
    if (entry->start < records || entry->start > toc || entry->end > toc ||
        entry->end < entry->start)
        return false;
    return entry->present == 0 || (entry->present >= entry->start && entry->present <= entry->end);
}

const char *aerogpu_toc_entry_verdict(const uint8_t *data, const struct aerogpu_toc *toc,
                                      const struct aerogpu_toc_entry *entry)
{
    uint64_t records = AEROGPU_HEADER + (uint64_t)bytes_le32(data + 24);

    return entry_fits(records, toc->offset, entry)
               ? verdict_names[AEROGPU_VERDICT_OK]
               : verdict_names[AEROGPU_VERDICT_TOC_OUT_OF_BOUNDS];
}

static bool check_entries(const uint8_t *data, uint64_t records, const struct aerogpu_toc *toc,
                          struct aerogpu_verdict *verdict)
{
    struct aerogpu_toc_entry entry;

    for (uint32_t i = 0; i < toc->count; i++) {
        aerogpu_toc_entry(data, toc, i, &entry);
        if (!entry_fits(records, toc->offset, &entry))
            return refuse(verdict, AEROGPU_VERDICT_TOC_OUT_OF_BOUNDS,
                          toc->offset + AEROGPU_TOC_HEADER + (uint64_t)AEROGPU_TOC_ENTRY * i, 0);
    }
    return true;
}

/* Finds the table where the footer places it, with as many of its entries as the file has. */
static void find_table(const uint8_t *data, uint64_t size, struct aerogpu_toc *toc)
{
    const uint8_t *footer = data + size - AEROGPU_FOOTER;
    uint64_t offset = bytes_le64(footer + 16), max = 0;

    if (memcmp(footer, footer_magic, MAGIC) != 0)
        return;
    toc->footer = true;
    toc->claimed = offset;
    toc->length = bytes_le64(footer + 24);
    if (offset < AEROGPU_HEADER || !bytes_inside(offset, AEROGPU_TOC_HEADER, size) ||
        memcmp(data + offset, toc_magic, MAGIC) != 0)
        return;
    toc->offset = offset;
    max = (size - offset - AEROGPU_TOC_HEADER) / AEROGPU_TOC_ENTRY;
    toc->count = bytes_le32(data + offset + 12);
    if (toc->count > max)
        toc->count = (uint32_t)max;
}

void aerogpu_trace_check(const uint8_t *data, uint64_t size, struct aerogpu_toc *toc,
                         struct aerogpu_verdict *verdict)
{
    struct aerogpu_toc claimed = {0};
    uint64_t records = 0;

    *toc = (struct aerogpu_toc){0};
    *verdict = (struct aerogpu_verdict){.kind = AEROGPU_VERDICT_OK};
    if (size >= AEROGPU_HEADER + AEROGPU_FOOTER)
        find_table(data, size, toc);
    if (!check_header(data, size, &records, verdict) || !check_footer(data, size, verdict))
        return;
    claimed.offset = bytes_le64(data + size - 16);
    claimed.length = bytes_le64(data + size - 8);
    toc->usable = check_table(data, size, records, &claimed, verdict) &&
                  check_entries(data, records, toc, verdict);
}

uint64_t aerogpu_records_end(const uint8_t *data, uint64_t size, const struct aerogpu_toc *toc)
{
    uint64_t footer = size - AEROGPU_FOOTER, records = 0;
    const uint8_t *table;

    if (toc->usable)
        return toc->offset;
    if (!toc->footer)
        return size;
    records = AEROGPU_HEADER + (uint64_t)bytes_le32(data + 24);
    if (toc->claimed < records || toc->claimed > footer)
        return footer;
    /* If a table follows that place, it is the footer that is damaged. */
    table = memmem(data + toc->claimed, footer - toc->claimed, toc_magic, MAGIC);
    return table == NULL || table == data + toc->claimed ? toc->claimed : footer;
}

bool aerogpu_record_read(const uint8_t *data, uint64_t offset, uint64_t end,
                         struct aerogpu_record *out)
{
    const uint8_t *p;
    uint64_t left;

    if (!bytes_inside(offset, AEROGPU_RECORD_HEADER, end))
        return false;
    p = data + offset;
    left = end - offset - AEROGPU_RECORD_HEADER;
    *out = (struct aerogpu_record){
        .offset = offset,
        .type = p[0],
        .flags = p[1],
        .reserved = bytes_le16(p + 2),
        .claimed = bytes_le32(p + 4),
    };
    out->length = out->claimed <= left ? out->claimed : (uint32_t)left;
    out->payload = out->length > 0 ? p + AEROGPU_RECORD_HEADER : NULL;
    return true;
}

static const char *const record_names[] = {
    [AEROGPU_RECORD_BEGIN] = "beginframe",      [AEROGPU_RECORD_PRESENT] = "present",
    [AEROGPU_RECORD_PACKET] = "packet",         [AEROGPU_RECORD_BLOB] = "blob",
    [AEROGPU_RECORD_SUBMISSION] = "submission",
};

const char *aerogpu_record_name(uint8_t type)
{
    return type >= AEROGPU_RECORD_BEGIN && type <= AEROGPU_RECORD_SUBMISSION ? record_names[type]
                                                                             : "unknown";
}

bool aerogpu_blob_read(const struct aerogpu_record *record, struct aerogpu_blob *out)
{
    const uint8_t *p = record->payload;

    *out = (struct aerogpu_blob){0};
    if (record->length < AEROGPU_BLOB_HEADER)
        return false;
    *out = (struct aerogpu_blob){
        .id = bytes_le64(p),
        .kind = bytes_le32(p + 8),
        .reserved = bytes_le32(p + 12),
        .data = p + AEROGPU_BLOB_HEADER,
        .size = record->length - AEROGPU_BLOB_HEADER,
    };
    return true;
}

bool aerogpu_submission_read(const struct aerogpu_record *record, struct aerogpu_submission *out)
{
    const uint8_t *p = record->payload;
    uint32_t held = 0;

    *out = (struct aerogpu_submission){0};
    if (record->length < AEROGPU_SUBMISSION_HEADER)
        return false;
    *out = (struct aerogpu_submission){
        .record_version = bytes_le32(p),
        .header_size = bytes_le32(p + 4),
        .flags = bytes_le32(p + 8),
        .context = bytes_le32(p + 12),
        .engine = bytes_le32(p + 16),
        .reserved = bytes_le32(p + 20),
        .fence = bytes_le64(p + 24),
        .stream_blob = bytes_le64(p + 32),
        .allocs_blob = bytes_le64(p + 40),
        .range_count = bytes_le32(p + 48),
        .reserved2 = bytes_le32(p + 52),
    };
    if (out->header_size < AEROGPU_SUBMISSION_HEADER || out->header_size > record->length)
        return true;
    held = (record->length - out->header_size) / AEROGPU_RANGE;
    out->range_bytes = p + out->header_size;
    out->ranges = out->range_count < held ? out->range_count : held;
    out->complete = out->range_count <= held && record->length == record->claimed;
    return true;
}

void aerogpu_range_read(const struct aerogpu_submission *submission, uint32_t index,
                        struct aerogpu_range *out)
{
    const uint8_t *p = submission->range_bytes + (size_t)AEROGPU_RANGE * index;

    *out = (struct aerogpu_range){
        .alloc_id = bytes_le32(p),
        .flags = bytes_le32(p + 4),
        .gpa = bytes_le64(p + 8),
        .size = bytes_le64(p + 16),
        .blob = bytes_le64(p + 24),
    };
}

static void check_blob(const struct aerogpu_record *record, struct aerogpu_verdict *verdict)
{
    struct aerogpu_blob blob;

    if (!aerogpu_blob_read(record, &blob))
        refuse(verdict, AEROGPU_VERDICT_MALFORMED_BLOB, record->offset, 0);
    else if (aerogpu_name(AEROGPU_NAMES_BLOB_KIND, blob.kind) == NULL)
        refuse(verdict, AEROGPU_VERDICT_UNKNOWN_BLOB, record->offset, blob.kind);
}

void aerogpu_record_check(const struct aerogpu_record *record, uint32_t container_version,
                          struct aerogpu_verdict *verdict)
{
    struct aerogpu_submission submission;

    *verdict = (struct aerogpu_verdict){.kind = AEROGPU_VERDICT_OK};
    if (record->length < record->claimed) {
        refuse(verdict, AEROGPU_VERDICT_RECORD_OUT_OF_BOUNDS, record->offset, 0);
        return;
    }
    switch (record->type) {
    case AEROGPU_RECORD_BEGIN:
    case AEROGPU_RECORD_PRESENT:
        if (record->length != 4)
            refuse(verdict, AEROGPU_VERDICT_RECORD_OUT_OF_BOUNDS, record->offset, 0);
        break;
    case AEROGPU_RECORD_PACKET:
        break;
    case AEROGPU_RECORD_BLOB:
        check_blob(record, verdict);
        break;
    case AEROGPU_RECORD_SUBMISSION:
        if (container_version < 2)
            refuse(verdict, AEROGPU_VERDICT_UNKNOWN_RECORD, record->offset, record->type);
        else if (!aerogpu_submission_read(record, &submission) || !submission.complete)
            refuse(verdict, AEROGPU_VERDICT_RECORD_OUT_OF_BOUNDS, record->offset, 0);
        break;
    default:
        refuse(verdict, AEROGPU_VERDICT_UNKNOWN_RECORD, record->offset, record->type);
        break;
    }
}

static const char *allocs_defect(struct aerogpu_allocs *out, uint64_t size)
{
    uint64_t capacity = 0;

    if (out->magic != AEROGPU_ALLOCS_MAGIC)
        return "BadMagic";
    if (out->abi_version >> 16 != AEROGPU_ABI_MAJOR)
        return "Abi";
    if (out->size < ALLOCS_HEADER || out->size > size)
        return "BadSize";
    if (out->stride < ALLOCS_ENTRY)
        return "BadStride";
    capacity = (out->size - ALLOCS_HEADER) / out->stride;
    out->entries = out->count <= capacity ? out->count : (uint32_t)capacity;
    return out->count > capacity ? "CountOutOfBounds" : NULL;
}

void aerogpu_allocs_open(const uint8_t *bytes, uint64_t size, struct aerogpu_allocs *out)
{
    *out = (struct aerogpu_allocs){.bytes = bytes, .defect = "BufferTooSmall"};
    if (size < ALLOCS_HEADER)
        return;
    out->magic = bytes_le32(bytes);
    out->abi_version = bytes_le32(bytes + 4);
    out->size = bytes_le32(bytes + 8);
    out->count = bytes_le32(bytes + 12);
    out->stride = bytes_le32(bytes + 16);
    out->reserved = bytes_le32(bytes + 20);
    out->defect = allocs_defect(out, size);
}

void aerogpu_allocs_entry(const struct aerogpu_allocs *allocs, uint32_t index,
                          struct aerogpu_alloc *out)
{
    const uint8_t *p = allocs->bytes + ALLOCS_HEADER + (size_t)allocs->stride * index;

    *out = (struct aerogpu_alloc){
        .id = bytes_le32(p),
        .flags = bytes_le32(p + 4),
        .gpa = bytes_le64(p + 8),
        .size = bytes_le64(p + 16),
        .reserved = bytes_le64(p + 24),
    };
}

int aerogpu_meta_parse(const uint8_t *data, uint64_t length, json_t **out, json_error_t *error)
{
    return json_memory_load(data + AEROGPU_HEADER, (size_t)length,
                            JSON_DISABLE_EOF_CHECK | JSON_ALLOW_NUL, out, error);
}

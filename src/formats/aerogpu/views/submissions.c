/* SPDX-License-Identifier: MIT */
#include "formats/aerogpu/views/views.h"

#include "tree/names.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

enum { SUBMISSION_DIGITS = 6, RANGE_DIGITS = 5 };

static void read_record(const struct aerogpu_index *index, uint64_t number,
                        struct aerogpu_record *out)
{
    aerogpu_index_record(index, index->submissions[number], out);
}

/* Returns false for a Packet record, which has no header of its own. */
static bool read_header(const struct aerogpu_index *index, uint64_t number,
                        struct aerogpu_submission *out)
{
    struct aerogpu_record record;

    *out = (struct aerogpu_submission){0};
    read_record(index, number, &record);
    return record.type == AEROGPU_RECORD_SUBMISSION && aerogpu_submission_read(&record, out);
}

static unsigned digits_of(struct dump *dump)
{
    return names_digits(dump->follow != NULL ? 0 : aerogpu_index_of(dump)->submission_count,
                        SUBMISSION_DIGITS);
}

/* The table. */

static int count_rows(struct dump *dump, uint64_t key, const struct cancel *cancel, uint64_t *rows)
{
    (void)key, (void)cancel;
    *rows = aerogpu_index_of(dump)->submission_count;
    return 0;
}

static void write_row(const struct aerogpu_index *index, const struct aerogpu_scan *scan,
                      uint32_t number, struct text *text)
{
    struct aerogpu_submission header;
    const uint8_t *bytes = NULL;
    uint64_t size = 0;
    uint32_t record = index->submissions[number];

    text_add_u64(text, number);
    text_cell(text, record);
    aerogpu_cell_or_none(text, index->places[record].frame);
    if (read_header(index, number, &header)) {
        text_cell(text, header.fence);
        text_cell(text, header.context);
        aerogpu_cell_hex(text, header.flags, 8);
    } else {
        text_add(text, "\t-\t-\t-");
    }
    aerogpu_index_stream(index, number, &bytes, &size);
    text_cell(text, scan->streams[number].commands);
    text_cell(text, scan->streams[number].draws);
    text_cell(text, size);
    text_cell(text, header.ranges);
    text_add_char(text, '\n');
}

static int write_rows(struct dump *dump, uint64_t key, uint64_t first, uint64_t end,
                      const struct cancel *cancel, struct text *text)
{
    const struct aerogpu_index *index = aerogpu_index_of(dump);
    const struct aerogpu_scan *scan = NULL;
    int status = aerogpu_dump_scan(aerogpu_dump_of(dump), cancel, &scan);

    (void)key;
    for (uint64_t i = first; status == 0 && i < end; i++)
        write_row(index, scan, (uint32_t)i, text);
    return status;
}

const struct dump_listing aerogpu_submission_table = {
    .columns = "submission\tpacket\tframe\tfence\tcontext\tflags\tcommands\tdraws\tbytes\tranges",
    .count = count_rows,
    .rows = write_rows};

/* Directories. */

static int next_submission(struct dump *dump, uint64_t parent_key, uint64_t from, uint64_t *ordinal)
{
    (void)parent_key;
    *ordinal = from;
    return from < aerogpu_index_of(dump)->submission_count ? 0 : -ENOENT;
}

static int name_submission(struct dump *dump, uint64_t parent_key, uint64_t ordinal, char *name)
{
    (void)parent_key;
    snprintf(name, RULE_NAME_MAX + 1, "%0*" PRIu64, (int)digits_of(dump), ordinal);
    return 0;
}

/* Finds the next submission of one frame. */
static int next_in_frame(struct dump *dump, uint64_t frame, uint64_t from, uint64_t *ordinal)
{
    const struct aerogpu_index *index = aerogpu_index_of(dump);
    const struct aerogpu_frame *place = NULL;

    if (frame >= index->frame_count)
        return -ENOENT;
    place = &index->frames[frame];
    *ordinal = from > place->first_submission ? from : place->first_submission;
    return *ordinal < place->submissions_end ? 0 : -ENOENT;
}

int aerogpu_frame_submission_link(struct dump *dump, uint64_t key, const struct cancel *cancel,
                                  struct blob **out)
{
    struct text text = TEXT_INIT;

    (void)cancel;
    text_printf(&text, "../../../submissions/%0*" PRIu64, (int)digits_of(dump),
                key & SUBMISSION_MASK);
    return text_blob(&text, out);
}

const struct rule_family aerogpu_submission_family = {SUBMISSION_BITS, next_submission,
                                                      name_submission, NULL};
const struct rule_family aerogpu_frame_submission_family = {SUBMISSION_BITS, next_in_frame,
                                                            name_submission, NULL};

/* info.txt */

static const char *problem_of(const struct aerogpu_index *index, uint64_t number)
{
    const uint8_t *bytes = NULL;
    uint64_t size = 0;

    return aerogpu_index_stream(index, (uint32_t)number, &bytes, &size);
}

static void write_header(const struct aerogpu_submission *header, struct text *text)
{
    text_field(text, "record_version", "%" PRIu32, header->record_version);
    text_field(text, "header_size", "%" PRIu32, header->header_size);
    text_field(text, "submit_flags", "0x%08" PRIX32 "%s%s", header->flags,
               (header->flags & 1) != 0 ? " PRESENT" : "",
               (header->flags & 2) != 0 ? " NO_IRQ" : "");
    text_field(text, "context_id", "%" PRIu32, header->context);
    text_field(text, "engine_id", "%" PRIu32, header->engine);
    text_field(text, "signal_fence", "%" PRIu64, header->fence);
    text_field(text, "cmd_stream_blob_id", "%" PRIu64, header->stream_blob);
    text_field(text, "alloc_table_blob_id", "%" PRIu64, header->allocs_blob);
    text_field(text, "memory_range_count", "%" PRIu32, header->range_count);
}

static void write_stream(const struct aerogpu_index *index, const struct aerogpu_scan *scan,
                         uint64_t number, struct text *text)
{
    struct aerogpu_stream stream;
    const uint8_t *bytes = NULL;
    uint64_t size = 0;

    if (aerogpu_index_stream(index, (uint32_t)number, &bytes, &size) != NULL)
        return;
    aerogpu_stream_open(&stream, bytes, size);
    text_field(text, "abi", "%" PRIu32 ".%" PRIu32, stream.abi_version >> 16,
               stream.abi_version & 0xFFFF);
    text_field(text, "stream_bytes", "%" PRIu64, size);
    text_field(text, "trailing_bytes", "%" PRIu64, size > stream.size ? size - stream.size : 0);
    text_field(text, "commands", "%" PRIu32, scan->streams[number].commands);
    text_field(text, "draws", "%" PRIu32, scan->streams[number].draws);
    text_field(text, "unknown_opcodes", "%" PRIu32, scan->streams[number].unknown);
    if (stream.error.kind != AEROGPU_OK)
        text_field(text, "problem", "%s", aerogpu_error_name(stream.error.kind));
}

int aerogpu_submission_info(struct dump *dump, uint64_t key, const struct cancel *cancel,
                            struct blob **out)
{
    const struct aerogpu_index *index = aerogpu_index_of(dump);
    const struct aerogpu_scan *scan = NULL;
    struct aerogpu_submission header;
    struct text text = TEXT_INIT;
    uint32_t record = index->submissions[key];
    int status = aerogpu_dump_scan(aerogpu_dump_of(dump), cancel, &scan);

    if (status != 0)
        return status;
    text_field(&text, "submission", "%" PRIu64, key);
    text_field(&text, "packet", "%" PRIu32, record);
    if (index->places[record].frame != AEROGPU_NONE)
        text_field(&text, "frame", "%" PRIu32, index->places[record].frame);
    else
        text_add(&text, "frame: -\n");
    if (read_header(index, key, &header))
        write_header(&header, &text);
    else
        text_field(&text, "record", "packet, the stream alone");
    if (problem_of(index, key) != NULL)
        text_field(&text, "problem", "%s", problem_of(index, key));
    write_stream(index, scan, key, &text);
    return text_blob(&text, out);
}

/* The stream, unchanged. */

int aerogpu_stream_exists(struct dump *dump, uint64_t key)
{
    return problem_of(aerogpu_index_of(dump), key) == NULL ? 0 : -ENOENT;
}

int aerogpu_stream_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    const uint8_t *bytes = NULL;

    aerogpu_index_stream(aerogpu_index_of(dump), (uint32_t)key, &bytes, size);
    return 0;
}

int aerogpu_stream_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                        struct blob **out)
{
    const uint8_t *bytes = NULL;
    uint64_t size = 0;

    (void)cancel;
    aerogpu_index_stream(aerogpu_index_of(dump), (uint32_t)key, &bytes, &size);
    return blob_borrow(bytes, size, out);
}

/* The allocation table. */

static int find_allocs(const struct aerogpu_index *index, uint64_t number, struct aerogpu_blob *out)
{
    struct aerogpu_submission header;
    uint32_t record = 0;

    if (!read_header(index, number, &header) || header.allocs_blob == 0 ||
        !aerogpu_index_blob(index, header.allocs_blob, index->submissions[number], out, &record))
        return -ENOENT;
    return 0;
}

int aerogpu_allocs_exists(struct dump *dump, uint64_t key)
{
    struct aerogpu_blob blob;

    return find_allocs(aerogpu_index_of(dump), key, &blob);
}

int aerogpu_allocs_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    struct aerogpu_blob blob = {0};
    int status = find_allocs(aerogpu_index_of(dump), key, &blob);

    *size = blob.size;
    return status;
}

int aerogpu_allocs_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                        struct blob **out)
{
    struct aerogpu_blob blob;
    int status = find_allocs(aerogpu_index_of(dump), key, &blob);

    (void)cancel;
    return status == 0 ? blob_borrow(blob.data, blob.size, out) : status;
}

static int open_allocs(struct dump *dump, uint64_t key, struct aerogpu_allocs *out)
{
    struct aerogpu_blob blob;
    int status = find_allocs(aerogpu_index_of(dump), key, &blob);

    if (status == 0)
        aerogpu_allocs_open(blob.data, blob.size, out);
    return status;
}

/* There is a row for each entry, and one for the defect, which may be empty. */
static int count_allocs(struct dump *dump, uint64_t key, const struct cancel *cancel,
                        uint64_t *rows)
{
    struct aerogpu_allocs allocs;
    int status = open_allocs(dump, key, &allocs);

    (void)cancel;
    if (status == 0)
        *rows = (uint64_t)allocs.entries + 1;
    return status;
}

static int write_allocs(struct dump *dump, uint64_t key, uint64_t first, uint64_t end,
                        const struct cancel *cancel, struct text *text)
{
    struct aerogpu_allocs allocs;
    struct aerogpu_alloc alloc;
    int status = open_allocs(dump, key, &allocs);

    (void)cancel;
    if (status != 0)
        return status;
    for (uint64_t i = first; i < end && i < allocs.entries; i++) {
        aerogpu_allocs_entry(&allocs, (uint32_t)i, &alloc);
        text_printf(text,
                    "alloc_id=%" PRIu32 " gpa=0x%016" PRIx64 " size_bytes=%" PRIu64
                    " flags=0x%08" PRIx32 "\n",
                    alloc.id, alloc.gpa, alloc.size, alloc.flags);
    }
    if (end > allocs.entries && allocs.defect != NULL)
        text_printf(text, "error %s\n", allocs.defect);
    return 0;
}

const struct dump_listing aerogpu_alloc_listing = {.count = count_allocs, .rows = write_allocs};

/* Where commands name an allocation. */

/*
 * Maximum numbers of entries of tables in which ids are searched, and which are compared with each
 * other. Both are done linearly, without an index.
 */
enum { MAX_SOUGHT = 4096, MAX_COMPARED = 1024 };

static bool find_alloc(const struct aerogpu_allocs *allocs, uint32_t id, struct aerogpu_alloc *out)
{
    for (uint32_t i = 0; i < allocs->entries; i++) {
        aerogpu_allocs_entry(allocs, i, out);
        if (out->id == id)
            return true;
    }
    return false;
}

static void write_xref(const struct aerogpu_allocs *allocs, const struct aerogpu_command *command,
                       struct text *text)
{
    bool buffer = command->opcode == AEROGPU_CREATE_BUFFER;
    uint32_t id = aerogpu_u32(command, buffer ? AEROGPU_AT_CREATE_BUFFER_ALLOC
                                              : AEROGPU_AT_CREATE_TEXTURE2D_ALLOC);
    struct aerogpu_alloc alloc;

    if (id == 0)
        return;
    text_printf(text, "cmd@0x%" PRIx32 " %s handle=%" PRIu32 " backing_alloc_id=%" PRIu32,
                command->offset, command->type->name, aerogpu_u32(command, AEROGPU_PACKET_HEADER),
                id);
    if (allocs->entries <= MAX_SOUGHT && find_alloc(allocs, id, &alloc))
        text_printf(text, " gpa=0x%016" PRIx64 " size_bytes=%" PRIu64 "\n", alloc.gpa, alloc.size);
    else
        text_add(text, " missing\n");
}

/* The reference refuses tables in which an id occurs twice with different addresses. */
static void write_conflicts(const struct aerogpu_allocs *allocs, struct text *text)
{
    struct aerogpu_alloc alloc, other;

    for (uint32_t i = 0; i < allocs->entries && allocs->entries <= MAX_COMPARED; i++) {
        aerogpu_allocs_entry(allocs, i, &alloc);
        if (find_alloc(allocs, alloc.id, &other) && other.gpa != alloc.gpa)
            text_printf(text,
                        "conflict alloc_id=%" PRIu32 " gpa=0x%016" PRIx64 " gpa=0x%016" PRIx64 "\n",
                        alloc.id, other.gpa, alloc.gpa);
    }
}

static int write_xrefs(struct dump *dump, uint64_t key, uint64_t first, uint64_t end,
                       const struct cancel *cancel, struct text *text)
{
    const struct aerogpu_scan *scan = NULL;
    struct aerogpu_allocs allocs = {0};
    struct aerogpu_command command;
    struct aerogpu_stream stream;
    int status = aerogpu_dump_scan(aerogpu_dump_of(dump), cancel, &scan);

    if (status != 0)
        return status;
    open_allocs(dump, key, &allocs);
    if (aerogpu_stream_of(aerogpu_dump_of(dump), (uint32_t)key, &stream) &&
        aerogpu_scan_command(aerogpu_index_of(dump), scan, (uint32_t)key, (uint32_t)first,
                             &command)) {
        stream.position = command.offset;
        for (uint64_t i = first; i < end && aerogpu_stream_next(&stream, &command); i++)
            if (command.error == AEROGPU_OK && (command.opcode == AEROGPU_CREATE_BUFFER ||
                                                command.opcode == AEROGPU_CREATE_TEXTURE2D))
                write_xref(&allocs, &command, text);
    }
    if (end > scan->streams[key].commands)
        write_conflicts(&allocs, text);
    return 0;
}

const struct dump_listing aerogpu_xref_listing = {
    .count = aerogpu_commands_count, .rows = write_xrefs, .piece_rows = PIECE_COMMANDS};

/* Guest memory. */

int aerogpu_memory_exists(struct dump *dump, uint64_t key)
{
    struct aerogpu_submission header;

    return read_header(aerogpu_index_of(dump), key, &header) && header.ranges > 0 ? 0 : -ENOENT;
}

static int count_ranges(struct dump *dump, uint64_t key, const struct cancel *cancel,
                        uint64_t *rows)
{
    struct aerogpu_submission header;

    (void)cancel;
    read_header(aerogpu_index_of(dump), key, &header);
    *rows = header.ranges;
    return 0;
}

static int write_ranges(struct dump *dump, uint64_t key, uint64_t first, uint64_t end,
                        const struct cancel *cancel, struct text *text)
{
    struct aerogpu_submission header;
    struct aerogpu_range range;

    (void)cancel;
    read_header(aerogpu_index_of(dump), key, &header);
    for (uint64_t i = first; i < end; i++) {
        aerogpu_range_read(&header, (uint32_t)i, &range);
        text_add_u64(text, i);
        text_cell(text, range.alloc_id);
        aerogpu_cell_hex(text, range.flags, 8);
        aerogpu_cell_hex(text, range.gpa, 16);
        text_cell(text, range.size);
        text_cell(text, range.blob);
        text_add_char(text, '\n');
    }
    return 0;
}

const struct dump_listing aerogpu_memory_table = {.columns =
                                                      "range\talloc_id\tflags\tgpa\tbytes\tblob_id",
                                                  .count = count_ranges,
                                                  .rows = write_ranges};

/* Gets the bytes of a range, as far as its blob has them. */
static int find_memory(struct dump *dump, uint64_t submission, uint64_t ordinal,
                       struct aerogpu_range *range, struct aerogpu_blob *blob)
{
    const struct aerogpu_index *index = aerogpu_index_of(dump);
    struct aerogpu_submission header;
    uint32_t record = 0;

    if (!read_header(index, submission, &header) || ordinal >= header.ranges)
        return -ENOENT;
    aerogpu_range_read(&header, (uint32_t)ordinal, range);
    if (!aerogpu_index_blob(index, range->blob, index->submissions[submission], blob, &record))
        *blob = (struct aerogpu_blob){0};
    if (blob->size > range->size)
        blob->size = (uint32_t)range->size;
    return 0;
}

static int next_memory(struct dump *dump, uint64_t submission, uint64_t from, uint64_t *ordinal)
{
    struct aerogpu_submission header;

    *ordinal = from;
    return read_header(aerogpu_index_of(dump), submission, &header) && from < header.ranges
               ? 0
               : -ENOENT;
}

static int name_memory(struct dump *dump, uint64_t submission, uint64_t ordinal, char *name)
{
    struct aerogpu_submission header;
    struct aerogpu_range range;

    read_header(aerogpu_index_of(dump), submission, &header);
    aerogpu_range_read(&header, (uint32_t)ordinal, &range);
    snprintf(name, RULE_NAME_MAX + 1, "%0*" PRIu64 "-0x%08" PRIX32 ".bin",
             (int)names_digits(header.ranges, RANGE_DIGITS), ordinal, range.alloc_id);
    return 0;
}

const struct rule_family aerogpu_memory_family = {SUBMISSION_BITS, next_memory, name_memory, NULL};

int aerogpu_memory_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    struct aerogpu_blob blob = {0};
    struct aerogpu_range range;
    int status = find_memory(dump, key >> SUBMISSION_BITS, key & SUBMISSION_MASK, &range, &blob);

    *size = blob.size;
    return status;
}

int aerogpu_memory_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                        struct blob **out)
{
    struct aerogpu_blob blob;
    struct aerogpu_range range;
    int status = find_memory(dump, key >> SUBMISSION_BITS, key & SUBMISSION_MASK, &range, &blob);

    (void)cancel;
    return status == 0 ? blob_borrow(blob.data, blob.size, out) : status;
}

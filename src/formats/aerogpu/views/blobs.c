/* SPDX-License-Identifier: MIT */
#include "formats/aerogpu/views/views.h"

#include "dxbc/dxbc.h"
#include "tree/names.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ID_DIGITS = 8, BLOB_BITS = 32 };

static void read_blob(const struct aerogpu_index *index, uint64_t place, struct aerogpu_blob *out)
{
    struct aerogpu_record record;

    aerogpu_index_record(index, index->blobs[place].record, &record);
    aerogpu_blob_read(&record, out);
}

/* Returns the end of a blob's file name. */
static const char *ending(const struct aerogpu_blob *blob)
{
    switch (blob->kind) {
    case AEROGPU_BLOB_BUFFER:
        return "buffer.bin";
    case AEROGPU_BLOB_TEXTURE:
        return "texture.bin";
    case AEROGPU_BLOB_DXBC:
        return dxbc_classify(blob->data, blob->size) == DXBC_SHADER_D3D9 ? "dxbc.d3d9"
                                                                         : "dxbc.dxbc";
    case AEROGPU_BLOB_WGSL:
        return "wgsl.wgsl";
    case AEROGPU_BLOB_GLSL:
        return "glsl.glsl";
    case AEROGPU_BLOB_STREAM:
        return "commands.acmd";
    case AEROGPU_BLOB_ALLOCS:
        return "allocs.aloc";
    case AEROGPU_BLOB_MEMORY:
        return "memory.bin";
    default:
        return "unknown.bin";
    }
}

void aerogpu_blob_name(const struct aerogpu_index *index, uint32_t place, char *name)
{
    const struct aerogpu_blob_place *blob = &index->blobs[place];
    bool again = place + 1 < index->blob_count && index->blobs[place + 1].id == blob->id;
    uint64_t count = index->last_blob_id == UINT64_MAX ? UINT64_MAX : index->last_blob_id + 1;
    struct aerogpu_blob contents;
    int length = 0;

    read_blob(index, place, &contents);
    length = snprintf(name, RULE_NAME_MAX + 1, "%0*" PRIu64 "-%s",
                      (int)names_digits(count, ID_DIGITS), blob->id, ending(&contents));
    if (again)
        snprintf(name + length, (size_t)(RULE_NAME_MAX + 1 - length), "-p%" PRIu32, blob->record);
}

static int next_blob(struct dump *dump, uint64_t parent_key, uint64_t from, uint64_t *ordinal)
{
    (void)parent_key;
    *ordinal = from;
    return from < aerogpu_index_of(dump)->blob_count ? 0 : -ENOENT;
}

static int name_blob(struct dump *dump, uint64_t parent_key, uint64_t ordinal, char *name)
{
    (void)parent_key;
    aerogpu_blob_name(aerogpu_index_of(dump), (uint32_t)ordinal, name);
    return 0;
}

/* Parses the id at the beginning of a name, and the packet that it may end in. */
static bool parse_blob(struct dump *dump, uint64_t parent_key, const char *name, uint64_t *ordinal)
{
    const struct aerogpu_index *index = aerogpu_index_of(dump);
    const char *packet = strstr(name, "-p");
    uint64_t low = 0, high = index->blob_count, id = 0;
    char *end = NULL;

    (void)parent_key;
    errno = 0;
    id = strtoull(name, &end, 10);
    if (end == name || errno != 0)
        return false;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;

        if (index->blobs[middle].id <= id)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || index->blobs[low - 1].id != id)
        return false;
    *ordinal = low - 1;
    if (packet == NULL)
        return true;
    low = strtoull(packet + 2, &end, 10);
    if (low >= index->records)
        return false;
    *ordinal = aerogpu_index_blob_of(index, id, (uint32_t)low);
    return *ordinal < index->blob_count;
}

const struct rule_family aerogpu_blob_family = {BLOB_BITS, next_blob, name_blob, parse_blob};

int aerogpu_blob_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    struct aerogpu_blob blob;

    read_blob(aerogpu_index_of(dump), key, &blob);
    *size = blob.size;
    return 0;
}

int aerogpu_blob_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                      struct blob **out)
{
    struct aerogpu_blob blob;

    (void)cancel;
    read_blob(aerogpu_index_of(dump), key, &blob);
    return blob_borrow(blob.size > 0 ? blob.data : NULL, blob.size, out);
}

/* The table. The uses of a blob are those that name its id while the id refers to this blob. */

static int count_rows(struct dump *dump, uint64_t key, const struct cancel *cancel, uint64_t *rows)
{
    (void)key, (void)cancel;
    *rows = aerogpu_index_of(dump)->blob_count;
    return 0;
}

struct uses {
    const struct aerogpu_index *index;
    uint32_t *counts; /* of each blob */
};

static void count_use(struct uses *uses, uint64_t id, uint32_t user)
{
    struct aerogpu_blob blob;
    uint32_t record = 0;

    if (id != 0 && aerogpu_index_blob(uses->index, id, user, &blob, &record))
        uses->counts[aerogpu_index_blob_of(uses->index, id, record)]++;
}

static void count_submission(struct uses *uses, const struct aerogpu_record *record, uint32_t user)
{
    struct aerogpu_submission header;
    struct aerogpu_range range;

    if (!aerogpu_submission_read(record, &header))
        return;
    count_use(uses, header.stream_blob, user);
    count_use(uses, header.allocs_blob, user);
    for (uint32_t i = 0; i < header.ranges; i++) {
        aerogpu_range_read(&header, i, &range);
        count_use(uses, range.blob, user);
    }
}

static void count_packet(struct uses *uses, const struct aerogpu_record *record, uint32_t user)
{
    struct aerogpu_command command;
    struct aerogpu_error error;

    if (aerogpu_packet_is_stream(record) ||
        !aerogpu_index_packet(uses->index, record, &command, &error) || command.type == NULL ||
        command.error != AEROGPU_OK || command.type->dialect != AEROGPU_APPENDIX_A)
        return;
    if (command.opcode == AEROGPU_A_UPLOAD_BUFFER)
        count_use(uses, aerogpu_u64(&command, AEROGPU_AT_A_UPLOAD_BUFFER_BLOB), user);
    if (command.opcode != AEROGPU_A_CREATE_SHADER)
        return;
    count_use(uses, aerogpu_u64(&command, AEROGPU_AT_A_CREATE_SHADER_GLSL), user);
    count_use(uses, aerogpu_u64(&command, AEROGPU_AT_A_CREATE_SHADER_WGSL), user);
    count_use(uses, aerogpu_u64(&command, AEROGPU_AT_A_CREATE_SHADER_DXBC), user);
}

static void count_uses(struct uses *uses)
{
    struct aerogpu_record record;

    for (uint32_t i = 0; i < uses->index->records; i++) {
        aerogpu_index_record(uses->index, i, &record);
        if (record.type == AEROGPU_RECORD_SUBMISSION)
            count_submission(uses, &record, i);
        else if (record.type == AEROGPU_RECORD_PACKET)
            count_packet(uses, &record, i);
    }
}

static void write_row(const struct uses *uses, uint32_t place, struct text *text)
{
    const struct aerogpu_blob_place *blob = &uses->index->blobs[place];
    struct aerogpu_blob contents;
    const char *kind = NULL;
    char name[RULE_NAME_MAX + 1];

    read_blob(uses->index, place, &contents);
    kind = aerogpu_name(AEROGPU_NAMES_BLOB_KIND, contents.kind);
    text_add_u64(text, blob->id);
    if (kind != NULL)
        text_cell_word(text, kind);
    else
        aerogpu_cell_hex(text, contents.kind, 8);
    text_cell(text, blob->record);
    text_cell(text, uses->index->places[blob->record].offset);
    text_cell(text, contents.size);
    text_cell(text, uses->counts[place]);
    aerogpu_blob_name(uses->index, place, name);
    text_add(text, "\tblobs/");
    text_add(text, name);
    text_add_char(text, '\n');
}

static int write_rows(struct dump *dump, uint64_t key, uint64_t first, uint64_t end,
                      const struct cancel *cancel, struct text *text)
{
    struct uses uses = {.index = aerogpu_index_of(dump)};

    (void)key;
    uses.counts = calloc((size_t)uses.index->blob_count + 1, sizeof(*uses.counts));
    if (uses.counts == NULL)
        return -ENOMEM;
    count_uses(&uses);
    for (uint64_t i = first; i < end && !cancel_requested(cancel); i++)
        write_row(&uses, (uint32_t)i, text);
    free(uses.counts);
    return cancel_requested(cancel) ? -EINTR : 0;
}

/* All rows are one piece, since the uses of all blobs are counted together. */
const struct dump_listing aerogpu_blob_table = {
    .columns = "blob_id\tkind\tpacket\toffset\tbytes\tuses\tfile",
    .count = count_rows,
    .rows = write_rows,
    .piece_rows = UINT32_MAX};

/* SPDX-License-Identifier: MIT */
#include "formats/aerogpu/views/views.h"

#include "formats/aerogpu/dump.h"
#include "tree/tables.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEMBERS_MAX = 1000 }; /* maximum number of members of a meta JSON that are shown */

static void add_source(const struct aerogpu_dump *dump, struct metadata *out)
{
    const struct aerogpu_header *header = &aerogpu_dump_index(dump)->header;

    metadata_add(out, "format", "AeroGPU trace");
    metadata_add_u64(out, "version", header->version);
    tables_source(&dump->base, out);
}

static void add_header(const struct aerogpu_dump *dump, struct metadata *out)
{
    const struct aerogpu_header *header = &aerogpu_dump_index(dump)->header;

    metadata_add_u64(out, "container_version", header->version);
    metadata_add(out, "command_abi_version", "0x%08" PRIX32 " %" PRIu32 ".%" PRIu32,
                 header->abi_version, header->abi_version >> 16, header->abi_version & 0xFFFF);
    metadata_add_u64(out, "command_abi_major", header->abi_version >> 16);
    metadata_add_u64(out, "command_abi_minor", header->abi_version & 0xFFFF);
    metadata_add(out, "flags", "0x%08" PRIX32, header->flags);
    metadata_add_u64(out, "meta_bytes", aerogpu_dump_index(dump)->meta_length);
}

static void add_toc(const struct aerogpu_index *index, struct metadata *out)
{
    struct text verdict = TEXT_INIT;

    if (index->toc.offset != 0) {
        metadata_add_u64(out, "toc_offset", index->toc.offset);
        metadata_add_u64(out, "toc_bytes", index->toc.length);
    } else {
        metadata_add_none(out, "toc_offset");
        metadata_add_none(out, "toc_bytes");
    }
    metadata_add_bool(out, "frames_rebuilt", index->rebuilt);
    aerogpu_verdict_write(&index->verdict, &verdict);
    metadata_add_text(out, "verdict", &verdict);
    text_clear(&verdict);
}

static void add_records(const struct aerogpu_index *index, struct metadata *out)
{
    char key[32];

    for (uint8_t type = AEROGPU_RECORD_BEGIN; type <= AEROGPU_RECORD_SUBMISSION; type++) {
        snprintf(key, sizeof(key), "packet_types.%s", aerogpu_record_name(type));
        metadata_add_u64(out, key, index->types[type]);
    }
    metadata_add_u64(out, "packet_types.unknown", index->types[0]);
}

static void add_blobs(const struct aerogpu_index *index, struct metadata *out)
{
    static const uint32_t kinds[] = {1, 2, 3, 4, 5, 0x100, 0x101, 0x102, 0};
    uint64_t counts[sizeof(kinds) / sizeof(kinds[0])] = {0};
    size_t last = sizeof(kinds) / sizeof(kinds[0]) - 1;
    struct aerogpu_record record;
    struct aerogpu_blob blob;
    char key[32];

    for (uint32_t i = 0; i < index->blob_count; i++) {
        size_t kind = 0;

        aerogpu_index_record(index, index->blobs[i].record, &record);
        aerogpu_blob_read(&record, &blob);
        while (kind < last && kinds[kind] != blob.kind)
            kind++;
        counts[kind]++;
    }
    for (size_t i = 0; i <= last; i++) {
        const char *name = i < last ? aerogpu_name(AEROGPU_NAMES_BLOB_KIND, kinds[i]) : "unknown";

        snprintf(key, sizeof(key), "blobs.%s", name);
        metadata_add_u64(out, key, counts[i]);
    }
}

static void add_scan(const struct aerogpu_index *index, const struct aerogpu_scan *scan,
                     struct metadata *out)
{
    metadata_add_u64(out, "submissions", index->submission_count);
    metadata_add_u64(out, "commands", scan->commands);
    metadata_add_u64(out, "unknown_opcodes", scan->unknown);
    metadata_add_u64(out, "draws", scan->draw_calls);
    metadata_add_u64(out, "presents", scan->present_count);
    metadata_add_u64(out, "resources", scan->life_count);
    metadata_add_u64(out, "shaders.dxbc_genuine", scan->shaders[0]);
    metadata_add_u64(out, "shaders.dxbc_aero_dialect", scan->shaders[1]);
    metadata_add_u64(out, "shaders.d3d9", scan->shaders[2]);
}

/*
 * Writes a key that is allowed in a line. Other bytes become %NN, so that different keys remain
 * different.
 */
static void member_key(const char *name, struct text *key)
{
    text_add(key, "meta.");
    for (; *name != '\0'; name++) {
        bool allowed = (*name >= '0' && *name <= '9') || (*name >= 'A' && *name <= 'Z') ||
                       (*name >= 'a' && *name <= 'z') || *name == '_' || *name == '.' ||
                       *name == '-';

        if (allowed) {
            text_add_char(key, *name);
        } else {
            text_add_char(key, '%');
            text_add_hex(key, (uint8_t)*name, 2);
        }
    }
    text_add_char(key, '\0');
}

static void add_value(const char *key, json_t *value, struct metadata *out)
{
    char *printed = NULL;

    if (json_is_string(value)) {
        metadata_add_bytes(out, key, json_string_value(value), json_string_length(value));
        return;
    }
    printed = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_SORT_KEYS);
    if (printed != NULL)
        metadata_add_json(out, key, printed);
    else
        metadata_fail(out, -ENOMEM);
    free(printed);
}

static void add_member(const char *name, json_t *value, struct metadata *out)
{
    struct text key = TEXT_INIT;

    member_key(name, &key);
    if (text_status(&key) == 0)
        add_value(key.bytes, value, out);
    else
        metadata_fail(out, text_status(&key));
    text_clear(&key);
}

/* Adds the meta JSON. Nothing has checked its syntax, so it may be anything. */
static void add_meta(const struct aerogpu_index *index, struct metadata *out)
{
    json_t *meta = NULL, *value = NULL;
    json_error_t error;
    const char *name = NULL;
    unsigned members = 0;

    if (index->meta_length == 0 || index->meta_length > AEROGPU_META_MAX)
        return;
    if (aerogpu_meta_parse(index->data, index->meta_length, &meta, &error) == -ENOMEM)
        metadata_fail(out, -ENOMEM);
    json_object_foreach (meta, name, value) {
        if (members++ < MEMBERS_MAX)
            add_member(name, value, out);
    }
    json_decref(meta);
}

int aerogpu_metadata(struct dump *dump, const struct cancel *cancel, struct metadata *out)
{
    struct aerogpu_dump *aerogpu = aerogpu_dump_of(dump);
    const struct aerogpu_index *index = aerogpu_dump_index(aerogpu);
    const struct aerogpu_scan *scan = NULL;
    struct tables_totals totals = {.duration = -1};
    struct aerogpu_index shown;
    struct aerogpu_scan shown_scan;
    int status = aerogpu_dump_scan(aerogpu, cancel, &scan);

    if (status != 0)
        return status;
    if (aerogpu->follower != NULL) {
        aerogpu_follow_totals(aerogpu->follower, &shown, &shown_scan);
        index = &shown;
        scan = &shown_scan;
    }
    totals.packets = index->records;
    totals.frames = index->frame_count;
    totals.unfinished = totals.frames > 0 && !index->frames[totals.frames - 1].present;
    add_source(aerogpu, out);
    status = tables_totals(dump, &totals, cancel, out);
    add_header(aerogpu, out);
    add_toc(index, out);
    add_records(index, out);
    add_blobs(index, out);
    add_scan(index, scan, out);
    add_meta(index, out);
    return status;
}

int aerogpu_meta_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    (void)key;
    *size = aerogpu_index_of(dump)->meta_length;
    return 0;
}

int aerogpu_meta_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                      struct blob **out)
{
    const struct aerogpu_index *index = aerogpu_index_of(dump);

    (void)key, (void)cancel;
    return blob_borrow(index->meta_length > 0 ? index->data + AEROGPU_HEADER : NULL,
                       index->meta_length, out);
}

/* toc.tsv */

int aerogpu_has_toc(struct dump *dump, uint64_t key)
{
    (void)key;
    return aerogpu_index_of(dump)->toc.offset != 0 ? 0 : -ENOENT;
}

static int count_entries(struct dump *dump, uint64_t key, const struct cancel *cancel,
                         uint64_t *rows)
{
    (void)key, (void)cancel;
    *rows = aerogpu_index_of(dump)->toc.count;
    return 0;
}

static int write_entries(struct dump *dump, uint64_t key, uint64_t first, uint64_t end,
                         const struct cancel *cancel, struct text *text)
{
    const struct aerogpu_index *index = aerogpu_index_of(dump);
    struct aerogpu_toc_entry entry;

    (void)key, (void)cancel;
    for (uint64_t i = first; i < end; i++) {
        aerogpu_toc_entry(index->data, &index->toc, (uint32_t)i, &entry);
        text_add_u64(text, i);
        text_cell(text, entry.frame_index);
        aerogpu_cell_hex(text, entry.flags, 8);
        text_cell(text, entry.start);
        text_cell(text, entry.present);
        text_cell(text, entry.end);
        text_cell_word(text, aerogpu_toc_entry_verdict(index->data, &index->toc, &entry));
        text_add_char(text, '\n');
    }
    return 0;
}

const struct dump_listing aerogpu_toc_listing = {
    .columns = "entry\tframe_index\tflags\tstart_offset\tpresent_offset\tend_offset\tverdict",
    .count = count_entries,
    .rows = write_entries};

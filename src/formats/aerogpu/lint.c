/* SPDX-License-Identifier: MIT */
#include "formats/aerogpu/index.h"

#include "base/array.h"
#include "formats/aerogpu/decode/abi.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum {
    TABLE_MAX = 128, /* maximum number of entries that are compared with each other */
    RECORD_VERSION = 1,
};

static void note_header(const struct aerogpu_index *index, struct problems *problems)
{
    const struct aerogpu_header *header = &index->header;

    if (header->flags != 0)
        problems_add(problems, PROBLEM_NOTE, 20, PROBLEM_NOWHERE,
                     "header flags 0x%08" PRIX32 " are unknown", header->flags);
    if (header->reserved != 0)
        problems_add(problems, PROBLEM_NOTE, 28, PROBLEM_NOWHERE,
                     "reserved field of the header is 0x%08" PRIX32, header->reserved);
}

static void note_at_meta(struct problems *problems, const char *what)
{
    problems_add(problems, PROBLEM_NOTE, AEROGPU_HEADER, PROBLEM_NOWHERE, "meta JSON %s", what);
}

/* Checks the members that the meta JSON must have. */
static void note_members(const struct aerogpu_index *index, const json_t *meta,
                         struct problems *problems)
{
    const json_t *version = json_object_get(meta, "command_abi_version");

    if (!json_is_object(meta)) {
        note_at_meta(problems, "is not an object: it has no emulator_version");
        return;
    }
    if (!json_is_string(json_object_get(meta, "emulator_version")))
        note_at_meta(problems, "has no emulator_version that is a string");
    if (!json_is_number(version))
        note_at_meta(problems, "has no command_abi_version that is a number");
    else if (json_number_value(version) != index->header.abi_version)
        problems_add(problems, PROBLEM_NOTE, AEROGPU_HEADER, PROBLEM_NOWHERE,
                     "meta JSON says command_abi_version %.17g, the header %" PRIu32,
                     json_number_value(version), index->header.abi_version);
}

static void note_meta(const struct aerogpu_index *index, struct problems *problems)
{
    json_error_t error;
    json_t *meta = NULL;

    if (index->header.meta_length == 0)
        note_at_meta(problems, "is empty: it has no emulator_version");
    if (index->meta_length == 0 || index->meta_length > AEROGPU_META_MAX)
        return;
    if (aerogpu_meta_parse(index->data, index->meta_length, &meta, &error) == -ENOMEM)
        problems_lose(problems);
    else if (meta == NULL)
        problems_add(problems, PROBLEM_NOTE, AEROGPU_HEADER, PROBLEM_NOWHERE,
                     "meta JSON does not parse: %s", error.text);
    else
        note_members(index, meta, problems);
    json_decref(meta);
}

static void note_table(const struct aerogpu_index *index, struct problems *problems)
{
    uint64_t end = index->toc.offset + index->toc.length;

    if (!index->toc.usable)
        return;
    if (end < index->size - AEROGPU_FOOTER)
        problems_add(problems, PROBLEM_NOTE, end, PROBLEM_NOWHERE,
                     "there are %" PRIu64 " bytes between the table of contents and the footer",
                     index->size - AEROGPU_FOOTER - end);
    for (uint32_t i = 0; i < index->toc.count; i++) {
        if (index->frames[i].entry.flags == 0)
            continue;
        problems_add(problems, PROBLEM_NOTE, index->toc.offset, PROBLEM_NOWHERE,
                     "the table of contents has unknown flags, first for frame %" PRIu32, i);
        return;
    }
}

/* Records that share a peculiarity. One line reports all of them, at the first. */
struct odd {
    uint32_t count, first;
};

static void count_odd(struct odd *odd, uint32_t record)
{
    if (odd->count++ == 0)
        odd->first = record;
}

static void note_odd(const struct aerogpu_index *index, const struct odd *odd, const char *what,
                     struct problems *problems)
{
    if (odd->count > 0)
        problems_add(problems, PROBLEM_NOTE, index->places[odd->first].offset, odd->first,
                     "%" PRIu32 " records %s", odd->count, what);
}

/* Returns whether the header at the beginning of the payload has a reserved field that is not 0. */
static bool has_reserved(const struct aerogpu_record *record)
{
    struct aerogpu_submission submission;
    struct aerogpu_blob blob;

    if (record->type == AEROGPU_RECORD_BLOB)
        return aerogpu_blob_read(record, &blob) && blob.reserved != 0;
    return record->type == AEROGPU_RECORD_SUBMISSION &&
           aerogpu_submission_read(record, &submission) &&
           (submission.reserved | submission.reserved2) != 0;
}

/* Returns whether a record is a mark in a frame of another frame_index. */
static bool is_misplaced(const struct aerogpu_index *index, const struct aerogpu_record *record,
                         uint32_t number)
{
    uint32_t frame = index->places[number].frame;

    return (record->type == AEROGPU_RECORD_BEGIN || record->type == AEROGPU_RECORD_PRESENT) &&
           frame != AEROGPU_NONE && record->length >= 4 &&
           aerogpu_index_word(index, number) != index->frames[frame].entry.frame_index;
}

static void note_records(const struct aerogpu_index *index, struct problems *problems)
{
    struct odd flagged = {0}, reserved = {0}, begins = {0}, presents = {0};
    struct aerogpu_record record;

    for (uint32_t i = 0; i < index->records; i++) {
        aerogpu_index_record(index, i, &record);
        if (record.flags != 0 || record.reserved != 0)
            count_odd(&flagged, i);
        if (has_reserved(&record))
            count_odd(&reserved, i);
        if (is_misplaced(index, &record, i))
            count_odd(record.type == AEROGPU_RECORD_BEGIN ? &begins : &presents, i);
    }
    note_odd(index, &flagged, "have flags or reserved fields that are not 0", problems);
    note_odd(index, &reserved, "begin with a header whose reserved fields are not 0", problems);
    note_odd(index, &begins, "begin a frame with another frame_index than in the table of contents",
             problems);
    note_odd(index, &presents, "present another frame_index than that of their frame", problems);
}

static void note_frames(const struct aerogpu_index *index, struct problems *problems)
{
    for (uint32_t i = 0; i < index->frame_count; i++) {
        const struct aerogpu_toc_entry *entry = &index->frames[i].entry;

        if (entry->frame_index == i)
            continue;
        problems_add(problems, PROBLEM_NOTE, entry->start, PROBLEM_NOWHERE,
                     "frame_index does not count up from 0: frame %" PRIu32 " has %" PRIu32, i,
                     entry->frame_index);
        return;
    }
}

static void note_blobs(const struct aerogpu_index *index, struct problems *problems)
{
    for (uint32_t i = 1; i < index->blob_count; i++) {
        const struct aerogpu_blob_place *blob = &index->blobs[i];

        if (blob->id == index->blobs[i - 1].id)
            problems_add(problems, PROBLEM_NOTE, index->places[blob->record].offset, blob->record,
                         "blob id %" PRIu64 " is defined again", blob->id);
    }
}

void aerogpu_lint_container(const struct aerogpu_index *index, struct problems *problems)
{
    note_header(index, problems);
    note_meta(index, problems);
    note_table(index, problems);
    note_frames(index, problems);
    note_records(index, problems);
    note_blobs(index, problems);
}

/* Reports invalid entries, and allocations that occur twice, at two addresses. */
static void note_conflicts(const struct aerogpu_allocs *allocs, uint64_t offset, uint32_t record,
                           struct problems *problems)
{
    struct aerogpu_alloc a, b;

    if (allocs->entries > TABLE_MAX)
        return;
    for (uint32_t i = 0; i < allocs->entries; i++) {
        aerogpu_allocs_entry(allocs, i, &a);
        if (a.id == 0 || a.size == 0 || a.gpa > UINT64_MAX - a.size)
            problems_add(problems, PROBLEM_ERROR, offset, record,
                         "allocation table: entry %" PRIu32 " is invalid", i);
        for (uint32_t n = 0; n < i; n++) {
            aerogpu_allocs_entry(allocs, n, &b);
            if (a.id != b.id || a.gpa == b.gpa)
                continue;
            problems_add(problems, PROBLEM_ERROR, offset, record,
                         "allocation table: alloc_id %" PRIu32 " has two addresses", a.id);
            break; /* one line for each entry */
        }
    }
}

void aerogpu_tables_seen_clear(struct aerogpu_tables_seen *seen)
{
    free(seen->bits);
    *seen = (struct aerogpu_tables_seen){0};
}

/* Stores in *is_new whether the table in that record was not seen before. Returns 0 or -ENOMEM. */
static int see_table(struct aerogpu_tables_seen *seen, uint32_t record, bool *is_new)
{
    size_t byte = record / 8, bytes = 2 * byte + 64;
    uint8_t bit = (uint8_t)(1u << record % 8);

    if (byte >= seen->bytes) {
        if (array_resize(&seen->bits, bytes, 1) != 0)
            return -ENOMEM;
        memset(seen->bits + seen->bytes, 0, bytes - seen->bytes);
        seen->bytes = bytes;
    }
    *is_new = (seen->bits[byte] & bit) == 0;
    seen->bits[byte] |= bit;
    return 0;
}

static int note_allocs(const struct aerogpu_index *index, uint64_t id, uint32_t record,
                       struct aerogpu_tables_seen *seen, struct problems *problems)
{
    uint64_t offset = index->places[record].offset;
    struct aerogpu_allocs allocs;
    struct aerogpu_blob blob;
    const char *defect = NULL;
    uint32_t found = 0;
    bool is_new = false;
    int status = 0;

    if (!aerogpu_index_blob(index, id, record, &blob, &found))
        defect = "MissingBlob";
    else if (blob.kind != AEROGPU_BLOB_ALLOCS)
        defect = "WrongBlobKind";
    if (defect == NULL) {
        aerogpu_allocs_open(blob.data, blob.size, &allocs);
        status = see_table(seen, found, &is_new);
        if (is_new)
            note_conflicts(&allocs, index->places[found].offset, found, problems);
        if (is_new && allocs.reserved != 0)
            problems_add(problems, PROBLEM_NOTE, index->places[found].offset, found,
                         "allocation table: its header's reserved field is not 0");
        defect = allocs.defect;
    }
    if (defect != NULL)
        problems_add(problems, PROBLEM_ERROR, offset, record,
                     "allocation table in blob %" PRIu64 ": %s", id, defect);
    return status;
}

int aerogpu_lint_submission(const struct aerogpu_index *index, uint32_t number,
                            struct aerogpu_tables_seen *seen, struct problems *problems)
{
    uint32_t place = index->submissions[number];
    struct aerogpu_submission submission;
    struct aerogpu_record record;

    aerogpu_index_record(index, place, &record);
    if (record.type != AEROGPU_RECORD_SUBMISSION || !aerogpu_submission_read(&record, &submission))
        return 0;
    if (submission.record_version != RECORD_VERSION)
        problems_add(problems, PROBLEM_NOTE, record.offset, place,
                     "submission of unknown record version %" PRIu32, submission.record_version);
    if (submission.engine != 0)
        problems_add(problems, PROBLEM_NOTE, record.offset, place,
                     "submission to engine %" PRIu32 ", but there is only engine 0",
                     submission.engine);
    if (submission.allocs_blob == 0)
        return 0;
    return note_allocs(index, submission.allocs_blob, place, seen, problems);
}

#include "formats/aerogpu/notes.h"

#include "formats/aerogpu/abi.h"

#include <inttypes.h>
#include <jansson.h>

enum {
    META_MOST = 1 << 20,
    TABLE_MOST = 128, /* entries that are compared with each other */
    RECORD_VERSION = 1,
};

static void note_header(const struct aerogpu_index *index, struct problems *problems)
{
    const struct aerogpu_header *header = &index->header;

    if (header->flags != 0)
        problems_add(problems, PROBLEM_NOTE, 20, PROBLEM_NOWHERE,
                     "header flags 0x%08" PRIX32 " are not known", header->flags);
    if (header->reserved != 0)
        problems_add(problems, PROBLEM_NOTE, 28, PROBLEM_NOWHERE,
                     "reserved field of the header is 0x%08" PRIX32, header->reserved);
}

static void note_meta(const struct aerogpu_index *index, struct problems *problems)
{
    json_error_t error;
    json_t *meta = NULL;

    if (index->meta_length == 0 || index->meta_length > META_MOST)
        return;
    meta = json_loadb((const char *)index->data + AEROGPU_HEADER, (size_t)index->meta_length,
                      JSON_DISABLE_EOF_CHECK | JSON_ALLOW_NUL, &error);
    if (meta == NULL)
        problems_add(problems, PROBLEM_NOTE, AEROGPU_HEADER, PROBLEM_NOWHERE,
                     "meta JSON does not parse: %s", error.text);
    json_decref(meta);
}

static void note_table(const struct aerogpu_index *index, struct problems *problems)
{
    uint64_t end = index->toc.offset + index->toc.length;

    if (!index->toc.usable)
        return;
    if (end < index->size - AEROGPU_FOOTER)
        problems_add(problems, PROBLEM_NOTE, end, PROBLEM_NOWHERE,
                     "%" PRIu64 " bytes stand between table of contents and footer",
                     index->size - AEROGPU_FOOTER - end);
    for (uint32_t i = 1; i < index->frame_count; i++) {
        const struct aerogpu_toc_entry *entry = &index->frames[i].entry;

        if (index->frames[i - 1].entry.frame_index < entry->frame_index)
            continue;
        problems_add(problems, PROBLEM_NOTE, entry->start, PROBLEM_NOWHERE,
                     "frame_index does not rise from frame %" PRIu32 " to %" PRIu32, i - 1, i);
        return;
    }
}

static void note_records(const struct aerogpu_index *index, struct problems *problems)
{
    struct aerogpu_record record;
    uint64_t flagged = 0;
    uint32_t first = 0;

    for (uint32_t i = 0; i < index->records; i++) {
        aerogpu_index_record(index, i, &record);
        if ((record.flags != 0 || record.reserved != 0) && flagged++ == 0)
            first = i;
    }
    if (flagged > 0)
        problems_add(problems, PROBLEM_NOTE, index->places[first].offset, first,
                     "%" PRIu64 " records have flags or reserved fields that are not 0", flagged);
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

void aerogpu_note_container(const struct aerogpu_index *index, struct problems *problems)
{
    note_header(index, problems);
    note_meta(index, problems);
    note_table(index, problems);
    note_records(index, problems);
    note_blobs(index, problems);
}

/* The same allocation twice, at two addresses. */
static void note_conflicts(const struct aerogpu_allocs *allocs, uint64_t offset, uint32_t record,
                           struct problems *problems)
{
    struct aerogpu_alloc a, b;

    if (allocs->entries > TABLE_MOST)
        return;
    for (uint32_t i = 0; i < allocs->entries; i++) {
        aerogpu_allocs_entry(allocs, i, &a);
        if (a.id == 0 || a.size == 0 || a.gpa > UINT64_MAX - a.size)
            problems_add(problems, PROBLEM_ERROR, offset, record,
                         "allocation table: entry %" PRIu32 " is impossible", i);
        for (uint32_t n = 0; n < i; n++) {
            aerogpu_allocs_entry(allocs, n, &b);
            if (a.id == b.id && a.gpa != b.gpa)
                problems_add(problems, PROBLEM_ERROR, offset, record,
                             "allocation table: alloc_id %" PRIu32 " has two addresses", a.id);
        }
    }
}

static void note_allocs(const struct aerogpu_index *index, uint64_t id, uint32_t record,
                        struct problems *problems)
{
    uint64_t offset = index->places[record].offset;
    struct aerogpu_allocs allocs;
    struct aerogpu_blob blob;
    const char *defect = NULL;
    uint32_t found = 0;

    if (!aerogpu_index_blob(index, id, record, &blob, &found))
        defect = "MissingBlob";
    else if (blob.kind != AEROGPU_BLOB_ALLOCS)
        defect = "WrongBlobKind";
    if (defect == NULL) {
        aerogpu_allocs_open(blob.data, blob.size, &allocs);
        note_conflicts(&allocs, index->places[found].offset, found, problems);
        defect = allocs.defect;
    }
    if (defect != NULL)
        problems_add(problems, PROBLEM_ERROR, offset, record,
                     "allocation table in blob %" PRIu64 ": %s", id, defect);
}

void aerogpu_note_submission(const struct aerogpu_index *index, uint32_t number,
                             struct problems *problems)
{
    uint32_t place = index->submissions[number];
    struct aerogpu_submission submission;
    struct aerogpu_record record;

    aerogpu_index_record(index, place, &record);
    if (record.type != AEROGPU_RECORD_SUBMISSION || !aerogpu_submission_read(&record, &submission))
        return;
    if (submission.record_version != RECORD_VERSION)
        problems_add(problems, PROBLEM_NOTE, record.offset, place,
                     "submission of record version %" PRIu32, submission.record_version);
    if (submission.engine != 0)
        problems_add(problems, PROBLEM_NOTE, record.offset, place,
                     "submission to engine %" PRIu32 ", of which there is none", submission.engine);
    if (submission.allocs_blob != 0)
        note_allocs(index, submission.allocs_blob, place, problems);
}

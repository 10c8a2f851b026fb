/* SPDX-License-Identifier: MIT */
#include "formats/aerogpu/index.h"

#include "base/array.h"
#include "base/bytes.h"
#include "formats/aerogpu/decode/abi.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { CANCEL_EVERY = 4096 };

static const uint8_t toc_begins[8] = "AEROTOC", footer_begins[8] = "AEROGPUF";

/* The state while the index is made. */
struct making {
    struct aerogpu_index *index;
    struct problems *problems;
    const struct cancel *cancel;
    uint64_t max;   /* maximum number of records */
    uint64_t *cuts; /* offsets where frames begin and end, ascending */
    uint32_t cut_count, cut;
    uint64_t end; /* the offset where records end at the latest */
    struct aerogpu_capacity capacity;
};

bool aerogpu_packet_is_stream(const struct aerogpu_record *record)
{
    return record->length >= 4 && bytes_le32(record->payload) == AEROGPU_STREAM_MAGIC;
}

static int compare_offsets(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

    return left < right ? -1 : left > right;
}

/*
 * Collects the offsets beyond which no record extends, the beginnings and ends of frames: the
 * reference reader stops there, too.
 */
static int find_cuts(struct making *making)
{
    const struct aerogpu_index *index = making->index;
    struct aerogpu_toc_entry entry;

    if (!index->toc.usable || index->toc.count == 0)
        return 0;
    making->cuts = malloc((size_t)index->toc.count * 2 * sizeof(*making->cuts));
    if (making->cuts == NULL)
        return -ENOMEM;
    for (uint32_t i = 0; i < index->toc.count; i++) {
        aerogpu_toc_entry(index->data, &index->toc, i, &entry);
        making->cuts[making->cut_count++] = entry.start;
        making->cuts[making->cut_count++] = entry.end;
    }
    qsort(making->cuts, making->cut_count, sizeof(*making->cuts), compare_offsets);
    return 0;
}

static uint64_t next_cut(struct making *making, uint64_t offset)
{
    while (making->cut < making->cut_count && making->cuts[making->cut] <= offset)
        making->cut++;
    return making->cut < making->cut_count ? making->cuts[making->cut] : making->end;
}

static int add_submission(struct aerogpu_index *index, struct aerogpu_capacity *capacity,
                          uint32_t number)
{
    if (ARRAY_GROW(index->submissions, index->submission_count, capacity->submissions) != 0)
        return -ENOMEM;
    index->submissions[index->submission_count++] = number;
    return 0;
}

static int add_blob(struct aerogpu_index *index, struct aerogpu_capacity *capacity,
                    const struct aerogpu_record *record, uint32_t number)
{
    struct aerogpu_blob blob;

    if (!aerogpu_blob_read(record, &blob))
        return 0;
    if (ARRAY_GROW(index->blobs, index->blob_count, capacity->blobs) != 0)
        return -ENOMEM;
    index->blobs[index->blob_count++] =
        (struct aerogpu_blob_place){.id = blob.id, .record = number};
    if (blob.id > index->last_blob_id)
        index->last_blob_id = blob.id;
    return index->map != NULL ? aerogpu_blob_map_add(index->map, blob.id, number) : 0;
}

int aerogpu_index_add(struct aerogpu_index *index, struct aerogpu_capacity *capacity,
                      const struct aerogpu_record *record)
{
    uint32_t number = index->records;
    bool known = record->type <= AEROGPU_RECORD_SUBMISSION;

    if (ARRAY_GROW(index->places, number, capacity->places) != 0)
        return -ENOMEM;
    index->places[index->records++] = (struct aerogpu_place){
        .offset = record->offset, .length = record->length, .frame = AEROGPU_NONE};
    index->types[known ? record->type : 0]++;
    if (record->type == AEROGPU_RECORD_BLOB)
        return add_blob(index, capacity, record, number);
    if (record->type == AEROGPU_RECORD_SUBMISSION ||
        (record->type == AEROGPU_RECORD_PACKET && aerogpu_packet_is_stream(record)))
        return add_submission(index, capacity, number);
    return 0;
}

static int note_record(struct making *making, const struct aerogpu_record *record)
{
    if (record->length < record->claimed)
        problems_add(making->problems, PROBLEM_ERROR, record->offset, making->index->records,
                     "payload is cut off, %" PRIu32 " of %" PRIu32 " bytes present", record->length,
                     record->claimed);
    return aerogpu_index_add(making->index, &making->capacity, record);
}

/*
 * Returns whether a table or footer begins at `offset`, where records end whatever the footer says.
 */
static bool ends_records(const struct making *making, uint64_t offset)
{
    const uint8_t *p = making->index->data + offset;

    return memcmp(p, toc_begins, sizeof(toc_begins)) == 0 ||
           memcmp(p, footer_begins, sizeof(footer_begins)) == 0;
}

/*
 * Takes one record, or skips bytes that are not a record. Returns 0, -ENOENT at the end, or
 * -ENOMEM.
 */
static int step(struct making *making, uint64_t *offset)
{
    const struct aerogpu_index *index = making->index;
    uint64_t limit = next_cut(making, *offset);
    struct aerogpu_record record;
    int status = 0;

    if (!aerogpu_record_read(index->data, *offset, limit, &record)) {
        if (limit > *offset)
            problems_add(making->problems, PROBLEM_ERROR, *offset, PROBLEM_NOWHERE,
                         "%" PRIu64 " bytes are not a record", limit - *offset);
        *offset = limit;
        return limit < making->end ? 0 : -ENOENT;
    }
    if (!index->toc.usable && ends_records(making, *offset))
        return -ENOENT;
    if (record.length < record.claimed &&
        (record.type == 0 || record.type > AEROGPU_RECORD_SUBMISSION)) {
        problems_add(making->problems, PROBLEM_ERROR, *offset, PROBLEM_NOWHERE,
                     "these bytes are not a record");
        *offset = limit;
        return limit < making->end ? 0 : -ENOENT;
    }
    status = note_record(making, &record);
    *offset += AEROGPU_RECORD_HEADER + (uint64_t)record.length;
    return status;
}

static int scan_records(struct making *making)
{
    struct aerogpu_index *index = making->index;
    uint64_t offset = AEROGPU_HEADER + index->meta_length;
    int status = 0;

    while (status == 0 && offset < making->end) {
        if (index->records % CANCEL_EVERY == 0 && cancel_requested(making->cancel))
            return -EINTR;
        if (index->records >= making->max) {
            problems_add(
                making->problems, PROBLEM_ERROR, offset, PROBLEM_NOWHERE,
                "there are more records than max-memory allows to index: the rest is ignored");
            break;
        }
        status = step(making, &offset);
    }
    return status == -ENOENT ? 0 : status;
}

/* Returns the first record at or after an offset. */
static uint32_t record_at(const struct aerogpu_index *index, uint64_t offset)
{
    uint32_t low = 0, high = index->records;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (index->places[middle].offset < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static uint8_t type_of(const struct aerogpu_index *index, uint32_t record)
{
    return index->data[index->places[record].offset];
}

uint32_t aerogpu_index_word(const struct aerogpu_index *index, uint32_t record)
{
    const struct aerogpu_place *place = &index->places[record];

    return place->length >= 4 ? bytes_le32(index->data + place->offset + AEROGPU_RECORD_HEADER) : 0;
}

/*
 * Returns the first record from `record` on that is in no frame yet. Compresses paths, so that any
 * number of taken records is skipped in about one step.
 */
static uint32_t skip_taken(uint32_t *free_from, uint32_t record)
{
    while (free_from[record] != record) {
        free_from[record] = free_from[free_from[record]];
        record = free_from[record];
    }
    return record;
}

/*
 * Assigns the records of one entry of the table to its frame. Records that an earlier frame has
 * remain in that frame.
 */
static void take_records(struct making *making, uint32_t number, uint32_t *free_from)
{
    struct aerogpu_index *index = making->index;
    struct aerogpu_frame *frame = &index->frames[number];
    uint32_t wanted = record_at(index, frame->entry.start);
    uint32_t end = record_at(index, frame->entry.end);

    frame->first = skip_taken(free_from, wanted);
    for (frame->end = frame->first; frame->end < end; frame->end++) {
        if (free_from[frame->end] != frame->end)
            break;
        free_from[frame->end] = frame->end + 1;
        index->places[frame->end].frame = number;
        if (type_of(index, frame->end) == AEROGPU_RECORD_PRESENT)
            frame->present = true;
    }
    if (frame->first != wanted || frame->end < end)
        problems_add(making->problems, PROBLEM_ERROR, frame->entry.start, PROBLEM_NOWHERE,
                     "frame %" PRIu32 " overlaps an earlier one, which keeps the records", number);
}

static int frames_of_table(struct making *making)
{
    struct aerogpu_index *index = making->index;
    uint32_t *free_from = malloc(((size_t)index->records + 1) * sizeof(*free_from));

    index->frames = calloc((size_t)index->toc.count + 1, sizeof(*index->frames));
    if (free_from == NULL || index->frames == NULL) {
        free(free_from);
        return -ENOMEM;
    }
    for (uint32_t i = 0; i <= index->records; i++)
        free_from[i] = i;
    index->frame_count = index->toc.count;
    for (uint32_t i = 0; i < index->frame_count; i++) {
        aerogpu_toc_entry(index->data, &index->toc, i, &index->frames[i].entry);
        take_records(making, i, free_from);
    }
    free(free_from);
    return 0;
}

/* A frame that is being rebuilt from its marks. */
struct rebuilding {
    size_t capacity;
    bool open, begun, busy; /* it has records; has a BeginFrame; has something to execute */
};

static int open_frame(struct aerogpu_index *index, struct rebuilding *rebuilding, uint32_t record)
{
    uint32_t number = index->frame_count;

    if (ARRAY_GROW(index->frames, number, rebuilding->capacity) != 0)
        return -ENOMEM;
    index->frames[number] = (struct aerogpu_frame){
        .entry = {.frame_index = number, .start = index->places[record].offset},
        .first = record,
    };
    index->frame_count = number + 1;
    rebuilding->open = true;
    rebuilding->begun = rebuilding->busy = false;
    return 0;
}

static void close_frame(struct aerogpu_index *index, struct rebuilding *rebuilding, uint32_t end)
{
    struct aerogpu_frame *frame = &index->frames[index->frame_count - 1];
    const struct aerogpu_place *last = &index->places[end - 1];

    frame->end = end;
    frame->entry.end = last->offset + AEROGPU_RECORD_HEADER + last->length;
    for (uint32_t i = frame->first; i < end; i++)
        index->places[i].frame = index->frame_count - 1;
    rebuilding->open = false;
}

/*
 * Adds a record to the frame being rebuilt. A frame goes from its BeginFrame, or from the end of
 * the last frame, to its Present.
 */
static int rebuild_record(struct aerogpu_index *index, struct rebuilding *rebuilding,
                          uint32_t record)
{
    uint8_t type = type_of(index, record);
    struct aerogpu_frame *frame = NULL;
    int status = 0;

    if (type == AEROGPU_RECORD_BEGIN && rebuilding->open && (rebuilding->begun || rebuilding->busy))
        close_frame(index, rebuilding, record);
    if (!rebuilding->open)
        status = open_frame(index, rebuilding, record);
    if (status != 0)
        return status;
    frame = &index->frames[index->frame_count - 1];
    if (type == AEROGPU_RECORD_BEGIN) {
        rebuilding->begun = true;
        frame->entry.frame_index = aerogpu_index_word(index, record);
    } else if (type == AEROGPU_RECORD_PRESENT) {
        frame->present = true;
        frame->entry.present = index->places[record].offset;
        if (!rebuilding->begun)
            frame->entry.frame_index = aerogpu_index_word(index, record);
        close_frame(index, rebuilding, record + 1);
    } else if (type != AEROGPU_RECORD_BLOB) {
        rebuilding->busy = true;
    }
    return 0;
}

static int rebuild_frames(struct making *making)
{
    struct aerogpu_index *index = making->index;
    struct rebuilding rebuilding = {0};

    index->rebuilt = true;
    for (uint32_t i = 0; i < index->records; i++) {
        int status = rebuild_record(index, &rebuilding, i);

        if (status != 0)
            return status;
    }
    if (rebuilding.open && (rebuilding.begun || rebuilding.busy))
        close_frame(index, &rebuilding, index->records);
    else if (rebuilding.open)
        index->frame_count--;
    return 0;
}

static int compare_blobs(const void *a, const void *b)
{
    const struct aerogpu_blob_place *left = a, *right = b;

    if (left->id != right->id)
        return left->id < right->id ? -1 : 1;
    if (left->frame != right->frame)
        return left->frame < right->frame ? -1 : 1;
    return left->record < right->record ? -1 : left->record > right->record;
}

static void sort_blobs(struct aerogpu_index *index)
{
    for (uint32_t i = 0; i < index->blob_count; i++)
        index->blobs[i].frame = index->places[index->blobs[i].record].frame;
    if (index->blob_count > 1)
        qsort(index->blobs, index->blob_count, sizeof(*index->blobs), compare_blobs);
}

uint32_t aerogpu_index_submission(const struct aerogpu_index *index, uint32_t record)
{
    uint32_t low = 0, high = index->submission_count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (index->submissions[middle] < record)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint32_t aerogpu_index_submission_at(const struct aerogpu_index *index, uint32_t record)
{
    uint32_t found = aerogpu_index_submission(index, record);

    return found < index->submission_count && index->submissions[found] == record ? found
                                                                                  : AEROGPU_NONE;
}

static void find_submissions(struct aerogpu_index *index)
{
    for (uint32_t i = 0; i < index->frame_count; i++) {
        struct aerogpu_frame *frame = &index->frames[i];

        frame->first_submission = aerogpu_index_submission(index, frame->first);
        frame->submissions_end = aerogpu_index_submission(index, frame->end);
    }
}

void aerogpu_index_check(struct aerogpu_index *index, uint32_t number, struct problems *problems)
{
    struct aerogpu_verdict verdict;
    struct aerogpu_record record;
    struct text text = TEXT_INIT;

    aerogpu_index_record(index, number, &record);
    aerogpu_record_check(&record, index->header.version, &verdict);
    if (verdict.kind == AEROGPU_VERDICT_OK)
        return;
    if (index->verdict.kind == AEROGPU_VERDICT_OK && index->places[number].frame != AEROGPU_NONE)
        index->verdict = verdict;
    aerogpu_verdict_write(&verdict, &text);
    problems_add(problems, PROBLEM_WARNING, record.offset, number, "%.*s", (int)text.length,
                 text.bytes != NULL ? text.bytes : "");
    text_clear(&text);
}

static void report_verdict(const struct making *making)
{
    struct text text = TEXT_INIT;

    aerogpu_verdict_write(&making->index->verdict, &text);
    if (making->index->verdict.kind != AEROGPU_VERDICT_OK)
        problems_add(making->problems, PROBLEM_ERROR, making->index->verdict.offset,
                     PROBLEM_NOWHERE, "%.*s: frames are rebuilt from their marks", (int)text.length,
                     text.bytes != NULL ? text.bytes : "");
    text_clear(&text);
}

static void note_outside(const struct making *making)
{
    const struct aerogpu_index *index = making->index;
    uint32_t outside = 0, first = AEROGPU_NONE;

    for (uint32_t i = 0; i < index->records; i++)
        if (index->places[i].frame == AEROGPU_NONE && outside++ == 0)
            first = i;
    if (outside > 0)
        problems_add(making->problems, PROBLEM_NOTE, index->places[first].offset, first,
                     "%" PRIu32 " records are outside of all frames, and are not executed",
                     outside);
}

static int make_index(struct making *making)
{
    struct aerogpu_index *index = making->index;
    uint64_t held = index->size - AEROGPU_HEADER;
    int status = 0;

    aerogpu_trace_check(index->data, index->size, &index->toc, &index->verdict);
    report_verdict(making);
    index->meta_length = index->header.meta_length < held ? index->header.meta_length : held;
    making->end = aerogpu_records_end(index->data, index->size, &index->toc);
    status = find_cuts(making);
    if (status == 0)
        status = scan_records(making);
    if (status == 0)
        status = index->toc.usable ? frames_of_table(making) : rebuild_frames(making);
    if (status != 0)
        return status;
    sort_blobs(index);
    find_submissions(index);
    for (uint32_t i = 0; i < index->records; i++)
        aerogpu_index_check(index, i, making->problems);
    note_outside(making);
    return 0;
}

int aerogpu_index_open(const uint8_t *data, uint64_t size, uint64_t max_memory,
                       struct problems *problems, const struct cancel *cancel,
                       struct aerogpu_index *out)
{
    struct making making = {.index = out, .problems = problems, .cancel = cancel};
    int status = 0;

    *out = (struct aerogpu_index){.data = data, .size = size};
    aerogpu_header_read(data, size, &out->header);
    making.max = max_memory / AEROGPU_RECORD_COST < AEROGPU_NONE - 1
                     ? max_memory / AEROGPU_RECORD_COST
                     : AEROGPU_NONE - 1;
    status = make_index(&making);
    free(making.cuts);
    if (status != 0)
        aerogpu_index_close(out);
    return status;
}

void aerogpu_index_close(struct aerogpu_index *index)
{
    free(index->places);
    free(index->frames);
    free(index->blobs);
    free(index->submissions);
    *index = (struct aerogpu_index){0};
}

void aerogpu_index_record(const struct aerogpu_index *index, uint32_t number,
                          struct aerogpu_record *out)
{
    const struct aerogpu_place *place = &index->places[number];

    aerogpu_record_read(index->data, place->offset,
                        place->offset + AEROGPU_RECORD_HEADER + place->length, out);
}

/* Returns the index of the first blob that is not before (id, frame, record). */
static uint32_t blob_bound(const struct aerogpu_index *index, uint64_t id, uint32_t frame,
                           uint32_t record)
{
    const struct aerogpu_blob_place wanted = {.id = id, .frame = frame, .record = record};
    uint32_t low = 0, high = index->blob_count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (compare_blobs(&index->blobs[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint32_t aerogpu_index_blob_of(const struct aerogpu_index *index, uint64_t id, uint32_t record)
{
    return blob_bound(index, id, index->places[record].frame, record);
}

static bool find_blob(const struct aerogpu_index *index, uint64_t id, uint32_t user,
                      uint32_t *record)
{
    uint32_t bound;

    if (index->map != NULL)
        return aerogpu_blob_map_find(index->map, id, user, record);
    bound = blob_bound(index, id, index->places[user].frame, user);
    if (bound == 0 || index->blobs[bound - 1].id != id)
        return false;
    *record = index->blobs[bound - 1].record;
    return true;
}

bool aerogpu_index_blob(const struct aerogpu_index *index, uint64_t id, uint32_t user,
                        struct aerogpu_blob *out, uint32_t *record)
{
    struct aerogpu_record found;

    if (!find_blob(index, id, user, record))
        return false;
    aerogpu_index_record(index, *record, &found);
    return aerogpu_blob_read(&found, out);
}

bool aerogpu_index_packet(const struct aerogpu_index *index, const struct aerogpu_record *record,
                          struct aerogpu_command *command, struct aerogpu_error *error)
{
    return aerogpu_packet_read(record->payload, record->length, index->header.abi_version, command,
                               error);
}

const char *aerogpu_index_stream(const struct aerogpu_index *index, uint32_t number,
                                 const uint8_t **bytes, uint64_t *size)
{
    struct aerogpu_submission submission;
    struct aerogpu_record record;
    struct aerogpu_blob blob;
    uint32_t found = 0;

    *bytes = NULL;
    *size = 0;
    aerogpu_index_record(index, index->submissions[number], &record);
    if (record.type == AEROGPU_RECORD_PACKET) {
        *bytes = record.payload;
        *size = record.length;
        return NULL;
    }
    if (!aerogpu_submission_read(&record, &submission))
        return "RecordOutOfBounds";
    if (!aerogpu_index_blob(index, submission.stream_blob, index->submissions[number], &blob,
                            &found))
        return "MissingBlob";
    if (blob.kind != AEROGPU_BLOB_STREAM)
        return "WrongBlobKind";
    *bytes = blob.data;
    *size = blob.size;
    return NULL;
}

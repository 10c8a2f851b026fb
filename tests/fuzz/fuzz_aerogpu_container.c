/* SPDX-License-Identifier: MIT */
/*
 * AeroGPU traces up to the point where they can be listed: the container, the index, the reports of
 * defects, and the walk over all command streams. Nothing is drawn, and no tree is created.
 */
#include "config.h"

#include "formats/aerogpu/scan_make.h"

#include <jansson.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MEMORY = 1 << 20, WIDTH = 64, HEIGHT = 48 };

static const struct aerogpu_limits limits = {
    .back_width = WIDTH, .back_height = HEIGHT, .budget = 4 * MEMORY};

static void expect(bool true_here)
{
    if (!true_here)
        abort();
}

static void expect_inside(const uint8_t *bytes, uint64_t length, const struct aerogpu_index *index)
{
    expect(length == 0 || (bytes >= index->data && length <= index->size &&
                           (uint64_t)(bytes - index->data) <= index->size - length));
}

static void check_submission(const struct aerogpu_index *index, uint32_t number,
                             struct aerogpu_tables_seen *seen, struct problems *problems)
{
    struct aerogpu_record record;
    struct aerogpu_submission submission;
    struct aerogpu_range range;
    const uint8_t *bytes = NULL;
    uint64_t size = 0;

    (void)aerogpu_lint_submission(index, number, seen, problems);
    if (aerogpu_index_stream(index, number, &bytes, &size) == NULL)
        expect_inside(bytes, size, index);
    aerogpu_index_record(index, index->submissions[number], &record);
    if (record.type != AEROGPU_RECORD_SUBMISSION || !aerogpu_submission_read(&record, &submission))
        return;
    for (uint32_t n = 0; n < submission.ranges; n++)
        aerogpu_range_read(&submission, n, &range);
}

static void check_records(const struct aerogpu_index *index, struct problems *problems)
{
    struct aerogpu_record record;
    struct aerogpu_blob blob;
    struct aerogpu_allocs allocs;
    struct aerogpu_alloc alloc;
    struct aerogpu_tables_seen seen = {NULL, 0};

    for (uint32_t number = 0; number < index->records; number++) {
        aerogpu_index_record(index, number, &record);
        expect_inside(record.payload, record.length, index);
        aerogpu_index_check((struct aerogpu_index *)index, number, problems);
        if (record.type != AEROGPU_RECORD_BLOB || !aerogpu_blob_read(&record, &blob))
            continue;
        expect_inside(blob.data, blob.size, index);
        aerogpu_allocs_open(blob.data, blob.size, &allocs);
        for (uint32_t n = 0; n < allocs.entries; n++)
            aerogpu_allocs_entry(&allocs, n, &alloc);
    }
    for (uint32_t n = 0; n < index->submission_count; n++)
        check_submission(index, n, &seen, problems);
    aerogpu_tables_seen_clear(&seen);
}

static void check_frames(const struct aerogpu_index *index)
{
    for (uint32_t frame = 0; frame < index->frame_count; frame++)
        expect(index->frames[frame].first <= index->frames[frame].end &&
               index->frames[frame].end <= index->records &&
               index->frames[frame].submissions_end <= index->submission_count);
}

static void check_meta(const struct aerogpu_index *index)
{
    json_error_t error;
    json_t *meta = NULL;

    (void)aerogpu_meta_parse(index->data, index->meta_length, &meta, &error);
    json_decref(meta);
}

static void check_scan(const struct aerogpu_index *index, struct problems *problems)
{
    const struct aerogpu_scan_params params = {.limits = &limits, .max_memory = MEMORY};
    struct aerogpu_command command;
    struct aerogpu_scan scan;

    if (aerogpu_scan_make(index, &params, problems, NULL, &scan) < 0)
        return;
    for (uint32_t n = 0; n < index->submission_count; n++)
        if (scan.streams[n].commands > 0)
            expect(aerogpu_scan_command(index, &scan, n, scan.streams[n].commands - 1, &command));
    aerogpu_scan_clear(&scan);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct aerogpu_header header;
    struct problems *problems = NULL;
    struct aerogpu_index index;

    if (!aerogpu_header_read(data, size, &header) || !aerogpu_header_known(&header) ||
        problems_create(&problems) < 0)
        return 0;
    if (aerogpu_index_open(data, size, MEMORY, problems, NULL, &index) == 0) {
        aerogpu_lint_container(&index, problems);
        check_records(&index, problems);
        check_frames(&index);
        check_meta(&index);
        check_scan(&index, problems);
        aerogpu_index_close(&index);
    }
    problems_destroy(&problems);
    return 0;
}

/* SPDX-License-Identifier: MIT */
#include "../examples/trace_writer.h"
#include "examples/trace_writer.h"
#include "formats/aerogpu/index.h"
#include "formats/aerogpu/scan_make.h"

#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

enum { FOOTER = 32 };

/* Writes a trace of two frames, with one submission each. */
static void make_trace(struct trace_writer *writer, uint32_t version)
{
    struct trace_stream stream;

    trace_begin(writer, version);
    for (int i = 0; i < 2; i++) {
        trace_begin_frame(writer);
        trace_stream_begin(&stream);
        trace_clear(&stream, 1, 0, 0, 1);
        trace_present(&stream);
        trace_submit(writer, &stream, NULL, 0);
        trace_stream_free(&stream);
        trace_end_frame(writer);
    }
    trace_end(writer);
}

static char *verdict_of(const uint8_t *data, uint64_t size)
{
    struct aerogpu_verdict verdict;
    struct text text = TEXT_INIT;
    struct aerogpu_toc toc;

    aerogpu_trace_check(data, size, &toc, &verdict);
    aerogpu_verdict_write(&verdict, &text);
    text_add_char(&text, '\0');
    assert_int_equal(text_status(&text), 0);
    return text.bytes;
}

static void expect_verdict(const uint8_t *data, uint64_t size, const char *expected)
{
    char *verdict = verdict_of(data, size);

    assert_memory_equal(verdict, expected, strlen(expected));
    free(verdict);
}

static void test_no_trace(void **state)
{
    struct aerogpu_header header;
    struct aerogpu_record record;

    (void)state;
    assert_false(aerogpu_magic_is(NULL, 0));
    assert_false(aerogpu_header_read((const uint8_t *)"AEROGPUT", 8, &header));
    assert_false(aerogpu_record_read((const uint8_t *)"1234567", 0, 7, &record));
    expect_verdict(NULL, 0, "Io(UnexpectedEof)");
    expect_verdict((const uint8_t *)"AEROGPUT", 8, "Io(UnexpectedEof)");
    expect_verdict((const uint8_t *)"AEROGPUX", 8, "InvalidMagic");
}

struct mutation {
    size_t from_end; /* 0: `offset` counts from the beginning */
    size_t offset;
    uint32_t value;
    const char *verdict;
};

static size_t place_of(const struct mutation *mutation, size_t size)
{
    return mutation->from_end != 0 ? size - mutation->from_end : mutation->offset;
}

/*
 * The checks of the reference, one after the other; the table of two entries is 80 bytes before the
 * footer.
 */
static void test_verdicts(void **state)
{
    static const struct mutation mutations[] = {
        {0, 0, 0, "InvalidMagic at 0x00000000"},
        {0, 8, 64, "UnsupportedHeaderSize(64) at 0x00000008"},
        {0, 12, 0, "UnsupportedContainerVersion(0)"},
        {0, 12, 3, "UnsupportedContainerVersion(3)"},
        {0, 24, 0xFFFFFFFF, "RecordOutOfBounds"},
        {FOOTER, 0, 0, "InvalidMagic"},
        {FOOTER - 8, 0, 0, "UnsupportedFooterSize(0)"},
        {FOOTER - 12, 0, 1, "UnsupportedContainerVersion(1)"},
        {16, 0, 0x00FFFFFF, "TocOutOfBounds"},
        {8, 0, 47, "TocOutOfBounds"},
        {8, 0, 15, "TocOutOfBounds"},
        {FOOTER + 80, 0, 0, "InvalidMagic"},
        {FOOTER + 72, 0, 9, "UnsupportedTocVersion(9)"},
        {FOOTER + 68, 0, 3, "TocOutOfBounds"},
        {FOOTER + 56, 0, 1, "TocOutOfBounds"},
        {FOOTER + 40, 0, 0x00FFFFFF, "TocOutOfBounds"},
        {FOOTER + 48, 0, 1, "TocOutOfBounds"},
    };
    struct trace_writer writer;

    (void)state;
    make_trace(&writer, 2);
    expect_verdict(writer.bytes.data, writer.bytes.size, "ok");
    for (size_t i = 0; i < COUNT_OF(mutations); i++) {
        size_t at = place_of(&mutations[i], writer.bytes.size);
        uint8_t kept[4];

        memcpy(kept, writer.bytes.data + at, 4);
        trace_bytes_put_u32(&writer.bytes, at, mutations[i].value);
        expect_verdict(writer.bytes.data, writer.bytes.size, mutations[i].verdict);
        memcpy(writer.bytes.data + at, kept, 4);
    }
    expect_verdict(writer.bytes.data, writer.bytes.size - 1, "InvalidMagic");
    trace_free(&writer);
}

struct opened {
    struct problems *problems;
    struct aerogpu_index index;
};

static void open_index(struct opened *opened, const uint8_t *data, uint64_t size)
{
    assert_int_equal(problems_create(&opened->problems), 0);
    assert_int_equal(
        aerogpu_index_open(data, size, UINT64_C(1) << 30, opened->problems, NULL, &opened->index),
        0);
    aerogpu_lint_container(&opened->index, opened->problems);
}

static void close_index(struct opened *opened)
{
    aerogpu_index_close(&opened->index);
    problems_destroy(&opened->problems);
}

static void expect_frames(const uint8_t *data, uint64_t size, uint32_t frames, uint32_t records)
{
    struct opened opened;

    open_index(&opened, data, size);
    assert_int_equal(opened.index.frame_count, frames);
    assert_int_equal(opened.index.records, records);
    close_index(&opened);
}

/* Whatever is wrong at the end, the marks give the same frames. */
static void test_frames_are_rebuilt(void **state)
{
    static const size_t from_end[] = {FOOTER, FOOTER - 8,  FOOTER - 12, 16,
                                      8,      FOOTER + 80, FOOTER + 72, FOOTER + 68};
    struct trace_writer writer;

    (void)state;
    make_trace(&writer, 2);
    expect_frames(writer.bytes.data, writer.bytes.size, 2, 8);
    expect_frames(writer.bytes.data, writer.bytes.size - 1, 2, 8);
    for (size_t i = 0; i < COUNT_OF(from_end); i++) {
        size_t at = writer.bytes.size - from_end[i];
        uint8_t kept[4];

        memcpy(kept, writer.bytes.data + at, 4);
        trace_bytes_put_u32(&writer.bytes, at, 0x40);
        expect_frames(writer.bytes.data, writer.bytes.size, 2, 8);
        memcpy(writer.bytes.data + at, kept, 4);
    }
    trace_free(&writer);
}

static void test_cut_anywhere(void **state)
{
    struct trace_writer writer;

    (void)state;
    make_trace(&writer, 2);
    for (size_t size = AEROGPU_HEADER; size < writer.bytes.size; size++) {
        uint8_t *copy = malloc(size); /* allocated exactly, so that reading beyond is found */
        struct opened opened;

        assert_non_null(copy);
        memcpy(copy, writer.bytes.data, size);
        open_index(&opened, copy, size);
        assert_in_range(opened.index.frame_count, 0, 2);
        close_index(&opened);
        free(copy);
    }
    trace_free(&writer);
}

/* Records of overlapping frames belong to the first frame. */
static void test_overlapping_frames(void **state)
{
    struct trace_writer writer;
    struct opened opened;
    size_t second;

    (void)state;
    make_trace(&writer, 2);
    second = writer.bytes.size - FOOTER - 32;
    memcpy(writer.bytes.data + second, writer.bytes.data + second - 32, 32);
    open_index(&opened, writer.bytes.data, writer.bytes.size);
    assert_int_equal(opened.index.verdict.kind, AEROGPU_VERDICT_OK);
    assert_int_equal(opened.index.frames[0].end - opened.index.frames[0].first, 4);
    assert_int_equal(opened.index.frames[1].end, opened.index.frames[1].first);
    assert_int_equal(opened.index.places[4].frame, AEROGPU_NONE);
    assert_true(problems_any(opened.problems, PROBLEM_ERROR));
    close_index(&opened);
    trace_free(&writer);
}

static void submit_blob(struct trace_writer *writer, uint64_t id)
{
    const size_t length = 56;
    size_t at = writer->bytes.size;

    trace_bytes_add_u32(&writer->bytes, AEROGPU_RECORD_SUBMISSION);
    trace_bytes_add_u32(&writer->bytes, (uint32_t)length);
    for (size_t i = 0; i < length; i += 4)
        trace_bytes_add_u32(&writer->bytes, 0);
    trace_bytes_put_u32(&writer->bytes, at + 8, 1);
    trace_bytes_put_u32(&writer->bytes, at + 12, (uint32_t)length);
    trace_bytes_put_u32(&writer->bytes, at + 8 + 32, (uint32_t)id);
}

/*
 * Of frames whose order in the table is not that of the file, those commands are counted that are
 * executed: submissions may walk 64 MiB.
 */
static void test_frames_out_of_order(void **state)
{
    enum { MIB = 1 << 20, SUBMISSIONS = 60, EXECUTED = 64, ENTRY = 32 };
    static const struct aerogpu_limits limits = {.back_width = 8, .back_height = 8, .budget = MIB};
    const struct aerogpu_scan_params params = {.limits = &limits, .max_memory = MIB};
    uint8_t *commands = calloc(1, MIB), kept[ENTRY], *table;
    struct aerogpu_scan scan;
    struct trace_writer writer;
    struct opened opened;

    (void)state;
    assert_non_null(commands);
    memcpy(commands, "ACMD", 4);
    bytes_put_le32(commands + 4, 0x00010004);
    bytes_put_le32(commands + 8, MIB);
    bytes_put_le32(commands + 28, MIB - 24); /* of a NOP */
    trace_begin(&writer, 2);
    for (int frame = 0; frame < 2; frame++) {
        trace_begin_frame(&writer);
        if (frame == 1)
            trace_blob(&writer, 0x100, commands, MIB);
        for (int i = 0; i < SUBMISSIONS; i++)
            submit_blob(&writer, 1);
        trace_end_frame(&writer);
    }
    free(commands);
    trace_end(&writer);
    table = writer.bytes.data + writer.bytes.size - FOOTER - 2 * ENTRY;
    memcpy(kept, table, ENTRY);
    memmove(table, table + ENTRY, ENTRY);
    memcpy(table + ENTRY, kept, ENTRY);
    open_index(&opened, writer.bytes.data, writer.bytes.size);
    assert_int_equal(opened.index.verdict.kind, AEROGPU_VERDICT_OK);
    assert_int_equal(aerogpu_scan_make(&opened.index, &params, opened.problems, NULL, &scan), 0);
    assert_int_equal(scan.ticks, EXECUTED);
    assert_int_equal(scan.commands, EXECUTED);
    for (int i = 0; i < 2 * SUBMISSIONS; i++)
        assert_int_equal(scan.streams[i].commands, i < EXECUTED - SUBMISSIONS || i >= SUBMISSIONS);
    aerogpu_scan_clear(&scan);
    close_index(&opened);
    trace_free(&writer);
}

/*
 * A frame that an earlier entry of the table interrupts keeps only its records before that; the
 * others are in no frame, and both is reported.
 */
static void test_interrupted_frame(void **state)
{
    enum { ENTRY = 32, RECORDS = 4 };
    struct trace_writer writer;
    struct opened opened;
    uint8_t *table;

    (void)state;
    make_trace(&writer, 2);
    table = writer.bytes.data + writer.bytes.size - FOOTER - 2 * ENTRY;
    /* The first entry is the last record of the first frame; the second is everything. */
    memcpy(table + ENTRY + 8, table + 8, 8);
    memcpy(table + 8, table + 16, 8);
    open_index(&opened, writer.bytes.data, writer.bytes.size);
    assert_int_equal(opened.index.verdict.kind, AEROGPU_VERDICT_OK);
    assert_int_equal(opened.index.records, 2 * RECORDS);
    assert_int_equal(opened.index.frames[0].first, RECORDS - 1);
    assert_int_equal(opened.index.frames[0].end, RECORDS);
    assert_int_equal(opened.index.frames[1].first, 0);
    assert_int_equal(opened.index.frames[1].end, RECORDS - 1);
    for (uint32_t i = RECORDS; i < 2 * RECORDS; i++)
        assert_int_equal(opened.index.places[i].frame, AEROGPU_NONE);
    assert_true(problems_any(opened.problems, PROBLEM_ERROR));
    close_index(&opened);
    trace_free(&writer);
}

/* The last definition before a use applies, and none outside of frames does. */
static void test_blobs_by_id(void **state)
{
    struct trace_writer writer;
    struct aerogpu_blob blob;
    struct opened opened;
    uint32_t record = 0;

    (void)state;
    trace_begin(&writer, 2);
    trace_blob(&writer, 1, "outside", 7);
    trace_begin_frame(&writer);
    writer.blobs = 0;
    trace_blob(&writer, 1, "first", 5);
    trace_packet(&writer, "user", 4);
    writer.blobs = 0;
    trace_blob(&writer, 1, "second", 6);
    trace_packet(&writer, "user", 4);
    trace_end_frame(&writer);
    trace_end(&writer);
    open_index(&opened, writer.bytes.data, writer.bytes.size);
    assert_false(aerogpu_index_blob(&opened.index, 1, 1, &blob, &record));
    assert_false(aerogpu_index_blob(&opened.index, 2, 5, &blob, &record));
    assert_true(aerogpu_index_blob(&opened.index, 1, 3, &blob, &record));
    assert_memory_equal(blob.data, "first", 5);
    assert_true(aerogpu_index_blob(&opened.index, 1, 5, &blob, &record));
    assert_memory_equal(blob.data, "second", 6);
    assert_int_equal(record, 4);
    close_index(&opened);
    trace_free(&writer);
}

static void test_version_1_has_no_submissions(void **state)
{
    struct trace_writer writer;
    struct opened opened;

    (void)state;
    make_trace(&writer, 1);
    open_index(&opened, writer.bytes.data, writer.bytes.size);
    assert_int_equal(opened.index.verdict.kind, AEROGPU_VERDICT_UNKNOWN_RECORD);
    assert_int_equal(opened.index.submission_count, 2);
    close_index(&opened);
    trace_free(&writer);
}

static void expect_problem(struct problems *problems, const char *part)
{
    struct text text = TEXT_INIT;

    problems_write(problems, &text);
    text_add_char(&text, '\0');
    if (strstr(text.bytes, part) == NULL)
        fail_msg("%s is not in:\n%s", part, text.bytes);
    text_clear(&text);
}

/* Nothing that the reference would reject */
static void test_unusual_traces(void **state)
{
    struct trace_writer writer;
    struct opened opened;

    (void)state;
    trace_begin(&writer, 2);
    trace_bytes_put_u32(&writer.bytes, 20, 5);
    writer.bytes.data[AEROGPU_HEADER] = '[';
    trace_begin_frame(&writer);
    trace_blob(&writer, 1, "one", 3);
    writer.blobs = 0;
    writer.bytes.data[writer.frame_begin + 1] = 1;
    trace_blob(&writer, 1, "two", 3);
    trace_end_frame(&writer);
    trace_begin_frame(&writer);
    trace_end_frame(&writer);
    trace_bytes_put_u32(&writer.toc, 32, 0);
    trace_end(&writer);
    open_index(&opened, writer.bytes.data, writer.bytes.size);
    assert_int_equal(opened.index.verdict.kind, AEROGPU_VERDICT_OK);
    assert_false(problems_any(opened.problems, PROBLEM_WARNING));
    expect_problem(opened.problems, "header flags 0x00000005");
    expect_problem(opened.problems, "meta JSON does not parse");
    expect_problem(opened.problems, "blob id 1 is defined again");
    expect_problem(opened.problems, "1 records have flags");
    expect_problem(opened.problems, "frame_index does not count up from 0: frame 1 has 0");
    close_index(&opened);
    trace_free(&writer);
}

/* Checks a trace of one frame without records, with this meta JSON. */
static void expect_of_meta(const char *meta, const char *problem)
{
    struct trace_writer writer = {.version = 2};
    struct opened opened;

    trace_bytes_add(&writer.bytes, "AEROGPUT", 8);
    for (int i = 0; i < 6; i++)
        trace_bytes_add_u32(&writer.bytes, 0);
    trace_bytes_put_u32(&writer.bytes, 8, AEROGPU_HEADER);
    trace_bytes_put_u32(&writer.bytes, 12, 2);
    trace_bytes_put_u32(&writer.bytes, 16, 0x10004);
    trace_bytes_put_u32(&writer.bytes, 24, (uint32_t)strlen(meta));
    trace_bytes_add(&writer.bytes, meta, strlen(meta));
    trace_begin_frame(&writer);
    trace_end_frame(&writer);
    trace_end(&writer);
    open_index(&opened, writer.bytes.data, writer.bytes.size);
    assert_false(problems_any(opened.problems, PROBLEM_WARNING));
    if (problem != NULL)
        expect_problem(opened.problems, problem);
    else
        assert_int_equal(problems_count(opened.problems), 0);
    close_index(&opened);
    trace_free(&writer);
}

/* Both members must be there, and the version must be that of the header. */
static void test_meta_members(void **state)
{
    (void)state;
    expect_of_meta("{\"emulator_version\":\"1\",\"command_abi_version\":65540}", NULL);
    expect_of_meta("", "meta JSON is empty");
    expect_of_meta("[]", "meta JSON is not an object");
    expect_of_meta("{\"command_abi_version\":65540}", "meta JSON has no emulator_version");
    expect_of_meta("{\"emulator_version\":1,\"command_abi_version\":65540}",
                   "meta JSON has no emulator_version that is a string");
    expect_of_meta("{\"emulator_version\":\"1\"}", "meta JSON has no command_abi_version");
    expect_of_meta("{\"emulator_version\":\"1\",\"command_abi_version\":65539}",
                   "meta JSON says command_abi_version 65539, the header 65540");
}

/* Reserved fields after the headers of records, and in the table */
static void test_reserved_fields(void **state)
{
    struct trace_writer writer;
    struct opened opened;
    size_t table = 0;

    (void)state;
    make_trace(&writer, 2);
    table = writer.bytes.size - FOOTER - 80;
    trace_bytes_put_u32(&writer.bytes, table + 16 + 32 + 4, 1);
    open_index(&opened, writer.bytes.data, writer.bytes.size);
    /* Records of a frame: its beginning, the blob, the submission, its end */
    for (uint32_t i = 1; i < 3; i++)
        trace_bytes_put_u32(&writer.bytes,
                            opened.index.places[4 + i].offset + 8 + (i == 1 ? 12 : 20), 7);
    close_index(&opened);
    open_index(&opened, writer.bytes.data, writer.bytes.size);
    assert_int_equal(opened.index.verdict.kind, AEROGPU_VERDICT_OK);
    expect_problem(opened.problems, "packet 5 note: 2 records begin with a header whose reserved");
    expect_problem(opened.problems, "unknown flags, first for frame 1");
    assert_false(problems_any(opened.problems, PROBLEM_WARNING));
    close_index(&opened);
    trace_free(&writer);
}

/* Where marks and table number frames differently */
static void test_frame_indexes(void **state)
{
    struct trace_writer writer;
    struct opened opened;

    (void)state;
    make_trace(&writer, 2);
    open_index(&opened, writer.bytes.data, writer.bytes.size);
    assert_int_equal(problems_count(opened.problems), 0);
    trace_bytes_put_u32(&writer.bytes, opened.index.places[7].offset + 8, 0);
    close_index(&opened);
    open_index(&opened, writer.bytes.data, writer.bytes.size);
    assert_int_equal(problems_count(opened.problems), 1);
    expect_problem(opened.problems, "packet 7 note: 1 records present another frame_index");
    trace_bytes_put_u32(&writer.bytes, opened.index.places[4].offset + 8, 0);
    close_index(&opened);
    open_index(&opened, writer.bytes.data, writer.bytes.size);
    expect_problem(opened.problems, "packet 4 note: 1 records begin a frame with another");
    close_index(&opened);
    /* From 1 on: ascending, but not counted from 0. */
    for (size_t i = 0; i < 2; i++)
        trace_bytes_put_u32(&writer.bytes, writer.bytes.size - FOOTER - 64 + 32 * i,
                            (uint32_t)i + 1);
    open_index(&opened, writer.bytes.data, writer.bytes.size);
    expect_problem(opened.problems, "frame_index does not count up from 0: frame 0 has 1");
    close_index(&opened);
    trace_free(&writer);
}

/* A frame whose marks are lost is numbered by its position. */
static void test_rebuilt_frames_without_marks(void **state)
{
    struct trace_writer writer;
    struct opened opened;

    (void)state;
    trace_begin(&writer, 1);
    trace_begin_frame(&writer);
    trace_end_frame(&writer);
    trace_packet(&writer, "\12\0\0\0\2\0\0\0", 8);
    open_index(&opened, writer.bytes.data, writer.bytes.size);
    assert_int_equal(opened.index.frame_count, 2);
    assert_int_equal(opened.index.frames[1].entry.frame_index, 1);
    assert_int_equal(problems_count(opened.problems), 1);
    expect_problem(opened.problems, "InvalidMagic");
    close_index(&opened);
    trace_free(&writer);
}

static uint32_t count_of_problem(const struct problems *problems, const char *part)
{
    struct text text = TEXT_INIT;
    uint32_t count = 0;

    problems_write(problems, &text);
    text_add_char(&text, '\0');
    for (const char *p = text.bytes; (p = strstr(p, part)) != NULL; p++)
        count++;
    text_clear(&text);
    return count;
}

/*
 * Records end where the footer says that the table is, even if its magic is missing. Here the bytes
 * of the table could be read as a record, of a known or of an unknown type.
 */
static void test_table_without_its_magic(void **state)
{
    static const char magics[][8] = {"\3\0\0\0\x10\0\0", "\4\0\0\0\0\0\0", "\x77OC",
                                     "\3\0\0\0\xFF\xFF\xFF"};
    struct trace_writer writer;
    struct opened opened;
    size_t table = 0;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(magics); i++)
        for (int slack = 0; slack < 2; slack++) {
            make_trace(&writer, 2);
            table = writer.bytes.size - FOOTER - 80;
            if (slack > 0) { /* between table and footer */
                trace_bytes_add(&writer.bytes, writer.bytes.data + writer.bytes.size - FOOTER,
                                FOOTER);
                memset(writer.bytes.data + writer.bytes.size - 2 * FOOTER, 0, FOOTER);
            }
            memcpy(writer.bytes.data + table, magics[i], 8);
            open_index(&opened, writer.bytes.data, writer.bytes.size);
            assert_int_equal(opened.index.verdict.kind, AEROGPU_VERDICT_INVALID_MAGIC);
            assert_int_equal(opened.index.records, 8);
            assert_int_equal(opened.index.frame_count, 2);
            assert_int_equal(problems_count(opened.problems), 1);
            close_index(&opened);
            trace_free(&writer);
        }
}

/* A footer that points among the records is not believed: the table is further on. */
static void test_footer_that_names_a_record(void **state)
{
    struct trace_writer writer;
    struct opened opened;

    (void)state;
    make_trace(&writer, 2);
    open_index(&opened, writer.bytes.data, writer.bytes.size);
    trace_bytes_put_u32(&writer.bytes, writer.bytes.size - 16,
                        (uint32_t)opened.index.places[4].offset);
    close_index(&opened);
    open_index(&opened, writer.bytes.data, writer.bytes.size);
    assert_int_equal(opened.index.records, 8);
    assert_int_equal(opened.index.frame_count, 2);
    assert_int_equal(count_of_problem(opened.problems, "InvalidMagic"), 1);
    close_index(&opened);
    trace_free(&writer);
}

static void test_short_submissions(void **state)
{
    uint8_t payload[56 + 32] = {1, 0, 0, 0, 56};
    struct aerogpu_record record = {.payload = payload, .length = 55, .claimed = 55};
    struct aerogpu_submission submission;

    (void)state;
    assert_false(aerogpu_submission_read(&record, &submission));
    record.length = record.claimed = 56 + 32;
    payload[48] = 1;
    assert_true(aerogpu_submission_read(&record, &submission));
    assert_true(submission.complete);
    assert_int_equal(submission.ranges, 1);
    payload[48] = 2;
    assert_true(aerogpu_submission_read(&record, &submission));
    assert_false(submission.complete);
    assert_int_equal(submission.ranges, 1);
    payload[4] = 89;
    assert_true(aerogpu_submission_read(&record, &submission));
    assert_int_equal(submission.ranges, 0);
}

static void test_allocation_tables(void **state)
{
    uint8_t table[24 + 32] = "ALOC\4\0\1";
    struct aerogpu_allocs allocs;

    (void)state;
    aerogpu_allocs_open(NULL, 0, &allocs);
    assert_string_equal(allocs.defect, "BufferTooSmall");
    table[8] = 56;
    table[12] = 1;
    table[16] = 32;
    aerogpu_allocs_open(table, sizeof(table), &allocs);
    assert_null(allocs.defect);
    assert_int_equal(allocs.entries, 1);
    table[12] = 2;
    aerogpu_allocs_open(table, sizeof(table), &allocs);
    assert_string_equal(allocs.defect, "CountOutOfBounds");
    assert_int_equal(allocs.entries, 1);
    table[16] = 31;
    aerogpu_allocs_open(table, sizeof(table), &allocs);
    assert_string_equal(allocs.defect, "BadStride");
    assert_int_equal(allocs.entries, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_trace),
        cmocka_unit_test(test_verdicts),
        cmocka_unit_test(test_frames_are_rebuilt),
        cmocka_unit_test(test_cut_anywhere),
        cmocka_unit_test(test_overlapping_frames),
        cmocka_unit_test(test_interrupted_frame),
        cmocka_unit_test(test_frames_out_of_order),
        cmocka_unit_test(test_blobs_by_id),
        cmocka_unit_test(test_version_1_has_no_submissions),
        cmocka_unit_test(test_unusual_traces),
        cmocka_unit_test(test_meta_members),
        cmocka_unit_test(test_reserved_fields),
        cmocka_unit_test(test_frame_indexes),
        cmocka_unit_test(test_rebuilt_frames_without_marks),
        cmocka_unit_test(test_table_without_its_magic),
        cmocka_unit_test(test_footer_that_names_a_record),
        cmocka_unit_test(test_short_submissions),
        cmocka_unit_test(test_allocation_tables),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

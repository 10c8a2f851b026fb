/* SPDX-License-Identifier: MIT */
/*
 * Compares AeroGPU traces that come through a pipe with the complete traces: whatever is shown at
 * any moment must be what the complete trace shows.
 */
#include "config.h"

#include "base/bytes.h"
#include "examples/trace_writer.h"
#include "formats/aerogpu/container.h"
#include "formats/aerogpu/index.h"
#include "tests/formats/aerogpu/make.h"
#include "tests/support/piped.h"
#include "tests/support/support.h"
#include "tests/support/walk.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TARGET = 0x10, PIPE_HOLDS = 32768 };

static char *folder;

static int set_up(void **state)
{
    (void)state;
    folder = support_folder();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    support_remove(&folder);
    return 0;
}

/* Returns the size of the header and the meta JSON, which the opening waits for. */
static size_t head_of(const struct trace_writer *writer)
{
    return AEROGPU_HEADER + bytes_le32(writer->bytes.data + 24);
}

static void write_frame(struct trace_writer *writer, unsigned frame)
{
    uint8_t pixels[8 * 4 * 4];
    struct trace_range range = {
        .alloc_id = 7, .gpa = 0x1000, .data = pixels, .size = sizeof(pixels)};
    struct trace_stream stream;

    memset(pixels, (int)(frame * 37), sizeof(pixels));
    trace_begin_frame(writer);
    trace_stream_begin(&stream);
    if (frame % 4 == 0)
        trace_texture(&stream, frame / 4 + 1, TARGET, AEROGPU_R8G8B8A8, 8 + frame, 4, 1, 1);
    trace_target(&stream, frame / 4 + 1, 0);
    trace_clear(&stream, (float)(frame % 7) / 7, 0.5f, 0.25f, 1);
    trace_upload(&stream, frame / 4 + 1, 0, pixels, sizeof(pixels));
    if (frame % 5 == 3)
        TRACE(&stream, 0x7F0 + frame % 2, frame); /* an unknown command */
    if (frame % 6 == 5)                           /* two submissions in a frame */
        trace_submit(writer, &stream, NULL, 0);
    if (frame % 3 != 2)
        trace_present(&stream);
    if (frame % 8 == 7)
        TRACE(&stream, AEROGPU_DESTROY_RESOURCE, 4711, 0); /* there is no such resource */
    trace_submit(writer, &stream, &range, frame % 2);
    trace_stream_free(&stream);
    trace_end_frame(writer);
    if (frame % 9 == 4)
        writer->blobs = 0; /* ids start again */
}

static void build(struct trace_writer *writer, unsigned frames)
{
    *writer = (struct trace_writer){0};
    trace_begin(writer, 2);
    for (unsigned frame = 0; frame < frames; frame++)
        write_frame(writer, frame);
    trace_end(writer);
}

static void compare_frame(const struct piped *stream, const struct piped *whole, uint64_t frame,
                          bool pictures)
{
    static const char *const names[] = {"info.txt",  "commands.txt", "packets.tsv", "draws.tsv",
                                        "state.txt", "image.png",    "hash.txt"};

    for (size_t i = 0; i < COUNT_OF(names) - (pictures ? 0 : 2); i++) {
        char path[64];

        snprintf(path, sizeof(path), "by-frame/%06u/%s", (unsigned)frame, names[i]);
        if (piped_has(whole, path) || piped_has(stream, path))
            piped_compare(stream, whole->tree, path, false);
    }
}

static void compare_tables(const struct piped *stream, const struct piped *whole, bool beginning)
{
    static const char *const names[] = {"frames.tsv", "packets.tsv", "submissions.tsv"};

    for (size_t i = 0; i < COUNT_OF(names); i++)
        piped_compare(stream, whole->tree, names[i], beginning);
}

/* Feeds pieces of up to `max` bytes, and compares each frame as soon as it is shown. */
static void feed(const uint8_t *bytes, size_t size, size_t first, size_t max, bool pictures)
{
    struct piped whole, stream;
    uint64_t random = 7, compared = 0;
    size_t at = first;

    piped_open_whole(&whole, folder, bytes, size, NULL);
    piped_open(&stream, folder, bytes, at, NULL);
    while (at < size) {
        size_t piece = 1 + support_random(&random) % max;

        piece = piece < size - at ? piece : size - at;
        piped_write(&stream, bytes + at, piece);
        at += piece;
        piped_nap();
        compare_tables(&stream, &whole, true);
        for (; compared < piped_frames(&stream); compared++)
            compare_frame(&stream, &whole, compared, pictures);
    }
    piped_end(&stream);
    compare_tables(&stream, &whole, false);
    for (uint64_t frame = 0; frame < piped_frames(&stream); frame++)
        compare_frame(&stream, &whole, frame, pictures);
    piped_compare(&stream, whole.tree, "problems.txt", false);
    piped_compare(&stream, whole.tree, "resources.tsv", false);
    piped_compare(&stream, whole.tree, "blobs.tsv", false);
    if (pictures)
        piped_compare_all(&stream, whole.tree);
    piped_close(&stream);
    piped_close(&whole);
}

static void test_every_frame_is_the_whole_traces(void **state)
{
    struct trace_writer writer;

    (void)state;
    build(&writer, 30);
    feed(writer.bytes.data, writer.bytes.size, head_of(&writer), 300, true);
    feed(writer.bytes.data, writer.bytes.size, head_of(&writer), 5000, true);
    feed(writer.bytes.data, writer.bytes.size, head_of(&writer), writer.bytes.size, true);
    trace_free(&writer);
}

/* A long trace: more frames than there are checkpoints, read backwards */
static void test_earlier_frames_of_a_long_trace(void **state)
{
    struct trace_writer writer;
    struct piped whole, stream;
    size_t half;

    (void)state;
    build(&writer, 300);
    half = writer.bytes.size / 2;
    piped_open_whole(&whole, folder, writer.bytes.data, writer.bytes.size, NULL);
    piped_open(&stream, folder, writer.bytes.data, head_of(&writer), NULL);
    piped_write(&stream, writer.bytes.data + head_of(&writer), half - head_of(&writer));
    for (int ms = 0; piped_frames(&stream) < 140 && ms < PIPED_WAIT_MS; ms++)
        piped_nap();
    for (uint64_t frame = 140; frame-- > 100;)
        compare_frame(&stream, &whole, frame, true);
    piped_write(&stream, writer.bytes.data + half, writer.bytes.size - half);
    piped_end(&stream);
    for (uint64_t frame = 300; frame-- > 0; frame -= frame % 7)
        compare_frame(&stream, &whole, frame, true);
    piped_close(&stream);
    piped_close(&whole);
    trace_free(&writer);
}

/* Commands of all kinds; the tests of the worker check what shaders draw. */
static void feed_made(const struct make_params *params, size_t max)
{
    struct made made;
    const struct trace_bytes *bytes = &made.writer.bytes;

    if (params->appendix)
        aerogpu_make_appendix(params, &made);
    else
        aerogpu_make(params, &made);
    feed(bytes->data, bytes->size, head_of(&made.writer), max, false);
    aerogpu_made_free(&made);
}

static void test_all_commands(void **state)
{
    const struct make_params submissions = {.seed = 3, .frames = 12, .width = 32, .height = 32};
    const struct make_params packets = {
        .seed = 5, .frames = 8, .width = 32, .height = 32, .packets = true, .noise = true};
    const struct make_params appendix = {
        .seed = 7, .frames = 8, .width = 64, .height = 64, .appendix = true, .unfinished = true};

    (void)state;
    feed_made(&submissions, 20000);
    feed_made(&packets, 9000);
    feed_made(&appendix, 3000);
}

static void compare_end(const uint8_t *bytes, size_t size, const char *options)
{
    static const char *const names[] = {"frames.tsv",    "packets.tsv", "submissions.tsv",
                                        "resources.tsv", "blobs.tsv",   "toc.tsv",
                                        "hashes.txt",    "problems.txt"};
    size_t first = size < PIPE_HOLDS ? size : PIPE_HOLDS;
    struct piped whole, stream;

    piped_open_whole(&whole, folder, bytes, size, options);
    piped_open(&stream, folder, bytes, first, options);
    piped_write(&stream, bytes + first, size - first);
    piped_end(&stream);
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (piped_has(&whole, names[i]) || piped_has(&stream, names[i]))
            piped_compare(&stream, whole.tree, names[i], false);
    piped_close(&stream);
    piped_close(&whole);
}

static void test_a_cut_stream_ends_as_a_cut_trace(void **state)
{
    struct trace_writer writer;

    (void)state;
    build(&writer, 5);
    for (size_t cut = head_of(&writer); cut <= writer.bytes.size; cut += 7 * support_stride())
        compare_end(writer.bytes.data, cut, NULL);
    for (size_t cut = 0; cut < 100; cut += support_stride())
        compare_end(writer.bytes.data, writer.bytes.size - cut, NULL);
    trace_free(&writer);
}

/* The traces of the emulator's own tests are divided into frames as expected. */
static void test_fixtures_too(void **state)
{
    static const char *const names[] = {"aerogpu/triangle.aerogputrace",
                                        "aerogpu/aerogpu_a3a0_clear_red.aerogputrace",
                                        "aerogpu/aerogpu_cmd_triangle.aerogputrace",
                                        "aerogpu/aerogpu_cmd_copy_texture2d.aerogputrace",
                                        "aerogpu/aerogpu_cmd_scissor_test.aerogputrace"};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        char *path = support_corpus(names[i]);
        size_t size;
        uint8_t *bytes = support_read(path, &size);

        feed(bytes, size, AEROGPU_HEADER + bytes_le32(bytes + 24), 200, false);
        free(bytes);
        free(path);
    }
}

/* Changed bytes: what was shown before stays, or everything is as in the complete trace. */
static void test_damaged_traces(void **state)
{
    struct trace_writer writer;
    uint64_t random = 11;

    (void)state;
    build(&writer, 5);
    for (unsigned i = 0; i < 200 / support_stride(); i++) {
        size_t at =
            head_of(&writer) + support_random(&random) % (writer.bytes.size - head_of(&writer));
        uint8_t before = writer.bytes.data[at];
        struct piped stream;
        uint64_t frames;

        writer.bytes.data[at] = (uint8_t)support_random(&random);
        piped_open(&stream, folder, writer.bytes.data, writer.bytes.size, NULL);
        piped_end(&stream);
        frames = piped_frames(&stream);
        if (piped_has(&stream, "resources.tsv"))
            compare_end(writer.bytes.data, writer.bytes.size, NULL);
        else
            assert_true(frames > 0);
        piped_close(&stream);
        writer.bytes.data[at] = before;
    }
    trace_free(&writer);
}

static void test_frames_come_with_their_present(void **state)
{
    struct trace_writer writer = {0};
    struct piped stream;
    size_t first, at;

    (void)state;
    trace_begin(&writer, 2);
    first = writer.bytes.size;
    write_frame(&writer, 0);
    piped_open(&stream, folder, writer.bytes.data, first, NULL);
    assert_false(piped_has(&stream, "latest.png"));
    assert_false(piped_has(&stream, "resources"));
    assert_false(piped_has(&stream, "blobs.tsv"));
    assert_true(piped_has(&stream, "meta.json"));
    at = writer.bytes.size - 1;
    piped_write(&stream, writer.bytes.data + first, at - first);
    for (int ms = 0; ms < 50; ms++)
        piped_nap();
    assert_int_equal(piped_frames(&stream), 0);
    write_frame(&writer, 1);
    piped_write(&stream, writer.bytes.data + at, writer.bytes.size - 1 - at);
    piped_wait_for_frames(&stream, 1);
    assert_true(piped_has(&stream, "frames/000000.png"));
    assert_true(piped_has(&stream, "latest.png"));
    assert_true(piped_has(&stream, "submissions/000000/commands.txt"));
    assert_true(piped_has(&stream, "packets/00000/00000000-beginframe.bin"));
    assert_false(piped_has(&stream, "frames/000001.png"));
    assert_false(piped_has(&stream, "hashes.txt"));
    piped_end(&stream);
    assert_int_equal(piped_frames(&stream), 2); /* the unfinished one */
    assert_true(piped_has(&stream, "resources/000000-texture-0x00000001"));
    piped_close(&stream);
    trace_free(&writer);
}

/* Only the table says whether the records are part of a frame, so they wait for it. */
static void test_records_between_frames_wait_for_the_table(void **state)
{
    struct trace_writer writer = {0};
    struct piped stream;

    (void)state;
    trace_begin(&writer, 2);
    write_frame(&writer, 0);
    write_frame(&writer, 1);
    trace_blob(&writer, AEROGPU_BLOB_BUFFER, "between", 7);
    write_frame(&writer, 2);
    trace_end(&writer);
    piped_open(&stream, folder, writer.bytes.data, writer.bytes.size, NULL);
    piped_wait_for_frames(&stream, 2);
    for (int ms = 0; ms < 50; ms++)
        piped_nap();
    assert_int_equal(piped_frames(&stream), 2);
    piped_end(&stream);
    assert_int_equal(piped_frames(&stream), 3);
    piped_close(&stream);
    feed(writer.bytes.data, writer.bytes.size, head_of(&writer), 100, true);
    trace_free(&writer);
}

/* What was shown never changes, and a table that would change it is reported. */
static void test_a_table_that_says_otherwise(void **state)
{
    struct trace_writer writer;
    struct piped stream;
    uint64_t toc;
    char *text;
    size_t size;

    (void)state;
    build(&writer, 3);
    toc = bytes_le64(writer.bytes.data + writer.bytes.size - 16);
    writer.bytes.data[toc + AEROGPU_TOC_HEADER + 4] = 1; /* flags */
    piped_open(&stream, folder, writer.bytes.data, writer.bytes.size, NULL);
    piped_end(&stream);
    assert_int_equal(piped_frames(&stream), 3);
    text = walk_read(stream.tree, "by-frame/000000/info.txt", &size);
    assert_non_null(strstr(text, "toc_flags: 0x00000000"));
    free(text);
    text = walk_read(stream.tree, "problems.txt", &size);
    assert_non_null(strstr(text, "than were shown"));
    free(text);
    assert_false(piped_has(&stream, "resources.tsv"));
    piped_close(&stream);
    trace_free(&writer);
}

/* A record larger than GROWING_SOURCE_LAG. */
static void test_large_records(void **state)
{
    static uint8_t zeros[70 << 20];
    struct trace_writer writer = {0};
    struct piped stream;

    (void)state;
    trace_begin(&writer, 2);
    trace_begin_frame(&writer);
    trace_blob(&writer, AEROGPU_BLOB_BUFFER, zeros, sizeof(zeros));
    trace_end_frame(&writer);
    piped_open(&stream, folder, writer.bytes.data, head_of(&writer), NULL);
    piped_write(&stream, writer.bytes.data + head_of(&writer),
                writer.bytes.size - head_of(&writer));
    piped_wait_for_frames(&stream, 1);
    piped_end(&stream);
    piped_close(&stream);
    trace_free(&writer);
}

static void test_limits_end_the_trace(void **state)
{
    struct trace_writer writer;

    (void)state;
    build(&writer, 5000);
    compare_end(writer.bytes.data, writer.bytes.size, "max-memory=1M");
    trace_free(&writer);
}

static void test_blobs_by_id(void **state)
{
    enum { BLOBS = 20000, IDS = 40 };
    struct aerogpu_blob_map *map = NULL;
    uint32_t *ids = calloc(BLOBS, sizeof(*ids));
    uint64_t random = 3;
    uint32_t record = 0;

    (void)state;
    assert_int_equal(aerogpu_blob_map_create(BLOBS, &map), 0);
    assert_false(aerogpu_blob_map_find(map, 0, UINT32_MAX, &record));
    for (uint32_t i = 0; i < BLOBS; i++) {
        ids[i] = i < 2000 ? i : (uint32_t)(support_random(&random) % IDS);
        assert_int_equal(aerogpu_blob_map_add(map, ids[i], 2 * i + 1), 0);
    }
    for (unsigned i = 0; i < 3000; i++) {
        uint32_t id = (uint32_t)(support_random(&random) % (IDS + 2));
        uint32_t user = (uint32_t)(support_random(&random) % (2 * BLOBS + 3));
        uint32_t expected = user / 2;

        expected = expected < BLOBS ? expected : BLOBS;
        while (expected > 0 && ids[expected - 1] != id)
            expected--;
        assert_int_equal(aerogpu_blob_map_find(map, id, user, &record), expected > 0);
        if (expected > 0)
            assert_int_equal(record, 2 * (expected - 1) + 1);
    }
    aerogpu_blob_map_destroy(&map);
    free(ids);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blobs_by_id),
        cmocka_unit_test_setup_teardown(test_frames_come_with_their_present, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_every_frame_is_the_whole_traces, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_records_between_frames_wait_for_the_table, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_a_table_that_says_otherwise, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_cut_stream_ends_as_a_cut_trace, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_fixtures_too, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_damaged_traces, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_earlier_frames_of_a_long_trace, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_all_commands, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_large_records, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_limits_end_the_trace, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

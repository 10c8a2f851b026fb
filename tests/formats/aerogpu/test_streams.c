/* SPDX-License-Identifier: MIT */
/*
 * AeroGPU traces through their tree: what is reported of commands, of those that cannot be
 * executed, and of packets and streams that are damaged or unusual
 */
#include "config.h"

#include "base/bytes.h"
#include "tests/formats/aerogpu/frames.h"
#include "tests/formats/aerogpu/open.h"

#include "tests/support/support.h"
#include "tests/support/walk.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { TARGET = 0x10 };

/* Compares the bytes of a resource's only life, without the terminating 0. */
static void expect_content(const struct opened *opened, const char *path, const char *expected)
{
    size_t size = 0;
    char *content = walk_read(opened->tree, path, &size);

    assert_int_equal(size, strlen(expected));
    assert_memory_equal(content, expected, size);
    free(content);
}

/* What cannot be executed is reported, and the rest is executed. */
static void test_refused_commands(void **state)
{
    struct trace_writer writer;
    struct trace_stream stream;
    struct opened opened;

    (void)state;
    frames_begin_trace(&writer, &stream);
    trace_texture(&stream, 1, TARGET, AEROGPU_R8G8B8A8, 8, 8, 1, 1);
    trace_texture(&stream, 2, TARGET, AEROGPU_R8G8B8A8, 40000, 8, 1, 1);
    trace_texture(&stream, 1, TARGET, AEROGPU_R8G8B8A8, 8, 9, 1, 1);
    trace_upload(&stream, 1, 200, "too far behind the end of the texture, which has 256 bytes...",
                 60);
    TRACE(&stream, AEROGPU_COPY_TEXTURE2D, 1, 3, 0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 0, 0);
    trace_buffer(&stream, 4, 1, 16);
    trace_buffer(&stream, 5, 1, 16);
    TRACE(&stream, AEROGPU_COPY_BUFFER, 4, 5, 0, 0, 0, 0, 6, 0, 0, 0);
    TRACE(&stream, AEROGPU_CREATE_SAMPLER, 6, 1, 2, 1, 0);
    TRACE(&stream, AEROGPU_CREATE_SAMPLER, 6, 2, 0, 0, 0);
    TRACE(&stream, AEROGPU_CREATE_SAMPLER, 6, 0, 0, 0, 3);
    TRACE(&stream, AEROGPU_SET_SAMPLERS, AEROGPU_PIXEL, 0, 1, 0, 6);
    TRACE(&stream, 0xBEEF, 1, 2, 3);
    TRACE(&stream, 0xBEEF, 1, 2, 3);
    TRACE(&stream, AEROGPU_DRAW, 1);
    trace_target(&stream, 1, 0);
    trace_clear(&stream, 1, 0, 1, 1);
    trace_present(&stream);
    frames_end(&writer, &stream);
    opened_trace(&opened, &writer);
    opened_expect_colour(&opened, "frames/000000.png", 0xFF00FFFF);
    opened_expect(&opened, "problems.txt", "a texture cannot have this shape");
    opened_expect(&opened, "problems.txt", "the handle is in use by another resource");
    opened_expect(&opened, "problems.txt",
                  "UploadResource is not executed: beyond the end of the resource");
    opened_expect(&opened, "problems.txt", "CopyTexture2d is not executed: unknown texture");
    opened_expect(&opened, "problems.txt", "CopyBuffer is not executed: offsets or size are not");
    opened_expect(&opened, "problems.txt", "CreateSampler is not executed: unknown filter");
    opened_expect(&opened, "problems.txt", "CreateSampler is not executed: unknown address mode");
    opened_expect(&opened, "by-frame/000000/state.txt", "ps sampler 0: 6 filter=1 address=2,1,0\n");
    opened_expect(&opened, "problems.txt", "unknown opcode_id=0x0000BEEF");
    opened_expect(&opened, "problems.txt", "Draw is not executed: PayloadSizeMismatch");
    opened_expect(&opened, "metadata.txt", "unknown_opcodes: 2\n");
    opened_expect(&opened, "submissions/000000/commands.txt",
                  " Unknown size_bytes=20 opcode_id=0x0000BEEF payload_len=12\n");
    opened_close(&opened);
}

/* Buffers are written in complete words at word offsets, textures in bytes. */
static void test_whole_words(void **state)
{
    struct trace_writer writer;
    struct trace_stream stream;
    struct opened opened;

    (void)state;
    frames_begin_trace(&writer, &stream);
    trace_buffer(&stream, 4, 1, 16);
    trace_buffer(&stream, 5, 1, 16);
    trace_upload(&stream, 4, 0, "0123456789abcdef", 16);
    trace_upload(&stream, 4, 0, "ABCDEF", 6);
    trace_upload(&stream, 4, 2, "ABCD", 4);
    trace_upload(&stream, 4, 13, "ABC", 3);
    trace_upload(&stream, 4, 4, "ABCD", 4);
    trace_upload(&stream, 4, 2, "", 0); /* nothing is written */
    TRACE(&stream, AEROGPU_COPY_BUFFER, 5, 4, 0, 0, 0, 0, 16, 0, 0, 0);
    TRACE(&stream, AEROGPU_COPY_BUFFER, 5, 4, 0, 0, 4, 0, 6, 0, 0, 0);
    TRACE(&stream, AEROGPU_COPY_BUFFER, 5, 4, 2, 0, 4, 0, 4, 0, 0, 0);
    TRACE(&stream, AEROGPU_COPY_BUFFER, 5, 4, 2, 0, 4, 0, 0, 0, 0, 0);
    trace_texture(&stream, 6, TARGET, AEROGPU_R8G8B8A8, 2, 1, 1, 1);
    trace_upload(&stream, 6, 0, "01234567", 8);
    trace_upload(&stream, 6, 3, "ABC", 3);
    trace_present(&stream);
    frames_end(&writer, &stream);
    opened_trace(&opened, &writer);
    expect_content(&opened, "resources/000000-buffer-0x00000004/content.bin", "0123ABCD89abcdef");
    expect_content(&opened, "resources/000001-buffer-0x00000005/content.bin", "0123ABCD89abcdef");
    expect_content(&opened, "resources/000002-texture-0x00000006/content.bin", "012ABC67");
    assert_int_equal(opened_count(&opened, "problems.txt",
                                  " is not executed: offsets or size are not multiples of 4\n"),
                     5);
    assert_int_equal(opened_count(&opened, "problems.txt", "UploadResource is not executed"), 3);
    opened_close(&opened);
}

/* What follows a packet in its record is reported, not dropped. */
static void test_packets_with_more_behind(void **state)
{
    const uint32_t clear[] = {AEROGPU_A_CLEAR, 6, 0, trace_float(1), 0, trace_float(1), 2, 2};
    const uint32_t present[] = {AEROGPU_A_PRESENT, 2};
    struct trace_writer writer;
    struct opened opened;

    (void)state;
    trace_begin(&writer, 1);
    trace_bytes_put_u32(&writer.bytes, 16, 1);
    trace_begin_frame(&writer);
    trace_packet(&writer, clear, sizeof(clear));
    trace_packet(&writer, present, sizeof(present));
    trace_end_frame(&writer);
    opened_trace(&opened, &writer);
    opened_expect_colour(&opened, "frames/000000.png", 0x00FF00FF);
    opened_expect(&opened, "problems.txt",
                  " packet 1 error: 8 bytes after the packet of 24 bytes in its record");
    opened_expect(&opened, "packets/00000/00000001-packet.txt", "\ntrailing_bytes: 8\n");
    opened_close(&opened);
}

/* The same commands, each alone in its record, of ABI 1.4. */
static void test_packets_without_a_stream(void **state)
{
    struct trace_writer writer;
    struct trace_stream stream;
    struct opened opened;
    size_t at = 24;

    (void)state;
    trace_begin(&writer, 1);
    trace_begin_frame(&writer);
    trace_stream_begin(&stream);
    trace_texture(&stream, 1, TARGET, AEROGPU_R8G8B8A8, 8, 8, 1, 1);
    trace_target(&stream, 1, 0);
    TRACE(&stream, AEROGPU_DEBUG_MARKER, 0x6b72616d);
    trace_clear(&stream, 1, 0, 1, 1);
    trace_present(&stream);
    while (at < stream.bytes.size) {
        size_t size = bytes_le32(stream.bytes.data + at + 4);

        trace_packet(&writer, stream.bytes.data + at, size);
        at += size;
    }
    /* One longer than its packet, and one whose length does not fit. */
    trace_packet(&writer, (const uint32_t[]){AEROGPU_FLUSH, 16, 0, 0, 1}, 20);
    trace_packet(&writer, (const uint32_t[]){AEROGPU_FLUSH, 64, 0, 0}, 16);
    trace_stream_free(&stream);
    trace_end_frame(&writer);
    opened_trace(&opened, &writer);
    opened_expect_colour(&opened, "frames/000000.png", 0xFF00FFFF);
    opened_expect(&opened, "metadata.txt", "\ncommands: 6\n");
    opened_expect(&opened, "packets/00000/00000004-packet.txt", " Clear size_bytes=36 ");
    opened_expect(&opened, "by-frame/000000/commands.txt", "000004 0x00000000 Clear size_bytes=36");
    opened_expect(&opened, "by-frame/000000/draws.tsv", "\tClear\t");
    opened_expect(&opened, "resources/000000-texture-0x00000001/info.txt", "created: packet 1\n");
    opened_expect(&opened, "problems.txt", " packet 1 note: packets of the A3A0 ABI are");
    opened_expect(&opened, "problems.txt",
                  " packet 6 error: 4 bytes after the packet of 16 bytes in its record");
    opened_expect(&opened, "problems.txt",
                  " packet 7 error: the packet contains no command: PacketOverrunsStream");
    opened_close(&opened);
}

/* Streams of another version than the header says, and fields that should be 0. */
static void test_headers_of_streams(void **state)
{
    struct trace_writer writer;
    struct trace_stream stream;
    struct opened opened;

    (void)state;
    frames_begin_trace(&writer, &stream);
    for (uint32_t i = 0; i < 4; i++) {
        if (i > 0)
            frames_next(&writer, &stream);
        trace_bytes_put_u32(&stream.bytes, 4, i == 0 ? 0x10004 : 0x10003);
        trace_bytes_put_u32(&stream.bytes, 20, i == 3);
        trace_clear(&stream, 1, 0, 1, 1);
        trace_present(&stream);
    }
    frames_end(&writer, &stream);
    opened_trace(&opened, &writer);
    opened_expect(
        &opened, "problems.txt",
        " packet 6 note: command stream of ABI version 0x00010003 in a trace whose header "
        "says 0x00010004\n");
    opened_expect(&opened, "problems.txt",
                  " packet 14 note: a command stream's header has flags or reserved fields");
    assert_int_equal(problems_count(opened.dump.problems), 2);
    opened_close(&opened);
}

/* Whatever is wrong after the records or between them, the frames show the same. */
static void test_damage_at_the_end(void **state)
{
    struct trace_writer writer;
    struct trace_stream stream;
    struct opened opened;
    size_t whole = 0;

    (void)state;
    for (int damage = 0; damage < 5; damage++) {
        frames_begin_trace(&writer, &stream);
        trace_clear(&stream, 1, 0, 0, 1);
        trace_present(&stream);
        frames_next(&writer, &stream);
        trace_clear(&stream, 0, 1, 0, 1);
        trace_present(&stream);
        trace_bytes_add(&stream.bytes, "slack that no size counts", 25);
        trace_submit(&writer, &stream, NULL, 0);
        trace_stream_free(&stream);
        trace_end_frame(&writer);
        whole = writer.bytes.size;
        trace_end(&writer);
        if (damage == 1)
            writer.bytes.size = whole; /* neither table nor footer */
        if (damage == 2)
            writer.bytes.size -= 1;
        if (damage == 3)
            writer.bytes.data[whole] ^= 1; /* magic of the table */
        if (damage == 4)
            trace_bytes_put_u32(&writer.bytes, writer.bytes.size - 16, 7); /* offset of the table */
        opened_bytes(&opened, writer.bytes.data, writer.bytes.size);
        trace_free(&writer);
        opened_expect(&opened, "metadata.txt",
                      damage == 0 ? "frames_rebuilt: no\n" : "frames_rebuilt: yes\n");
        opened_expect(&opened, "submissions/000001/info.txt", "trailing_bytes: 25\n");
        opened_expect_colour(&opened, "frames/000000.png", 0xFF0000FF);
        opened_expect_colour(&opened, "frames/000001.png", 0x00FF00FF);
        opened_close(&opened);
    }
}

/* Many submissions share an allocation table of which each entry is invalid. */
static void test_shared_allocation_table(void **state)
{
    enum { ENTRIES = 128, SUBMISSIONS = 100000, RECORD = 64 };
    struct trace_range ranges[ENTRIES];
    struct trace_writer writer;
    struct trace_stream stream;
    struct opened opened;
    uint8_t submission[RECORD];

    (void)state;
    for (uint32_t i = 0; i < ENTRIES; i++)
        ranges[i] = (struct trace_range){.alloc_id = 7, .gpa = i, .data = "1234", .size = 4};
    frames_begin_trace(&writer, &stream);
    trace_submit(&writer, &stream, ranges, ENTRIES);
    trace_stream_free(&stream);
    memcpy(submission, writer.bytes.data + writer.bytes.size - 32 * ENTRIES - RECORD, RECORD);
    bytes_put_le32(submission + 4, RECORD - 8); /* without the ranges */
    bytes_put_le32(submission + 56, 0);
    for (unsigned i = 1; i < SUBMISSIONS; i++)
        trace_bytes_add(&writer.bytes, submission, RECORD);
    trace_end_frame(&writer);
    opened_trace(&opened, &writer);
    opened_expect(&opened, "problems.txt", "alloc_id 7 has two addresses");
    opened_expect(&opened, "metadata.json", "\"submissions\": 100000");
    opened_close(&opened);
}

/* The first items of a command are shown, and the number of the others. */
static void test_commands_of_many_items(void **state)
{
    enum { SHOWN = 256 };
    static const uint32_t counts[] = {SHOWN, SHOWN + 1, 500000};
    struct trace_writer writer;
    struct trace_stream stream;
    struct opened opened;
    char *text = NULL;
    size_t size = 0;
    json_t *json = NULL;

    (void)state;
    frames_begin_trace(&writer, &stream);
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        const uint32_t words[] = {0, 0, counts[i], 0};
        uint32_t *items = calloc(counts[i], sizeof(*items));

        assert_non_null(items);
        trace_command_data(&stream, AEROGPU_SET_SAMPLERS, words, COUNT_OF(words), items,
                           counts[i] * sizeof(*items));
        free(items);
    }
    frames_end(&writer, &stream);
    opened_trace(&opened, &writer);
    opened_expect(&opened, "submissions/000000/commands/000000-setsamplers.txt", " sampler255=0\n");
    opened_expect(&opened, "submissions/000000/commands/000001-setsamplers.txt",
                  " sampler255=0 more=1\n");
    opened_expect(&opened, "submissions/000000/commands.txt", " sampler255=0 more=499744\n");
    text = walk_read(opened.tree, "submissions/000000/commands.json", &size);
    json = json_loadb(text, size, 0, NULL);
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        const json_t *decoded =
            json_object_get(json_array_get(json_object_get(json, "records"), i), "decoded");

        assert_non_null(json_object_get(decoded, "sampler255"));
        assert_null(json_object_get(decoded, "sampler256"));
        assert_int_equal(json_integer_value(json_object_get(decoded, "more")), counts[i] - SHOWN);
    }
    json_decref(json);
    free(text);
    opened_close(&opened);
}

/* Every command, as a line and as JSON that parses */
static void test_all_commands_are_described(void **state)
{
    struct trace_writer writer;
    struct trace_stream stream;
    struct opened opened;
    size_t size = 0, count = 0;
    json_error_t error;
    json_t *json = NULL;
    char *text = NULL;

    (void)state;
    frames_begin_trace(&writer, &stream);
    for (uint32_t opcode = 0; opcode < 0x800; opcode++)
        for (uint32_t words = 0; words <= 20; words += 4) {
            const uint32_t zeros[20] = {2, 1, 1, 0x22BC5C01, 3};

            trace_command(&stream, opcode, zeros, words);
        }
    frames_end(&writer, &stream);
    opened_trace(&opened, &writer);
    text = walk_read(opened.tree, "submissions/000000/commands.json", &size);
    json = json_loadb(text, size, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &error);
    if (json == NULL)
        fail_msg("%s: %.200s", error.text,
                 text + (error.position > 300 ? error.position - 100 : 0));
    count = json_array_size(json_object_get(json, "records"));
    assert_int_equal(count, 0x800 * 6);
    json_decref(json);
    free(text);
    opened_expect(&opened, "submissions/000000/commands.txt", " BindShaders size_bytes=56 ");
    opened_close(&opened);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused_commands),
        cmocka_unit_test(test_whole_words),
        cmocka_unit_test(test_packets_with_more_behind),
        cmocka_unit_test(test_packets_without_a_stream),
        cmocka_unit_test(test_headers_of_streams),
        cmocka_unit_test(test_damage_at_the_end),
        cmocka_unit_test(test_shared_allocation_table),
        cmocka_unit_test(test_commands_of_many_items),
        cmocka_unit_test(test_all_commands_are_described),
    };

    return cmocka_run_group_tests_name("aerogpu_streams", tests, NULL, NULL);
}

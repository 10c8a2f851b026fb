/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "formats/gapir/container/payload.h"

#include "examples/gapir_build.h"
#include "formats/gapir/container/archive.h"
#include "tests/support/support.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void read_bytes(const void *bytes, size_t size, struct gapir_payload *out)
{
    assert_int_equal(gapir_payload_read(bytes, size, NULL, NULL, out), 0);
}

/* Appends the lines of problems.txt for a payload of these bytes. The caller calls text_clear(). */
static void problems_of(const void *bytes, size_t size, struct text *lines)
{
    struct gapir_payload payload;
    struct problems *problems = NULL;

    assert_int_equal(problems_create(&problems), 0);
    assert_int_equal(gapir_payload_read(bytes, size, problems, NULL, &payload), 0);
    problems_write(problems, lines);
    gapir_payload_clear(&payload);
    problems_destroy(&problems);
}

static void expect_problem(const void *bytes, size_t size, const char *wanted)
{
    struct text lines = TEXT_INIT;

    problems_of(bytes, size, &lines);
    text_add_char(&lines, 0);
    if (strstr(lines.bytes, wanted) == NULL)
        fail_msg("no '%s' in: %s", wanted, lines.bytes);
    text_clear(&lines);
}

#define BYTES(string) string, sizeof(string) - 1

static void test_nothing(void **state)
{
    struct gapir_payload payload;

    (void)state;
    read_bytes(NULL, 0, &payload);
    assert_false(payload.damaged);
    assert_int_equal(payload.stack_size, 0);
    assert_int_equal(payload.opcodes.size, 0);
    gapir_payload_clear(&payload);
    assert_false(gapir_payload_probe(NULL, 0));
}

static void test_last_value_of_a_field_counts(void **state)
{
    struct gapir_payload payload;

    (void)state;
    read_bytes(BYTES("\x08\x05\x08\x07\x1a\x01X\x1a\x02YZ"), &payload);
    assert_int_equal(payload.stack_size, 7);
    assert_int_equal(payload.constants.size, 2);
    assert_memory_equal(payload.constants.data, "YZ", 2);
    assert_int_equal(payload.constants.offset, 9);
    gapir_payload_clear(&payload);
}

static void test_numbers_keep_their_low_32_bits(void **state)
{
    struct gapir_payload payload;

    (void)state;
    read_bytes(BYTES("\x08\x81\x80\x80\x80\xf0\xff\xff\xff\xff\x01"), &payload);
    assert_false(payload.damaged);
    assert_int_equal(payload.stack_size, 1);
    gapir_payload_clear(&payload);
}

static void test_defects_have_their_offset(void **state)
{
    (void)state;
    expect_problem(BYTES("\x08"), "0x00000000");
    expect_problem(BYTES("\x08\x01\x10"), "0x00000002");
    expect_problem(BYTES("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
                   "more than ten bytes");
    expect_problem(BYTES("\x0b\x01"), "field number 1 or wire type 3 is invalid");
    expect_problem(BYTES("\x00\x01"), "field number 0 or wire type 0 is invalid");
    expect_problem(BYTES("\x00\x01"), "0x00000000");
    expect_problem(BYTES("\x0d\x01\x02"), "ends within a field");
    expect_problem(BYTES("\x0d\x01\x02\x03\x04"), "wire type 5 and is skipped");
    expect_problem(BYTES("\x2a\x0a\x00\x00"), "claims 10 bytes, but only 2 are left");
    expect_problem(BYTES("\x2a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00"), "claims");
    expect_problem(BYTES("\x2a\x05\x00\x00\x00\x00\x00"), "1 bytes after the last complete");
    expect_problem(BYTES("\x22\x02\x0a\x05"), "resource 0 is not a well-formed");
    expect_problem(BYTES("\x4a\x02hi"), "unknown field 9");
}

/*
 * Millions of lines would take long: after the first thousand they are only counted, with the
 * severity of the worst.
 */
static void test_many_defects_are_counted(void **state)
{
    struct text bytes = TEXT_INIT, lines = TEXT_INIT;
    struct gapir_payload payload;
    struct cancel cancel;
    unsigned listed = 0;

    (void)state;
    for (unsigned n = 0; n < 1 << 16; n++)
        text_add_bytes(&bytes, "\x4a\0", 2); /* unknown field */
    for (unsigned n = 0; n < 10; n++)
        text_add(&bytes, "\x22\2\x0a\5"); /* a resource that is cut off */
    problems_of(bytes.bytes, bytes.length, &lines);
    for (size_t n = 0; n < lines.length; n++)
        listed += lines.bytes[n] == '\n';
    assert_int_equal(listed, 1001);
    text_clear(&lines);
    expect_problem(bytes.bytes, bytes.length, "- error: 64546 more fields of the payload");
    cancel_init(&cancel, NULL);
    cancel_raise(&cancel);
    assert_int_equal(
        gapir_payload_read((uint8_t *)bytes.bytes, bytes.length, NULL, &cancel, &payload), -EINTR);
    gapir_payload_clear(&payload);
    text_clear(&bytes);
}

static void test_cut_off_opcodes_are_shown(void **state)
{
    struct gapir_payload payload;

    (void)state;
    read_bytes(BYTES("\x08\x05\x2a\x0c\x01\x00\x00\x3c\x02\x00"), &payload);
    assert_true(payload.damaged);
    assert_int_equal(payload.stack_size, 5);
    assert_int_equal(payload.opcodes.size, 4);
    assert_int_equal(payload.trailing_bytes, 2);
    gapir_payload_clear(&payload);
}

/* A damaged ResourceInfo keeps its index: the indexes are operands of RESOURCE. */
static void test_damaged_resource_keeps_its_place(void **state)
{
    struct gapir_payload payload;

    (void)state;
    read_bytes(BYTES("\x22\x02\x0a\x09\x22\x05\x0a\x01Q\x10\x04"), &payload);
    assert_int_equal(payload.resource_count, 2);
    assert_int_equal(payload.resources[0].id.size, 0);
    assert_int_equal(payload.resources[1].size, 4);
    assert_memory_equal(payload.resources[1].id.data, "Q", 1);
    gapir_payload_clear(&payload);
}

static void make_sample(struct build_files *files)
{
    struct build build = {.stack_size = 16, .volatile_size = 64};

    build_constant(&build, "abc", 3);
    for (unsigned n = 0; n < 20; n++)
        build_push(&build, GAPIR_UINT32, n << 18);
    build_resource(&build, "0123456789", "data", 4);
    build_resource(&build, "none", NULL, 9);
    build_files(&build, files);
    build_clear(&build);
}

/* The input is in memory of exactly its length, so that a sanitizer finds a byte read too far. */
static void test_cut_at_every_byte(void **state)
{
    struct build_files files;

    (void)state;
    make_sample(&files);
    for (size_t size = 0; size <= files.payload_size; size++) {
        struct gapir_payload payload;
        uint8_t *copy = malloc(size != 0 ? size : 1);
        memcpy(copy, files.payload, size);
        read_bytes(copy, size, &payload);
        assert_true(payload.opcodes.size <= size);
        assert_true(payload.resource_count <= 2);
        assert_int_equal(gapir_payload_probe(copy, size), size == files.payload_size);
        gapir_payload_clear(&payload);
        free(copy);
    }
    build_files_clear(&files);
}

static void test_no_memory(void **state)
{
    struct build_files files;

    (void)state;
    make_sample(&files);
    for (int n = 0; n == 0 || support_allocation_failed(); n++) {
        struct gapir_payload payload;
        support_fail_allocation(n);
        int status = gapir_payload_read(files.payload, files.payload_size, NULL, NULL, &payload);
        /* protobuf-c does not distinguish running out of memory from a damaged message */
        assert_true(status == 0 || (status == -ENOMEM && support_allocation_failed()));
        gapir_payload_clear(&payload);
    }
    support_fail_allocation(-1);
    build_files_clear(&files);
}

static void test_probe(void **state)
{
    struct build_files files;

    (void)state;
    make_sample(&files);
    assert_true(gapir_payload_probe(files.payload, files.payload_size));
    build_files_clear(&files);
    assert_false(gapir_payload_probe((const uint8_t *)BYTES("plain text, longer than a word\n")));
    assert_false(gapir_payload_probe((const uint8_t *)BYTES("\x08\x05"))); /* no words */
    assert_false(gapir_payload_probe((const uint8_t *)BYTES("\x2a\x03\x01\x02\x03")));
    assert_false(gapir_payload_probe((const uint8_t *)BYTES("\x2a\x04\x00\x00\x00\x80")));
    assert_false(gapir_payload_probe((const uint8_t *)BYTES("\x2a\x04\x00\x00\xf0\x04")));
    assert_true(gapir_payload_probe((const uint8_t *)BYTES("\x2a\x04\x01\x00\x00\x3c")));
    assert_true(gapir_payload_begins(NULL, 0));
    assert_true(gapir_payload_begins((const uint8_t *)BYTES("\x2a\x03\x01")));
    assert_false(gapir_payload_begins((const uint8_t *)BYTES("\x28\x03\x01")));
    assert_false(gapir_payload_begins((const uint8_t *)BYTES("\x32\x03\x01")));
    assert_false(gapir_payload_begins((const uint8_t *)BYTES("\x02\x03\x01")));
}

/* What is in a pipe, or left of a file, ends anywhere in a field of bytes. */
static void test_probe_part(void **state)
{
    struct build_files files;

    (void)state;
    make_sample(&files);
    for (size_t size = files.payload_size - 4 * 19; size < files.payload_size; size++)
        assert_true(gapir_payload_probe_part(files.payload, size));
    assert_false(gapir_payload_probe_part(files.payload, 2));
    assert_false(gapir_payload_probe_part(files.payload, files.payload_size));
    build_files_clear(&files);
    assert_false(gapir_payload_probe_part(NULL, 0));
    assert_true(gapir_payload_probe_part((const uint8_t *)BYTES("\x08\x05\x10\x07\x1a\x09"
                                                                "abc")));
    assert_false(gapir_payload_probe_part((const uint8_t *)BYTES("\x08\x05\x1a\x09"
                                                                 "abc")));
    assert_false(gapir_payload_probe_part((const uint8_t *)BYTES("\x10\x05\x08\x07\x1a\x09"
                                                                 "abc")));
    assert_false(gapir_payload_probe_part((const uint8_t *)BYTES("\x08\x05\x10\x07\x32\x09"
                                                                 "abc")));
    /* one of the opcodes is invalid */
    assert_false(gapir_payload_probe_part(
        (const uint8_t *)BYTES("\x08\x05\x10\x07\x2a\x08\x00\x00\x00\x80")));
}

/* resources.index */

static void test_empty_archive(void **state)
{
    struct gapir_archive archive;

    (void)state;
    for (unsigned size = 0; size < 16; size++) {
        static const uint8_t zeros[16];
        assert_int_equal(gapir_archive_open(zeros, size, NULL, 0, NULL, &archive), 0);
        assert_int_equal(archive.count, 0);
        assert_null(gapir_archive_find(&archive, (const uint8_t *)"x", 1));
        gapir_archive_clear(&archive);
    }
}

static void test_records_are_capped(void **state)
{
    const size_t size = 16 * ((size_t)GAPIR_RECORDS_MAX + 1);
    uint8_t *records = calloc(size, 1);
    struct problems *problems = NULL;
    struct gapir_archive archive;
    struct text text = TEXT_INIT;

    (void)state;
    assert_non_null(records);
    records[size - 12] = 1; /* offset of the last resource, were it read */
    assert_int_equal(problems_create(&problems), 0);
    assert_int_equal(gapir_archive_open(records, size, NULL, 0, problems, &archive), 0);
    assert_int_equal(archive.count, 1);
    problems_write(problems, &text);
    text_add_char(&text, 0);
    assert_non_null(strstr(text.bytes, "too many records at offset 33554432,"));
    text_clear(&text);
    problems_destroy(&problems);
    gapir_archive_clear(&archive);
    free(records);
}

static void resolve(const struct build_files *files, size_t index_size, size_t data_size,
                    enum gapir_resource_status first, enum gapir_resource_status second)
{
    struct gapir_archive archive;
    struct gapir_payload payload;
    struct gapir_resource *resources;

    read_bytes(files->payload, files->payload_size, &payload);
    assert_int_equal(
        gapir_archive_open(files->index, index_size, files->data, data_size, NULL, &archive), 0);
    assert_int_equal(gapir_archive_resolve(&archive, &payload, &resources), 0);
    assert_int_equal(resources[0].status, first);
    assert_int_equal(resources[0].data != NULL, first == GAPIR_RESOURCE_OK);
    assert_int_equal(resources[1].status, second);
    free(resources);
    gapir_archive_clear(&archive);
    gapir_payload_clear(&payload);
}

static void test_resolve(void **state)
{
    struct build_files files;

    (void)state;
    make_sample(&files);
    resolve(&files, files.index_size, files.data_size, GAPIR_RESOURCE_OK, GAPIR_RESOURCE_MISSING);
    resolve(&files, files.index_size, 3, GAPIR_RESOURCE_OUT_OF_RANGE, GAPIR_RESOURCE_MISSING);
    resolve(&files, files.index_size - 1, files.data_size, GAPIR_RESOURCE_MISSING,
            GAPIR_RESOURCE_MISSING);
    memset(files.index + 14, 0xff, 8); /* an offset that must not overflow a sum */
    resolve(&files, files.index_size, files.data_size, GAPIR_RESOURCE_OUT_OF_RANGE,
            GAPIR_RESOURCE_MISSING);
    build_files_clear(&files);
}

/* An id longer than the rest of the file ends the list. */
static void test_absurd_length(void **state)
{
    static const uint8_t index[] = "\1\0\0\0A\0\0\0\0\0\0\0\0\4\0\0\0\xff\xff\xff\xff"
                                   "B\0\0\0\0\0\0\0\0\4\0\0";
    struct problems *problems = NULL;
    struct gapir_archive archive;

    (void)state;
    assert_int_equal(problems_create(&problems), 0);
    assert_int_equal(gapir_archive_open(index, sizeof(index), NULL, 0, problems, &archive), 0);
    assert_int_equal(archive.count, 1);
    assert_int_equal(problems_count(problems), 1);
    gapir_archive_clear(&archive);
    problems_destroy(&problems);
}

/* Ids as long as a hole would take forever to read. */
static void test_long_ids_end_the_list(void **state)
{
    const size_t size = 2 * (16 + (size_t)GAPIR_ID_MAX) + 1;
    uint8_t *index = calloc(size, 1);
    struct problems *problems = NULL;
    struct gapir_archive archive;
    struct text text = TEXT_INIT;

    (void)state;
    assert_non_null(index);
    assert_int_equal(problems_create(&problems), 0);
    bytes_put_le(index, 4, GAPIR_ID_MAX);
    bytes_put_le(index + 16 + GAPIR_ID_MAX, 4, GAPIR_ID_MAX + 1);
    assert_int_equal(gapir_archive_open(index, size, NULL, 0, problems, &archive), 0);
    assert_int_equal(archive.count, 1);
    assert_int_equal(archive.records[0].id_size, GAPIR_ID_MAX);
    problems_write(problems, &text);
    text_add_char(&text, 0);
    assert_non_null(strstr(text.bytes, "an id is too long at offset 4112,"));
    text_clear(&text);
    problems_destroy(&problems);
    gapir_archive_clear(&archive);
    free(index);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_last_value_of_a_field_counts),
        cmocka_unit_test(test_numbers_keep_their_low_32_bits),
        cmocka_unit_test(test_defects_have_their_offset),
        cmocka_unit_test(test_many_defects_are_counted),
        cmocka_unit_test(test_cut_off_opcodes_are_shown),
        cmocka_unit_test(test_damaged_resource_keeps_its_place),
        cmocka_unit_test(test_cut_at_every_byte),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_probe),
        cmocka_unit_test(test_probe_part),
        cmocka_unit_test(test_empty_archive),
        cmocka_unit_test(test_records_are_capped),
        cmocka_unit_test(test_resolve),
        cmocka_unit_test(test_absurd_length),
        cmocka_unit_test(test_long_ids_end_the_list),
    };

    return cmocka_run_group_tests_name("gapir_payload", tests, NULL, NULL);
}

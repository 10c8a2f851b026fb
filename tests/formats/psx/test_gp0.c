/* SPDX-License-Identifier: MIT */
#include "formats/psx/gpu/gp0.h"

#include "base/bytes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* Stores words as in a file. The tests run on little- and big-endian machines. */
static size_t store(const uint32_t *words, size_t count, uint8_t *bytes)
{
    bytes_put_words(bytes, words, count);
    return count;
}

#define STORE(bytes, ...)                                                                          \
    store((const uint32_t[]){__VA_ARGS__}, sizeof((uint32_t[]){__VA_ARGS__}) / 4, bytes)

static void test_no_words(void **state)
{
    struct psx_gp0_parser parser;
    struct psx_gp0_event event;

    (void)state;
    psx_gp0_parser_reset(&parser);
    assert_int_equal(psx_gp0_parse(&parser, NULL, 0, &event), 0);
    assert_int_equal(event.type, GP0_EVENT_NONE);
    assert_false(event.begins);
}

static void test_lengths_of_the_table(void **state)
{
    static const uint8_t polygons[8] = {4, 7, 5, 9, 6, 9, 8, 12};

    (void)state;
    for (unsigned op = 0; op < 256; op++) {
        const struct psx_gp0_info *info = &psx_gp0_table[op];

        assert_non_null(info->name);
        assert_in_range(info->words, 1, GP0_WORDS_MAX);
        if (op >= 0x20 && op < 0x40) {
            unsigned n = op & GP0_QUAD ? 4 : 3;
            unsigned textured = op & GP0_TEXTURED ? 1 : 0;

            assert_int_equal(info->kind, GP0_POLYGON);
            assert_int_equal(info->words, 1 + n * (1 + textured) + (op & GP0_GOURAUD ? n - 1 : 0));
            assert_int_equal(info->words, polygons[(op - 0x20) / 4]);
        }
    }
    assert_int_equal(psx_gp0_table[0x40].words, 3);
    assert_int_equal(psx_gp0_table[0x5F].words, 4);
    assert_int_equal(psx_gp0_table[0x5F].kind, GP0_POLYLINE);
    assert_int_equal(psx_gp0_table[0x60].words, 3);
    assert_int_equal(psx_gp0_table[0x64].words, 4);
    assert_int_equal(psx_gp0_table[0x68].words, 2);
    assert_int_equal(psx_gp0_table[0x6C].words, 3);
    assert_int_equal(psx_gp0_table[0x7F].words, 3);
    assert_int_equal(psx_gp0_table[0x9F].words, 4);
    assert_int_equal(psx_gp0_table[0xBF].words, 3);
    assert_int_equal(psx_gp0_table[0xDF].kind, GP0_READ);
    assert_int_equal(psx_gp0_table[0xE0].kind, GP0_NOP);
    assert_int_equal(psx_gp0_table[0xE6].kind, GP0_ENVIRONMENT);
    assert_int_equal(psx_gp0_table[0xFF].kind, GP0_UNKNOWN);
    assert_string_equal(psx_gp0_table[0x3E].name, "quad-gt");
    assert_string_equal(psx_gp0_table[0x75].name, "rect-t");
}

static void test_commands_in_one_payload(void **state)
{
    uint8_t bytes[64];
    size_t count = STORE(bytes, 0xE1000400, 0x02123456, 0x00100010, 0x00200020, 0x00000000);
    struct psx_gp0_parser parser;
    struct psx_gp0_event event;

    (void)state;
    psx_gp0_parser_reset(&parser);
    assert_int_equal(psx_gp0_parse(&parser, bytes, count, &event), 1);
    assert_int_equal(event.type, GP0_EVENT_COMMAND);
    assert_int_equal(event.op, 0xE1);
    assert_int_equal(event.words[0], 0xE1000400);
    assert_int_equal(psx_gp0_parse(&parser, bytes + 4, count - 1, &event), 3);
    assert_int_equal(event.op, 0x02);
    assert_int_equal(event.count, 3);
    assert_int_equal(event.words[2], 0x00200020);
    assert_true(event.begins);
    assert_int_equal(psx_gp0_parse(&parser, bytes + 16, 1, &event), 1);
    assert_int_equal(event.op, 0x00);
    assert_int_equal(parser.phase, GP0_PHASE_IDLE);
}

static void test_command_cut_at_every_word(void **state)
{
    uint8_t bytes[16];
    size_t count = STORE(bytes, 0x20FFFFFF, 1, 2, 3);
    struct psx_gp0_parser parser;
    struct psx_gp0_event event;

    (void)state;
    psx_gp0_parser_reset(&parser);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(psx_gp0_parse(&parser, bytes + 4 * i, 1, &event), 1);
        assert_int_equal(event.begins, i == 0);
        assert_int_equal(event.type, i == 3 ? GP0_EVENT_COMMAND : GP0_EVENT_NONE);
    }
    assert_int_equal(event.words[0], 0x20FFFFFF);
    assert_int_equal(event.words[3], 3);
}

static void test_reset_drops_a_command(void **state)
{
    uint8_t bytes[16];
    struct psx_gp0_parser parser;
    struct psx_gp0_event event;

    (void)state;
    psx_gp0_parser_reset(&parser);
    STORE(bytes, 0x20FFFFFF, 1);
    psx_gp0_parse(&parser, bytes, 2, &event);
    assert_int_equal(parser.phase, GP0_PHASE_COMMAND);
    assert_int_equal(parser.have, 2);
    psx_gp0_parser_reset(&parser);
    STORE(bytes, 0xE3000000);
    assert_int_equal(psx_gp0_parse(&parser, bytes, 1, &event), 1);
    assert_int_equal(event.op, 0xE3);
}

static void test_upload_gives_runs_of_data(void **state)
{
    uint8_t bytes[64];
    size_t count = STORE(bytes, 0xA0000000, 0, 0x00030003, 1, 2, 3, 4, 5, 0x01000000);
    struct psx_gp0_parser parser;
    struct psx_gp0_event event;

    (void)state;
    psx_gp0_parser_reset(&parser);
    assert_int_equal(psx_gp0_parse(&parser, bytes, 5, &event), 3);
    assert_int_equal(event.type, GP0_EVENT_COMMAND);
    assert_int_equal(parser.due, 5);
    assert_int_equal(psx_gp0_parse(&parser, bytes + 12, 2, &event), 2);
    assert_int_equal(event.type, GP0_EVENT_DATA);
    assert_false(event.data_last);
    assert_false(event.begins);
    assert_int_equal(psx_gp0_parse(&parser, bytes + 20, count - 5, &event), 3);
    assert_ptr_equal(event.data, bytes + 20);
    assert_int_equal(event.data_words, 3);
    assert_true(event.data_last);
    assert_int_equal(psx_gp0_parse(&parser, bytes + 32, 1, &event), 1);
    assert_int_equal(event.op, 0x01);
}

static void test_upload_of_size_zero_is_all_of_vram(void **state)
{
    uint8_t bytes[16];
    struct psx_gp0_parser parser;
    struct psx_gp0_event event;

    (void)state;
    psx_gp0_parser_reset(&parser);
    STORE(bytes, 0xA0000000, 0, 0);
    psx_gp0_parse(&parser, bytes, 3, &event);
    assert_int_equal(parser.due, 1024 * 512 / 2);

    psx_gp0_parser_reset(&parser);
    STORE(bytes, 0xA0000000, 0, 0xFFFFFFFF);
    psx_gp0_parse(&parser, bytes, 3, &event);
    assert_int_equal(parser.due, (1023 * 511 + 1) / 2);
}

static void test_flat_polyline(void **state)
{
    uint8_t bytes[64];
    struct psx_gp0_parser parser;
    struct psx_gp0_event event;

    (void)state;
    /* A vertex that looks like the mark does not end it before the third group. */
    STORE(bytes, 0x48FFFFFF, 0x50005000, 0x50005000, 0x00010001, 0x5ABC5123, 0);
    psx_gp0_parser_reset(&parser);
    assert_int_equal(psx_gp0_parse(&parser, bytes, 6, &event), 3);
    assert_int_equal(event.type, GP0_EVENT_COMMAND);
    assert_int_equal(parser.phase, GP0_PHASE_POLYLINE);
    assert_int_equal(psx_gp0_parse(&parser, bytes + 12, 3, &event), 1);
    assert_int_equal(event.type, GP0_EVENT_SEGMENT);
    assert_int_equal(event.count, 1);
    assert_int_equal(event.words[0], 0x00010001);
    assert_int_equal(event.op, 0x48);
    assert_int_equal(psx_gp0_parse(&parser, bytes + 16, 2, &event), 1);
    assert_int_equal(event.type, GP0_EVENT_POLYLINE_END);
    assert_int_equal(psx_gp0_parse(&parser, bytes + 20, 1, &event), 1);
    assert_int_equal(event.type, GP0_EVENT_COMMAND);
}

static void test_gouraud_polyline(void **state)
{
    uint8_t bytes[64];
    struct psx_gp0_parser parser;
    struct psx_gp0_event event;

    (void)state;
    STORE(bytes, 0x580000FF, 1, 0x50005000, 2, 0x00FF00, 0x50005000, 0x55555555);
    psx_gp0_parser_reset(&parser);
    assert_int_equal(psx_gp0_parse(&parser, bytes, 7, &event), 4);
    assert_int_equal(event.count, 4);
    /* The mark counts only in place of a colour, also if the group is cut there. */
    assert_int_equal(psx_gp0_parse(&parser, bytes + 16, 1, &event), 1);
    assert_int_equal(event.type, GP0_EVENT_NONE);
    assert_int_equal(psx_gp0_parse(&parser, bytes + 20, 1, &event), 1);
    assert_int_equal(event.type, GP0_EVENT_SEGMENT);
    assert_int_equal(event.words[0], 0x00FF00);
    assert_int_equal(event.words[1], 0x50005000);
    assert_int_equal(psx_gp0_parse(&parser, bytes + 24, 1, &event), 1);
    assert_int_equal(event.type, GP0_EVENT_POLYLINE_END);
    assert_int_equal(parser.phase, GP0_PHASE_IDLE);
}

static void test_gp1_names(void **state)
{
    (void)state;
    assert_string_equal(psx_gp1_table[0x00].name, "reset");
    assert_string_equal(psx_gp1_table[0x09].name, "allow-texture-disable");
    assert_null(psx_gp1_table[0x0A].name);
    assert_string_equal(psx_gp1_table[0x1F].name, "info");
    assert_null(psx_gp1_table[0x20].name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_words),
        cmocka_unit_test(test_lengths_of_the_table),
        cmocka_unit_test(test_commands_in_one_payload),
        cmocka_unit_test(test_command_cut_at_every_word),
        cmocka_unit_test(test_reset_drops_a_command),
        cmocka_unit_test(test_upload_gives_runs_of_data),
        cmocka_unit_test(test_upload_of_size_zero_is_all_of_vram),
        cmocka_unit_test(test_flat_polyline),
        cmocka_unit_test(test_gouraud_polyline),
        cmocka_unit_test(test_gp1_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

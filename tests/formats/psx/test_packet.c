/* SPDX-License-Identifier: MIT */
#include "formats/psx/container.h"

#include "base/bytes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void test_magic_of_nothing(void **state)
{
    (void)state;
    assert_int_equal(psx_magic_read(NULL, 0), PSX_MAGIC_NONE);
    assert_int_equal(psx_magic_read((const uint8_t *)"PSXG", 4), PSX_MAGIC_NONE);
    assert_int_equal(psx_magic_read((const uint8_t *)"a text file without magic", 25),
                     PSX_MAGIC_NONE);
}

static void test_magic_versions(void **state)
{
    static const struct {
        const char bytes[17];
        uint64_t size;
        enum psx_magic magic;
        uint64_t length;
    } cases[] = {
        {"PSXGPUDUMPv1r1\0\0", 16, PSX_MAGIC_16, 16},
        {"PSXGPUDUMPv1r1\0\0", 15, PSX_MAGIC_UNKNOWN, 0},
        {"PSXGPUDUMPv1\0\0", 14, PSX_MAGIC_14, 14},
        {"PSXGPUDUMPv1\0\0xx", 16, PSX_MAGIC_14, 14},
        {"PSXGPUDUMPv1\0\0", 13, PSX_MAGIC_UNKNOWN, 0},
        {"PSXGPUDUMPv1r2\0\0", 16, PSX_MAGIC_UNKNOWN, 0},
        {"PSXGPUDUMPv2\0\0", 14, PSX_MAGIC_UNKNOWN, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        enum psx_magic magic = psx_magic_read((const uint8_t *)cases[i].bytes, cases[i].size);

        assert_int_equal(magic, cases[i].magic);
        assert_int_equal(psx_magic_length(magic), cases[i].length);
    }
}

static void test_magic_that_is_cut_off(void **state)
{
    static const uint8_t later[] = "PSXGPUDUMPv1r1\0", first[] = "PSXGPUDUMPv1\0";

    (void)state;
    for (uint64_t size = 0; size < 16; size++)
        assert_int_equal(psx_magic_is_cut(later, size), size >= 10);
    assert_false(psx_magic_is_cut(later, 16));
    assert_true(psx_magic_is_cut(first, 13));
    assert_false(psx_magic_is_cut(first, 14));
    assert_false(psx_magic_is_cut((const uint8_t *)"PSXGPUDUMPv2", 12));
}

static void test_packet_needs_a_header(void **state)
{
    static const uint8_t bytes[3] = {0};
    struct psx_packet packet;

    (void)state;
    assert_false(psx_packet_read(bytes, 0, 0, &packet));
    assert_false(psx_packet_read(bytes, 3, 0, &packet));
    assert_false(psx_packet_read(bytes, 3, 4, &packet));
    assert_false(psx_packet_read(bytes, 3, UINT64_MAX, &packet));
}

static void test_packets_follow_each_other(void **state)
{
    static const uint8_t bytes[] = {2, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 2};
    struct psx_packet packet;

    (void)state;
    assert_true(psx_packet_read(bytes, sizeof(bytes), 0, &packet));
    assert_int_equal(packet.type, PSX_PACKET_GP0);
    assert_int_equal(packet.words, 2);
    assert_ptr_equal(packet.payload, bytes + 4);
    assert_int_equal(psx_packet_end(&packet), 12);
    assert_true(psx_packet_read(bytes, sizeof(bytes), 12, &packet));
    assert_int_equal(packet.type, PSX_PACKET_VSYNC);
    assert_int_equal(packet.words, 0);
    assert_int_equal(psx_packet_end(&packet), sizeof(bytes));
    assert_false(psx_packet_read(bytes, sizeof(bytes), 16, &packet));
}

static void test_cut_packet_keeps_whole_words(void **state)
{
    static const uint8_t bytes[] = {0xFF, 0xFF, 0xFF, 0, 1, 2, 3, 4, 5, 6, 7};
    struct psx_packet packet;

    (void)state;
    assert_true(psx_packet_read(bytes, sizeof(bytes), 0, &packet));
    assert_int_equal(packet.announced, 0xFFFFFF);
    assert_int_equal(packet.words, 1);
}

static void test_what_is_written_is_read(void **state)
{
    static const enum psx_magic magics[] = {PSX_MAGIC_14, PSX_MAGIC_16};
    const uint32_t words[] = {0x01234567, 0xFEDCBA98};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct text dump = TEXT_INIT;
        struct psx_packet packet;
        const uint8_t *bytes;

        psx_magic_write(&dump, magics[i]);
        psx_packet_write(&dump, PSX_PACKET_GP1, words, 2);
        psx_packet_write(&dump, PSX_PACKET_BEGIN, NULL, 0);
        assert_int_equal(text_status(&dump), 0);
        bytes = (const uint8_t *)dump.bytes;
        assert_int_equal(psx_magic_read(bytes, dump.length), magics[i]);
        assert_true(psx_packet_read(bytes, dump.length, psx_magic_length(magics[i]), &packet));
        assert_int_equal(packet.type, PSX_PACKET_GP1);
        assert_int_equal(packet.announced, 2);
        assert_int_equal(bytes_le32(packet.payload), words[0]);
        assert_int_equal(bytes_le32(packet.payload + 4), words[1]);
        assert_true(psx_packet_read(bytes, dump.length, psx_packet_end(&packet), &packet));
        assert_int_equal(packet.type, PSX_PACKET_BEGIN);
        assert_int_equal(psx_packet_end(&packet), dump.length);
        text_clear(&dump);
    }
}

static void test_names(void **state)
{
    (void)state;
    assert_string_equal(psx_packet_name(0x00), "gp0");
    assert_string_equal(psx_packet_name(0x04), "readback");
    assert_string_equal(psx_packet_name(0x12), "comment");
    assert_null(psx_packet_name(0x07));
    assert_null(psx_packet_name(0x13));
    assert_null(psx_packet_name(0xFF));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_magic_of_nothing),
        cmocka_unit_test(test_magic_versions),
        cmocka_unit_test(test_magic_that_is_cut_off),
        cmocka_unit_test(test_packet_needs_a_header),
        cmocka_unit_test(test_packets_follow_each_other),
        cmocka_unit_test(test_cut_packet_keeps_whole_words),
        cmocka_unit_test(test_what_is_written_is_read),
        cmocka_unit_test(test_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

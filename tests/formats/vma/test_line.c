/* SPDX-License-Identifier: MIT */
#include "formats/vma/container.h"

#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

static struct vma_slice slice(const char *text)
{
    return (struct vma_slice){(const uint8_t *)text, (const uint8_t *)text + strlen(text)};
}

static void test_lines_end_in_every_way(void **state)
{
    static const uint8_t bytes[] = "ab\r\n\n\rc\r";
    const uint64_t size = sizeof(bytes) - 1;
    struct vma_line line;

    (void)state;
    vma_line_read(bytes, size, 0, &line);
    assert_true(vma_slice_is(line.text, "ab"));
    assert_int_equal(line.bytes, 4);
    assert_true(line.ended);
    vma_line_read(bytes, size, 4, &line);
    assert_true(vma_slice_is(line.text, ""));
    assert_int_equal(line.bytes, 1);
    vma_line_read(bytes, size, 5, &line); /* a carriage return that does not end a line is text */
    assert_true(vma_slice_is(line.text, "\rc\r"));
    assert_int_equal(line.bytes, 3);
    assert_false(line.ended);
}

static void test_columns(void **state)
{
    struct vma_columns columns;
    struct vma_slice column;

    (void)state;
    vma_columns_init(&columns, slice("a,,c,"));
    assert_int_equal(vma_columns_count(&columns), 4);
    assert_true(vma_columns_next(&columns, &column));
    assert_true(vma_slice_is(column, "a"));
    assert_true(vma_columns_next(&columns, &column));
    assert_true(vma_slice_is(column, ""));
    assert_int_equal(vma_columns_count(&columns), 2);
    assert_true(vma_columns_rest(&columns, &column));
    assert_true(vma_slice_is(column, "c,"));
    assert_false(vma_columns_next(&columns, &column));
    assert_false(vma_columns_rest(&columns, &column));
    assert_int_equal(vma_columns_count(&columns), 0);
}

static void test_numbers(void **state)
{
    static const struct {
        const char *text;
        bool good64, good32;
        uint64_t value;
    } cases[] = {
        {"", true, true, 0},
        {"0", true, true, 0},
        {"  17", true, true, 17},
        {"\t+5", true, true, 5},
        {"-1", true, true, UINT64_MAX},
        {"007", true, true, 7},
        {"4294967295", true, true, 4294967295},
        {"4294967296", true, false, 4294967296},
        {"-4294967296", true, false, UINT64_MAX - 4294967295},
        {"18446744073709551615", true, false, UINT64_MAX},
        {"18446744073709551616", false, false, 0},
        {"99999999999999999999999", false, false, 0},
        {" ", false, false, 0},
        {"-", false, false, 0},
        {"+-1", false, false, 0},
        {"1 ", false, false, 0},
        {"1x", false, false, 0},
        {"0x1", false, false, 0},
        {"1.5", false, false, 0},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        uint64_t wide = 1;
        uint32_t narrow = 1;

        assert_int_equal(vma_read_u64(slice(cases[i].text), &wide), cases[i].good64);
        if (cases[i].good64)
            assert_int_equal(wide, cases[i].value);
        assert_int_equal(vma_read_u32(slice(cases[i].text), &narrow), cases[i].good32);
        if (cases[i].good32)
            assert_int_equal(narrow, (uint32_t)cases[i].value);
    }
}

static void test_booleans(void **state)
{
    bool value = false;

    (void)state;
    assert_true(vma_read_bool(slice("1"), &value));
    assert_true(value);
    assert_true(vma_read_bool(slice("0"), &value));
    assert_false(value);
    assert_false(vma_read_bool(slice(""), &value));
    assert_false(vma_read_bool(slice("2"), &value));
    assert_false(vma_read_bool(slice("01"), &value));
    assert_false(vma_read_bool(slice("true"), &value));
}

static void test_pointers(void **state)
{
    static const struct {
        const char *text;
        bool good;
        uint64_t value;
    } cases[] = {
        {"", true, 0},
        {"0000000000000000", true, 0},
        {"000001D85B8B1A80", true, 0x1D85B8B1A80},
        {"000001d85b8b1a80", true, 0x1D85B8B1A80},
        {"FFFFFFFFFFFFFFFF", true, UINT64_MAX},
        {"07F66FA0", true, 0x7F66FA0},
        {"0x55d0c0ffee00", true, 0x55D0C0FFEE00},
        {"0XAB", true, 0xAB},
        {"(nil)", true, 0},
        {"(null)", true, 0},
        {"nil", true, 0},
        {"nullptr", true, 0},
        {"1D", true, 0x1D},
        {"0x", false, 0},
        {"0x0123456789abcdef0", false, 0},
        {"10000000000000000", false, 0},
        {"000001D85B8B1A8G", false, 0},
        {"000001D85B8B1A:0", false, 0},
        {"000001D8\x10"
         "B8B1A80",
         false, 0},
        {"000001D85B8B\xC1"
         "180",
         false, 0},
        {"NULL", false, 0},
        {" 1", false, 0},
        {"-1", false, 0},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        uint64_t value = 1;

        assert_int_equal(vma_read_pointer(slice(cases[i].text), &value), cases[i].good);
        if (cases[i].good)
            assert_int_equal(value, cases[i].value);
    }
}

/* Compares reading eight digits at a time with reading one at a time. */
static void test_fast_digits_agree(void **state)
{
    uint64_t random = 1;

    (void)state;
    for (unsigned i = 0; i < 100000; i++) {
        uint64_t text = support_random(&random), value = 0;
        uint32_t fast = 0;
        bool good = true;

        if (i % 2 == 0) /* mostly digits */
            for (unsigned j = 0; j < 8; j++)
                if (support_random(&random) % 16 != 0) {
                    text &= ~(UINT64_C(0xFF) << 8 * j);
                    text |=
                        (uint64_t)(uint8_t) "0123456789abcdefABCDEF"[support_random(&random) % 22]
                        << 8 * j;
                }
        for (unsigned j = 0; j < 8; j++) {
            uint8_t byte = (uint8_t)(text >> 8 * j);
            struct vma_slice digit = {&byte, &byte + 1};
            uint64_t one = 0;

            good &= vma_read_pointer(digit, &one);
            value = value << 4 | one;
        }
        assert_int_equal(vma_hex8(text, &fast), good);
        if (good)
            assert_int_equal(fast, value);
    }
}

static void test_times(void **state)
{
    static const struct {
        const char *text;
        bool good;
        uint64_t value;
    } cases[] = {
        {"0.000", true, 0},
        {"12.345", true, 12345},
        {"12.3456789", true, 12345},
        {"7", true, 7000},
        {"7.", true, 7000},
        {"7.5", true, 7500},
        {"18446744073709551", true, UINT64_C(18446744073709551000)},
        {"18446744073709552", false, 0},
        {"", false, 0},
        {".5", false, 0},
        {"-1.000", false, 0},
        {"1.0x0", false, 0},
        {"1,000", false, 0},
        {"1e3", false, 0},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        uint64_t value = 1;

        assert_int_equal(vma_read_milliseconds(slice(cases[i].text), &value), cases[i].good);
        if (cases[i].good)
            assert_int_equal(value, cases[i].value);
    }
}

static void test_lists(void **state)
{
    struct vma_slice list = slice(" a  bc d"), item;

    (void)state;
    assert_true(vma_list_next(&list, &item));
    assert_true(vma_slice_is(item, "a"));
    assert_true(vma_list_next(&list, &item));
    assert_true(vma_slice_is(item, "bc"));
    assert_true(vma_list_next(&list, &item));
    assert_true(vma_slice_is(item, "d"));
    assert_false(vma_list_next(&list, &item));
    list = slice("");
    assert_false(vma_list_next(&list, &item));
    list = slice("   ");
    assert_false(vma_list_next(&list, &item));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_end_in_every_way),
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_booleans),
        cmocka_unit_test(test_pointers),
        cmocka_unit_test(test_fast_digits_agree),
        cmocka_unit_test(test_times),
        cmocka_unit_test(test_lists),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

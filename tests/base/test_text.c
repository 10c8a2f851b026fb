/* SPDX-License-Identifier: MIT */
#include "base/text.h"
#include "base/utf8.h"

#include "tests/support/support.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void assert_text(struct text *text, const char *expected)
{
    assert_int_equal(text_status(text), 0);
    assert_int_equal(text->length, strlen(expected));
    if (text->length > 0)
        assert_memory_equal(text->bytes, expected, text->length);
    text_clear(text);
}

static void test_empty(void **state)
{
    struct text text = TEXT_INIT;
    struct blob *blob = NULL;

    (void)state;
    text_add(&text, "");
    text_add_bytes(&text, NULL, 0);
    text_add_escaped(&text, NULL, 0);
    assert_int_equal(text_escaped_length(NULL, 0), 0);
    text_printf(&text, "%s", "");
    assert_text(&text, "");
    text_clear(&text);
    assert_int_equal(text_blob(&text, &blob), 0);
    assert_int_equal(blob->size, 0);
    blob_unref(&blob);
}

static void test_what_is_expected_is_not_moved(void **state)
{
    struct text_allowance allowance = {.max = 1000};
    struct text text = TEXT_INIT;
    const char *bytes;

    (void)state;
    text_add(&text, "begun");
    text_expect(&text, 100000);
    bytes = text.bytes;
    while (text.length < 100000)
        text_add_char(&text, 'x');
    assert_ptr_equal(text.bytes, bytes);
    assert_memory_equal(text.bytes, "begunxxx", 8);
    text_expect(&text, SIZE_MAX); /* not a failure: the text may stay shorter */
    assert_int_equal(text_status(&text), 0);
    text_clear(&text);

    text_allow(&allowance);
    text_expect(&text, 1001);
    assert_null(text.bytes);
    text_add(&text, "allowed");
    assert_int_equal(text_status(&text), 0);
    while (text.length < 998)
        text_add_char(&text, 'x');
    text_add_u64(&text, 42); /* fills the text up to the last byte */
    assert_int_equal(text_status(&text), 0);
    assert_memory_equal(text.bytes + 998, "42", 2);
    text_add_u64(&text, 0);
    assert_int_equal(text_status(&text), -EFBIG);
    text_allow(NULL);
    text_clear(&text);
}

static void test_numbers(void **state)
{
    struct text text = TEXT_INIT;

    (void)state;
    text_add_u64(&text, 0);
    text_add_char(&text, ' ');
    text_add_u64(&text, UINT64_MAX);
    text_add_char(&text, ' ');
    text_add_i64(&text, INT64_MIN);
    text_add_char(&text, ' ');
    text_add_i64(&text, INT64_MAX);
    text_add_char(&text, ' ');
    text_add_padded(&text, 42, 6);
    text_add_char(&text, ' ');
    text_add_padded(&text, 1234567, 6);
    text_add_char(&text, ' ');
    text_add_padded(&text, 7, 30);
    text_add_char(&text, ' ');
    text_add_hex(&text, 0, 0);
    text_add_char(&text, ' ');
    text_add_hex(&text, 0xBEEF, 8);
    text_add_char(&text, ' ');
    text_add_hex(&text, UINT64_MAX, 1);
    assert_text(&text, "0 18446744073709551615 -9223372036854775808 9223372036854775807 000042 "
                       "1234567 000000000000000000000000000007 0 0000BEEF FFFFFFFFFFFFFFFF");
}

static void test_words(void **state)
{
    struct text text = TEXT_INIT;

    (void)state;
    text_add_le32(&text, 0x44434241);
    text_add_le32(&text, 0x00C30001);
    assert_int_equal(text.length, 8);
    assert_memory_equal(text.bytes, "ABCD\x01\x00\xC3\x00", 8);
    text_clear(&text);
}

static void test_numbers_as_printf(void **state)
{
    uint64_t random = 1;

    (void)state;
    for (int i = 0; i < 20000; i++) {
        uint64_t value = support_random(&random) >> (i % 64);
        unsigned digits = (unsigned)(support_random(&random) % 12);
        struct text text = TEXT_INIT;
        char expected[200];

        snprintf(expected, sizeof(expected), "%llu %lld %0*llu %0*llX", (unsigned long long)value,
                 (long long)value, (int)digits, (unsigned long long)value, (int)digits,
                 (unsigned long long)value);
        text_add_u64(&text, value);
        text_add_char(&text, ' ');
        text_add_i64(&text, (int64_t)value);
        text_add_char(&text, ' ');
        text_add_padded(&text, value, digits);
        text_add_char(&text, ' ');
        text_add_hex(&text, value, digits);
        assert_text(&text, expected);
    }
}

static void test_printf_of_any_length(void **state)
{
    struct text text = TEXT_INIT;
    char longest[2000];

    (void)state;
    memset(longest, 'x', sizeof(longest));
    for (int length = 0; length < (int)sizeof(longest); length++) {
        text_printf(&text, "%.*s", length, longest);
        assert_int_equal(text_status(&text), 0);
    }
    assert_int_equal(text.length, sizeof(longest) * (sizeof(longest) - 1) / 2);
    for (size_t i = 0; i < text.length; i++)
        assert_int_equal(text.bytes[i], 'x');
    text_clear(&text);
    text_field(&text, "key", "%d of %s", 3, "four");
    assert_text(&text, "key: 3 of four\n");
}

static void test_escaped(void **state)
{
    static const struct {
        const char *bytes, *expected;
    } rows[] = {
        {"plain text", "plain text"},
        {"a\tb\nc\x7f", "a\\tb\\x0Ac\\x7F"},
        {"\\", "\\\\"},
        {"gr\xC3\xBC\xC3\x9F \xE6\x97\xA5 \xF0\x9F\x8E\xAE",
         "gr\xC3\xBC\xC3\x9F \xE6\x97\xA5 \xF0\x9F\x8E\xAE"},
        {"\xC2\x85", "\\xC2\\x85"},                   /* NEL, a control character */
        {"\xE2\x80\xAE", "\\xE2\\x80\\xAE"},          /* right-to-left override */
        {"\xC0\xAF", "\\xC0\\xAF"},                   /* overlong */
        {"\xED\xA0\x80", "\\xED\\xA0\\x80"},          /* surrogate */
        {"\xF4\x90\x80\x80", "\\xF4\\x90\\x80\\x80"}, /* beyond U+10FFFF */
        {"\xE6\x97", "\\xE6\\x97"},                   /* cut off */
        {"\xFF", "\\xFF"},
        {"\x80z", "\\x80z"},
        {"\x1B[31m", "\\x1B[31m"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct text text = TEXT_INIT;

        text_add_escaped(&text, rows[i].bytes, strlen(rows[i].bytes));
        assert_text(&text, rows[i].expected);
        assert_int_equal(text_escaped_length(rows[i].bytes, strlen(rows[i].bytes)),
                         strlen(rows[i].expected));
    }
}

static void test_fields_are_skipped(void **state)
{
    static const struct {
        const char *line;
        unsigned count;
        size_t skipped;
    } cases[] = {{"", 0, 0},      {"", 3, 0},      {"a b c", 0, 0}, {"a b c", 1, 2},
                 {"a b c", 2, 4}, {"a b c", 3, 5}, {"a b c", 9, 5}, {" b", 1, 1},
                 {"a  c", 2, 3},  {"a\tb c", 1, 4}};

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        assert_int_equal(text_skip_fields(cases[i].line, strlen(cases[i].line), cases[i].count),
                         cases[i].skipped);
    assert_int_equal(text_skip_fields("a b", 1, 2), 1);
}

static void test_utf8_short_input(void **state)
{
    static const uint8_t bytes[] = {0xF0, 0x9F, 0x8E, 0xAE};
    uint32_t point = 0;

    (void)state;
    for (size_t length = 0; length < sizeof(bytes); length++)
        assert_int_equal(utf8_decode(bytes, length, &point), 0);
    assert_int_equal(utf8_decode(bytes, sizeof(bytes), &point), 4);
    assert_int_equal(point, 0x1F3AE);
}

static void test_escaped_cells(void **state)
{
    struct text text = TEXT_INIT;

    (void)state;
    text_add(&text, "1");
    text_cell_escaped(&text, NULL, 0);
    text_cell_escaped(&text, "-", 1);
    text_cell_escaped(&text, "-1", 2);
    text_cell_escaped(&text, "\"", 1);
    text_cell_escaped(&text, "\"a b\"", 5);
    text_cell_escaped(&text, "a\tb\n", 4);
    text_cell_escaped(&text, "=1+1", 4);
    text_cell_escaped(&text, "+1", 2);
    text_cell_escaped(&text, "@SUM(A1)", 8);
    text_cell_escaped(&text, "a=-1", 4);
    text_add_char(&text, '\0');
    assert_string_equal(text.bytes,
                        "1\t-\t\\x2D\t\\x2D1\t\\x22\t\\x22a b\"\ta\\tb\\x0A\t\\x3D1+1\t\\x2B1\t"
                        "\\x40SUM(A1)\ta=-1");
    text_clear(&text);
}

/*
 * Invisible characters and characters that change the appearance of others, with some visible
 * neighbours.
 */
static void test_characters_that_are_not_seen(void **state)
{
    static const uint32_t hidden[] = {
        0x00,   0x1B,   0x7F,   0x80,   0x9F,   0xAD,   0x34F,   0x61C,   0x1160,  0x180E,
        0x200B, 0x200E, 0x200F, 0x2028, 0x202A, 0x202E, 0x2060,  0x2066,  0x2069,  0x3164,
        0xFE0F, 0xFEFF, 0xFFA0, 0xFFF9, 0xFFFE, 0xFFFF, 0x1BCA0, 0x1D173, 0xE0001, 0xE0FFF};
    static const uint32_t seen[] = {0x20,   0x7E,   0xA0,    0xAC,    0xAE,    0x41F,   0x60C,
                                    0x5D0,  0x2010, 0x2027,  0x2030,  0x2070,  0xFE10,  0xFF21,
                                    0xFFFC, 0xFFFD, 0x1BC9F, 0x1F3AE, 0xE1000, 0x10FFFF};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(hidden); i++)
        assert_false(utf8_printable(hidden[i]));
    for (size_t i = 0; i < COUNT_OF(seen); i++)
        assert_true(utf8_printable(seen[i]));
}

static void test_visible(void **state)
{
    struct text text = TEXT_INIT;

    (void)state;
    text_add_visible(&text, "C:\\a\n\t\x1B\xC2\x9B\xE2\x80\xAE\xFF\xC3\xBC", 15);
    assert_text(&text, "C:\\a\\x0A\\t\\x1B\\xC2\\x9B\\xE2\\x80\\xAE\\xFF\xC3\xBC");
}

static void test_json(void **state)
{
    static const char json[] =
        "{\"a\":\"\x7F\xC2\x9B\xE2\x80\xAE\xF3\xA0\x80\x81\xC3\xBC\\n\",\n1}";
    struct text text = TEXT_INIT;

    (void)state;
    text_add_json(&text, json, strlen(json));
    assert_text(&text, "{\"a\":\"\\u007F\\u009B\\u202E\\uDB40\\uDC01\xC3\xBC\\n\",\n1}");
}

static void add_json(struct text *text, const void *bytes, size_t length)
{
    text_add_json(text, bytes, length);
}

/*
 * A text with a limit stops reading at the limit: escapes may make the input, which can be
 * gigabytes long, even longer. The bytes after that point are not accessed.
 */
static void test_what_exceeds_the_limit_is_not_read_on(void **state)
{
    static void (*const adders[])(struct text * text, const void *bytes,
                                  size_t length) = {text_add_escaped, text_add_visible, add_json};
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint8_t *bytes =
        mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    (void)state;
    assert_true(bytes != MAP_FAILED);
    for (size_t at = 0; at < page; at += 2)
        memcpy(bytes + at, "\xC2\x85", 2);
    assert_int_equal(mprotect(bytes + page, page, PROT_NONE), 0);
    for (size_t i = 0; i < COUNT_OF(adders); i++) {
        struct text text = {.limit = 100};

        adders[i](&text, bytes, 2 * page);
        assert_int_equal(text_status(&text), -EFBIG);
        text_clear(&text);
    }
    munmap(bytes, 2 * page);
}

static void test_limit(void **state)
{
    struct text text = {.limit = 5};
    struct blob *blob = NULL;

    (void)state;
    text_printf(&text, "%s", "12345");
    assert_int_equal(text_status(&text), 0);
    text_add_char(&text, '6');
    assert_int_equal(text_status(&text), -EFBIG);
    text_reset(&text);
    assert_int_equal(text_status(&text), 0);
    text_printf(&text, "%s", "123456");
    assert_int_equal(text_status(&text), -EFBIG);
    text_add(&text, "1");
    assert_int_equal(text.length, 0);
    assert_int_equal(text_blob(&text, &blob), -EFBIG);
    assert_null(blob);
    assert_int_equal(text_status(&text), 0);
    assert_int_equal(text.limit, 5);
}

static void test_unwritten(void **state)
{
    struct text text = {.limit = 100000};

    (void)state;
    text_add(&text, "abc");
    text_add_unwritten(&text, 99990);
    text_add(&text, "defghij");
    assert_int_equal(text_status(&text), 0);
    assert_int_equal(text.length, 100000);
    assert_memory_equal(text.bytes, "abc", 3);
    assert_memory_equal(text.bytes + 99993, "defghij", 7);
    text_add_unwritten(&text, 1);
    assert_int_equal(text_status(&text), -EFBIG);
    assert_int_equal(text.length, 100000);
    text_clear(&text);
}

static void test_first_failure_sticks(void **state)
{
    struct text text = TEXT_INIT;

    (void)state;
    text_add(&text, "abc");
    text_fail(&text, -EIO);
    text_fail(&text, -ENOMEM);
    text_add(&text, "def");
    text_add_u64(&text, 12);
    text_printf(&text, "%d", 3);
    assert_int_equal(text_status(&text), -EIO);
    assert_int_equal(text.length, 3);
    text_clear(&text);
}

static void test_blob(void **state)
{
    struct text text = TEXT_INIT;
    struct blob *blob = NULL;

    (void)state;
    for (int i = 0; i < 100000; i++)
        text_add_padded(&text, (uint64_t)i, 5);
    assert_int_equal(text_blob(&text, &blob), 0);
    assert_null(text.bytes);
    assert_int_equal(blob->size, 500000);
    assert_memory_equal(blob->data + 499995, "99999", 5);
    blob_unref(&blob);
}

static void test_no_memory(void **state)
{
    (void)state;
    for (int n = 0; n == 0 || support_allocation_failed(); n++) {
        struct text text = TEXT_INIT;
        struct blob *blob = NULL;
        int status;

        support_fail_allocation(n);
        for (int i = 0; i < 300; i++)
            text_printf(&text, "%d\n", i);
        text_add_escaped(&text, "\1", 1);
        status = text_blob(&text, &blob);
        assert_true(status == 0 || (status == -ENOMEM && support_allocation_failed()));
        blob_unref(&blob);
    }
    support_fail_allocation(-1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_what_is_expected_is_not_moved),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_numbers_as_printf),
        cmocka_unit_test(test_printf_of_any_length),
        cmocka_unit_test(test_escaped),
        cmocka_unit_test(test_fields_are_skipped),
        cmocka_unit_test(test_escaped_cells),
        cmocka_unit_test(test_characters_that_are_not_seen),
        cmocka_unit_test(test_visible),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_utf8_short_input),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_what_exceeds_the_limit_is_not_read_on),
        cmocka_unit_test(test_unwritten),
        cmocka_unit_test(test_first_failure_sticks),
        cmocka_unit_test(test_blob),
        cmocka_unit_test(test_no_memory),
    };

    return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}

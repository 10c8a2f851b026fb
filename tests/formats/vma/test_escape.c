/* SPDX-License-Identifier: MIT */
#include "base/utf8.h"
#include "formats/vma/decode/decode.h"

#include "tests/support/support.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 20000, LENGTH = 40 };

/* Returns random bytes, most of which are special characters. */
static size_t make_bytes(uint64_t *random, uint8_t bytes[LENGTH])
{
    static const char *const parts[] = {"\\",
                                        "\"",
                                        "\t",
                                        "\n",
                                        "\x7F",
                                        "\xC3\xA9",
                                        "\xC3",
                                        "\x1B",
                                        "\xE2\x82\xAC",
                                        "\xED\xA0\x80",
                                        "\xFF",
                                        "plain text",
                                        ",",
                                        "-",
                                        "=",
                                        "\xC2\x9B",
                                        "\xE2\x80\xAE",
                                        "\xF3\xA0\x80\x81"};
    size_t length = 0;

    for (unsigned n = (unsigned)(support_random(random) % 8); n > 0; n--) {
        const char *part = parts[support_random(random) % (sizeof(parts) / sizeof(parts[0]))];

        if (length + strlen(part) > LENGTH)
            break;
        memcpy(bytes + length, part, strlen(part));
        length += strlen(part);
    }
    if (length < LENGTH && support_random(random) % 4 == 0)
        bytes[length++] = (uint8_t)support_random(random);
    return length;
}

static void expect_printable(const struct text *text)
{
    uint32_t point = 0;

    for (size_t at = 0; at < text->length;) {
        size_t taken = utf8_decode((const uint8_t *)text->bytes + at, text->length - at, &point);

        assert_true(taken > 0 && utf8_printable(point));
        at += taken;
    }
}

static void test_json_is_valid_and_of_that_length(void **state)
{
    uint64_t random = 2;

    (void)state;
    for (unsigned n = 0; n < ROUNDS; n++) {
        struct text text = TEXT_INIT;
        uint64_t field, json;
        uint8_t bytes[LENGTH];
        size_t length = make_bytes(&random, bytes);
        json_t *value;

        text_add(&text, "\"");
        vma_json_escaped_write(bytes, length, &text);
        text_add(&text, "\"");
        value = json_loadb(text.bytes, text.length, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
        assert_non_null(value);
        vma_escaped_lengths(bytes, length, &field, &json);
        assert_int_equal(json, text.length - 2);
        expect_printable(&text);
        assert_int_equal(json, vma_json_escaped_length(bytes, length));
        text_reset(&text);
        text_cell_escaped(&text, bytes, length);
        assert_int_equal(field, text.length - 1); /* without the tab */
        json_decref(value);
        text_clear(&text);
    }
}

static void test_cells_are_never_empty_quoted_or_a_dash(void **state)
{
    static const char *const cells[][2] = {
        {"", "-"},      {"-", "\\x2D"},   {"--", "\\x2D-"}, {"\"a\"", "\\x22a\""},
        {"a b", "a b"}, {"=1", "\\x3D1"}, {"+1", "\\x2B1"}, {"@a", "\\x40a"}};

    (void)state;
    for (size_t n = 0; n < sizeof(cells) / sizeof(cells[0]); n++) {
        const uint8_t *bytes = (const uint8_t *)cells[n][0];
        struct text text = TEXT_INIT;
        uint64_t cell, json;

        text_cell_escaped(&text, bytes, strlen(cells[n][0]));
        vma_escaped_lengths(bytes, strlen(cells[n][0]), &cell, &json);
        assert_int_equal(cell, text.length - 1);
        text_add_char(&text, '\0');
        assert_string_equal(text.bytes + 1, cells[n][1]);
        text_clear(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_json_is_valid_and_of_that_length),
        cmocka_unit_test(test_cells_are_never_empty_quoted_or_a_dash),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include "base/json_reader.h"

#include "tests/support/support.h"

#include <string.h>

static struct json_reader reader_of(const char *text)
{
    return json_reader((const uint8_t *)text, strlen(text));
}

static void test_nothing_is_no_value(void **state)
{
    struct json_reader reader = json_reader(NULL, 0);

    (void)state;
    assert_int_equal(json_reader_peek(&reader), JSON_READ_END);
    assert_false(json_reader_skip(&reader));
    assert_non_null(reader.error);
    reader = reader_of(" \n\t");
    assert_false(json_reader_skip(&reader));
}

static void test_values_are_passed_over(void **state)
{
    static const char *const good[] = {
        "{}",          "[]",       "0",        "-1.5e+3",
        "\"\"",        "true",     "[[],{}]",  "{\"a\":[1,{\"b\":null}],\"c\":\"\\u00e9\\n\"}",
        " [ 1 , 2 ] ", "\"\xff\"", "[[[1]],2]"};
    static const char *const bad[] = {
        "{",  "[1,]",  "{\"a\"}", "{\"a\":}",  "[1 2]",     "01",  "-",
        "1.", "1e",    "tru",     "\"\\x\"",   "\"\\u12\"", "\"a", "\"\n\"",
        "}",  "{a:1}", "[1}",     "{\"a\":1]", "nullx",     "{,}", "\"\\u12\x10\x19\""};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(good); i++) {
        struct json_reader reader = reader_of(good[i]);

        assert_true(json_reader_skip(&reader));
        assert_int_equal(json_reader_peek(&reader), JSON_READ_END);
        assert_int_equal(reader.at, reader.size);
    }
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        struct json_reader reader = reader_of(bad[i]);

        assert_false(json_reader_skip(&reader) && json_reader_peek(&reader) == JSON_READ_END &&
                     reader.at == reader.size);
    }
}

static void test_depth_has_an_end(void **state)
{
    char text[4 * JSON_READ_DEPTH];
    struct json_reader reader;

    (void)state;
    memset(text, '[', sizeof(text));
    reader = json_reader((const uint8_t *)text, sizeof(text));
    assert_false(json_reader_skip(&reader));
    assert_int_equal(reader.at, JSON_READ_DEPTH);
    memset(text + JSON_READ_DEPTH, ']', JSON_READ_DEPTH);
    reader = json_reader((const uint8_t *)text, 2 * JSON_READ_DEPTH);
    assert_true(json_reader_skip(&reader));
}

static void test_members_are_read_in_order(void **state)
{
    struct json_reader reader =
        reader_of("{\"a\": 1, \"list\": [18446744073709551615], \"b\": \"x\"}");
    struct json_text key, value;
    uint64_t number = 0;

    (void)state;
    assert_true(json_reader_enter(&reader, JSON_READ_OBJECT));
    assert_true(json_reader_more(&reader) && json_reader_key(&reader, &key) &&
                json_reader_u64(&reader, &number));
    assert_true(json_reader_text_is(&key, "a"));
    assert_int_equal(number, 1);
    assert_true(json_reader_more(&reader) && json_reader_key(&reader, &key) &&
                json_reader_enter(&reader, JSON_READ_ARRAY));
    assert_true(json_reader_more(&reader) && json_reader_u64(&reader, &number));
    assert_int_equal(number, UINT64_MAX);
    assert_false(json_reader_more(&reader));
    assert_true(json_reader_more(&reader) && json_reader_key(&reader, &key) &&
                json_reader_string(&reader, &value));
    assert_true(json_reader_text_is(&value, "x"));
    assert_false(json_reader_more(&reader));
    assert_null(reader.error);
    assert_int_equal(reader.at, reader.size);
}

static void test_numbers_are_whole_and_fit(void **state)
{
    static const char *const bad[] = {
        "18446744073709551616", "-1", "1.0", "1e3", "00", "\"1\"", ""};
    uint64_t number;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        struct json_reader reader = reader_of(bad[i]);

        assert_false(json_reader_u64(&reader, &number));
    }
}

static void test_strings_mean_bytes(void **state)
{
    static const struct {
        const char *text, *meant;
    } cases[] = {
        {"\"\"", ""},
        {"\"a\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "a\"\\/\b\f\n\r\t"},
        {"\"\\u0041\\u00e9\\u20AC\"", "A\xc3\xa9\xe2\x82\xac"},
        {"\"\\ud83d\\ude00\"", "\xf0\x9f\x98\x80"},
        {"\"\\ud83dx\\ude00\"", "?x?"},
        {"\"\xff\"", "\xff"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct json_reader reader = reader_of(cases[i].text);
        struct json_text string;
        uint8_t bytes[64];

        assert_true(json_reader_string(&reader, &string));
        assert_int_equal(json_reader_text_bytes(&string, bytes), strlen(cases[i].meant));
        assert_memory_equal(bytes, cases[i].meant, strlen(cases[i].meant));
    }
}

static void test_escapes_are_what_they_stand_for(void **state)
{
    static const struct {
        const char *string, *text;
        bool same;
    } cases[] = {
        {"\"name\"", "name", true},
        {"\"na\\u006de\"", "name", true},
        {"\"\\u006E\\u0061\\u006d\\u0065\"", "name", true},
        {"\"\\/\\n\"", "/\n", true},
        {"\"\\ud83d\\ude00\"", "\xf0\x9f\x98\x80", true},
        {"\"\"", "", true},
        {"\"na\\u006d\"", "name", false},
        {"\"na\\u006des\"", "name", false},
        {"\"na\\u006ee\"", "name", false},
        {"\"\\\\u006e\"", "n", false},
        {"\"\\\\u006e\"", "\\u006e", true},
        {"\"\\u0000\"", "", false},
        {"\"\\u00e9\"", "\xc3", false},
        {"\"\"", "n", false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct json_reader reader = reader_of(cases[i].string);
        struct json_text string;

        assert_true(json_reader_string(&reader, &string));
        assert_int_equal(json_reader_text_is(&string, cases[i].text), cases[i].same);
    }
}

static void test_faults_have_a_place(void **state)
{
    struct json_reader reader = reader_of("{\n  \"a\": 1,\n  \"b\" 2\n}");
    uint64_t line, column;

    (void)state;
    assert_false(json_reader_skip(&reader));
    json_reader_place(&reader, reader.at, &line, &column);
    assert_int_equal(line, 3);
    assert_int_equal(column, 7);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_is_no_value),
        cmocka_unit_test(test_values_are_passed_over),
        cmocka_unit_test(test_depth_has_an_end),
        cmocka_unit_test(test_members_are_read_in_order),
        cmocka_unit_test(test_numbers_are_whole_and_fit),
        cmocka_unit_test(test_strings_mean_bytes),
        cmocka_unit_test(test_escapes_are_what_they_stand_for),
        cmocka_unit_test(test_faults_have_a_place),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

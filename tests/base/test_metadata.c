/* SPDX-License-Identifier: MIT */
#include "base/metadata.h"

#include "tests/support/support.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static char *as_text(const struct metadata *metadata)
{
    struct text text = TEXT_INIT;

    assert_int_equal(metadata_write_text(metadata, &text), 0);
    text_add_char(&text, '\0');
    return text.bytes;
}

static json_t *as_json(const struct metadata *metadata)
{
    struct text text = TEXT_INIT;
    json_t *json;

    assert_int_equal(metadata_write_json(metadata, &text), 0);
    assert_int_equal(text.bytes[text.length - 1], '\n');
    json = json_loadb(text.bytes, text.length, JSON_ALLOW_NUL, NULL);
    assert_non_null(json);
    text_clear(&text);
    return json;
}

static void assert_json_string(json_t *json, const char *expected)
{
    assert_true(json_is_string(json));
    assert_string_equal(json_string_value(json), expected);
}

static void test_empty(void **state)
{
    struct metadata *metadata = NULL;
    char *text;
    json_t *json;

    (void)state;
    metadata_destroy(&metadata);
    assert_int_equal(metadata_create(&metadata), 0);
    text = as_text(metadata);
    json = as_json(metadata);
    assert_string_equal(text, "");
    assert_true(json_is_object(json));
    assert_int_equal(json_object_size(json), 0);
    json_decref(json);
    free(text);
    metadata_destroy(&metadata);
    assert_null(metadata);
}

static void test_kinds(void **state)
{
    struct metadata *metadata = NULL;
    char *text;
    json_t *json;

    (void)state;
    assert_int_equal(metadata_create(&metadata), 0);
    metadata_add(metadata, "format", "psx %d", 1);
    metadata_add_u64(metadata, "size", INT64_MAX);
    metadata_add_u64(metadata, "frames", 60);
    metadata_add_bool(metadata, "interlaced", true);
    metadata_add_bool(metadata, "wide", false);
    metadata_add_real(metadata, "duration", 1.25, 6);
    metadata_add_json(metadata, "own", "{\"a\":[1,null]}");
    metadata_add_none(metadata, "game");
    text = as_text(metadata);
    assert_string_equal(text, "format: psx 1\nsize: 9223372036854775807\nframes: 60\n"
                              "interlaced: yes\nwide: no\nduration: 1.250000\n"
                              "own: {\"a\":[1,null]}\ngame: -\n");
    json = as_json(metadata);
    assert_json_string(json_object_get(json, "format"), "psx 1");
    assert_true(json_integer_value(json_object_get(json, "size")) == INT64_MAX);
    assert_true(json_real_value(json_object_get(json, "duration")) == 1.25);
    assert_int_equal(json_array_size(json_object_get(json_object_get(json, "own"), "a")), 2);
    assert_int_equal(json_integer_value(json_object_get(json, "frames")), 60);
    assert_true(json_is_true(json_object_get(json, "interlaced")));
    assert_true(json_is_false(json_object_get(json, "wide")));
    assert_true(json_is_null(json_object_get(json, "game")));
    json_decref(json);
    free(text);
    metadata_destroy(&metadata);
}

/*
 * JSON escapes what disturbs terminals: the bytes of the file do not contain it, but the values do.
 */
static void test_json_is_fit_for_terminals(void **state)
{
    static const char odd[] = "a\x7F\xC2\x9B\xE2\x80\xAEz";
    struct metadata *metadata = NULL;
    struct text text = TEXT_INIT;
    json_t *json;

    (void)state;
    assert_int_equal(metadata_create(&metadata), 0);
    metadata_add_bytes(metadata, "name", odd, strlen(odd));
    metadata_add_json(metadata, "own", "[\"\xE2\x80\xAE\"]");
    assert_int_equal(metadata_write_json(metadata, &text), 0);
    text_add_char(&text, '\0');
    assert_string_equal(text.bytes, "{\n  \"name\": \"a\\u007F\\u009B\\u202Ez\",\n"
                                    "  \"own\": [\"\\u202E\"]\n}\n");
    json = as_json(metadata);
    assert_json_string(json_object_get(json, "name"), odd);
    json_decref(json);
    text_clear(&text);
    metadata_destroy(&metadata);
}

static void test_repeated_keys(void **state)
{
    struct metadata *metadata = NULL;
    char *text;
    json_t *json, *comments;

    (void)state;
    assert_int_equal(metadata_create(&metadata), 0);
    metadata_add(metadata, "comment", "one");
    metadata_add(metadata, "other", "x");
    metadata_add(metadata, "comment", "two");
    metadata_add(metadata, "comment", "%s", "");
    text = as_text(metadata);
    assert_string_equal(text, "comment: one\ncomment: two\ncomment: \nother: x\n");
    json = as_json(metadata);
    comments = json_object_get(json, "comment");
    assert_int_equal(json_array_size(comments), 3);
    assert_json_string(json_array_get(comments, 0), "one");
    assert_json_string(json_array_get(comments, 1), "two");
    assert_json_string(json_array_get(comments, 2), "");
    assert_int_equal(json_object_size(json), 2);
    json_decref(json);
    free(text);
    metadata_destroy(&metadata);
}

static void test_lists(void **state)
{
    struct metadata *metadata = NULL;
    char *text;
    json_t *json;

    (void)state;
    assert_int_equal(metadata_create(&metadata), 0);
    metadata_add_list(metadata, "none");
    metadata_add_list(metadata, "one");
    metadata_add(metadata, "one", "%d", 1);
    metadata_add(metadata, "late", "a");
    metadata_add(metadata, "late", "b");
    metadata_add_list(metadata, "late");
    metadata_add_list(metadata, "late");
    text = as_text(metadata);
    json = as_json(metadata);
    assert_string_equal(text, "none: -\none: 1\nlate: a\nlate: b\n");
    assert_int_equal(json_object_size(json), 3);
    assert_true(json_is_array(json_object_get(json, "none")));
    assert_int_equal(json_array_size(json_object_get(json, "none")), 0);
    assert_json_string(json_array_get(json_object_get(json, "one"), 0), "1");
    assert_json_string(json_array_get(json_object_get(json, "late"), 1), "b");
    json_decref(json);
    free(text);
    metadata_destroy(&metadata);
}

/* Numbers that jansson cannot read are written nevertheless, since other programs can read them. */
static void test_numbers_beyond_63_bits(void **state)
{
    struct metadata *metadata = NULL;
    struct text text = TEXT_INIT;

    (void)state;
    assert_int_equal(metadata_create(&metadata), 0);
    metadata_add_u64(metadata, "size", UINT64_MAX);
    assert_int_equal(metadata_write_json(metadata, &text), 0);
    text_add_char(&text, '\0');
    assert_string_equal(text.bytes, "{\n  \"size\": 18446744073709551615\n}\n");
    text_clear(&text);
    metadata_destroy(&metadata);
}

static void test_untrusted_bytes(void **state)
{
    static const char bytes[] = "a\n\"\xC3\xBC\xFF\0z";
    struct metadata *metadata = NULL;
    char *text;
    json_t *json, *value;

    (void)state;
    assert_int_equal(metadata_create(&metadata), 0);
    metadata_add_bytes(metadata, "title", bytes, sizeof(bytes) - 1);
    metadata_add_bytes(metadata, "none", NULL, 0);
    text = as_text(metadata);
    assert_string_equal(text, "title: a\\x0A\"\xC3\xBC\\xFF\\x00z\nnone: \n");
    json = as_json(metadata);
    value = json_object_get(json, "title");
    assert_int_equal(json_string_length(value), 11);
    assert_memory_equal(json_string_value(value), "a\n\"\xC3\xBC\\xFF\0z", 11);
    json_decref(json);
    free(text);
    metadata_destroy(&metadata);
}

static int make_all(struct text *text)
{
    struct metadata *metadata = NULL;
    int status = metadata_create(&metadata), json_status = 0;

    if (status == 0) {
        metadata_add(metadata, "one", "%d", 1);
        metadata_add_bytes(metadata, "two", "\xFF", 1);
        metadata_add_list(metadata, "two");
        metadata_add_real(metadata, "real", 0.5, 1);
        for (int i = 0; i < 40; i++)
            metadata_add_u64(metadata, "three", 3);
        status = metadata_write_text(metadata, text);
        json_status = metadata_write_json(metadata, text);
    }
    metadata_destroy(&metadata);
    return status < 0 ? status : json_status;
}

static void test_no_memory(void **state)
{
    (void)state;
    for (int n = 0; n == 0 || support_allocation_failed(); n++) {
        struct text text = TEXT_INIT;
        int status;

        support_fail_allocation(n);
        status = make_all(&text);
        assert_int_equal(status, support_allocation_failed() ? -ENOMEM : 0);
        text_clear(&text);
    }
    support_fail_allocation(-1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_json_is_fit_for_terminals),
        cmocka_unit_test(test_repeated_keys),
        cmocka_unit_test(test_untrusted_bytes),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_numbers_beyond_63_bits),
    };

    return cmocka_run_group_tests_name("metadata", tests, NULL, NULL);
}

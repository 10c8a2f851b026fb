/* SPDX-License-Identifier: MIT */
/* Names of pixels, and tables of what happened to the pixels, as text and as scripts. */
#include "tree/pixel_files.h"

#include "tests/support/support.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static void names_are_columns_and_lines(void **state)
{
    static const char *const wrong[] = {"",        ",",       "1",           "x,1",
                                        "16384,0", "0,16384", "99999,99999", "-1,0"};
    char name[RULE_NAME_MAX + 1];
    uint64_t ordinal = 0;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(wrong); i++)
        assert_false(pixel_files_parse(NULL, 0, wrong[i], &ordinal));
    assert_true(pixel_files_parse(NULL, 0, "16383,12.tsv", &ordinal));
    assert_int_equal(pixel_files_column(ordinal), 16383);
    assert_int_equal(pixel_files_line(ordinal), 12);
    assert_int_equal(pixel_files_frame(UINT64_C(5) << PIXEL_FILES_BITS | ordinal), 5);
    assert_int_equal(pixel_files_name_tsv(NULL, 0, ordinal, name), 0);
    assert_string_equal(name, "16383,12.tsv");
    assert_int_equal(pixel_files_name_js(NULL, 0, ordinal, name), 0);
    assert_string_equal(name, "16383,12.js");
}

/* The pixels of a picture are listed line by line, and no other pixels. */
static void pixels_follow_each_other(void **state)
{
    enum { WIDTH = 3, HEIGHT = 2 };
    uint64_t ordinal = 0, found = 0;

    (void)state;
    assert_int_equal(pixel_files_next(0, 0, 0, &ordinal), -ENOENT);
    assert_int_equal(pixel_files_next(0, 0, HEIGHT, &ordinal), -ENOENT);
    for (uint64_t from = 0; pixel_files_next(from, WIDTH, HEIGHT, &ordinal) == 0;
         from = ordinal + 1, found++) {
        assert_int_equal(pixel_files_column(ordinal), found % WIDTH);
        assert_int_equal(pixel_files_line(ordinal), found / WIDTH);
    }
    assert_int_equal(found, WIDTH * HEIGHT);
}

/* Writes a row for each frame before the key's frame. Fails in column 9. */
static int tell(struct dump *dump, uint64_t key, const struct cancel *cancel, struct text *text)
{
    (void)dump;
    (void)cancel;
    for (uint64_t i = 0; i < pixel_files_frame(key); i++)
        text_printf(text, "%u\tdraw\t-\n", (unsigned)i);
    return pixel_files_column(key) == 9 ? -EIO : 0;
}

static const struct pixel_column columns[] = {{"frame", true}, {"name", false}, {"before", true}};
static const struct pixel_table table = {"pixel", columns, COUNT_OF(columns), tell};

static void expect(const struct blob *blob, const char *text)
{
    assert_int_equal(blob->size, strlen(text));
    assert_memory_equal(blob->data, text, blob->size);
}

static void tables_are_scripts_too(void **state)
{
    struct blob *blob = NULL;
    uint64_t ordinal = 0;

    (void)state;
    assert_true(pixel_files_parse(NULL, 0, "3,4", &ordinal));
    assert_int_equal(pixel_files_script_make(&table, NULL, ordinal, NULL, &blob), 0);
    expect(blob, "gpudumpfsHistory({\"frame\":0,\"pixel\":[3,4],\n"
                 "\"columns\":[\"frame\",\"name\",\"before\"],\n\"rows\":[]});\n");
    blob_unref(&blob);
    ordinal |= UINT64_C(2) << PIXEL_FILES_BITS;
    assert_int_equal(pixel_files_table_make(&table, NULL, ordinal, NULL, &blob), 0);
    expect(blob, "frame\tname\tbefore\n0\tdraw\t-\n1\tdraw\t-\n");
    blob_unref(&blob);
    assert_int_equal(pixel_files_script_make(&table, NULL, ordinal, NULL, &blob), 0);
    expect(blob, "gpudumpfsHistory({\"frame\":2,\"pixel\":[3,4],\n"
                 "\"columns\":[\"frame\",\"name\",\"before\"],\n"
                 "\"rows\":[\n[0,\"draw\",null],\n[1,\"draw\",null]]});\n");
    blob_unref(&blob);
}

static void failures_leave_nothing(void **state)
{
    struct blob *blob = NULL;
    uint64_t ordinal = 0;

    (void)state;
    assert_true(pixel_files_parse(NULL, 0, "9,0", &ordinal));
    assert_int_equal(pixel_files_table_make(&table, NULL, ordinal, NULL, &blob), -EIO);
    assert_int_equal(pixel_files_script_make(&table, NULL, ordinal, NULL, &blob), -EIO);
    assert_null(blob);
    assert_true(pixel_files_parse(NULL, 0, "1,0", &ordinal));
    for (int n = 0; n == 0 || support_allocation_failed(); n++) {
        int status;

        support_fail_allocation(n);
        status = pixel_files_script_make(&table, NULL, ordinal, NULL, &blob);
        if (status != 0)
            assert_int_equal(status, support_allocation_failed() ? -ENOMEM : 0);
        blob_unref(&blob); /* only making the text shorter may fail without consequences */
    }
    support_fail_allocation(-1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_columns_and_lines),
        cmocka_unit_test(pixels_follow_each_other),
        cmocka_unit_test(tables_are_scripts_too),
        cmocka_unit_test(failures_leave_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

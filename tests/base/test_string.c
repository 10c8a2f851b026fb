/* SPDX-License-Identifier: MIT */
#include "base/string.h"

#include "tests/support/support.h"

static void test_begins(void **state)
{
    (void)state;
    assert_true(string_begins("", ""));
    assert_true(string_begins("name", ""));
    assert_true(string_begins("name", "na"));
    assert_true(string_begins("name", "name"));
    assert_false(string_begins("name", "names"));
    assert_false(string_begins("name", "me"));
    assert_false(string_begins("", "n"));
}

static void test_ends(void **state)
{
    (void)state;
    assert_true(string_ends("", ""));
    assert_true(string_ends("name", ""));
    assert_true(string_ends("name", "me"));
    assert_true(string_ends("name", "name"));
    assert_false(string_ends("name", "surname"));
    assert_false(string_ends("name", "na"));
    assert_false(string_ends("", "e"));
}

static void test_numbers(void **state)
{
    static const struct {
        const char *string;
        unsigned base;
        uint64_t value;
        const char *rest; /* NULL if there is no number */
    } rows[] = {
        {"0", 10, 0, ""},
        {"007", 10, 7, ""},
        {"12-34", 10, 12, "-34"},
        {"0759", 8, 075, "9"},
        {"1012", 2, 5, "2"},
        {"18446744073709551615", 10, UINT64_MAX, ""},
        {"18446744073709551616", 10, 0, NULL},
        {"18446744073709551620", 10, 0, NULL},
        {"184467440737095516150", 10, 0, NULL},
        {"", 10, 0, NULL},
        {"-1", 10, 0, NULL},
        {" 1", 10, 0, NULL},
        {"8", 8, 0, NULL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const char *at = rows[i].string;
        uint64_t value = 0;

        assert_int_equal(string_take_number(&at, rows[i].base, &value), rows[i].rest != NULL);
        if (rows[i].rest == NULL)
            continue;
        assert_true(value == rows[i].value);
        assert_string_equal(at, rows[i].rest);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_begins),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_numbers),
    };

    return cmocka_run_group_tests_name("string", tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include "base/json_memory.h"

#include "tests/support/support.h"

#include <errno.h>
#include <string.h>

static int load(const char *text, json_t **out)
{
    return json_memory_load((const uint8_t *)text, strlen(text), 0, out, NULL);
}

static void what_is_no_json_is_invalid(void **state)
{
    static const char *const texts[] = {"", "{", "[1", "{\"a\": }", "nothing"};
    json_t *value;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        assert_int_equal(load(texts[i], &value), -EINVAL);
        assert_null(value);
    }
}

static void an_error_tells_where(void **state)
{
    static const char text[] = "{\n\"a\": ?}";
    json_error_t error;
    json_t *value;

    (void)state;
    assert_int_equal(json_memory_load((const uint8_t *)text, sizeof(text) - 1, 0, &value, &error),
                     -EINVAL);
    assert_int_equal(error.line, 2);
}

/* Each allocation fails once: the error is never reported as bad syntax. */
static void a_lack_of_memory_is_told_as_such(void **state)
{
    static const char text[] =
        "{\"name\": \"a string\", \"list\": [1, 2.5, {\"deep\": [true]}, null]}";
    json_t *value;
    int n, status;

    (void)state;
    for (n = 0; n == 0 || support_allocation_failed(); n++) {
        support_fail_allocation(n);
        status = load(text, &value);
        assert_int_equal(status, support_allocation_failed() ? -ENOMEM : 0);
        assert_int_equal(value == NULL, status != 0);
        json_decref(value);
    }
    support_fail_allocation(-1);
    assert_true(n > 10);
}

/*
 * After a failure the next value can be loaded. Values created before the first call may be freed
 * after it.
 */
static void values_outlive_the_first_call(void **state)
{
    json_t *before = json_string("made by the first allocator"), *value;

    (void)state;
    support_fail_allocation(0);
    assert_int_equal(load("[1]", &value), -ENOMEM);
    support_fail_allocation(-1);
    assert_int_equal(load("[1]", &value), 0);
    json_decref(before);
    json_decref(value);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_outlive_the_first_call),
        cmocka_unit_test(what_is_no_json_is_invalid),
        cmocka_unit_test(an_error_tells_where),
        cmocka_unit_test(a_lack_of_memory_is_told_as_such),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

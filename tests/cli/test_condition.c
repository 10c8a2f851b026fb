/* SPDX-License-Identifier: MIT */
/* Conditions of gpudump assert, as users write them. */
#include "config.h"

#include "cli/condition.h"

#include "tests/support/support.h"

#include <errno.h>
#include <string.h>

static int add(struct condition_list *conditions, const char *option, const char *value)
{
    struct text message = TEXT_INIT;
    int status = condition_add(conditions, option, value, &message);

    assert_true((status == 0) == (message.length == 0));
    text_clear(&message);
    return status;
}

static void pixels(void **state)
{
    static const char *const wrong[] = {"",
                                        "1",
                                        "1,2",
                                        "1,2=",
                                        "1,2=#",
                                        "1,2=#12345",
                                        "1,2=#1234567",
                                        "1,2=123456",
                                        "1,2=#12345g",
                                        "-1,2=#123456",
                                        "1, 2=#123456",
                                        " 1,2=#123456",
                                        "1,2,3=#123456",
                                        "4294967296,0=#123456",
                                        "99999999999999999999,0=#123456"};
    struct condition_list conditions = {0};

    (void)state;
    assert_int_equal(add(&conditions, "pixel", "12,4294967295=#A0b0C0"), 0);
    assert_int_equal(conditions.list[0].x, 12);
    assert_int_equal(conditions.list[0].y, UINT32_MAX);
    assert_string_equal(conditions.list[0].colour, "#a0b0c0");
    assert_false(conditions.list[0].has_frame);
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        assert_int_equal(add(&conditions, "pixel", wrong[i]), -EINVAL);
    condition_clear(&conditions);
}

static void draws(void **state)
{
    static const char *const relations[] = {"<", "<=", "=", ">=", ">"};
    static const char *const wrong[] = {"",    "5",   "<",    "==5",
                                        "=<5", "<>5", "<<5",  "<5x",
                                        "< 5", "<-5", "<=>5", "<18446744073709551616"};
    struct condition_list conditions = {0};
    char value[8];

    (void)state;
    for (size_t i = 0; i < sizeof(relations) / sizeof(relations[0]); i++) {
        snprintf(value, sizeof(value), "%s70", relations[i]);
        assert_int_equal(add(&conditions, "draws", value), 0);
        assert_string_equal(conditions.list[i].relation, relations[i]);
        assert_int_equal(conditions.list[i].number, 70);
    }
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        assert_int_equal(add(&conditions, "draws", wrong[i]), -EINVAL);
    condition_clear(&conditions);
}

static void hashes(void **state)
{
    struct condition_list conditions = {0};
    char value[66];

    (void)state;
    memset(value, 'A', sizeof(value));
    value[64] = '\0';
    assert_int_equal(add(&conditions, "hash", value), 0);
    assert_int_equal(strspn(conditions.list[0].value, "a"), 64);
    value[64] = 'A';
    value[65] = '\0';
    assert_int_equal(add(&conditions, "hash", value), -EINVAL);
    assert_int_equal(add(&conditions, "hash", ""), -EINVAL);
    condition_clear(&conditions);
}

static void a_frame_counts_for_what_follows(void **state)
{
    struct condition_list conditions = {.folder = "suite/"};

    (void)state;
    assert_int_equal(add(&conditions, "no-problems", NULL), 0);
    assert_int_equal(add(&conditions, "frame", "3"), 0);
    assert_int_equal(add(&conditions, "image", "a b.png"), 0);
    assert_int_equal(add(&conditions, "image", "/a.png"), 0);
    assert_int_equal(add(&conditions, "frame", "18446744073709551615"), 0);
    assert_int_equal(add(&conditions, "draws", "=1"), 0);
    assert_int_equal(add(&conditions, "frame", "x"), -EINVAL);
    assert_int_equal(add(&conditions, "frame", "3x"), -EINVAL);
    assert_int_equal(conditions.count, 4);
    assert_false(conditions.list[0].has_frame);
    assert_int_equal(conditions.list[1].frame, 3);
    assert_string_equal(conditions.list[1].value, "suite/a b.png");
    assert_string_equal(conditions.list[2].value, "/a.png");
    assert_true(conditions.list[3].frame == UINT64_MAX);
    condition_clear(&conditions);
}

static void names(void **state)
{
    (void)state;
    assert_int_equal(condition_takes_value("frame"), 1);
    assert_int_equal(condition_takes_value("pixel"), 1);
    assert_int_equal(condition_takes_value("no-problems"), 0);
    assert_int_equal(condition_takes_value("suite"), -ENOENT);
    assert_int_equal(condition_takes_value(""), -ENOENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pixels), cmocka_unit_test(draws),
        cmocka_unit_test(hashes), cmocka_unit_test(a_frame_counts_for_what_follows),
        cmocka_unit_test(names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include "cli/program.h"

#include "tests/support/support.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct program_options program;
static struct options *const options = &program.common;

static int set_up(void **state)
{
    (void)state;
    program_options_init(&program);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    options_clear(options);
    return 0;
}

/*
 * Returns the result of options_parse(). A refusal must have a message, and other results must not.
 */
static int parse(const char *option)
{
    struct text message = TEXT_INIT;
    int result = options_parse(options, option, &message);

    assert_int_equal(text_status(&message), 0);
    assert_int_equal(result == -EINVAL, message.length > 0);
    text_clear(&message);
    return result;
}

static void test_defaults(void **state)
{
    (void)state;
    assert_int_equal(options->cache, 256 << 20);
    assert_int_equal(program.max_expand, 0); /* the default in source.h applies */
    assert_int_equal(program.max_ratio, 2000);
    assert_true(options->max_memory == UINT64_C(2) << 30);
    assert_in_range(options->threads, 1, 256);
    assert_int_equal(options->png, PICTURE_STORED);
    assert_false(options->strict);
    assert_null(program.spool);
    assert_int_equal(options->digits, 0);
    assert_int_equal(program.mount.uid, getuid());
    assert_int_equal(program.mount.gid, getgid());
    assert_int_equal(program.mount.umask, 0);
}

static void test_others_are_not_taken(void **state)
{
    static const char *const others[] = {"",         "=",           "=1",      "cach",
                                         "caches=1", "allow_other", "Cache=1M"};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(others); i++)
        assert_int_equal(parse(others[i]), 0);
}

static void test_an_option_that_was_meant(void **state)
{
    static const struct {
        const char *given, *meant;
    } cases[] = {
        {"", NULL},
        {"=", NULL},
        {"cahce=1M", "cache"},
        {"cach", "cache"},
        {"caches", "cache"},
        {"chace", NULL},
        {"cech=1", NULL},
        {"di", "dir"},
        {"dev", NULL},
        {"fsname=x", NULL},
        {"max_expand=1G", "max-expand"},
        {"opendump", "open-dumps"},
        {"allow_other", NULL},
    };
    char longest[400];

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const char *near = options_near(options, cases[i].given);

        if (cases[i].meant == NULL)
            assert_null(near);
        else
            assert_string_equal(near, cases[i].meant);
    }
    memset(longest, 'c', sizeof(longest) - 1);
    longest[sizeof(longest) - 1] = '\0';
    assert_null(options_near(options, longest));
}

static void test_sizes(void **state)
{
    static const struct {
        const char *option;
        uint64_t value;
    } good[] = {
        {"max-expand=1", 1},
        {"max-expand=4096", 4096},
        {"max-expand=3K", 3 << 10},
        {"max-expand=3k", 3 << 10},
        {"max-expand=16M", 16 << 20},
        {"max-expand=5G", UINT64_C(5) << 30},
        {"max-expand=2T", UINT64_C(2) << 40},
        {"max-expand=18446744073709551615", UINT64_MAX},
        {"max-expand=16777215T", UINT64_C(16777215) << 40},
    };
    static const char *const bad[] = {
        "max-expand",           "max-expand=",
        "max-expand=0",         "max-expand=-1",
        "max-expand=K",         "max-expand=1X",
        "max-expand=1KB",       "max-expand=1 K",
        "max-expand= 1",        "max-expand=0x10",
        "max-expand=1.5G",      "max-expand=18446744073709551616",
        "max-expand=16777216T", "max-expand=17179869184G",
        "cache=1023K",          "cache=2000000G",
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(good); i++) {
        assert_int_equal(parse(good[i].option), 1);
        assert_true(program.max_expand == good[i].value);
    }
    for (size_t i = 0; i < COUNT_OF(bad); i++)
        assert_int_equal(parse(bad[i]), -EINVAL);
    assert_true(program.max_expand == UINT64_C(16777215) << 40);
    assert_int_equal(options->cache, 256 << 20);
}

static void test_counts(void **state)
{
    static const char *const bad[] = {"threads=0",  "threads=257",    "threads=4294967297",
                                      "threads=1K", "threads=+1",     "digits=0",
                                      "digits=13",  "uid=4294967296", "uid=root",
                                      "umask=8",    "umask=1000",     "umask=-1"};

    (void)state;
    assert_int_equal(parse("threads=256"), 1);
    assert_int_equal(options->threads, 256);
    assert_int_equal(parse("digits=9"), 1);
    assert_int_equal(options->digits, 9);
    assert_int_equal(parse("uid=4294967294"), 1);
    assert_true(program.mount.uid == 4294967294u);
    assert_int_equal(parse("gid=0"), 1);
    assert_int_equal(program.mount.gid, 0);
    assert_int_equal(parse("umask=027"), 1);
    assert_int_equal(program.mount.umask, 027);
    for (size_t i = 0; i < COUNT_OF(bad); i++)
        assert_int_equal(parse(bad[i]), -EINVAL);
}

static void test_choices_and_flags(void **state)
{
    (void)state;
    assert_int_equal(parse("png=small"), 1);
    assert_int_equal(options->png, PICTURE_SMALL);
    assert_int_equal(parse("png=stored"), 1);
    assert_int_equal(options->png, PICTURE_STORED);
    assert_int_equal(parse("png=smaller"), -EINVAL);
    assert_int_equal(parse("png="), -EINVAL);
    assert_int_equal(parse("strict=yes"), -EINVAL);
    assert_int_equal(parse("strict="), -EINVAL);
    assert_false(options->strict);
    assert_int_equal(parse("strict"), 1);
    assert_true(options->strict);
}

static void test_texts(void **state)
{
    (void)state;
    assert_int_equal(parse("spool="), -EINVAL);
    assert_int_equal(parse("spool=/a"), 1);
    assert_int_equal(parse("spool=/b=c"), 1);
    assert_string_equal(program.spool, "/b=c");
}

static void test_text_without_memory(void **state)
{
    (void)state;
    support_fail_allocation(0);
    assert_int_equal(parse("spool=/a"), -ENOMEM);
    support_fail_allocation(-1);
    assert_null(program.spool);
}

/* Every option is in the help and in the list of values, once, on a line of its own. */
static void test_listings(void **state)
{
    struct text help = TEXT_INIT, values = TEXT_INIT;

    (void)state;
    assert_int_equal(parse("spool=/a\nb"), 1);
    options_help(options, &help);
    options_write(options, NULL, &values);
    text_add_char(&help, '\0');
    text_add_char(&values, '\0');
    assert_int_equal(text_status(&help), 0);
    assert_int_equal(text_status(&values), 0);
    assert_in_range(options->program->count, 10, 100);
    for (size_t i = 0; i < options->program->count; i++) {
        const struct option_rule *rule = &options->program->rules[i];
        char line[64];

        snprintf(line, sizeof(line), "  -o %s%s", rule->name, rule->argument != NULL ? "=" : " ");
        assert_non_null(strstr(help.bytes, line));
        snprintf(line, sizeof(line), "%s: ", rule->name);
        assert_non_null(strstr(values.bytes, line));
    }
    assert_non_null(strstr(values.bytes, "cache: 268435456\n"));
    assert_non_null(strstr(values.bytes, "png: stored\n"));
    assert_non_null(strstr(values.bytes, "strict: off\n"));
    assert_non_null(strstr(values.bytes, "spool: /a\\x0Ab\n"));
    assert_non_null(strstr(values.bytes, "umask: 0000\n"));
    assert_non_null(strstr(values.bytes, "digits: as the dump needs\n"));
    text_clear(&help);
    text_clear(&values);
}

/* Options of a format. */

enum shape { ROUND, SQUARE };

struct own {
    uint64_t max;
    enum shape shape;
    bool loud;
    char *name;
};

static const char *const shape_choices[] = {"round", "square", NULL};
static bool is_name(const char *value)
{
    return strchr(value, '!') == NULL;
}

static const struct option_rule own_rules[] = {
    {"own-most", "SIZE", "most of it", "3K", OPTION_SIZE, offsetof(struct own, max), NULL, 1,
     1 << 20, NULL},
    {"own-shape", "round|square", "its shape", "square", OPTION_CHOICE, offsetof(struct own, shape),
     shape_choices, 0, 0, NULL},
    {"own-loud", NULL, "is heard", "off", OPTION_FLAG, offsetof(struct own, loud), NULL, 0, 0,
     NULL},
    {"own-name", "NAME", "what it is called", "nothing", OPTION_TEXT, offsetof(struct own, name),
     NULL, 0, 0, is_name},
};
static const struct own own_standard = {.max = 3 << 10, .shape = SQUARE};
static const char *const own_of_mounts[] = {"own-loud", NULL};
static const char *const own_idle[] = {"own-shape", NULL};
static const struct option_table own_table = {.rules = own_rules,
                                              .count = COUNT_OF(own_rules),
                                              .standard = &own_standard,
                                              .size = sizeof(own_standard),
                                              .of_mounts = own_of_mounts,
                                              .idle = own_idle};
static const struct option_rule other_rules[] = {
    {"other", "N", "a number", "7", OPTION_COUNT, 0, NULL, 0, 9, NULL},
};
static const unsigned other_standard = 7;
static const struct option_table other_table = {
    .rules = other_rules, .count = 1, .standard = &other_standard, .size = sizeof(other_standard)};
static const struct option_table empty_table = {.standard = "", .size = 1};

static void test_a_formats_own(void **state)
{
    const struct own *own = options_values(options, &own_table);
    struct text listed = TEXT_INIT;

    (void)state;
    assert_ptr_equal(own, &own_standard);
    assert_int_equal(parse("own-most=5"), 0);
    assert_int_equal(options_add(options, &own_table), 0);
    assert_int_equal(options_add(options, &empty_table), 0);
    assert_int_equal(options_add(options, &other_table), 0);
    own = options_values(options, &own_table);
    assert_int_equal(own->max, 3 << 10);
    assert_int_equal(own->shape, SQUARE);
    assert_int_equal(parse("own-most=2M"), -EINVAL);
    assert_int_equal(parse("own-most=5"), 1);
    assert_int_equal(parse("own-shape=round"), 1);
    assert_int_equal(parse("own-loud"), 1);
    assert_int_equal(parse("own-name=a b!"), -EINVAL);
    assert_int_equal(parse("own-name=a b"), 1);
    assert_int_equal(parse("other=8"), 1);
    assert_int_equal(parse("cache=1M"), 1);
    assert_int_equal(own->max, 5);
    assert_int_equal(own->shape, ROUND);
    assert_true(own->loud);
    assert_string_equal(own->name, "a b");
    assert_int_equal(*(const unsigned *)options_values(options, &other_table), 8);
    options_write(options, &own_table, &listed);
    options_help(options, &listed);
    text_add_char(&listed, '\0');
    assert_non_null(strstr(listed.bytes, "umask: 0000\nown-most: 5\nown-shape: round\n"));
    assert_non_null(strstr(listed.bytes, "own-name: a b\n"));
    assert_null(strstr(listed.bytes, "other: 8\n")); /* an option of another format */
    text_reset(&listed);
    options_write(options, NULL, &listed);
    text_add_char(&listed, '\0');
    assert_null(strstr(listed.bytes, "own-"));
    text_reset(&listed);
    options_help(options, &listed);
    text_add_char(&listed, '\0');
    assert_non_null(strstr(listed.bytes, "  -o own-shape=round|square "));
    text_clear(&listed);
}

static void expect_message(const char *option, const char *words)
{
    struct text message = TEXT_INIT;

    assert_int_equal(options_parse(options, option, &message), -EINVAL);
    text_add_char(&message, '\0');
    assert_non_null(strstr(message.bytes, words));
    text_clear(&message);
}

static void test_limits_are_told(void **state)
{
    (void)state;
    assert_int_equal(options_add(options, &own_table), 0);
    expect_message("threads=0", "not allowed: 0 (a whole number from 1 to 256)");
    expect_message("max-seconds=1.5", "not allowed: 1.5 (a whole number from ");
    expect_message("threads=x", "not allowed: x (a whole number from 1 to 256)");
    expect_message("cache=1", "not allowed: 1 (from 1M to 1T, in bytes or with K, M, G or T)");
    expect_message("max-expand=0", "not allowed: 0 (at least 1, in bytes");
    expect_message("own-most=0", "(from 1 to 1M,");
    expect_message("umask=8", "(octal digits, from 0 to 777)");
    expect_message("own-shape=flat", "option own-shape=round|square: not allowed: flat");
}

static void test_options_of_mounts(void **state)
{
    struct text help = TEXT_INIT;

    (void)state;
    assert_int_equal(options_add(options, &own_table), 0);
    options->no_mount = true;
    expect_message("dir", "option dir is only for gpudumpfs");
    expect_message("uid=1", "option uid is only for gpudumpfs");
    expect_message("own-loud", "option own-loud is only for gpudumpfs");
    assert_false(program.dir);
    assert_int_equal(parse("cache=1M"), 1);
    assert_int_equal(parse("own-name=x"), 1);
    options_help(options, &help);
    text_add_char(&help, '\0');
    assert_null(strstr(help.bytes, "-o dir"));
    assert_null(strstr(help.bytes, "-o own-loud"));
    assert_non_null(strstr(help.bytes, "-o cache"));
    assert_non_null(strstr(help.bytes, "-o own-name"));
    text_clear(&help);
}

/* Such an option is taken, and it is said that it has no effect. */
static void test_options_without_an_effect(void **state)
{
    struct text help = TEXT_INIT, message = TEXT_INIT;

    (void)state;
    assert_int_equal(options_add(options, &own_table), 0);
    assert_int_equal(options_parse(options, "own-shape=round", &message), 1);
    assert_int_equal(message.length, 0);
    options->no_mount = true;
    assert_int_equal(options_parse(options, "own-shape=round", &message), 1);
    text_add_char(&message, '\0');
    assert_string_equal(message.bytes, "option own-shape has no effect here: it concerns mounts");
    expect_message("own-shape=flat", "option own-shape=round|square: not allowed: flat");
    options_help(options, &help);
    text_add_char(&help, '\0');
    assert_null(strstr(help.bytes, "-o own-shape"));
    assert_null(options_near(options, "own-shap=round"));
    text_clear(&help);
    text_clear(&message);
}

static void test_own_without_memory(void **state)
{
    (void)state;
    for (int n = 0; n == 0 || support_allocation_failed(); n++) {
        int status;

        support_fail_allocation(n);
        status = options_add(options, &own_table);
        assert_int_equal(status, support_allocation_failed() ? -ENOMEM : 0);
        assert_int_equal(options->own == NULL, status != 0);
    }
    support_fail_allocation(-1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_defaults, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_others_are_not_taken, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_an_option_that_was_meant, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_sizes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_counts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_choices_and_flags, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_texts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_text_without_memory, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_listings, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_formats_own, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_limits_are_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_options_of_mounts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_options_without_an_effect, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_own_without_memory, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

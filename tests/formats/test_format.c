/* SPDX-License-Identifier: MIT */
#include "formats/format.h"

#include "tests/support/support.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct options options;
static struct text message;

static int open_path(const char *path, struct format_dump *dump)
{
    const struct source_params params = {.max_expand = 1 << 20};

    text_clear(&message);
    return format_open(path, &options, &params, &message, dump);
}

/*
 * Checks that a file is refused with `expected`, with a message for the user, and that nothing is
 * left behind.
 */
static void expect_refusal(const char *path, int expected)
{
    struct format_dump dump;

    assert_int_equal(open_path(path, &dump), expected);
    assert_true(message.length > 0);
    assert_null(dump.source);
    assert_null(dump.problems);
    assert_null(dump.dump);
    format_close(&dump);
}

static void the_table_is_well_formed(void **state)
{
    (void)state;
    for (const struct format *format = formats_table; format->name != NULL; format++) {
        assert_non_null(format->name);
        assert_non_null(format->title);
        assert_non_null(format->ops->probe);
        assert_non_null(format->ops->open);
        for (const struct format *other = formats_table; other != format; other++)
            assert_string_not_equal(other->name, format->name);
    }
}

/*
 * The defaults are those that the help text names, and the names of a format's options begin with
 * the name of the format.
 */
static void own_options_are_what_they_say(void **state)
{
    (void)state;
    for (const struct format *format = formats_table; format->name != NULL; format++) {
        const struct option_table *table = format->ops->options;

        for (size_t i = 0; table != NULL && i < table->count; i++) {
            struct text before = TEXT_INIT, after = TEXT_INIT, option = TEXT_INIT;
            const struct option_rule *rule = &table->rules[i];
            size_t prefix = strlen(format->name);

            if (strcmp(rule->name, "field") != 0) /* older than this rule */
                assert_true(strncmp(rule->name, format->name, prefix) == 0 &&
                            rule->name[prefix] == '-');
            options_write(&options, table, &before);
            text_printf(&option, "%s=%s%c", rule->name, rule->standard, '\0');
            if (options_parse(&options, option.bytes, &message) != 1)
                assert_int_not_equal(rule->type, OPTION_CHOICE);
            else if (rule->type != OPTION_TEXT)
                options_write(&options, table, &after);
            if (after.length > 0) {
                assert_int_equal(after.length, before.length);
                assert_memory_equal(after.bytes, before.bytes, before.length);
            }
            text_reset(&message);
            text_clear(&option);
            text_clear(&before);
            text_clear(&after);
        }
    }
}

static void nothing_is_no_format(void **state)
{
    const struct source nothing = {.path = NULL}, folder = {.is_folder = true};
    const struct source_params params = {0};
    struct format_opening opening = {
        .source = &nothing, .options = &options, .source_params = &params, .message = &message};
    const struct format *format;

    (void)state;
    assert_int_equal(format_probe(&opening, &format), -ENOEXEC);
    assert_null(format);
    opening.source = &folder;
    assert_int_equal(format_probe(&opening, &format), -ENOEXEC);
    assert_null(format);
    assert_int_equal(message.length, 0);
}

static void what_is_no_dump_is_refused(void **state)
{
    char *folder = support_folder();
    char *empty = support_path(folder, "empty"), *text = support_path(folder, "text");
    char *missing = support_path(folder, "missing");

    (void)state;
    support_write(empty, "", 0);
    support_write(text, "a text of some length, which is no dump\n", 40);
    expect_refusal(missing, -ENOENT);
    expect_refusal(empty, -ENOEXEC);
    expect_refusal(text, -ENOEXEC);
    free(empty);
    free(text);
    free(missing);
    support_remove(&folder);
}

/* Checks what tree/dump.h says of the operations of a dump that depend on others. */
static void expect_complete(const struct dump_ops *ops)
{
    const struct dump_readiness_ops *readiness = &ops->readiness;
    const struct dump_table_ops *tables = &ops->tables;
    const struct dump_text_ops *texts = &ops->texts;

    assert_true(ops->packets != NULL && ops->frames != NULL);
    assert_true(ops->packet != NULL && ops->frame != NULL);
    assert_true(ops->metadata != NULL && ops->settle != NULL && ops->close != NULL);
    assert_true(readiness->known == NULL || readiness->prepare != NULL);
    assert_true(readiness->known_name == NULL || readiness->known != NULL);
    assert_true(tables->packet_rows != NULL || (dump_listing_exists(&tables->packet_table) &&
                                                dump_listing_exists(&tables->frame_packet_table)));
    assert_true(tables->packet_columns == NULL || tables->packet_rows != NULL);
    assert_true(tables->frame_cells != NULL || dump_listing_exists(&tables->frame_table));
    assert_true(tables->frame_columns == NULL || tables->frame_cells != NULL);
    assert_true(tables->measure_frame_cells == NULL || tables->frame_cells != NULL);
    assert_true(ops->container.next_frame_packet == NULL ||
                dump_listing_exists(&tables->frame_packet_table));
    assert_true(texts->command_numbers == NULL || texts->command_place != NULL);
    assert_true(ops->pictures.finish == NULL || ops->pictures.make != NULL);
    assert_true(ops->pictures.make_small == NULL || ops->pictures.make != NULL);
    assert_true(ops->pictures.thumbnail == NULL || ops->pictures.make != NULL);
}

/* Opens the seeds of a format's fuzz target. Returns how many are dumps. */
static unsigned check_seeds(const char *format, const struct options *unset)
{
    const struct source_params params = {0};
    char name[64], *folder;
    struct dirent *entry;
    unsigned count = 0;
    DIR *seeds;

    snprintf(name, sizeof(name), "%s_dump", format);
    folder = support_path(TOP_SRCDIR "/tests/fuzz/seeds", name);
    seeds = opendir(folder);
    assert_non_null(seeds);
    while ((entry = readdir(seeds)) != NULL) {
        struct format_dump dump = {.format = NULL};
        char *path = support_path(folder, entry->d_name);

        text_reset(&message);
        if (entry->d_name[0] != '.' && format_open(path, unset, &params, &message, &dump) == 0) {
            expect_complete(dump.dump->ops);
            count++;
        }
        format_close(&dump);
        free(path);
    }
    closedir(seeds);
    free(folder);
    return count;
}

static void operations_are_complete(void **state)
{
    struct options unset;

    (void)state;
    assert_int_equal(format_options_init(&unset), 0);
    for (const struct format *format = formats_table; format->name != NULL; format++)
        if (check_seeds(format->name, &unset) == 0)
            fail_msg("%s: none of the seeds is a dump", format->name);
    options_clear(&unset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_is_well_formed), cmocka_unit_test(own_options_are_what_they_say),
        cmocka_unit_test(nothing_is_no_format),     cmocka_unit_test(what_is_no_dump_is_refused),
        cmocka_unit_test(operations_are_complete),
    };
    int status = format_options_init(&options);

    if (status == 0)
        status = cmocka_run_group_tests(tests, NULL, NULL);
    text_clear(&message);
    options_clear(&options);
    return status;
}

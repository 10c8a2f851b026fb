/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tests/formats/gapir/shown.h"

#include "tests/support/options.h"
#include "tests/support/support.h"
#include "tests/support/walk.h"

#include <stdlib.h>
#include <string.h>

void shown_open(const char *path, const char *option, struct shown *out)
{
    struct source_params source = {0};
    struct text message = TEXT_INIT;

    *out = (struct shown){0};
    assert_int_equal(format_options_init(&out->options), 0);
    support_take_common_options(&out->options);
    if (option != NULL)
        assert_int_equal(options_parse(&out->options, option, &message), 1);
    assert_int_equal(format_open(path, &out->options, &source, &message, &out->dump), 0);
    assert_int_equal(format_tree(&out->dump, 2, &out->tree), 0);
    text_clear(&message);
}

void shown_close(struct shown *shown)
{
    tree_destroy(&shown->tree);
    format_close(&shown->dump);
    options_clear(&shown->options);
}

void shown_expect(const struct shown *shown, const char *path, const char *wanted)
{
    size_t size;
    char *text = walk_read(shown->tree, path, &size);

    if (strstr(text, wanted) == NULL)
        fail_msg("no '%s' in %s:\n%s", wanted, path, text);
    free(text);
}

void shown_expect_not(const struct shown *shown, const char *path, const char *unwanted)
{
    size_t size;
    char *text = walk_read(shown->tree, path, &size);

    if (strstr(text, unwanted) != NULL)
        fail_msg("'%s' in %s:\n%s", unwanted, path, text);
    free(text);
}

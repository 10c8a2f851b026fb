/* SPDX-License-Identifier: MIT */
/* Differences between lists of lines: applied to the first list, they give the second one. */
#include "config.h"

#include "compare/text_diff.h"

#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the hunks from `a` to `b`, to be freed with free(). */
static char *difference(const char *a, const char *b, text_diff_skip *skip)
{
    struct text_diff_lines of_a, of_b;
    struct text text = TEXT_INIT;
    char *copy;

    assert_int_equal(text_diff_split(a, strlen(a), skip, &of_a), 0);
    assert_int_equal(text_diff_split(b, strlen(b), skip, &of_b), 0);
    assert_int_equal(text_diff_write(&of_a, &of_b, NULL, &text), 0);
    copy = strndup(text.length > 0 ? text.bytes : "", text.length);
    assert_non_null(copy);
    text_diff_clear(&of_a);
    text_diff_clear(&of_b);
    text_clear(&text);
    return copy;
}

static void expect(const char *a, const char *b, text_diff_skip *skip, const char *expected)
{
    char *got = difference(a, b, skip);

    assert_string_equal(got, expected);
    free(got);
}

static void small_lists(void **state)
{
    (void)state;
    expect("", "", NULL, "");
    expect("a\n", "a\n", NULL, "");
    expect("", "a\n", NULL, "@@ -0,0 +1,1 @@\n+a\n");
    expect("a\n", "", NULL, "@@ -1,1 +0,0 @@\n-a\n");
    expect("a\nb\n", "a\nc\n", NULL, "@@ -1,2 +1,2 @@\n a\n-b\n+c\n");
    expect("no newline", "no newline\n", NULL, "");
    expect("1\n2\n3\n4\n5\n", "1\n2\n3\n4\n5\n6\n", NULL, "@@ -3,3 +3,4 @@\n 3\n 4\n 5\n+6\n");
}

static size_t skip_two_fields(const char *line, size_t length, unsigned *inside)
{
    (void)inside;
    return text_skip_fields(line, length, 2);
}

static void what_is_skipped_does_not_matter(void **state)
{
    (void)state;
    expect("0 x same line\n", "1 yy same line\n", skip_two_fields, "");
    expect("0 x one\n", "1 y two\n", skip_two_fields, "@@ -1,1 +1,1 @@\n-one\n+two\n");
    expect("0\n", "1\n", skip_two_fields, "");
}

/*
 * Skips the first field, except in lines that begin within quotes, which are compared completely.
 */
static size_t skip_beside_quotes(const char *line, size_t length, unsigned *inside)
{
    bool quoted = *inside != 0;

    for (size_t i = 0; i < length; i++)
        *inside ^= line[i] == '"';
    return quoted ? 0 : text_skip_fields(line, length, 1);
}

static void what_is_skipped_may_depend_on_the_lines_before(void **state)
{
    (void)state;
    expect("1 a\n2 \"b\n3 c\"\n4 d\n", "5 a\n6 \"b\n3 c\"\n7 d\n", skip_beside_quotes, "");
    expect("1 \"b\n3 c\"\n", "1 \"b\n4 c\"\n", skip_beside_quotes,
           "@@ -1,2 +1,2 @@\n \"b\n-3 c\"\n+4 c\"\n");
}

/* Applies hunks to `a`. */
static void apply(const char *a, char *hunks, char *out)
{
    char *line, *rest = hunks;
    unsigned long at = 1;

    while ((line = strsep(&rest, "\n")) != NULL && *line != '\0') {
        unsigned long from, count;

        if (sscanf(line, "@@ -%lu,%lu", &from, &count) == 2) {
            for (from += count == 0; at < from; at++, a = strchr(a, '\n') + 1)
                out = mempcpy(out, a, (size_t)(strchr(a, '\n') + 1 - a));
            continue;
        }
        if (*line != '+') {
            assert_memory_equal(line + 1, a, strlen(line + 1));
            a = strchr(a, '\n') + 1;
            at++;
        }
        if (*line != '-')
            out += sprintf(out, "%s\n", line + 1);
    }
    strcpy(out, a);
}

static void random_text(uint64_t *random, unsigned lines, char *out)
{
    *out = '\0';
    for (unsigned i = 0; i < lines; i++)
        out += sprintf(out, "%c\n", (char)('a' + support_random(random) % 5));
}

static void applied_they_give_the_other(void **state)
{
    uint64_t random = 7;

    (void)state;
    for (unsigned round = 0; round < 2000; round++) {
        char a[256], b[256], made[512], *hunks;

        random_text(&random, (unsigned)(support_random(&random) % 60), a);
        random_text(&random, (unsigned)(support_random(&random) % 60), b);
        hunks = difference(a, b, NULL);
        apply(a, hunks, made);
        assert_string_equal(made, b);
        free(hunks);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_lists),
        cmocka_unit_test(what_is_skipped_does_not_matter),
        cmocka_unit_test(what_is_skipped_may_depend_on_the_lines_before),
        cmocka_unit_test(applied_they_give_the_other),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

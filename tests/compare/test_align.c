/* SPDX-License-Identifier: MIT */
/*
 * Pairs of frames of two dumps. A frame is written as one letter for its picture and one letter for
 * each line of its commands.
 */
#include "config.h"

#include "compare/align.h"
#include "compare/comparison.h"

#include "tests/support/support.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES_MAX = 64 };

/* Parses words separated by spaces: a picture (`-` for none), then lines. */
static size_t make_keys(const char *frames, struct align_key keys[FRAMES_MAX])
{
    size_t count = 0;

    while (*frames != '\0') {
        struct align_key *key = &keys[count++];

        align_key_init(key);
        key->picture = *frames == '-' ? 0 : (uint64_t)*frames;
        for (frames++; *frames != '\0' && *frames != ' '; frames++)
            align_key_add_line(key, (uint64_t)*frames);
        frames += *frames == ' ';
    }
    return count;
}

/* Expects pairs separated by spaces, such as `0:0 1:- -:1`. */
static void expect(const char *a, const char *b, const char *expected)
{
    struct align_key of_a[FRAMES_MAX], of_b[FRAMES_MAX];
    size_t a_count = make_keys(a, of_a), b_count = make_keys(b, of_b), count = 0;
    struct align_pair *pairs = NULL;
    char text[1024] = "";

    assert_int_equal(align_frames(of_a, a_count, of_b, b_count, NULL, &pairs, &count), 0);
    for (size_t i = 0; i < count; i++) {
        char first[24] = "-", second[24] = "-";

        if (pairs[i].a != ALIGN_NONE)
            snprintf(first, sizeof(first), "%d", (int)pairs[i].a);
        if (pairs[i].b != ALIGN_NONE)
            snprintf(second, sizeof(second), "%d", (int)pairs[i].b);
        snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s:%s", i > 0 ? " " : "",
                 first, second);
    }
    free(pairs);
    assert_string_equal(text, expected);
}

/* A failed alignment leaves no pairs: the next attempt would leak them. */
static void without_memory_there_are_no_pairs(void **state)
{
    struct align_key of_a[FRAMES_MAX], of_b[FRAMES_MAX];
    struct comparison comparison = {.sides = {{.keys = of_a, .count = make_keys("aaa bbb", of_a)},
                                              {.keys = of_b, .count = make_keys("bbb", of_b)}}};
    unsigned failures = 0;
    int status = -ENOMEM;

    (void)state;
    for (int n = 0; status != 0; n++) {
        support_fail_allocation(n);
        status = comparison_align(&comparison, NULL);
        support_fail_allocation(-1);
        if (status == 0)
            break;
        assert_int_equal(status, -ENOMEM);
        assert_null(comparison.pairs);
        assert_int_equal(comparison.count, 0);
        failures++;
    }
    assert_true(failures > 1);
    assert_int_equal(comparison.count, 2);
    free(comparison.pairs);
    free(comparison.differing);
}

static void nothing(void **state)
{
    (void)state;
    expect("", "", "");
    expect("", "xa xb", "-:0 -:1");
    expect("xa", "", "0:-");
}

static void equal_frames_go_together(void **state)
{
    (void)state;
    expect("xa yb zc", "xa yb zc", "0:0 1:1 2:2");
    expect("xa yb zc", "xa zc", "0:0 1:- 2:1");
    expect("xa zc", "xa yb zc", "0:0 -:1 1:2");
    expect("xa xa xa yb", "xa xa yb", "0:0 1:1 2:- 3:2");
    expect("xa yb zc", "yb zc wd", "0:- 1:0 2:1 -:2");
}

static void commands_count_more_than_pictures(void **state)
{
    (void)state;
    expect("xa yb zc", "qa qb qc", "0:0 1:1 2:2");
    expect("xa yb zc wd", "qa qc qd", "0:0 1:- 2:1 3:2");
}

static void pictures_count_where_commands_differ(void **state)
{
    (void)state;
    expect("xa yb zc wd", "xe zf wg", "0:0 1:- 2:1 3:2");
    expect("-a -b", "-c -d", "0:0 1:1"); /* none is not an equal picture */
}

static void frames_with_lines_in_common_go_together(void **state)
{
    (void)state;
    expect("1abcdefghij 2klmnopqrst 3uvwxyzABCD", "4klmnopqrsX 5uvwxyzABCX", "0:- 1:0 2:1");
    expect("1abcdefghij 2uvwxyzABCD", "3abcdefghiX 4klmnopqrst 5uvwxyzABCX", "0:0 -:1 1:2");
}

static void frames_of_nothing_in_common_stay_in_order(void **state)
{
    (void)state;
    expect("1a 2b", "3c 4d 5e", "0:0 1:1 -:2");
    expect("1a 2b 3c 9z", "4d 5e 9z", "0:0 1:1 2:- 3:2");
    expect("1 2", "1 2", "0:0 1:1");
    expect("-", "-", "0:0");
}

/* The number of frames of a long dump, none of which is in the other dump. */
static void very_many_frames(void **state)
{
    enum { MANY = 36000 };
    struct align_key *keys = calloc(2 * MANY, sizeof(*keys));
    struct align_pair *pairs = NULL;
    struct cancel cancel;
    size_t count = 0;

    (void)state;
    assert_non_null(keys);
    for (size_t i = 0; i < 2 * MANY; i++) {
        align_key_init(&keys[i]);
        align_key_add_line(&keys[i], i);
        keys[i].picture = i + 1;
    }
    assert_int_equal(align_frames(keys, MANY, keys + MANY, MANY, NULL, &pairs, &count), 0);
    assert_int_equal(count, MANY);
    assert_true(pairs[MANY - 1].a == MANY - 1 && pairs[MANY - 1].b == MANY - 1);
    free(pairs);
    assert_int_equal(align_frames(keys, MANY, keys + 1, MANY - 1, NULL, &pairs, &count), 0);
    assert_int_equal(count, MANY);
    assert_true(pairs[0].b == ALIGN_NONE && pairs[MANY - 1].b == MANY - 2);
    free(pairs);
    cancel_init(&cancel, NULL);
    cancel_raise(&cancel);
    assert_int_equal(align_frames(keys, MANY, keys + 1, MANY - 1, &cancel, &pairs, &count), -EINTR);
    free(keys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing),
        cmocka_unit_test(equal_frames_go_together),
        cmocka_unit_test(commands_count_more_than_pictures),
        cmocka_unit_test(pictures_count_where_commands_differ),
        cmocka_unit_test(frames_with_lines_in_common_go_together),
        cmocka_unit_test(frames_of_nothing_in_common_stay_in_order),
        cmocka_unit_test(very_many_frames),
        cmocka_unit_test(without_memory_there_are_no_pairs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

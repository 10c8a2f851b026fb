/* SPDX-License-Identifier: MIT */
/*
 * Compares traces of the corpus with what `apitrace dump` printed for them: real captures, the same
 * in other containers, and synthetic files with every type, version and fault.
 */
#include "config.h"

#include "tests/formats/apitrace/open.h"
#include "tests/support/support.h"
#include "tests/support/walk.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Calls `check` for each file of a folder whose name ends with `suffix`. */
static void for_each(const char *folder, const char *suffix, void (*check)(const char *name))
{
    char *path = support_corpus(folder);
    struct dirent **entries;
    int count = scandir(path, &entries, NULL, alphasort), checked = 0;

    assert_true(count > 0);
    for (int n = 0; n < count; n++) {
        size_t length = strlen(entries[n]->d_name), tail = strlen(suffix);

        if (length > tail && strcmp(entries[n]->d_name + length - tail, suffix) == 0) {
            check(entries[n]->d_name);
            checked++;
        }
        free(entries[n]);
    }
    assert_true(checked > 0);
    free(entries);
    free(path);
}

static char *join(const char *a, const char *b, const char *c)
{
    char *joined = NULL;

    assert_true(asprintf(&joined, "%s%s%s", a, b, c) > 0);
    return joined;
}

/* Returns the bytes of a corpus file, decompressed if necessary. */
static struct source *read_corpus(const char *name)
{
    const struct source_params params = {0};
    struct problems *problems = NULL;
    struct source *source = NULL;
    char *path = support_corpus(name);

    assert_int_equal(problems_create(&problems), 0);
    assert_int_equal(source_open(path, &params, problems, &source), 0);
    problems_destroy(&problems);
    free(path);
    return source;
}

static void open_corpus(const char *name, struct apitrace_opened *out)
{
    char *path = support_corpus(name);

    apitrace_open(path, out);
    free(path);
}

static void expect_same(const char *trace, const char *text, size_t size, const uint8_t *wanted,
                        size_t wanted_size)
{
    size_t same = 0;

    while (same < size && same < wanted_size && (uint8_t)text[same] == wanted[same])
        same++;
    if (size != wanted_size || same != size)
        fail_msg("%s: differs at byte %zu of %zu: %.40s", trace, same, wanted_size, text + same);
}

static void expect_dump(const char *trace, const char *reference, const char *listing)
{
    struct apitrace_opened opened;
    struct source *wanted = read_corpus(reference);
    size_t size;
    char *text;

    open_corpus(trace, &opened);
    text = apitrace_all(&opened, listing, &size);
    expect_same(trace, text, size, wanted->data, wanted->size);
    free(text);
    apitrace_close(&opened);
    source_close(&wanted);
}

static void check_real(const char *name)
{
    char *base = strndup(name, strcspn(name, "."));
    char *trace = join("apitrace/real/", name, "");
    char *reference = join("apitrace/real/reference/", base, "/dump.txt.xz");

    expect_dump(trace, reference, "calls.txt");
    free(reference);
    free(trace);
    free(base);
}

static void captures_print_as_the_dump(void **state)
{
    (void)state;
    for_each("apitrace/real", ".trace", check_real);
}

static void containers_make_no_difference(void **state)
{
    static const char *const names[] = {"es2gears-b", "es2gears-z", "glxgears-b", "glxgears-b1",
                                        "glxgears-z"};

    (void)state;
    for (size_t n = 0; n < COUNT_OF(names); n++) {
        char *base = strndup(names[n], strcspn(names[n], "-"));
        char *trace = join("apitrace/containers/", names[n], ".trace");
        char *plain = join("apitrace/real/", base, ".trace");
        struct apitrace_opened packed, opened;
        size_t size, wanted_size;
        char *text, *wanted;

        open_corpus(trace, &packed);
        open_corpus(plain, &opened);
        text = apitrace_all(&packed, "calls-verbose.txt", &size);
        wanted = apitrace_all(&opened, "calls-verbose.txt", &wanted_size);
        expect_same(trace, text, size, (const uint8_t *)wanted, wanted_size);
        free(text);
        free(wanted);
        apitrace_close(&packed);
        apitrace_close(&opened);
        free(plain);
        free(trace);
        free(base);
    }
}

/* Returns whether apitrace refuses the trace but we list it, or the other way round. */
static bool deviates(const char *name)
{
    return strstr(name, "_oldthread") != NULL || strcmp(name, "v7_future.trace") == 0 ||
           strcmp(name, "empty.trace") == 0;
}

static void check_synthetic(const char *name)
{
    char *base = strndup(name, strcspn(name, "."));
    char *trace = join("apitrace/synth/", name, "");
    char *golden = join("apitrace/synth/golden/", base, ".default.txt");
    char *verbose = join("apitrace/synth/golden/", base, ".verbose_threads.txt");

    if (!deviates(name)) {
        expect_dump(trace, golden, "calls.txt");
        expect_dump(trace, golden, "calls-raw.txt");
        expect_dump(trace, verbose, "calls-verbose.txt");
    }
    free(verbose);
    free(golden);
    free(trace);
    free(base);
}

static void synthetic_traces_print_as_the_dump(void **state)
{
    (void)state;
    for_each("apitrace/synth", ".trace", check_synthetic);
    for_each("apitrace/synth", ".raw", check_synthetic);
}

static void old_thread_details_are_accepted(void **state)
{
    static const char *const names[] = {"v0", "v1", "v2", "v3"};

    (void)state;
    for (size_t n = 0; n < COUNT_OF(names); n++) {
        char *trace = join("apitrace/synth/", names[n], "_oldthread.trace");
        struct apitrace_opened opened;
        size_t size;
        char *text;

        open_corpus(trace, &opened);
        text = apitrace_all(&opened, "calls-verbose.txt", &size);
        assert_string_equal(text, "0 @3 glFlush()\n");
        free(text);
        apitrace_close(&opened);
        free(trace);
    }
}

static void unknown_versions_are_refused(void **state)
{
    char *path = support_corpus("apitrace/synth/v7_future.trace");
    struct apitrace_opened opened;

    (void)state;
    assert_int_equal(apitrace_try(path, &opened), -EPROTO);
    text_add_char(&opened.message, '\0');
    assert_string_equal(opened.message.bytes, "unsupported trace format version 7");
    apitrace_close(&opened);
    free(path);
}

/* Every defect is reported, with its position. */
static void defects_are_problems(void **state)
{
    static const struct {
        const char *trace, *problem;
    } wanted[] = {
        {"at_only", "no chunks"},
        {"bad_detail", "unknown call detail 7"},
        {"bad_event", "unknown event 5"},
        {"bad_type", "unknown type 32"},
        {"hostile_argno", "there is no argument 1073741824"},
        {"hostile_array", "exceeds the stream"},
        {"hostile_nesting", "nested too deeply"},
        {"hostile_sigid", "is too large"},
        {"v6_trunc_chunk_body", "a chunk is cut off"},
        {"v6_trunc_chunk_len", "head of a chunk is cut off"},
        {"v6_trunc_enter_blob", "in the middle of an event"},
        {"v6_trunc_leave", "in the middle of an event"},
    };

    (void)state;
    for (size_t n = 0; n < COUNT_OF(wanted); n++) {
        char *trace = join("apitrace/synth/", wanted[n].trace, ".trace");
        struct apitrace_opened opened;
        char *problems;

        open_corpus(trace, &opened);
        problems = apitrace_problems(&opened);
        if (strstr(problems, wanted[n].problem) == NULL)
            fail_msg("%s: no '%s' in: %s", trace, wanted[n].problem, problems);
        free(problems);
        apitrace_close(&opened);
        free(trace);
    }
}

static void check_tree(const char *name)
{
    const struct walk_params params = {.max_entries = 20};
    char *trace = join("apitrace/synth/", name, "");
    struct apitrace_opened opened;
    struct walk_result result;

    if (strcmp(name, "v7_future.trace") != 0 && strcmp(name, "empty.trace") != 0) {
        open_corpus(trace, &opened);
        walk_tree(opened.tree, &params, &result);
        apitrace_close(&opened);
    }
    free(trace);
}

static void trees_keep_the_rules(void **state)
{
    (void)state;
    for_each("apitrace/synth", ".trace", check_tree);
}

/*
 * The file of a call is its part of the listing; with several threads the order of the listing
 * differs.
 */
static void packets_are_the_listing(void **state)
{
    static const char *const names[] = {"v6_threads_incomplete", "v6_alltypes", "v6_backtrace"};

    (void)state;
    for (size_t n = 0; n < COUNT_OF(names); n++) {
        char *trace = join("apitrace/synth/", names[n], ".trace");
        const struct apitrace_index *index;
        struct apitrace_opened opened;
        size_t size, at = 0;
        char *text;

        open_corpus(trace, &opened);
        index = apitrace_opened_index(&opened);
        text = apitrace_all(&opened, "calls.txt", &size);
        while (text[at] == '/' || (at > 0 && text[at] != '0'))
            at += strcspn(text + at, "\n") + 1; /* skips properties */
        for (uint64_t order = 0; order < index->listed; order++) {
            uint64_t number = apitrace_index_listed(index, order);
            struct apitrace_record record = apitrace_index_at(index, number);
            char path[300];
            size_t length;
            char *packet;

            if (record.marks & APITRACE_HIDDEN)
                continue;
            snprintf(path, sizeof(path), "packets/00000/%08u-%s.txt", (unsigned)number,
                     apitrace_index_name(index, &record));
            packet = walk_read(opened.tree, path, &length);
            if (memcmp(packet, text + at, length) != 0)
                fail_msg("%s is: %s", path, packet);
            at += length;
            free(packet);
        }
        assert_int_equal(at, size);
        free(text);
        apitrace_close(&opened);
        free(trace);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(captures_print_as_the_dump),
        cmocka_unit_test(containers_make_no_difference),
        cmocka_unit_test(synthetic_traces_print_as_the_dump),
        cmocka_unit_test(old_thread_details_are_accepted),
        cmocka_unit_test(unknown_versions_are_refused),
        cmocka_unit_test(defects_are_problems),
        cmocka_unit_test(trees_keep_the_rules),
        cmocka_unit_test(packets_are_the_listing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

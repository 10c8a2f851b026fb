/* SPDX-License-Identifier: MIT */
/*
 * Traces that no program writes: definitions and threads whose cost for each call would grow with
 * their number, and names that must not reach a terminal. The limits of processor time are exceeded
 * by far if each is compared with all others.
 */
#include "config.h"

#include "tests/formats/apitrace/written.h"
#include "tests/support/support.h"
#include "tests/support/walk.h"

#include "formats/apitrace/decode/definitions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MANY = 200000, THREADS = 800000, SECONDS_MAX = 5 };

static const struct trace_params plain_params = {.version = 6};

static double processor_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void expect_begins(const char *text, const char *with)
{
    if (strncmp(text, with, strlen(with)) != 0)
        fail_msg("%.*s", 200, text);
}

static struct trace_constant many_constants[MANY];
static const struct trace_names many_names = {7, MANY, many_constants};

static void write_masks(struct trace_writer *writer)
{
    for (unsigned n = 0; n < MANY; n++) {
        uint64_t call = trace_enter(writer, 0, &written_plain);

        trace_argument(writer, 0);
        trace_bitmask(writer, &many_names, 1 + n % 3);
        trace_call_end(writer, call);
    }
}

/*
 * Flags of zero, of one bit again and again, of that bit and others: 4 * 10^10 comparisons if all
 * are tested.
 */
static void flags_that_cannot_show_cost_nothing(void **state)
{
    static const int64_t values[] = {0, 1, 5, 1};
    struct apitrace_opened opened;
    double before = processor_seconds();
    size_t size;
    char *text;

    (void)state;
    for (unsigned n = 0; n < MANY; n++)
        many_constants[n] = (struct trace_constant){n == 0 ? "NONE" : "BIT", values[n % 4]};
    written_open(&plain_params, write_masks, &opened);
    text = apitrace_all(&opened, "calls-oneline.txt", &size);
    expect_begins(text, "0 plain(a = BIT, b = ?)\n1 plain(a = 0x2, b = ?)\n"
                        "2 plain(a = BIT | 0x2, b = ?)\n");
    free(text);
    written_expect_clean(&opened);
    apitrace_close(&opened);
    assert_true(processor_seconds() - before < SECONDS_MAX);
}

/* All values with 6 of 12 bits, none of which contains another. */
static void too_many_flags_are_told(void **state)
{
    struct trace_names names = many_names;
    struct apitrace_opened opened;
    struct trace_writer *writer;
    char *path = written_path("flags.trace"), *problems, *text;
    size_t size;

    (void)state;
    names.count = 0;
    for (uint32_t value = 0; value < 1 << 12; value++)
        if (__builtin_popcount(value) == 6) {
            many_constants[names.count] =
                (struct trace_constant){names.count == 0 ? "FIRST" : "OTHER", value};
            names.count++;
        }
    assert_true(names.count > APITRACE_FLAGS_MAX);
    assert_int_equal(trace_writer_open(path, &plain_params, &writer), 0);
    trace_enter(writer, 0, &written_plain);
    trace_argument(writer, 0);
    trace_bitmask(writer, &names, 0x0FFF);
    trace_call_end(writer, 0);
    assert_int_equal(trace_writer_close(&writer), 0);
    apitrace_open(path, &opened);
    text = apitrace_all(&opened, "calls.txt", &size);
    assert_string_equal(text, "0 plain(a = FIRST | 0xfc0, b = ?)\n");
    problems = apitrace_problems(&opened);
    assert_non_null(strstr(problems, "a bit mask has too many flags"));
    free(problems);
    free(text);
    free(path);
    apitrace_close(&opened);
}

/*
 * Computes what apitrace prints for a value: each flag in its order; flags of no bits only as the
 * first.
 */
static void expect_flags(const struct trace_constant *flags, unsigned count, uint64_t value,
                         char *out, size_t room)
{
    size_t length = 0;
    bool first = true;

    for (unsigned n = 0; n < count && (n == 0 || value != 0); n++) {
        uint64_t flag = (uint64_t)flags[n].value;

        if (flag != 0 ? (value & flag) != flag : value != 0)
            continue;
        length += (size_t)snprintf(out + length, room - length, "%s%s", first ? "" : " | ",
                                   flags[n].name);
        first = false;
        value &= ~flag;
    }
    if (value != 0 || first)
        snprintf(out + length, room - length, "%s0x%llx", first ? "" : " | ",
                 (unsigned long long)value);
}

enum { RANDOM_FLAGS = 12, RANDOM_MASKS = 200, RANDOM_VALUES = 16 };

static struct trace_constant random_flags[RANDOM_MASKS][RANDOM_FLAGS];

static void write_random_masks(struct trace_writer *writer)
{
    for (unsigned mask = 0; mask < RANDOM_MASKS; mask++)
        for (uint64_t value = 0; value < RANDOM_VALUES; value++) {
            const struct trace_names names = {10 + mask, RANDOM_FLAGS, random_flags[mask]};
            uint64_t call = trace_enter(writer, 0, &written_plain);

            trace_argument(writer, 0);
            trace_bitmask(writer, &names, value);
            trace_call_end(writer, call);
        }
}

static void flags_show_as_if_all_were_tried(void **state)
{
    static char names[RANDOM_FLAGS][8];
    struct apitrace_opened opened;
    uint64_t random = 7;
    char *text, *at;
    size_t size;

    (void)state;
    for (unsigned mask = 0; mask < RANDOM_MASKS; mask++)
        for (unsigned n = 0; n < RANDOM_FLAGS; n++) {
            snprintf(names[n], sizeof(names[n]), "F%u", n);
            random_flags[mask][n] =
                (struct trace_constant){names[n], (int64_t)(support_random(&random) % 16)};
        }
    written_open(&plain_params, write_random_masks, &opened);
    at = text = apitrace_all(&opened, "calls-oneline.txt", &size);
    for (unsigned call = 0; call < RANDOM_MASKS * RANDOM_VALUES; call++) {
        char shown[256], line[320];

        expect_flags(random_flags[call / RANDOM_VALUES], RANDOM_FLAGS, call % RANDOM_VALUES, shown,
                     sizeof(shown));
        snprintf(line, sizeof(line), "%u plain(a = %s, b = ?)\n", call, shown);
        assert_memory_equal(at, line, strlen(line));
        at += strlen(line);
    }
    free(text);
    apitrace_close(&opened);
}

static void write_enum(struct trace_writer *writer)
{
    uint64_t call = trace_enter(writer, 0, &written_plain);

    trace_argument(writer, 0);
    trace_enum(writer, &many_names, many_constants[MANY - 1].value);
    trace_call_end(writer, call);
}

/* All fall into one slot of a table that multiplies by the golden ratio: 2 * 10^10 comparisons. */
static void constants_do_not_fall_together(void **state)
{
    const uint64_t inverse = UINT64_C(0xF1DE83E19937733D); /* the inverse of 9E3779B97F4A7C15 */
    struct apitrace_opened opened;
    double before = processor_seconds();
    size_t size;
    char *text;

    (void)state;
    assert_true(inverse * UINT64_C(0x9E3779B97F4A7C15) == 1);
    for (unsigned n = 0; n < MANY; n++)
        many_constants[n] =
            (struct trace_constant){n == MANY - 1 ? "LAST" : "C", (int64_t)(n * inverse)};
    written_open(&plain_params, write_enum, &opened);
    text = apitrace_all(&opened, "calls.txt", &size);
    assert_string_equal(text, "0 plain(a = LAST, b = ?)\n");
    free(text);
    apitrace_close(&opened);
    assert_true(processor_seconds() - before < SECONDS_MAX);
}

static void write_threads(struct trace_writer *writer)
{
    for (unsigned n = 0; n < THREADS; n++)
        trace_call_end(writer, trace_enter(writer, THREADS - n, &written_plain));
}

/* Each comes before all others: inserting them in order would move terabytes. */
static void threads_are_sorted_in_the_end(void **state)
{
    struct apitrace_opened opened;
    double before = processor_seconds();
    size_t size;
    char *text;

    (void)state;
    written_open(&plain_params, write_threads, &opened);
    text = walk_read(opened.tree, "threads.tsv", &size);
    expect_begins(text, "thread\tcalls\tfirst\tlast\n1\t1\t799999\t799999\n2\t1\t799998\t799998\n");
    assert_non_null(strstr(text, "\n800000\t1\t0\t0\n"));
    free(text);
    apitrace_close(&opened);
    assert_true(processor_seconds() - before < SECONDS_MAX);
}

/* Writes a call of function 9, which is defined with that many arguments without names. */
static void write_wide(struct trace_writer *writer, unsigned arguments)
{
    uint8_t bytes[4 + APITRACE_ARGUMENTS_MAX + 8] = {0, 0, 9, 1, 'w'};
    size_t size = 5;

    bytes[size++] = (uint8_t)(arguments & 0x7F) | 0x80;
    bytes[size++] = (uint8_t)(arguments >> 7);
    size += arguments;
    bytes[size++] = 0; /* end of the details */
    trace_raw(writer, bytes, size);
}

static void write_as_wide_as_may_be(struct trace_writer *writer)
{
    write_wide(writer, APITRACE_ARGUMENTS_MAX);
}

static void write_too_wide(struct trace_writer *writer)
{
    write_wide(writer, APITRACE_ARGUMENTS_MAX + 1);
}

static void functions_have_no_more_arguments_than_that(void **state)
{
    struct apitrace_opened opened;
    char *problems;

    (void)state;
    written_open(&plain_params, write_as_wide_as_may_be, &opened);
    written_expect_clean(&opened);
    assert_int_equal(apitrace_opened_index(&opened)->listed, 1);
    apitrace_close(&opened);
    written_open(&plain_params, write_too_wide, &opened);
    problems = apitrace_problems(&opened);
    assert_non_null(strstr(problems, "a function has 1025 arguments"));
    free(problems);
    apitrace_close(&opened);
}

/* Names */

#define ESCAPE   "\x1B[31m"
#define OVERRIDE "\xE2\x80\xAE"

static const struct trace_constant odd_constants[] = {{"E" OVERRIDE "X", 1}};
static const struct trace_names odd_enum = {20, 1, odd_constants};
static const struct trace_struct odd_struct = {1, "S", 1, {"m\nx"}};
static const struct trace_function odd_function = {21, "f" ESCAPE "\\", 1, {"a\xFF"}};

static void write_odd(struct trace_writer *writer)
{
    uint64_t call = trace_enter(writer, 0, &odd_function);

    trace_argument(writer, 0);
    trace_structure(writer, &odd_struct);
    trace_enum(writer, &odd_enum, 1);
    trace_result(writer);
    trace_string(writer, "two\nlines\x1B");
    trace_backtrace(writer, 1, "C:\\m\r", "g\xC2\x9B", 3);
    trace_call_end(writer, call);
}

static void expect(const struct apitrace_opened *opened, const char *name, const char *wanted)
{
    size_t size;
    char *text = apitrace_all(opened, name, &size);

    assert_string_equal(text, wanted);
    free(text);
}

static void names_do_not_reach_a_terminal(void **state)
{
    static const char *const properties[] = {"p" ESCAPE, "v" ESCAPE, NULL};
    const struct trace_params params = {.version = 6, .properties = properties};
    struct apitrace_opened opened;

    (void)state;
    written_open(&params, write_odd, &opened);
    expect(&opened, "calls.txt",
           "// p\\x1B[31m = \"v\\333[31m\"\n"
           "0 f\\x1B[31m\\(a\\xFF = {m\\x0Ax = E\\xE2\\x80\\xAEX}) = \"two\nlines\\333\"\n"
           "Backtrace:\nC:\\m\\x0D: g\\xC2\\x9B: main.c:3\n");
    expect(&opened, "calls-raw.txt",
           "// p" ESCAPE " = \"v\\333[31m\"\n"
           "0 f" ESCAPE "\\(a\xFF = {m\nx = E" OVERRIDE "X}) = \"two\nlines\\333\"\n"
           "Backtrace:\nC:\\m\r: g\xC2\x9B: main.c:3\n");
    written_expect_clean(&opened);
    apitrace_close(&opened);
}

static void both_texts_are_equal_without_such_names(void **state)
{
    struct apitrace_opened opened;
    size_t size, raw_size;
    char *text, *raw;

    (void)state;
    written_open(&plain_params, written_many, &opened);
    text = apitrace_all(&opened, "calls.txt", &size);
    raw = apitrace_all(&opened, "calls-raw.txt", &raw_size);
    assert_int_equal(size, raw_size);
    assert_memory_equal(text, raw, size);
    free(text);
    free(raw);
    apitrace_close(&opened);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flags_that_cannot_show_cost_nothing),
        cmocka_unit_test(too_many_flags_are_told),
        cmocka_unit_test(flags_show_as_if_all_were_tried),
        cmocka_unit_test(constants_do_not_fall_together),
        cmocka_unit_test(threads_are_sorted_in_the_end),
        cmocka_unit_test(functions_have_no_more_arguments_than_that),
        cmocka_unit_test(names_do_not_reach_a_terminal),
        cmocka_unit_test(both_texts_are_equal_without_such_names),
    };

    return cmocka_run_group_tests(tests, written_make_folder, written_remove_folder);
}

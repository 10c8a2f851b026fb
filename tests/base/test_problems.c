/* SPDX-License-Identifier: MIT */
#include "base/problems.h"

#include "tests/support/support.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct problems *problems;

static int set_up(void **state)
{
    (void)state;
    return problems_create(&problems);
}

static int tear_down(void **state)
{
    (void)state;
    problems_destroy(&problems);
    return problems == NULL ? 0 : -1;
}

static char *written(void)
{
    struct text text = TEXT_INIT;

    problems_write(problems, &text);
    assert_int_equal(text.length, problems_length(problems));
    text_add_char(&text, '\0');
    assert_int_equal(text_status(&text), 0);
    return text.bytes;
}

static void assert_written(const char *expected)
{
    char *text = written();

    assert_string_equal(text, expected);
    free(text);
}

static void test_none(void **state)
{
    struct text line = TEXT_INIT;

    (void)state;
    assert_written("");
    assert_int_equal(problems_count(problems), 0);
    assert_false(problems_first_error(problems, &line));
    assert_false(problems_first_sentence(problems, &line));
    assert_int_equal(line.length, 0);
}

static void test_shape_and_order(void **state)
{
    (void)state;
    problems_add(problems, PROBLEM_NOTE, PROBLEM_NOWHERE, PROBLEM_NOWHERE, "no end mark");
    problems_add(problems, PROBLEM_ERROR, 0x123456789, 7, "%u of %u bytes", 3u, 4u);
    problems_add(problems, PROBLEM_WARNING, 28, 12, "second at\nthis offset");
    problems_add(problems, PROBLEM_ERROR, 28, PROBLEM_NOWHERE, "a later one");
    problems_add(problems, PROBLEM_ERROR, 0, 0, "first");
    assert_written("0x00000000 packet 0 error: first\n"
                   "0x0000001C packet 12 warning: second at\\x0Athis offset\n"
                   "0x0000001C packet - error: a later one\n"
                   "0x123456789 packet 7 error: 3 of 4 bytes\n"
                   "- packet - note: no end mark\n");
}

static void test_listed_once(void **state)
{
    (void)state;
    for (int i = 0; i < 10; i++) {
        problems_add(problems, PROBLEM_ERROR, 1, 2, "again");
        problems_add(problems, PROBLEM_ERROR, 1, 3, "again");
    }
    assert_int_equal(problems_count(problems), 2);
    assert_written("0x00000001 packet 2 error: again\n0x00000001 packet 3 error: again\n");
}

static void test_first_error(void **state)
{
    struct text line = TEXT_INIT;

    (void)state;
    problems_add(problems, PROBLEM_WARNING, 1, 1, "not this");
    problems_add(problems, PROBLEM_ERROR, 9, 1, "this");
    problems_add(problems, PROBLEM_ERROR, 5, 1, "nor that");
    assert_true(problems_first_error(problems, &line));
    assert_int_equal(line.length, strlen("0x00000009 packet 1 error: this"));
    assert_memory_equal(line.bytes, "0x00000009 packet 1 error: this", line.length);
    text_clear(&line);
    assert_true(problems_first_sentence(problems, &line));
    assert_int_equal(line.length, strlen("this"));
    assert_memory_equal(line.bytes, "this", line.length);
    text_clear(&line);
}

/*
 * The sentence about a file is found only by the file's own path, wherever in the dump the problem
 * is located.
 */
static void test_sentence_of_a_file(void **state)
{
    struct text line = TEXT_INIT;

    (void)state;
    problems_add(problems, PROBLEM_WARNING, 1, 1, "by-frame/1 is not made: of another");
    problems_add(problems, PROBLEM_WARNING, PROBLEM_NOWHERE, PROBLEM_NOWHERE,
                 "frames.tsv is not made: too long");
    assert_false(problems_sentence_of(problems, "frames", &line));
    assert_false(problems_sentence_of(problems, "is", &line));
    assert_true(problems_sentence_of(problems, "frames.tsv", &line));
    assert_int_equal(line.length, strlen("frames.tsv is not made: too long"));
    assert_memory_equal(line.bytes, "frames.tsv is not made: too long", line.length);
    text_clear(&line);
}

static void test_long_text_is_cut(void **state)
{
    char longest[5000];
    char *text;

    (void)state;
    memset(longest, 'x', sizeof(longest) - 1);
    longest[sizeof(longest) - 1] = '\0';
    problems_add(problems, PROBLEM_ERROR, 0, 0, "%s", longest);
    text = written();
    assert_int_equal(strlen(text), strlen("0x00000000 packet 0 error: \n") + 400);
    free(text);
}

static void count_change(void *context)
{
    struct text text = TEXT_INIT;

    problems_write(problems, &text); /* the listener is called without a lock */
    text_clear(&text);
    ++*(int *)context;
}

static void test_change(void **state)
{
    int changes = 0;

    (void)state;
    problems_on_change(problems, count_change, &changes);
    problems_add(problems, PROBLEM_NOTE, 0, 0, "one");
    problems_add(problems, PROBLEM_NOTE, 0, 0, "one");
    problems_add(problems, PROBLEM_NOTE, 0, 0, "two");
    assert_int_equal(changes, 2);
    problems_on_change(problems, NULL, NULL);
    problems_add(problems, PROBLEM_NOTE, 0, 0, "three");
    assert_int_equal(changes, 2);
}

struct slow_listener {
    atomic_bool begun, ended;
};

static void listen_slowly(void *context)
{
    struct slow_listener *listener = context;

    atomic_store(&listener->begun, true);
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    atomic_store(&listener->ended, true);
}

static void *add_one(void *context)
{
    (void)context;
    problems_add(problems, PROBLEM_NOTE, 0, 0, "one");
    return NULL;
}

/*
 * After the listener has been removed, it is not being called any more, so its context may be
 * freed.
 */
static void test_listener_is_not_called_any_more(void **state)
{
    struct slow_listener listener = {false, false};
    pthread_t thread;

    (void)state;
    problems_on_change(problems, listen_slowly, &listener);
    assert_int_equal(pthread_create(&thread, NULL, add_one, NULL), 0);
    while (!atomic_load(&listener.begun))
        sched_yield();
    problems_on_change(problems, NULL, NULL);
    assert_true(atomic_load(&listener.ended));
    pthread_join(thread, NULL);
}

static void test_cap(void **state)
{
    static const char tail[] = "- packet - note: at least 500 more, not listed\n";
    char *text;
    size_t lines = 0;

    (void)state;
    for (int round = 0; round < 3; round++)
        for (uint64_t i = 0; i < 10500; i++)
            problems_add(problems, PROBLEM_ERROR, i, i, "bad");
    /* two of the 500 unlisted problems may share a bit of the table, but not with these texts */
    assert_int_equal(problems_count(problems), 10500);
    text = written();
    for (const char *p = text; *p != '\0'; p++)
        lines += *p == '\n';
    assert_int_equal(lines, 10001);
    assert_string_equal(text + strlen(text) - strlen(tail), tail);
    free(text);
}

/*
 * Errors of the complete dump, which may explain why nothing is shown, are listed beyond the cap.
 */
static void test_errors_of_the_whole_dump_beyond_the_cap(void **state)
{
    char *text;

    (void)state;
    for (uint64_t i = 0; i < 10001; i++)
        problems_add(problems, PROBLEM_ERROR, i, i, "bad");
    problems_add(problems, PROBLEM_ERROR, PROBLEM_NOWHERE, PROBLEM_NOWHERE, "all of it is gone");
    text = written();
    assert_non_null(strstr(text, "\n- packet - error: all of it is gone\n"));
    free(text);
    for (uint64_t i = 0; i < 100; i++)
        problems_add(problems, PROBLEM_ERROR, PROBLEM_NOWHERE, PROBLEM_NOWHERE, "gone %d", (int)i);
    text = written();
    assert_non_null(strstr(text, "gone 14\n"));
    assert_null(strstr(text, "gone 15\n"));
    free(text);
}

static void *add_many(void *context)
{
    (void)context;
    for (uint64_t i = 0; i < 2000; i++)
        problems_add(problems, PROBLEM_ERROR, i, i, "bad");
    return NULL;
}

/* While lines are added, a text has complete lines; its length is that of no later moment. */
static void test_threads(void **state)
{
    pthread_t threads[4];

    (void)state;
    for (size_t i = 0; i < COUNT_OF(threads); i++)
        assert_int_equal(pthread_create(&threads[i], NULL, add_many, NULL), 0);
    for (int i = 0; i < 5; i++) {
        struct text text = TEXT_INIT;

        problems_write(problems, &text);
        assert_int_equal(text_status(&text), 0);
        assert_true(text.length == 0 || text.bytes[text.length - 1] == '\n');
        text_clear(&text);
    }
    for (size_t i = 0; i < COUNT_OF(threads); i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(problems_count(problems), 2000);
    free(written());
}

/* A defect that cannot be listed for lack of memory is counted, too. */
static void test_count_of_a_moment(void **state)
{
    uint64_t count = 0;

    (void)state;
    problems_add(problems, PROBLEM_NOTE, 1, 1, "one");
    assert_int_equal(problems_count_at(problems, 0, &count), 0);
    assert_int_equal(count, 1);
    problems_add(problems, PROBLEM_NOTE, 2, 1, "two");
    assert_int_equal(problems_count_at(problems, 0, &count), 0);
    assert_int_equal(count, 1);
    assert_int_equal(problems_count_at(problems, 7, &count), 0);
    assert_int_equal(count, 2);
}

static void test_packets(void **state)
{
    uint64_t *packets = NULL, sum = 0;
    size_t count = 0;

    (void)state;
    assert_int_equal(problems_packets(problems, &packets, &count), 0);
    assert_int_equal(count, 0);
    free(packets);
    problems_add(problems, PROBLEM_ERROR, 28, 12, "one");
    problems_add(problems, PROBLEM_NOTE, 28, 12, "another");
    problems_add(problems, PROBLEM_NOTE, 0, 1000, "a third one");
    problems_add(problems, PROBLEM_NOTE, 0, PROBLEM_NOWHERE, "in none");
    problems_add_drawing(problems, PROBLEM_ERROR, 0, 7, "met by drawing");
    assert_int_equal(problems_packets(problems, &packets, &count), 0);
    assert_int_equal(count, 3);
    for (size_t i = 0; i < count; i++)
        sum += packets[i];
    assert_int_equal(sum, 1024);
    free(packets);
}

static void test_no_memory(void **state)
{
    (void)state;
    for (int n = 0; n == 0 || support_allocation_failed(); n++) {
        struct problems *local = NULL;
        struct text text = TEXT_INIT;
        uint64_t count = 0;

        support_fail_allocation(n);
        if (problems_create(&local) == 0) {
            problems_add(local, PROBLEM_ERROR, 1, 1, "one");
            problems_add(local, PROBLEM_ERROR, 2, 2, "two");
            assert_int_equal(problems_count(local), 2);
            assert_int_equal(problems_count_at(local, 0, &count),
                             support_allocation_failed() ? -ENOMEM : 0);
            problems_write(local, &text);
            assert_true(text_status(&text) == 0 || support_allocation_failed());
        }
        problems_destroy(&local);
        text_clear(&text);
    }
    support_fail_allocation(-1);
}

static void test_severities(void **state)
{
    (void)state;
    assert_false(problems_any(problems, PROBLEM_NOTE));
    problems_add(problems, PROBLEM_NOTE, 0, 0, "worth knowing");
    assert_true(problems_any(problems, PROBLEM_NOTE));
    assert_false(problems_any(problems, PROBLEM_WARNING));
    problems_add(problems, PROBLEM_ERROR, 0, 0, "bad");
    assert_true(problems_any(problems, PROBLEM_WARNING));
    assert_true(problems_any(problems, PROBLEM_ERROR));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_severities, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_none, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_shape_and_order, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_listed_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_first_error, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_sentence_of_a_file, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_long_text_is_cut, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_change, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_listener_is_not_called_any_more, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_cap, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_errors_of_the_whole_dump_beyond_the_cap, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_threads, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_count_of_a_moment, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_packets, set_up, tear_down),
        cmocka_unit_test(test_no_memory),
    };

    return cmocka_run_group_tests_name("problems", tests, NULL, NULL);
}

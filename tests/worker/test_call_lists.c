/* SPDX-License-Identifier: MIT */
/* Lists and primitives that begin in one place, and end in another or never. */
#include "config.h"

#include "tests/worker/hostile_trace.h"

#include "tests/support/support.h"

#include <errno.h>
#include <stdlib.h>

enum { TRIANGLES = 4, COMPILE = 0x1300, COMPILE_AND_EXECUTE = 0x1301 };
enum { BEGINS = 1, ENDS, BOTH };

/* Defines the lists with the names above. */
static void say_lists(void)
{
    for (int name = BEGINS; name <= BOTH; name++) {
        say("glNewList", "uu", name, COMPILE);
        if (name != ENDS)
            say("glBegin", "u", TRIANGLES);
        if (name != BEGINS)
            say("glEnd", "");
        say("glEndList", "");
    }
}

static void calls_list_that_begins(void)
{
    say("glCallList", "u", BEGINS);
}

static void calls_lists_of_which_one_begins(void)
{
    static const uint8_t names[] = {BOTH, BEGINS};

    say("glCallLists", "uub", 2, 0x1401, names, (int)sizeof(names));
}

static void begins(void)
{
    say("glBegin", "u", TRIANGLES);
    say("glVertex2f", "ff", 0.5, 0.5);
}

static void begins_and_calls_list_that_ends(void)
{
    say("glBegin", "u", TRIANGLES);
    say("glCallList", "u", ENDS);
}

static void compiles_list_that_calls_one(void)
{
    say("glNewList", "uu", 7, COMPILE);
    say("glCallList", "u", BEGINS);
    say("glEndList", "");
}

static void executes_list_that_calls_one(void)
{
    say("glNewList", "uu", 7, COMPILE_AND_EXECUTE);
    say("glCallList", "u", BEGINS);
}

/* The driver reads no pixels inside of a primitive, and reports no error. */
static void pictures_between_begin_and_end_are_refused(void **state)
{
    static const struct {
        const char *name;
        void (*say)(void);
        bool is_told;
    } cases[] = {{"glBegin", begins, false},
                 {"a list begins", calls_list_that_begins, false},
                 {"one of lists begins", calls_lists_of_which_one_begins, false},
                 {"a list that is executed begins", executes_list_that_calls_one, true},
                 {"a list ends", begins_and_calls_list_that_ends, true},
                 {"a list is compiled", compiles_list_that_calls_one, true}};
    const struct apitrace_picture_request request = {.kind = APITRACE_PICTURE_COLOUR};

    (void)state;
    for (size_t n = 0; n < COUNT_OF(cases); n++) {
        struct apitrace_picture picture;
        struct hostile_trace hostile;

        print_message("%s\n", cases[n].name);
        hostile_trace_open(&hostile);
        say_lists();
        cases[n].say();
        hostile_trace_replay(&hostile);
        replay_to(&hostile.played, APITRACE_NO_CALL, 0);
        if (cases[n].is_told)
            hostile_trace_assert_colour(0, 255, 0);
        else
            assert_int_equal(apitrace_session_picture(playing.session, &request, NULL, &picture),
                             -ENOENT);
        hostile_trace_close(&hostile);
    }
}

/*
 * Elements in a primitive that a list has begun read the arrays that are enabled when the list is
 * called.
 */
static void elements_behind_lists_that_begin_are_held_to_their_arrays(void **state)
{
    static const float vertices[] = {-1, -1, 3, -1, -1, 3};
    struct hostile_trace hostile;

    (void)state;
    hostile_trace_open(&hostile);
    say_lists();
    say("glColor3f", "fff", 0.0, 0.0, 1.0);
    say("glVertexPointer", "uuub", 2, 0x1406, 0, vertices, (int)sizeof(vertices));
    say("glEnableClientState", "u", 0x8074);
    say("glCallList", "u", BEGINS);
    for (int n = 0; n < 3; n++)
        say("glArrayElement", "u", n);
    say("glArrayElement", "u", 1 << 28); /* refused */
    say("glEnd", "");
    hostile_trace_replay(&hostile);
    replay_to(&hostile.played, APITRACE_NO_CALL, 0);
    assert_int_equal(hostile.played.progress.skipped, 1);
    assert_int_equal(worker_starts(playing.worker), 1);
    hostile_trace_assert_colour(0, 0, 255);
    hostile_trace_close(&hostile);
}

static void begins_list_in_primitive(void)
{
    say("glBegin", "u", TRIANGLES);
    say("glNewList", "uu", 7, COMPILE);
    say("glEnd", "");
}

static void begins_list_of_no_mode(void)
{
    say("glNewList", "uu", 7, 0);
}

static void begins_list(void)
{
    say("glNewList", "uu", 7, COMPILE);
}

static void begins_list_twice(void)
{
    say("glNewList", "uu", 7, COMPILE);
    say("glNewList", "uu", 8, COMPILE);
    say("glEndList", "");
}

/* The state of a draw is available unless a list is being compiled, which the driver reports. */
static void lists_that_are_refused_do_not_begin(void **state)
{
    static const struct {
        const char *name;
        void (*say)(void);
        int status;
    } cases[] = {{"in a primitive", begins_list_in_primitive, 0},
                 {"no mode", begins_list_of_no_mode, 0},
                 {"begins", begins_list, -ENOENT},
                 {"twice", begins_list_twice, 0}};

    (void)state;
    for (size_t n = 0; n < COUNT_OF(cases); n++) {
        struct hostile_trace hostile;
        struct blob *text = NULL;

        print_message("%s\n", cases[n].name);
        hostile_trace_open(&hostile);
        cases[n].say();
        hostile_trace_replay(&hostile);
        replay_to(&hostile.played, APITRACE_NO_CALL, 0);
        assert_int_equal(
            apitrace_session_draw_text(playing.session, APITRACE_DRAW_STATE, NULL, &text),
            cases[n].status);
        blob_unref(&text);
        hostile_trace_close(&hostile);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(pictures_between_begin_and_end_are_refused, replay_begin,
                                        replay_end),
        cmocka_unit_test_setup_teardown(elements_behind_lists_that_begin_are_held_to_their_arrays,
                                        replay_begin, replay_end),
        cmocka_unit_test_setup_teardown(lists_that_are_refused_do_not_begin, replay_begin,
                                        replay_end),
    };

    if (getenv("GPUDUMPFS_TEST") != NULL)
        cmocka_set_test_filter(getenv("GPUDUMPFS_TEST"));
    return cmocka_run_group_tests_name("worker_call_lists", tests, NULL, NULL);
}

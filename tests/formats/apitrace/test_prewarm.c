/* SPDX-License-Identifier: MIT */
/*
 * Sessions that compile shaders ahead of the session that draws: what they are requested to do, and
 * when
 */
#include "config.h"

#include "tests/formats/apitrace/retraced.h"
#include "tests/support/support.h"
#include "tests/support/walk.h"

#include "base/thread.h"
#include "formats/apitrace/dump.h"
#include "formats/apitrace/replay/player.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

/* Waits until the requests that a prewarming session has written to `name` contain `wanted`. */
static void wait_for_told(const char *name, const char *wanted)
{
    char *path = support_path(retraced.place, name);

    for (int i = 0; i < 60000; i++) {
        size_t size = 0;
        char *found = access(path, R_OK) == 0 ? (char *)support_read(path, &size) : NULL;
        bool met = found != NULL && memmem(found, size, wanted, strlen(wanted)) != NULL;

        free(found);
        if (met) {
            free(path);
            return;
        }
        usleep(1000);
    }
    fail_msg("the prewarming session was not asked for %s", wanted);
}

/*
 * Limits the time that either session may take for a call. An hour is no limit in practice: on a
 * loaded machine no session is ended by chance, and a test that waits for one that hangs would be
 * noticed.
 */
static void limit_calls(const char *seconds)
{
    char option[64];

    snprintf(option, sizeof(option), "apitrace-time-limit=%s", seconds);
    assert_int_equal(options_parse(&retraced.opened.options, option, NULL), 1);
}

/*
 * Opens a trace that draws enough for prewarming to be useful; its calls are those of WINDOW, then
 * 3 to 403.
 */
static void open_large(unsigned height)
{
    char script[65536];
    int length = snprintf(script, sizeof(script),
                          "glXMakeCurrent(dpy=0x1, drawable=5, ctx=0xC) = 1\n"
                          "glViewport(x=0, y=0, width=900, height=%u)\n" CLEAR,
                          height);

    for (unsigned n = 0; n < 400; n++)
        length += snprintf(script + length, sizeof(script) - (size_t)length, "%s", DRAW);
    snprintf(script + length, sizeof(script) - (size_t)length, "%s", SWAP CLEAR SWAP CLEAR SWAP);
    retraced_open_script(script);
    retraced.opened.options.threads = 2;
    limit_calls("3600");
}

static void expect_no_problem(void)
{
    char *problems = apitrace_problems(&retraced.opened);

    assert_string_equal(problems, "");
    free(problems);
}

/*
 * What takes long to draw is compiled with optimization, and a prewarming session runs ahead: it
 * skips an eighth of the first frame's calls, then goes through the rest of this frame and the
 * next.
 */
static void a_prewarm_goes_ahead(void **state)
{
    (void)state;
    retraced_set_mood(NULL);
    open_large(600);
    retraced_expect_way(0, "R f403 P ");
    wait_for_told("told", "R d51 f58 ");
    wait_for_told("told", "f405 ;");
    retraced_expect_way(1, "R f403 P f405 P ");
    apitrace_close(&retraced.opened);

    /* If it dies, nothing is lost. */
    open_large(600);
    retraced_expect_way(0, "R f403 P ");
    retraced_expect_way(1, "R f403 P f405 P ");
    expect_no_problem();
    apitrace_close(&retraced.opened);
}

/*
 * If the first frame has few calls, the parts are measured by the larger frame: otherwise they
 * would be single calls.
 */
static void a_prewarm_takes_the_measure_of_the_larger_frame(void **state)
{
    char script[65536];
    int length = snprintf(script, sizeof(script), "%s", WINDOW(600) CLEAR SWAP CLEAR);

    (void)state;
    retraced_set_mood(NULL);
    for (unsigned n = 0; n < 400; n++)
        length += snprintf(script + length, sizeof(script) - (size_t)length, "%s", DRAW);
    snprintf(script + length, sizeof(script) - (size_t)length, "%s", SWAP CLEAR SWAP);
    retraced_open_script(script);
    retraced.opened.options.threads = 2;
    limit_calls("3600");
    retraced_expect_way(0, "R f3 P ");
    wait_for_told("told", "R d51 f58 ");
    wait_for_told("told", "f405 ;");
    apitrace_close(&retraced.opened);
}

/* With optimization, it begins after the session, since it must know how long the session takes. */
static void a_prewarm_with_care_lets_the_session_begin(void **state)
{
    (void)state;
    retraced_set_mood("alone");
    open_large(600);
    retraced_expect_way(0, "R f403 P ");
    wait_for_told("told", "R d51 f58 ");
    expect_no_problem();
    apitrace_close(&retraced.opened);
}

/*
 * No thread waits for it: neither the one that closes the dump, nor one for which the session
 * starts again.
 */
static void a_prewarm_that_hangs_is_ended(void **state)
{
    static const char *const moods[] = {"hello", "feed"};

    (void)state;
    for (size_t i = 0; i < sizeof(moods) / sizeof(moods[0]); i++) {
        retraced_set_mood(moods[i]);
        open_large(600);
        retraced_expect_way(1, "R d403 f405 P ");
        wait_for_told("told", "angs ;");
        retraced_expect_way(0, "R f403 P ");
        expect_no_problem();
        apitrace_close(&retraced.opened);

        retraced_set_mood(moods[i]);
        open_large(600);
        retraced_expect_way(0, "R f403 P ");
        wait_for_told("told", "angs ;");
        apitrace_close(&retraced.opened);
    }
}

static void *raise_when_told(void *cancel)
{
    wait_for_told("told", "angs ;");
    cancel_raise(cancel);
    return NULL;
}

/* No work is left for a reader that has gone. */
static void a_prewarm_ends_with_its_reader(void **state)
{
    struct blob *picture = NULL;
    struct cancel cancel;
    pthread_t thread;
    size_t size;

    (void)state;
    retraced_set_mood("slow");
    open_large(600);
    free(walk_read(retraced.opened.tree, "frames.tsv", &size)); /* makes all frames known */
    cancel_init(&cancel, NULL);
    assert_int_equal(thread_start(&thread, raise_when_told, &cancel), 0);
    assert_int_equal(apitrace_player_frame(tree_dump(retraced.opened.tree), 0, &cancel, &picture),
                     -EINTR);
    pthread_join(thread, NULL);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
    retraced_set_mood(NULL);
    retraced_expect_way(0, "R f403 P ");
    apitrace_close(&retraced.opened);
}

/*
 * The prewarming session has not died of the call yet, and hangs; the next one leaves the call out.
 */
static void a_prewarm_knows_what_killed_the_session(void **state)
{
    char *problems;

    (void)state;
    retraced_set_mood("feed");
    open_large(617);
    retraced_expect_way(0, "R X3 f403 P ");
    wait_for_told("told3", "R X3 d51 f58 ");
    wait_for_told("told3", "f405 ;");
    problems = apitrace_problems(&retraced.opened);
    assert_non_null(strstr(problems, "a call is skipped: the graphics worker died"));
    free(problems);
    apitrace_close(&retraced.opened);
}

/* The session waits for the lock, but the prewarming session runs out of time first. */
static void a_prewarm_that_keeps_the_shaders_locked_is_outlived(void **state)
{
    (void)state;
    retraced_set_mood("locks");
    open_large(600);
    limit_calls("10");
    retraced_expect_way(0, "R f403 P ");
    wait_for_told("told", "hangs ;");
    expect_no_problem();
    apitrace_close(&retraced.opened);
}

/* A frame far into a trace, and its calls, including the clear */
enum { FAR = 40, FAR_FIRST = 82, FAR_SWAP = 483, FAR_STRETCH = 7 };

/*
 * Opens a trace with such a frame, frames 41 and 42, which draw on top of it, and a last frame of
 * one draw.
 */
static void open_far(unsigned height)
{
    char script[65536];
    size_t length = (size_t)snprintf(script, sizeof(script),
                                     "glXMakeCurrent(dpy=0x1, drawable=5, ctx=0xC) = 1\n"
                                     "glViewport(x=0, y=0, width=900, height=%u)\n",
                                     height);

    for (unsigned n = 0; n < FAR; n++)
        length += (size_t)snprintf(script + length, sizeof(script) - length, "%s", CLEAR SWAP);
    length += (size_t)snprintf(script + length, sizeof(script) - length, "%s", CLEAR);
    for (unsigned n = FAR_FIRST + 1; n < FAR_SWAP; n++)
        length += (size_t)snprintf(script + length, sizeof(script) - length, "%s", DRAW);
    snprintf(script + length, sizeof(script) - length, "%s",
             SWAP DRAW SWAP DRAW SWAP CLEAR DRAW SWAP);
    retraced_open_script(script);
    retraced.opened.options.threads = 2;
    limit_calls("3600");
}

/*
 * Compares all requests to a prewarming session: `begin`, then stretches from one call to another.
 */
static void expect_prewarmed(const char *begin, unsigned from, unsigned last)
{
    char wanted[4096], *path = support_path(retraced.place, "told"), *found;
    size_t size, length = (size_t)snprintf(wanted, sizeof(wanted), "%s", begin);

    for (from += FAR_STRETCH; from < last + FAR_STRETCH; from += FAR_STRETCH)
        length += (size_t)snprintf(wanted + length, sizeof(wanted) - length, "f%u ",
                                   from < last ? from : last);
    snprintf(wanted + length, sizeof(wanted) - length, ";");
    found = (char *)support_read(path, &size);
    found[size] = '\0';
    assert_string_equal(found, wanted);
    free(found);
    free(path);
}

/* Waits until a prewarming session that has already reported something has ended by itself. */
static void wait_for_prewarms_end(void)
{
    char *path = support_path(retraced.place, "alive");
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600), status = -1;

    free(path);
    assert_true(file >= 0);
    for (int i = 0; i < 60000 && (status = flock(file, LOCK_EX | LOCK_NB)) < 0; i++)
        usleep(1000);
    close(file);
    assert_int_equal(status, 0);
}

/*
 * Far into a trace only one frame can be shared: the prewarming session gets its second half, and
 * nothing after it. If the picture is made of several frames, it gets the second half of two of
 * them. The same holds if all frames have few pixels.
 */
static void a_prewarm_that_compiles_fast_has_the_second_half(void **state)
{
    static const unsigned heights[] = {600, 20};
    static const struct {
        const char *way, *begin;
        unsigned from, last;
    } cases[] = {
        {"R d81 f483 P ", "r d282 ", 282, 483},
        {"R d81 f483 P f485 P ", "r d283 ", 283, 485},
        {"R d81 f483 P f485 P f487 P ", "r d283 ", 283, 485},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases) * COUNT_OF(heights); i++) {
        const unsigned n = i % COUNT_OF(cases);

        retraced_set_mood(NULL);
        open_far(heights[i / COUNT_OF(cases)]);
        retraced_expect_way(FAR + n, cases[n].way);
        wait_for_told("told", cases[n].begin);
        wait_for_prewarms_end();
        expect_prewarmed(cases[n].begin, cases[n].from, cases[n].last);
        expect_no_problem();
        apitrace_close(&retraced.opened);
    }
}

/* When the prewarming session has reached call 289, the session says where it is itself. */
static void a_prewarm_that_compiles_fast_shares_what_is_left(void **state)
{
    static const struct {
        const char *mood, *begin;
        unsigned from;
    } cases[] = {
        {"meets 382", "r d282 f289 d432 ", 432}, /* half of what is left is from here on … */
        {"meets 283", "r d282 f289 d383 ", 383}, /* … also if it is a bit behind … */
        {"meets 282", "r d282 f289 ", 289},      /* … but not a full stretch behind */
        {"meets 9", "r d282 f289 ", 289},        /* the session has not reached the frame */
        {"meets 1000000", "r d282 f289 ", 289},  /* there is no such call */
        {"meets 483", "r d282 f289 ", 483},      /* the session is done, as the next look finds */
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        retraced_set_mood(cases[i].mood);
        open_far(600);
        retraced_expect_way(FAR, "R d81 f483 P ");
        wait_for_told("told", "r d282 f289 ");
        wait_for_prewarms_end();
        expect_prewarmed(cases[i].begin, cases[i].from, FAR_SWAP);
        expect_no_problem();
        apitrace_close(&retraced.opened);
    }
}

/* An earlier frame is compiled with optimization, by another process. */
static void expect_earlier_frame(void)
{
    retraced_expect_way(1, "R d3 f5 P ");
    expect_no_problem();
}

/* With fast compiling as well, nothing waits for it. */
static void a_prewarm_that_compiles_fast_that_hangs_is_ended(void **state)
{
    static const char *const moods[] = {"hello", "feed"};

    (void)state;
    for (size_t i = 0; i < 2 * COUNT_OF(moods); i++) {
        retraced_set_mood(moods[i / 2]);
        open_far(600);
        retraced_expect_way(FAR, "R d81 f483 P ");
        wait_for_told("told", "angs ;");
        if (i % 2 == 0)
            expect_earlier_frame();
        apitrace_close(&retraced.opened);
        wait_for_prewarms_end();
    }
}

static void a_prewarm_that_compiles_fast_that_dies_is_missed_by_nobody(void **state)
{
    char *told = support_path(retraced.place, "told");

    (void)state;
    for (int again = 0; again < 2; again++) {
        retraced_set_mood(NULL);
        support_write(told, "", 0);
        open_far(600);
        retraced_expect_way(FAR, "R d81 f483 P ");
        wait_for_told("died", "");
        wait_for_prewarms_end();
        if (again == 1)
            expect_earlier_frame();
        expect_no_problem();
        apitrace_close(&retraced.opened);
    }
    free(told);
}

static unsigned count_threads(void)
{
    DIR *tasks = opendir("/proc/self/task");
    unsigned count = 0;

    assert_non_null(tasks);
    for (struct dirent *entry; (entry = readdir(tasks)) != NULL;)
        count += entry->d_name[0] != '.';
    closedir(tasks);
    return count;
}

/* A thread that has been joined may still be counted for a moment. */
static void expect_threads(unsigned count)
{
    for (int i = 0; i < 60000 && count_threads() != count; i++)
        usleep(1000);
    assert_int_equal(count_threads(), count);
}

/*
 * A frame that is compiled fast only because it is small is not prewarmed, nor is a frame far into
 * the trace with few draws. Otherwise its thread would be counted.
 */
static void what_is_little_has_no_prewarm(void **state)
{
    unsigned far;

    (void)state;
    retraced_set_mood("feed");
    open_far(20);
    retraced_expect_way(FAR, "R d81 f483 P ");
    far = count_threads();
    retraced_expect_way(1, "R d3 f5 P ");
    expect_threads(far - 1);
    apitrace_close(&retraced.opened);

    retraced_set_mood("feed");
    open_far(600);
    retraced_expect_way(FAR + 3, "R d487 f490 P ");
    expect_threads(far - 1);
    apitrace_close(&retraced.opened);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_prewarm_goes_ahead, retraced_move_program),
        cmocka_unit_test(a_prewarm_takes_the_measure_of_the_larger_frame),
        cmocka_unit_test(a_prewarm_with_care_lets_the_session_begin),
        cmocka_unit_test(a_prewarm_that_hangs_is_ended),
        cmocka_unit_test(a_prewarm_ends_with_its_reader),
        cmocka_unit_test(a_prewarm_knows_what_killed_the_session),
        cmocka_unit_test(a_prewarm_that_keeps_the_shaders_locked_is_outlived),
        cmocka_unit_test(a_prewarm_that_compiles_fast_has_the_second_half),
        cmocka_unit_test(a_prewarm_that_compiles_fast_shares_what_is_left),
        cmocka_unit_test(a_prewarm_that_compiles_fast_that_hangs_is_ended),
        cmocka_unit_test(a_prewarm_that_compiles_fast_that_dies_is_missed_by_nobody),
        cmocka_unit_test_teardown(what_is_little_has_no_prewarm, retraced_forget_place),
    };

    (void)count;
    retraced_use_fake(arguments[0]);
    return cmocka_run_group_tests(tests, retraced_make_folder, retraced_remove_folder);
}

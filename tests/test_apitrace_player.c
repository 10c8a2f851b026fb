/* How the retracer is led from frame to frame: tests/fakeretracer tells in its pictures. */
#include "config.h"

#include "apitrace_open.h"
#include "apitrace_script.h"
#include "support.h"
#include "walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *folder, *place;
static struct apitrace_opened opened;

#define WINDOW(height)                                                                             \
    "glXMakeCurrent(dpy=0x1, drawable=5, ctx=0xC) = 1\n"                                           \
    "glViewport(x=0, y=0, width=900, height=" #height ")\n"
#define SWAP  "glXSwapBuffers(dpy=0x1, drawable=5)\n"
#define CLEAR "glClear(mask=17664)\n" /* colour, depth, stencil */
#define DRAW  "glDrawArrays(mode=4, first=0, count=3)\n"
#define COPY  "glCopyTexSubImage2D(target=3553, level=0)\n"

static void open_script(const char *script)
{
    char *path = support_path(folder, "script.trace");

    apitrace_script(path, script);
    apitrace_open(path, &opened);
    free(path);
}

/* What led to a frame's picture. */
static void expect_way(unsigned frame, const char *wanted)
{
    char path[32], *found, *way;
    size_t size;

    snprintf(path, sizeof(path), "frames/%06u.png", frame);
    found = walk_read(opened.tree, path, &size);
    way = memmem(found, size, "R ", 2);
    assert_non_null(way);
    *strchr(way, ';') = '\0';
    assert_string_equal(way, wanted);
    free(found);
}

/* Swaps are the calls 3, 5, 7 and so on. */
static void frames_that_nobody_wants_are_skipped(void **state)
{
    (void)state;
    open_script(WINDOW(20) CLEAR SWAP CLEAR SWAP CLEAR SWAP CLEAR SWAP CLEAR SWAP);
    expect_way(2, "R d5 f7 P ");
    expect_way(3, "R d5 f7 P f9 P ");
    expect_way(4, "R d5 f7 P f9 P f11 P ");
    /* back: and what comes before it is drawn, too */
    expect_way(1, "R f3 P f5 P ");
    expect_way(0, "R f3 P ");
    expect_way(2, "R d5 f7 P ");
    apitrace_close(&opened);
}

static void what_a_picture_is_made_of_is_drawn(void **state)
{
    (void)state;
    open_script(WINDOW(20) CLEAR SWAP CLEAR SWAP DRAW SWAP DRAW SWAP CLEAR SWAP);
    expect_way(3, "R d3 f5 P f7 P f9 P ");
    expect_way(1, "R d3 f5 P ");
    apitrace_close(&opened);
}

/* Frame 3 cannot be had from a session that has skipped frame 2. */
static void what_was_skipped_and_is_needed_begins_anew(void **state)
{
    (void)state;
    open_script(WINDOW(20) CLEAR SWAP CLEAR SWAP CLEAR SWAP
                "glDrawBuffer(buf=1028)\n" SWAP DRAW SWAP CLEAR SWAP);
    expect_way(1, "R d3 f5 P ");
    expect_way(4, "R d3 f5 P f7 P f9 P f11 P ");
    apitrace_close(&opened);
}

static void what_is_read_is_drawn_on_the_way(void **state)
{
    (void)state;
    open_script(WINDOW(20) CLEAR SWAP CLEAR SWAP DRAW COPY SWAP CLEAR SWAP CLEAR SWAP);
    expect_way(4, "R d3 f5 P f8 P d10 f12 P ");
    apitrace_close(&opened);
}

static void an_unfinished_frame_is_that_behind_its_last_draw(void **state)
{
    (void)state;
    open_script(WINDOW(20) CLEAR SWAP CLEAR DRAW "glFlush()\n");
    expect_way(1, "R d3 f5 P ");
    apitrace_close(&opened);
}

static void a_worker_that_dies_fails_the_frame(void **state)
{
    struct walk_params params = {
        .broken =
            (const char *const[]){"000000.png", "image.png", "latest.png", "00000002.png", NULL}};
    struct walk_result result;
    char *problems;

    (void)state;
    open_script(WINDOW(13) CLEAR SWAP);
    walk_tree(opened.tree, &params, &result);
    problems = apitrace_problems(&opened);
    assert_non_null(strstr(problems, "packet 3 error: frame 0 cannot be drawn: "));
    free(problems);
    apitrace_close(&opened);
}

/* Makes `place` a folder with the program, where compiled shaders can be kept. */
static int move_program(void **state)
{
    char *shaders = NULL, *path = NULL, *program = getenv("GPUDUMPFS_GLWORKER");
    uint8_t *bytes;
    size_t size;

    (void)state;
    place = support_path(folder, "program");
    assert_int_equal(mkdir(place, 0700), 0);
    assert_true(asprintf(&shaders, "%s/gpudumpfs-shaders", place) > 0);
    assert_int_equal(mkdir(shaders, 0700), 0);
    assert_true(asprintf(&path, "%s/mesa_shader_cache_db", shaders) > 0);
    support_write(path, "", 0);
    assert_int_equal(chmod(path, 0700), 0);
    free(path);
    free(shaders);
    bytes = support_read(program, &size);
    assert_true(asprintf(&path, "%s/fakeretracer", place) > 0);
    support_write(path, bytes, size);
    assert_int_equal(chmod(path, 0700), 0);
    free(bytes);
    setenv("GPUDUMPFS_GLWORKER", path, 1);
    free(path);
    return 0;
}

static int forget_place(void **state)
{
    (void)state;
    free(place);
    place = NULL;
    return 0;
}

/* As long as what a scout was asked for lacks that. */
static void wait_for_told(const char *name, const char *wanted)
{
    char *path = support_path(place, name);

    for (int i = 0; i < 10000; i++) {
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
    fail_msg("the scout was not asked for %s", wanted);
}

/* Draws so much that a scout is of use; its calls are those of WINDOW, then 3 to 403. */
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
    open_script(script);
    opened.options.threads = 2;
}

/* One that hangs would be waited for as long, if at all. */
static void be_patient(void)
{
    assert_int_equal(options_parse(&opened.options, "apitrace-time-limit=3600", NULL), 1);
}

static void expect_no_problem(void)
{
    char *problems = apitrace_problems(&opened);

    assert_string_equal(problems, "");
    free(problems);
}

/* The files beside the program: see fakeretracer.c. */
static void set_mood(const char *mood)
{
    static const char *const names[] = {"mood", "told", "told3"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        char *path = support_path(place, names[i]);

        unlink(path);
        free(path);
    }
    if (mood != NULL) {
        char *path = support_path(place, "mood");

        support_write(path, mood, strlen(mood));
        free(path);
    }
}

/*
 * What takes long to draw is compiled with care, with a scout that goes ahead: past an eighth of
 * the first frame's calls, through it and the next one.
 */
static void a_scout_goes_ahead(void **state)
{
    (void)state;
    set_mood(NULL);
    open_large(600);
    expect_way(0, "R f403 P ");
    wait_for_told("told", "R d51 f58 ");
    wait_for_told("told", "f405 ;");
    expect_way(1, "R f403 P f405 P ");
    apitrace_close(&opened);

    /* One that dies is missed by nobody. */
    open_large(600);
    expect_way(0, "R f403 P ");
    expect_way(1, "R f403 P f405 P ");
    expect_no_problem();
    apitrace_close(&opened);
}

/* Nobody waits for it: neither who closes the dump, nor who makes the session begin again. */
static void a_scout_that_hangs_is_ended(void **state)
{
    static const char *const moods[] = {"hello", "feed"};

    (void)state;
    for (size_t i = 0; i < sizeof(moods) / sizeof(moods[0]); i++) {
        set_mood(moods[i]);
        open_large(600);
        be_patient();
        expect_way(1, "R d403 f405 P ");
        wait_for_told("told", "angs ;");
        expect_way(0, "R f403 P ");
        expect_no_problem();
        apitrace_close(&opened);

        set_mood(moods[i]);
        open_large(600);
        be_patient();
        expect_way(0, "R f403 P ");
        wait_for_told("told", "angs ;");
        apitrace_close(&opened);
    }
}

/* It has not died of it yet, and hangs; the next one leaves the call out. */
static void a_scout_knows_what_killed_the_session(void **state)
{
    char *problems;

    (void)state;
    set_mood("feed");
    open_large(617);
    be_patient();
    expect_way(0, "R X3 f403 P ");
    wait_for_told("told3", "R X3 d51 f58 ");
    wait_for_told("told3", "f405 ;");
    problems = apitrace_problems(&opened);
    assert_non_null(strstr(problems, "a call is left out: the graphics worker died"));
    free(problems);
    apitrace_close(&opened);
}

/* With the session waiting for it, it runs out of time first. */
static void a_scout_that_keeps_the_shaders_locked_is_outlived(void **state)
{
    (void)state;
    set_mood("locks");
    open_large(600);
    expect_way(0, "R f403 P ");
    wait_for_told("told", "hangs ;");
    expect_no_problem();
    apitrace_close(&opened);
}

static int make_folder(void **state)
{
    (void)state;
    folder = support_folder();
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    support_remove(&folder);
    return 0;
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_that_nobody_wants_are_skipped),
        cmocka_unit_test(what_a_picture_is_made_of_is_drawn),
        cmocka_unit_test(what_was_skipped_and_is_needed_begins_anew),
        cmocka_unit_test(what_is_read_is_drawn_on_the_way),
        cmocka_unit_test(an_unfinished_frame_is_that_behind_its_last_draw),
        cmocka_unit_test(a_worker_that_dies_fails_the_frame),
        cmocka_unit_test_setup(a_scout_goes_ahead, move_program),
        cmocka_unit_test(a_scout_that_hangs_is_ended),
        cmocka_unit_test(a_scout_knows_what_killed_the_session),
        cmocka_unit_test_teardown(a_scout_that_keeps_the_shaders_locked_is_outlived, forget_place),
    };
    const char *slash = strrchr(arguments[0], '/');
    char program[4096];

    (void)count;
    snprintf(program, sizeof(program), "%.*s/fakeretracer",
             slash == NULL ? 1 : (int)(slash - arguments[0]), slash == NULL ? "." : arguments[0]);
    setenv("GPUDUMPFS_GLWORKER", program, 1);
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

/* SPDX-License-Identifier: MIT */
/* How the retracer is led from frame to frame: tests/formats/apitrace/fakeretracer tells in its
 * pictures. */
#include "config.h"

#include "tests/formats/apitrace/open.h"
#include "tests/formats/apitrace/script.h"
#include "tests/support/support.h"
#include "tests/support/walk.h"

#include "base/thread.h"
#include "formats/apitrace/dump.h"
#include "formats/apitrace/replay/replay.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
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

/* What led to a picture. */
static void expect_way_to(const char *path, const char *wanted)
{
    char *found, *way;
    size_t size;

    found = walk_read(opened.tree, path, &size);
    way = memmem(found, size, "R ", 2);
    assert_non_null(way);
    *strchr(way, ';') = '\0';
    assert_string_equal(way, wanted);
    free(found);
}

static void expect_way(unsigned frame, const char *wanted)
{
    char path[32];

    snprintf(path, sizeof(path), "frames/%06u.png", frame);
    expect_way_to(path, wanted);
}

/* Swaps are the calls 3, 5, 7 and so on. */
static void frames_that_nobody_wants_are_skipped(void **state)
{
    (void)state;
    open_script(WINDOW(20) CLEAR SWAP CLEAR SWAP CLEAR SWAP CLEAR SWAP CLEAR SWAP);
    expect_way(2, "R d5 f7 P ");
    expect_way(3, "R d5 f7 P f9 P ");
    expect_way(4, "R d5 f7 P f9 P f11 P ");
    expect_way(2, "R d5 f7 P ");
    apitrace_close(&opened);
}

/* A signal came in the midst of a swap or a draw, and its handler ended what was current. */
static void a_call_that_was_left_is_shown_where_it_was_entered(void **state)
{
    const char *const end = "glXMakeCurrent(dpy=0x1, drawable=0, ctx=null) = 1\n";
    char script[1024];

    (void)state;
    snprintf(script, sizeof(script), "%s%s",
             WINDOW(20) CLEAR SWAP CLEAR DRAW "glXSwapBuffers(dpy=0x1, drawable=5) ...\n", end);
    open_script(script);
    expect_way(1, "R d3 f5 P ");
    apitrace_close(&opened);
    snprintf(script, sizeof(script), "%s%s",
             WINDOW(20) CLEAR SWAP CLEAR DRAW "glDrawArrays(mode=4, first=0, count=3) ...\n", end);
    open_script(script);
    expect_way(1, "R d3 f5 P ");
    apitrace_close(&opened);
    /* Another thread's calls change nothing of this one's. */
    open_script(WINDOW(20) CLEAR SWAP CLEAR DRAW "glXSwapBuffers(dpy=0x1, drawable=5) ...\n"
                                                 "@1 glFlush()\n");
    expect_way(1, "R d3 f6 P ");
    apitrace_close(&opened);
}

/* At the second step what comes before the frame is drawn, too. */
static void steps_back_bring_more_and_more(void **state)
{
    (void)state;
    open_script(WINDOW(20) CLEAR SWAP CLEAR SWAP CLEAR SWAP CLEAR SWAP CLEAR SWAP);
    expect_way(4, "R d9 f11 P ");
    expect_way(3, "R d7 f9 P ");
    expect_way(2, "R f3 P f5 P f7 P ");
    expect_way(1, "R f3 P f5 P ");
    apitrace_close(&opened);
}

#define CLEAR_SWAP_3 CLEAR SWAP CLEAR SWAP CLEAR SWAP

/* Steps back that have jumps forward between them are none. */
static void jumps_bring_nothing_beside(void **state)
{
    (void)state;
    open_script(WINDOW(20) CLEAR_SWAP_3 CLEAR_SWAP_3 CLEAR_SWAP_3 CLEAR_SWAP_3 CLEAR_SWAP_3);
    expect_way(14, "R d29 f31 P ");
    expect_way(2, "R d5 f7 P ");
    expect_way(13, "R d5 f7 P d27 f29 P ");
    expect_way(1, "R d3 f5 P ");
    apitrace_close(&opened);
}

/* Nor is what the session is beyond for a draw's sake, if the frame comes behind the last one. */
static void frames_behind_a_draw_bring_nothing_beside(void **state)
{
    (void)state;
    open_script(WINDOW(20) CLEAR_SWAP_3 CLEAR SWAP CLEAR SWAP CLEAR DRAW SWAP);
    expect_way(4, "R d9 f11 P ");
    expect_way(2, "R d5 f7 P ");
    expect_way_to("by-frame/000005/draws/00000013.png", "R d5 f7 P d11 f13 P ");
    expect_way(3, "R d7 f9 P ");
    apitrace_close(&opened);
}

#define DRAW_4 DRAW DRAW DRAW DRAW

/* Draws are the calls from 3 on: a step back keeps what the nearest before have left. */
static void a_step_back_keeps_the_draws_before(void **state)
{
    (void)state;
    open_script(WINDOW(20) CLEAR DRAW_4 DRAW_4 DRAW_4 SWAP);
    expect_way_to("by-frame/000000/draws/00000014.png", "R f14 P ");
    expect_way_to("by-frame/000000/draws/00000013.png",
                  "R f5 P f6 P f7 P f8 P f9 P f10 P f11 P f12 P f13 P ");
    expect_way_to("by-frame/000000/draws/00000012.png",
                  "R f5 P f6 P f7 P f8 P f9 P f10 P f11 P f12 P ");
    expect_way_to("by-frame/000000/draws/00000006.png", "R f5 P f6 P ");
    expect_way_to("by-frame/000000/draws/00000005.png", "R f5 P ");
    expect_way_to("by-frame/000000/draws/00000004.png", "R f2 P f3 P f4 P ");
    expect_way_to("by-frame/000000/draws/00000003.png", "R f2 P f3 P ");
    expect_way(0, "R f2 P f3 P f4 P f15 P ");
    apitrace_close(&opened);
}

/* What draws of another frame have left is not taken for this one's. */
static void draws_of_another_frame_are_its_own(void **state)
{
    (void)state;
    open_script(WINDOW(20) CLEAR DRAW DRAW SWAP CLEAR DRAW DRAW SWAP);
    expect_way_to("by-frame/000001/draws/00000008.png", "R d5 f8 P ");
    expect_way_to("by-frame/000001/draws/00000007.png", "R d5 f7 P ");
    expect_way_to("by-frame/000000/draws/00000004.png", "R f4 P ");
    expect_way_to("by-frame/000000/draws/00000003.png", "R f2 P f3 P ");
    expect_way_to("by-frame/000001/draws/00000006.png", "R f2 P f3 P f6 P ");
    apitrace_close(&opened);
}

static void what_a_picture_is_made_of_is_drawn(void **state)
{
    (void)state;
    open_script(WINDOW(20) CLEAR SWAP CLEAR SWAP DRAW SWAP DRAW SWAP CLEAR DRAW SWAP);
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

/* The process that a frame's picture is of. */
static int process_of(unsigned frame)
{
    char path[32], *found, *way;
    int process = 0;
    size_t size;

    snprintf(path, sizeof(path), "frames/%06u.png", frame);
    found = walk_read(opened.tree, path, &size);
    way = memmem(found, size, "R ", 2);
    assert_non_null(way);
    assert_int_equal(sscanf(strchr(way, ';'), ";%d;", &process), 1);
    free(found);
    return process;
}

enum { EASY = 40, HEAVY_DRAWS = 300, ORDERED = 16, AFTER = 60 };

/* A frame that takes much to draw behind and before many that take little. */
static void open_heavy(void)
{
    char script[65536];
    size_t length = (size_t)snprintf(script, sizeof(script), "%s", WINDOW(600));

    for (unsigned n = 0; n < EASY + 1 + AFTER; n++) {
        for (unsigned i = 0; n == EASY && i < HEAVY_DRAWS; i++)
            length += (size_t)snprintf(script + length, sizeof(script) - length, "%s", DRAW);
        length += (size_t)snprintf(script + length, sizeof(script) - length, "%s", CLEAR SWAP);
    }
    open_script(script);
    opened.options.threads = 1; /* no prewarming */
}

/* Shaders that were compiled fast are no use to a process that optimises, and the other way. */
static void a_return_compiles_as_the_session_did(void **state)
{
    int process;

    (void)state;
    open_heavy();
    process = process_of(EASY + 1);
    assert_int_equal(process_of(1), process);
    apitrace_close(&opened);

    open_heavy();
    process = process_of(1);
    assert_int_equal(process_of(EASY + 1), process);
    assert_int_equal(process_of(2), process);
    apitrace_close(&opened);
}

/* One frame that is far away is compiled fast; many behind it are worth another process. */
static void frames_in_order_are_compiled_well(void **state)
{
    int process;

    (void)state;
    open_heavy();
    process = process_of(EASY);
    for (unsigned n = 1; n <= ORDERED; n++)
        assert_int_equal(process_of(EASY + n), process);
    assert_int_not_equal(process_of(EASY + ORDERED + 1), process);
    apitrace_close(&opened);

    /* of few that are left that is not so */
    open_heavy();
    process = process_of(EASY + AFTER - ORDERED - 1);
    for (unsigned n = AFTER - ORDERED; n <= AFTER; n++)
        assert_int_equal(process_of(EASY + n), process);
    apitrace_close(&opened);
}

static void a_worker_that_dies_fails_the_frame(void **state)
{
    struct walk_params params = {.broken = (const char *const[]){
                                     "000000.png", "image.png", "latest.png", "00000002.png",
                                     "depth.png", "depth.bin", "draw-ids.bin", "draw-ids.png",
                                     "overdraw.png", "wireframe.png", "contact-sheet.png", NULL}};
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

/* As long as what a prewarming session was asked for lacks that. */
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
    fail_msg("the prewarming session was not asked for %s", wanted);
}

/* Draws so much that prewarming is of use; its calls are those of WINDOW, then 3 to 403. */
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
    static const char *const names[] = {"mood", "told", "told3", "died", "waits", "there"};

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
 * What takes long to draw is compiled with care, with a prewarming session that goes ahead: past an
 * eighth of the first frame's calls, through it and the next one.
 */
static void a_prewarm_goes_ahead(void **state)
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

/* Parts of a first frame that has a few calls would be single calls. */
static void a_prewarm_takes_the_measure_of_the_larger_frame(void **state)
{
    char script[65536];
    int length = snprintf(script, sizeof(script), "%s", WINDOW(600) CLEAR SWAP CLEAR);

    (void)state;
    set_mood(NULL);
    for (unsigned n = 0; n < 400; n++)
        length += snprintf(script + length, sizeof(script) - (size_t)length, "%s", DRAW);
    snprintf(script + length, sizeof(script) - (size_t)length, "%s", SWAP CLEAR SWAP);
    open_script(script);
    opened.options.threads = 2;
    expect_way(0, "R f3 P ");
    wait_for_told("told", "R d51 f58 ");
    wait_for_told("told", "f405 ;");
    apitrace_close(&opened);
}

/* With care it has to know how long the session takes, once that has begun. */
static void a_prewarm_with_care_lets_the_session_begin(void **state)
{
    (void)state;
    set_mood("alone");
    open_large(600);
    expect_way(0, "R f403 P ");
    wait_for_told("told", "R d51 f58 ");
    expect_no_problem();
    apitrace_close(&opened);
}

/* No thread waits for it: neither the one that closes the dump, nor one that has the session begin
 * again. */
static void a_prewarm_that_hangs_is_ended(void **state)
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

static void *raise_when_told(void *cancel)
{
    wait_for_told("told", "angs ;");
    cancel_raise(cancel);
    return NULL;
}

/* Nothing is left that turns for a reader that has gone. */
static void a_prewarm_ends_with_its_reader(void **state)
{
    struct blob *picture = NULL;
    struct cancel cancel;
    pthread_t thread;
    size_t size;

    (void)state;
    set_mood("slow");
    open_large(600);
    be_patient();
    free(walk_read(opened.tree, "frames.tsv", &size)); /* then all frames are known */
    cancel_init(&cancel, NULL);
    assert_int_equal(thread_start(&thread, raise_when_told, &cancel), 0);
    assert_int_equal(apitrace_player_frame(tree_dump(opened.tree), 0, &cancel, &picture), -EINTR);
    pthread_join(thread, NULL);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
    set_mood(NULL);
    expect_way(0, "R f403 P ");
    apitrace_close(&opened);
}

/* It has not died of it yet, and hangs; the next one leaves the call out. */
static void a_prewarm_knows_what_killed_the_session(void **state)
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
static void a_prewarm_that_keeps_the_shaders_locked_is_outlived(void **state)
{
    (void)state;
    set_mood("locks");
    open_large(600);
    expect_way(0, "R f403 P ");
    wait_for_told("told", "hangs ;");
    expect_no_problem();
    apitrace_close(&opened);
}

/* A frame far into a trace; its calls, the clear included. */
enum { FAR = 40, FAR_FIRST = 82, FAR_SWAP = 483, FAR_STRETCH = 7 };

/* Its picture, what frames 41 and 42 add to it, and a last frame of one draw. */
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
    open_script(script);
    opened.options.threads = 2;
}

/* All that a prewarming session was asked for: `begin`, then stretches from one call to another. */
static void expect_prewarmed(const char *begin, unsigned from, unsigned last)
{
    char wanted[4096], *path = support_path(place, "told"), *found;
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

/* That of one that has told something already; nobody has ended it. */
static void wait_for_prewarms_end(void)
{
    char *path = support_path(place, "alive");
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600), status = -1;

    free(path);
    assert_true(file >= 0);
    for (int i = 0; i < 10000 && (status = flock(file, LOCK_EX | LOCK_NB)) < 0; i++)
        usleep(1000);
    close(file);
    assert_int_equal(status, 0);
}

/*
 * Far into a trace there is one frame to share: the prewarming session has its second half, and
 * nothing behind it. Where the picture is made of more frames, it has the second half of two of
 * them. So it is where all frames have few pixels.
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

        set_mood(NULL);
        open_far(heights[i / COUNT_OF(cases)]);
        expect_way(FAR + n, cases[n].way);
        wait_for_told("told", cases[n].begin);
        wait_for_prewarms_end();
        expect_prewarmed(cases[n].begin, cases[n].from, cases[n].last);
        expect_no_problem();
        apitrace_close(&opened);
    }
}

/* When it has come to call 289 the session says where it is itself. */
static void a_prewarm_that_compiles_fast_shares_what_is_left(void **state)
{
    static const struct {
        const char *mood, *begin;
        unsigned from;
    } cases[] = {
        {"meets 382", "r d282 f289 d432 ", 432}, /* half of what is left is from here on … */
        {"meets 283", "r d282 f289 d383 ", 383}, /* … also where it is right behind … */
        {"meets 282", "r d282 f289 ", 289},      /* … but not so far behind */
        {"meets 9", "r d282 f289 ", 289},        /* it has not come to the frame */
        {"meets 1000000", "r d282 f289 ", 289},  /* there is no such call */
        {"meets 483", "r d282 f289 ", 483},      /* it is through, which the next look tells */
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        set_mood(cases[i].mood);
        open_far(600);
        expect_way(FAR, "R d81 f483 P ");
        wait_for_told("told", "r d282 f289 ");
        wait_for_prewarms_end();
        expect_prewarmed(cases[i].begin, cases[i].from, FAR_SWAP);
        expect_no_problem();
        apitrace_close(&opened);
    }
}

/* An earlier frame is drawn with care, by another process. */
static void expect_earlier_frame(void)
{
    expect_way(1, "R d3 f5 P ");
    expect_no_problem();
}

/* Compiling fast, too, nothing waits for it. */
static void a_prewarm_that_compiles_fast_that_hangs_is_ended(void **state)
{
    static const char *const moods[] = {"hello", "feed"};

    (void)state;
    for (size_t i = 0; i < 2 * COUNT_OF(moods); i++) {
        set_mood(moods[i / 2]);
        open_far(600);
        be_patient();
        expect_way(FAR, "R d81 f483 P ");
        wait_for_told("told", "angs ;");
        if (i % 2 == 0)
            expect_earlier_frame();
        apitrace_close(&opened);
        wait_for_prewarms_end();
    }
}

static void a_prewarm_that_compiles_fast_that_dies_is_missed_by_nobody(void **state)
{
    char *told = support_path(place, "told");

    (void)state;
    for (int again = 0; again < 2; again++) {
        set_mood(NULL);
        support_write(told, "", 0);
        open_far(600);
        expect_way(FAR, "R d81 f483 P ");
        wait_for_told("died", "");
        wait_for_prewarms_end();
        if (again == 1)
            expect_earlier_frame();
        expect_no_problem();
        apitrace_close(&opened);
    }
    free(told);
}

#define THREE_FRAMES WINDOW(20) CLEAR SWAP CLEAR DRAW_4 SWAP CLEAR SWAP

/* What is asked for in a frame before what was led to in it begins with the frame. */
static void a_session_goes_back_to_its_frames_beginning(void **state)
{
    (void)state;
    set_mood("marks 0");
    open_script(THREE_FRAMES);
    expect_way_to("by-frame/000001/draws/00000007.png", "R d3 f4 m f7 P ");
    expect_way_to("by-frame/000001/draws/00000006.png", "R d3 f4 m f7 P b f5 P f6 P ");
    expect_way(1, "R d3 f4 m f7 P b f5 P f6 P f9 P ");
    expect_way(2, "R d3 f4 m f7 P b f5 P f6 P f9 P B d9 f11 P ");
    expect_way_to("by-frame/000001/draws/00000008.png", "R d3 f4 m f8 P ");
    apitrace_close(&opened);
    open_script(THREE_FRAMES);
    expect_way(2, "R d9 f10 m f11 P "); /* also of one that is jumped to … */
    apitrace_close(&opened);
    open_script(THREE_FRAMES);
    expect_way(1, "R d3 f9 P "); /* … and of none in order */
    apitrace_close(&opened);
}

/* Behind what sets something for good there is no way back: the frame has none any more. */
static void what_cannot_be_put_back_ends_the_mark(void **state)
{
    (void)state;
    set_mood("marks 8");
    open_script(THREE_FRAMES);
    expect_way_to("by-frame/000001/draws/00000008.png", "R d3 f4 m B f8 P ");
    expect_way_to("by-frame/000001/draws/00000005.png", "R d3 f5 P ");
    apitrace_close(&opened);
    set_mood(NULL);
}

/* What a frame before has drawn is gone when the session is back. */
static void what_earlier_frames_drew_is_not_gone_back_to(void **state)
{
    (void)state;
    set_mood("marks 0");
    open_script(WINDOW(20) CLEAR SWAP DRAW SWAP CLEAR DRAW SWAP DRAW SWAP);
    expect_way_to("by-frame/000002/draws/00000007.png", "R d5 f6 m f7 P ");
    expect_way(3, "R d5 f6 m f7 P B f8 P f10 P ");
    expect_way_to("by-frame/000001/draws/00000004.png", "R f4 P ");
    apitrace_close(&opened);
    set_mood(NULL);
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

/* One that has been waited for may be counted for a moment. */
static void expect_threads(unsigned count)
{
    for (int i = 0; i < 10000 && count_threads() != count; i++)
        usleep(1000);
    assert_int_equal(count_threads(), count);
}

/*
 * What is compiled fast only since it is little needs none, nor does a frame that is far, and
 * has few draws; its thread would be there.
 */
static void what_is_little_has_no_prewarm(void **state)
{
    unsigned far;

    (void)state;
    set_mood("feed");
    open_far(20);
    be_patient();
    expect_way(FAR, "R d81 f483 P ");
    far = count_threads();
    expect_way(1, "R d3 f5 P ");
    expect_threads(far - 1);
    apitrace_close(&opened);

    set_mood("feed");
    open_far(600);
    be_patient();
    expect_way(FAR + 3, "R d487 f490 P ");
    expect_threads(far - 1);
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
        cmocka_unit_test(a_call_that_was_left_is_shown_where_it_was_entered),
        cmocka_unit_test(steps_back_bring_more_and_more),
        cmocka_unit_test(jumps_bring_nothing_beside),
        cmocka_unit_test(frames_behind_a_draw_bring_nothing_beside),
        cmocka_unit_test(a_step_back_keeps_the_draws_before),
        cmocka_unit_test(draws_of_another_frame_are_its_own),
        cmocka_unit_test(what_a_picture_is_made_of_is_drawn),
        cmocka_unit_test(what_was_skipped_and_is_needed_begins_anew),
        cmocka_unit_test(what_is_read_is_drawn_on_the_way),
        cmocka_unit_test(an_unfinished_frame_is_that_behind_its_last_draw),
        cmocka_unit_test(a_return_compiles_as_the_session_did),
        cmocka_unit_test(frames_in_order_are_compiled_well),
        cmocka_unit_test(a_worker_that_dies_fails_the_frame),
        cmocka_unit_test_setup(a_prewarm_goes_ahead, move_program),
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
        cmocka_unit_test(a_session_goes_back_to_its_frames_beginning),
        cmocka_unit_test(what_cannot_be_put_back_ends_the_mark),
        cmocka_unit_test(what_earlier_frames_drew_is_not_gone_back_to),
        cmocka_unit_test_teardown(what_is_little_has_no_prewarm, forget_place),
    };
    const char *slash = strrchr(arguments[0], '/');
    char program[4096];

    (void)count;
    snprintf(program, sizeof(program), "%.*s/fakeretracer",
             slash == NULL ? 1 : (int)(slash - arguments[0]), slash == NULL ? "." : arguments[0]);
    setenv("GPUDUMPFS_GLWORKER", program, 1);
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

/* SPDX-License-Identifier: MIT */
/*
 * How the daemon drives the worker from frame to frame, as the pictures of
 * tests/formats/apitrace/fakeretracer report.
 */
#include "config.h"

#include "tests/formats/apitrace/retraced.h"
#include "tests/support/support.h"
#include "tests/support/walk.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Swaps are calls 3, 5, 7 and so on. */
static void frames_that_nobody_wants_are_skipped(void **state)
{
    (void)state;
    retraced_open_script(WINDOW(20) CLEAR SWAP CLEAR SWAP CLEAR SWAP CLEAR SWAP CLEAR SWAP);
    retraced_expect_way(2, "R d5 f7 P ");
    retraced_expect_way(3, "R d5 f7 P f9 P ");
    retraced_expect_way(4, "R d5 f7 P f9 P f11 P ");
    retraced_expect_way(2, "R d5 f7 P ");
    apitrace_close(&retraced.opened);
}

/* A signal came in the middle of a swap or draw, and its handler terminated the context. */
static void a_call_that_was_left_is_shown_where_it_was_entered(void **state)
{
    const char *const end = "glXMakeCurrent(dpy=0x1, drawable=0, ctx=null) = 1\n";
    char script[1024];

    (void)state;
    snprintf(script, sizeof(script), "%s%s",
             WINDOW(20) CLEAR SWAP CLEAR DRAW "glXSwapBuffers(dpy=0x1, drawable=5) ...\n", end);
    retraced_open_script(script);
    retraced_expect_way(1, "R d3 f5 P ");
    apitrace_close(&retraced.opened);
    snprintf(script, sizeof(script), "%s%s",
             WINDOW(20) CLEAR SWAP CLEAR DRAW "glDrawArrays(mode=4, first=0, count=3) ...\n", end);
    retraced_open_script(script);
    retraced_expect_way(1, "R d3 f5 P ");
    apitrace_close(&retraced.opened);
    /* Calls of another thread do not change this one. */
    retraced_open_script(WINDOW(20) CLEAR SWAP CLEAR DRAW
                         "glXSwapBuffers(dpy=0x1, drawable=5) ...\n"
                         "@1 glFlush()\n");
    retraced_expect_way(1, "R d3 f6 P ");
    apitrace_close(&retraced.opened);
}

/* From the second step back on, the frames before the requested one are drawn as well. */
static void steps_back_bring_more_and_more(void **state)
{
    (void)state;
    retraced_open_script(WINDOW(20) CLEAR SWAP CLEAR SWAP CLEAR SWAP CLEAR SWAP CLEAR SWAP);
    retraced_expect_way(4, "R d9 f11 P ");
    retraced_expect_way(3, "R d7 f9 P ");
    retraced_expect_way(2, "R f3 P f5 P f7 P ");
    retraced_expect_way(1, "R f3 P f5 P ");
    apitrace_close(&retraced.opened);
}

#define CLEAR_SWAP_3 CLEAR SWAP CLEAR SWAP CLEAR SWAP

/* Steps back with jumps forward between them do not count as steps back. */
static void jumps_bring_nothing_beside(void **state)
{
    (void)state;
    retraced_open_script(WINDOW(20)
                             CLEAR_SWAP_3 CLEAR_SWAP_3 CLEAR_SWAP_3 CLEAR_SWAP_3 CLEAR_SWAP_3);
    retraced_expect_way(14, "R d29 f31 P ");
    retraced_expect_way(2, "R d5 f7 P ");
    retraced_expect_way(13, "R d5 f7 P d27 f29 P ");
    retraced_expect_way(1, "R d3 f5 P ");
    apitrace_close(&retraced.opened);
}

/*
 * Nor does going back from a draw that was read, if the frame is after the last frame that was
 * read.
 */
static void frames_behind_a_draw_bring_nothing_beside(void **state)
{
    (void)state;
    retraced_open_script(WINDOW(20) CLEAR_SWAP_3 CLEAR SWAP CLEAR SWAP CLEAR DRAW SWAP);
    retraced_expect_way(4, "R d9 f11 P ");
    retraced_expect_way(2, "R d5 f7 P ");
    retraced_expect_way_to("by-frame/000005/draws/00000013.png", "R d5 f7 P d11 f13 P ");
    retraced_expect_way(3, "R d7 f9 P ");
    apitrace_close(&retraced.opened);
}

#define DRAW_4 DRAW DRAW DRAW DRAW

/* Draws are the calls from 3 on: a step back keeps the pictures of the draws right before. */
static void a_step_back_keeps_the_draws_before(void **state)
{
    (void)state;
    retraced_open_script(WINDOW(20) CLEAR DRAW_4 DRAW_4 DRAW_4 SWAP);
    retraced_expect_way_to("by-frame/000000/draws/00000014.png", "R f14 P ");
    retraced_expect_way_to("by-frame/000000/draws/00000013.png",
                           "R f5 P f6 P f7 P f8 P f9 P f10 P f11 P f12 P f13 P ");
    retraced_expect_way_to("by-frame/000000/draws/00000012.png",
                           "R f5 P f6 P f7 P f8 P f9 P f10 P f11 P f12 P ");
    retraced_expect_way_to("by-frame/000000/draws/00000006.png", "R f5 P f6 P ");
    retraced_expect_way_to("by-frame/000000/draws/00000005.png", "R f5 P ");
    retraced_expect_way_to("by-frame/000000/draws/00000004.png", "R f2 P f3 P f4 P ");
    retraced_expect_way_to("by-frame/000000/draws/00000003.png", "R f2 P f3 P ");
    retraced_expect_way(0, "R f2 P f3 P f4 P f15 P ");
    apitrace_close(&retraced.opened);
}

/* Pictures of draws of another frame are not taken for those of this frame. */
static void draws_of_another_frame_are_its_own(void **state)
{
    (void)state;
    retraced_open_script(WINDOW(20) CLEAR DRAW DRAW SWAP CLEAR DRAW DRAW SWAP);
    retraced_expect_way_to("by-frame/000001/draws/00000008.png", "R d5 f8 P ");
    retraced_expect_way_to("by-frame/000001/draws/00000007.png", "R d5 f7 P ");
    retraced_expect_way_to("by-frame/000000/draws/00000004.png", "R f4 P ");
    retraced_expect_way_to("by-frame/000000/draws/00000003.png", "R f2 P f3 P ");
    retraced_expect_way_to("by-frame/000001/draws/00000006.png", "R f2 P f3 P f6 P ");
    apitrace_close(&retraced.opened);
}

static void what_a_picture_is_made_of_is_drawn(void **state)
{
    (void)state;
    retraced_open_script(WINDOW(20) CLEAR SWAP CLEAR SWAP DRAW SWAP DRAW SWAP CLEAR DRAW SWAP);
    retraced_expect_way(3, "R d3 f5 P f7 P f9 P ");
    retraced_expect_way(1, "R d3 f5 P ");
    apitrace_close(&retraced.opened);
}

/* Frame 3 cannot be drawn by a session that has skipped frame 2. */
static void what_was_skipped_and_is_needed_begins_anew(void **state)
{
    (void)state;
    retraced_open_script(WINDOW(20) CLEAR SWAP CLEAR SWAP CLEAR SWAP
                         "glDrawBuffer(buf=1028)\n" SWAP DRAW SWAP CLEAR SWAP);
    retraced_expect_way(1, "R d3 f5 P ");
    retraced_expect_way(4, "R d3 f5 P f7 P f9 P f11 P ");
    apitrace_close(&retraced.opened);
}

static void what_is_read_is_drawn_on_the_way(void **state)
{
    (void)state;
    retraced_open_script(WINDOW(20) CLEAR SWAP CLEAR SWAP DRAW COPY SWAP CLEAR SWAP CLEAR SWAP);
    retraced_expect_way(4, "R d3 f5 P f8 P d10 f12 P ");
    apitrace_close(&retraced.opened);
}

static void an_unfinished_frame_is_that_behind_its_last_draw(void **state)
{
    (void)state;
    retraced_open_script(WINDOW(20) CLEAR SWAP CLEAR DRAW "glFlush()\n");
    retraced_expect_way(1, "R d3 f5 P ");
    apitrace_close(&retraced.opened);
}

/* Returns the process that drew a frame's picture. */
static int process_of(unsigned frame)
{
    char path[32], *found, *way;
    int process = 0;
    size_t size;

    snprintf(path, sizeof(path), "frames/%06u.png", frame);
    found = walk_read(retraced.opened.tree, path, &size);
    way = memmem(found, size, "R ", 2);
    assert_non_null(way);
    assert_int_equal(sscanf(strchr(way, ';'), ";%d;", &process), 1);
    free(found);
    return process;
}

/* Returns how many pictures the session was requested to draw before that of `frame`. */
static unsigned pictures_before(unsigned frame)
{
    unsigned pictures = 0;
    char path[32], *found, *way, *end;
    size_t size;

    snprintf(path, sizeof(path), "frames/%06u.png", frame);
    found = walk_read(retraced.opened.tree, path, &size);
    way = memmem(found, size, "R ", 2);
    assert_non_null(way);
    end = strchr(way, ';');
    for (; way < end; way++)
        pictures += *way == 'P';
    free(found);
    return pictures - 1;
}

enum { EASY = 40, HEAVY_DRAWS = 300, ORDERED = 16, AFTER = 60 };

/* Opens a trace with a frame that takes long to draw, before and after many that take little. */
static void open_heavy(void)
{
    char script[65536];
    size_t length = (size_t)snprintf(script, sizeof(script), "%s", WINDOW(600));

    for (unsigned n = 0; n < EASY + 1 + AFTER; n++) {
        for (unsigned i = 0; n == EASY && i < HEAVY_DRAWS; i++)
            length += (size_t)snprintf(script + length, sizeof(script) - length, "%s", DRAW);
        length += (size_t)snprintf(script + length, sizeof(script) - length, "%s", CLEAR SWAP);
    }
    retraced_open_script(script);
    retraced.opened.options.threads = 1; /* no prewarming */
}

/*
 * Shaders that were compiled fast are of no use to a process that optimizes, and the other way
 * round.
 */
static void a_return_compiles_as_the_session_did(void **state)
{
    int process;

    (void)state;
    open_heavy();
    process = process_of(EASY + 1);
    assert_int_equal(process_of(1), process);
    apitrace_close(&retraced.opened);

    open_heavy();
    process = process_of(1);
    assert_int_equal(process_of(EASY + 1), process);
    assert_int_equal(process_of(2), process);
    apitrace_close(&retraced.opened);
}

/*
 * A single frame far into the trace is compiled fast; many frames after it are worth another
 * process.
 */
static void frames_in_order_are_compiled_well(void **state)
{
    int process;

    (void)state;
    open_heavy();
    process = process_of(EASY);
    for (unsigned n = 1; n <= ORDERED; n++)
        assert_int_equal(process_of(EASY + n), process);
    assert_int_not_equal(process_of(EASY + ORDERED + 1), process);
    apitrace_close(&retraced.opened);

    /* a jump is not part of the sequence */
    open_heavy();
    process = process_of(EASY);
    for (unsigned n = 1; n <= ORDERED; n++)
        assert_int_equal(process_of(EASY + n), process);
    assert_int_equal(pictures_before(EASY + ORDERED + 2), ORDERED + 1);
    apitrace_close(&retraced.opened);

    /* this is not so if only few frames are left */
    open_heavy();
    process = process_of(EASY + AFTER - ORDERED - 1);
    for (unsigned n = AFTER - ORDERED; n <= AFTER; n++)
        assert_int_equal(process_of(EASY + n), process);
    apitrace_close(&retraced.opened);
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
    retraced_open_script(WINDOW(13) CLEAR SWAP);
    walk_tree(retraced.opened.tree, &params, &result);
    problems = apitrace_problems(&retraced.opened);
    assert_non_null(strstr(problems, "packet 3 error: frame 0 cannot be drawn: "));
    free(problems);
    apitrace_close(&retraced.opened);
}

/* Frame 1 turns out to have no picture, which must not fail the frames after it. */
static void a_frame_without_a_picture_fails_alone(void **state)
{
    char *problems;

    (void)state;
    retraced_set_mood("lacks 5");
    retraced_open_script(WINDOW(20) CLEAR SWAP DRAW SWAP DRAW SWAP);
    assert_int_equal(walk_try(retraced.opened.tree, "frames/000001.png"), -EIO);
    retraced_expect_way(2, "R f3 P f5 f7 P ");
    problems = apitrace_problems(&retraced.opened);
    assert_non_null(strstr(problems, "frame 1 cannot be drawn: "));
    assert_null(strstr(problems, "frame 2 cannot be drawn: "));
    free(problems);
    apitrace_close(&retraced.opened);
    retraced_set_mood(NULL);
}

/* What was sent has been processed even though the answer is an error: it is not sent again. */
static void a_failure_behind_a_run_loses_nothing(void **state)
{
    (void)state;
    retraced_set_mood("fails 5");
    retraced_open_script(WINDOW(20) CLEAR SWAP CLEAR SWAP CLEAR SWAP);
    retraced_expect_way(0, "R f3 P ");
    assert_int_equal(walk_try(retraced.opened.tree, "frames/000001.png"), -ENOMEM);
    retraced_expect_way(1, "R f3 P f5 P ");
    retraced_expect_way(2, "R f3 P f5 P f7 P ");
    apitrace_close(&retraced.opened);
    retraced_set_mood(NULL);
}

/* A compromised worker may send fewer bytes than the size that it states. */
static void a_texture_has_the_bytes_that_its_size_comes_to(void **state)
{
    const char *const script = WINDOW(20) CLEAR
        "glBindTexture(target=3553, texture=1)\n"
        "glTexImage2D(target=3553, level=0, internalformat=6408, width=8, height=4, border=0, "
        "format=6408, type=5121, pixels=null)\n" SWAP;
    const struct {
        const char *mood;
        int status;
    } cases[] = {{"texels 4", 0}, {"texels 3", -EIO}, {"texels 0", -EIO}, {"texels 16", -EIO}};

    (void)state;
    for (size_t n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
        retraced_set_mood(cases[n].mood);
        retraced_open_script(script);
        assert_int_equal(walk_try(retraced.opened.tree, "by-frame/000000/textures/00001-00.png"),
                         cases[n].status);
        apitrace_close(&retraced.opened);
    }
    retraced_set_mood(NULL);
}

/*
 * A quarter of the cache is smaller than one picture: no pictures of earlier draws are read only to
 * be dropped.
 */
static void draws_that_have_no_room_are_not_read(void **state)
{
    (void)state;
    retraced_open_script_within(WINDOW(400) CLEAR DRAW_4 SWAP, 4 << 20);
    retraced_expect_way_to("by-frame/000000/draws/00000006.png", "R f6 P ");
    retraced_expect_way_to("by-frame/000000/draws/00000005.png", "R f5 P ");
    apitrace_close(&retraced.opened);
}

#define THREE_FRAMES WINDOW(20) CLEAR SWAP CLEAR DRAW_4 SWAP CLEAR SWAP

/* A request for an earlier draw of the frame makes the session go back to the frame's beginning. */
static void a_session_goes_back_to_its_frames_beginning(void **state)
{
    (void)state;
    retraced_set_mood("marks 0");
    retraced_open_script(THREE_FRAMES);
    retraced_expect_way_to("by-frame/000001/draws/00000007.png", "R d3 f4 m f7 P ");
    retraced_expect_way_to("by-frame/000001/draws/00000006.png", "R d3 f4 m f7 P b f5 P f6 P ");
    retraced_expect_way(1, "R d3 f4 m f7 P b f5 P f6 P f9 P ");
    retraced_expect_way(2, "R d3 f4 m f7 P b f5 P f6 P f9 P B d9 f11 P ");
    retraced_expect_way_to("by-frame/000001/draws/00000008.png", "R d3 f4 m f8 P ");
    apitrace_close(&retraced.opened);
    retraced_open_script(THREE_FRAMES);
    retraced_expect_way(2, "R d9 f10 m f11 P "); /* also for a frame that was jumped to … */
    apitrace_close(&retraced.opened);
    retraced_open_script(THREE_FRAMES);
    retraced_expect_way(1, "R d3 f9 P "); /* … but not for one in order */
    apitrace_close(&retraced.opened);
}

/* A call whose effect is permanent ends the mark: there is no way back in this frame any more. */
static void what_cannot_be_put_back_ends_the_mark(void **state)
{
    (void)state;
    retraced_set_mood("marks 8");
    retraced_open_script(THREE_FRAMES);
    retraced_expect_way_to("by-frame/000001/draws/00000008.png", "R d3 f4 m B f8 P ");
    retraced_expect_way_to("by-frame/000001/draws/00000005.png", "R d3 f5 P ");
    apitrace_close(&retraced.opened);
    retraced_set_mood(NULL);
}

static void *read_last_frame(void *context)
{
    size_t size;

    (void)context;
    return walk_read(retraced.opened.tree, "frames/000002.png", &size);
}

/* Drawing a frame's picture is interrupted for a request for a draw, and continued after that. */
static void a_frame_gives_way_to_a_draw(void **state)
{
    pthread_t thread;
    void *picture;

    (void)state;
    retraced_set_mood("yields 11");
    retraced_open_script(THREE_FRAMES);
    assert_int_equal(pthread_create(&thread, NULL, read_last_frame, NULL), 0);
    retraced_wait();
    retraced_expect_way_to("by-frame/000001/draws/00000006.png", "R d3 f6 P ");
    pthread_join(thread, &picture);
    free(picture);
    retraced_expect_way(2, "R d3 f6 P d9 f11 P ");
    apitrace_close(&retraced.opened);
    retraced_set_mood(NULL);
}

/* What an earlier frame drew is lost when the session goes back. */
static void what_earlier_frames_drew_is_not_gone_back_to(void **state)
{
    (void)state;
    retraced_set_mood("marks 0");
    retraced_open_script(WINDOW(20) CLEAR SWAP DRAW SWAP CLEAR DRAW SWAP DRAW SWAP);
    retraced_expect_way_to("by-frame/000002/draws/00000007.png", "R d5 f6 m f7 P ");
    retraced_expect_way(3, "R d5 f6 m f7 P B f8 P f10 P ");
    retraced_expect_way_to("by-frame/000001/draws/00000004.png", "R f4 P ");
    apitrace_close(&retraced.opened);
    retraced_set_mood(NULL);
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
        cmocka_unit_test(draws_that_have_no_room_are_not_read),
        cmocka_unit_test_setup(a_session_goes_back_to_its_frames_beginning, retraced_move_program),
        cmocka_unit_test(what_cannot_be_put_back_ends_the_mark),
        cmocka_unit_test(a_frame_gives_way_to_a_draw),
        cmocka_unit_test(a_frame_without_a_picture_fails_alone),
        cmocka_unit_test(a_failure_behind_a_run_loses_nothing),
        cmocka_unit_test(a_texture_has_the_bytes_that_its_size_comes_to),
        cmocka_unit_test_teardown(what_earlier_frames_drew_is_not_gone_back_to,
                                  retraced_forget_place),
    };

    (void)count;
    retraced_use_fake(arguments[0]);
    return cmocka_run_group_tests(tests, retraced_make_folder, retraced_remove_folder);
}

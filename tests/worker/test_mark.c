/* SPDX-License-Identifier: MIT */
/*
 * A session that goes back to a mark: what draws read and write is compared with a session that has
 * reached the same place only once.
 */
#include "config.h"

#include "tests/worker/retrace_play.h"

#include "tests/formats/apitrace/script.h"
#include "tests/support/support.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 16, HEIGHT = 12, SWAP_CALL = 32 };

#define MINUS "00 00 80 bf "
#define ONE   "00 00 80 3f "
#define ZERO  "00 00 00 00 "

#define ALL  "[" MINUS MINUS ZERO ONE MINUS ZERO MINUS ONE ZERO ONE ONE ZERO "]"
#define LEFT "[" MINUS MINUS ZERO ZERO MINUS ZERO MINUS ONE ZERO ZERO ONE ZERO "]"

#define DRAW "glDrawArrays(mode=5, first=0, count=4)\n"
#define SWAP "glXSwapBuffers(dpy=0x1, drawable=5)\n"

/* One frame, from call 11 on: some of everything that a mark restores. */
static const char before[] =
    "glXMakeCurrent(dpy=0x1, drawable=5, ctx=0xC) = 1\n" /* 0 */
    "glViewport(x=0, y=0, width=16, height=12)\n"
    "glNewList(list=1, mode=4864)\nglColor3f(red=0.5, green=0.25, blue=1.0)\n"
    "glScalef(x=0.5, y=1.0, z=1.0)\n" DRAW "glEndList()\n" /* 6 */
    "glEnableClientState(array=32884)\n"
    "glVertexPointer(size=3, type=5126, stride=0, pointer=" ALL ")\n" /* 8 */
    "glMatrixMode(mode=5888)\n" SWAP                                  /* 10 */
    "glClear(mask=17664)\n";                                          /* 11 */
static const char frame[] =
    "glRotatef(angle=30.0, x=0.0, y=0.0, z=1.0)\n"
    "glPushMatrix()\nglTranslatef(x=0.25, y=0.0, z=0.0)\n"                    /* 14 */
    "glColor3f(red=1.0, green=0.0, blue=0.0)\n" DRAW                          /* 16 */
    "glPushAttrib(mask=1048575)\nglEnable(cap=2929)\nglDepthFunc(func=515)\n" /* 19 */
    "glVertexPointer(size=3, type=5126, stride=0, pointer=" LEFT ")\n" DRAW   /* 21 */
    "glPopMatrix()\nglMatrixMode(mode=5889)\nglScalef(x=0.5, y=0.5, z=1.0)\n" /* 24 */
    "glMatrixMode(mode=5888)\nglCallList(list=1)\n"                           /* 26 */
    "glPopAttrib()\nglTexEnvi(target=8960, pname=8704, params=260)\n"         /* 28 */
    "glEnable(cap=3089)\nglScissor(x=0, y=0, width=9, height=5)\n" DRAW SWAP  /* 31, 32 */
        DRAW "glClear(mask=16384)\n" SWAP;

static const uint64_t draws[] = {16, 21, 26, 31};

static char *folder;

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

static void open_frames(const char *calls, struct played *out)
{
    static const struct apitrace_session_drawable window = {
        .call = 0, .handle = 5, .width = WIDTH, .height = HEIGHT};
    char *path = support_path(folder, "mark.trace"), script[8192];

    snprintf(script, sizeof(script), "%s%s", before, calls);
    apitrace_script(path, script);
    replay_open(path, out);
    replay_reset(&window, 1);
    free(path);
}

/* Everything that can be read back after a draw. */
struct told {
    struct blob *state;
    struct apitrace_picture colours, depths;
};

static void look(struct told *out)
{
    struct apitrace_picture_request request = {
        .kind = APITRACE_PICTURE_COLOUR, .width = WIDTH, .height = HEIGHT};

    assert_int_equal(
        apitrace_session_draw_text(playing.session, APITRACE_DRAW_STATE, NULL, &out->state), 0);
    assert_int_equal(apitrace_session_picture(playing.session, &request, NULL, &out->colours), 0);
    request.kind = APITRACE_PICTURE_DEPTH;
    assert_int_equal(apitrace_session_picture(playing.session, &request, NULL, &out->depths), 0);
}

static void clear(struct told *told)
{
    blob_unref(&told->state);
    blob_unref(&told->colours.owner);
    blob_unref(&told->depths.owner);
}

static void assert_same_pixels(const struct apitrace_picture *a, const struct apitrace_picture *b)
{
    assert_memory_equal(a->pixels, b->pixels, (size_t)WIDTH * HEIGHT * a->pixel_bytes);
}

/* Compares the present result with an earlier one, and frees the earlier one. */
static void expect_same(struct told *was)
{
    struct told is;

    look(&is);
    assert_int_equal(is.state->size, was->state->size);
    assert_memory_equal(is.state->data, was->state->data, is.state->size);
    assert_same_pixels(&is.colours, &was->colours);
    assert_same_pixels(&is.depths, &was->depths);
    clear(&is);
    clear(was);
}

static void set_mark(struct played *played)
{
    struct apitrace_session_place place;

    replay_to(played, 11, 0);
    assert_int_equal(apitrace_session_mark(playing.session, NULL, &place), 0);
    assert_true(place.listed == 11);
}

static void go_back(struct played *played, bool stay)
{
    struct apitrace_session_place place;

    assert_int_equal(apitrace_session_back(playing.session, stay, NULL, &place), 0);
    assert_true(place.listed == 11);
    played->progress.next = place.next;
    played->progress.listed = place.listed;
    played->progress.state = APITRACE_FEED_HUNGRY;
}

static void what_draws_see_is_the_same_from_a_mark(void **state)
{
    enum { DRAWS = sizeof(draws) / sizeof(draws[0]) };
    struct told told[DRAWS];
    struct played played;

    (void)state;
    open_frames(frame, &played);
    for (unsigned n = 0; n < DRAWS; n++) {
        replay_to(&played, draws[n], APITRACE_FEED_AFTER);
        look(&told[n]);
    }
    apitrace_close(&played.opened);
    open_frames(frame, &played);
    set_mark(&played);
    for (unsigned n = DRAWS; n-- > 0;) {
        replay_to(&played, draws[n], APITRACE_FEED_AFTER);
        expect_same(&told[n]);
        go_back(&played, true);
    }
    apitrace_close(&played.opened);
}

/* Once the mark is dropped, here after a swap, the trace goes on as if there had been none. */
static void a_trace_goes_on_behind_its_mark(void **state)
{
    struct played played;
    struct told told;

    (void)state;
    open_frames(frame, &played);
    replay_to(&played, SWAP_CALL + 1, APITRACE_FEED_AFTER);
    look(&told);
    apitrace_close(&played.opened);
    open_frames(frame, &played);
    set_mark(&played);
    replay_to(&played, 26, APITRACE_FEED_AFTER);
    go_back(&played, false);
    replay_to(&played, SWAP_CALL + 1, APITRACE_FEED_AFTER);
    expect_same(&told);
    apitrace_close(&played.opened);
}

/* Feeds up to a call; one call on the way is not run. */
static void expect_crossing(struct played *played, uint64_t stop)
{
    const struct apitrace_session_feed feed = {
        .offset = played->progress.next, .stop = stop, .flags = 0};
    struct apitrace_session_progress progress;

    assert_int_equal(apitrace_session_feed(playing.session, &feed, NULL, &progress), -EXDEV);
}

#define UPLOAD                                                                                     \
    "glTexImage2D(target=3553, level=0, internalformat=6408, width=1, height=1, border=0, "        \
    "format=6408, type=5121, pixels=[01 02 03 04])\n"

static void what_cannot_be_put_back_is_not_run(void **state)
{
    static const char *const calls[] = {
        SWAP,
        "glPopMatrix()\n",
        "glPopAttrib()\n",
        UPLOAD,
        "glTexParameteri(target=3553, pname=10241, param=9728)\n",
        "glEnable(cap=35977)\n", /* GL_RASTERIZER_DISCARD */
        "glMatrixMode(mode=6144)\n",
        "glBindBuffer(target=35345, buffer=1)\n", /* GL_UNIFORM_BUFFER */
        "glNewList(list=2, mode=4864)\nglEndList()\n",
        "glCallList(list=9)\n", /* an undefined list */
        "@1 glColor3f(red=1.0, green=0.0, blue=0.0)\n",
    };
    char script[1024];

    (void)state;
    for (size_t n = 0; n < sizeof(calls) / sizeof(calls[0]); n++) {
        struct played played;

        snprintf(script, sizeof(script), "%s%s%s", DRAW, calls[n], DRAW SWAP);
        open_frames(script, &played);
        set_mark(&played);
        replay_to(&played, 12, APITRACE_FEED_AFTER);
        expect_crossing(&played, 16);
        go_back(&played, false);
        replay_to(&played, 13, APITRACE_FEED_AFTER);
        apitrace_close(&played.opened);
    }
}

static void there_is_no_mark_where_one_stands_or_none_can(void **state)
{
    struct apitrace_session_place place;
    struct played played;

    (void)state;
    open_frames(frame, &played);
    assert_int_equal(apitrace_session_back(playing.session, true, NULL, &place), -ENOENT);
    assert_int_equal(apitrace_session_mark(playing.session, NULL, &place), -ENOENT);
    replay_to(&played, 4, 0); /* while a list is compiled */
    assert_int_equal(apitrace_session_mark(playing.session, NULL, &place), -ENOENT);
    set_mark(&played);
    assert_int_equal(apitrace_session_mark(playing.session, NULL, &place), -ENOENT);
    apitrace_close(&played.opened);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_draws_see_is_the_same_from_a_mark, replay_begin,
                                        replay_end),
        cmocka_unit_test_setup_teardown(a_trace_goes_on_behind_its_mark, replay_begin, replay_end),
        cmocka_unit_test_setup_teardown(what_cannot_be_put_back_is_not_run, replay_begin,
                                        replay_end),
        cmocka_unit_test_setup_teardown(there_is_no_mark_where_one_stands_or_none_can, replay_begin,
                                        replay_end),
    };

    if (getenv("GPUDUMPFS_TEST") != NULL)
        cmocka_set_test_filter(getenv("GPUDUMPFS_TEST"));
    return cmocka_run_group_tests_name("worker_mark", tests, make_folder, remove_folder);
}

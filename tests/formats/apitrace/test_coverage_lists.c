/* SPDX-License-Identifier: MIT */
/*
 * Coverage of what glBegin() begins, and of display lists: drawing it once more must leave
 * everything unchanged.
 */
#include "config.h"

#include "tests/formats/apitrace/seen.h"
#include "tests/support/support.h"
#include "tests/support/walk.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A quad between two columns, between glBegin() and glEnd(): six calls */
#define CORNER(x, y) "glVertex2f(x=" #x ", y=" #y ")\n"
#define CORNERS(left, right)                                                                       \
    CORNER(left, -1.0) CORNER(right, -1.0) CORNER(right, 1.0) CORNER(left, 1.0)
#define BEGUN(left, right) "glBegin(mode=7)\n" CORNERS(left, right) "glEnd()\n"
#define COLOUR(level, alpha)                                                                       \
    "glColor4f(red=" #level ", green=" #level ", blue=" #level ", alpha=" #alpha ")\n"

/* The left quad has the colour that is current before it, which the alpha test rejects. */
static const char begun[] = CURRENT CLEAR(0.0, 0.0, 1.0) /* 2, 3 */
    COLOUR(1.0, 0.25) "glEnable(cap=3008)\nglAlphaFunc(func=516, ref=0.5)\n"
                      "glBegin(mode=7)\n" CORNERS(-1.0, 0.0) COLOUR(1.0, 1.0) CORNERS(0.0, 1.0)
                          CORNERS(0.0, 1.0) COLOUR(0.5, 0.75) "glEnd()\n" /* 7 to 22 */
    SWAP;

static void what_glbegin_begins_is_counted(void **state)
{
    struct seen seen;

    (void)state;
    seen_open(begun, &seen);
    seen_expect_halves(&seen, "draws/00000022/overdraw.png", "000000 " TWICE);
    seen_expect_edge(&seen, "by-frame/000000/draws/00000022/wireframe.png", true);
    seen_expect_halves(&seen, "draws/00000022.png", "0000FF FFFFFF");
    seen_expect_halves(&seen, "overdraw.png", ONCE " 0096AA");
    seen_close(&seen);
}

/* Another thread's swap ends the frame before glEnd(). */
static void what_began_in_another_frame_is_counted(void **state)
{
    static const char script[] = CURRENT CLEAR(0.0, 0.0, 1.0) /* 2, 3 */
        COLOUR(1.0, 1.0) "glBegin(mode=7)\n" CORNERS(
            0.0, 1.0) "@1 glXSwapBuffers(dpy=0x1, drawable=6)\nglEnd()\n" /* 10, 11 */
        SWAP;
    static const uint8_t magenta[] = {255, 0, 255};
    unsigned width, height;
    struct seen seen;
    uint8_t *pixels;

    (void)state;
    seen_open(script, &seen);
    pixels = apitrace_pixels(&seen.opened, "by-frame/000001/draws/00000011/touched.png", &width,
                             &height);
    assert_memory_not_equal(pixels, magenta, sizeof(magenta));
    assert_memory_equal(pixels + (size_t)4 * (width - 1), magenta, sizeof(magenta));
    free(pixels);
    seen_close(&seen);
}

/*
 * Names of lists differ here from the trace, so calls that use them are made immediately, and so
 * are the calls before them.
 */
static void what_cannot_be_kept_is_drawn_nevertheless(void **state)
{
    struct seen seen;

    (void)state;
    seen_open(
        CURRENT CLEAR(0.0, 0.0,
                      1.0) "glGenLists(range=2) = 7\nglNewList(list=8, "
                           "mode=4864)\nglColor3f(red=0.0, green=1.0, "
                           "blue=0.0)\nglEndList()\n" /* 4 to 7 */
                           "glBegin(mode=7)\nglCallLists(n=1, type=5121, lists=[08])\n" CORNERS(
                               0.0, 1.0) "glEnd()\n" /* 8 to 14 */
        SWAP,
        &seen);
    free(seen_text(&seen, 14, "/touched.png"));
    seen_expect_halves(&seen, "draws/00000014.png", "0000FF 00FF00");
    seen_close(&seen);
}

/* What lists push and set is restored even if they are drawn three times. */
static const char listed[] = CURRENT CLEAR(0.0, 0.0, 1.0) /* 2, 3 */
    "glGenLists(range=2) = 1\nglNewList(list=1, mode=4864)\nglPushMatrix()\n"
    "glTranslatef(x=1.0, y=0.0, z=0.0)\n" BEGUN(-1.0, 0.0)                              /* to 13 */
    "glPopMatrix()\nglColor3f(red=0.0, green=1.0, blue=0.0)\nglEndList()\n"             /* 16 */
    "glNewList(list=2, mode=4864)\n" BEGUN(-1.0, 0.0)                                   /* to 23 */
    "glTranslatef(x=1.0, y=0.0, z=0.0)\nglCallList(list=1)\nglEndList()\n"              /* 26 */
    "glCallList(list=1)\nglListBase(base=1)\nglCallLists(n=1, type=5121, lists=[01])\n" /* 29 */
    "glNewList(list=1, mode=4864)\n" BEGUN(-1.0, 0.0)                                   /* to 36 */
    "glEnable(cap=3042)\nglEndList()\nglCallList(list=1)\n"                             /* 39 */
    "glCallList(list=2)\n"                                                              /* 40 */
    SWAP;

/*
 * What a list is compiled from is drawn when the list is called: glEnd at 13, 23 and 36 is no draw.
 */
static void what_lists_are_compiled_of_draws_nothing(void **state)
{
    static const unsigned compiled[] = {13, 23, 36};
    struct seen seen;
    char *draws, path[64];
    uint64_t inode;
    size_t size;

    (void)state;
    seen_open(listed, &seen);
    for (size_t n = 0; n < COUNT_OF(compiled); n++) {
        snprintf(path, sizeof(path), "by-frame/000000/draws/%08u", compiled[n]);
        assert_int_equal(tree_find(seen.opened.tree, path, true, &inode), -ENOENT);
        snprintf(path, sizeof(path), "by-frame/000000/draws/%08u.png", compiled[n]);
        assert_int_equal(tree_find(seen.opened.tree, path, true, &inode), -ENOENT);
    }
    draws = walk_read(seen.opened.tree, "by-frame/000000/draws.tsv", &size);
    assert_null(strstr(draws, "glEnd"));
    assert_non_null(strstr(draws, "glCallList\t"));
    free(draws);
    seen_close(&seen);
}

static void plain_lists_are_counted(void **state)
{
    struct seen seen;

    (void)state;
    seen_open(listed, &seen);
    seen_expect_halves(&seen, "draws/00000027/overdraw.png", "000000 " ONCE);
    seen_expect_edge(&seen, "by-frame/000000/draws/00000027/wireframe.png", true);
    seen_expect_halves(&seen, "draws/00000029/overdraw.png", ONCE " 000000");
    seen_expect_halves(&seen, "draws/00000029.png", "00FF00 FFFFFF");
    seen_close(&seen);
}

/* For a list that blends, and one that has called it, coverage is found from what changed. */
static void other_lists_are_not_drawn_twice(void **state)
{
    static const unsigned draws[] = {39, 40};
    struct seen seen;

    (void)state;
    seen_open(listed, &seen);
    for (size_t n = 0; n < 2; n++) {
        char path[96];
        uint64_t inode;

        snprintf(path, sizeof(path), "by-frame/000000/draws/%08u/overdraw.png", draws[n]);
        assert_int_equal(tree_find(seen.opened.tree, path, true, &inode), -ENOENT);
        free(seen_text(&seen, draws[n], "/touched.png"));
    }
    seen_close(&seen);
}

#define PUSH "glPushMatrix()\n"
#define POP  "glPopMatrix()\n"

/* Such lists might exceed the stack where they are drawn again. */
static void lists_that_push_deep_are_not_drawn_twice(void **state)
{
    static const char script[] = CURRENT CLEAR(0.0, 0.0, 1.0) /* 2, 3 */
        "glGenLists(range=2) = 1\nglNewList(list=1, mode=4864)\n" PUSH PUSH PUSH PUSH BEGUN(
            -1.0, 0.0) POP POP POP POP
        "glEndList()\n"                                                                  /* to 20 */
        "glNewList(list=2, mode=4864)\n" PUSH "glCallList(list=1)\n" POP "glEndList()\n" /* 25 */
        "glNewList(list=3, mode=4864)\n" PUSH PUSH PUSH PUSH PUSH BEGUN(-1.0, 0.0)
            POP POP POP POP POP
        "glEndList()\n"                                                /* to 43 */
        "glCallList(list=1)\nglCallList(list=2)\nglCallList(list=3)\n" /* 44 to 46 */
        SWAP;
    struct seen seen;
    uint64_t inode;

    (void)state;
    seen_open(script, &seen);
    seen_expect_halves(&seen, "draws/00000044/overdraw.png", ONCE " 000000");
    for (unsigned draw = 45; draw <= 46; draw++) {
        char path[96];

        snprintf(path, sizeof(path), "by-frame/000000/draws/%08u/overdraw.png", draw);
        assert_int_equal(tree_find(seen.opened.tree, path, true, &inode), -ENOENT);
    }
    seen_close(&seen);
}

/* A material without values: zeros are stored, not the values of the next call. */
static void empty_arrays_are_kept_as_such(void **state)
{
    struct seen seen;

    (void)state;
    seen_open(CURRENT CLEAR(0.0, 0.0, 1.0) /* 2, 3 */
              "glEnable(cap=2896)\nglBegin(mode=7)\n"
              "glMaterialfv(face=1032, pname=5632, params={})\n"
              "glMaterialfv(face=1032, pname=4609, params={1.0, 1.0, 1.0, 1.0})\n" CORNERS(
                  -1.0, 1.0) "glEnd()\n" /* 12 */
              SWAP,
              &seen);
    seen_expect_halves(&seen, "draws/00000012/overdraw.png", ONCE " " ONCE);
    seen_expect_halves(&seen, "draws/00000012.png", "0A0A0A 0A0A0A");
    seen_close(&seen);
}

/* Returns the state after a script's draw. The draws in `draws`, if any, are looked at before. */
static char *state_behind(const char *script, const unsigned *draws, unsigned count, unsigned last)
{
    struct seen seen;
    char *text;

    seen_open(script, &seen);
    for (unsigned n = 0; n < count; n++)
        free(seen_text(&seen, draws[n], "/touched.png"));
    text = seen_text(&seen, last, "/state.txt");
    seen_close(&seen);
    return text;
}

static void repeating_leaves_the_same_state(void **state)
{
    static const struct {
        const char *script;
        unsigned draws[2], count, last;
    } rows[] = {{begun, {22}, 1, 22}, {listed, {27, 29}, 2, 40}};

    (void)state;
    for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
        char *without = state_behind(rows[n].script, NULL, 0, rows[n].last);
        char *with = state_behind(rows[n].script, rows[n].draws, rows[n].count, rows[n].last);

        assert_string_equal(with, without);
        free(without);
        free(with);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_glbegin_begins_is_counted),
        cmocka_unit_test(what_began_in_another_frame_is_counted),
        cmocka_unit_test(what_cannot_be_kept_is_drawn_nevertheless),
        cmocka_unit_test(what_lists_are_compiled_of_draws_nothing),
        cmocka_unit_test(plain_lists_are_counted),
        cmocka_unit_test(other_lists_are_not_drawn_twice),
        cmocka_unit_test(lists_that_push_deep_are_not_drawn_twice),
        cmocka_unit_test(empty_arrays_are_kept_as_such),
        cmocka_unit_test(repeating_leaves_the_same_state),
    };

    if (getenv("GPUDUMPFS_TEST") != NULL)
        cmocka_set_test_filter(getenv("GPUDUMPFS_TEST"));
    return cmocka_run_group_tests_name("apitrace_coverage_lists", tests, NULL, NULL);
}

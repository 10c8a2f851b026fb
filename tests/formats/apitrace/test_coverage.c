/* SPDX-License-Identifier: MIT */
/*
 * Pixels that draws touched, how often, and the edges of primitives; and that looking at them does
 * not change what is drawn.
 */
#include "config.h"

#include "formats/apitrace/views/draws.h"
#include "tests/formats/apitrace/seen.h"
#include "tests/support/support.h"
#include "tree/inode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char covering[] = CURRENT CLEAR(0.0, 0.0, 1.0) POINTED /* 2 to 5 */
    QUADS(0, 8)                                                     /* 6: the left half twice */
    "glEnable(cap=2929)\nglClear(mask=256)\n" QUADS(4, 4)           /* 9 */
    QUADS(0, 4)                                                     /* 10: is behind these */
    "glDepthFunc(func=515)\n" QUADS(4, 4)                           /* 12: changes nothing */
    "glEnable(cap=2960)\nglStencilFunc(func=512, ref=0, mask=255)\n" QUADS(4, 4) /* 15: never */
    "glDisable(cap=2960)\nglEnable(cap=3042)\nglBlendFunc(sfactor=0, dfactor=1)\n" QUADS(4,
                                                                                         4) /* 19 */
    SWAP;

static void pixels_that_draws_write_are_told(void **state)
{
    struct seen seen;

    (void)state;
    seen_open(covering, &seen);
    seen_expect_halves(&seen, "draws/00000006/touched.png", MAGENTA " " MAGENTA);
    seen_expect_halves(&seen, "draws/00000006/overdraw.png", TWICE " " ONCE);
    seen_expect_halves(&seen, "draws/00000010/touched.png", "7F7F7F 7F7F7F");
    seen_expect_halves(&seen, "draws/00000010/overdraw.png", "000000 000000");
    seen_expect_halves(&seen, "draws/00000012/touched.png", MAGENTA " " MAGENTA);
    seen_expect_halves(&seen, "draws/00000015/touched.png", "7F7F7F 7F7F7F");
    seen_expect_halves(&seen, "draws/00000019/touched.png", MAGENTA " " MAGENTA);
    seen_expect_halves(&seen, "draws/00000003/touched.png", MAGENTA " " MAGENTA); /* a clear */
    seen_close(&seen);
}

static void edges_of_primitives_are_told(void **state)
{
    struct seen seen;

    (void)state;
    seen_open(covering, &seen);
    seen_expect_edge(&seen, "by-frame/000000/draws/00000006/wireframe.png", true);
    seen_expect_edge(&seen, "by-frame/000000/draws/00000010/wireframe.png", true); /* hidden */
    seen_expect_edge(&seen, "by-frame/000000/draws/00000012/wireframe.png", false);
    seen_expect_edge(&seen, "by-frame/000000/wireframe.png", true);
    seen_close(&seen);
}

/*
 * Coverage of glBegin() to glEnd() is found from what changed; the frame adds up all of its draws.
 */
static void frames_tell_what_all_draws_write(void **state)
{
    struct seen seen;

    (void)state;
    seen_open(CURRENT CLEAR(0.0, 0.0, 1.0) POINTED QUADS(
                  4, 4) "glColor3f(red=1.0, green=0.0, blue=0.0)\nglBegin(mode=7)\n"
                        "glVertex2f(x=0.0, y=-1.0)\nglVertex2f(x=1.0, y=-1.0)\n"
                        "glVertex2f(x=1.0, y=1.0)\nglVertex2f(x=0.0, y=1.0)\nglEnd()\n" /* 13 */
              SWAP,
              &seen);
    seen_expect_halves(&seen, "draws/00000013/touched.png", "7F7F7F " MAGENTA);
    seen_expect_halves(&seen, "overdraw.png", TWICE " 0096AA");
    seen_close(&seen);
}

/* A cancel that is never raised, and counts how often it is polled */
static unsigned polls;

static bool count_poll(const struct cancel *cancel)
{
    (void)cancel;
    polls++;
    return false;
}

/* Makes what a draw of frame 0 touched. Returns how often the cancel was polled for that. */
static unsigned polls_of(const struct seen *seen, unsigned draw)
{
    const struct cancel cancel = {.look = count_poll};
    struct tree *tree = seen->opened.tree;
    struct blob *blob = NULL;
    char path[80];
    uint64_t inode;

    snprintf(path, sizeof(path), "by-frame/000000/draws/%08u/touched.png", draw);
    assert_int_equal(tree_find(tree, path, true, &inode), 0);
    for (unsigned n = 0; n < 2; n++) { /* at the second time, nothing is drawn */
        polls = 0;
        assert_int_equal(
            apitrace_draw_touched_make(tree_dump(tree), inode_key(inode), &cancel, &blob), 0);
        blob_unref(&blob);
    }
    return polls;
}

/* The search for the glBegin() of a glEnd() is long if other threads make many calls meanwhile. */
static void a_long_search_for_glbegin_is_cancelled(void **state)
{
    enum { OTHERS = 20000 };
    struct text script = TEXT_INIT;
    struct seen seen;
    unsigned few;

    (void)state;
    text_add(&script, CURRENT "glBegin(mode=7)\nglEnd()\nglBegin(mode=7)\n"); /* 3 is glEnd() */
    for (unsigned n = 0; n < OTHERS; n++)
        text_add(&script, "@1 glFlush()\n");
    text_add(&script, "glEnd()\n" SWAP);
    text_add_char(&script, '\0');
    seen_open(script.bytes, &seen);
    few = polls_of(&seen, 3);
    assert_in_range(polls_of(&seen, 5 + OTHERS), few + OTHERS / 4096, few + OTHERS);
    seen_close(&seen);
    text_clear(&script);
}

/* A query counts the first draw into a buffer, from which the second takes a colour. */
static const char counted[] = CURRENT CLEAR(0.0, 0.0, 1.0) POINTED /* 2 to 5 */
    "glGenBuffers(n=1, buffers={1})\nglBindBuffer(target=37266, buffer=1)\n"
    "glBufferData(target=37266, size=16, data=null, usage=35040)\nglGenQueries(n=1, ids={1})\n"
    "glBeginQuery(target=35092, id=1)\n" QUADS(0, 8) /* 11 */
    "glEndQuery(target=35092)\nglGetQueryObjectuiv(id=1, pname=34918, params=0x0)\n"
    "glBindBuffer(target=34962, buffer=1)\nglColorPointer(size=4, type=5121, stride=0, "
    "pointer=0x0)\nglEnableClientState(array=32886)\n" QUADS(4, 1) /* 17 */
    SWAP;

static void queries_count_a_draw_once(void **state)
{
    struct seen seen;
    char *without, *with;

    (void)state;
    seen_open(counted, &seen);
    without = seen_text(&seen, 17, "/buffers/attributes.tsv");
    seen_close(&seen);
    seen_open(counted, &seen);
    seen_expect_halves(&seen, "draws/00000011/overdraw.png", TWICE " " ONCE);
    seen_expect_edge(&seen, "by-frame/000000/draws/00000011/wireframe.png", true);
    with = seen_text(&seen, 17, "/buffers/attributes.tsv");
    assert_string_equal(with, without);
    seen_expect_halves(&seen, "overdraw.png", TWICE " " TWICE); /* what changed, and the clear */
    free(without);
    free(with);
    seen_close(&seen);
}

/*
 * As many of the first fragments as the window has pixels are red. Lines of shaders end with \r,
 * since \n ends those of scripts.
 */
static const char stored[] = CURRENT CLEAR(0.0, 0.0, 1.0) POINTED /* 2 to 5 */
    "glGenBuffers(n=1, buffers={1})\nglBindBufferBase(target=37568, index=0, buffer=1)\n"
    "glBufferData(target=37568, size=4, data=[00 00 00 00], usage=35040)\n" /* 8 */
    SHADER(1, 35633, "void main() { gl_Position = gl_Vertex; }")            /* 11 */
    SHADER(2, 35632,
           "#version 420 compatibility\rlayout(binding = 0) uniform atomic_uint n;\r"
           "void main() { gl_FragColor = atomicCounterIncrement(n) < 192u ? vec4(1, 0, 0, 1) : "
           "vec4(0, 1, 0, 1); }") /* 14 */
    "glCreateProgram() = 3\nglAttachShader(program=3, shader=1)\nglAttachShader(program=3, "
    "shader=2)\nglLinkProgram(program=3)\nglUseProgram(program=3)\n"  /* 19 */
    "glEnable(cap=3089)\nglScissor(x=0, y=0, width=8, height=12)\n"   /* 21 */
    QUADS(4, 4) "glDisable(cap=3089)\n" QUADS(4, 4) QUADS(4, 4) SWAP; /* 22, 24, 25 */

/* A program whose fragments depend on their window position, and that draws only the lower half. */
static void fragments_are_where_the_window_has_them(void **state)
{
    struct seen seen;

    (void)state;
    seen_open(CURRENT CLEAR(0.0, 0.0, 1.0) POINTED VERTEX(1) SHADER(
                  2, 35632,
                  "void main() { if (gl_FragCoord.y > 6.0) discard; gl_FragColor = vec4(1.0); "
                  "}") "glCreateProgram() = 3\nglAttachShader(program=3, shader=1)\n"
                       "glAttachShader(program=3, shader=2)\nglLinkProgram(program=3)\n"
                       "glUseProgram(program=3)\n" QUADS(4, 4) QUADS(4, 4) SWAP, /* 17, 18 */
              &seen);
    seen_expect_halves(&seen, "draws/00000018/touched.png", "00007F 00007F");
    seen_expect_halves(&seen, "draws/00000018/overdraw.png", "000000 000000");
    seen_expect_middle(&seen, 18, "/touched.png", MAGENTA);
    seen_close(&seen);
}

/* The complete window, with another depth at each pixel */
#define SLANTED                                                                                    \
    "glEnableClientState(array=32884)\nglVertexPointer(size=3, type=5126, stride=0, "              \
    "pointer=[" MINUS MINUS "66 66 66 bf " ONE MINUS "9a 99 99 3e " ONE ONE                        \
    "33 33 33 3f " MINUS ONE "cd cc 4c be])\n"

static void equal_depths_are_equal_to_the_bit(void **state)
{
    static const uint8_t magenta[3] = {255, 0, 255};
    struct seen seen;
    unsigned width, height;
    uint8_t *pixels;

    (void)state;
    seen_open(CURRENT "glEnable(cap=2929)\nglClear(mask=16640)\n" SLANTED QUADS(
                  0, 4) "glDepthFunc(func=514)\n" QUADS(0, 4) SWAP, /* 6, 8 */
              &seen);
    pixels = apitrace_pixels(&seen.opened, "by-frame/000000/draws/00000008/touched.png", &width,
                             &height);
    for (size_t n = 0; n < (size_t)width * height; n++)
        assert_memory_equal(pixels + 4 * n, magenta, sizeof(magenta));
    free(pixels);
    seen_close(&seen);
}

static void shaders_store_for_a_draw_once(void **state)
{
    struct seen seen;

    (void)state;
    seen_open(stored, &seen);
    seen_expect_halves(&seen, "draws/00000022/touched.png", MAGENTA " 00007F");
    seen_expect_halves(&seen, "draws/00000022/overdraw.png", ONCE " 000000");
    seen_expect_halves(&seen, "draws/00000022.png", "FF0000 0000FF");
    seen_expect_halves(&seen, "draws/00000025/overdraw.png", ONCE " " ONCE);
    seen_expect_halves(&seen, "draws/00000025.png", "00FF00 00FF00");
    seen_close(&seen);
}

static void covering_changes_nothing(void **state)
{
    struct seen seen;
    char *before, *after;
    uint8_t *shown, *again;
    unsigned width, height;

    (void)state;
    seen_open(covering, &seen);
    before = seen_text(&seen, 19, "/state.txt");
    shown = apitrace_pixels(&seen.opened, "frames/000000.png", &width, &height);
    seen_close(&seen);
    seen_open(covering, &seen);
    free(seen_text(&seen, 6, "/touched.png"));
    free(seen_text(&seen, 12, "/touched.png"));
    free(seen_text(&seen, 15, "/touched.png"));
    after = seen_text(&seen, 19, "/state.txt");
    assert_string_equal(after, before);
    free(seen_text(&seen, 19, "/touched.png"));
    again = apitrace_pixels(&seen.opened, "frames/000000.png", &width, &height);
    assert_memory_equal(again, shown, (size_t)4 * width * height);
    free(before);
    free(after);
    free(shown);
    free(again);
    seen_close(&seen);
}

/* On a texture without depth, whose draws enable the depth test nevertheless */
static void framebuffers_of_the_program_are_told_of(void **state)
{
    struct seen seen;
    unsigned width, height;

    (void)state;
    seen_open(CURRENT POINTED
              "glBindTexture(target=3553, texture=4)\n"
              "glTexImage2D(target=3553, level=0, internalformat=32856, width=8, height=8, "
              "border=0, format=6408, type=5121, pixels=null)\n"
              "glGenFramebuffers(n=1, framebuffers={2})\nglBindFramebuffer(target=36160, "
              "framebuffer=2)\nglFramebufferTexture2D(target=36160, attachment=36064, "
              "textarget=3553, texture=4, level=0)\nglViewport(x=0, y=0, width=8, height=8)\n"
              "glEnable(cap=2929)\nglDepthFunc(func=512)\n" QUADS(0, 4) /* 12 */
              SWAP,
              &seen);
    free(apitrace_pixels(&seen.opened, "by-frame/000000/draws/00000012/colour-0.png", &width,
                         &height));
    assert_int_equal(width, 8);
    seen_expect_halves(&seen, "draws/00000012/touched.png", MAGENTA " 000000");
    seen_close(&seen);
}

/* A window of OpenGL ES with a program that draws nothing in the right half: calls 0 to 18 */
#define EMBEDDED                                                                                   \
    "eglBindAPI(api=12448) = 1\n"                                                                  \
    "eglCreateContext(dpy=0x1, config=0xF, share_context=null, attrib_list={12440, 3, 12344}) "    \
    "= 0xC\n"                                                                                      \
    "eglCreateWindowSurface(dpy=0x1, config=0xF, win=0x2, attrib_list={}) = 0x5\n"                 \
    "eglMakeCurrent(dpy=0x1, draw=0x5, read=0x5, ctx=0xC) = 1\n"                                   \
    "glViewport(x=0, y=0, width=16, height=12)\n" SHADER(                                          \
        1, 35633, "attribute vec4 v; void main() { gl_Position = v; }")                            \
        SHADER(2, 35632,                                                                           \
               "void main() { if "                                                                 \
               "(gl_FragCoord.x > 8.0) "                                                           \
               "discard; gl_FragColor = "                                                          \
               "vec4(0.0); }") "glCreatePro"                                                       \
                               "gram() = "                                                         \
                               "3\nglAttach"                                                       \
                               "Shader("                                                           \
                               "program=3, "                                                       \
                               "shader=1)\n"                                                       \
                               "glAttachSha"                                                       \
                               "der("                                                              \
                               "program=3, "                                                       \
                               "shader=2)\n"                                                       \
                               "glBindAttri"                                                       \
                               "bLocation("                                                        \
                               "program=3, "                                                       \
                               "index=0, "                                                         \
                               "name=\"v\")"                                                       \
                               "\nglLinkPro"                                                       \
                               "gram("                                                             \
                               "program=3)"                                                        \
                               "\n"                                                                \
                               "glUseProgra"                                                       \
                               "m(program="                                                        \
                               "3)"                                                                \
                               "\nglEnableV"                                                       \
                               "ertexAttrib"                                                       \
                               "Array("                                                            \
                               "index=0)\n"                                                        \
                               "glVertexAtt"                                                       \
                               "ribPointer("                                                       \
                               "index=0, "                                                         \
                               "size=3, "                                                          \
                               "type=5126, "                                                       \
                               "normalized="                                                       \
                               "0, "                                                               \
                               "stride=0, "                                                        \
                               "pointer="                                                          \
                               "[" ALL "])\n"
#define EMBEDDED_SWAP "eglSwapBuffers(dpy=0x1, surface=0x5) = 1\n"

/* Checks that the diagonal of the window is an edge in the left half. */
static void expect_diagonal(const struct seen *seen, const char *path)
{
    unsigned width, height, diagonal = 0;
    uint8_t *shown = apitrace_pixels(&seen->opened, path, &width, &height);

    for (unsigned x = 0; x < 8; x++)
        diagonal += shown[4 * ((size_t)9 * width + x)] == 255;
    assert_in_range(diagonal, 1, 4);
    free(shown);
}

/* OpenGL ES has no polygon mode: edges are drawn as lines. */
static void draws_of_opengl_es_are_counted(void **state)
{
    struct seen seen;

    (void)state;
    seen_open(EMBEDDED "glDrawArrays(mode=6, first=0, count=4)\n" /* 19 */ EMBEDDED_SWAP, &seen);
    seen_expect_halves(&seen, "draws/00000019/overdraw.png", ONCE " 000000");
    expect_diagonal(&seen, "by-frame/000000/draws/00000019/wireframe.png");
    seen_close(&seen);
}

/* The diagonal is the line that closes the loop of the first three corners. */
static void loops_of_opengl_es_are_closed(void **state)
{
    static const char mesh[] = "l 1 2\nl 2 3\nl 3 1\nl 5 6\nl 6 7\nl 7 5\n";
    struct seen seen;
    char *text;

    (void)state;
    seen_open(EMBEDDED "glDrawArrays(mode=2, first=0, count=3)\n" /* 19 */
                       "glEnable(cap=36201)\n"
                       "glDrawElements(mode=2, count=7, type=5121, "
                       "indices=[00 01 02 ff 03 03 03])\n" /* 21: two loops */
              EMBEDDED_SWAP,
              &seen);
    expect_diagonal(&seen, "by-frame/000000/draws/00000019/wireframe.png");
    expect_diagonal(&seen, "by-frame/000000/draws/00000021/wireframe.png");
    text = seen_text(&seen, 21, "/buffers/mesh.obj");
    assert_non_null(strstr(text, mesh));
    free(text);
    seen_close(&seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pixels_that_draws_write_are_told),
        cmocka_unit_test(edges_of_primitives_are_told),
        cmocka_unit_test(frames_tell_what_all_draws_write),
        cmocka_unit_test(a_long_search_for_glbegin_is_cancelled),
        cmocka_unit_test(queries_count_a_draw_once),
        cmocka_unit_test(fragments_are_where_the_window_has_them),
        cmocka_unit_test(equal_depths_are_equal_to_the_bit),
        cmocka_unit_test(shaders_store_for_a_draw_once),
        cmocka_unit_test(covering_changes_nothing),
        cmocka_unit_test(framebuffers_of_the_program_are_told_of),
        cmocka_unit_test(draws_of_opengl_es_are_counted),
        cmocka_unit_test(loops_of_opengl_es_are_closed),
    };

    if (getenv("GPUDUMPFS_TEST") != NULL)
        cmocka_set_test_filter(getenv("GPUDUMPFS_TEST"));
    return cmocka_run_group_tests_name("apitrace_coverage", tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/*
 * What draws saw and left, of states of OpenGL that come between a draw and who looks: other
 * surfaces to read from, rendering by condition, samples, switches of several viewports.
 */
#include "config.h"

#include "tests/formats/apitrace/pictures.h"
#include "tests/formats/apitrace/script.h"
#include "tests/support/support.h"
#include "tests/support/walk.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WINDOW(command) "glXMake" command " = 1\nglViewport(x=0, y=0, width=16, height=12)\n"
#define CURRENT         WINDOW("Current(dpy=0x1, drawable=5, ctx=0xC)")
#define SWAP            "glXSwapBuffers(dpy=0x1, drawable=5)\n"
#define CLEAR(r, g, b)                                                                             \
    "glClearColor(red=" #r ", green=" #g ", blue=" #b ", alpha=1.0)\nglClear(mask=16384)\n"

/* With which a window has four samples a pixel. */
#define SAMPLES                                                                                    \
    "glXGetFBConfigAttrib(dpy=0x1, config=0xF, attribute=100001, value={4}) = 0\n"                 \
    "glXCreateNewContext(dpy=0x1, config=0xF, renderType=1, shareList=null, direct=1) = 0xC\n"

/* A mount of a script. */
struct seen {
    char *folder;
    struct apitrace_opened opened;
};

static void open_script(const char *script, struct seen *out)
{
    char *path;

    apitrace_need_graphics();
    out->folder = support_folder();
    path = support_path(out->folder, "seen.trace");
    apitrace_script(path, script);
    apitrace_open(path, &out->opened);
    free(path);
}

static void close_script(struct seen *seen)
{
    apitrace_close(&seen->opened);
    support_remove(&seen->folder);
}

/* A file about a draw of frame 0. */
static char *read_text(const struct seen *seen, unsigned draw, const char *name)
{
    char path[96];
    size_t size;

    snprintf(path, sizeof(path), "by-frame/000000/draws/%08u%s", draw, name);
    return walk_read(seen->opened.tree, path, &size);
}

/* The pixel in the middle of a picture about a draw of frame 0, as RRGGBB. */
static void expect_middle(const struct seen *seen, unsigned draw, const char *name,
                          const char *wanted)
{
    unsigned width, height;
    char path[96], found[8];
    uint8_t *pixels, *at;

    snprintf(path, sizeof(path), "by-frame/000000/draws/%08u%s", draw, name);
    pixels = apitrace_pixels(&seen->opened, path, &width, &height);
    at = pixels + 4 * ((size_t)(height / 2) * width + width / 2);
    snprintf(found, sizeof(found), "%02X%02X%02X", at[0], at[1], at[2]);
    assert_string_equal(found, wanted);
    free(pixels);
}

static void attachments_are_of_what_is_drawn_on(void **state)
{
    struct seen seen;

    (void)state;
    open_script(WINDOW("Current(dpy=0x1, drawable=6, ctx=0xC)") CLEAR(1.0, 0.0, 0.0)
                    WINDOW("ContextCurrent(dpy=0x1, draw=5, read=6, ctx=0xC)")
                        CLEAR(0.0, 1.0, 0.0) /* 7 */
                SWAP,
                &seen);
    expect_middle(&seen, 7, ".png", "00FF00");
    expect_middle(&seen, 7, "/colour-0.png", "00FF00");
    close_script(&seen);
}

/* A query that counted no sample. */
#define NEVER                                                                                      \
    "glGenQueries(n=1, ids={1})\nglBeginQuery(target=35092, id=1)\nglEndQuery(target=35092)\n"     \
    "glBeginConditionalRender(id=1, mode=36371)\n"

static void conditions_keep_nobody_from_looking(void **state)
{
    struct seen seen;
    char *history;
    size_t size;

    (void)state;
    open_script(SAMPLES CURRENT CLEAR(0.0, 1.0, 0.0) NEVER /* the query's: 6 to 9 */
                    CLEAR(1.0, 0.0, 0.0)                   /* 11, which is not carried out */
                "glEndConditionalRender()\n" CLEAR(0.0, 0.0, 1.0) SWAP,
                &seen);
    expect_middle(&seen, 11, ".png", "00FF00");
    expect_middle(&seen, 11, "/colour-0.png", "00FF00");
    expect_middle(&seen, 14, "/colour-0.png", "0000FF");
    history = walk_read(seen.opened.tree, "by-frame/000000/pixel/8,6.tsv", &size);
    assert_null(strstr(history, "FF0000"));
    assert_non_null(strstr(history, "14\tglClear\twritten\t00FF00\t0000FF"));
    free(history);
    close_script(&seen);
}

/* Looking in between, the condition holds for what comes afterwards. */
static void conditions_hold_behind_who_looks(void **state)
{
    struct seen seen;

    (void)state;
    open_script(SAMPLES CURRENT CLEAR(0.0, 1.0, 0.0) NEVER CLEAR(1.0, 0.0, 0.0)
                    CLEAR(0.0, 0.0, 1.0) /* 13 */
                "glEndConditionalRender()\n" SWAP,
                &seen);
    expect_middle(&seen, 11, "/colour-0.png", "00FF00");
    expect_middle(&seen, 13, "/colour-0.png", "00FF00");
    close_script(&seen);
}

static void windows_of_opengl_es_with_samples_have_histories(void **state)
{
    struct seen seen;
    char *history;
    size_t size;

    (void)state;
    open_script(
        "eglChooseConfig(dpy=0x1, attrib_list={12337, 4, 12344}, configs={0xE, 0xF}, "
        "config_size=2, num_config={2}) = 1\n"
        "eglBindAPI(api=12448) = 1\n"
        "eglCreateContext(dpy=0x1, config=0xF, share_context=null, "
        "attrib_list={12440, 3, 12344}) = 0xC\n"
        "eglCreateWindowSurface(dpy=0x1, config=0xF, win=0x2, attrib_list={}) = 0x5\n"
        "eglMakeCurrent(dpy=0x1, draw=0x5, read=0x5, ctx=0xC) = 1\n"
        "glViewport(x=0, y=0, width=16, height=12)\n" CLEAR(0.0, 1.0, 0.0)                  /* 7 */
        "glEnable(cap=3089)\nglScissor(x=8, y=0, width=4, height=4)\n" CLEAR(1.0, 0.0, 0.0) /* 11 */
        "eglSwapBuffers(dpy=0x1, surface=0x5) = 1\n",
        &seen);
    history = walk_read(seen.opened.tree, "by-frame/000000/pixel/9,10.tsv", &size);
    assert_non_null(strstr(history, "7\tglClear\twritten\t000000\t00FF00"));
    assert_non_null(strstr(history, "11\tglClear\twritten\t00FF00\tFF0000"));
    free(history);
    history = walk_read(seen.opened.tree, "by-frame/000000/pixel/2,2.tsv", &size);
    assert_null(strstr(history, "FF0000"));
    free(history);
    close_script(&seen);
}

/* Each viewport has a switch of its own for its scissor's box. */
static void scissors_of_viewports_stay(void **state)
{
    struct seen seen;
    char *text;

    (void)state;
    open_script(SAMPLES CURRENT "glEnablei(target=3089, index=1)\n" CLEAR(0.0, 1.0, 0.0)
                    CLEAR(0.0, 0.0, 1.0) /* 6, 8 */
                "glDisablei(target=3089, index=1)\nglEnablei(target=3089, index=0)\n" CLEAR(
                    1.0, 0.0, 0.0) CLEAR(0.0, 0.0, 1.0) /* 12, 14 */
                SWAP,
                &seen);
    free(read_text(&seen, 6, "/colour-0.png"));
    text = read_text(&seen, 8, "/state.txt");
    assert_non_null(strstr(text, "[1].GL_SCISSOR_TEST = GL_TRUE"));
    free(text);
    free(read_text(&seen, 12, "/colour-0.png"));
    text = read_text(&seen, 14, "/state.txt");
    assert_non_null(strstr(text, "[1].GL_SCISSOR_TEST = GL_FALSE"));
    free(text);
    close_script(&seen);
}

#define SHADER(n, kind, text)                                                                      \
    "glCreateShader(type=" #kind ") = " #n "\nglShaderSource(shader=" #n                           \
    ", count=1, string={\"" text "\"}, length=null)\nglCompileShader(shader=" #n ")\n"
#define VERTEX(n)   SHADER(n, 35633, "void main() { gl_Position = gl_Vertex; }")
#define FRAGMENT(n) SHADER(n, 35632, "void main() { gl_FragColor = vec4(1.0); }")
#define PROGRAM                                                                                    \
    VERTEX(1)                                                                                      \
    FRAGMENT(2)                                                                                    \
    "glCreateProgram() = 3\nglAttachShader(program=3, shader=1)\nglAttachShader(program=3, "       \
    "shader=2)\nglLinkProgram(program=3)\n"
#define DETACH                                                                                     \
    "glDetachShader(program=3, shader=1)\nglDeleteShader(shader=1)\n"                              \
    "glDetachShader(program=3, shader=2)\nglDeleteShader(shader=2)\n"

static void sources_of_detached_shaders_are_shown(void **state)
{
    struct seen seen;
    char *text;

    (void)state;
    open_script(CURRENT PROGRAM DETACH "glUseProgram(program=3)\n"
                                       "glDrawArrays(mode=4, first=0, count=3)\n" /* 17 */
                SWAP,
                &seen);
    text = read_text(&seen, 17, "/program/00001-vert.glsl");
    assert_string_equal(text, "void main() { gl_Position = gl_Vertex; }");
    free(text);
    text = read_text(&seen, 17, "/program/00002-frag.glsl");
    assert_string_equal(text, "void main() { gl_FragColor = vec4(1.0); }");
    free(text);
    close_script(&seen);
}

/* What is set after the link is none of the program's. */
static void sources_are_those_that_were_linked(void **state)
{
    struct seen seen;
    char *text;

    (void)state;
    open_script(CURRENT PROGRAM "glUseProgram(program=3)\n"
                                "glShaderSource(shader=1, count=1, string={\"another\"}, "
                                "length=null)\nglDrawArrays(mode=4, first=0, count=3)\n" /* 14 */
                SWAP,
                &seen);
    text = read_text(&seen, 14, "/program/00001-vert.glsl");
    assert_string_equal(text, "void main() { gl_Position = gl_Vertex; }");
    free(text);
    close_script(&seen);
}

static void sources_of_programs_made_at_once_are_shown(void **state)
{
    struct seen seen;
    char *text;

    (void)state;
    open_script(CURRENT "glCreateShaderProgramv(type=35632, count=2, strings={\"void main() \", "
                        "\"{ gl_FragColor = vec4(1.0); }\"}) = 7\n"
                        "glGenProgramPipelines(n=1, pipelines={9})\n"
                        "glUseProgramStages(pipeline=9, stages=2, program=7)\n"
                        "glBindProgramPipeline(pipeline=9)\n"
                        "glDrawArrays(mode=4, first=0, count=3)\n" /* 6 */
                SWAP,
                &seen);
    text = read_text(&seen, 6, "/program/00007-frag.glsl");
    assert_string_equal(text, "void main() { gl_FragColor = vec4(1.0); }");
    free(text);
    close_script(&seen);
}

/* Coverage. */

#define MINUS "00 00 80 bf "
#define ONE   "00 00 80 3f "
#define ZERO  "00 00 00 00 "
#define HALF  "00 00 00 3f "

/* Corners of the whole window, and of its left half, farther away. */
#define ALL  MINUS MINUS ZERO ONE MINUS ZERO ONE ONE ZERO MINUS ONE ZERO
#define LEFT MINUS MINUS HALF ZERO MINUS HALF ZERO ONE HALF MINUS ONE HALF
#define POINTED                                                                                    \
    "glEnableClientState(array=32884)\nglVertexPointer(size=3, type=5126, stride=0, "              \
    "pointer=[" LEFT ALL "])\n"
#define QUADS(first, count) "glDrawArrays(mode=7, first=" #first ", count=" #count ")\n"

static const char covering[] = CURRENT CLEAR(0.0, 0.0, 1.0) POINTED /* 2 to 5 */
    QUADS(0, 8)                                                     /* 6: the left half twice */
    "glEnable(cap=2929)\nglClear(mask=256)\n" QUADS(4, 4)           /* 9 */
    QUADS(0, 4)                                                     /* 10: is behind that */
    "glDepthFunc(func=515)\n" QUADS(4, 4)                           /* 12: changes nothing */
    "glEnable(cap=2960)\nglStencilFunc(func=512, ref=0, mask=255)\n" QUADS(4, 4) /* 15: never */
    "glDisable(cap=2960)\nglEnable(cap=3042)\nglBlendFunc(sfactor=0, dfactor=1)\n" QUADS(4,
                                                                                         4) /* 19 */
    SWAP;

/* The colours of two pixels, in the left half and in the right one, as "RRGGBB RRGGBB". */
static void expect_halves(const struct seen *seen, const char *name, const char *wanted)
{
    unsigned width, height;
    char path[96], found[16];
    const uint8_t *left, *right;
    uint8_t *pixels;

    snprintf(path, sizeof(path), "by-frame/000000/%s", name);
    pixels = apitrace_pixels(&seen->opened, path, &width, &height);
    left = pixels + 4 * ((size_t)5 * width + width / 4);
    right = left + (size_t)4 * (width / 2);
    snprintf(found, sizeof(found), "%02X%02X%02X %02X%02X%02X", left[0], left[1], left[2], right[0],
             right[1], right[2]);
    assert_string_equal(found, wanted);
    free(pixels);
}

#define MAGENTA "FF00FF"
#define ONCE    "1E2896"
#define TWICE   "1464C8"

static void pixels_that_draws_write_are_told(void **state)
{
    struct seen seen;

    (void)state;
    open_script(covering, &seen);
    expect_halves(&seen, "draws/00000006/touched.png", MAGENTA " " MAGENTA);
    expect_halves(&seen, "draws/00000006/overdraw.png", TWICE " " ONCE);
    expect_halves(&seen, "draws/00000010/touched.png", "7F7F7F 7F7F7F");
    expect_halves(&seen, "draws/00000010/overdraw.png", "000000 000000");
    expect_halves(&seen, "draws/00000012/touched.png", MAGENTA " " MAGENTA);
    expect_halves(&seen, "draws/00000015/touched.png", "7F7F7F 7F7F7F");
    expect_halves(&seen, "draws/00000019/touched.png", MAGENTA " " MAGENTA);
    expect_halves(&seen, "draws/00000003/touched.png", MAGENTA " " MAGENTA); /* a clear */
    close_script(&seen);
}

/* Whether one of the pixels where the left half ends is yellow; one in the right half is not. */
static void expect_edge(const struct seen *seen, const char *path, bool wanted)
{
    static const uint8_t yellow[3] = {255, 255, 0};
    unsigned width, height, found = 0;
    uint8_t *pixels = apitrace_pixels(&seen->opened, path, &width, &height);
    const uint8_t *line = pixels + (size_t)4 * 5 * width;

    for (unsigned x = width / 2 - 1; x <= width / 2; x++)
        found += memcmp(line + (size_t)4 * x, yellow, 3) == 0;
    assert_int_equal(found > 0, wanted);
    assert_memory_not_equal(line + (size_t)4 * (width - 3), yellow, 3);
    free(pixels);
}

static void edges_of_primitives_are_told(void **state)
{
    struct seen seen;

    (void)state;
    open_script(covering, &seen);
    expect_edge(&seen, "by-frame/000000/draws/00000006/wireframe.png", true);
    expect_edge(&seen, "by-frame/000000/draws/00000010/wireframe.png", true); /* hidden */
    expect_edge(&seen, "by-frame/000000/draws/00000012/wireframe.png", false);
    expect_edge(&seen, "by-frame/000000/wireframe.png", true);
    close_script(&seen);
}

/* What glBegin() and glEnd() draw is told by what it changes; of a frame all comes together. */
static void frames_tell_what_all_draws_write(void **state)
{
    struct seen seen;

    (void)state;
    open_script(CURRENT CLEAR(0.0, 0.0, 1.0) POINTED QUADS(
                    4, 4) "glColor3f(red=1.0, green=0.0, blue=0.0)\nglBegin(mode=7)\n"
                          "glVertex2f(x=0.0, y=-1.0)\nglVertex2f(x=1.0, y=-1.0)\n"
                          "glVertex2f(x=1.0, y=1.0)\nglVertex2f(x=0.0, y=1.0)\nglEnd()\n" /* 13 */
                SWAP,
                &seen);
    expect_halves(&seen, "draws/00000013/touched.png", "7F7F7F " MAGENTA);
    expect_halves(&seen, "overdraw.png", TWICE " 0096AA");
    close_script(&seen);
}

/* A quad between two columns, between glBegin() and glEnd(): six calls. */
#define CORNER(x, y) "glVertex2f(x=" #x ", y=" #y ")\n"
#define CORNERS(left, right)                                                                       \
    CORNER(left, -1.0) CORNER(right, -1.0) CORNER(right, 1.0) CORNER(left, 1.0)
#define BEGUN(left, right) "glBegin(mode=7)\n" CORNERS(left, right) "glEnd()\n"
#define COLOUR(level, alpha)                                                                       \
    "glColor4f(red=" #level ", green=" #level ", blue=" #level ", alpha=" #alpha ")\n"

/* The left quad has the colour that is current before, which alpha tests keep out. */
static const char begun[] = CURRENT CLEAR(0.0, 0.0, 1.0) /* 2, 3 */
    COLOUR(1.0, 0.25) "glEnable(cap=3008)\nglAlphaFunc(func=516, ref=0.5)\n"
                      "glBegin(mode=7)\n" CORNERS(-1.0, 0.0) COLOUR(1.0, 1.0) CORNERS(0.0, 1.0)
                          CORNERS(0.0, 1.0) COLOUR(0.5, 0.75) "glEnd()\n" /* 7 to 22 */
    SWAP;

static void what_glbegin_begins_is_counted(void **state)
{
    struct seen seen;

    (void)state;
    open_script(begun, &seen);
    expect_halves(&seen, "draws/00000022/overdraw.png", "000000 " TWICE);
    expect_edge(&seen, "by-frame/000000/draws/00000022/wireframe.png", true);
    expect_halves(&seen, "draws/00000022.png", "0000FF FFFFFF");
    expect_halves(&seen, "overdraw.png", ONCE " 0096AA");
    close_script(&seen);
}

/* Names of lists are others here: such calls are made at once, and what comes before them. */
static void what_cannot_be_kept_is_drawn_nevertheless(void **state)
{
    struct seen seen;

    (void)state;
    open_script(
        CURRENT CLEAR(0.0, 0.0,
                      1.0) "glGenLists(range=2) = 7\nglNewList(list=8, "
                           "mode=4864)\nglColor3f(red=0.0, green=1.0, "
                           "blue=0.0)\nglEndList()\n" /* 4 to 7 */
                           "glBegin(mode=7)\nglCallLists(n=1, type=5121, lists=[08])\n" CORNERS(
                               0.0, 1.0) "glEnd()\n" /* 8 to 14 */
        SWAP,
        &seen);
    free(read_text(&seen, 14, "/touched.png"));
    expect_halves(&seen, "draws/00000014.png", "0000FF 00FF00");
    close_script(&seen);
}

/* What lists push and set is there again, be it drawn three times. */
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

/* What a list is compiled of draws when it is called: glEnd at 13, 23 and 36 is no draw. */
static void what_lists_are_compiled_of_draws_nothing(void **state)
{
    static const unsigned compiled[] = {13, 23, 36};
    struct seen seen;
    char *draws, path[64];
    uint64_t inode;
    size_t size;

    (void)state;
    open_script(listed, &seen);
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
    close_script(&seen);
}

static void plain_lists_are_counted(void **state)
{
    struct seen seen;

    (void)state;
    open_script(listed, &seen);
    expect_halves(&seen, "draws/00000027/overdraw.png", "000000 " ONCE);
    expect_edge(&seen, "by-frame/000000/draws/00000027/wireframe.png", true);
    expect_halves(&seen, "draws/00000029/overdraw.png", ONCE " 000000");
    expect_halves(&seen, "draws/00000029.png", "00FF00 FFFFFF");
    close_script(&seen);
}

/* A list that blends, and one that has called it, are told by what they change. */
static void other_lists_are_not_drawn_twice(void **state)
{
    static const unsigned draws[] = {39, 40};
    struct seen seen;

    (void)state;
    open_script(listed, &seen);
    for (size_t n = 0; n < 2; n++) {
        char path[96];
        uint64_t inode;

        snprintf(path, sizeof(path), "by-frame/000000/draws/%08u/overdraw.png", draws[n]);
        assert_int_equal(tree_find(seen.opened.tree, path, true, &inode), -ENOENT);
        free(read_text(&seen, draws[n], "/touched.png"));
    }
    close_script(&seen);
}

#define PUSH "glPushMatrix()\n"
#define POP  "glPopMatrix()\n"

/* They may push more than there is room for where they are drawn again. */
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
    open_script(script, &seen);
    expect_halves(&seen, "draws/00000044/overdraw.png", ONCE " 000000");
    for (unsigned draw = 45; draw <= 46; draw++) {
        char path[96];

        snprintf(path, sizeof(path), "by-frame/000000/draws/%08u/overdraw.png", draw);
        assert_int_equal(tree_find(seen.opened.tree, path, true, &inode), -ENOENT);
    }
    close_script(&seen);
}

/* A material of no values: zeros follow it, not what the next call hands over. */
static void empty_arrays_are_kept_as_such(void **state)
{
    struct seen seen;

    (void)state;
    open_script(CURRENT CLEAR(0.0, 0.0, 1.0) /* 2, 3 */
                "glEnable(cap=2896)\nglBegin(mode=7)\n"
                "glMaterialfv(face=1032, pname=5632, params={})\n"
                "glMaterialfv(face=1032, pname=4609, params={1.0, 1.0, 1.0, 1.0})\n" CORNERS(
                    -1.0, 1.0) "glEnd()\n" /* 12 */
                SWAP,
                &seen);
    expect_halves(&seen, "draws/00000012/overdraw.png", ONCE " " ONCE);
    expect_halves(&seen, "draws/00000012.png", "0A0A0A 0A0A0A");
    close_script(&seen);
}

/* The state behind a script's draw, having looked at some before or not. */
static char *state_behind(const char *script, const unsigned *draws, unsigned count, unsigned last)
{
    struct seen seen;
    char *text;

    open_script(script, &seen);
    for (unsigned n = 0; n < count; n++)
        free(read_text(&seen, draws[n], "/touched.png"));
    text = read_text(&seen, last, "/state.txt");
    close_script(&seen);
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

/* A query counts the first draw into a buffer, of which the second one takes a colour. */
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
    open_script(counted, &seen);
    without = read_text(&seen, 17, "/buffers/attributes.tsv");
    close_script(&seen);
    open_script(counted, &seen);
    expect_halves(&seen, "draws/00000011/overdraw.png", TWICE " " ONCE);
    expect_edge(&seen, "by-frame/000000/draws/00000011/wireframe.png", true);
    with = read_text(&seen, 17, "/buffers/attributes.tsv");
    assert_string_equal(with, without);
    expect_halves(&seen, "overdraw.png", TWICE " " TWICE); /* what changed, and the clear */
    free(without);
    free(with);
    close_script(&seen);
}

/* As many of the first fragments as the window has pixels are red. (\r, as lines end scripts'.) */
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

static void shaders_store_for_a_draw_once(void **state)
{
    struct seen seen;

    (void)state;
    open_script(stored, &seen);
    expect_halves(&seen, "draws/00000022/touched.png", MAGENTA " 00007F");
    expect_halves(&seen, "draws/00000022/overdraw.png", ONCE " 000000");
    expect_halves(&seen, "draws/00000022.png", "FF0000 0000FF");
    expect_halves(&seen, "draws/00000025/overdraw.png", ONCE " " ONCE);
    expect_halves(&seen, "draws/00000025.png", "00FF00 00FF00");
    close_script(&seen);
}

static void covering_changes_nothing(void **state)
{
    struct seen seen;
    char *before, *after;
    uint8_t *shown, *again;
    unsigned width, height;

    (void)state;
    open_script(covering, &seen);
    before = read_text(&seen, 19, "/state.txt");
    shown = apitrace_pixels(&seen.opened, "frames/000000.png", &width, &height);
    close_script(&seen);
    open_script(covering, &seen);
    free(read_text(&seen, 6, "/touched.png"));
    free(read_text(&seen, 12, "/touched.png"));
    free(read_text(&seen, 15, "/touched.png"));
    after = read_text(&seen, 19, "/state.txt");
    assert_string_equal(after, before);
    free(read_text(&seen, 19, "/touched.png"));
    again = apitrace_pixels(&seen.opened, "frames/000000.png", &width, &height);
    assert_memory_equal(again, shown, (size_t)4 * width * height);
    free(before);
    free(after);
    free(shown);
    free(again);
    close_script(&seen);
}

/* On a texture without depths, whose draws test them nevertheless. */
static void framebuffers_of_the_program_are_told_of(void **state)
{
    struct seen seen;
    unsigned width, height;

    (void)state;
    open_script(CURRENT POINTED
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
    expect_halves(&seen, "draws/00000012/touched.png", MAGENTA " 000000");
    close_script(&seen);
}

/* OpenGL ES has no mode for edges: they are drawn as lines. */
static void draws_of_opengl_es_are_counted(void **state)
{
    struct seen seen;
    unsigned width, height, diagonal = 0;
    uint8_t *shown;

    (void)state;
    open_script("eglBindAPI(api=12448) = 1\n"
                "eglCreateContext(dpy=0x1, config=0xF, share_context=null, attrib_list={12440, 3, "
                "12344}) "
                "= 0xC\n"
                "eglCreateWindowSurface(dpy=0x1, config=0xF, win=0x2, attrib_list={}) = 0x5\n"
                "eglMakeCurrent(dpy=0x1, draw=0x5, read=0x5, ctx=0xC) = 1\n"
                "glViewport(x=0, y=0, width=16, height=12)\n" SHADER(
                    1, 35633, "attribute vec4 v; void main() { gl_Position = v; }")
                    SHADER(2, 35632,
                           "void main() { if (gl_FragCoord.x > 8.0) discard; gl_FragColor = "
                           "vec4(0.0); }") "glCreateProgram() = 3\nglAttachShader(program=3, "
                                           "shader=1)\nglAttachShader(program=3, "
                                           "shader=2)\nglBindAttribLocation(program=3, index=0, "
                                           "name=\"v\")\n"
                                           "glLinkProgram(program=3)\nglUseProgram(program=3)"
                                           "\nglEnableVertexAttribArray(index=0)\n"
                                           "glVertexAttribPointer(index=0, size=3, type=5126, "
                                           "normalized=0, stride=0, pointer=[" ALL
                                           "])\nglDrawArrays(mode=6, first=0, count=4)\n" /* 19 */
                                           "eglSwapBuffers(dpy=0x1, surface=0x5) = 1\n",
                &seen);
    expect_halves(&seen, "draws/00000019/overdraw.png", ONCE " 000000");
    shown = apitrace_pixels(&seen.opened, "by-frame/000000/draws/00000019/wireframe.png", &width,
                            &height);
    for (unsigned x = 0; x < 8; x++)
        diagonal += shown[4 * ((size_t)9 * width + x)] == 255;
    assert_in_range(diagonal, 1, 4);
    free(shown);
    close_script(&seen);
}

/* Positions. */

/* The last column of the row of a draw's first vertex. */
static void expect_position(const struct seen *seen, unsigned draw, const char *wanted)
{
    char *text = read_text(seen, draw, "/buffers/attributes.tsv"), *row, *end, line[64];

    *strchr(text, '\n') = '\0';
    assert_string_equal(strrchr(text, '\t') + 1, "gl_Position");
    row = text + strlen(text) + 1;
    end = strchr(row, '\n');
    *end = '\0';
    assert_string_equal(strrchr(row, '\t') + 1, wanted);
    free(text);
    text = read_text(seen, draw, "/buffers/transformed.obj");
    row = strchr(text, '\n') + 1;
    *strchr(row, '\n') = '\0';
    snprintf(line, sizeof(line), "v %s", wanted);
    for (char *comma = strchr(line, ','); comma != NULL; comma = strchr(comma, ','))
        *comma = ' ';
    assert_string_equal(row, line);
    free(text);
}

static void fixed_functions_tell_positions(void **state)
{
    struct seen seen;
    char *text;

    (void)state;
    open_script(CURRENT CLEAR(0.0, 0.0, 0.0) POINTED
                "glMatrixMode(mode=5889)\nglScalef(x=2.0, y=1.0, z=1.0)\n"
                "glMatrixMode(mode=5888)\nglTranslatef(x=0.0, y=3.0, z=0.0)\n" QUADS(4, 4) /* 10 */
                SWAP,
                &seen);
    expect_position(&seen, 10, "-2,2,0,1");
    text = read_text(&seen, 10, "/buffers/transformed.obj");
    assert_non_null(strstr(text, "\nf 1 2 3 4\n"));
    free(text);
    close_script(&seen);
}

#define MOVING                                                                                     \
    SHADER(1, 35633,                                                                               \
           "uniform vec2 move[2]; attribute vec3 v; "                                              \
           "void main() { gl_Position = vec4(v.xy + move[1], move[0]); }")                         \
    FRAGMENT(2)                                                                                    \
    "glCreateProgram() = 3\nglAttachShader(program=3, shader=1)\nglAttachShader(program=3, "       \
    "shader=2)\nglBindAttribLocation(program=3, index=5, name=\"v\")\nglLinkProgram(program=3)\n"  \
    "glDetachShader(program=3, shader=1)\nglUseProgram(program=3)\n"                               \
    "glGetUniformLocation(program=3, name=\"move[0]\") = 0\n"                                      \
    "glUniform2fv(location=0, count=2, value={7.0, 2.0, 0.5, 0.25})\n"                             \
    "glEnableVertexAttribArray(index=5)\nglVertexAttribPointer(index=5, size=3, type=5126, "       \
    "normalized=0, stride=0, pointer=[" ALL "])\n"

/* Elements of uniforms and attributes are where the program has them, and stay there. */
static void programs_tell_positions(void **state)
{
    static const char script[] =
        CURRENT MOVING "glDrawElements(mode=4, count=3, type=5121, indices=[03 01 02])\n" /* 19 */
                       "glDrawArrays(mode=6, first=0, count=4)\n"                         /* 20 */
        SWAP;
    struct seen seen;
    char *before, *after;
    uint8_t *shown, *again;
    unsigned width, height;

    (void)state;
    open_script(script, &seen);
    before = read_text(&seen, 20, "/state.txt");
    shown = apitrace_pixels(&seen.opened, "frames/000000.png", &width, &height);
    close_script(&seen);
    open_script(script, &seen);
    expect_position(&seen, 19, "-0.5,1.25,7,2");
    after = read_text(&seen, 20, "/state.txt");
    assert_string_equal(after, before);
    again = apitrace_pixels(&seen.opened, "frames/000000.png", &width, &height);
    assert_memory_equal(again, shown, (size_t)4 * width * height);
    expect_position(&seen, 20, "-0.5,-0.75,7,2");
    free(before);
    free(after);
    free(shown);
    free(again);
    close_script(&seen);
}

/* A query that counts would count it twice. */
static void positions_that_cannot_be_had_are_said_so(void **state)
{
    struct seen seen;
    char *text;

    (void)state;
    open_script(CURRENT POINTED "glBeginQuery(target=35975, id=1)\n" QUADS(4, 4) /* 5 */
                "glEndQuery(target=35975)\n" SWAP,
                &seen);
    text = read_text(&seen, 5, "/buffers/transformed.obj");
    assert_string_equal(text, "# no mesh: the trace would see that it is drawn once more\n");
    free(text);
    text = read_text(&seen, 5, "/buffers/attributes.tsv");
    assert_non_null(strstr(text, "-1,-1,0\t-\n"));
    free(text);
    close_script(&seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attachments_are_of_what_is_drawn_on),
        cmocka_unit_test(conditions_keep_nobody_from_looking),
        cmocka_unit_test(conditions_hold_behind_who_looks),
        cmocka_unit_test(windows_of_opengl_es_with_samples_have_histories),
        cmocka_unit_test(scissors_of_viewports_stay),
        cmocka_unit_test(sources_of_detached_shaders_are_shown),
        cmocka_unit_test(sources_are_those_that_were_linked),
        cmocka_unit_test(sources_of_programs_made_at_once_are_shown),
        cmocka_unit_test(pixels_that_draws_write_are_told),
        cmocka_unit_test(edges_of_primitives_are_told),
        cmocka_unit_test(frames_tell_what_all_draws_write),
        cmocka_unit_test(what_glbegin_begins_is_counted),
        cmocka_unit_test(what_cannot_be_kept_is_drawn_nevertheless),
        cmocka_unit_test(what_lists_are_compiled_of_draws_nothing),
        cmocka_unit_test(plain_lists_are_counted),
        cmocka_unit_test(other_lists_are_not_drawn_twice),
        cmocka_unit_test(lists_that_push_deep_are_not_drawn_twice),
        cmocka_unit_test(empty_arrays_are_kept_as_such),
        cmocka_unit_test(repeating_leaves_the_same_state),
        cmocka_unit_test(queries_count_a_draw_once),
        cmocka_unit_test(shaders_store_for_a_draw_once),
        cmocka_unit_test(covering_changes_nothing),
        cmocka_unit_test(framebuffers_of_the_program_are_told_of),
        cmocka_unit_test(draws_of_opengl_es_are_counted),
        cmocka_unit_test(fixed_functions_tell_positions),
        cmocka_unit_test(programs_tell_positions),
        cmocka_unit_test(positions_that_cannot_be_had_are_said_so),
    };

    if (getenv("GPUDUMPFS_TEST") != NULL)
        cmocka_set_test_filter(getenv("GPUDUMPFS_TEST"));
    return cmocka_run_group_tests_name("apitrace_seen", tests, NULL, NULL);
}

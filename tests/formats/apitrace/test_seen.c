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
    };

    if (getenv("GPUDUMPFS_TEST") != NULL)
        cmocka_set_test_filter(getenv("GPUDUMPFS_TEST"));
    return cmocka_run_group_tests_name("apitrace_seen", tests, NULL, NULL);
}

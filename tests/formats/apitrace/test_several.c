/* SPDX-License-Identifier: MIT */
/* Vertices and primitives of calls that make several draws, each of which is a block */
#include "config.h"

#include "tests/formats/apitrace/seen.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

static void expect_text(const struct seen *seen, unsigned draw, const char *name,
                        const char *wanted)
{
    char *text = seen_text(seen, draw, name);

    assert_string_equal(text, wanted);
    free(text);
}

/* Corners of the left half, and of the complete window: 4 to 7 */
static void arrays_are_blocks(void **state)
{
    struct seen seen;

    (void)state;
    seen_open(CURRENT POINTED
              "glMatrixMode(mode=5889)\nglScalef(x=2.0, y=1.0, z=0.0)\n"
              "glMultiDrawArrays(mode=5, first={5, 0, 1}, count={3, 0, 3}, drawcount=3)\n" /* 6 */
              SWAP,
              &seen);
    expect_text(&seen, 6, "/buffers/attributes.tsv",
                "vertex\tindex\tGL_VERTEX_ARRAY\tgl_Position\tinstance\tblock\tmode\n"
                "0\t5\t1,-1,0\t2,-1,0,1\t0\t0\tGL_TRIANGLE_STRIP\n"
                "1\t6\t1,1,0\t2,1,0,1\t0\t0\tGL_TRIANGLE_STRIP\n"
                "2\t7\t-1,1,0\t-2,1,0,1\t0\t0\tGL_TRIANGLE_STRIP\n"
                "3\t1\t0,-1,0.5\t0,-1,0,1\t0\t2\tGL_TRIANGLE_STRIP\n"
                "4\t2\t0,1,0.5\t0,1,0,1\t0\t2\tGL_TRIANGLE_STRIP\n"
                "5\t3\t-1,1,0.5\t-2,1,0,1\t0\t2\tGL_TRIANGLE_STRIP\n");
    expect_text(&seen, 6, "/buffers/mesh.obj",
                "# positions as fetched from GL_VERTEX_ARRAY\n"
                "v 1 -1 0\nv 1 1 0\nv -1 1 0\nv 0 -1 0.5\nv 0 1 0.5\nv -1 1 0.5\n"
                "f 1 2 3\nf 4 5 6\n");
    expect_text(&seen, 6, "/buffers/transformed.obj",
                "# gl_Position as the vertex stage leaves it: clip coordinates\n"
                "o draw-0\nv 2 -1 0 1\nv 2 1 0 1\nv -2 1 0 1\nf 1 2 3\n"
                "o draw-2\nv 0 -1 0 1\nv 0 1 0 1\nv -2 1 0 1\nf 4 5 6\n");
    expect_text(&seen, 6, "/buffers/primitives.tsv",
                "primitive\tcorner\tgl_Position\tinstance\tblock\n"
                "0\t0\t2,-1,0,1\t0\t0\n0\t1\t2,1,0,1\t0\t0\n0\t2\t-2,1,0,1\t0\t0\n"
                "1\t0\t0,-1,0,1\t0\t2\n1\t1\t0,1,0,1\t0\t2\n1\t2\t-2,1,0,1\t0\t2\n");
    seen_close(&seen);
}

/* With numbers that are added to the indices, which may also end primitives. */
static void elements_are_blocks(void **state)
{
    struct seen seen;
    char *text;

    (void)state;
    seen_open(CURRENT POINTED
              "glEnable(cap=36765)\nglPrimitiveRestartIndex(index=9)\n"
              "glMultiDrawElementsBaseVertex(mode=3, count={2, 4}, type=5121, "
              "indices={[00 01], [00 01 09 02]}, drawcount=2, basevertex={4, 5})\n" /* 6 */
              SWAP,
              &seen);
    expect_text(&seen, 6, "/buffers/attributes.tsv",
                "vertex\tindex\tGL_VERTEX_ARRAY\tgl_Position\tinstance\tblock\tmode\n"
                "0\t4\t-1,-1,0\t-1,-1,0,1\t0\t0\tGL_LINE_STRIP\n"
                "1\t5\t1,-1,0\t1,-1,0,1\t0\t0\tGL_LINE_STRIP\n"
                "2\t5\t1,-1,0\t1,-1,0,1\t0\t1\tGL_LINE_STRIP\n"
                "3\t6\t1,1,0\t1,1,0,1\t0\t1\tGL_LINE_STRIP\n"
                "4\t-\t-\t-\t0\t1\tGL_LINE_STRIP\n"
                "5\t7\t-1,1,0\t-1,1,0,1\t0\t1\tGL_LINE_STRIP\n");
    text = seen_text(&seen, 6, "/buffers/mesh.obj");
    assert_non_null(strstr(text, "\nl 1 2\nl 3 4\n"));
    free(text);
    /* One primitive fewer than the vertices would make: it is unknown which block it belongs to. */
    expect_text(&seen, 6, "/buffers/primitives.tsv",
                "primitive\tcorner\tgl_Position\tinstance\tblock\n"
                "0\t0\t-1,-1,0,1\t-\t-\n0\t1\t1,-1,0,1\t-\t-\n"
                "1\t0\t1,-1,0,1\t-\t-\n1\t1\t1,1,0,1\t-\t-\n");
    seen_close(&seen);
}

/* Empty draws do not affect the others; a stride has at most 32 bits. */
static void empty_draws_are_blocks(void **state)
{
    struct seen seen;
    char *text;

    (void)state;
    seen_open(CURRENT POINTED
              "glMultiDrawElements(mode=0, count={1, 0, 1}, type=5121, "
              "indices={[04], null, [06]}, drawcount=3)\n" /* 4 */
              "glMultiDrawArraysIndirect(mode=0, indirect=[01 00 00 00 01 00 00 00 05 00 00 00 "
              "00 00 00 00], drawcount=65536, stride=4294967296)\n" /* 5 */
              SWAP,
              &seen);
    expect_text(&seen, 4, "/buffers/mesh.obj",
                "# positions as fetched from GL_VERTEX_ARRAY\nv -1 -1 0\nv 1 1 0\np 1\np 2\n");
    text = seen_text(&seen, 5, "/buffers/transformed.obj");
    assert_memory_equal(text, "# no mesh: ", 11);
    free(text);
    seen_close(&seen);
}

/* gl_Position is (place, number of the draw, by); `by` advances by instance. */
#define NUMBERED(profile)                                                                          \
    SHADER(1, 35633,                                                                               \
           "#version 430 " profile "\r#extension GL_ARB_shader_draw_parameters : require\r"        \
           "layout(location = 0) in vec2 place; layout(location = 1) in float by; void main() { "  \
           "gl_Position = vec4(place, gl_DrawIDARB, by); }")                                       \
    SHADER(2, 35632, "#version 430\rout vec4 colour; void main() { colour = vec4(1.0); }")         \
    "glCreateProgram() = 3\nglAttachShader(program=3, shader=1)\n"                                 \
    "glAttachShader(program=3, shader=2)\nglLinkProgram(program=3)\nglUseProgram(program=3)\n"     \
    "glBindBuffer(target=34962, buffer=1)\n"                                                       \
    "glBufferData(target=34962, size=24, data=[" ZERO HALF ONE MINUS HALF HALF "], usage=35044)\n" \
    "glVertexAttribPointer(index=0, size=2, type=5126, normalized=0, stride=8, pointer=0)\n"       \
    "glVertexAttribPointer(index=1, size=1, type=5126, normalized=0, stride=4, pointer=0)\n"       \
    "glVertexAttribDivisor(index=1, divisor=1)\n"                                                  \
    "glEnableVertexAttribArray(index=0)\nglEnableVertexAttribArray(index=1)\n" /* to 19 */

/* That many bytes apart: two instances, from the second on; none; one, of one vertex */
#define INDIRECT                                                                                   \
    "glBindBuffer(target=36671, buffer=2)\n"                                                       \
    "glBufferData(target=36671, size=72, data=["                                                   \
    "02 00 00 00 02 00 00 00 01 00 00 00 00 00 00 00 01 00 00 00 ff ff ff ff "                     \
    "02 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00 00 00 00 00 ff ff ff ff "                     \
    "01 00 00 00 01 00 00 00 00 00 00 00 ff ff ff ff 00 00 00 00 ff ff ff ff], usage=35044)\n"     \
    "glBindBuffer(target=34963, buffer=3)\n"                                                       \
    "glBufferData(target=34963, size=3, data=[01 02 00], usage=35044)\n" /* to 23 */

static void draws_of_buffers_have_numbers(void **state)
{
    struct seen seen;

    (void)state;
    seen_open(CURRENT NUMBERED("compatibility") INDIRECT
              "glMultiDrawElementsIndirect(mode=1, type=5121, "
              "indirect=0, drawcount=3, stride=24)\n" SWAP, /* 24 */
              &seen);
    expect_text(&seen, 24, "/buffers/attributes.tsv",
                "vertex\tindex\tplace\tby\tgl_Position\tinstance\tblock\tmode\n"
                "0\t2\t0.5,0.5\t0.5\t0.5,0.5,0,0.5\t0\t0\tGL_LINES\n"
                "1\t0\t0,0.5\t0.5\t0,0.5,0,0.5\t0\t0\tGL_LINES\n"
                "0\t2\t0.5,0.5\t1\t0.5,0.5,0,1\t1\t0\tGL_LINES\n"
                "1\t0\t0,0.5\t1\t0,0.5,0,1\t1\t0\tGL_LINES\n"
                "2\t0\t0,0.5\t0\t0,0.5,2,0\t0\t2\tGL_LINES\n");
    expect_text(&seen, 24, "/buffers/transformed.obj",
                "# gl_Position as the vertex stage leaves it: clip coordinates\n"
                "o draw-0-instance-0\nv 0.5 0.5 0 0.5\nv 0 0.5 0 0.5\nl 1 2\n"
                "o draw-0-instance-1\nv 0.5 0.5 0 1\nv 0 0.5 0 1\nl 3 4\n"
                "o draw-2\nv 0 0.5 2 0\n");
    expect_text(&seen, 24, "/buffers/primitives.tsv",
                "primitive\tcorner\tgl_Position\tinstance\tblock\n"
                "0\t0\t0.5,0.5,0,0.5\t-\t0\n0\t1\t0,0.5,0,0.5\t-\t0\n"
                "1\t0\t0.5,0.5,0,1\t-\t0\n1\t1\t0,0.5,0,1\t-\t0\n");
    seen_close(&seen);
}

/* A core profile, which is needed for these calls */
#define CORE                                                                                       \
    "eglBindAPI(api=12450) = 1\n"                                                                  \
    "eglCreateContext(dpy=0x1, config=0xF, share_context=null, attrib_list={12440, 4, 12539, 5, "  \
    "12541, 1, 12344}) = 0xC\n"                                                                    \
    "eglCreateWindowSurface(dpy=0x1, config=0xF, win=0x2, attrib_list={}) = 0x5\n"                 \
    "eglMakeCurrent(dpy=0x1, draw=0x5, read=0x5, ctx=0xC) = 1\n"                                   \
    "glGenVertexArrays(n=1, arrays={1})\nglBindVertexArray(array=1)\n"                             \
    "glGenBuffers(n=4, buffers={1, 2, 3, 4})\n" /* to 6 */

/* The number of draws is in a buffer as well: two, of at most five. */
static void draws_are_counted_in_buffers(void **state)
{
    struct seen seen;
    char *text, *row;

    (void)state;
    seen_open(CORE NUMBERED("core") INDIRECT
              "glBindBuffer(target=33006, buffer=4)\n"
              "glBufferData(target=33006, size=8, data=[00 00 00 00 02 00 00 00], usage=35044)\n"
              "glMultiDrawElementsIndirectCountARB(mode=0, type=5121, indirect=24, drawcount=4, "
              "maxdrawcount=5, stride=24)\n" /* 31 */
              "glMultiDrawElementsIndirectCountARB(mode=0, type=5121, indirect=24, drawcount=0, "
              "maxdrawcount=5, stride=24)\n" /* 32: none */
              "glMultiDrawElementsIndirectCountARB(mode=0, type=5121, indirect=24, drawcount=8, "
              "maxdrawcount=5, stride=24)\n" /* 33: beyond the buffer */
              "glMultiDrawElementsIndirectCountARB(mode=0, type=5121, indirect=24, drawcount=4, "
              "maxdrawcount=1, stride=24)\n" /* 34: the first one, without instances */
              "eglSwapBuffers(dpy=0x1, surface=0x5) = 1\n",
              &seen);
    /* Mesa 22.3 draws nothing while such a buffer is bound, so positions are not captured. */
    text = seen_text(&seen, 31, "/buffers/attributes.tsv");
    row = strchr(text, '\n') + 1;
    assert_memory_equal(row, "0\t0\t0,0.5\t0\t", 12);
    assert_non_null(strstr(row, "\t0\t1\tGL_POINTS\n"));
    free(text);
    for (unsigned draw = 32; draw <= 33; draw++)
        expect_text(&seen, draw, "/buffers/mesh.obj",
                    "# no mesh: its vertices cannot be determined\n");
    expect_text(&seen, 34, "/buffers/attributes.tsv",
                "vertex\tindex\tplace\tby\tgl_Position\tinstance\n");
    seen_close(&seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_are_blocks),
        cmocka_unit_test(elements_are_blocks),
        cmocka_unit_test(empty_draws_are_blocks),
        cmocka_unit_test(draws_of_buffers_have_numbers),
        cmocka_unit_test(draws_are_counted_in_buffers),
    };

    return cmocka_run_group_tests_name("apitrace_several", tests, NULL, NULL);
}

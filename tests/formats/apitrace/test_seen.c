/* SPDX-License-Identifier: MIT */
/*
 * What draws saw and left, in states of OpenGL that come between a draw and looking at it: other
 * surfaces to read from, conditional rendering, samples, switches of several viewports.
 */
#include "config.h"

#include "tests/formats/apitrace/seen.h"
#include "tests/support/support.h"
#include "tests/support/walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void attachments_are_of_what_is_drawn_on(void **state)
{
    struct seen seen;

    (void)state;
    seen_open(WINDOW("Current(dpy=0x1, drawable=6, ctx=0xC)") CLEAR(1.0, 0.0, 0.0)
                  WINDOW("ContextCurrent(dpy=0x1, draw=5, read=6, ctx=0xC)")
                      CLEAR(0.0, 1.0, 0.0) /* 7 */
              SWAP,
              &seen);
    seen_expect_middle(&seen, 7, ".png", "00FF00");
    seen_expect_middle(&seen, 7, "/colour-0.png", "00FF00");
    seen_close(&seen);
}

/* A query that counted no samples */
#define NEVER                                                                                      \
    "glGenQueries(n=1, ids={1})\nglBeginQuery(target=35092, id=1)\nglEndQuery(target=35092)\n"     \
    "glBeginConditionalRender(id=1, mode=36371)\n"

static void conditions_keep_nobody_from_looking(void **state)
{
    struct seen seen;
    char *history;
    size_t size;

    (void)state;
    seen_open(SAMPLES CURRENT CLEAR(0.0, 1.0, 0.0) NEVER /* the query's: 6 to 9 */
                  CLEAR(1.0, 0.0, 0.0)                   /* 11, which is not executed */
              "glEndConditionalRender()\n" CLEAR(0.0, 0.0, 1.0) SWAP,
              &seen);
    seen_expect_middle(&seen, 11, ".png", "00FF00");
    seen_expect_middle(&seen, 11, "/colour-0.png", "00FF00");
    seen_expect_middle(&seen, 14, "/colour-0.png", "0000FF");
    history = walk_read(seen.opened.tree, "by-frame/000000/pixel/8,6.tsv", &size);
    assert_null(strstr(history, "FF0000"));
    assert_non_null(strstr(history, "14\tglClear\twritten\t00FF00\t0000FF"));
    free(history);
    seen_close(&seen);
}

/* After looking in between, the condition still holds for what follows. */
static void conditions_hold_behind_who_looks(void **state)
{
    struct seen seen;

    (void)state;
    seen_open(SAMPLES CURRENT CLEAR(0.0, 1.0, 0.0) NEVER CLEAR(1.0, 0.0, 0.0)
                  CLEAR(0.0, 0.0, 1.0) /* 13 */
              "glEndConditionalRender()\n" SWAP,
              &seen);
    seen_expect_middle(&seen, 11, "/colour-0.png", "00FF00");
    seen_expect_middle(&seen, 13, "/colour-0.png", "00FF00");
    seen_close(&seen);
}

static void windows_of_opengl_es_with_samples_have_histories(void **state)
{
    struct seen seen;
    char *history;
    size_t size;

    (void)state;
    seen_open(
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
    seen_close(&seen);
}

/* Each viewport has its own switch for its scissor box. */
static void scissors_of_viewports_stay(void **state)
{
    struct seen seen;
    char *text;

    (void)state;
    seen_open(SAMPLES CURRENT "glEnablei(target=3089, index=1)\n" CLEAR(0.0, 1.0, 0.0)
                  CLEAR(0.0, 0.0, 1.0) /* 6, 8 */
              "glDisablei(target=3089, index=1)\nglEnablei(target=3089, index=0)\n" CLEAR(
                  1.0, 0.0, 0.0) CLEAR(0.0, 0.0, 1.0) /* 12, 14 */
              SWAP,
              &seen);
    free(seen_text(&seen, 6, "/colour-0.png"));
    text = seen_text(&seen, 8, "/state.txt");
    assert_non_null(strstr(text, "[1].GL_SCISSOR_TEST = GL_TRUE"));
    free(text);
    free(seen_text(&seen, 12, "/colour-0.png"));
    text = seen_text(&seen, 14, "/state.txt");
    assert_non_null(strstr(text, "[1].GL_SCISSOR_TEST = GL_FALSE"));
    free(text);
    seen_close(&seen);
}

/* Twelve numbers, from 0 on */
#define NUMBERS                                                                                    \
    "00 00 00 00 00 00 80 3f 00 00 00 40 00 00 40 40 00 00 80 40 00 00 a0 40 00 00 c0 40 "         \
    "00 00 e0 40 00 00 00 41 00 00 10 41 00 00 20 41 00 00 30 41"

/* Program 3 with attributes 1, `place`, and 2, `one`, and the numbers in a buffer: calls 2 to 16 */
#define PROGRAM                                                                                    \
    SHADER(1, 35633,                                                                               \
           "attribute vec2 place; attribute float one; void main() "                               \
           "{ gl_Position = vec4(place, one, 1.0); }")                                             \
    FRAGMENT(2)                                                                                    \
    "glCreateProgram() = 3\nglAttachShader(program=3, shader=1)\n"                                 \
    "glAttachShader(program=3, shader=2)\n"                                                        \
    "glBindAttribLocation(program=3, index=1, name=\"place\")\n"                                   \
    "glBindAttribLocation(program=3, index=2, name=\"one\")\n"                                     \
    "glLinkProgram(program=3)\nglUseProgram(program=3)\n"                                          \
    "glBindBuffer(target=34962, buffer=1)\n"                                                       \
    "glBufferData(target=34962, size=48, data=[" NUMBERS "], usage=35044)\n"
#define PLACES_AT(offset)                                                                          \
    "glVertexAttribPointer(index=1, size=2, type=5126, normalized=0, stride=8, pointer=" #offset   \
    ")\nglEnableVertexAttribArray(index=1)\n"
#define FORMAT(index, size, offset)                                                                \
    "glVertexAttribFormat(attribindex=" #index ", size=" #size                                     \
    ", type=5126, normalized=0, relativeoffset=" #offset ")\n"

/*
 * Attributes are read where buffers are bound, whatever a pointer said before; with a stride of 0
 * all vertices have the same value.
 */
static void attributes_stand_where_they_are_bound(void **state)
{
    struct seen seen;
    char *text;

    (void)state;
    seen_open(CURRENT PROGRAM PLACES_AT(16) FORMAT(1, 2, 4) FORMAT(2, 1, 0) /* 17 to 20 */
              "glEnableVertexAttribArray(index=2)\n"
              "glVertexAttribBinding(attribindex=1, bindingindex=5)\n"
              "glVertexAttribBinding(attribindex=2, bindingindex=6)\n"
              "glBindVertexBuffer(bindingindex=5, buffer=1, offset=8, stride=12)\n"
              "glBindVertexBuffer(bindingindex=6, buffer=1, offset=4, stride=0)\n"
              "glDrawArrays(mode=4, first=0, count=3)\n" /* 26 */
              SWAP,
              &seen);
    text = seen_text(&seen, 26, "/buffers/attributes.tsv");
    assert_string_equal(text, "vertex\tindex\tplace\tone\tgl_Position\tinstance\n"
                              "0\t0\t3,4\t1\t3,4,1,1\t0\n"
                              "1\t1\t6,7\t1\t6,7,1,1\t0\n"
                              "2\t2\t9,10\t1\t9,10,1,1\t0\n");
    free(text);
    text = seen_text(&seen, 26, "/state.txt");
    assert_non_null(strstr(text, "GL_VERTEX_BINDING5.GL_VERTEX_BINDING_OFFSET = 8\n"
                                 "GL_VERTEX_BINDING5.GL_VERTEX_BINDING_STRIDE = 12\n"));
    assert_non_null(strstr(text, "GL_VERTEX_BINDING6.GL_VERTEX_BINDING_STRIDE = 0\n"));
    free(text);
    seen_close(&seen);
}

/*
 * Draws with one command each, which is in a buffer: count, instances, first (and base), instance.
 */
static void indirect_draws_have_vertices(void **state)
{
    struct seen seen;
    char *text;

    (void)state;
    seen_open(CURRENT PROGRAM PLACES_AT(0) /* 17, 18 */
              "glBindBuffer(target=36671, buffer=2)\n"
              "glBufferData(target=36671, size=40, data=[00 00 00 00 03 00 00 00 01 00 00 00 "
              "01 00 00 00 01 00 00 00 00 00 00 00 01 00 00 00 01 00 00 00 05 00 00 00 "
              "00 00 00 00], usage=35044)\n"
              "glBindBuffer(target=34963, buffer=3)\n"
              "glBufferData(target=34963, size=4, data=[05 00 02 01], usage=35044)\n"
              "glDrawElementsIndirect(mode=4, type=5121, indirect=4)\n" /* 23 */
              "glMultiDrawArraysIndirect(mode=0, indirect=24, drawcount=1, stride=0)\n"
              "glMultiDrawArraysIndirect(mode=0, indirect=4, drawcount=2, stride=0)\n" /* 25 */
              SWAP,
              &seen);
    text = seen_text(&seen, 23, "/buffers/attributes.tsv");
    assert_string_equal(text, "vertex\tindex\tplace\tgl_Position\tinstance\n"
                              "0\t1\t2,3\t2,3,0,1\t0\n"
                              "1\t3\t6,7\t6,7,0,1\t0\n"
                              "2\t2\t4,5\t4,5,0,1\t0\n");
    free(text);
    text = seen_text(&seen, 24, "/buffers/attributes.tsv");
    assert_string_equal(text, "vertex\tindex\tplace\tgl_Position\tinstance\n"
                              "0\t5\t10,11\t10,11,0,1\t0\n");
    free(text);
    text = seen_text(&seen, 25, "/buffers/mesh.obj");
    assert_string_equal(text, "# no mesh: no array has its positions\n");
    free(text);
    seen_close(&seen);
}

/* Draws the complete window, whose 192 fragments count in buffer 1. */
#define COUNTING                                                                                   \
    SHADER(1, 35632,                                                                               \
           "#version 430 compatibility\rlayout(binding=1) buffer counts { uint count; }; "         \
           "void main() { atomicAdd(count, 1u); gl_FragColor = vec4(1.0); }")                      \
    "glCreateProgram() = 2\nglAttachShader(program=2, shader=1)\n"                                 \
    "glLinkProgram(program=2)\nglUseProgram(program=2)\n"                                          \
    "glBindBufferBase(target=37074, index=1, buffer=1)\n"                                          \
    "glBufferData(target=37074, size=4, data=[00 00 00 00], usage=35050)\n"

/* What shaders stored can be read after the draw, even if the trace has no barrier. */
static void stores_of_shaders_are_there_for_readers(void **state)
{
    static const uint8_t once[4] = {192}, twice[4] = {128, 1};
    struct seen seen;
    char *bytes;

    (void)state;
    seen_open(CURRENT COUNTING "glRectf(x1=-1.0, y1=-1.0, x2=1.0, y2=1.0)\n" /* 11 */
                               "glRectf(x1=-1.0, y1=-1.0, x2=1.0, y2=1.0)\n" SWAP,
              &seen);
    bytes = seen_text(&seen, 11, "/buffers/storage-1-1.bin");
    assert_memory_equal(bytes, once, sizeof(once));
    free(bytes);
    bytes = seen_text(&seen, 12, "/buffers/storage-1-1.bin");
    assert_memory_equal(bytes, twice, sizeof(twice));
    free(bytes);
    seen_close(&seen);
}

/* A framebuffer object of OpenGL ES with float colours */
static void floats_of_opengl_es_are_colours(void **state)
{
    struct seen seen;

    (void)state;
    seen_open("eglBindAPI(api=12448) = 1\n"
              "eglCreateContext(dpy=0x1, config=0xF, share_context=null, "
              "attrib_list={12440, 3, 12344}) = 0xC\n"
              "eglMakeCurrent(dpy=0x1, draw=0x5, read=0x5, ctx=0xC) = 1\n"
              "glViewport(x=0, y=0, width=16, height=12)\n"
              "glBindTexture(target=3553, texture=1)\n"
              "glTexStorage2D(target=3553, levels=1, internalformat=34842, width=4, height=2)\n"
              "glBindFramebuffer(target=36160, framebuffer=1)\n"
              "glFramebufferTexture2D(target=36160, attachment=36064, textarget=3553, texture=1, "
              "level=0)\n" CLEAR(0.5, 2.0, -1.0) /* 9 */
              "eglSwapBuffers(dpy=0x1, surface=0x5) = 1\n",
              &seen);
    seen_expect_middle(&seen, 9, ".png", "80FF00");
    seen_expect_middle(&seen, 9, "/colour-0.png", "80FF00");
    seen_close(&seen);
}

#define CLEAR_BUFFER(r, g, b)                                                                      \
    "glClearBufferfv(buffer=6144, drawbuffer=0, value={" #r ", " #g ", " #b ", 1.0})\n"

static void clears_of_single_buffers_are_draws(void **state)
{
    struct seen seen;
    char *bytes;
    float depth;

    (void)state;
    seen_open(CURRENT CLEAR_BUFFER(0.0, 1.0, 0.0)                                    /* 2 */
              "glClearBufferfi(buffer=34041, drawbuffer=0, depth=0.25, stencil=3)\n" /* 3 */
              CLEAR_BUFFER(0.0, 0.0, 1.0) SWAP,
              &seen);
    seen_expect_middle(&seen, 2, ".png", "00FF00");
    seen_expect_middle(&seen, 2, "/colour-0.png", "00FF00");
    bytes = seen_text(&seen, 3, "/depth.bin");
    memcpy(&depth, bytes, sizeof(depth));
    assert_true(depth > 0.2499F && depth < 0.2501F);
    free(bytes);
    seen_expect_middle(&seen, 4, ".png", "0000FF");
    seen_close(&seen);
}

#define CLEAR_NAMED(framebuffer, r, g, b)                                                          \
    "glClearNamedFramebufferfv(framebuffer=" #framebuffer                                          \
    ", buffer=6144, drawbuffer=0, value={" #r ", " #g ", " #b ", 1.0})\n"

/* What they draw on is the framebuffer that they name, not the one that is bound. */
static void clears_and_blits_of_named_framebuffers_are_draws(void **state)
{
    struct seen seen;
    unsigned width, height;
    char *rows;
    size_t size;

    (void)state;
    seen_open(CURRENT "glCreateFramebuffers(n=1, framebuffers={1})\n"
                      "glCreateTextures(target=3553, n=1, textures={1})\n"
                      "glTextureStorage2D(texture=1, levels=1, internalformat=32856, width=32, "
                      "height=20)\n"
                      "glNamedFramebufferTexture(framebuffer=1, attachment=36064, texture=1, "
                      "level=0)\n" CLEAR_NAMED(1, 0.0, 1.0, 0.0) /* 6 */
              CLEAR_NAMED(0, 0.0, 0.0, 1.0)                      /* 7 */
              "glBlitNamedFramebuffer(readFramebuffer=0, drawFramebuffer=1, srcX0=0, srcY0=0, "
              "srcX1=16, srcY1=12, dstX0=16, dstY0=0, dstX1=32, dstY1=20, mask=16384, "
              "filter=9728)\n"                                   /* 8 */
              "glBindFramebuffer(target=36160, framebuffer=1)\n" /* 9 */
              CLEAR_NAMED(0, 1.0, 0.0, 1.0)                      /* 10 */
              "glClear(mask=16384)\n"                            /* 11 */
              "glClearNamedFramebufferfi(framebuffer=0, buffer=34041, drawbuffer=0, depth=0.25, "
              "stencil=3)\n" /* 12 */
              SWAP,
              &seen);
    free(apitrace_pixels(&seen.opened, "by-frame/000000/draws/00000006.png", &width, &height));
    assert_int_equal(width, 32);
    assert_int_equal(height, 20);
    seen_expect_middle(&seen, 6, ".png", "00FF00");
    seen_expect_middle(&seen, 6, "/colour-0.png", "00FF00");
    free(apitrace_pixels(&seen.opened, "by-frame/000000/draws/00000007.png", &width, &height));
    assert_int_equal(width, 16);
    seen_expect_middle(&seen, 7, ".png", "0000FF");
    seen_expect_middle(&seen, 7, "/colour-0.png", "0000FF");
    seen_expect_halves(&seen, "draws/00000008.png", "00FF00 0000FF");
    seen_expect_halves(&seen, "draws/00000008/colour-0.png", "00FF00 0000FF");
    seen_expect_middle(&seen, 10, ".png", "FF00FF");
    seen_expect_middle(&seen, 10, "/colour-0.png", "FF00FF");
    seen_expect_middle(&seen, 11, "/colour-0.png", "000000");
    free(
        apitrace_pixels(&seen.opened, "by-frame/000000/draws/00000012/depth.png", &width, &height));
    assert_int_equal(width, 16);
    rows = walk_read(seen.opened.tree, "by-frame/000000/draws.tsv", &size);
    assert_non_null(strstr(rows, "glBlitNamedFramebuffer"));
    assert_non_null(strstr(rows, "glClearNamedFramebufferfi"));
    free(rows);
    seen_close(&seen);
}

/* Clears one column to a depth: three calls */
#define DEPTH_COLUMN(x_, depth)                                                                    \
    "glScissor(x=" #x_ ", y=0, width=1, height=12)\nglClearDepthf(d=" #depth                       \
    ")\nglClear(mask=256)\n"

/* The window has 24 bits of depth. */
static void depths_of_opengl_es_are_those_that_are_stored(void **state)
{
    static const float cleared[] = {0.87674487F, 0.88308591F, 0.91234567F, 0.7F, 0.9999999F, 1.0F};
    struct seen seen;
    char *bytes;

    (void)state;
    seen_open(ES_CURRENT "glEnable(cap=3089)\n" DEPTH_COLUMN(0, 0.87674487)
                  DEPTH_COLUMN(1, 0.88308591) DEPTH_COLUMN(2, 0.91234567) DEPTH_COLUMN(3, 0.7)
                      DEPTH_COLUMN(4, 0.9999999) DEPTH_COLUMN(5, 1.0) /* 20 to 22 */
              "eglSwapBuffers(dpy=0x1, surface=0x5) = 1\n",
              &seen);
    bytes = seen_text(&seen, 22, "/depth.bin");
    for (size_t x = 0; x < sizeof(cleared) / sizeof(cleared[0]); x++) {
        const double stored = floor((double)cleared[x] * 0xFFFFFF + 0.5);
        float depth;

        memcpy(&depth, bytes + x * sizeof(depth), sizeof(depth));
        assert_true(depth == (float)(stored / 0xFFFFFF));
    }
    free(bytes);
    seen_close(&seen);
}

static void results_of_queries_go_into_buffers(void **state)
{
    static const uint8_t wanted[8] = {0, 0, 0, 0, 192};
    struct seen seen;
    char *bytes;

    (void)state;
    seen_open(CURRENT "glBindBufferBase(target=35345, index=1, buffer=1)\n"
                      "glBufferData(target=35345, size=8, data=[00 00 00 00 00 00 00 00], "
                      "usage=35050)\n"
                      "glGenQueries(n=1, ids={7})\nglBeginQuery(target=35092, id=7)\n"
                      "glRectf(x1=-1.0, y1=-1.0, x2=1.0, y2=1.0)\nglEndQuery(target=35092)\n"
                      "glGetQueryBufferObjectuiv(id=7, buffer=1, pname=34918, offset=4)\n"
                      "glClear(mask=16384)\n" /* 9 */
              SWAP,
              &seen);
    bytes = seen_text(&seen, 9, "/buffers/uniforms-1-1.bin");
    assert_memory_equal(bytes, wanted, sizeof(wanted));
    free(bytes);
    seen_close(&seen);
}

/* Program 2, with only a vertex shader */
#define VERTEX_PROGRAM(text)                                                                       \
    SHADER(1, 35633, text)                                                                         \
    "glCreateProgram() = 2\nglAttachShader(program=2, shader=1)\n"
#define USE               "glLinkProgram(program=2)\nglUseProgram(program=2)\n"
#define LOCATION(n, name) "glBindAttribLocation(program=2, index=" #n ", name=\"" #name "\")\n"

static const char attributes_of_types[] =
    CURRENT VERTEX_PROGRAM("#version 410 compatibility\rin vec2 a; in ivec3 b; in uvec4 c; "
                           "in dvec4 d; void main() { gl_Position = "
                           "vec4(a, a) + vec4(b, 1.0) + vec4(c) + vec4(d); }") LOCATION(1, a)
        LOCATION(2, b) LOCATION(3, c) LOCATION(4, d) USE
    "glVertexAttrib2f(index=1, x=0.5, y=2.0)\n"
    "glVertexAttribI3i(index=2, x=-5, y=6, z=7)\n"
    "glVertexAttribI4ui(index=3, x=4000000000, y=1, z=2, w=3)\n"
    "glVertexAttribL4d(index=4, x=0.1, y=2.0, z=3.0, w=4.0)\n"
    "glDrawArrays(mode=0, first=0, count=1)\n" /* 17 */
    SWAP;

/* Attributes without arrays: floats, integers with a sign and without, doubles */
static void attributes_are_numbers_of_their_type(void **state)
{
    struct seen seen;
    char *text;

    (void)state;
    seen_open(attributes_of_types, &seen);
    text = seen_text(&seen, 17, "/uniforms.tsv");
    assert_non_null(strstr(text, "\ta\tGL_FLOAT_VEC2\t1\t-\t-\t0\t0.5,2,0,1\n"));
    assert_non_null(strstr(text, "\tb\tGL_INT_VEC3\t2\t-\t-\t0\t-5,6,7,1\n"));
    assert_non_null(strstr(text, "\tc\tGL_UNSIGNED_INT_VEC4\t3\t-\t-\t0\t4000000000,1,2,3\n"));
    assert_non_null(strstr(text, "\td\tGL_DOUBLE_VEC4\t4\t-\t-\t0\t0.1"));
    assert_non_null(strstr(text, ",2,3,4\n"));
    free(text);
    seen_close(&seen);
}

#define UNIFORM_BUFFER(name, index, number)                                                        \
    "glBindBufferBase(target=35345, index=" #index ", buffer=" #name                               \
    ")\nglBufferData(target=35345, size=4, data=[" number "], usage=35044)\n"

static const char uniforms_of_shapes[] =
    CURRENT VERTEX_PROGRAM("#version 420 compatibility\rlayout(std140, binding = 2) uniform A "
                           "{ float x; } a[2]; uniform dmat2x3 m; void main() { gl_Position = "
                           "vec4(a[0].x + a[1].x) + vec4(m[1], 1.0); }") USE
    "glGetUniformLocation(program=2, name=\"m\") = 0\n"
    "glUniformMatrix2x3dv(location=0, count=1, transpose=0, "
    "value={1.0, 2.0, 3.0, 4.0, 5.0, 6.0})\n" UNIFORM_BUFFER(1, 2, HALF)
        UNIFORM_BUFFER(2, 3, ONE) "glDrawArrays(mode=0, first=0, count=1)\n" /* 15 */
    SWAP;

static void uniforms_of_all_blocks_and_shapes_are_told(void **state)
{
    struct seen seen;
    char *text;

    (void)state;
    seen_open(uniforms_of_shapes, &seen);
    text = seen_text(&seen, 15, "/uniforms.tsv");
    assert_non_null(strstr(text, "2\tblock\tA.x\tGL_FLOAT\t-\tA[0]\t0\t0\t0.5\n"));
    assert_non_null(strstr(text, "2\tblock\tA.x\tGL_FLOAT\t-\tA[1]\t0\t0\t1\n"));
    assert_non_null(strstr(text, "\tm\tGL_DOUBLE_MAT2x3\t0\t-\t-\t0\t1,2,3,4,5,6\n"));
    free(text);
    seen_close(&seen);
}

/* With a program that has only a vertex shader; and with one that has its own fragment shader. */
static void fixed_functions_sample_behind_a_program(void **state)
{
    struct seen seen;
    char *text;

    (void)state;
    seen_open(CURRENT "glBindTexture(target=3553, texture=7)\n"
                      "glTexImage2D(target=3553, level=0, internalformat=6408, width=2, height=1, "
                      "border=0, format=6408, type=5121, pixels=null)\nglEnable(cap=3553)\n" VERTEX(
                          1) "glCreateProgram() = 3\nglAttachShader(program=3, shader=1)\n"
                             "glLinkProgram(program=3)\nglUseProgram(program=3)\n"
                             "glRectf(x1=0.0, y1=0.0, x2=1.0, y2=1.0)\n" /* 12 */
              FRAGMENT(2) "glAttachShader(program=3, shader=2)\nglLinkProgram(program=3)\n"
                          "glRectf(x1=0.0, y1=0.0, x2=1.0, y2=1.0)\n" SWAP, /* 18 */
              &seen);
    text = seen_text(&seen, 12, "/textures/textures.tsv");
    assert_non_null(strstr(text, "\n0\tGL_TEXTURE_2D\t7\t"));
    free(text);
    text = seen_text(&seen, 18, "/textures/textures.tsv");
    assert_null(strstr(text, "GL_TEXTURE_2D"));
    free(text);
    seen_close(&seen);
}

/* The name is chosen among several that extensions give to a number. */
static void formats_have_the_name_of_no_single_vendor(void **state)
{
    struct seen seen;
    char *text;

    (void)state;
    seen_open(CURRENT "glBindTexture(target=3553, texture=7)\n"
                      "glCompressedTexImage2D(target=3553, level=0, internalformat=33779, width=4, "
                      "height=4, border=0, imageSize=16, data=[" ONE ONE ONE ONE "])\n"
                      "glEnable(cap=3553)\nglRectf(x1=0.0, y1=0.0, x2=1.0, y2=1.0)\n" SWAP, /* 5 */
              &seen);
    text = seen_text(&seen, 5, "/textures/textures.tsv");
    assert_non_null(strstr(text, "\tGL_COMPRESSED_RGBA_S3TC_DXT5_EXT\t"));
    free(text);
    seen_close(&seen);
}

/* Checks the line of state.txt with the API of a context that is created with these attributes. */
static void expect_api(const char *attributes, const char *line)
{
    struct text trace = TEXT_INIT;
    struct seen seen;
    char *state;

    text_printf(&trace,
                "glXCreateContextAttribsARB(dpy=0x1, config=0xF, share_context=null, direct=1, "
                "attrib_list={%s, 0}) = 0xC\n%s",
                attributes, CURRENT CLEAR(0.0, 1.0, 0.0) SWAP);
    text_add_char(&trace, '\0');
    seen_open(trace.bytes, &seen);
    state = seen_text(&seen, 4, "/state.txt");
    if (strstr(state, line) == NULL)
        fail_msg("a context of {%s} is not one of %s", attributes, line);
    free(state);
    seen_close(&seen);
    text_clear(&trace);
}

/*
 * The attributes are 0x2091 and 0x2092 major and minor version, 0x2094 flags, of which 2 is
 * forward-compatible, and 0x9126 profiles, of which 1 is core and 2 compatibility. A
 * forward-compatible context lacks everything deprecated, also before there were profiles.
 */
static void forward_compatible_contexts_are_like_core(void **state)
{
    (void)state;
    expect_api("8337, 3, 8338, 1, 8340, 2, 37158, 1", "api = OpenGL core\n");
    expect_api("8337, 3, 8338, 0, 8340, 2", "api = OpenGL core\n");
    expect_api("8337, 3, 8338, 3, 8340, 2, 37158, 2", "api = OpenGL core\n");
    expect_api("8337, 3, 8338, 2", "api = OpenGL core\n");
    expect_api("8337, 3, 8338, 1, 37158, 1", "api = OpenGL compatibility\n");
    expect_api("8337, 2, 8338, 1, 37158, 1", "api = OpenGL compatibility\n");
    expect_api("8337, 3, 8338, 3, 37158, 2", "api = OpenGL compatibility\n");
}

#define IN_CONTEXT(context) "glXMakeCurrent(dpy=0x1, drawable=5, ctx=" #context ") = 1\n"
#define STORE_BOUND(width, height)                                                                 \
    "glRenderbufferStorage(target=36161, internalformat=32856, width=" #width ", height=" #height  \
    ")\n"

/*
 * A renderbuffer whose name another context has deleted stays bound, whatever is looked at: what is
 * stored then is still that of the framebuffer.
 */
static void deleted_renderbuffers_stay_bound(void **state)
{
    struct seen seen;

    (void)state;
    seen_open("glXCreateContext(dpy=0x1, vis=0x2, shareList=null, direct=1) = 0xC\n"
              "glXCreateContext(dpy=0x1, vis=0x2, shareList=0xC, direct=1) = 0xD\n" CURRENT
              "glBindRenderbuffer(target=36161, renderbuffer=1)\n" STORE_BOUND(
                  4, 4) "glBindFramebuffer(target=36160, framebuffer=1)\n"
                        "glFramebufferRenderbuffer(target=36160, attachment=36064, "
                        "renderbuffertarget=36161, renderbuffer=1)\n" /* 7 */
              IN_CONTEXT(0xD) "glDeleteRenderbuffers(n=1, renderbuffers={1})\n" IN_CONTEXT(0xC)
                  CLEAR(1.0, 0.0, 0.0)                 /* 12 */
              STORE_BOUND(16, 12) CLEAR(0.0, 1.0, 0.0) /* 15 */
              "glBindFramebuffer(target=36009, framebuffer=0)\n"
              "glBlitFramebuffer(srcX0=0, srcY0=0, srcX1=16, srcY1=12, dstX0=0, dstY0=0, "
              "dstX1=16, dstY1=12, mask=16384, filter=9728)\n" /* 17 */
              SWAP,
              &seen);
    free(seen_text(&seen, 12, "/state.txt"));

    seen_expect_middle(&seen, 17, ".png", "00FF00");
    seen_close(&seen);
}

#define BEGUN(mode)                                                                                \
    "glBegin(mode=" #mode ")\nglVertex2f(x=-0.5, y=-0.5)\nglVertex2f(x=0.5, y=0.5)\nglEnd()\n"
#define SWITCH(what, cap) "gl" #what "(cap=" #cap ")\n"

/*
 * Draws on a window in frame 0, and on a framebuffer object in frame 1. Of those on the window, no
 * pixels are needed for the latter.
 */
static void expect_shown(const char *draws_on_window)
{
    struct text trace = TEXT_INIT;
    unsigned width, height;
    struct seen seen;
    uint8_t *pixels;

    text_printf(
        &trace,
        CURRENT
        "glBindTexture(target=3553, texture=1)\n"
        "glTexImage2D(target=3553, level=0, internalformat=32856, width=1, "
        "height=1, border=0, format=6408, type=5121, pixels=null)\n%s" /* 4 to 14 */
        SWAP "glBindFramebuffer(target=36160, framebuffer=1)\n"
        "glFramebufferTexture2D(target=36160, attachment=36064, textarget=3553, texture=1, "
        "level=0)\n" CLEAR(1.0, 0.0, 0.0) "glColor3f(red=0.0, green=1.0, blue=0.0)\n"
                                          "glRectf(x1=-1.0, y1=-1.0, x2=1.0, y2=1.0)\n"
                                          "glBindFramebuffer(target=36160, framebuffer=0)\n" SWAP,
        draws_on_window);
    text_add_char(&trace, '\0');
    seen_open(trace.bytes, &seen);
    pixels = apitrace_pixels(&seen.opened, "by-frame/000001/draws/00000021.png", &width, &height);
    assert_int_equal(width, 1);
    assert_memory_equal(pixels, "\0\377\0", 3);
    free(pixels);
    seen_close(&seen);
    text_clear(&trace);
}

/* 2848 is GL_LINE_SMOOTH, 2832 GL_POINT_SMOOTH. Eleven calls each. */
static void smooth_draws_that_are_not_shown_hide_no_others(void **state)
{
    (void)state;
    expect_shown(SWITCH(Enable, 2848) BEGUN(1) BEGUN(1) SWITCH(Disable, 2848) "glFlush()\n");
    expect_shown(SWITCH(Enable, 2848) BEGUN(1) BEGUN(1) "glFlush()\nglFlush()\n");
    expect_shown(SWITCH(Enable, 2832) BEGUN(0) BEGUN(0) "glFlush()\nglFlush()\n");
    expect_shown("glNewList(list=1, mode=4864)\n" SWITCH(Enable, 2848) BEGUN(1) SWITCH(
        Disable, 2848) "glEndList()\nglCallList(list=1)\nglFlush()\nglFlush()\n");
}

/* A framebuffer of 64x64 pixels: four calls */
#define NAMED_FRAMEBUFFER                                                                          \
    "glCreateFramebuffers(n=1, framebuffers={1})\n"                                                \
    "glCreateTextures(target=3553, n=1, textures={1})\n"                                           \
    "glTextureStorage2D(texture=1, levels=1, internalformat=32856, width=64, height=64)\n"         \
    "glNamedFramebufferTexture(framebuffer=1, attachment=36064, texture=1, level=0)\n"

/* What is drawn on a window that is not looked at does not keep others from being cleared. */
static void clears_of_named_framebuffers_are_kept(void **state)
{
    unsigned width, height;
    struct seen seen;
    uint8_t *pixels;

    (void)state;
    seen_open(CURRENT NAMED_FRAMEBUFFER BEGUN(1) CLEAR_NAMED(1, 0.0, 1.0, 0.0) SWAP /* 10, 11 */
              "glBindFramebuffer(target=36160, framebuffer=1)\nglClear(mask=256)\n" /* 13 */
              "glBindFramebuffer(target=36160, framebuffer=0)\n" SWAP,
              &seen);
    pixels = apitrace_pixels(&seen.opened, "by-frame/000001/draws/00000013.png", &width, &height);
    assert_memory_equal(pixels, "\0\377\0", 3);
    free(pixels);
    seen_close(&seen);
}

/* A viewport that is set before such a clear is not the window's. */
static void clears_of_named_framebuffers_use_no_viewport(void **state)
{
    unsigned width, height;
    struct seen seen;

    (void)state;
    seen_open(CURRENT NAMED_FRAMEBUFFER
                  CLEAR(1.0, 0.0, 0.0) "glViewport(x=0, y=0, width=64, height=64)\n" CLEAR_NAMED(
                      1, 0.0, 1.0,
                      0.0) "glBindFramebuffer(target=36160, framebuffer=1)\nglClear(mask=256)\n"
                           "glBindFramebuffer(target=36160, framebuffer=0)\n"
                           "glViewport(x=0, y=0, width=16, height=12)\n" CLEAR(0.0, 0.0, 1.0) SWAP,
              &seen);
    free(apitrace_pixels(&seen.opened, "by-frame/000000/image.png", &width, &height));
    assert_int_equal(width, 16);
    assert_int_equal(height, 12);
    seen_close(&seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stores_of_shaders_are_there_for_readers),
        cmocka_unit_test(floats_of_opengl_es_are_colours),
        cmocka_unit_test(clears_of_single_buffers_are_draws),
        cmocka_unit_test(clears_and_blits_of_named_framebuffers_are_draws),
        cmocka_unit_test(depths_of_opengl_es_are_those_that_are_stored),
        cmocka_unit_test(results_of_queries_go_into_buffers),
        cmocka_unit_test(attributes_are_numbers_of_their_type),
        cmocka_unit_test(uniforms_of_all_blocks_and_shapes_are_told),
        cmocka_unit_test(fixed_functions_sample_behind_a_program),
        cmocka_unit_test(formats_have_the_name_of_no_single_vendor),
        cmocka_unit_test(deleted_renderbuffers_stay_bound),
        cmocka_unit_test(clears_of_named_framebuffers_are_kept),
        cmocka_unit_test(clears_of_named_framebuffers_use_no_viewport),
        cmocka_unit_test(smooth_draws_that_are_not_shown_hide_no_others),
        cmocka_unit_test(attributes_stand_where_they_are_bound),
        cmocka_unit_test(indirect_draws_have_vertices),
        cmocka_unit_test(attachments_are_of_what_is_drawn_on),
        cmocka_unit_test(conditions_keep_nobody_from_looking),
        cmocka_unit_test(conditions_hold_behind_who_looks),
        cmocka_unit_test(windows_of_opengl_es_with_samples_have_histories),
        cmocka_unit_test(scissors_of_viewports_stay),
        cmocka_unit_test(forward_compatible_contexts_are_like_core),
    };

    if (getenv("GPUDUMPFS_TEST") != NULL)
        cmocka_set_test_filter(getenv("GPUDUMPFS_TEST"));
    return cmocka_run_group_tests_name("apitrace_seen", tests, NULL, NULL);
}

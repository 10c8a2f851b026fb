/* SPDX-License-Identifier: MIT */
/* Depths of attachments with several samples per pixel: those of the first sample */
#include "config.h"

#include "tests/formats/apitrace/seen.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 16, HEIGHT = 12, PIXELS = WIDTH * HEIGHT };

/* A program that gives each pixel, with all its samples, a depth of its own: seven calls */
#define DEPTHS                                                                                     \
    SHADER(1, 35632,                                                                               \
           "#version 330 compatibility\r"                                                          \
           "void main() { ivec2 p = ivec2(gl_FragCoord.xy); "                                      \
           "gl_FragDepth = float(p.x + 16 * p.y) / 191.0; }")                                      \
    "glCreateProgram() = 2\nglAttachShader(program=2, shader=1)\nglLinkProgram(program=2)\n"       \
    "glUseProgram(program=2)\nglEnable(cap=2929)\nglDepthFunc(func=519)\n"
#define DRAW "glRectf(x1=-1.0, y1=-1.0, x2=1.0, y2=1.0)\n"

/* Framebuffer `n` without colours, bound: two calls */
#define FRAMEBUFFER(n) "glBindFramebuffer(target=36160, framebuffer=" #n ")\nglDrawBuffer(buf=0)\n"
#define ATTACH_RENDERBUFFER(attachment, n)                                                         \
    "glFramebufferRenderbuffer(target=36160, attachment=" attachment                               \
    ", renderbuffertarget=36161, renderbuffer=" #n ")\n"

static void expect_equal_depths(const struct seen *seen, unsigned single, unsigned several)
{
    float *wanted = (float *)(void *)seen_text(seen, single, "/depth.bin");
    float *found = (float *)(void *)seen_text(seen, several, "/depth.bin");

    assert_true(wanted[WIDTH] < wanted[0]);
    for (unsigned n = 0; n < PIXELS; n++)
        if (found[n] != wanted[n])
            fail_msg("call %u, pixel %u: %.9g instead of %.9g", several, n, (double)found[n],
                     (double)wanted[n]);
    free(found);
    free(wanted);
}

/* Draws on renderbuffers of a format with one sample, and with four. */
static void compare_renderbuffers(const char *format, const char *attachment)
{
    char script[4096];
    struct seen seen;

    snprintf(
        script, sizeof(script),
        CURRENT DEPTHS FRAMEBUFFER(1) /* 2 to 12 */
        "glBindRenderbuffer(target=36161, renderbuffer=1)\n"
        "glRenderbufferStorage(target=36161, internalformat=%s, width=16, "
        "height=12)\n" ATTACH_RENDERBUFFER("%s", 1) DRAW /* 16 */
            FRAMEBUFFER(
                2) "glBindRenderbuffer(target=36161, renderbuffer=2)\n"
                   "glRenderbufferStorageMultisample(target=36161, samples=4, internalformat=%s, "
                   "width=16, height=12)\n" ATTACH_RENDERBUFFER("%s", 2) DRAW /* 22 */
                       SWAP,
        format, attachment, format, attachment);
    seen_open(script, &seen);
    expect_equal_depths(&seen, 16, 22);
    seen_close(&seen);
}

static void depths_of_renderbuffers_are_those_of_a_sample(void **state)
{
    static const char *const formats[][2] = {
        {"33189", "36096"}, /* GL_DEPTH_COMPONENT16 */
        {"33190", "36096"}, /* GL_DEPTH_COMPONENT24 */
        {"33191", "36096"}, /* GL_DEPTH_COMPONENT32 */
        {"36012", "36096"}, /* GL_DEPTH_COMPONENT32F */
        {"35056", "33306"}, /* GL_DEPTH24_STENCIL8 */
        {"35056", "36096"}, /* the same, without its stencil values */
        {"36013", "33306"}, /* GL_DEPTH32F_STENCIL8 */
        {"36013", "36096"},
    };

    (void)state;
    for (size_t n = 0; n < sizeof(formats) / sizeof(formats[0]); n++) {
        print_message("format %s, attachment %s\n", formats[n][0], formats[n][1]);
        compare_renderbuffers(formats[n][0], formats[n][1]);
    }
}

/* Layer 1 of an array with two, and the same array as a whole. */
static void depths_of_layers_are_those_of_a_sample(void **state)
{
    struct seen seen;
    float *all, *one;

    (void)state;
    seen_open(
        CURRENT DEPTHS /* 2 to 10 */
        "glBindTexture(target=37122, texture=1)\n"
        "glTexImage3DMultisample(target=37122, samples=4, internalformat=33190, width=16, "
        "height=12, depth=2, fixedsamplelocations=1)\n" FRAMEBUFFER(1) /* 13, 14 */
        "glFramebufferTextureLayer(target=36160, attachment=36096, texture=1, level=0, "
        "layer=1)\n" DRAW /* 16 */
            FRAMEBUFFER(
                2) "glFramebufferTexture(target=36160, attachment=36096, texture=1, level=0)\n"
                   "glClearDepth(depth=0.9)\nglClear(mask=256)\n" /* 21 */
        FRAMEBUFFER(1) DRAW FRAMEBUFFER(2)                        /* 24 */
        DRAW                                                      /* 27, on layer 0 */
            FRAMEBUFFER(
                3) "glBindTexture(target=3553, texture=2)\n"
                   "glTexImage2D(target=3553, level=0, internalformat=33190, width=16, height=12, "
                   "border=0, format=6402, type=5125, pixels=null)\n"
                   "glFramebufferTexture2D(target=36160, attachment=36096, textarget=3553, "
                   "texture=2, "
                   "level=0)\n" DRAW /* 33 */
                       SWAP,
        &seen);
    expect_equal_depths(&seen, 33, 16);
    expect_equal_depths(&seen, 33, 24);
    expect_equal_depths(&seen, 33, 27);
    one = (float *)(void *)seen_text(&seen, 33, "/depth.bin");
    all = (float *)(void *)seen_text(&seen, 27, "/depth.bin");
    assert_memory_equal(all + PIXELS, one, PIXELS * sizeof(*one));
    free(all);
    free(one);
    seen_close(&seen);
}

#define ES_SHADER(n, kind, text) SHADER(n, kind, "#version 300 es\r" text)

static void opengl_es_has_depths_of_a_sample(void **state)
{
    struct seen seen;

    (void)state;
    seen_open(
        "eglBindAPI(api=12448) = 1\n"
        "eglCreateContext(dpy=0x1, config=0xF, share_context=null, "
        "attrib_list={12440, 3, 12344}) = 0xC\n"
        "eglMakeCurrent(dpy=0x1, draw=0x5, read=0x5, ctx=0xC) = 1\n"
        "glViewport(x=0, y=0, width=16, height=12)\n" /* 3 */
        ES_SHADER(1, 35633,
                  "void main() { gl_Position = "
                  "vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0); }")
            ES_SHADER(2, 35632,
                      "precision highp float; void main() { ivec2 p = ivec2(gl_FragCoord.xy); "
                      "gl_FragDepth = float(p.x + 16 * p.y) / 191.0; }") /* 9 */
        "glCreateProgram() = 3\nglAttachShader(program=3, shader=1)\n"
        "glAttachShader(program=3, shader=2)\nglLinkProgram(program=3)\n"
        "glUseProgram(program=3)\nglEnable(cap=2929)\nglDepthFunc(func=519)\n" /* 16 */
        "glBindFramebuffer(target=36160, framebuffer=1)\n"
        "glBindRenderbuffer(target=36161, renderbuffer=1)\n"
        "glRenderbufferStorage(target=36161, internalformat=33190, width=16, "
        "height=12)\n" ATTACH_RENDERBUFFER(
            "36096",
            1) "glDrawArrays(mode=4, first=0, count=3)\n" /* 21 */
               "glBindRenderbuffer(target=36161, renderbuffer=2)\n"
               "glRenderbufferStorageMultisample(target=36161, samples=4, internalformat=33190, "
               "width=16, height=12)\n" ATTACH_RENDERBUFFER(
                   "36096", 2) "glDrawArrays(mode=4, first=0, count=3)\n" /* 25 */
                               "eglSwapBuffers(dpy=0x1, surface=0x5) = 1\n",
        &seen);
    expect_equal_depths(&seen, 21, 25);
    seen_close(&seen);
}

static void depths_of_windows_are_those_of_a_sample(void **state)
{
    struct seen single, several;
    float *wanted, *found;

    (void)state;
    seen_open(CURRENT DEPTHS DRAW SWAP, &single);
    seen_open(SAMPLES CURRENT DEPTHS DRAW SWAP, &several);
    wanted = (float *)(void *)seen_text(&single, 11, "/depth.bin");
    found = (float *)(void *)seen_text(&several, 13, "/depth.bin");
    assert_memory_equal(found, wanted, PIXELS * sizeof(*wanted));
    free(found);
    free(wanted);
    seen_close(&several);
    seen_close(&single);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(depths_of_renderbuffers_are_those_of_a_sample),
        cmocka_unit_test(depths_of_layers_are_those_of_a_sample),
        cmocka_unit_test(opengl_es_has_depths_of_a_sample),
        cmocka_unit_test(depths_of_windows_are_those_of_a_sample),
    };

    if (getenv("GPUDUMPFS_TEST") != NULL)
        cmocka_set_test_filter(getenv("GPUDUMPFS_TEST"));
    return cmocka_run_group_tests_name("apitrace_samples", tests, NULL, NULL);
}

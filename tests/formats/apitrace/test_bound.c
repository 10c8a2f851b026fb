/* SPDX-License-Identifier: MIT */
/* What a draw has bound: textures that shaders sample, and buffers, as shown by their files */
#include "config.h"

#include "tests/formats/apitrace/seen.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

/* A program of a fragment shader: seven calls */
#define PROGRAM(shader, program, text)                                                             \
    SHADER(shader, 35632, "#version 330 compatibility\r" text)                                     \
    "glCreateProgram() = " #program "\nglAttachShader(program=" #program ", shader=" #shader       \
    ")\nglLinkProgram(program=" #program ")\nglUseProgram(program=" #program ")\n"
/* A program that samples unit 0 */
#define SAMPLING(sampler, fetch)                                                                   \
    PROGRAM(1, 2, "uniform " sampler " s; void main() { gl_FragColor = vec4(" fetch "); }")
#define DRAW "glRectf(x1=-1.0, y1=-1.0, x2=1.0, y2=1.0)\n"

/* Texture 1 with four samples, attached to framebuffer 1: four calls */
#define SAMPLED(format)                                                                            \
    "glBindTexture(target=37120, texture=1)\n"                                                     \
    "glTexImage2DMultisample(target=37120, samples=4, internalformat=" #format ", width=6, "       \
    "height=4, fixedsamplelocations=1)\n"                                                          \
    "glBindFramebuffer(target=36160, framebuffer=1)\n"                                             \
    "glFramebufferTexture2D(target=36160, attachment=36064, textarget=37120, texture=1, "          \
    "level=0)\n"
#define WINDOW_AGAIN "glBindFramebuffer(target=36160, framebuffer=0)\n"

static void expect_row(const struct seen *seen, unsigned draw, const char *row)
{
    char *text = seen_text(seen, draw, "/textures/textures.tsv");

    if (strstr(text, row) == NULL)
        print_message("%s", text);
    assert_non_null(strstr(text, row));
    free(text);
}

static void textures_of_several_samples_are_resolved(void **state)
{
    struct seen seen;

    (void)state;
    seen_open(CURRENT SAMPLED(32856) CLEAR(1.0, 0.0, 1.0) WINDOW_AGAIN       /* 2 to 8 */
                  SAMPLING("sampler2DMS", "texelFetch(s, ivec2(0), 0)") DRAW /* 16 */
                      SWAP,
              &seen);
    expect_row(&seen, 16, "0\tGL_TEXTURE_2D_MULTISAMPLE\t1\tGL_RGBA8\t6\t4\t1\t1\t");
    seen_expect_middle(&seen, 16, "/textures/00-2d-ms-00.png", "FF00FF");
    seen_close(&seen);
}

/* Integers have no mean: one of the samples is shown. */
static void whole_numbers_of_several_samples_are_shown(void **state)
{
    struct seen seen;

    (void)state;
    seen_open(CURRENT SAMPLED(36220)
                  PROGRAM(3, 4, "out uvec4 c; void main() { c = uvec4(7, 8, 9, 255); }") /* 6 */
              DRAW WINDOW_AGAIN                                               /* 13, 14 */
                  SAMPLING("usampler2DMS", "texelFetch(s, ivec2(0), 0)") DRAW /* 22 */
                      SWAP,
              &seen);
    seen_expect_middle(&seen, 13, "/colour-0.png", "070809");
    seen_expect_middle(&seen, 22, "/textures/00-2d-ms-00.png", "070809");
    seen_close(&seen);
}

static void texture_buffers_have_their_texels(void **state)
{
    static const char wanted[4] = {1, 2, 3, 4};
    struct seen seen;
    char *bytes;

    (void)state;
    seen_open(CURRENT "glBindBuffer(target=35882, buffer=7)\n"
                      "glBufferData(target=35882, size=4, data=[01 02 03 04], usage=35044)\n"
                      "glBindTexture(target=35882, texture=5)\n"
                      "glTexBuffer(target=35882, internalformat=33321, buffer=7)\n" SAMPLING(
                          "samplerBuffer", "texelFetch(s, 1)") DRAW /* 13 */
                          SWAP,
              &seen);
    expect_row(&seen, 13, "0\tGL_TEXTURE_BUFFER\t5\tGL_R8\t4\t1\t1\t1\t");
    bytes = seen_text(&seen, 13, "/buffers/texels-0-7.bin");
    assert_memory_equal(bytes, wanted, sizeof(wanted));
    free(bytes);
    seen_close(&seen);
}

/* The second layer is below the first one. */
static void all_layers_that_are_attached_are_there(void **state)
{
    struct seen seen;

    (void)state;
    seen_open(CURRENT "glBindTexture(target=35866, texture=7)\n"
                      "glTexStorage3D(target=35866, levels=1, internalformat=32856, width=4, "
                      "height=2, depth=2)\n"
                      "glBindFramebuffer(target=36160, framebuffer=1)\n"
                      "glFramebufferTexture(target=36160, attachment=36064, texture=7, "
                      "level=0)\n" CLEAR(1.0, 0.0, 0.0) /* 7 */
              "glClearTexSubImage(texture=7, level=0, xoffset=0, yoffset=0, zoffset=1, "
              "width=4, height=1, depth=1, format=6408, type=5121, data=[10 20 30 40])\n"
              "glClearTexSubImage(texture=7, level=0, xoffset=0, yoffset=1, zoffset=1, "
              "width=4, height=1, depth=1, format=6408, type=5121, data=[50 60 70 80])\n"
              "glClear(mask=256)\n" /* 10 */
              SWAP,
              &seen);
    seen_expect_middle(&seen, 7, "/colour-0.png", "FF0000");
    seen_expect_middle(&seen, 10, "/colour-0.png", "506070");
    seen_close(&seen);
}

/* What is drawn on has one row, although the texture's level has one for each layer. */
static void layers_of_one_dimension_are_one_row(void **state)
{
    struct seen seen;

    (void)state;
    seen_open(CURRENT "glBindTexture(target=35864, texture=7)\n"
                      "glTexStorage2D(target=35864, levels=1, internalformat=32856, width=4, "
                      "height=3)\n"
                      "glBindFramebuffer(target=36160, framebuffer=1)\n"
                      "glFramebufferTextureLayer(target=36160, attachment=36064, texture=7, "
                      "level=0, layer=2)\n" CLEAR(1.0, 0.0, 0.0) /* 7 */
              SWAP,
              &seen);
    seen_expect_middle(&seen, 7, ".png", "FF0000");
    seen_expect_middle(&seen, 7, "/colour-0.png", "FF0000");
    seen_close(&seen);
}

/* Sets image unit 3, and makes a program that loads from it. */
#define LOADING(image, texture)                                                                    \
    "glBindImageTexture(unit=3, texture=" #texture                                                 \
    ", level=0, layered=0, layer=1, access=35000, format=32856)\n" PROGRAM(                        \
        1, 2,                                                                                      \
        "#extension GL_ARB_shader_image_load_store : enable\r"                                     \
        "layout(rgba8) readonly uniform " image " i; "                                             \
        "void main() { gl_FragColor = imageLoad(i, 0); }") "glUniform1i(location=0, v0=3)\n"

/* Unit 3 has a layer of an array; the array is shown. */
static void images_that_shaders_load_are_there(void **state)
{
    struct seen seen;
    char *text;

    (void)state;
    seen_open(CURRENT "glBindTexture(target=35866, texture=7)\n"
                      "glTexStorage3D(target=35866, levels=1, internalformat=32856, width=4, "
                      "height=2, depth=2)\n"
                      "glClearTexSubImage(texture=7, level=0, xoffset=0, yoffset=0, zoffset=1, "
                      "width=4, height=2, depth=1, format=6408, type=5121, data=[10 20 30 40])\n"
                      "glBindTexture(target=35866, texture=0)\n" LOADING("image1D", 7) DRAW /* 15 */
                          SWAP,
              &seen);
    seen_expect_middle(&seen, 15, "/textures/03-image-2d-array-00.png", "102030");
    text = seen_text(&seen, 15, "/state.txt");
    assert_non_null(strstr(text, "GL_IMAGE_UNIT3.GL_IMAGE_BINDING_NAME = 7\n"));
    assert_non_null(strstr(text, "GL_IMAGE_UNIT3.GL_IMAGE_BINDING_LAYERED = GL_FALSE\n"));
    assert_null(strstr(text, "GL_TEXTURE_2D_ARRAY."));
    free(text);
    seen_close(&seen);
}

static void texels_of_images_are_there(void **state)
{
    static const char wanted[4] = {1, 2, 3, 4};
    struct seen seen;
    char *bytes;

    (void)state;
    seen_open(CURRENT "glBindBuffer(target=35882, buffer=7)\n"
                      "glBufferData(target=35882, size=4, data=[01 02 03 04], usage=35044)\n"
                      "glBindTexture(target=35882, texture=5)\n"
                      "glTexBuffer(target=35882, internalformat=32856, buffer=7)\n" LOADING(
                          "imageBuffer", 5) DRAW /* 15 */
                          SWAP,
              &seen);
    bytes = seen_text(&seen, 15, "/buffers/texels-3-7.bin");
    assert_memory_equal(bytes, wanted, sizeof(wanted));
    free(bytes);
    seen_close(&seen);
}

static void buffers_of_transform_feedback_are_there(void **state)
{
    static const char wanted[4] = {9, 8, 7, 6};
    struct seen seen;
    char *bytes;

    (void)state;
    seen_open(CURRENT
              "glBindBufferBase(target=35982, index=1, buffer=3)\n"
              "glBufferData(target=35982, size=4, data=[09 08 07 06], usage=35044)\n" DRAW SWAP,
              &seen);
    bytes = seen_text(&seen, 4, "/buffers/feedback-1-3.bin");
    assert_memory_equal(bytes, wanted, sizeof(wanted));
    free(bytes);
    seen_close(&seen);
}

/* OpenGL ES has another name for the number of binding points. */
static void opengl_es_has_buffers_of_transform_feedback(void **state)
{
    static const char wanted[4] = {9, 8, 7, 6};
    struct seen seen;
    char *bytes;

    (void)state;
    seen_open("eglBindAPI(api=12448) = 1\n"
              "eglCreateContext(dpy=0x1, config=0xF, share_context=null, "
              "attrib_list={12440, 3, 12344}) = 0xC\n"
              "eglMakeCurrent(dpy=0x1, draw=0x5, read=0x5, ctx=0xC) = 1\n"
              "glViewport(x=0, y=0, width=16, height=12)\n"
              "glBindBufferBase(target=35982, index=1, buffer=3)\n"
              "glBufferData(target=35982, size=4, data=[09 08 07 06], usage=35044)\n"
              "glClear(mask=16384)\n" /* 6 */
              "eglSwapBuffers(dpy=0x1, surface=0x5) = 1\n",
              &seen);
    bytes = seen_text(&seen, 6, "/buffers/feedback-1-3.bin");
    assert_memory_equal(bytes, wanted, sizeof(wanted));
    free(bytes);
    bytes = seen_text(&seen, 6, "/state.txt");
    assert_non_null(strstr(bytes, "GL_TRANSFORM_FEEDBACK_BUFFER[1] = 3, "));
    free(bytes);
    seen_close(&seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(textures_of_several_samples_are_resolved),
        cmocka_unit_test(whole_numbers_of_several_samples_are_shown),
        cmocka_unit_test(texture_buffers_have_their_texels),
        cmocka_unit_test(all_layers_that_are_attached_are_there),
        cmocka_unit_test(layers_of_one_dimension_are_one_row),
        cmocka_unit_test(images_that_shaders_load_are_there),
        cmocka_unit_test(texels_of_images_are_there),
        cmocka_unit_test(buffers_of_transform_feedback_are_there),
        cmocka_unit_test(opengl_es_has_buffers_of_transform_feedback),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

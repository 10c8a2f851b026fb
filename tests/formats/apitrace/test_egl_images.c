/* SPDX-License-Identifier: MIT */
/* EGLImages: of levels, layers and faces of textures, and of renderbuffers; what shares them. */
#include "config.h"

#include "tests/formats/apitrace/seen.h"
#include "tests/support/support.h"
#include "tests/support/walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An image of texture 1, of the window's size, in an OpenGL ES context: calls 0 to 6 */
#define IMAGE                                                                                      \
    "eglBindAPI(api=12448) = 1\n"                                                                  \
    "eglCreateContext(dpy=0x1, config=0xF, share_context=null, "                                   \
    "attrib_list={12440, 3, 12344}) = 0xC\n"                                                       \
    "eglMakeCurrent(dpy=0x1, draw=0x5, read=0x5, ctx=0xC) = 1\n"                                   \
    "glViewport(x=0, y=0, width=16, height=12)\n"                                                  \
    "glBindTexture(target=3553, texture=1)\n"                                                      \
    "glTexImage2D(target=3553, level=0, internalformat=6408, width=16, height=12, border=0, "      \
    "format=6408, type=5121, pixels=null)\n"                                                       \
    "eglCreateImageKHR(dpy=0x1, ctx=0xC, target=12465, buffer=0x1, attrib_list={}) = 0x77\n"

/*
 * What is drawn to one of the textures is seen in the other, whatever the tracer recorded of its
 * pixels.
 */
static void images_are_shared_by_their_textures(void **state)
{
    struct seen seen;

    (void)state;
    seen_open(IMAGE "glBindTexture(target=3553, texture=2)\n"
                    "glEGLImageTargetTexture2DOES(target=3553, image=0x77)\n"
                    "glTexImage2D(target=3553, level=0, internalformat=6408, width=16, height=12, "
                    "border=0, format=6408, type=5121, pixels=null) // fake\n"
                    "glBindFramebuffer(target=36160, framebuffer=1)\n"
                    "glFramebufferTexture2D(target=36160, attachment=36064, textarget=3553, "
                    "texture=2, level=0)\n" CLEAR(0.0, 1.0,
                                                  0.0) "eglSwapBuffers(dpy=0x1, surface=0x5) = 1\n",
              &seen);
    seen_expect_halves(&seen, "textures/00002-00.png", "00FF00 00FF00");
    seen_expect_halves(&seen, "textures/00001-00.png", "00FF00 00FF00");
    seen_close(&seen);
}

static void images_are_shared_with_renderbuffers(void **state)
{
    struct seen seen;

    (void)state;
    seen_open(IMAGE "glBindRenderbuffer(target=36161, renderbuffer=1)\n"
                    "glEGLImageTargetRenderbufferStorageOES(target=36161, image=0x77)\n"
                    "glBindFramebuffer(target=36160, framebuffer=1)\n"
                    "glFramebufferRenderbuffer(target=36160, attachment=36064, "
                    "renderbuffertarget=36161, renderbuffer=1)\n" CLEAR(0.0, 1.0, 0.0) /* 12 */
              "eglSwapBuffers(dpy=0x1, surface=0x5) = 1\n",
              &seen);
    seen_expect_middle(&seen, 12, ".png", "00FF00");
    seen_expect_middle(&seen, 12, "/colour-0.png", "00FF00");
    seen_expect_halves(&seen, "textures/00001-00.png", "00FF00 00FF00");
    seen_close(&seen);
}

#define USE_IMAGE                                                                                  \
    "glBindRenderbuffer(target=36161, renderbuffer=9)\n"                                           \
    "glEGLImageTargetRenderbufferStorageOES(target=36161, image=0x77)\n"                           \
    "glBindFramebuffer(target=36160, framebuffer=1)\n"                                             \
    "glFramebufferRenderbuffer(target=36160, attachment=36064, renderbuffertarget=36161, "         \
    "renderbuffer=9)\n"
#define ES_SWAP "eglSwapBuffers(dpy=0x1, surface=0x5) = 1\n"

/* Checks that draw `draw`, to renderbuffer 9, has a picture of that size that is green. */
static void expect_green(const struct seen *seen, unsigned draw, unsigned width, unsigned height)
{
    unsigned found_width, found_height;
    char path[64];

    snprintf(path, sizeof(path), "by-frame/000000/draws/%08u.png", draw);
    free(apitrace_pixels(&seen->opened, path, &found_width, &found_height));
    assert_int_equal(found_width, width);
    assert_int_equal(found_height, height);
    seen_expect_middle(seen, draw, ".png", "00FF00");
    seen_expect_middle(seen, draw, "/colour-0.png", "00FF00");
}

static void images_are_made_of_levels(void **state)
{
    struct seen seen;

    (void)state;
    seen_open(ES_CURRENT
              "glBindTexture(target=3553, texture=1)\n"
              "glTexStorage2D(target=3553, levels=2, internalformat=32856, width=16, "
              "height=12)\n"
              "eglCreateImageKHR(dpy=0x1, ctx=0xC, target=12465, buffer=0x1, "
              "attrib_list={12476, 1, 12344}) = 0x77\n" USE_IMAGE CLEAR(0.0, 1.0, 0.0) /* 12 */
              ES_SWAP,
              &seen);
    expect_green(&seen, 12, 8, 6);
    seen_expect_halves(&seen, "textures/00001-01.png", "00FF00 00FF00");
    seen_close(&seen);
}

static void images_are_made_of_layers(void **state)
{
    struct seen seen;

    (void)state;
    seen_open(ES_CURRENT
              "glBindTexture(target=32879, texture=1)\n"
              "glTexStorage3D(target=32879, levels=1, internalformat=32856, width=16, "
              "height=12, depth=3)\n"
              "eglCreateImageKHR(dpy=0x1, ctx=0xC, target=12466, buffer=0x1, "
              "attrib_list={12477, 2, 12344}) = 0x77\n" USE_IMAGE CLEAR(0.0, 1.0, 0.0) /* 12 */
              "glFramebufferTextureLayer(target=36160, attachment=36064, texture=1, level=0, "
              "layer=2)\nglClear(mask=256)\n" /* 14 */
              ES_SWAP,
              &seen);
    expect_green(&seen, 12, 16, 12);
    expect_green(&seen, 14, 16, 12);
    seen_close(&seen);
}

static void images_are_made_of_faces(void **state)
{
    struct seen seen;

    (void)state;
    seen_open(ES_CURRENT "glBindTexture(target=34067, texture=1)\n"
                         "glTexStorage2D(target=34067, levels=1, internalformat=32856, width=8, "
                         "height=8)\n"
                         "eglCreateImage(dpy=0x1, ctx=0xC, target=12469, buffer=0x1, "
                         "attrib_list={}) = 0x77\n" USE_IMAGE CLEAR(0.0, 1.0, 0.0) /* 12 */
              "glFramebufferTexture2D(target=36160, attachment=36064, textarget=34071, texture=1, "
              "level=0)\nglClear(mask=256)\n" /* 14 */
              ES_SWAP,
              &seen);
    expect_green(&seen, 12, 8, 8);
    expect_green(&seen, 14, 8, 8);
    seen_close(&seen);
}

/* The renderbuffer of which the image is made gets another storage afterwards. */
static void images_are_made_of_renderbuffers(void **state)
{
    struct seen seen;

    (void)state;
    seen_open(ES_CURRENT "glBindRenderbuffer(target=36161, renderbuffer=1)\n"
                         "glRenderbufferStorage(target=36161, internalformat=32856, width=10, "
                         "height=7)\n"
                         "eglCreateImageKHR(dpy=0x1, ctx=0xC, target=12473, buffer=0x1, "
                         "attrib_list={12344}) = 0x77\n"
                         "glRenderbufferStorage(target=36161, internalformat=32856, width=3, "
                         "height=4)\n" USE_IMAGE CLEAR(0.0, 1.0, 0.0) /* 13 */
              ES_SWAP,
              &seen);
    expect_green(&seen, 13, 10, 7);
    seen_close(&seen);
}

/* What happens to the texture of which it was made does not concern an image. */
static void images_keep_their_size(void **state)
{
    struct seen seen;

    (void)state;
    seen_open(IMAGE USE_IMAGE /* 7 to 10 */
              "glTexImage2D(target=3553, level=0, internalformat=6408, width=5, height=3, "
              "border=0, format=6408, type=5121, pixels=null)\n" CLEAR(0.0, 1.0, 0.0) /* 13 */
              "glDeleteTextures(n=1, textures={1})\nglClear(mask=16384)\n"            /* 15 */
              ES_SWAP,
              &seen);
    expect_green(&seen, 13, 16, 12);
    expect_green(&seen, 15, 16, 12);
    seen_close(&seen);
}

/* The driver would make an image of a layer behind the last one, and write behind its memory. */
static void images_are_made_of_no_layer_behind_the_last(void **state)
{
    struct seen seen;
    size_t size;
    char *text;

    (void)state;
    seen_open(ES_CURRENT "glBindTexture(target=32879, texture=1)\n"
                         "glTexStorage3D(target=32879, levels=1, internalformat=32856, width=1024, "
                         "height=1024, depth=3)\n"
                         "eglCreateImageKHR(dpy=0x1, ctx=0xC, target=12466, buffer=0x1, "
                         "attrib_list={12477, 3, 12344}) = 0x77\n" USE_IMAGE CLEAR(0.0, 1.0, 0.0)
                             ES_SWAP,
              &seen);
    free(
        apitrace_pixels(&seen.opened, "by-frame/000000/image.png", &(unsigned){0}, &(unsigned){0}));
    text = walk_read(seen.opened.tree, "problems.txt", &size);
    assert_non_null(strstr(text, "the image cannot be created"));
    free(text);
    seen_close(&seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(images_are_shared_by_their_textures),
        cmocka_unit_test(images_are_shared_with_renderbuffers),
        cmocka_unit_test(images_are_made_of_levels),
        cmocka_unit_test(images_are_made_of_layers),
        cmocka_unit_test(images_are_made_of_faces),
        cmocka_unit_test(images_are_made_of_renderbuffers),
        cmocka_unit_test(images_keep_their_size),
        cmocka_unit_test(images_are_made_of_no_layer_behind_the_last),
    };

    if (getenv("GPUDUMPFS_TEST") != NULL)
        cmocka_set_test_filter(getenv("GPUDUMPFS_TEST"));
    return cmocka_run_group_tests_name("apitrace_egl_images", tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/*
 * What frames show, as found from calls: sizes of windows, which window is shown, what may be
 * skipped
 */
#include "config.h"

#include "tests/formats/apitrace/open.h"
#include "tests/formats/apitrace/script.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *folder;
static struct apitrace_opened opened;
static const struct apitrace_presentation *presentation;

static void open_script(const char *script)
{
    char *path = support_path(folder, "script.trace");

    apitrace_script(path, script);
    apitrace_open(path, &opened);
    assert_int_equal(apitrace_dump_presentation(tree_dump(opened.tree), NULL, &presentation), 0);
    free(path);
}

static void close_script(void)
{
    apitrace_close(&opened);
}

static void expect_size(uint64_t frame, uint32_t width, uint32_t height)
{
    assert_true(frame < apitrace_opened_index(&opened)->frame_count);
    assert_int_equal(presentation->frames[frame].width, width);
    assert_int_equal(presentation->frames[frame].height, height);
}

/* Checks a drawable's creation, name and largest size. */
static void expect_drawable(uint64_t place, uint64_t call, uint64_t handle, uint32_t width,
                            uint32_t height)
{
    assert_true(place < presentation->drawables.count);
    assert_int_equal(presentation->drawables.list[place].call, call);
    assert_int_equal(presentation->drawables.list[place].handle, handle);
    assert_int_equal(presentation->drawables.list[place].width, width);
    assert_int_equal(presentation->drawables.list[place].height, height);
}

/*
 * Checks from which frame on each frame's picture is drawn, and, marked by !, which frames must
 * always be drawn.
 */
static void expect_bases(const char *wanted)
{
    char found[256] = "";

    for (uint64_t n = 0; n < apitrace_opened_index(&opened)->frame_count; n++) {
        const struct apitrace_presented_frame *presented = &presentation->frames[n];

        snprintf(found + strlen(found), sizeof(found) - strlen(found), "%s%u%s", n > 0 ? " " : "",
                 presented->base, presented->full ? "!" : "");
    }
    assert_string_equal(found, wanted);
}

#define WINDOW                                                                                     \
    "glXCreateContext(dpy=0x1, vis=null, shareList=null, direct=1) = 0xC\n"                        \
    "glXMakeCurrent(dpy=0x1, drawable=5, ctx=0xC) = 1\n"
#define SWAP     "glXSwapBuffers(dpy=0x1, drawable=5)\n"
#define CLEAR    "glClear(mask=17664)\n" /* colour, depth, stencil */
#define DRAW     "glDrawArrays(mode=4, first=0, count=3)\n"
#define VIEWPORT "glViewport(x=0, y=0, width=100, height=50)\n"

static void the_greatest_viewport_is_the_size(void **state)
{
    (void)state;
    open_script(WINDOW VIEWPORT CLEAR SWAP
                "glViewport(x=10, y=20, width=100, height=50)\n" DRAW SWAP
                "glViewport(x=0, y=0, width=30, height=30)\n" CLEAR SWAP
                "glViewport(x=0, y=0, width=0, height=500)\n" DRAW
                "glViewport(x=-90, y=0, width=100, height=90)\n" DRAW SWAP);
    assert_int_equal(presentation->drawables.count, 1);
    expect_drawable(0, 1, 5, 110, 90);
    expect_size(0, 100, 50);
    expect_size(1, 110, 70);
    expect_size(2, 110, 70);
    expect_size(3, 110, 90);
    close_script();
}

static void viewports_of_framebuffer_objects_do_not_count(void **state)
{
    (void)state;
    open_script(WINDOW VIEWPORT "glBindFramebuffer(target=36160, framebuffer=3)\n"
                                "glViewport(x=0, y=0, width=2048, height=2048)\n"
                                "glBindFramebuffer(target=36008, framebuffer=0)\n" /* for reading */
                                "glViewport(x=0, y=0, width=1024, height=2048)\n"
                                "glBindFramebufferEXT(target=36009, framebuffer=0)\n"
                                "glViewport(x=0, y=0, width=120, height=50)\n" DRAW
                                "glBindFramebuffer(target=36160, framebuffer=3)\n"
                                "glDeleteFramebuffers(n=1, framebuffers={3})\n"
                                "glViewport(x=0, y=0, width=130, height=50)\n" DRAW SWAP);
    expect_size(0, 130, 50);
    close_script();
    /* Nor do those that are in force when such an object is unbound. */
    open_script(WINDOW VIEWPORT CLEAR
                "glViewport(x=0, y=0, width=120, height=50)\n"
                "glBindFramebuffer(target=36160, framebuffer=3)\n"
                "glViewport(x=0, y=0, width=512, height=512)\n" DRAW
                "glBindFramebuffer(target=36160, framebuffer=0)\n" CLEAR SWAP);
    expect_size(0, 100, 50);
    close_script();
}

static void viewport_arrays_count(void **state)
{
    (void)state;
    open_script(WINDOW "glViewportArrayv(first=0, count=1, v={0.0, 0.0, 60.5, 40.0})\n" DRAW SWAP
                       "glViewportArrayv(first=1, count=1, v={0.0, 0.0, 900.0, 900.0})\n" DRAW
                       "glViewportIndexedf(index=0, x=0.0, y=0.0, w=70.0, h=40.0)\n" DRAW
                       "glViewportIndexedf(index=1, x=0.0, y=0.0, w=700.0, h=400.0)\n" DRAW SWAP
                       "glViewportIndexedfv(index=0, v={0.0, 0.0, 80.0, 41.0})\n" DRAW SWAP);
    expect_size(0, 60, 40);
    expect_size(1, 70, 40);
    expect_size(2, 80, 41);
    close_script();
}

/* Drawing beyond a window's edge does not enlarge it. */
static void viewports_that_nothing_is_drawn_with_do_not_count(void **state)
{
    (void)state;
    open_script(WINDOW "glViewport(x=0, y=0, width=800, height=600)\n" VIEWPORT CLEAR SWAP
                       "glViewport(x=0, y=0, width=800, height=600)\n" SWAP VIEWPORT DRAW SWAP);
    expect_drawable(0, 1, 5, 100, 50);
    close_script();
    /* Viewports that the tracer adds for the window itself do count. */
    open_script(WINDOW "glViewport(x=0, y=0, width=120, height=60) // fake\n" VIEWPORT CLEAR SWAP);
    expect_drawable(0, 1, 5, 120, 60);
    close_script();
    /* If there are no others they are used. */
    open_script(WINDOW VIEWPORT SWAP);
    expect_drawable(0, 1, 5, 100, 50);
    close_script();
    /* If something is drawn with a viewport, it is the size of the window that is drawn to. */
    open_script(WINDOW VIEWPORT CLEAR "glViewport(x=0, y=0, width=200, height=60)\n"
                                      "glXMakeCurrent(dpy=0x1, drawable=6, ctx=0xC) = 1\n" DRAW
                                      "glXSwapBuffers(dpy=0x1, drawable=6)\n");
    expect_drawable(0, 1, 5, 100, 50);
    assert_int_equal(presentation->drawables.list[1].width, 200);
    close_script();
}

#define BLIT                                                                                       \
    "glBlitFramebuffer(srcX0=0, srcY0=0, srcX1=9, srcY1=9, dstX0=190, dstY0=42, dstX1=0, "         \
    "dstY1=0, mask=16384, filter=9728)\n"

static void blits_count_where_nothing_else_does(void **state)
{
    (void)state;
    open_script(WINDOW VIEWPORT CLEAR BLIT SWAP);
    expect_drawable(0, 1, 5, 100, 50);
    close_script();
    open_script(WINDOW BLIT SWAP);
    expect_drawable(0, 1, 5, 190, 42);
    expect_size(0, 190, 42);
    close_script();
}

static void what_a_pbuffer_states_wins(void **state)
{
    (void)state;
    open_script("eglCreatePbufferSurface(dpy=0x1, config=0x2, attrib_list={12375, 64, 12374, 32, "
                "12344}) = 0x50\n"
                "eglCreateContext(dpy=0x1, config=0x2, share_context=null, attrib_list={12344}) = "
                "0xC\n"
                "eglMakeCurrent(dpy=0x1, draw=0x50, read=0x50, ctx=0xC) = 1\n" VIEWPORT CLEAR
                "eglSwapBuffers(dpy=0x1, surface=0x50) = 1\n");
    expect_drawable(0, 0, 0x50, 64, 32);
    expect_size(0, 64, 32);
    assert_int_equal(presentation->frames[0].sized, APITRACE_SIZED_BY_ATTRIBUTES);
    close_script();
    open_script("wglCreatePbufferARB(hDC=0x1, iPixelFormat=1, iWidth=20, iHeight=10, "
                "piAttribList={0}) = 0x50\n"
                "wglGetPbufferDCARB(hPbuffer=0x50) = 0x60\n"
                "wglMakeCurrent(hdc=0x60, hglrc=0xC) = 1\n" CLEAR "wglSwapBuffers(hdc=0x60) = 1\n");
    assert_int_equal(presentation->drawables.count, 1);
    expect_drawable(0, 0, 0x50, 20, 10);
    expect_size(0, 20, 10);
    close_script();
}

static void without_any_size_one_is_assumed(void **state)
{
    (void)state;
    open_script(WINDOW CLEAR SWAP);
    expect_size(0, 640, 480);
    assert_int_equal(presentation->frames[0].sized, APITRACE_SIZED_NOT);
    close_script();
}

/* A context that is moved to another window keeps its viewport. */
static void a_second_window_has_the_viewport_it_found(void **state)
{
    (void)state;
    open_script(WINDOW VIEWPORT SWAP "glXMakeCurrent(dpy=0x1, drawable=6, ctx=0xC) = 1\n" CLEAR
                                     "glXSwapBuffers(dpy=0x1, drawable=6)\n");
    expect_drawable(1, 4, 6, 100, 50);
    expect_size(1, 100, 50);
    close_script();
}

static void a_name_that_is_made_again_is_another(void **state)
{
    (void)state;
    open_script("eglCreateWindowSurface(dpy=0x1, config=0x2, win=0x3, attrib_list={}) = 0x50\n"
                "eglMakeCurrent(dpy=0x1, draw=0x50, read=0x50, ctx=0xC) = 1\n" VIEWPORT
                "eglSwapBuffers(dpy=0x1, surface=0x50) = 1\n"
                "eglCreateWindowSurface(dpy=0x1, config=0x2, win=0x3, attrib_list={}) = 0x50\n"
                "eglMakeCurrent(dpy=0x1, draw=0x50, read=0x50, ctx=0xC) = 1\n"
                "glViewport(x=0, y=0, width=10, height=10)\n"
                "eglSwapBuffers(dpy=0x1, surface=0x50) = 1\n");
    expect_drawable(0, 0, 0x50, 100, 50);
    expect_drawable(1, 4, 0x50, 10, 10);
    expect_size(0, 100, 50);
    expect_size(1, 10, 10);
    close_script();
}

/* Contexts of every window system; calls that fail have no effect. */
static void every_window_system_is_followed(void **state)
{
    static const char *const scripts[] = {
        "wglMakeCurrent(hdc=0x5, hglrc=0xC) = 1\nwglMakeCurrent(hdc=0x6, hglrc=0xD) = 0\n" VIEWPORT
        "wglSwapLayerBuffers(hdc=0x5, fuPlanes=1) = 1\n",
        "wglMakeContextCurrentARB(hDrawDC=0x5, hReadDC=0x5, hglrc=0xC) = 1\n" VIEWPORT
        "wglSwapBuffers(hdc=0x5) = 1\n",
        "CGLSetCurrentContext(ctx=0x5) = 0\nCGLSetCurrentContext(ctx=0x6) = 10004\n" VIEWPORT
        "CGLFlushDrawable(ctx=0x5) = 0\n",
        "glXMakeContextCurrent(dpy=0x1, draw=5, read=5, ctx=0xC) = 1\n" VIEWPORT SWAP,
        WINDOW VIEWPORT "glFrameTerminatorGREMEDY()\n",
        WINDOW VIEWPORT "glXSwapBuffersMscOML(dpy=0x1, drawable=5, target_msc=0, divisor=0, "
                        "remainder=0) = 1\n",
    };

    (void)state;
    for (size_t n = 0; n < COUNT_OF(scripts); n++) {
        open_script(scripts[n]);
        expect_size(0, 100, 50);
        close_script();
    }
}

/* Each thread has its own context, and a swap shows the window that it names. */
static void threads_and_windows_are_kept_apart(void **state)
{
    (void)state;
    open_script("glXMakeCurrent(dpy=0x1, drawable=5, ctx=0xC) = 1\n"
                "@1 glXMakeCurrent(dpy=0x1, drawable=6, ctx=0xD) = 1\n"
                "glViewport(x=0, y=0, width=10, height=20)\n"
                "@1 glViewport(x=0, y=0, width=30, height=40)\n"
                "@1 glBindFramebuffer(target=36160, framebuffer=1)\n"
                "glViewport(x=0, y=0, width=11, height=20)\n"
                "@1 glViewport(x=0, y=0, width=900, height=900)\n"
                "glXSwapBuffers(dpy=0x1, drawable=5)\n"
                "@1 glXSwapBuffers(dpy=0x1, drawable=6)\n"
                "glXSwapBuffers(dpy=0x1, drawable=6)\n");
    expect_size(0, 11, 20);
    expect_size(1, 30, 40);
    expect_size(2, 30, 40);
    close_script();
}

static void unfinished_frames_are_shown_if_they_draw(void **state)
{
    (void)state;
    open_script(WINDOW VIEWPORT CLEAR DRAW "glFlush()\n");
    expect_size(0, 100, 50);
    assert_int_equal(presentation->last_draw, 4);
    close_script();
    open_script(WINDOW VIEWPORT CLEAR SWAP "glXDestroyContext(dpy=0x1, ctx=0xC)\n");
    expect_size(0, 100, 50);
    assert_int_equal(presentation->frames[1].drawable, APITRACE_NO_DRAWABLE);
    close_script();
    open_script(WINDOW VIEWPORT CLEAR "glXSwapBuffers(dpy=0x1, drawable=5) ...\n");
    expect_size(0, 100, 50);
    close_script();
}

static void traces_of_other_interfaces_show_nothing(void **state)
{
    (void)state;
    open_script("Direct3DCreate9(SDKVersion=32) = 0x1\n"
                "IDirect3DDevice9::Present(this=0x2) = 0\n");
    assert_int_equal(presentation->frames[0].drawable, APITRACE_NO_DRAWABLE);
    close_script();
    open_script("glViewport(x=0, y=0, width=3, height=3)\n" SWAP);
    assert_int_equal(presentation->frames[0].drawable, APITRACE_NO_DRAWABLE);
    close_script();
}

/* What may be skipped */

static void a_clear_of_all_begins_a_picture(void **state)
{
    (void)state;
    open_script(WINDOW VIEWPORT DRAW SWAP CLEAR DRAW SWAP DRAW SWAP DRAW CLEAR SWAP);
    expect_bases("0 1 1 3");
    close_script();
}

/*
 * Each of these prevents a clear from starting a picture; the table has the base of the second
 * frame.
 */
static void what_keeps_a_clear_from_covering_all(void **state)
{
    static const struct {
        const char *before, *after;
        unsigned base;
    } cases[] = {
        {"", "", 1},
        {"glEnable(cap=3089)\nglScissor(x=0, y=0, width=99, height=50)\n", "", 0},
        {"glEnable(cap=3089)\nglScissor(x=0, y=0, width=100, height=50)\n", "", 1},
        {"glScissor(x=0, y=0, width=9, height=9)\n", "", 1},
        {"glColorMask(red=1, green=1, blue=1, alpha=0)\n", "", 0},
        {"glColorMask(red=1, green=1, blue=1, alpha=0)\n"
         "glColorMask(red=1, green=1, blue=1, alpha=1)\n",
         "", 1},
        {"glPushAttrib(mask=16384)\nglColorMask(red=0, green=1, blue=1, alpha=1)\nglPopAttrib()\n",
         "", 1},
        {"glColorMask(red=0, green=1, blue=1, alpha=1)\nglPushAttrib(mask=16384)\n"
         "glColorMask(red=1, green=1, blue=1, alpha=1)\nglPopAttrib()\n",
         "", 0},
        {"glDrawBuffer(buf=1028)\n", "", 0},
        {"glBindFramebuffer(target=36160, framebuffer=3)\n",
         "glBindFramebuffer(target=36160, framebuffer=0)\n", 0},
        {"glNewList(list=1, mode=4864)\n", "glEndList()\n", 0},
        {"glNewList(list=1, mode=4864)\nglEnable(cap=3089)\nglEndList()\nglCallList(list=1)\n", "",
         0},
        {"glNewList(list=1, mode=4864)\nglEnable(cap=3089)\nglEndList()\n", "", 1},
        /* depth is not cleared, and tested */
        {"glDepthMask(flag=0)\n", "glEnable(cap=2929)\n", 0},
        {"glDepthMask(flag=0)\n", "", 1},
        {"glStencilMask(mask=1)\n", "glEnable(cap=2960)\n", 0},
        {"glStencilMask(mask=255)\n", "glEnable(cap=2960)\n", 1},
        {"glBindImageTexture(unit=0, texture=1)\n", "", 0},
        {"glBindBufferBase(target=37074, index=0, buffer=1)\n", "", 0},
        {"glBindBufferBase(target=35345, index=0, buffer=1)\n", "", 1},
    };

    (void)state;
    for (size_t n = 0; n < COUNT_OF(cases); n++) {
        char script[2048];

        snprintf(script, sizeof(script), "%s%s%s%s%s%s%s", WINDOW VIEWPORT CLEAR DRAW SWAP,
                 cases[n].before, CLEAR, cases[n].after, DRAW, SWAP, "");
        open_script(script);
        if (presentation->frames[1].base != cases[n].base)
            fail_msg("%s(clear) %s: %u", cases[n].before, cases[n].after,
                     presentation->frames[1].base);
        close_script();
    }
}

static void what_is_read_is_drawn(void **state)
{
    static const char *const readers[] = {
        "glCopyTexSubImage2D(target=3553, level=0, xoffset=0)\n",
        "glCopyPixels(x=0, y=0, width=1, height=1, type=6144)\n",
        "glReadPixels(x=0, y=0, width=1, height=1, format=6408, type=5121, pixels=0x10)\n",
        "glBindFramebuffer(target=36009, framebuffer=3)\n"
        "glBlitFramebuffer(srcX0=0, srcY0=0, srcX1=9, srcY1=9, dstX0=90, dstY0=42, "
        "dstX1=0, dstY1=0, mask=16384, filter=9728)\n"
        "glBindFramebuffer(target=36160, framebuffer=0)\n",
        ("glBlitNamedFramebuffer(readFramebuffer=0, drawFramebuffer=2, srcX0=0, srcY0=0, srcX1=9, "
         "srcY1=9, dstX0=0, dstY0=0, dstX1=1, dstY1=1)\n"),
    };

    (void)state;
    for (size_t n = 0; n < COUNT_OF(readers); n++) {
        char script[2048];

        snprintf(script, sizeof(script), "%s%s%s%s", WINDOW VIEWPORT CLEAR SWAP CLEAR SWAP DRAW,
                 readers[n], SWAP, CLEAR SWAP);
        open_script(script);
        expect_bases("0 1! 1! 3");
        close_script();
    }
    open_script(WINDOW VIEWPORT CLEAR SWAP CLEAR
                "glReadPixels(x=0, y=0, width=1, height=1, format=6408, type=5121, "
                "pixels=[00 00 00 00])\n" SWAP);
    expect_bases("0 1");
    close_script();
}

static void a_blit_of_all_begins_a_picture(void **state)
{
    (void)state;
    open_script(WINDOW VIEWPORT SWAP
                "glBindFramebuffer(target=36008, framebuffer=3)\n"
                "glBlitFramebuffer(srcX0=0, srcY0=0, srcX1=9, srcY1=9, dstX0=0, dstY0=0, "
                "dstX1=100, dstY1=50, mask=16384, filter=9728)\n" SWAP
                "glBlitFramebuffer(srcX0=0, srcY0=0, srcX1=9, srcY1=9, dstX0=0, dstY0=0, "
                "dstX1=100, dstY1=49, mask=16384, filter=9728)\n" SWAP);
    expect_bases("0 1 1");
    close_script();
}

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_greatest_viewport_is_the_size),
        cmocka_unit_test(viewports_of_framebuffer_objects_do_not_count),
        cmocka_unit_test(viewport_arrays_count),
        cmocka_unit_test(viewports_that_nothing_is_drawn_with_do_not_count),
        cmocka_unit_test(blits_count_where_nothing_else_does),
        cmocka_unit_test(what_a_pbuffer_states_wins),
        cmocka_unit_test(without_any_size_one_is_assumed),
        cmocka_unit_test(a_second_window_has_the_viewport_it_found),
        cmocka_unit_test(a_name_that_is_made_again_is_another),
        cmocka_unit_test(every_window_system_is_followed),
        cmocka_unit_test(threads_and_windows_are_kept_apart),
        cmocka_unit_test(unfinished_frames_are_shown_if_they_draw),
        cmocka_unit_test(traces_of_other_interfaces_show_nothing),
        cmocka_unit_test(a_clear_of_all_begins_a_picture),
        cmocka_unit_test(what_keeps_a_clear_from_covering_all),
        cmocka_unit_test(what_is_read_is_drawn),
        cmocka_unit_test(a_blit_of_all_begins_a_picture),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

/* SPDX-License-Identifier: MIT */
/*
 * Cuts must show what the frames do from which they were cut, to the pixel. Tests some frames of
 * each capture; GPUDUMPFS_CUT_FRAMES=all tests all of them, by hand.
 */
#include "config.h"

#include "tests/formats/apitrace/pictures.h"
#include "tests/formats/apitrace/script.h"
#include "tests/support/support.h"
#include "tests/support/walk.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 3, PATH_ROOM = 64 };

static bool has_picture(const struct apitrace_opened *opened, uint64_t frame)
{
    const struct apitrace_presentation *presentation;

    assert_int_equal(apitrace_dump_presentation(tree_dump(opened->tree), NULL, &presentation), 0);
    return presentation->frames[frame].drawable != APITRACE_NO_DRAWABLE;
}

/* Counts the pixels of a frame that differ from those of a frame of a cut. */
static unsigned count_differing(const struct apitrace_opened *of, uint64_t frame,
                                const struct apitrace_opened *cut, uint64_t cut_frame,
                                const char *name)
{
    unsigned width, height, cut_width, cut_height, differing = 0;
    char path[PATH_ROOM], cut_path[PATH_ROOM];
    uint8_t *pixels, *cut_pixels;

    snprintf(path, sizeof(path), "frames/%06llu.png", (unsigned long long)frame);
    snprintf(cut_path, sizeof(cut_path), "frames/%06llu.png", (unsigned long long)cut_frame);
    pixels = apitrace_pixels(of, path, &width, &height);
    cut_pixels = apitrace_pixels(cut, cut_path, &cut_width, &cut_height);
    if (width != cut_width || height != cut_height)
        fail_msg("%s: the cut of frame %llu has %ux%u pixels, the frame %ux%u", name,
                 (unsigned long long)frame, cut_width, cut_height, width, height);
    for (size_t n = 0; n < (size_t)width * height; n++)
        differing += memcmp(pixels + 4 * n, cut_pixels + 4 * n, 4) != 0;
    free(pixels);
    free(cut_pixels);
    return differing;
}

static void compare_frame(const struct apitrace_opened *of, uint64_t frame, const char *name)
{
    struct apitrace_opened cut;
    char path[PATH_ROOM], *bytes;
    unsigned differing;
    size_t size;

    snprintf(path, sizeof(path), "by-frame/%06llu/frame.trace", (unsigned long long)frame);
    bytes = walk_read(of->tree, path, &size);
    apitrace_open_bytes(bytes, size, &cut);
    differing = count_differing(of, frame, &cut, 0, name);
    if (differing > 0)
        fail_msg("%s: %u pixels of the cut of frame %llu differ", name, differing,
                 (unsigned long long)frame);
    apitrace_close(&cut);
    free(bytes);
}

static int sink(void *context, const void *bytes, size_t size)
{
    text_add_bytes(context, bytes, size);
    return 0;
}

/* Compares frames `first` to `last`, cut as one trace. */
static void compare_range(const struct apitrace_opened *of, uint64_t first, uint64_t last,
                          const char *name)
{
    struct dump *dump = tree_dump(of->tree);
    struct text bytes = TEXT_INIT;
    struct apitrace_opened cut;

    assert_int_equal(dump->ops->cut(dump, first, last, NULL, sink, &bytes), 0);
    assert_int_equal(text_status(&bytes), 0);
    apitrace_open_bytes(bytes.bytes, bytes.length, &cut);
    assert_int_equal(apitrace_opened_index(&cut)->frame_count, last - first + 1);
    for (uint64_t frame = first; frame <= last; frame++)
        if (has_picture(of, frame) && count_differing(of, frame, &cut, frame - first, name) > 0)
            fail_msg("%s: frame %llu of the cut of %llu to %llu differs", name,
                     (unsigned long long)(frame - first), (unsigned long long)first,
                     (unsigned long long)last);
    apitrace_close(&cut);
    text_clear(&bytes);
}

/* Compares frames of a trace with their cuts. Returns the number of frames. */
static unsigned compare_trace(const char *path, bool all)
{
    struct apitrace_opened opened;
    uint64_t frames, step;
    unsigned compared = 0;

    apitrace_open(path, &opened);
    frames = apitrace_opened_index(&opened)->frame_count;
    step = all || frames <= SAMPLES ? 1 : (frames - 1) / (SAMPLES - 1);
    for (uint64_t frame = 0; frame < frames; frame += step)
        if (has_picture(&opened, frame)) {
            compare_frame(&opened, frame, path);
            compared++;
        }
    if (frames > 8)
        compare_range(&opened, frames / 2, frames / 2 + 2, path);
    apitrace_close(&opened);
    return compared;
}

static void pictures_of_cuts_are_those_of_frames(void **state)
{
    const char *frames = getenv("GPUDUMPFS_CUT_FRAMES");
    bool all = frames != NULL && strcmp(frames, "all") == 0;
    char *folder = support_corpus("apitrace/real");
    unsigned found = 0, traces = 0, compared = 0;
    struct dirent **entries;
    int count;

    (void)state;
    apitrace_need_graphics();
    count = scandir(folder, &entries, NULL, alphasort);
    assert_true(count > 0);
    for (int n = 0; n < count; n++) {
        char *path = support_path(folder, entries[n]->d_name);
        bool tried =
            strstr(entries[n]->d_name, ".trace") != NULL && found++ % support_stride() == 0;
        unsigned some = tried ? compare_trace(path, all) : 0;

        traces += some > 0;
        compared += some;
        free(path);
        free(entries[n]);
    }
    print_message("%u frames of %u captures\n", compared, traces);
    assert_true(traces >= 15 / support_stride() && compared >= 2 * traces);
    free(entries);
    free(folder);
}

/* What a frame may need of the frames before it */

#define WINDOW                                                                                     \
    "glXCreateContext(dpy=0x1, vis=null, shareList=null, direct=1) = 0xC\n"                        \
    "glXMakeCurrent(dpy=0x1, drawable=5, ctx=0xC) = 1\n"                                           \
    "glViewport(x=0, y=0, width=64, height=48)\n"
#define SWAP "glXSwapBuffers(dpy=0x1, drawable=5)\n"
#define CLEAR(red, green, blue)                                                                    \
    "glClearColor(red=" red ", green=" green ", blue=" blue ", alpha=1.0)\n"                       \
    "glClear(mask=16384)\n"
#define RECT(red, green, x1, y1, x2, y2)                                                           \
    "glColor3f(red=" red ", green=" green ", blue=0.5)\n"                                          \
    "glRectf(x1=" x1 ", y1=" y1 ", x2=" x2 ", y2=" y2 ")\n"

static const struct {
    const char *name, *script;
} scenes[] = {
    {"cleared", WINDOW CLEAR("0.2", "0.4", "0.6") RECT("1.0", "0.0", "-0.5", "-0.5", "0.1", "0.3")
                    SWAP CLEAR("0.6", "0.4", "0.2") RECT("0.0", "1.0", "-0.2", "-0.9", "0.7", "0.9")
                        SWAP CLEAR("0.1", "0.1", "0.1") SWAP},
    {"not cleared",
     WINDOW CLEAR("0.2", "0.4", "0.6") RECT("1.0", "0.0", "-0.5", "-0.5", "0.1", "0.3")
         SWAP RECT("0.0", "1.0", "-0.2", "-0.9", "0.7", "0.1")
             SWAP RECT("0.5", "0.5", "0.2", "0.3", "0.9", "0.8") SWAP},
    {"growing",
     WINDOW CLEAR("0.2", "0.4", "0.6") RECT("1.0", "0.0", "-0.53", "-0.51", "0.1", "0.33") SWAP
     "glViewport(x=0, y=0, width=100, height=75)\n" CLEAR("0.6", "0.4", "0.2")
         RECT("0.0", "1.0", "-0.21", "-0.93", "0.71", "0.92") SWAP},
    {"a size that comes later",
     "glXCreateContext(dpy=0x1, vis=null, shareList=null, direct=1) = 0xC\n"
     "glXMakeCurrent(dpy=0x1, drawable=5, ctx=0xC) = 1\n" CLEAR("0.2", "0.4", "0.6")
         RECT("1.0", "0.0", "-0.53", "-0.51", "0.1", "0.33") SWAP CLEAR("0.9", "0.4", "0.6") SWAP
     "glViewport(x=0, y=0, width=64, height=48)\n" CLEAR("0.6", "0.4", "0.2")
         RECT("0.0", "1.0", "-0.21", "-0.93", "0.71", "0.92") SWAP},
    {"a texture of what was drawn",
     WINDOW CLEAR("0.2", "0.9", "0.6") RECT(
         "1.0", "0.0", "-0.5", "-0.5", "0.1",
         "0.3") "glBindTexture(target=3553, texture=7)\n"
                "glTexParameteri(target=3553, pname=10241, param=9728)\n"
                "glTexParameteri(target=3553, pname=10240, param=9728)\n"
                "glCopyTexImage2D(target=3553, level=0, internalformat=6407, x=0, y=0, width=64, "
                "height=48, border=0)\n" SWAP CLEAR("0.1", "0.1", "0.1") SWAP CLEAR(
                    "0.0", "0.0", "0.3") "glEnable(cap=3553)\n"
                                         "glBegin(mode=7)\n"
                                         "glTexCoord2f(s=0.0, t=0.0)\nglVertex2f(x=-0.5, y=-0.5)\n"
                                         "glTexCoord2f(s=1.0, t=0.0)\nglVertex2f(x=0.5, y=-0.5)\n"
                                         "glTexCoord2f(s=1.0, t=1.0)\nglVertex2f(x=0.5, y=0.5)\n"
                                         "glTexCoord2f(s=0.0, t=1.0)\nglVertex2f(x=-0.5, y=0.5)\n"
                                         "glEnd()\n" SWAP},
    {"a list", WINDOW "glNewList(list=3, mode=4864)\n" CLEAR("0.9", "0.1", "0.1")
                   RECT("1.0", "0.9", "-0.5", "-0.5", "0.1", "0.3") "glEndList()\n" CLEAR(
                       "0.2", "0.4", "0.6") SWAP CLEAR("0.0", "0.0", "0.3") SWAP
     "glCallList(list=3)\n" SWAP CLEAR("0.5", "0.5", "0.3") "glCallList(list=3)\n" SWAP},
    {"two windows", WINDOW CLEAR("0.2", "0.4", "0.6") SWAP
     "glXMakeCurrent(dpy=0x1, drawable=6, ctx=0xC) = 1\n"
     "glViewport(x=0, y=0, width=20, height=30)\n" CLEAR("0.9", "0.4", "0.6")
         RECT("1.0", "0.0", "-0.5", "-0.5", "0.1",
              "0.3") "glXSwapBuffers(dpy=0x1, drawable=6)\n"
                     "glXMakeCurrent(dpy=0x1, drawable=5, ctx=0xC) = 1\n"
                     "glViewport(x=0, y=0, width=64, height=48)\n" RECT("1.0", "0.0", "-0.5",
                                                                        "-0.5", "0.1", "0.3") SWAP
     "glXMakeCurrent(dpy=0x1, drawable=6, ctx=0xC) = 1\n"
     "glViewport(x=0, y=0, width=20, height=30)\n" RECT(
         "0.0", "0.7", "0.5", "-0.5", "0.1", "0.3") "glXSwapBuffers(dpy=0x1, drawable=6)\n"},
    {"two threads", WINDOW
     "@1 glXCreateContext(dpy=0x1, vis=null, shareList=0xC, direct=1) = 0xD\n"
     "@1 glXMakeCurrent(dpy=0x1, drawable=6, ctx=0xD) = 1\n"
     "@1 glViewport(x=0, y=0, width=24, height=16)\n" CLEAR(
         "0.2", "0.4",
         "0.6") "@1 glClearColor(red=0.7, green=0.1, blue=0.3, alpha=1.0)\n"
                "@1 glClear(mask=16384)\n" SWAP "@1 glXSwapBuffers(dpy=0x1, drawable=6)\n" CLEAR(
                    "0.9", "0.4", "0.6") "@1 glRectf(x1=0.0, y1=0.0, x2=0.5, y2=1.0)\n" SWAP
                                         "@1 glXSwapBuffers(dpy=0x1, drawable=6)\n"},
    {"unfinished", WINDOW CLEAR("0.2", "0.4", "0.6") SWAP CLEAR("0.9", "0.4", "0.6")
                       RECT("1.0", "0.0", "-0.5", "-0.5", "0.1",
                            "0.3") "glViewport(x=0, y=0, width=10, height=10)\n"},
    {"never returned", WINDOW CLEAR("0.2", "0.4", "0.6") SWAP CLEAR(
                           "0.9", "0.4", "0.6") "glXSwapBuffers(dpy=0x1, drawable=5) ...\n"},
    {"no context",
     "glViewport(x=0, y=0, width=64, height=48)\n" CLEAR("0.2", "0.4", "0.6")
         SWAP CLEAR("0.9", "0.4", "0.6") RECT("1.0", "0.0", "-0.5", "-0.5", "0.1", "0.3") SWAP},
};

static void a_frame_takes_what_it_needs_along(void **state)
{
    char *folder = support_folder(), *path = support_path(folder, "scene.trace");

    (void)state;
    apitrace_need_graphics();
    for (size_t n = 0; n < COUNT_OF(scenes); n++) {
        struct apitrace_opened opened;
        uint64_t frames;

        apitrace_script(path, scenes[n].script);
        apitrace_open(path, &opened);
        frames = apitrace_opened_index(&opened)->frame_count;
        assert_true(frames > 1);
        for (uint64_t frame = 0; frame < frames; frame++)
            compare_frame(&opened, frame, scenes[n].name);
        compare_range(&opened, 1, frames - 1, scenes[n].name);
        apitrace_close(&opened);
    }
    free(path);
    support_remove(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_frame_takes_what_it_needs_along),
        cmocka_unit_test(pictures_of_cuts_are_those_of_frames),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/*
 * Pictures of frames, through the tree: compares them with the corpus's references to the pixel,
 * and checks that any order of reading gives the same bytes; textures.
 */
#include "config.h"

#include "tests/formats/apitrace/pictures.h"
#include "tests/formats/apitrace/script.h"
#include "tests/support/support.h"
#include "tests/support/walk.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned count_differing(const char *path, const uint8_t *found, unsigned width,
                                unsigned height)
{
    unsigned wanted_width, wanted_height, differing = 0;
    size_t size;
    uint8_t *bytes = support_read(path, &size);
    uint8_t *wanted = apitrace_decode(bytes, size, &wanted_width, &wanted_height);

    assert_int_equal(width, wanted_width);
    assert_int_equal(height, wanted_height);
    for (size_t n = 0; n < (size_t)width * height; n++)
        differing += memcmp(wanted + 4 * n, found + 4 * n, 4) != 0;
    free(wanted);
    free(bytes);
    return differing;
}

/* Compares with one reference picture, NNNNNN.png. */
static void expect_picture(const struct apitrace_opened *opened, const char *folder,
                           const char *name)
{
    char *path = support_path(folder, name), inside[300];
    unsigned width, height, differing;
    uint8_t *pixels;
    size_t size;
    char *bytes;

    snprintf(inside, sizeof(inside), "frames/%s", name);
    bytes = walk_read(opened->tree, inside, &size);
    pixels = apitrace_decode(bytes, size, &width, &height);
    differing = count_differing(path, pixels, width, height);
    if (differing > 0)
        fail_msg("%s: %u of %u pixels differ", path, differing, width * height);
    free(pixels);
    free(bytes);
    free(path);
}

static unsigned expect_pictures(const char *name)
{
    char path[256], *folder, *trace;
    struct apitrace_opened opened;
    struct dirent **entries;
    int count;

    snprintf(path, sizeof(path), "apitrace/real/reference/%s/frames", name);
    folder = support_corpus(path);
    snprintf(path, sizeof(path), "apitrace/real/%s.trace", name);
    trace = support_corpus(path);
    apitrace_open(trace, &opened);
    count = scandir(folder, &entries, NULL, alphasort);
    assert_true(count > 2);
    for (int n = 0; n < count; n++) {
        if (entries[n]->d_name[0] != '.')
            expect_picture(&opened, folder, entries[n]->d_name);
        free(entries[n]);
    }
    free(entries);
    apitrace_close(&opened);
    free(trace);
    free(folder);
    return (unsigned)count - 2;
}

static void reference_pictures_are_equal(void **state)
{
    static const char *const names[] = {
        "es2gears",          "es2tri",       "glmark2_build",   "glmark2_bump",
        "glmark2_texture",   "glxdemo",      "glmark2_desktop", "glmark2es2_effect2d",
        "glmark2es2_shadow", "glxgears",     "glxheads",        "neverball",
        "xss_boing",         "xss_glmatrix", "xss_pulsar"};
    unsigned pictures = 0;

    (void)state;
    apitrace_need_graphics();
    for (size_t n = 0; n < COUNT_OF(names); n++)
        pictures += expect_pictures(names[n]);
    assert_int_equal(pictures, 254);
}

static void open_corpus(const char *name, struct apitrace_opened *opened)
{
    char *path = support_corpus(name);

    apitrace_open(path, opened);
    free(path);
}

static uint32_t sum_of(const struct apitrace_opened *opened, unsigned frame)
{
    char path[32], *bytes;
    uint32_t sum;
    size_t size;

    snprintf(path, sizeof(path), "frames/%06u.png", frame);
    bytes = walk_read(opened->tree, path, &size);
    sum = support_crc32(bytes, size);
    free(bytes);
    return sum;
}

/* With frames skipped and without, forwards and backwards */
static void any_order_gives_the_same_bytes(void **state)
{
    static const char *const names[] = {"apitrace/real/glmark2es2_shadow.trace",
                                        "apitrace/real/xss_pulsar.trace"};
    enum { FRAMES = 40, STEPS = 12 };

    (void)state;
    apitrace_need_graphics();
    for (size_t n = 0; n < COUNT_OF(names); n++) {
        struct apitrace_opened opened;
        uint32_t sums[FRAMES];
        uint64_t random = 11;

        open_corpus(names[n], &opened);
        for (unsigned frame = 0; frame < FRAMES; frame++)
            sums[frame] = sum_of(&opened, frame);
        apitrace_close(&opened);
        open_corpus(names[n], &opened);
        for (unsigned step = 0; step < STEPS; step++) {
            unsigned frame = (unsigned)(support_random(&random) % FRAMES);

            assert_int_equal(sum_of(&opened, frame), sums[frame]);
        }
        apitrace_close(&opened);
    }
}

/* For a large trace, what is requested first is drawn before all has been read. */
static void early_pictures_are_the_whole_traces(void **state)
{
    enum { FRAMES = 3 };
    uint32_t sums[FRAMES];
    struct apitrace_opened opened;

    (void)state;
    apitrace_need_graphics();
    open_corpus("apitrace/real/neverball.trace", &opened);
    for (unsigned frame = 0; frame < FRAMES; frame++)
        sums[frame] = sum_of(&opened, frame);
    assert_true(apitrace_is_early(tree_dump(opened.tree)));
    apitrace_close(&opened);
    open_corpus("apitrace/real/neverball.trace", &opened);
    (void)apitrace_opened_index(&opened);
    for (unsigned frame = FRAMES; frame-- > 0;)
        assert_int_equal(sum_of(&opened, frame), sums[frame]);
    apitrace_close(&opened);
}

/*
 * The worker has received a long event completely, and must process the little that follows even
 * though no more comes.
 */
static void a_long_call_leaves_no_early_frame_waiting(void **state)
{
    static const char begin[] =
        "glXCreateContext(dpy=0x1, vis=null, shareList=null, direct=1) = 0xC\n"
        "glXMakeCurrent(dpy=0x1, drawable=5, ctx=0xC) = 1\n"
        "glViewport(x=0, y=0, width=40, height=30)\n",
                      end[] = "glClear(mask=16384)\nglXSwapBuffers(dpy=0x1, drawable=5)\n";
    enum { LONG = 4400000 }; /* four messages and a tenth of one */
    char *folder = support_folder(), *path = support_path(folder, "x.trace");
    char *text = malloc(LONG + 1), *script;
    struct apitrace_opened opened;

    (void)state;
    apitrace_need_graphics();
    memset(text, 'x', LONG);
    text[LONG] = '\0';
    assert_true(asprintf(&script,
                         "%sglShaderSource(shader=1, count=1, string={\"%s\"}, length=null)\n%s%s",
                         begin, text, end, end) > 0);
    apitrace_script(path, script);
    apitrace_open(path, &opened);
    (void)sum_of(&opened, 0);
    assert_true(apitrace_is_early(tree_dump(opened.tree)));
    apitrace_close(&opened);
    free(script);
    free(text);
    free(path);
    support_remove(&folder);
}

/* Textures */

static void expect_same_pixels(const struct apitrace_opened *opened, const char *path,
                               const char *other)
{
    unsigned width, height, other_width, other_height;
    uint8_t *pixels = apitrace_pixels(opened, path, &width, &height);
    uint8_t *others = apitrace_pixels(opened, other, &other_width, &other_height);

    assert_int_equal(width, other_width);
    assert_int_equal(height, other_height);
    if (memcmp(pixels, others, (size_t)4 * width * height) != 0)
        fail_msg("%s and %s differ", path, other);
    free(pixels);
    free(others);
}

static void a_texture_is_what_was_uploaded(void **state)
{
    struct apitrace_opened opened;

    (void)state;
    apitrace_need_graphics();
    open_corpus("apitrace/real/glmark2_texture.trace", &opened);
    expect_same_pixels(&opened, "by-frame/000003/textures/00001-00.png",
                       "by-frame/000000/uploads/00002461-512x512.png");
    apitrace_close(&opened);
}

/* Compares random blocks as we decode them with those that Mesa decodes. */
static void blocks_are_decoded_as_by_the_driver(void **state)
{
    static const struct {
        unsigned format, width, height;
        uint8_t mode; /* the bits of the first byte of each block that `mask` selects */
        uint8_t mask;
    } cases[] = {
        {0x8E8C, 16, 16, 0x40, 0x7F}, {0x8E8C, 16, 16, 2, 3},       {0x8E8F, 16, 16, 3, 31},
        {0x8E8F, 16, 16, 0, 3},       {0x93B0, 16, 16, 0x42, 0xFF}, {0x93D4, 24, 24, 0x51, 0xFF},
        {0x93B7, 32, 32, 0x53, 0xFF}, {0x9274, 16, 16, 0, 0},       {0x9278, 16, 16, 0, 0},
    };
    char *folder = support_folder(), *path = support_path(folder, "blocks.trace");
    uint64_t random = 3;

    (void)state;
    apitrace_need_graphics();
    for (size_t n = 0; n < COUNT_OF(cases); n++) {
        unsigned bytes = cases[n].format == 0x9274 ? 128 : 256;
        struct apitrace_opened opened;
        char script[4096], upload[80];
        int length =
            snprintf(script, sizeof(script),
                     "glXCreateContext(dpy=0x1, vis=null, shareList=null, direct=1) = 0xC\n"
                     "glXMakeCurrent(dpy=0x1, drawable=5, ctx=0xC) = 1\n"
                     "glViewport(x=0, y=0, width=16, height=16)\n"
                     "glBindTexture(target=3553, texture=7)\n"
                     "glCompressedTexImage2D(target=3553, level=0, internalformat=%u, width=%u, "
                     "height=%u, border=0, imageSize=%u, data=[",
                     cases[n].format, cases[n].width, cases[n].height, bytes);

        for (unsigned i = 0; i < bytes; i++) {
            uint8_t byte = (uint8_t)(support_random(&random) >> 24);

            if (i % 16 == 0)
                byte = (uint8_t)((byte & ~cases[n].mask) | cases[n].mode);
            length += snprintf(script + length, sizeof(script) - (size_t)length, "%02x ", byte);
        }
        snprintf(script + length, sizeof(script) - (size_t)length,
                 "])\nglClear(mask=16384)\nglXSwapBuffers(dpy=0x1, drawable=5)\n");
        apitrace_script(path, script);
        apitrace_open(path, &opened);
        snprintf(upload, sizeof(upload), "by-frame/000000/uploads/00000004-%ux%u.png",
                 cases[n].width, cases[n].height);
        expect_same_pixels(&opened, upload, "by-frame/000000/textures/00007-00.png");
        apitrace_close(&opened);
    }
    free(path);
    support_remove(&folder);
}

/* What calls imply about levels: sizes, faces, mipmaps, and when they are deleted. */
static void levels_are_told_from_calls(void **state)
{
    static const char script[] =
        "glXMakeCurrent(dpy=0x1, drawable=5, ctx=0xC) = 1\n"
        "glBindTexture(target=3553, texture=1)\n"
        "glTexImage2D(target=3553, level=0, internalformat=6408, width=8, height=4, border=0, "
        "format=6408, type=5121, pixels=null)\n"
        "glGenerateMipmap(target=3553)\n"
        "glTexStorage3D(target=32879, levels=2, internalformat=32856, width=4, height=4, depth=4)\n"
        "glTextureStorage2D(texture=2, levels=2, internalformat=32856, width=4, height=4)\n"
        "glBindTexture(target=34067, texture=3)\n"
        "glTexImage2D(target=34069, level=0, internalformat=6408, width=2, height=2, border=0, "
        "format=6408, type=5121, pixels=null)\n"
        "glDrawArrays(mode=4, first=0, count=3)\n"
        "glXSwapBuffers(dpy=0x1, drawable=5)\n"
        "glDeleteTextures(n=2, textures={2, 3})\n"
        "glTexImage2D(target=3553, level=0, internalformat=6408, width=16, height=4, border=0, "
        "format=6408, type=5121, pixels=null)\n"
        "glXSwapBuffers(dpy=0x1, drawable=5)\n";
    static const char *const wanted[] = {"1:0 8x4x1", "1:1 4x2x1", "1:2 2x1x1", "1:3 1x1x1",
                                         "2:0 4x4x1", "2:1 2x2x1", "3:0 2x2x6"};
    char *folder = support_folder(), *path = support_path(folder, "levels.trace");
    const struct apitrace_object_index *objects;
    struct apitrace_opened opened;
    size_t count = 0;

    (void)state;
    apitrace_script(path, script);
    apitrace_open(path, &opened);
    assert_int_equal(apitrace_dump_objects(tree_dump(opened.tree), NULL, &objects), 0);
    for (uint64_t n = 0; n < objects->levels.count; n++) {
        const struct apitrace_level *level = &objects->levels.list[n];
        char found[64];

        snprintf(found, sizeof(found), "%u:%u %ux%ux%u", level->object, level->level, level->width,
                 level->height, level->slices);
        if (level->begin > 9) {
            assert_string_equal(found, "1:0 16x4x1");
            continue;
        }
        assert_true(count < COUNT_OF(wanted));
        assert_string_equal(found, wanted[count++]);
        assert_int_equal(level->end, level->object > 1 ? 10 : level->level == 0 ? 11 : UINT64_MAX);
    }
    assert_int_equal(count, COUNT_OF(wanted));
    apitrace_close(&opened);
    free(path);
    support_remove(&folder);
}

static void expect_colour(const struct apitrace_opened *opened, const char *path,
                          unsigned wanted_width, unsigned wanted_height, uint32_t colour)
{
    unsigned width, height;
    uint8_t *pixels = apitrace_pixels(opened, path, &width, &height);

    assert_int_equal(width, wanted_width);
    assert_int_equal(height, wanted_height);
    for (size_t n = 0; n < (size_t)width * height; n++)
        assert_int_equal(pixels[4 * n] << 16 | pixels[4 * n + 1] << 8 | pixels[4 * n + 2], colour);
    free(pixels);
}

#define FULL_RECTANGLE                                                                             \
    "glBegin(mode=7)\nglVertex2f(x=-1.0, y=-1.0)\nglVertex2f(x=1.0, y=-1.0)\n"                     \
    "glVertex2f(x=1.0, y=1.0)\nglVertex2f(x=-1.0, y=1.0)\nglEnd()\n"

/* No context is ever current; a context that was never created; one of OpenGL ES. */
static void traces_without_contexts_have_pictures(void **state)
{
    static const struct {
        const char *script;
        unsigned width, height;
        uint32_t colours[2];
        const char *told;
    } cases[] = {
        {"glViewport(x=0, y=0, width=20, height=10)\n"
         "glClearColor(red=0.0, green=1.0, blue=0.0, alpha=1.0)\n"
         "glClear(mask=16384)\n"
         "@1 glColor3f(red=0.0, green=0.0, blue=1.0)\n"
         "glXSwapBuffers(dpy=0x1, drawable=5)\n" FULL_RECTANGLE
         "glXMakeCurrent(dpy=0x1, drawable=0, ctx=null) = 1\n",
         20,
         10,
         {0x00FF00, 0x0000FF},
         "one of OpenGL is used"},
        {"glXMakeCurrent(dpy=0x1, drawable=5, ctx=0xC) = 1\n"
         "glViewport(x=0, y=0, width=12, height=34)\n"
         "glClearColor(red=1.0, green=0.0, blue=0.0, alpha=1.0)\n"
         "glClear(mask=16384)\n"
         "glXSwapBuffers(dpy=0x1, drawable=5)\n" FULL_RECTANGLE,
         12,
         34,
         {0xFF0000, 0xFFFFFF},
         "one of OpenGL is used"},
        {"glClearColor(red=1.0, green=0.0, blue=0.0, alpha=1.0)\n"
         "glClear(mask=16384)\n"
         "eglSwapBuffers(dpy=0x1, surface=0x5) = 1\n"
         "glClearColor(red=1.0, green=0.0, blue=1.0, alpha=1.0)\n"
         "glClear(mask=16384)\n",
         640,
         480,
         {0xFF0000, 0xFF00FF},
         "one of OpenGL ES is used"},
    };
    char *folder = support_folder(), *path = support_path(folder, "without.trace");

    (void)state;
    apitrace_need_graphics();
    for (size_t n = 0; n < COUNT_OF(cases); n++) {
        struct apitrace_opened opened;
        char *problems;

        apitrace_script(path, cases[n].script);
        apitrace_open(path, &opened);
        expect_colour(&opened, "frames/000001.png", cases[n].width, cases[n].height,
                      cases[n].colours[1]);
        expect_colour(&opened, "frames/000000.png", cases[n].width, cases[n].height,
                      cases[n].colours[0]);
        problems = apitrace_problems(&opened);
        assert_non_null(strstr(problems, cases[n].told));
        free(problems);
        apitrace_close(&opened);
    }
    free(path);
    support_remove(&folder);
}

/* What each draw leaves: in the window before its clear, in a texture, with several samples. */
static void draws_leave_what_they_draw(void **state)
{
    static const char script[] =
        "glXCreateContext(dpy=0x1, vis=null, shareList=null, direct=1) = 0xC\n"
        "glXMakeCurrent(dpy=0x1, drawable=5, ctx=0xC) = 1\n"
        "glViewport(x=0, y=0, width=20, height=10)\n"
        "glClearColor(red=0.0, green=1.0, blue=0.0, alpha=1.0)\n"
        "glClear(mask=16384)\n" /* 4 */
        "glXSwapBuffers(dpy=0x1, drawable=5)\n"
        "glXSwapBuffers(dpy=0x1, drawable=5)\n"
        "glColor3f(red=0.0, green=0.0, blue=1.0)\n"
        "glEnable(cap=3089)\n"
        "glScissor(x=0, y=0, width=20, height=5)\n" FULL_RECTANGLE /* glEnd: 15 */
        "glDisable(cap=3089)\n"
        "glGenTextures(n=1, textures={7})\n"
        "glBindTexture(target=3553, texture=7)\n"
        "glTexImage2D(target=3553, level=0, internalformat=6408, width=8, height=4, border=0, "
        "format=6408, type=5121, pixels=null)\n"
        "glGenFramebuffers(n=2, framebuffers={3, 4})\n"
        "glBindFramebuffer(target=36160, framebuffer=3)\n"
        "glFramebufferTexture2D(target=36160, attachment=36064, textarget=3553, texture=7, "
        "level=0)\n"
        "glClearColor(red=1.0, green=0.0, blue=0.0, alpha=0.0)\n"
        "glClear(mask=16384)\n" /* 24 */
        "glGenRenderbuffers(n=1, renderbuffers={9})\n"
        "glBindRenderbuffer(target=36161, renderbuffer=9)\n"
        "glRenderbufferStorageMultisample(target=36161, samples=4, internalformat=32856, "
        "width=6, height=5)\n"
        "glBindFramebuffer(target=36160, framebuffer=4)\n"
        "glFramebufferRenderbuffer(target=36160, attachment=36064, renderbuffertarget=36161, "
        "renderbuffer=9)\n"
        "glClearColor(red=1.0, green=1.0, blue=0.0, alpha=0.0)\n"
        "glClear(mask=16384)\n" /* 31 */
        "glBindFramebuffer(target=36160, framebuffer=0)\n"
        "glClearColor(red=1.0, green=1.0, blue=1.0, alpha=0.0)\n"
        "glClear(mask=16384)\n" /* 34 */
        "glXSwapBuffers(dpy=0x1, drawable=5)\n"
        "glClear(mask=256)\n"
        "glXSwapBuffers(dpy=0x1, drawable=5)\n";
    char *folder = support_folder(), *path = support_path(folder, "draws.trace"), *table;
    struct apitrace_opened opened;
    unsigned width, height;
    uint8_t *pixels;
    size_t size;

    (void)state;
    apitrace_need_graphics();
    apitrace_script(path, script);
    apitrace_open(path, &opened);
    expect_colour(&opened, "by-frame/000002/draws/00000031.png", 6, 5, 0xFFFF00);
    expect_colour(&opened, "frames/000002.png", 20, 10, 0xFFFFFF);
    expect_colour(&opened, "by-frame/000002/draws/00000034.png", 20, 10, 0xFFFFFF);
    expect_colour(&opened, "by-frame/000002/draws/00000024.png", 8, 4, 0xFF0000);
    expect_colour(&opened, "by-frame/000000/draws/00000004.png", 20, 10, 0x00FF00);
    /* The lower half is drawn over what frame 0 left. */
    pixels = apitrace_pixels(&opened, "by-frame/000002/draws/00000015.png", &width, &height);
    assert_int_equal(width, 20);
    assert_int_equal(height, 10);
    for (size_t n = 0; n < 200; n++)
        assert_int_equal(pixels[4 * n + (n < 100 ? 1 : 2)], 255);
    free(pixels);
    expect_colour(&opened, "by-frame/000003/draws/00000036.png", 20, 10, 0xFFFFFF);
    table = walk_read(opened.tree, "by-frame/000002/draws.tsv", &size);
    assert_string_equal(table, "packet\tthread\tfunction\ttarget\twidth\theight\n"
                               "15\t0\tglEnd\tdrawable,0x5\t20\t10\n"
                               "24\t0\tglClear\tframebuffer,3,texture,7,level,0\t8\t4\n"
                               "31\t0\tglClear\tframebuffer,4,renderbuffer,9\t6\t5\n"
                               "34\t0\tglClear\tdrawable,0x5\t20\t10\n");
    free(table);
    table = apitrace_problems(&opened);
    assert_string_equal(table, "");
    free(table);
    apitrace_close(&opened);
    free(path);
    support_remove(&folder);
}

/*
 * As draws leave them, and as textures: resolved to one sample a pixel, with array layers below
 * each other.
 */
static void textures_of_several_samples_are_resolved(void **state)
{
    static const char script[] =
        "glXCreateContext(dpy=0x1, vis=null, shareList=null, direct=1) = 0xC\n"
        "glXMakeCurrent(dpy=0x1, drawable=5, ctx=0xC) = 1\n"
        "glViewport(x=0, y=0, width=20, height=10)\n"
        "glGenTextures(n=2, textures={7, 8})\n"
        "glBindTexture(target=37120, texture=7)\n"
        "glTexImage2DMultisample(target=37120, samples=4, internalformat=32856, width=6, "
        "height=5, fixedsamplelocations=1)\n"
        "glBindTexture(target=37122, texture=8)\n"
        "glTexStorage3DMultisample(target=37122, samples=4, internalformat=32856, width=4, "
        "height=3, depth=2, fixedsamplelocations=1)\n"
        "glGenFramebuffers(n=2, framebuffers={3, 4})\n"
        "glBindFramebuffer(target=36160, framebuffer=3)\n"
        "glFramebufferTexture2D(target=36160, attachment=36064, textarget=37120, texture=7, "
        "level=0)\n"
        "glClearColor(red=1.0, green=0.0, blue=1.0, alpha=1.0)\n"
        "glClear(mask=16384)\n" /* 12 */
        "glEnable(cap=3089)\n"
        "glScissor(x=0, y=0, width=1, height=1)\n"
        "glBindFramebuffer(target=36160, framebuffer=4)\n"
        "glFramebufferTextureLayer(target=36160, attachment=36064, texture=8, level=0, layer=0)\n"
        "glDisable(cap=3089)\n"
        "glClear(mask=16384)\n"
        "glFramebufferTextureLayer(target=36160, attachment=36064, texture=8, level=0, layer=1)\n"
        "glClear(mask=16384)\n"
        "glEnable(cap=3089)\n"
        "glBindFramebuffer(target=36160, framebuffer=0)\n"
        "glXSwapBuffers(dpy=0x1, drawable=5)\n";
    char *folder = support_folder(), *path = support_path(folder, "samples.trace"), *problems;
    struct apitrace_opened opened;

    (void)state;
    apitrace_need_graphics();
    apitrace_script(path, script);
    apitrace_open(path, &opened);
    expect_colour(&opened, "by-frame/000000/draws/00000012.png", 6, 5, 0xFF00FF);
    expect_colour(&opened, "by-frame/000000/textures/00007-00.png", 6, 5, 0xFF00FF);
    expect_colour(&opened, "by-frame/000000/textures/00008-00.png", 4, 6, 0xFF00FF);
    problems = apitrace_problems(&opened);
    assert_string_equal(problems, "");
    free(problems);
    apitrace_close(&opened);
    free(path);
    support_remove(&folder);
}

/* Read after the frame's own picture, so that the session has to start again. */
static void the_last_draw_leaves_what_the_frame_shows(void **state)
{
    static const char *const names[] = {"glmark2es2_shadow", "es2gears", "xss_pulsar"};
    const unsigned frame = 3;

    (void)state;
    apitrace_need_graphics();
    for (size_t n = 0; n < COUNT_OF(names); n++) {
        char trace[64], picture[32], draw[64], *table, *last = NULL;
        struct apitrace_opened opened;
        size_t size;

        snprintf(trace, sizeof(trace), "apitrace/real/%s.trace", names[n]);
        open_corpus(trace, &opened);
        snprintf(picture, sizeof(picture), "frames/%06u.png", frame);
        table = walk_read(opened.tree, "by-frame/000003/draws.tsv", &size);
        for (char *line = strtok(table, "\n"); line != NULL; line = strtok(NULL, "\n"))
            last = line;
        assert_non_null(last);
        snprintf(draw, sizeof(draw), "by-frame/%06u/draws/%08lu.png", frame,
                 strtoul(last, NULL, 10));
        free(table);
        expect_same_pixels(&opened, picture, draw);
        apitrace_close(&opened);
    }
}

/* Counts the grey pixels of a white triangle on black. */
static unsigned count_grey(const char *window)
{
    static const char drawn[] =
        "glViewport(x=0, y=0, width=40, height=30)\n"
        "glClear(mask=16384)\n"
        "glBegin(mode=4)\nglVertex2f(x=-0.9, y=-0.8)\nglVertex2f(x=0.9, y=-0.5)\n"
        "glVertex2f(x=0.1, y=0.9)\nglEnd()\n"
        "eglSwapBuffers(dpy=0x1, surface=0x5) = 1\n";
    char *folder = support_folder(), *path = support_path(folder, "samples.trace");
    struct apitrace_opened opened;
    unsigned width, height, grey = 0, white = 0;
    uint8_t *pixels;
    char script[2048];

    snprintf(script, sizeof(script), "%s%s", window, drawn);
    apitrace_script(path, script);
    apitrace_open(path, &opened);
    pixels = apitrace_pixels(&opened, "frames/000000.png", &width, &height);
    assert_int_equal(width, 40);
    for (size_t n = 0; n < (size_t)width * height; n++) {
        grey += pixels[4 * n] > 0 && pixels[4 * n] < 255;
        white += pixels[4 * n] == 255;
    }
    assert_true(white > 100);
    free(pixels);
    apitrace_close(&opened);
    free(path);
    support_remove(&folder);
    return grey;
}

#define EGL_CURRENT                                                                                \
    "eglBindAPI(api=12450) = 1\n"                                                                  \
    "eglCreateContext(dpy=0x1, config=0xF, share_context=null, attrib_list={12344}) = 0xC\n"       \
    "eglCreateWindowSurface(dpy=0x1, config=0xF, win=0x2, attrib_list={}) = 0x5\n"                 \
    "eglMakeCurrent(dpy=0x1, draw=0x5, read=0x5, ctx=0xC) = 1\n"

/*
 * With as many samples as were requested, or as a query returned to the program. The samples of
 * a context apply to its window.
 */
static void windows_have_their_samples(void **state)
{
    (void)state;
    apitrace_need_graphics();
    assert_true(count_grey("eglChooseConfig(dpy=0x1, attrib_list={12337, 4, 12344}, "
                           "configs={0xE, 0xF}, config_size=2, num_config={2}) = 1\n" EGL_CURRENT) >
                20);
    assert_int_equal(count_grey("eglChooseConfig(dpy=0x1, attrib_list={12337, 4, 12344}, "
                                "configs={0xE, 0xF}, config_size=2, num_config={2}) = 1\n"
                                "eglGetConfigAttrib(dpy=0x1, config=0xF, attribute=12337, "
                                "value={0}) = 1\n" EGL_CURRENT),
                     0);
    assert_true(
        count_grey("glXGetFBConfigAttrib(dpy=0x1, config=0xF, attribute=100001, value={4}) = 0\n"
                   "glXCreateNewContext(dpy=0x1, config=0xF, renderType=1, shareList=null, "
                   "direct=1) = 0xC\n"
                   "glXMakeCurrent(dpy=0x1, drawable=5, ctx=0xC) = 1\n") > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(textures_of_several_samples_are_resolved),
        cmocka_unit_test(windows_have_their_samples),
        cmocka_unit_test(draws_leave_what_they_draw),
        cmocka_unit_test(the_last_draw_leaves_what_the_frame_shows),
        cmocka_unit_test(traces_without_contexts_have_pictures),
        cmocka_unit_test(reference_pictures_are_equal),
        cmocka_unit_test(any_order_gives_the_same_bytes),
        cmocka_unit_test(a_long_call_leaves_no_early_frame_waiting),
        cmocka_unit_test(early_pictures_are_the_whole_traces),
        cmocka_unit_test(a_texture_is_what_was_uploaded),
        cmocka_unit_test(blocks_are_decoded_as_by_the_driver),
        cmocka_unit_test(levels_are_told_from_calls),
    };

    if (getenv("GPUDUMPFS_TEST") != NULL)
        cmocka_set_test_filter(getenv("GPUDUMPFS_TEST"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}

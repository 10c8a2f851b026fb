/* SPDX-License-Identifier: MIT */
/*
 * pixel/X,Y.tsv and draw-ids of frames: what each call did to a pixel, and why it did nothing.
 * Compares them with the pictures of draws for every pixel of a small window.
 */
#include "config.h"

#include "tests/formats/apitrace/pictures.h"
#include "tests/formats/apitrace/script.h"
#include "tests/support/support.h"
#include "tests/support/walk.h"

#include "base/bytes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WIDTH = 16, HEIGHT = 12, TEXT_MAX = 4096 };

#define MINUS "00 00 80 bf "
#define ONE   "00 00 80 3f "
#define ZERO  "00 00 00 00 "
#define HALF  "00 00 00 3f "

/* The complete window, and its left half, which is nearer */
#define ALL  MINUS MINUS ZERO ONE MINUS ZERO MINUS ONE ZERO ONE ONE ZERO
#define LEFT MINUS MINUS HALF ZERO MINUS HALF MINUS ONE HALF ZERO ONE HALF

#define POINT(vertices) "glVertexPointer(size=3, type=5126, stride=0, pointer=[" vertices "])\n"
#define DRAW            "glDrawArrays(mode=5, first=0, count=4)\n"
#define SWAP            "glXSwapBuffers(dpy=0x1, drawable=5)\n"
#define COLOUR(r, g, b) "glColor3f(red=" #r ", green=" #g ", blue=" #b ")\n"

#define DEPTH_TEST   "2929"
#define CULL_FACE    "2884"
#define SCISSOR_TEST "3089"
#define ALPHA_TEST   "3008"
#define STENCIL_TEST "2960"
#define BLEND        "3042"

#define ON(what)  "glEnable(cap=" what ")\n"
#define OFF(what) "glDisable(cap=" what ")\n"

static const char script[] = "glXMakeCurrent(dpy=0x1, drawable=5, ctx=0xC) = 1\n" /* 0 */
                             "glViewport(x=0, y=0, width=16, height=12)\n"
                             "glClearColor(red=0.0, green=0.0, blue=0.0, alpha=1.0)\n"
                             "glClear(mask=17664)\n" /* 3: colour, depth, stencil */
                             "glEnableClientState(array=32884)\n" POINT(ALL) ON(DEPTH_TEST)
                                 COLOUR(1.0, 0.0, 0.0) DRAW /* 8 */
                                     DRAW                   /* 9: as near as what is there */
    "glDepthFunc(func=515)\n"                               /* GL_LEQUAL */
    DRAW                                                    /* 11 */
        ON(CULL_FACE) "glCullFace(mode=1029)\nglFrontFace(mode=2304)\n" DRAW /* 15: it is turned
                                                                                away */
            OFF(CULL_FACE) ON(SCISSOR_TEST) "glScissor(x=0, y=0, width=2, height=2)\n" COLOUR(
                0.0, 1.0, 1.0) DRAW /* 20: in a corner */
                OFF(SCISSOR_TEST) ON(ALPHA_TEST) "glAlphaFunc(func=512, ref=0.0)\n" DRAW /* 24 */
                    OFF(ALPHA_TEST) ON(
                        STENCIL_TEST) "glStencilFunc(func=512, ref=0, mask=255)\n" DRAW  /* 28 */
                                      "glStencilOp(fail=7682, zfail=7680, zpass=7680)\n" /* GL_INCR
                                                                                            where it
                                                                                            fails */
    DRAW                                                                                 /* 30 */
        OFF(STENCIL_TEST) "glColorMask(red=0, green=0, blue=0, alpha=0)\n" DRAW /* 33: nothing is
                                                                                   written */
                          "glColorMask(red=1, green=1, blue=1, alpha=1)\n" ON(
                              BLEND) "glBlendFunc(sfactor=0, dfactor=1)\n" /* what is there stays */
    DRAW                                                                   /* 37 */
        OFF(BLEND) "glDepthFunc(func=519)\n"                               /* GL_ALWAYS */
    POINT(LEFT) COLOUR(0.0, 0.0, 1.0) DRAW                                 /* 42 */
    "glClear(mask=256)\n"                                                  /* 43: depth alone */
    SWAP
        /* the window is not cleared */
        POINT(ALL) COLOUR(0.0, 1.0, 0.0) DRAW                                               /* 47 */
            SWAP ON(BLEND) "glBlendFunc(sfactor=1, dfactor=1)\n" COLOUR(1.0, 0.0, 0.0) DRAW /* 52 */
                SWAP SWAP   /* nothing is drawn */
    "glClear(mask=17664)\n" /* 55 */
    SWAP;

static char *folder;
static struct apitrace_opened opened;

static int begin(void **state)
{
    char *path;

    (void)state;
    apitrace_need_graphics();
    folder = support_folder();
    path = support_path(folder, "history.trace");
    apitrace_script(path, script);
    apitrace_open(path, &opened);
    free(path);
    return 0;
}

static int end(void **state)
{
    (void)state;
    if (folder == NULL)
        return 0;
    apitrace_close(&opened);
    support_remove(&folder);
    return 0;
}

static char *read_file(unsigned frame, const char *name)
{
    char path[64];
    size_t size;

    snprintf(path, sizeof(path), "by-frame/%06u/%s", frame, name);
    return walk_read(opened.tree, path, &size);
}

static char *read_history(unsigned frame, unsigned x, unsigned y)
{
    char name[32];

    snprintf(name, sizeof(name), "pixel/%u,%u.tsv", x, y);
    return read_file(frame, name);
}

/* What the tests read of a row of a history */
struct row {
    unsigned frame, packet;
    char draw[16], outcome[16], rgb[2][8], depth[2][16], stencil[2][8];
};

/* Reads the next row. Returns false if there is none. */
static bool next_row(const char **at, struct row *out)
{
    char name[32], alpha[2][8];

    if (**at == '\0')
        return false;
    if (sscanf(*at, "%u\t%15s\t", &out->frame, out->draw) != 2)
        fail_msg("no row: %s", *at);
    if (sscanf(*at, "%*u\t%*s\t%u", &out->packet) != 1)
        out->packet = 0; /* the first row, of the frame's start */
    if (sscanf(*at, "%*u\t%*s\t%*s\t%31s\t%15s\t%7s\t%7s\t%7s\t%7s\t%15s\t%15s\t%7s\t%7s", name,
               out->outcome, out->rgb[0], out->rgb[1], alpha[0], alpha[1], out->depth[0],
               out->depth[1], out->stencil[0], out->stencil[1]) != 10)
        fail_msg("no row: %s", *at);
    *at += strcspn(*at, "\n") + 1;
    return true;
}

static const char *first_row(const char *table)
{
    return strchr(table, '\n') + 1;
}

/* Compares each row, as `packet outcome before_rgb>after_rgb before_stencil>after_stencil`. */
static void expect_rows(unsigned frame, unsigned x, unsigned y, const char *wanted)
{
    char *table = read_history(frame, x, y), found[TEXT_MAX];
    const char *at = first_row(table);
    size_t length = 0;
    struct row row;

    while (next_row(&at, &row))
        length += (size_t)snprintf(found + length, sizeof(found) - length, "%u:%u %s %s>%s %s>%s\n",
                                   row.frame, row.packet, row.outcome, row.rgb[0], row.rgb[1],
                                   row.stencil[0], row.stencil[1]);
    assert_string_equal(found, wanted);
    free(table);
}

static void a_history_tells_what_kept_fragments_away(void **state)
{
    (void)state;
    expect_rows(0, 12, 3, /* to the right, above the corner */
                "0:3 written 000000>000000 0>0\n"
                "0:8 written 000000>FF0000 0>0\n"
                "0:9 depth FF0000>FF0000 0>0\n"
                "0:11 unchanged FF0000>FF0000 0>0\n"
                "0:15 culled FF0000>FF0000 0>0\n"
                "0:20 scissor FF0000>FF0000 0>0\n"
                "0:24 alpha FF0000>FF0000 0>0\n"
                "0:28 stencil FF0000>FF0000 0>0\n"
                "0:30 written FF0000>FF0000 0>1\n"
                "0:33 unchanged FF0000>FF0000 1>1\n"
                "0:37 unchanged FF0000>FF0000 1>1\n"
                "0:43 written FF0000>FF0000 1>1\n");
    expect_rows(0, 1, HEIGHT - 1, /* in the corner, and in the left half */
                "0:3 written 000000>000000 0>0\n"
                "0:8 written 000000>FF0000 0>0\n"
                "0:9 depth FF0000>FF0000 0>0\n"
                "0:11 unchanged FF0000>FF0000 0>0\n"
                "0:15 culled FF0000>FF0000 0>0\n"
                "0:20 written FF0000>00FFFF 0>0\n"
                "0:24 alpha 00FFFF>00FFFF 0>0\n"
                "0:28 stencil 00FFFF>00FFFF 0>0\n"
                "0:30 written 00FFFF>00FFFF 0>1\n"
                "0:33 unchanged 00FFFF>00FFFF 1>1\n"
                "0:37 unchanged 00FFFF>00FFFF 1>1\n"
                "0:42 written 00FFFF>0000FF 1>1\n"
                "0:43 written 0000FF>0000FF 1>1\n");
}

static void a_history_begins_where_the_pixel_was_covered(void **state)
{
    (void)state;
    expect_rows(1, 12, 3, "1:47 written FF0000>00FF00 1>1\n");
    expect_rows(2, 12, 3,
                "1:47 written FF0000>00FF00 1>1\n"
                "2:52 written 00FF00>FFFF00 1>1\n");
    expect_rows(3, 12, 3,
                "1:47 written FF0000>00FF00 1>1\n"
                "2:52 written 00FF00>FFFF00 1>1\n");
    /* What was there before is from a swap ago, in frames that are skipped. */
    expect_rows(4, 12, 3, "4:55 written ->000000 ->0\n");
}

static void histories_are_the_same_in_any_order(void **state)
{
    char *before[5];

    (void)state;
    for (unsigned frame = 0; frame < 5; frame++)
        before[frame] = read_history(frame, 3, 4);
    for (unsigned frame = 5; frame-- > 0;) {
        struct apitrace_opened again = opened;
        char *path = support_path(folder, "history.trace"), *table;

        apitrace_open(path, &opened);
        free(read_file(4 - frame, "image.png"));
        table = read_history(frame, 3, 4);
        assert_string_equal(table, before[frame]);
        free(table);
        free(before[frame]);
        free(path);
        apitrace_close(&opened);
        opened = again;
    }
}

/* Pictures of the draws of all frames, one after the other */
struct shown {
    unsigned frame, packet;
    uint8_t *rgba;
};

static unsigned read_shown(unsigned frames, struct shown *out, unsigned max)
{
    unsigned count = 0;

    for (unsigned frame = 0; frame < frames; frame++) {
        char *table = read_file(frame, "draws.tsv");

        for (const char *at = first_row(table); *at != '\0'; at += strcspn(at, "\n") + 1) {
            unsigned width, height;
            char path[64];

            assert_true(count < max);
            out[count] = (struct shown){frame, (unsigned)strtoul(at, NULL, 10), NULL};
            snprintf(path, sizeof(path), "by-frame/%06u/draws/%08u.png", frame, out[count].packet);
            out[count].rgba = apitrace_pixels(&opened, path, &width, &height);
            assert_int_equal(width, WIDTH);
            assert_int_equal(height, HEIGHT);
            count++;
        }
        free(table);
    }
    return count;
}

/*
 * Checks that the history of a pixel has the colours that the draws of frame 0 left, wherever they
 * changed.
 */
static void expect_shown(const struct shown *shown, unsigned count, unsigned x, unsigned y)
{
    char *table = read_history(0, x, y);
    const char *at = first_row(table);
    uint8_t was[3] = {0};
    struct row row;

    for (unsigned n = 0; n < count && shown[n].frame == 0; n++) {
        const uint8_t *is = shown[n].rgba + 4 * ((size_t)y * WIDTH + x);
        char rgb[8];

        if (memcmp(was, is, 3) == 0)
            continue;
        do
            assert_true(next_row(&at, &row));
        while (strcmp(row.rgb[0], row.rgb[1]) == 0);
        snprintf(rgb, sizeof(rgb), "%02X%02X%02X", is[0], is[1], is[2]);
        assert_int_equal(row.packet, shown[n].packet);
        assert_string_equal(row.rgb[1], rgb);
        memcpy(was, is, 3);
    }
    while (next_row(&at, &row))
        assert_string_equal(row.rgb[0], row.rgb[1]);
    free(table);
}

/* Checks every `step`-th pixel. */
static void expect_all_shown(unsigned frames, unsigned step)
{
    struct shown shown[64];
    unsigned count = read_shown(frames, shown, COUNT_OF(shown));

    for (unsigned n = 0; n < WIDTH * HEIGHT; n += step)
        expect_shown(shown, count, n % WIDTH, n / WIDTH);
    for (unsigned n = 0; n < count; n++)
        free(shown[n].rgba);
}

static void histories_agree_with_the_pictures_of_draws(void **state)
{
    (void)state;
    expect_all_shown(5, 1);
}

/*
 * Draws with fixed functions, whose textures, light, fog and blending must not be dropped where it
 * is tested whether a pixel is covered: the alpha test needs the texture, and the next draw needs
 * all of them on two units.
 */
static void what_draws_compute_stays_as_it_is(void **state)
{
    static const char computed[] =
        "glXMakeCurrent(dpy=0x1, drawable=5, ctx=0xC) = 1\n" /* 0 */
        "glViewport(x=0, y=0, width=16, height=12)\n"
        "glClear(mask=17664)\n" /* 2 */
        "glEnableClientState(array=32884)\n"
        /* One texel for each unit: blue without alpha, and yellow */
        "glActiveTexture(texture=33985)\nglBindTexture(target=3553, texture=1)\n"
        "glTexParameteri(target=3553, pname=10241, param=9728)\n"
        "glTexImage2D(target=3553, level=0, internalformat=6408, width=1, height=1, border=0, "
        "format=6408, type=5121, pixels=[00 00 ff 00])\n" ON(
            "3553") "glTexEnvi(target=8960, pname=8704, param=260)\n" /* 9: GL_ADD */
                    "glActiveTexture(texture=33984)\nglBindTexture(target=3553, texture=2)\n"
                    "glTexParameteri(target=3553, pname=10241, param=9728)\n"
                    "glTexImage2D(target=3553, level=0, internalformat=6408, width=1, height=1, "
                    "border=0, "
                    "format=6408, type=5121, pixels=[ff 80 00 00])\n" ON("3553")
                        ON(BLEND) "glBlendFunc(sfactor=1, dfactor=1)\n"    /* 16: what is there is
                                                                              added */
        ON(ALPHA_TEST) "glAlphaFunc(func=516, ref=0.5)\n" POINT(LEFT) DRAW /* 20: its alpha is 0 */
            OFF(ALPHA_TEST) DRAW                                           /* 22 */
                ON(CULL_FACE) "glCullFace(mode=1029)\nglFrontFace(mode=2304)\n" DRAW /* 26 */
                    OFF(CULL_FACE) POINT(ALL) DRAW                                   /* 29 */
                        SWAP;
    struct apitrace_opened kept = opened;
    char *path = support_path(folder, "computed.trace");

    (void)state;
    apitrace_script(path, computed);
    apitrace_open(path, &opened);
    expect_rows(0, 1, 3,
                "0:2 written 000000>000000 0>0\n"
                "0:20 alpha 000000>000000 0>0\n"
                "0:22 written 000000>FF80FF 0>0\n"
                "0:26 culled FF80FF>FF80FF 0>0\n"
                "0:29 written FF80FF>FFFFFF 0>0\n");
    expect_rows(0, 12, 3,
                "0:2 written 000000>000000 0>0\n"
                "0:29 written 000000>FF80FF 0>0\n");
    expect_all_shown(1, 13);
    apitrace_close(&opened);
    opened = kept;
    free(path);
}

/*
 * Returns the bytes of shaders that are kept for the next worker, after waiting for them: Mesa
 * stores them in a thread of its own.
 */
static off_t shaders_stored(void)
{
    off_t bytes = 0, before = -1;

    for (unsigned calm = 0; calm < 10; calm = bytes == before ? calm + 1 : 0, before = bytes) {
        usleep(20000);
        bytes = 0;
        for (int fd = 3; fd < 256; fd++) {
            char link[32], name[64] = "";
            struct stat about;

            snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
            if (readlink(link, name, sizeof(name) - 1) > 0 &&
                strstr(name, "gpudumpfs-shaders") != NULL && fstat(fd, &about) == 0)
                bytes += about.st_size;
        }
    }
    return bytes;
}

/* Each draw has another shader: fixed functions with two units of textures in five modes each. */
static void draws_that_miss_a_pixel_compile_nothing_for_it(void **state)
{
    static const char begin[] = "glXMakeCurrent(dpy=0x1, drawable=5, ctx=0xC) = 1\n"
                                "glViewport(x=0, y=0, width=16, height=12)\n"
                                "glClear(mask=17664)\n"
                                "glEnableClientState(array=32884)\n" POINT(LEFT);
    static const unsigned modes[] = {260, 3042, 7681, 8448, 8449};
    struct apitrace_opened kept = opened;
    char *path = support_path(folder, "many.trace"), text[16384];
    size_t length = (size_t)snprintf(text, sizeof(text), "%s", begin);
    unsigned width, height;
    off_t others = shaders_stored(), drawn, looked;

    (void)state;
    for (unsigned unit = 0; unit < 2; unit++)
        length += (size_t)snprintf(
            text + length, sizeof(text) - length,
            "glActiveTexture(texture=%u)\nglBindTexture(target=3553, texture=1)\n"
            "glTexParameteri(target=3553, pname=10241, param=9728)\n"
            "glTexImage2D(target=3553, level=0, internalformat=6408, width=1, height=1, border=0, "
            "format=6408, type=5121, pixels=[10 20 30 40])\n" ON("3553"),
            33984 + unit);
    for (unsigned n = 0; n < COUNT_OF(modes) * COUNT_OF(modes); n++)
        length += (size_t)snprintf(
            text + length, sizeof(text) - length,
            "glActiveTexture(texture=33984)\nglTexEnvi(target=8960, pname=8704, param=%u)\n"
            "glActiveTexture(texture=33985)\nglTexEnvi(target=8960, pname=8704, param=%u)\n" DRAW,
            modes[n % COUNT_OF(modes)], modes[n / COUNT_OF(modes)]);
    snprintf(text + length, sizeof(text) - length, "%s", SWAP);
    apitrace_script(path, text);
    apitrace_open(path, &opened);
    free(apitrace_pixels(&opened, "frames/000000.png", &width, &height));
    drawn = shaders_stored() - others;
    expect_rows(0, 12, 3, "0:2 written 000000>000000 0>0\n");
    looked = shaders_stored() - others - drawn;
    if (drawn == 0)
        support_skip("no shaders are kept");
    assert_true(looked < drawn / 64); /* compiling each draw's own again would take a twentieth */
    apitrace_close(&opened);
    opened = kept;
    free(path);
}

static void expect_id(unsigned frame, unsigned x, unsigned y, uint32_t of, uint32_t packet)
{
    char path[64], *ids;
    const uint8_t *id;
    size_t size;

    snprintf(path, sizeof(path), "by-frame/%06u/draw-ids.bin", frame);
    ids = walk_read(opened.tree, path, &size);
    assert_int_equal(size, WIDTH * HEIGHT * 8);
    id = (const uint8_t *)ids + 8 * ((size_t)y * WIDTH + x);
    assert_int_equal(bytes_le32(id), of);
    assert_int_equal(bytes_le32(id + 4), packet);
    free(ids);
}

#define TRIANGLE(x)                                                                                \
    "glBegin(mode=4)\nglVertex2f(x=-0.9, y=-0.8)\nglVertex2f(x=0.9, y=-0.5)\nglVertex2f(x=" #x     \
    ", y=0.9)\nglEnd()\n"

/* Each pixel has four samples; draws are display lists, and what is between glBegin and glEnd. */
static void windows_of_several_samples_have_histories(void **state)
{
    static const char samples[] =
        "glXGetFBConfigAttrib(dpy=0x1, config=0xF, attribute=100001, value={4}) = 0\n"
        "glXCreateNewContext(dpy=0x1, config=0xF, renderType=1, shareList=null, direct=1) = 0xC\n"
        "glXMakeCurrent(dpy=0x1, drawable=5, ctx=0xC) = 1\n"
        "glViewport(x=0, y=0, width=16, height=12)\n"
        "glClear(mask=17664)\n" /* 4 */
        "glNewList(list=1, mode=4864)\n" COLOUR(0.0, 0.0, 1.0)
            TRIANGLE(-0.5) "glEndList()\n" TRIANGLE(0.5) /* glEnd: 17 */
        "glCallList(list=1)\n"                           /* 18 */
        SWAP;
    struct apitrace_opened kept = opened;
    char *path = support_path(folder, "samples.trace");
    unsigned width, height, mixed = 0;
    uint8_t *pixels;

    (void)state;
    apitrace_script(path, samples);
    apitrace_open(path, &opened);
    pixels = apitrace_pixels(&opened, "frames/000000.png", &width, &height);
    for (size_t n = 0; n < (size_t)width * height; n++)
        mixed += pixels[4 * n] > 0 && pixels[4 * n] < 255;
    assert_true(mixed > 10);
    expect_all_shown(1, 13); /* only some pixels: the shaders that resolve are compiled each time */
    expect_id(0, 7, 9, 0, 18);
    expect_id(0, 0, 0, 0, 4);
    free(pixels);
    apitrace_close(&opened);
    opened = kept;
    free(path);
}

/* A clear of depth only writes no colour, and a draw that writes no colour writes no pixel. */
static void ids_name_the_call_that_wrote_last(void **state)
{
    unsigned width, height;
    uint8_t *pixels;

    (void)state;
    expect_id(0, 12, 3, 0, 8);
    expect_id(0, 1, 3, 0, 42);
    expect_id(0, 1, HEIGHT - 1, 0, 42);
    expect_id(1, 12, 3, 1, 47);
    expect_id(2, 12, 3, 2, 52);
    expect_id(3, 12, 3, 2, 52);
    expect_id(4, 0, 0, 4, 55);
    pixels = apitrace_pixels(&opened, "by-frame/000000/draw-ids.png", &width, &height);
    assert_int_equal(width, WIDTH);
    assert_int_equal(height, HEIGHT);
    assert_memory_equal(pixels, pixels + 4, 4); /* two pixels of the left half */
    assert_memory_not_equal(pixels, pixels + 4 * (WIDTH - 1), 4);
    free(pixels);
}

static void scripts_hold_the_table(void **state)
{
    char *script_text = read_file(1, "pixel/12,3.js");

    (void)state;
    assert_ptr_equal(strstr(script_text, "gpudumpfsHistory({\"frame\":1,\"pixel\":[12,3],"),
                     script_text);
    assert_non_null(
        strstr(script_text, "[1,0,47,\"glDrawArrays\",\"written\",\"FF0000\",\"00FF00\",255,255,"));
    free(script_text);
}

static void names_are_those_of_pixels(void **state)
{
    static const char *const absent[] = {"pixel/16,0.tsv", "pixel/0,12.tsv", "pixel/00,0.tsv",
                                         "pixel/0,0.txt",  "pixel/0.tsv",    "pixel/-1,0.tsv",
                                         "pixel/16,0.js"};
    char path[64];
    uint64_t inode;

    (void)state;
    for (size_t n = 0; n < COUNT_OF(absent); n++) {
        snprintf(path, sizeof(path), "by-frame/000000/%s", absent[n]);
        assert_int_equal(tree_find(opened.tree, path, true, &inode), -ENOENT);
    }
    assert_int_equal(tree_find(opened.tree, "by-frame/000000/pixel/15,11.tsv", true, &inode), 0);
}

/* Nothing is current and nothing is drawn, so there is no picture. */
static void frames_without_a_picture_have_no_pixels(void **state)
{
    static const char *const absent[] = {"pixel", "draw-ids.bin", "draw-ids.png", "overdraw.png",
                                         "wireframe.png"};
    char *path = support_path(folder, "none.trace"), name[64];
    struct apitrace_opened none;
    uint64_t inode;

    (void)state;
    apitrace_script(path, "glXSwapBuffers(dpy=0x1, drawable=5)\n");
    apitrace_open(path, &none);
    for (size_t n = 0; n < COUNT_OF(absent); n++) {
        snprintf(name, sizeof(name), "by-frame/000000/%s", absent[n]);
        assert_int_equal(tree_find(none.tree, name, true, &inode), -ENOENT);
    }
    apitrace_close(&none);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_history_tells_what_kept_fragments_away),
        cmocka_unit_test(a_history_begins_where_the_pixel_was_covered),
        cmocka_unit_test(histories_are_the_same_in_any_order),
        cmocka_unit_test(histories_agree_with_the_pictures_of_draws),
        cmocka_unit_test(what_draws_compute_stays_as_it_is),
        cmocka_unit_test(draws_that_miss_a_pixel_compile_nothing_for_it),
        cmocka_unit_test(windows_of_several_samples_have_histories),
        cmocka_unit_test(ids_name_the_call_that_wrote_last),
        cmocka_unit_test(scripts_hold_the_table),
        cmocka_unit_test(names_are_those_of_pixels),
        cmocka_unit_test(frames_without_a_picture_have_no_pixels),
    };

    return cmocka_run_group_tests_name("apitrace_history", tests, begin, end);
}

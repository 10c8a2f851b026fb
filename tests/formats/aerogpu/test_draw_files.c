/* SPDX-License-Identifier: MIT */
/*
 * The files in draws/NNNNN/: for every draw of all scenes, they must be as large as their sizes
 * said, and agree with the pictures of the frame; for a draw written by hand, all values are
 * checked.
 */
#include "tests/formats/aerogpu/make.h"
#include "tests/formats/aerogpu/open.h"

#include "formats/aerogpu/dump.h"
#include "formats/aerogpu/views/views.h"
#include "tests/support/support.h"
#include "tests/support/walk.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const uint32_t magenta = 0xFF00FFFF;

static bool is_there(const struct opened *opened, const char *path, uint64_t *size)
{
    struct tree_attributes attributes;
    uint64_t inode;

    if (tree_find(opened->tree, path, true, &inode) != 0)
        return false;
    assert_int_equal(tree_stat(opened->tree, inode, NULL, &attributes), 0);
    *size = attributes.size;
    return true;
}

/* Reads a file of a draw's folder, and checks its size. Returns false if there is no such file. */
static bool read_file(const struct opened *opened, unsigned frame, unsigned draw, const char *name,
                      char **out, size_t *size)
{
    char path[96];
    uint64_t told = 0;

    snprintf(path, sizeof(path), "by-frame/%06u/draws/%05u/%s", frame, draw, name);
    if (!is_there(opened, path, &told))
        return false;
    *out = walk_read(opened->tree, path, size);
    if (*size != told)
        fail_msg("%s has %zu bytes, not %llu", path, *size, (unsigned long long)told);
    return true;
}

static struct picture picture_of(const struct opened *opened, unsigned frame, const char *name,
                                 uint32_t format)
{
    char path[96];

    snprintf(path, sizeof(path), "by-frame/%06u/%s", frame, name);
    return opened_picture(opened, path, format);
}

/*
 * Checks that the picture of the first target is the draw's own, and that it shows all that was
 * written.
 */
static void check_touched(const struct opened *opened, unsigned frame, unsigned draw,
                          const struct picture *before)
{
    struct picture own, touched;
    char name[32];

    snprintf(name, sizeof(name), "draws/%05u.png", draw);
    own = picture_of(opened, frame, name, PNG_FORMAT_RGBA);
    snprintf(name, sizeof(name), "draws/%05u/touched.png", draw);
    touched = picture_of(opened, frame, name, PNG_FORMAT_RGBA);
    assert_int_equal(own.png.width, touched.png.width);
    assert_int_equal(own.png.height, touched.png.height);
    for (uint32_t y = 0; y < own.png.height; y++)
        for (uint32_t x = 0; x < own.png.width; x++) {
            uint32_t now = opened_pixel(&own, x, y), mark = opened_pixel(&touched, x, y);
            bool marked = mark == magenta;

            if (!marked && mark != ((now >> 1 & 0x7F7F7F00) | 0xFF))
                fail_msg("frame %u, draw %u: %08X at %u,%u", frame, draw, mark, x, y);
            if (before != NULL && !marked && opened_pixel(before, x, y) != now)
                fail_msg("frame %u, draw %u changes %u,%u, and is not told to", frame, draw, x, y);
        }
    free(own.pixels);
    free(touched.pixels);
}

/* Compares depth as floats with depth as a picture. */
static void check_depth(const struct opened *opened, unsigned frame, unsigned draw)
{
    struct picture picture;
    char *floats = NULL, name[32];
    size_t size = 0;

    if (!read_file(opened, frame, draw, "depth.bin", &floats, &size))
        return;
    snprintf(name, sizeof(name), "draws/%05u/depth.png", draw);
    picture = picture_of(opened, frame, name, PNG_FORMAT_LINEAR_Y);
    assert_int_equal(size, (size_t)picture.png.width * picture.png.height * 4);
    for (size_t i = 0; i < size / 4; i++) {
        uint32_t bits = bytes_le32((uint8_t *)floats + 4 * i);
        float depth;

        memcpy(&depth, &bits, sizeof(depth));
        assert_true(depth >= 0 && depth <= 1);
    }
    free(picture.pixels);
    free(floats);
}

static void check_draw(const struct opened *opened, unsigned frame, unsigned draw)
{
    static const char *const names[] = {"state.txt",          "uniforms.tsv",
                                        "attributes.tsv",     "mesh.obj",
                                        "colour-0.png",       "colour-1.png",
                                        "depth.png",          "stencil.png",
                                        "touched.png",        "textures/ps-00.png",
                                        "textures/ps-01.png", "buffers/vertex-0.bin",
                                        "buffers/index.bin",  "buffers/vs-constants-0.bin"};

    for (size_t i = 0; i < COUNT_OF(names); i++) {
        char *bytes = NULL;
        size_t size = 0;

        if (read_file(opened, frame, draw, names[i], &bytes, &size))
            free(bytes);
        else
            assert_true(i > 1);
    }
    check_depth(opened, frame, draw);
}

/* Compares each draw with the one before, in a frame whose draws go to one target each. */
static void check_frame(const struct opened *opened, unsigned frame,
                        const struct aerogpu_scan *scan)
{
    const struct aerogpu_scan_frame *found = &scan->frames[frame];

    for (unsigned draw = 0; draw < found->draws; draw++) {
        const struct aerogpu_scan_draw *own = &scan->draws[found->first_draw + draw];
        struct picture before = {.pixels = NULL};
        char name[32];

        check_draw(opened, frame, draw);
        if (own->shot.width == 0)
            continue;
        if (draw > 0 && own[-1].shot.life == own->shot.life && own[-1].shot.mip == own->shot.mip &&
            own[-1].shot.layer == own->shot.layer && own[-1].shot.tick + 1 == own->shot.tick) {
            snprintf(name, sizeof(name), "draws/%05u.png", draw - 1);
            before = picture_of(opened, frame, name, PNG_FORMAT_RGBA);
        }
        check_touched(opened, frame, draw, before.pixels != NULL ? &before : NULL);
        free(before.pixels);
    }
}

static void test_scenes(void **state)
{
    const struct make_params params = {.seed = 1, .frames = 60, .width = 40, .height = 32};
    const struct aerogpu_scan *scan = NULL;
    struct opened opened;
    struct made made;

    (void)state;
    opened_need_driver();
    aerogpu_make(&params, &made);
    opened_bytes(&opened, made.writer.bytes.data, made.writer.bytes.size);
    assert_int_equal(aerogpu_dump_scan(aerogpu_dump_of(tree_dump(opened.tree)), NULL, &scan), 0);
    for (unsigned frame = 0; frame < made.frames; frame++)
        check_frame(&opened, frame, scan);
    opened_close(&opened);
    aerogpu_made_free(&made);
}

/* By hand: a draw without shaders, with indices */

enum { SCREEN = 1, VERTICES, INDICES, SIDE = 4 };

static void write_plain(struct trace_writer *writer)
{
    static const uint16_t indices[] = {7, 2, 0, 1};
    const float v[3][6] = {{-1, 1, 1, 0, 0, 1}, {3, 1, 0, 1, 0, 1}, {-1, -3, 0, 0, 1, 0.5f}};
    struct trace_stream stream;

    trace_begin(writer, 2);
    trace_begin_frame(writer);
    trace_stream_begin(&stream);
    trace_texture(&stream, SCREEN, 0x10, AEROGPU_R8G8B8A8, SIDE, SIDE, 1, 1);
    trace_buffer(&stream, VERTICES, 1, 8 + sizeof(v));
    trace_buffer(&stream, INDICES, 2, sizeof(indices));
    trace_upload(&stream, VERTICES, 8, v, sizeof(v));
    trace_upload(&stream, INDICES, 0, indices, sizeof(indices));
    TRACE(&stream, AEROGPU_SET_VERTEX_BUFFERS, 0, 1, VERTICES, 24, 8, 0);
    TRACE(&stream, AEROGPU_SET_INDEX_BUFFER, INDICES, 0, 2, 0);
    trace_target(&stream, SCREEN, 0);
    TRACE(&stream, AEROGPU_SET_SCISSOR, 0, 0, 2, SIDE);
    TRACE(&stream, AEROGPU_SET_RASTERIZER_STATE, 0, 0, 0, 1, 0, 0);
    TRACE(&stream, AEROGPU_DRAW_INDEXED, 3, 1, 0, 0, 0);
    trace_present(&stream);
    trace_submit(writer, &stream, NULL, 0);
    trace_stream_free(&stream);
    trace_end_frame(writer);
}

static void expect_text(const struct opened *opened, const char *name, const char *expected)
{
    char *text = NULL;
    size_t size = 0;

    assert_true(read_file(opened, 0, 0, name, &text, &size));
    assert_string_equal(text, expected);
    free(text);
}

static void test_plain_draw(void **state)
{
    static const uint8_t indices[] = {2, 0, 0, 0, 1, 0};
    struct trace_writer writer;
    struct opened opened;
    struct picture touched;
    char *bytes = NULL;
    size_t size = 0;
    uint64_t told = 0;

    (void)state;
    write_plain(&writer);
    opened_trace(&opened, &writer);
    expect_text(&opened, "attributes.tsv",
                "number\tvertex\tPOSITION0.x\tPOSITION0.y\tCOLOR0.x\tCOLOR0.y\tCOLOR0.z\tCOLOR0.w\n"
                "0\t2\t-1\t-3\t0\t0\t1\t0.5\n1\t0\t-1\t1\t1\t0\t0\t1\n2\t1\t3\t1\t0\t1\t0\t1\n");
    expect_text(&opened, "mesh.obj", "v -1 -3 0\nv -1 1 0\nv 3 1 0\nf 1 2 3\n");
    expect_text(&opened, "uniforms.tsv", "stage\tname\ttype\tx\ty\tz\tw\n");
    assert_true(read_file(&opened, 0, 0, "buffers/index.bin", &bytes, &size));
    assert_int_equal(size, sizeof(indices));
    assert_memory_equal(bytes, indices, sizeof(indices));
    free(bytes);
    assert_true(read_file(&opened, 0, 0, "buffers/vertex-0.bin", &bytes, &size));
    assert_int_equal(size, 3 * 6 * sizeof(float));
    free(bytes);
    opened_expect(&opened, "by-frame/000000/draws/00000/state.txt",
                  "[input]\ntopology: 4 TriangleList\n");
    touched = picture_of(&opened, 0, "draws/00000/touched.png", PNG_FORMAT_RGBA);
    for (uint32_t x = 0; x < SIDE; x++)
        assert_int_equal(opened_pixel(&touched, x, 0) == magenta, x < 2);
    free(touched.pixels);
    assert_false(is_there(&opened, "by-frame/000000/draws/00000/depth.png", &told));
    assert_false(is_there(&opened, "by-frame/000000/draws/00000/colour-1.png", &told));
    assert_false(is_there(&opened, "by-frame/000000/draws/00001", &told));
    opened_expect_no_problems(&opened);
    opened_close(&opened);
}

/*
 * Does what another program could do: overwrites the commands of a frame's draws with unknown
 * commands.
 */
static void overwrite_draws(const struct opened *opened, const struct aerogpu_scan *scan)
{
    const struct aerogpu_dump *dump = aerogpu_dump_of(tree_dump(opened->tree));
    char *path = support_path(opened->folder, "dump.aerogputrace");
    int file = open(path, O_WRONLY);

    assert_true(file >= 0);
    for (uint64_t n = 0; n < scan->frames[0].draws; n++) {
        const struct aerogpu_scan_draw *draw = &scan->draws[scan->frames[0].first_draw + n];
        struct aerogpu_command command;

        assert_true(aerogpu_scan_command(aerogpu_dump_index(dump), scan, draw->submission,
                                         draw->command, &command));
        assert_int_equal(
            pwrite(file, "\xFF\xFF\xFF\xFF", 4, command.bytes - dump->base.source->data), 4);
    }
    close(file);
    free(path);
}

/* Before this is noticed, rows may be listed: none for what is not a draw any more. */
static void test_draws_that_are_overwritten(void **state)
{
    const struct aerogpu_scan *scan = NULL;
    struct trace_writer writer;
    struct text text = TEXT_INIT;
    struct opened opened;
    struct dump *dump;

    (void)state;
    write_plain(&writer);
    opened_trace(&opened, &writer);
    dump = tree_dump(opened.tree);
    assert_int_equal(aerogpu_dump_scan(aerogpu_dump_of(dump), NULL, &scan), 0);
    assert_true(scan->frames[0].draws > 0);
    overwrite_draws(&opened, scan);
    assert_int_equal(aerogpu_draw_table.rows(dump, 0, 0, scan->frames[0].draws, NULL, &text), 0);
    assert_int_equal(text.length, 0);
    text_clear(&text);
    opened_close(&opened);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_draw),
        cmocka_unit_test(test_draws_that_are_overwritten),
        cmocka_unit_test(test_scenes),
    };

    return cmocka_run_group_tests_name("aerogpu_draw_files", tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* What shaders draw, through the tree: over several frames, and where a shader is broken */
#include "config.h"

#include "base/bytes.h"
#include "formats/aerogpu/decode/command_stream.h"
#include "tests/formats/aerogpu/open.h"

#include "tests/support/support.h"
#include "tests/support/walk.h"
#include "tests/worker/scene.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TARGET = 0x10, COLOUR = 1, DEPTH = 2 };

static void begin(struct trace_writer *writer, struct trace_stream *stream)
{
    trace_begin(writer, 2);
    trace_begin_frame(writer);
    trace_stream_begin(stream);
}

static void submit(struct trace_writer *writer, struct trace_stream *stream)
{
    trace_submit(writer, stream, NULL, 0);
    trace_stream_free(stream);
    trace_end_frame(writer);
}

static void next(struct trace_writer *writer, struct trace_stream *stream)
{
    submit(writer, stream);
    trace_begin_frame(writer);
    trace_stream_begin(stream);
}

enum { VS = 100, PS = 101, BAD = 102, LAYOUT = 103, VERTICES = 104, INDICES = 105, SCREEN = 106 };

static void create_shader(struct trace_stream *stream, uint32_t handle, uint32_t stage,
                          struct blob *code)
{
    const uint32_t words[] = {handle, stage, (uint32_t)code->size, 0};

    trace_command_data(stream, AEROGPU_CREATE_SHADER_DXBC, words, 4, code->data, code->size);
    blob_unref(&code);
}

/* POSITION and COLOR of four floats, each vertex 32 bytes. */
static void create_layout(struct trace_stream *stream)
{
    struct trace_bytes layout = {0};
    const uint32_t words[] = {AEROGPU_LAYOUT_MAGIC, 1, 2, 0, 0x7808E88A, 0, 2, 0, 0, 0, 0,
                              0xE7C308F8,           0, 2, 0, 16,         0, 0};

    for (size_t i = 0; i < COUNT_OF(words); i++)
        trace_bytes_add_u32(&layout, words[i]);
    trace_command_data(stream, AEROGPU_CREATE_INPUT_LAYOUT,
                       (const uint32_t[]){LAYOUT, (uint32_t)layout.size, 0}, 3, layout.data,
                       layout.size);
    trace_bytes_free(&layout);
    TRACE(stream, AEROGPU_SET_INPUT_LAYOUT, LAYOUT, 0);
}

/* Uploads a triangle of one colour that covers the target. */
static void upload_triangle(struct trace_stream *stream, float red, float green, float blue)
{
    const float v[3][8] = {{-1, 3, 0.5f, 1, red, green, blue, 1},
                           {3, -1, 0.5f, 1, red, green, blue, 1},
                           {-1, -1, 0.5f, 1, red, green, blue, 1}};

    trace_upload(stream, VERTICES, 0, v, sizeof(v));
}

static void begin_drawing(struct trace_stream *stream)
{
    static const uint16_t indices[4] = {9, 0, 1, 2};

    trace_texture(stream, SCREEN, TARGET, AEROGPU_R8G8B8A8, 20, 10, 1, 1);
    trace_buffer(stream, VERTICES, 1, 96);
    trace_buffer(stream, INDICES, 2, sizeof(indices));
    trace_upload(stream, INDICES, 0, indices, sizeof(indices));
    create_shader(stream, VS, AEROGPU_VERTEX, scene_pass_vertex());
    create_shader(stream, PS, AEROGPU_PIXEL, scene_pass_pixel());
    create_layout(stream);
    TRACE(stream, AEROGPU_SET_VERTEX_BUFFERS, 0, 1, VERTICES, 32, 0, 0);
    TRACE(stream, AEROGPU_SET_INDEX_BUFFER, INDICES, 0, 2, 0);
    TRACE(stream, AEROGPU_BIND_SHADERS, VS, PS, 0, 0);
    trace_target(stream, SCREEN, 0);
}

/* Real DXBC, and state that stays from frame to frame; frames are read forwards and backwards. */
static void test_shaders_over_frames(void **state)
{
    struct trace_writer writer;
    struct trace_stream stream;
    struct walk_result result;
    struct opened opened;

    (void)state;
    opened_need_driver();
    begin(&writer, &stream);
    begin_drawing(&stream);
    upload_triangle(&stream, 1, 0, 0);
    trace_clear(&stream, 0, 0, 0, 0);
    TRACE(&stream, AEROGPU_DRAW, 3, 1, 0, 0);
    trace_present(&stream);
    next(&writer, &stream);
    upload_triangle(&stream, 0, 1, 0);
    TRACE(&stream, AEROGPU_DRAW_INDEXED, 3, 1, 0, 0, 0);
    trace_present(&stream);
    next(&writer, &stream);
    trace_clear(&stream, 0, 0, 1, 1);
    trace_present(&stream);
    submit(&writer, &stream);
    opened_trace(&opened, &writer);
    opened_expect_colour(&opened, "frames/000001.png", 0x00FF00FF);
    opened_expect_colour(&opened, "frames/000000.png", 0xFF0000FF);
    opened_expect_colour(&opened, "frames/000002.png", 0x0000FFFF);
    opened_expect_colour(&opened, "by-frame/000000/draws/00000.png", 0x00000000);
    opened_expect(&opened, "by-frame/000002/info.txt", "made without shaders");
    opened_expect(&opened, "resources/000003-shader-0x00000064/disassembly.txt", "vs_4_0\n");
    opened_expect(&opened, "resources/000003-shader-0x00000064/translated/shader.glsl", "main");
    opened_expect_no_problems(&opened);
    walk_tree(opened.tree, NULL, &result);
    opened_close(&opened);
}

/* A shader that cannot be read draws magenta, and is reported; other frames are correct. */
static void test_broken_shader(void **state)
{
    struct trace_writer writer;
    struct trace_stream stream;
    struct opened opened;

    (void)state;
    opened_need_driver();
    begin(&writer, &stream);
    begin_drawing(&stream);
    upload_triangle(&stream, 0, 1, 1);
    trace_command_data(&stream, AEROGPU_CREATE_SHADER_DXBC,
                       (const uint32_t[]){BAD, AEROGPU_PIXEL, 40, 0}, 4,
                       "DXBC which is none, but says that it is..", 40);
    TRACE(&stream, AEROGPU_BIND_SHADERS, VS, BAD, 0, 0);
    TRACE(&stream, AEROGPU_DRAW, 3, 1, 0, 0);
    trace_present(&stream);
    next(&writer, &stream);
    TRACE(&stream, AEROGPU_BIND_SHADERS, VS, PS, 0, 0);
    TRACE(&stream, AEROGPU_DRAW, 3, 1, 0, 0);
    trace_present(&stream);
    submit(&writer, &stream);
    opened_trace(&opened, &writer);
    opened_expect_colour(&opened, "frames/000000.png", 0xFF00FFFF);
    opened_expect(&opened, "problems.txt", " packet 2 ");
    opened_expect_colour(&opened, "frames/000001.png", 0x00FFFFFF);
    opened_close(&opened);
}

/* Commands that are in records of their own, without a stream, are drawn by the worker as well. */
static void test_shaders_without_a_stream(void **state)
{
    struct trace_writer writer;
    struct trace_stream stream;
    struct opened opened;
    size_t size;

    (void)state;
    opened_need_driver();
    trace_begin(&writer, 1);
    trace_begin_frame(&writer);
    trace_stream_begin(&stream);
    begin_drawing(&stream);
    upload_triangle(&stream, 1, 0, 1);
    trace_clear(&stream, 0, 0, 0, 0);
    TRACE(&stream, AEROGPU_DRAW, 3, 1, 0, 0);
    trace_present(&stream);
    for (size_t at = AEROGPU_STREAM_HEADER; at < stream.bytes.size; at += size) {
        size = bytes_le32(stream.bytes.data + at + 4);
        trace_packet(&writer, stream.bytes.data + at, size);
    }
    trace_stream_free(&stream);
    trace_end_frame(&writer);
    opened_trace(&opened, &writer);
    opened_expect_colour(&opened, "frames/000000.png", 0xFF00FFFF);
    opened_expect_colour(&opened, "by-frame/000000/draws/00000.png", 0x00000000);
    opened_expect_colour(&opened, "by-frame/000000/draws/00001.png", 0xFF00FFFF);
    opened_expect(&opened, "by-frame/000000/info.txt", "drawn by shaders");
    opened_close(&opened);
}

/* Clearing colours does not change a depth buffer, wherever it is bound. */
static void test_clears_of_another_kind(void **state)
{
    enum { DEPTHS = 107 };
    struct trace_writer writer;
    struct trace_stream stream;
    struct opened opened;

    (void)state;
    begin(&writer, &stream);
    begin_drawing(&stream);
    trace_texture(&stream, DEPTHS, TARGET, AEROGPU_D24S8, 20, 10, 1, 1);
    trace_target(&stream, SCREEN, DEPTHS);
    upload_triangle(&stream, 1, 0, 0);
    TRACE(&stream, AEROGPU_DRAW, 3, 1, 0, 0);
    trace_target(&stream, DEPTHS, 0);
    trace_clear(&stream, 0, 0, 0, 0);
    trace_present(&stream);
    next(&writer, &stream);
    trace_target(&stream, SCREEN, 0);
    trace_clear(&stream, 0, 0, 0, 0);
    trace_present(&stream);
    submit(&writer, &stream);
    opened_trace(&opened, &writer);
    opened_expect(&opened, "by-frame/000000/info.txt", "drawn by shaders");
    opened_expect(&opened, "by-frame/000001/info.txt", "made without shaders");
    opened_close(&opened);
}

/* A viewport with values that are no numbers is none, for the CPU and for the worker. */
static void test_viewports_of_no_numbers(void **state)
{
    static const float viewports[][6] = {
        {NAN, 0, 4, 2, 0, 1}, {0, 0, INFINITY, 2, 0, 1}, {0, 0, 2, 2, 0, NAN}};
    const float v[3][6] = {{-1, 3, 1, 0, 0, 1}, {3, -1, 1, 0, 0, 1}, {-1, -1, 1, 0, 0, 1}};

    (void)state;
    opened_need_driver();
    for (size_t i = 0; i < 2 * COUNT_OF(viewports); i++) {
        struct trace_writer writer;
        struct trace_stream stream;
        struct opened opened;
        uint32_t words[6];

        begin(&writer, &stream);
        begin_drawing(&stream);
        for (int k = 0; k < 6; k++)
            words[k] = trace_float(viewports[i / 2][k]);
        trace_command(&stream, AEROGPU_SET_VIEWPORT, words, 6);
        if (i % 2 == 0) {
            TRACE(&stream, AEROGPU_BIND_SHADERS, 0, 0, 0, 0);
            TRACE(&stream, AEROGPU_SET_VERTEX_BUFFERS, 0, 1, VERTICES, 24, 0, 0);
            trace_upload(&stream, VERTICES, 0, v, sizeof(v));
        } else {
            upload_triangle(&stream, 1, 0, 0);
        }
        TRACE(&stream, AEROGPU_DRAW, 3, 1, 0, 0);
        trace_present(&stream);
        submit(&writer, &stream);
        opened_trace(&opened, &writer);
        opened_expect_colour(&opened, "frames/000000.png", 0xFF0000FF);
        opened_close(&opened);
    }
}

/* A submission with more memory than the worker takes: the problem says so. */
static void test_too_many_ranges(void **state)
{
    enum { RANGES = 65536 + 1 };
    struct trace_range *ranges = calloc(RANGES, sizeof(*ranges));
    struct trace_writer writer;
    struct trace_stream stream;
    struct opened opened;

    (void)state;
    opened_need_driver();
    assert_non_null(ranges);
    for (uint32_t i = 0; i < RANGES; i++)
        ranges[i] = (struct trace_range){.alloc_id = i + 1, .data = "1234", .size = 4};
    begin(&writer, &stream);
    begin_drawing(&stream);
    upload_triangle(&stream, 1, 0, 0);
    TRACE(&stream, AEROGPU_DRAW, 3, 1, 0, 0);
    trace_present(&stream);
    trace_submit(&writer, &stream, ranges, RANGES);
    trace_stream_free(&stream);
    trace_end_frame(&writer);
    opened_trace(&opened, &writer);
    assert_int_equal(walk_try(opened.tree, "frames/000000.png"), -EIO);
    opened_expect(&opened, "problems.txt", "cannot be drawn: a submission has more ranges");
    opened_close(&opened);
    free(ranges);
}

/* A clear fills all layers of a view, in the format that the view or D3DRS_SRGBWRITEENABLE says. */
static void test_clears_of_views(void **state)
{
    enum { LAYERS = 108, VIEW, DEPTHS, OPAQUE = 112, SRGBWRITEENABLE = 194 };
    struct trace_writer writer;
    struct trace_stream stream;
    struct opened opened;

    (void)state;
    begin(&writer, &stream);
    trace_texture(&stream, LAYERS, TARGET, AEROGPU_R8G8B8A8, 4, 2, 1, 3);
    trace_texture(&stream, DEPTHS, TARGET, AEROGPU_D24S8, 4, 2, 1, 2);
    TRACE(&stream, AEROGPU_CREATE_TEXTURE_VIEW, VIEW, LAYERS, AEROGPU_R8G8B8A8, 0, 1, 1, 2, 0, 0);
    TRACE(&stream, AEROGPU_CREATE_TEXTURE_VIEW, VIEW + 2, DEPTHS, AEROGPU_D24S8, 0, 1, 0, 2, 0, 0);
    trace_target(&stream, VIEW, VIEW + 2);
    TRACE(&stream, AEROGPU_CLEAR, COLOUR | DEPTH, trace_float(0.5f), 0, 0, trace_float(0.5f),
          trace_float(1), 0);
    trace_present(&stream);
    next(&writer, &stream);
    TRACE(&stream, AEROGPU_SET_RENDER_STATE, SRGBWRITEENABLE, 1);
    trace_clear(&stream, 0.5f, 0, 0, 0.5f);
    trace_present(&stream);
    next(&writer, &stream);
    trace_target(&stream, 0, 0);
    trace_clear(&stream, 0.5f, 0, 0, 0.5f);
    trace_present(&stream);
    next(&writer, &stream);
    trace_texture(&stream, OPAQUE, TARGET, AEROGPU_R8G8B8X8, 4, 2, 1, 1);
    TRACE(&stream, AEROGPU_CREATE_TEXTURE_VIEW, OPAQUE + 1, OPAQUE, AEROGPU_R8G8B8A8, 0, 1, 0, 1, 0,
          0);
    trace_target(&stream, OPAQUE + 1, 0);
    trace_clear(&stream, 1, 0, 0, 0);
    trace_present(&stream);
    submit(&writer, &stream);
    opened_trace(&opened, &writer);
    opened_expect_colour(&opened, "frames/000003.png", 0xFF0000FF);
    opened_expect_colour(&opened, "frames/000000.png", 0x80000080);
    opened_expect_colour(&opened, "frames/000001.png", 0xBC000080);
    opened_expect_colour(&opened, "frames/000002.png", 0xBC000080);
    opened_expect_colour(&opened, "resources/000000-texture-0x0000006C/00-00.png", 0);
    opened_expect_colour(&opened, "resources/000000-texture-0x0000006C/01-00.png", 0xBC000080);
    opened_expect_colour(&opened, "resources/000000-texture-0x0000006C/02-00.png", 0xBC000080);
    opened_expect_colour(&opened, "resources/000001-texture-0x0000006E/01-00.png", 0xFFFFFFFF);
    opened_expect_no_problems(&opened);
    opened_close(&opened);
}

static void add_packet(struct trace_writer *writer, const uint32_t *words, size_t count)
{
    uint8_t bytes[24];

    for (size_t i = 0; i < count; i++)
        bytes_put_le32(bytes + 4 * i, words[i]);
    trace_packet(writer, bytes, 4 * count);
}

/* Commands of Appendix A only use the back buffer, whatever targets and state were set before. */
static void test_appendix_behind_targets(void **state)
{
    enum { SRGBWRITEENABLE = 194 };
    const uint32_t clear[] = {8, 6, 0, 0x3F800000, 0x3F000000, 0x3F800000}, draw[] = {9, 4, 3, 0},
                   present[] = {10, 2};
    struct trace_writer writer;
    struct trace_stream stream;
    struct opened opened;

    (void)state;
    opened_need_driver();
    begin(&writer, &stream);
    begin_drawing(&stream);
    upload_triangle(&stream, 1, 0, 1);
    trace_clear(&stream, 0, 0, 0, 0);
    TRACE(&stream, AEROGPU_DRAW, 3, 1, 0, 0);
    trace_present(&stream);
    TRACE(&stream, AEROGPU_SET_RENDER_STATE, SRGBWRITEENABLE, 1);
    submit(&writer, &stream);
    trace_begin_frame(&writer);
    add_packet(&writer, clear, COUNT_OF(clear));
    add_packet(&writer, draw, COUNT_OF(draw)); /* without a vertex buffer */
    add_packet(&writer, present, COUNT_OF(present));
    trace_end_frame(&writer);
    opened_trace(&opened, &writer);
    opened_expect_colour(&opened, "frames/000001.png", 0x00FF80FF);
    opened_expect_colour(&opened, "by-frame/000001/draws/00001.png", 0x00FF80FF);
    opened_close(&opened);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shaders_over_frames),
        cmocka_unit_test(test_broken_shader),
        cmocka_unit_test(test_shaders_without_a_stream),
        cmocka_unit_test(test_clears_of_another_kind),
        cmocka_unit_test(test_viewports_of_no_numbers),
        cmocka_unit_test(test_too_many_ranges),
        cmocka_unit_test(test_clears_of_views),
        cmocka_unit_test(test_appendix_behind_targets),
    };

    return cmocka_run_group_tests_name("aerogpu_gpu_replay", tests, NULL, NULL);
}

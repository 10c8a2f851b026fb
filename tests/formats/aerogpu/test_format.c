/* SPDX-License-Identifier: MIT */
/*
 * AeroGPU traces through their tree: pictures that need no shader to the pixel, and traces
 * that are damaged.
 */
#include "config.h"

#include "base/bytes.h"
#include "formats/aerogpu/decode/layout.h"
#include "tests/formats/aerogpu/open.h"

#include "tests/support/support.h"
#include "tests/support/walk.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
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

/* The bytes of a resource's one life, without the 0 behind them. */
static void expect_content(const struct opened *opened, const char *path, const char *expected)
{
    size_t size = 0;
    char *content = walk_read(opened->tree, path, &size);

    assert_int_equal(size, strlen(expected));
    assert_memory_equal(content, expected, size);
    free(content);
}

static unsigned count_parts(const struct opened *opened, const char *path, const char *part)
{
    size_t size = 0;
    char *text = walk_read(opened->tree, path, &size);
    unsigned count = 0;

    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part))
        count++;
    free(text);
    return count;
}

/* A clear to every format that is a target. */
static void test_clears(void **state)
{
    static const struct {
        uint32_t format, rgba;
    } cases[] = {
        {AEROGPU_B8G8R8A8, 0xFF804000},      {AEROGPU_B8G8R8X8, 0xFF8040FF},
        {AEROGPU_R8G8B8A8, 0xFF804000},      {AEROGPU_R8G8B8X8, 0xFF8040FF},
        {AEROGPU_B5G6R5, 0xFF8242FF},        {AEROGPU_B5G5R5A1, 0xFF844200},
        {AEROGPU_R8G8B8A8_SRGB, 0xFFBC8900}, {AEROGPU_B8G8R8X8_SRGB, 0xFFBC89FF},
    };
    struct trace_writer writer;
    struct trace_stream stream;
    struct opened opened;
    char path[64];

    (void)state;
    begin(&writer, &stream);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        if (i > 0)
            next(&writer, &stream);
        trace_texture(&stream, (uint32_t)i + 1, TARGET, cases[i].format, 5, 3, 1, 1);
        trace_target(&stream, (uint32_t)i + 1, 0);
        trace_clear(&stream, 1, 0.502f, 0.25f, 0);
        trace_present(&stream);
    }
    submit(&writer, &stream);
    opened_trace(&opened, &writer);
    opened_expect_no_problems(&opened);
    for (size_t i = COUNT_OF(cases); i-- > 0;) {
        snprintf(path, sizeof(path), "frames/%06zu.png", i);
        opened_expect_colour(&opened, path, cases[i].rgba);
    }
    opened_close(&opened);
}

/* Without a target the implicit back buffer is cleared and shown. */
static void test_implicit_back_buffer(void **state)
{
    struct trace_writer writer;
    struct trace_stream stream;
    struct opened opened;

    (void)state;
    begin(&writer, &stream);
    trace_clear(&stream, 0, 1, 0, 1);
    trace_present(&stream);
    next(&writer, &stream);
    submit(&writer, &stream);
    opened_trace(&opened, &writer);
    opened_expect_colour(&opened, "frames/000000.png", 0x00FF00FF);
    opened_expect_colour(&opened, "frames/000001.png", 0x00FF00FF);
    opened_expect(&opened, "frames.tsv", "\timplicit\t");
    opened_expect(&opened, "by-frame/000001/info.txt", "presented: no\n");
    opened_expect(&opened, "problems.txt", "FrameNotPresented: frame 1");
    opened_close(&opened);
}

/* What is destroyed is bound no more, also when its handle names another resource then. */
static void test_destroyed_is_unbound(void **state)
{
    struct trace_writer writer;
    struct trace_stream stream;
    struct opened opened;

    (void)state;
    begin(&writer, &stream);
    trace_texture(&stream, 1, TARGET, AEROGPU_R8G8B8A8, 5, 3, 1, 1);
    trace_target(&stream, 1, 0);
    TRACE(&stream, AEROGPU_DESTROY_RESOURCE, 1, 0);
    trace_texture(&stream, 1, TARGET, AEROGPU_R8G8B8A8, 7, 3, 1, 1);
    trace_clear(&stream, 0, 1, 0, 1);
    trace_present(&stream);
    next(&writer, &stream);
    TRACE(&stream, AEROGPU_CREATE_TEXTURE_VIEW, 2, 1, AEROGPU_R8G8B8A8, 0, 1, 0, 1, 0, 0);
    trace_target(&stream, 2, 0);
    TRACE(&stream, AEROGPU_DESTROY_TEXTURE_VIEW, 2, 0);
    trace_texture(&stream, 2, TARGET, AEROGPU_R8G8B8A8, 7, 3, 1, 1);
    trace_present(&stream);
    submit(&writer, &stream);
    opened_trace(&opened, &writer);
    opened_expect_no_problems(&opened);
    opened_expect(&opened, "frames.tsv", "\n0\t0\t3\t-\t64\t64\t0\tR8G8B8A8Unorm\t1\timplicit\t");
    opened_expect(&opened, "frames.tsv", "\n1\t4\t7\t-\t64\t64\t1\tR8G8B8A8Unorm\t1\timplicit\t");
    opened_expect_colour(&opened, "frames/000000.png", 0x00FF00FF);
    opened_close(&opened);
}

/* Resources are bound, not handles: what aliases still name stays bound. */
static void test_bound_by_aliases(void **state)
{
    struct trace_writer writer;
    struct trace_stream stream;
    struct opened opened;

    (void)state;
    begin(&writer, &stream);
    trace_texture(&stream, 1, TARGET, AEROGPU_R8G8B8A8, 5, 3, 1, 1);
    TRACE(&stream, AEROGPU_EXPORT_SHARED_SURFACE, 1, 0, 77, 0);
    TRACE(&stream, AEROGPU_IMPORT_SHARED_SURFACE, 2, 0, 77, 0);
    TRACE(&stream, AEROGPU_IMPORT_SHARED_SURFACE, 3, 0, 77, 0);
    trace_target(&stream, 1, 0);
    TRACE(&stream, AEROGPU_DESTROY_RESOURCE, 1, 0);
    trace_clear(&stream, 0, 1, 0, 1);
    trace_target(&stream, 1, 0); /* is refused: nothing names it but aliases */
    trace_present(&stream);
    next(&writer, &stream);
    trace_target(&stream, 2, 0);
    TRACE(&stream, AEROGPU_DESTROY_RESOURCE, 2, 0);
    trace_texture(&stream, 2, TARGET, AEROGPU_R8G8B8A8, 7, 3, 1, 1); /* is another */
    trace_clear(&stream, 1, 0, 0, 1);
    trace_present(&stream);
    next(&writer, &stream);
    TRACE(&stream, AEROGPU_DESTROY_RESOURCE, 3, 0);
    trace_texture(&stream, 1, TARGET, AEROGPU_R8G8B8A8, 9, 3, 1, 1);
    trace_present(&stream);
    submit(&writer, &stream);
    opened_trace(&opened, &writer);
    opened_expect(&opened, "frames.tsv", "\n0\t0\t3\t-\t5\t3\t");
    opened_expect(&opened, "frames.tsv", "\n1\t4\t7\t-\t5\t3\t");
    opened_expect(&opened, "frames.tsv", "\n2\t8\t11\t-\t64\t64\t");
    opened_expect(&opened, "by-frame/000001/state.txt", "colour_target 0: 1 texture 5x3 ");
    opened_expect_colour(&opened, "frames/000000.png", 0x00FF00FF);
    opened_expect_colour(&opened, "frames/000001.png", 0xFF0000FF);
    assert_int_equal(count_parts(&opened, "problems.txt", " error: "), 1);
    opened_expect(&opened, "problems.txt", "SetRenderTargets is not executed: a destroyed handle");
    opened_close(&opened);
}

/* A token is retired when it is released, or with the last handle; one that is unknown never. */
static void test_tokens(void **state)
{
    struct trace_writer writer;
    struct trace_stream stream;
    struct opened opened;

    (void)state;
    begin(&writer, &stream);
    trace_texture(&stream, 1, TARGET, AEROGPU_R8G8B8A8, 5, 3, 1, 1);
    TRACE(&stream, AEROGPU_RELEASE_SHARED_SURFACE, 77, 0, 0, 0); /* does nothing */
    TRACE(&stream, AEROGPU_EXPORT_SHARED_SURFACE, 1, 0, 77, 0);
    TRACE(&stream, AEROGPU_IMPORT_SHARED_SURFACE, 2, 0, 77, 0);
    TRACE(&stream, AEROGPU_RELEASE_SHARED_SURFACE, 77, 0, 0, 0);
    TRACE(&stream, AEROGPU_EXPORT_SHARED_SURFACE, 1, 0, 77, 0); /* refused */
    TRACE(&stream, AEROGPU_EXPORT_SHARED_SURFACE, 1, 0, 78, 0);
    TRACE(&stream, AEROGPU_CREATE_TEXTURE_VIEW, 3, 2, AEROGPU_R8G8B8A8, 0, 1, 0, 1, 0, 0);
    TRACE(&stream, AEROGPU_DESTROY_RESOURCE, 1, 0);
    TRACE(&stream, AEROGPU_DESTROY_RESOURCE, 2, 0);
    TRACE(&stream, AEROGPU_IMPORT_SHARED_SURFACE, 4, 0, 78, 0); /* refused: a view alone keeps it */
    trace_target(&stream, 4, 0);
    trace_present(&stream);
    submit(&writer, &stream);
    opened_trace(&opened, &writer);
    opened_expect(&opened, "frames.tsv", "\n0\t0\t3\t-\t64\t64\t");
    assert_int_equal(count_parts(&opened, "problems.txt", " error: "), 2);
    opened_expect(&opened, "problems.txt", "ExportSharedSurface is not executed: share token was");
    opened_expect(&opened, "problems.txt", "ImportSharedSurface is not executed: share token was");
    opened_close(&opened);
}

/* So are layouts and samplers. */
static void test_destroyed_layouts_and_samplers(void **state)
{
    static const uint32_t none[] = {AEROGPU_LAYOUT_MAGIC, 1, 0, 0};
    struct trace_writer writer;
    struct trace_stream stream;
    struct opened opened;
    char *text = NULL;
    size_t size = 0;

    (void)state;
    begin(&writer, &stream);
    for (int i = 0; i < 2; i++) {
        trace_command_data(&stream, AEROGPU_CREATE_INPUT_LAYOUT,
                           (const uint32_t[]){3, sizeof(none), 0}, 3, none, sizeof(none));
        TRACE(&stream, AEROGPU_CREATE_SAMPLER, 4, 1, 1, 1, 1);
        if (i == 1)
            break;
        TRACE(&stream, AEROGPU_SET_INPUT_LAYOUT, 3, 0);
        TRACE(&stream, AEROGPU_SET_SAMPLERS, AEROGPU_PIXEL, 2, 2, 0, 4, 5);
        TRACE(&stream, AEROGPU_DESTROY_INPUT_LAYOUT, 3, 0);
        TRACE(&stream, AEROGPU_DESTROY_SAMPLER, 4, 0);
    }
    trace_present(&stream);
    submit(&writer, &stream);
    opened_trace(&opened, &writer);
    opened_expect_no_problems(&opened);
    text = walk_read(opened.tree, "by-frame/000000/state.txt", &size);
    assert_null(strstr(text, "input_layout"));
    assert_null(strstr(text, "sampler 2"));
    assert_non_null(strstr(text, "ps sampler 3: 5 unknown"));
    free(text);
    opened_close(&opened);
}

/* A frame that shows nothing at all has no picture, and numbers stay. */
static void test_frame_without_a_picture(void **state)
{
    struct trace_writer writer;
    struct trace_stream stream;
    struct walk_result result;
    struct opened opened;
    uint64_t inode = 0;

    (void)state;
    begin(&writer, &stream);
    next(&writer, &stream);
    trace_clear(&stream, 0, 0, 1, 1);
    trace_present(&stream);
    submit(&writer, &stream);
    opened_trace(&opened, &writer);
    assert_int_equal(tree_find(opened.tree, "frames/000000.png", true, &inode), -ENOENT);
    opened_expect_colour(&opened, "latest.png", 0x0000FFFF);
    opened_expect(&opened, "frames.tsv", "\n0\t0\t3\t-\t-\t-\t0\t-\t0\tno\t");
    walk_tree(opened.tree, NULL, &result);
    opened_close(&opened);
}

/* Several PRESENTs: the last one is the frame, and each can be seen. */
static void test_presents(void **state)
{
    struct trace_writer writer;
    struct trace_stream stream;
    struct opened opened;

    (void)state;
    begin(&writer, &stream);
    trace_texture(&stream, 1, TARGET, AEROGPU_R8G8B8A8, 8, 8, 1, 1);
    trace_texture(&stream, 2, TARGET, AEROGPU_R8G8B8A8, 16, 4, 1, 1);
    trace_target(&stream, 1, 0);
    trace_clear(&stream, 1, 0, 0, 1);
    trace_present(&stream);
    trace_target(&stream, 2, 0);
    trace_clear(&stream, 0, 1, 0, 1);
    trace_present(&stream);
    submit(&writer, &stream);
    opened_trace(&opened, &writer);
    opened_expect_no_problems(&opened);
    opened_expect_colour(&opened, "by-frame/000000/presents/00.png", 0xFF0000FF);
    opened_expect_colour(&opened, "by-frame/000000/presents/01.png", 0x00FF00FF);
    opened_expect_colour(&opened, "frames/000000.png", 0x00FF00FF);
    opened_expect_colour(&opened, "by-frame/000000/draws/00000.png", 0xFF0000FF);
    opened_expect(&opened, "hashes.txt", "frame 0: 16x4 sha256=");
    opened_close(&opened);
}

/* Mips and layers by the linear layout, views of them as targets. */
static void test_mips_layers_and_views(void **state)
{
    uint8_t texels[2 * (8 * 4 + 4 * 2 + 2 * 1) * 4];
    struct trace_writer writer;
    struct trace_stream stream;
    struct opened opened;

    (void)state;
    for (size_t i = 0; i < sizeof(texels); i++)
        texels[i] = i < sizeof(texels) / 2 ? 0x20 : 0x60;
    begin(&writer, &stream);
    trace_texture(&stream, 1, TARGET, AEROGPU_R8G8B8A8, 8, 4, 3, 2);
    trace_upload(&stream, 1, 0, texels, sizeof(texels));
    TRACE(&stream, AEROGPU_CREATE_TEXTURE_VIEW, 9, 1, AEROGPU_R8G8B8A8, 1, 1, 1, 1, 0, 0);
    trace_target(&stream, 9, 0);
    trace_clear(&stream, 1, 1, 0, 1);
    trace_present(&stream);
    submit(&writer, &stream);
    opened_trace(&opened, &writer);
    opened_expect_no_problems(&opened);
    opened_expect(&opened, "frames.tsv", "\t4\t2\t0\tR8G8B8A8Unorm\t");
    opened_expect_colour(&opened, "frames/000000.png", 0xFFFF00FF);
    opened_expect_colour(&opened, "resources/000000-texture-0x00000001/01-01.png", 0xFFFF00FF);
    opened_expect_colour(&opened, "resources/000000-texture-0x00000001/00-01.png", 0x20202020);
    opened_expect_colour(&opened, "resources/000000-texture-0x00000001/01-02.png", 0x60606060);
    opened_close(&opened);
}

/* What the CPU's replay reads of a texture is what texels.c decodes. */
static void test_texture_formats(void **state)
{
    static const uint32_t formats[] = {AEROGPU_B5G6R5, AEROGPU_B5G5R5A1, AEROGPU_BC1,
                                       AEROGPU_BC2,    AEROGPU_BC3,      AEROGPU_BC7};
    struct trace_writer writer;
    struct trace_stream stream;
    struct opened opened;
    uint8_t texels[256], expected[12 * 8 * 4];
    uint64_t random = 7;

    (void)state;
    for (size_t i = 0; i < sizeof(texels); i++)
        texels[i] = (uint8_t)support_random(&random);
    begin(&writer, &stream);
    for (size_t i = 0; i < COUNT_OF(formats); i++) {
        struct aerogpu_shape shape = {formats[i], 12, 8, 1, 1, 0};

        trace_texture(&stream, (uint32_t)i + 1, 8, formats[i], 12, 8, 1, 1);
        trace_upload(&stream, (uint32_t)i + 1, 0, texels, aerogpu_shape_size(&shape));
    }
    submit(&writer, &stream);
    opened_trace(&opened, &writer);
    for (size_t i = 0; i < COUNT_OF(formats); i++) {
        struct aerogpu_shape shape = {formats[i], 12, 8, 1, 1, 0};
        struct aerogpu_subresource sub;
        struct picture picture;
        char path[80];

        aerogpu_subresource(&shape, 0, 0, &sub);
        assert_true(aerogpu_texels_decode(formats[i], 12, 8, texels, sub.pitch, expected));
        snprintf(path, sizeof(path), "resources/%06zu-texture-0x%08zX/00-00.png", i, i + 1);
        picture = opened_picture(&opened, path, PNG_FORMAT_RGBA);
        assert_memory_equal(picture.pixels, expected, sizeof(expected));
        free(picture.pixels);
    }
    opened_close(&opened);
}

/* Guest memory: backing, dirty ranges, and copies that are written back to it. */
static void test_backing_memory(void **state)
{
    uint8_t memory[2][64 * 4];
    struct trace_range range = {.alloc_id = 7, .gpa = 0x1000, .size = sizeof(memory[0])};
    struct trace_writer writer;
    struct trace_stream stream;
    struct opened opened;

    (void)state;
    memset(memory[0], 0x11, sizeof(memory[0]));
    memset(memory[1], 0x22, sizeof(memory[1]));
    begin(&writer, &stream);
    TRACE(&stream, AEROGPU_CREATE_TEXTURE2D, 1, TARGET, AEROGPU_R8G8B8A8, 8, 8, 1, 1, 32, 7, 0, 0,
          0);
    trace_target(&stream, 1, 0);
    trace_present(&stream);
    range.data = memory[0];
    trace_submit(&writer, &stream, &range, 1);
    trace_stream_free(&stream);
    trace_end_frame(&writer);

    /* The upper half is read anew; then a copy is written back, and read again. */
    trace_begin_frame(&writer);
    trace_stream_begin(&stream);
    TRACE(&stream, AEROGPU_RESOURCE_DIRTY_RANGE, 1, 0, 0, 0, 128, 0);
    trace_present(&stream);
    trace_texture(&stream, 2, TARGET, AEROGPU_R8G8B8A8, 8, 8, 1, 1);
    trace_target(&stream, 2, 0);
    trace_clear(&stream, 0, 0, 1, 1);
    TRACE(&stream, AEROGPU_COPY_TEXTURE2D, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 1, 0);
    trace_target(&stream, 1, 0);
    trace_clear(&stream, 0, 0, 0, 0);
    TRACE(&stream, AEROGPU_RESOURCE_DIRTY_RANGE, 1, 0, 0, 0, 256, 0);
    trace_present(&stream);
    range.data = memory[1];
    trace_submit(&writer, &stream, &range, 1);
    trace_stream_free(&stream);
    trace_end_frame(&writer);
    opened_trace(&opened, &writer);

    opened_expect_no_problems(&opened);
    opened_expect_colour(&opened, "frames/000000.png", 0x11111111);
    struct picture picture =
        opened_picture(&opened, "by-frame/000001/presents/00.png", PNG_FORMAT_RGBA);
    assert_int_equal(opened_pixel(&picture, 7, 3), 0x22222222);
    assert_int_equal(opened_pixel(&picture, 0, 4), 0x11111111);
    free(picture.pixels);
    opened_expect_colour(&opened, "frames/000001.png", 0x0000FFFF);
    opened_expect(&opened, "submissions/000000/xref.txt",
                  "cmd@0x18 CreateTexture2d handle=1 backing_alloc_id=7 gpa=0x0000000000001000 "
                  "size_bytes=256\n");
    opened_expect(&opened, "submissions/000000/allocs.txt",
                  "alloc_id=7 gpa=0x0000000000001000 size_bytes=256 flags=0x00000000\n");
    opened_close(&opened);
}

static void test_shared_surfaces(void **state)
{
    struct trace_writer writer;
    struct trace_stream stream;
    struct opened opened;

    (void)state;
    begin(&writer, &stream);
    trace_texture(&stream, 1, TARGET, AEROGPU_R8G8B8A8, 8, 8, 1, 1);
    TRACE(&stream, AEROGPU_EXPORT_SHARED_SURFACE, 1, 0, 42, 0);
    TRACE(&stream, AEROGPU_IMPORT_SHARED_SURFACE, 5, 0, 42, 0);
    TRACE(&stream, AEROGPU_DESTROY_RESOURCE, 1, 0);
    trace_target(&stream, 5, 0);
    trace_clear(&stream, 0, 1, 1, 1);
    trace_present(&stream);
    /* The original's handle is taken for as long as its alias lives. */
    trace_texture(&stream, 1, TARGET, AEROGPU_R8G8B8A8, 4, 4, 1, 1);
    TRACE(&stream, AEROGPU_DESTROY_RESOURCE, 5, 0);
    trace_texture(&stream, 1, TARGET, AEROGPU_R8G8B8A8, 4, 4, 1, 1);
    TRACE(&stream, AEROGPU_RELEASE_SHARED_SURFACE, 42, 0, 0, 0);
    TRACE(&stream, AEROGPU_EXPORT_SHARED_SURFACE, 1, 0, 42, 0);
    submit(&writer, &stream);
    opened_trace(&opened, &writer);
    opened_expect_colour(&opened, "frames/000000.png", 0x00FFFFFF);
    opened_expect_colour(&opened, "resources/000000-texture-0x00000001/00-00.png", 0x00FFFFFF);
    opened_expect(&opened, "problems.txt", "CreateTexture2d is not executed: the handle is in use");
    opened_expect(&opened, "problems.txt", "ExportSharedSurface is not executed: share token was");
    opened_expect(&opened, "resources.tsv", "1\ttexture\t1\t");
    opened_close(&opened);
}

/* A float of a file's 32-bit floats, low byte first. */
static float float_at(const struct opened *opened, const char *name, size_t index)
{
    size_t size = 0;
    char *bytes = walk_read(opened->tree, name, &size);
    uint32_t bits;
    float value;

    assert_non_null(bytes);
    assert_true(size >= 4 * (index + 1));
    bits = bytes_le32((uint8_t *)bytes + 4 * index);
    memcpy(&value, &bits, sizeof(value));
    free(bytes);
    return value;
}

/* Depth as grey and as floats, and a depth target that only part is cleared of. */
static void test_depth(void **state)
{
    struct trace_writer writer;
    struct trace_stream stream;
    struct opened opened;
    struct picture picture;

    (void)state;
    begin(&writer, &stream);
    trace_texture(&stream, 1, TARGET, AEROGPU_R8G8B8A8, 8, 8, 1, 1);
    trace_texture(&stream, 2, 0x20, AEROGPU_D24S8, 8, 8, 1, 1);
    trace_target(&stream, 1, 2);
    TRACE(&stream, AEROGPU_CLEAR, DEPTH, 0, 0, 0, 0, trace_float(0.5f), 9);
    trace_present(&stream);
    submit(&writer, &stream);
    opened_trace(&opened, &writer);
    picture = opened_picture(&opened, "by-frame/000000/depth.png", PNG_FORMAT_LINEAR_Y);
    assert_in_range(((uint16_t *)picture.pixels)[9], 32767, 32768);
    free(picture.pixels);
    assert_float_equal(float_at(&opened, "by-frame/000000/depth.bin", 63), 0.5f, 1e-6);
    opened_close(&opened);
}

/* D3D's top-left rule: edges on the pixel centres 10.5 and 20.5 cover 10 to 19. */
static void test_fill_rule(void **state)
{
    float v[6][6];
    static const int corners[6][2] = {{0, 0}, {1, 0}, {0, 1}, {1, 0}, {1, 1}, {0, 1}};
    struct trace_writer writer;
    struct trace_stream stream;
    struct opened opened;
    struct picture picture;

    (void)state;
    for (int i = 0; i < 6; i++) {
        float x = corners[i][0] != 0 ? 20.5f : 10.5f, y = corners[i][1] != 0 ? 20.5f : 10.5f;
        const float vertex[6] = {x / 32 - 1, 1 - y / 32, 1, 0.5f, 0, 1};

        memcpy(v[i], vertex, sizeof(vertex));
    }
    begin(&writer, &stream);
    trace_texture(&stream, 1, TARGET, AEROGPU_R8G8B8A8, 64, 64, 1, 1);
    trace_buffer(&stream, 2, 1, sizeof(v));
    trace_upload(&stream, 2, 0, v, sizeof(v));
    trace_target(&stream, 1, 0);
    trace_clear(&stream, 0, 0, 0, 0);
    TRACE(&stream, AEROGPU_SET_VERTEX_BUFFERS, 0, 1, 2, 24, 0, 0);
    TRACE(&stream, AEROGPU_DRAW, 6, 1, 0, 0);
    trace_present(&stream);
    submit(&writer, &stream);
    opened_trace(&opened, &writer);
    opened_expect_no_problems(&opened);
    picture = opened_picture(&opened, "frames/000000.png", PNG_FORMAT_RGBA);
    for (uint32_t y = 0; y < 64; y++)
        for (uint32_t x = 0; x < 64; x++) {
            bool inside = x >= 10 && x < 20 && y >= 10 && y < 20;

            if (opened_pixel(&picture, x, y) != (inside ? 0xFF8000FF : 0))
                fail_msg("%08X at %u,%u", opened_pixel(&picture, x, y), x, y);
        }
    free(picture.pixels);
    opened_close(&opened);
}

/* Nothing is drawn outside of the viewport, nor of the scissor; missing vertices are zeros. */
static void test_viewport_and_scissor(void **state)
{
    static const float v[3][6] = {{-9, 9, 1, 1, 1, 1}, {9, 9, 1, 1, 1, 1}, {0, -30, 1, 1, 1, 1}};
    struct trace_writer writer;
    struct trace_stream stream;
    struct opened opened;
    struct picture picture;

    (void)state;
    begin(&writer, &stream);
    trace_texture(&stream, 1, TARGET, AEROGPU_R8G8B8A8, 16, 16, 1, 1);
    trace_buffer(&stream, 2, 1, sizeof(v));
    trace_upload(&stream, 2, 0, v, sizeof(v));
    trace_target(&stream, 1, 0);
    TRACE(&stream, AEROGPU_SET_VIEWPORT, trace_float(4), trace_float(2), trace_float(6),
          trace_float(20), 0, trace_float(1));
    TRACE(&stream, AEROGPU_SET_RASTERIZER_STATE, 0, 2, 0, 1, 0, 0);
    TRACE(&stream, AEROGPU_SET_SCISSOR, (uint32_t)-5, 0, 13, 9);
    TRACE(&stream, AEROGPU_SET_VERTEX_BUFFERS, 0, 1, 2, 24, 0, 0);
    TRACE(&stream, AEROGPU_DRAW, 3, 1, 0, 0);
    TRACE(&stream, AEROGPU_DRAW, 3, 1, 90, 0);
    trace_present(&stream);
    submit(&writer, &stream);
    opened_trace(&opened, &writer);
    picture = opened_picture(&opened, "frames/000000.png", PNG_FORMAT_RGBA);
    for (uint32_t y = 0; y < 16; y++)
        for (uint32_t x = 0; x < 16; x++) {
            bool inside = x >= 4 && x < 8 && y >= 2 && y < 9;

            if (opened_pixel(&picture, x, y) != (inside ? 0xFFFFFFFF : 0))
                fail_msg("%08X at %u,%u", opened_pixel(&picture, x, y), x, y);
        }
    free(picture.pixels);
    opened_close(&opened);
}

/* What cannot be executed is told, and the rest is. */
static void test_refused_commands(void **state)
{
    struct trace_writer writer;
    struct trace_stream stream;
    struct opened opened;

    (void)state;
    begin(&writer, &stream);
    trace_texture(&stream, 1, TARGET, AEROGPU_R8G8B8A8, 8, 8, 1, 1);
    trace_texture(&stream, 2, TARGET, AEROGPU_R8G8B8A8, 40000, 8, 1, 1);
    trace_texture(&stream, 1, TARGET, AEROGPU_R8G8B8A8, 8, 9, 1, 1);
    trace_upload(&stream, 1, 200, "too far behind the end of the texture, which has 256 bytes...",
                 60);
    TRACE(&stream, AEROGPU_COPY_TEXTURE2D, 1, 3, 0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 0, 0);
    trace_buffer(&stream, 4, 1, 16);
    trace_buffer(&stream, 5, 1, 16);
    TRACE(&stream, AEROGPU_COPY_BUFFER, 4, 5, 0, 0, 0, 0, 6, 0, 0, 0);
    TRACE(&stream, AEROGPU_CREATE_SAMPLER, 6, 1, 2, 1, 0);
    TRACE(&stream, AEROGPU_CREATE_SAMPLER, 6, 2, 0, 0, 0);
    TRACE(&stream, AEROGPU_CREATE_SAMPLER, 6, 0, 0, 0, 3);
    TRACE(&stream, AEROGPU_SET_SAMPLERS, AEROGPU_PIXEL, 0, 1, 0, 6);
    TRACE(&stream, 0xBEEF, 1, 2, 3);
    TRACE(&stream, 0xBEEF, 1, 2, 3);
    TRACE(&stream, AEROGPU_DRAW, 1);
    trace_target(&stream, 1, 0);
    trace_clear(&stream, 1, 0, 1, 1);
    trace_present(&stream);
    submit(&writer, &stream);
    opened_trace(&opened, &writer);
    opened_expect_colour(&opened, "frames/000000.png", 0xFF00FFFF);
    opened_expect(&opened, "problems.txt", "no texture has this shape");
    opened_expect(&opened, "problems.txt", "the handle is in use by another resource");
    opened_expect(&opened, "problems.txt", "UploadResource is not executed: beyond the resource");
    opened_expect(&opened, "problems.txt", "CopyTexture2d is not executed: unknown texture");
    opened_expect(&opened, "problems.txt", "CopyBuffer is not executed: offsets or size are not");
    opened_expect(&opened, "problems.txt", "CreateSampler is not executed: unknown filter");
    opened_expect(&opened, "problems.txt", "CreateSampler is not executed: unknown address mode");
    opened_expect(&opened, "by-frame/000000/state.txt", "ps sampler 0: 6 filter=1 address=2,1,0\n");
    opened_expect(&opened, "problems.txt", "unknown opcode_id=0x0000BEEF");
    opened_expect(&opened, "problems.txt", "Draw is not executed: PayloadSizeMismatch");
    opened_expect(&opened, "metadata.txt", "unknown_opcodes: 2\n");
    opened_expect(&opened, "submissions/000000/commands.txt",
                  " Unknown size_bytes=20 opcode_id=0x0000BEEF payload_len=12\n");
    opened_close(&opened);
}

/* Buffers are written to by whole words, at whole words; textures by bytes. */
static void test_whole_words(void **state)
{
    struct trace_writer writer;
    struct trace_stream stream;
    struct opened opened;

    (void)state;
    begin(&writer, &stream);
    trace_buffer(&stream, 4, 1, 16);
    trace_buffer(&stream, 5, 1, 16);
    trace_upload(&stream, 4, 0, "0123456789abcdef", 16);
    trace_upload(&stream, 4, 0, "ABCDEF", 6);
    trace_upload(&stream, 4, 2, "ABCD", 4);
    trace_upload(&stream, 4, 13, "ABC", 3);
    trace_upload(&stream, 4, 4, "ABCD", 4);
    trace_upload(&stream, 4, 2, "", 0); /* nothing is written */
    TRACE(&stream, AEROGPU_COPY_BUFFER, 5, 4, 0, 0, 0, 0, 16, 0, 0, 0);
    TRACE(&stream, AEROGPU_COPY_BUFFER, 5, 4, 0, 0, 4, 0, 6, 0, 0, 0);
    TRACE(&stream, AEROGPU_COPY_BUFFER, 5, 4, 2, 0, 4, 0, 4, 0, 0, 0);
    TRACE(&stream, AEROGPU_COPY_BUFFER, 5, 4, 2, 0, 4, 0, 0, 0, 0, 0);
    trace_texture(&stream, 6, TARGET, AEROGPU_R8G8B8A8, 2, 1, 1, 1);
    trace_upload(&stream, 6, 0, "01234567", 8);
    trace_upload(&stream, 6, 3, "ABC", 3);
    trace_present(&stream);
    submit(&writer, &stream);
    opened_trace(&opened, &writer);
    expect_content(&opened, "resources/000000-buffer-0x00000004/content.bin", "0123ABCD89abcdef");
    expect_content(&opened, "resources/000001-buffer-0x00000005/content.bin", "0123ABCD89abcdef");
    expect_content(&opened, "resources/000002-texture-0x00000006/content.bin", "012ABC67");
    assert_int_equal(count_parts(&opened, "problems.txt",
                                 " is not executed: offsets or size are not multiples of 4\n"),
                     5);
    assert_int_equal(count_parts(&opened, "problems.txt", "UploadResource is not executed"), 3);
    opened_close(&opened);
}

/* What stands behind a packet in its record is told, not dropped. */
static void test_packets_with_more_behind(void **state)
{
    const uint32_t clear[] = {AEROGPU_A_CLEAR, 6, 0, trace_float(1), 0, trace_float(1), 2, 2};
    const uint32_t present[] = {AEROGPU_A_PRESENT, 2};
    struct trace_writer writer;
    struct opened opened;

    (void)state;
    trace_begin(&writer, 1);
    trace_bytes_put_u32(&writer.bytes, 16, 1);
    trace_begin_frame(&writer);
    trace_packet(&writer, clear, sizeof(clear));
    trace_packet(&writer, present, sizeof(present));
    trace_end_frame(&writer);
    opened_trace(&opened, &writer);
    opened_expect_colour(&opened, "frames/000000.png", 0x00FF00FF);
    opened_expect(&opened, "problems.txt",
                  " packet 1 error: 8 bytes follow the packet of 24 in its record");
    opened_expect(&opened, "packets/00000/00000001-packet.txt", "\ntrailing_bytes: 8\n");
    opened_close(&opened);
}

/* The same commands in a stream, and each alone in its record, of ABI 1.4. */
static void test_packets_without_a_stream(void **state)
{
    struct trace_writer writer;
    struct trace_stream stream;
    struct opened opened;
    size_t at = 24;

    (void)state;
    trace_begin(&writer, 1);
    trace_begin_frame(&writer);
    trace_stream_begin(&stream);
    trace_texture(&stream, 1, TARGET, AEROGPU_R8G8B8A8, 8, 8, 1, 1);
    trace_target(&stream, 1, 0);
    TRACE(&stream, AEROGPU_DEBUG_MARKER, 0x6b72616d);
    trace_clear(&stream, 1, 0, 1, 1);
    trace_present(&stream);
    while (at < stream.bytes.size) {
        size_t size = bytes_le32(stream.bytes.data + at + 4);

        trace_packet(&writer, stream.bytes.data + at, size);
        at += size;
    }
    /* Longer than its packet, and of no length that fits. */
    trace_packet(&writer, (const uint32_t[]){AEROGPU_FLUSH, 16, 0, 0, 1}, 20);
    trace_packet(&writer, (const uint32_t[]){AEROGPU_FLUSH, 64, 0, 0}, 16);
    trace_stream_free(&stream);
    trace_end_frame(&writer);
    opened_trace(&opened, &writer);
    opened_expect_colour(&opened, "frames/000000.png", 0xFF00FFFF);
    opened_expect(&opened, "metadata.txt", "\ncommands: 6\n");
    opened_expect(&opened, "packets/00000/00000004-packet.txt", " Clear size_bytes=36 ");
    opened_expect(&opened, "by-frame/000000/commands.txt", "000004 0x00000000 Clear size_bytes=36");
    opened_expect(&opened, "by-frame/000000/draws.tsv", "\tClear\t");
    opened_expect(&opened, "resources/000000-texture-0x00000001/info.txt", "created: packet 1\n");
    opened_expect(&opened, "problems.txt", " packet 1 note: packets of the A3A0 ABI stand");
    opened_expect(&opened, "problems.txt",
                  " packet 6 error: 4 bytes follow the packet of 16 in its record");
    opened_expect(&opened, "problems.txt",
                  " packet 7 error: the packet holds no command: PacketOverrunsStream");
    opened_close(&opened);
}

/* Streams that are of another version than the header says, and what they should leave 0. */
static void test_headers_of_streams(void **state)
{
    struct trace_writer writer;
    struct trace_stream stream;
    struct opened opened;

    (void)state;
    begin(&writer, &stream);
    for (uint32_t i = 0; i < 4; i++) {
        if (i > 0)
            next(&writer, &stream);
        trace_bytes_put_u32(&stream.bytes, 4, i == 0 ? 0x10004 : 0x10003);
        trace_bytes_put_u32(&stream.bytes, 20, i == 3);
        trace_clear(&stream, 1, 0, 1, 1);
        trace_present(&stream);
    }
    submit(&writer, &stream);
    opened_trace(&opened, &writer);
    opened_expect(
        &opened, "problems.txt",
        " packet 6 note: command stream of ABI version 0x00010003 in a trace whose header "
        "says 0x00010004\n");
    opened_expect(&opened, "problems.txt",
                  " packet 14 note: a command stream's header has flags or reserved fields");
    assert_int_equal(problems_count(opened.dump.problems), 2);
    opened_close(&opened);
}

/* Whatever is wrong behind the records, or between them, frames show the same. */
static void test_damage_at_the_end(void **state)
{
    struct trace_writer writer;
    struct trace_stream stream;
    struct opened opened;
    size_t whole = 0;

    (void)state;
    for (int damage = 0; damage < 5; damage++) {
        begin(&writer, &stream);
        trace_clear(&stream, 1, 0, 0, 1);
        trace_present(&stream);
        next(&writer, &stream);
        trace_clear(&stream, 0, 1, 0, 1);
        trace_present(&stream);
        trace_bytes_add(&stream.bytes, "slack that no size counts", 25);
        trace_submit(&writer, &stream, NULL, 0);
        trace_stream_free(&stream);
        trace_end_frame(&writer);
        whole = writer.bytes.size;
        trace_end(&writer);
        if (damage == 1)
            writer.bytes.size = whole; /* neither table nor footer */
        if (damage == 2)
            writer.bytes.size -= 1;
        if (damage == 3)
            writer.bytes.data[whole] ^= 1; /* the table's magic */
        if (damage == 4)
            trace_bytes_put_u32(&writer.bytes, writer.bytes.size - 16, 7); /* the table's place */
        opened_bytes(&opened, writer.bytes.data, writer.bytes.size);
        trace_free(&writer);
        opened_expect(&opened, "metadata.txt",
                      damage == 0 ? "frames_rebuilt: no\n" : "frames_rebuilt: yes\n");
        opened_expect(&opened, "submissions/000001/info.txt", "trailing_bytes: 25\n");
        opened_expect_colour(&opened, "frames/000000.png", 0xFF0000FF);
        opened_expect_colour(&opened, "frames/000001.png", 0x00FF00FF);
        opened_close(&opened);
    }
}

/* Many submissions share an allocation table of which each entry is wrong. */
static void test_shared_allocation_table(void **state)
{
    enum { ENTRIES = 128, SUBMISSIONS = 100000, RECORD = 64 };
    struct trace_range ranges[ENTRIES];
    struct trace_writer writer;
    struct trace_stream stream;
    struct opened opened;
    uint8_t submission[RECORD];

    (void)state;
    for (uint32_t i = 0; i < ENTRIES; i++)
        ranges[i] = (struct trace_range){.alloc_id = 7, .gpa = i, .data = "1234", .size = 4};
    begin(&writer, &stream);
    trace_submit(&writer, &stream, ranges, ENTRIES);
    trace_stream_free(&stream);
    memcpy(submission, writer.bytes.data + writer.bytes.size - 32 * ENTRIES - RECORD, RECORD);
    bytes_put_le32(submission + 4, RECORD - 8); /* without the ranges */
    bytes_put_le32(submission + 56, 0);
    for (unsigned i = 1; i < SUBMISSIONS; i++)
        trace_bytes_add(&writer.bytes, submission, RECORD);
    trace_end_frame(&writer);
    opened_trace(&opened, &writer);
    opened_expect(&opened, "problems.txt", "alloc_id 7 has two addresses");
    opened_expect(&opened, "metadata.json", "\"submissions\": 100000");
    opened_close(&opened);
}

/* Of the items of one command the first ones are shown, and how many follow. */
static void test_commands_of_many_items(void **state)
{
    enum { SHOWN = 256 };
    static const uint32_t counts[] = {SHOWN, SHOWN + 1, 500000};
    struct trace_writer writer;
    struct trace_stream stream;
    struct opened opened;
    char *text = NULL;
    size_t size = 0;
    json_t *json = NULL;

    (void)state;
    begin(&writer, &stream);
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        const uint32_t words[] = {0, 0, counts[i], 0};
        uint32_t *items = calloc(counts[i], sizeof(*items));

        assert_non_null(items);
        trace_command_data(&stream, AEROGPU_SET_SAMPLERS, words, COUNT_OF(words), items,
                           counts[i] * sizeof(*items));
        free(items);
    }
    submit(&writer, &stream);
    opened_trace(&opened, &writer);
    opened_expect(&opened, "submissions/000000/commands/000000-setsamplers.txt", " sampler255=0\n");
    opened_expect(&opened, "submissions/000000/commands/000001-setsamplers.txt",
                  " sampler255=0 more=1\n");
    opened_expect(&opened, "submissions/000000/commands.txt", " sampler255=0 more=499744\n");
    text = walk_read(opened.tree, "submissions/000000/commands.json", &size);
    json = json_loadb(text, size, 0, NULL);
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        const json_t *decoded =
            json_object_get(json_array_get(json_object_get(json, "records"), i), "decoded");

        assert_non_null(json_object_get(decoded, "sampler255"));
        assert_null(json_object_get(decoded, "sampler256"));
        assert_int_equal(json_integer_value(json_object_get(decoded, "more")), counts[i] - SHOWN);
    }
    json_decref(json);
    free(text);
    opened_close(&opened);
}

/* Every command there is, as line and as JSON that parses. */
static void test_all_commands_are_described(void **state)
{
    struct trace_writer writer;
    struct trace_stream stream;
    struct opened opened;
    size_t size = 0, count = 0;
    json_error_t error;
    json_t *json = NULL;
    char *text = NULL;

    (void)state;
    begin(&writer, &stream);
    for (uint32_t opcode = 0; opcode < 0x800; opcode++)
        for (uint32_t words = 0; words <= 20; words += 4) {
            const uint32_t zeros[20] = {2, 1, 1, 0x22BC5C01, 3};

            trace_command(&stream, opcode, zeros, words);
        }
    submit(&writer, &stream);
    opened_trace(&opened, &writer);
    text = walk_read(opened.tree, "submissions/000000/commands.json", &size);
    json = json_loadb(text, size, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &error);
    if (json == NULL)
        fail_msg("%s: %.200s", error.text,
                 text + (error.position > 300 ? error.position - 100 : 0));
    count = json_array_size(json_object_get(json, "records"));
    assert_int_equal(count, 0x800 * 6);
    json_decref(json);
    free(text);
    opened_expect(&opened, "submissions/000000/commands.txt", " BindShaders size_bytes=56 ");
    opened_close(&opened);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clears),
        cmocka_unit_test(test_implicit_back_buffer),
        cmocka_unit_test(test_destroyed_is_unbound),
        cmocka_unit_test(test_bound_by_aliases),
        cmocka_unit_test(test_tokens),
        cmocka_unit_test(test_destroyed_layouts_and_samplers),
        cmocka_unit_test(test_frame_without_a_picture),
        cmocka_unit_test(test_presents),
        cmocka_unit_test(test_mips_layers_and_views),
        cmocka_unit_test(test_texture_formats),
        cmocka_unit_test(test_backing_memory),
        cmocka_unit_test(test_shared_surfaces),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_fill_rule),
        cmocka_unit_test(test_viewport_and_scissor),
        cmocka_unit_test(test_refused_commands),
        cmocka_unit_test(test_whole_words),
        cmocka_unit_test(test_packets_with_more_behind),
        cmocka_unit_test(test_packets_without_a_stream),
        cmocka_unit_test(test_headers_of_streams),
        cmocka_unit_test(test_damage_at_the_end),
        cmocka_unit_test(test_shared_allocation_table),
        cmocka_unit_test(test_commands_of_many_items),
        cmocka_unit_test(test_all_commands_are_described),
    };

    return cmocka_run_group_tests_name("aerogpu_format", tests, NULL, NULL);
}

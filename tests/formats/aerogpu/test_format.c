/* SPDX-License-Identifier: MIT */
/* AeroGPU traces through their tree: pictures that need no shader, to the pixel, and resources */
#include "config.h"

#include "base/bytes.h"
#include "formats/aerogpu/decode/layout.h"
#include "tests/formats/aerogpu/frames.h"
#include "tests/formats/aerogpu/open.h"

#include "tests/support/support.h"
#include "tests/support/walk.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TARGET = 0x10, COLOUR = 1, DEPTH = 2 };

/* Clears every format that can be a target. */
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
    frames_begin_trace(&writer, &stream);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        if (i > 0)
            frames_next(&writer, &stream);
        trace_texture(&stream, (uint32_t)i + 1, TARGET, cases[i].format, 5, 3, 1, 1);
        trace_target(&stream, (uint32_t)i + 1, 0);
        trace_clear(&stream, 1, 0.502f, 0.25f, 0);
        trace_present(&stream);
    }
    frames_end(&writer, &stream);
    opened_trace(&opened, &writer);
    opened_expect_no_problems(&opened);
    for (size_t i = COUNT_OF(cases); i-- > 0;) {
        snprintf(path, sizeof(path), "frames/%06zu.png", i);
        opened_expect_colour(&opened, path, cases[i].rgba);
    }
    opened_close(&opened);
}

/* Without a target, the implicit back buffer is cleared and shown. */
static void test_implicit_back_buffer(void **state)
{
    struct trace_writer writer;
    struct trace_stream stream;
    struct opened opened;

    (void)state;
    frames_begin_trace(&writer, &stream);
    trace_clear(&stream, 0, 1, 0, 1);
    trace_present(&stream);
    frames_next(&writer, &stream);
    frames_end(&writer, &stream);
    opened_trace(&opened, &writer);
    opened_expect_colour(&opened, "frames/000000.png", 0x00FF00FF);
    opened_expect_colour(&opened, "frames/000001.png", 0x00FF00FF);
    opened_expect(&opened, "frames.tsv", "\timplicit\t");
    opened_expect(&opened, "by-frame/000001/info.txt", "presented: no\n");
    opened_expect(&opened, "problems.txt", "FrameNotPresented: frame 1");
    opened_close(&opened);
}

/* A destroyed resource is not bound any more, even if its handle then names another resource. */
static void test_destroyed_is_unbound(void **state)
{
    struct trace_writer writer;
    struct trace_stream stream;
    struct opened opened;

    (void)state;
    frames_begin_trace(&writer, &stream);
    trace_texture(&stream, 1, TARGET, AEROGPU_R8G8B8A8, 5, 3, 1, 1);
    trace_target(&stream, 1, 0);
    TRACE(&stream, AEROGPU_DESTROY_RESOURCE, 1, 0);
    trace_texture(&stream, 1, TARGET, AEROGPU_R8G8B8A8, 7, 3, 1, 1);
    trace_clear(&stream, 0, 1, 0, 1);
    trace_present(&stream);
    frames_next(&writer, &stream);
    TRACE(&stream, AEROGPU_CREATE_TEXTURE_VIEW, 2, 1, AEROGPU_R8G8B8A8, 0, 1, 0, 1, 0, 0);
    trace_target(&stream, 2, 0);
    TRACE(&stream, AEROGPU_DESTROY_TEXTURE_VIEW, 2, 0);
    trace_texture(&stream, 2, TARGET, AEROGPU_R8G8B8A8, 7, 3, 1, 1);
    trace_present(&stream);
    frames_end(&writer, &stream);
    opened_trace(&opened, &writer);
    opened_expect_no_problems(&opened);
    opened_expect(&opened, "frames.tsv", "\n0\t0\t3\t-\t64\t64\t0\tR8G8B8A8Unorm\t1\timplicit\t");
    opened_expect(&opened, "frames.tsv", "\n1\t4\t7\t-\t64\t64\t1\tR8G8B8A8Unorm\t1\timplicit\t");
    opened_expect_colour(&opened, "frames/000000.png", 0x00FF00FF);
    opened_close(&opened);
}

/* Bindings are to resources, not to handles: a resource that still has aliases stays bound. */
static void test_bound_by_aliases(void **state)
{
    struct trace_writer writer;
    struct trace_stream stream;
    struct opened opened;

    (void)state;
    frames_begin_trace(&writer, &stream);
    trace_texture(&stream, 1, TARGET, AEROGPU_R8G8B8A8, 5, 3, 1, 1);
    TRACE(&stream, AEROGPU_EXPORT_SHARED_SURFACE, 1, 0, 77, 0);
    TRACE(&stream, AEROGPU_IMPORT_SHARED_SURFACE, 2, 0, 77, 0);
    TRACE(&stream, AEROGPU_IMPORT_SHARED_SURFACE, 3, 0, 77, 0);
    trace_target(&stream, 1, 0);
    TRACE(&stream, AEROGPU_DESTROY_RESOURCE, 1, 0);
    trace_clear(&stream, 0, 1, 0, 1);
    trace_target(&stream, 1, 0); /* refused: only aliases name it */
    trace_present(&stream);
    frames_next(&writer, &stream);
    trace_target(&stream, 2, 0);
    TRACE(&stream, AEROGPU_DESTROY_RESOURCE, 2, 0);
    trace_texture(&stream, 2, TARGET, AEROGPU_R8G8B8A8, 7, 3, 1, 1); /* another resource */
    trace_clear(&stream, 1, 0, 0, 1);
    trace_present(&stream);
    frames_next(&writer, &stream);
    TRACE(&stream, AEROGPU_DESTROY_RESOURCE, 3, 0);
    trace_texture(&stream, 1, TARGET, AEROGPU_R8G8B8A8, 9, 3, 1, 1);
    trace_present(&stream);
    frames_end(&writer, &stream);
    opened_trace(&opened, &writer);
    opened_expect(&opened, "frames.tsv", "\n0\t0\t3\t-\t5\t3\t");
    opened_expect(&opened, "frames.tsv", "\n1\t4\t7\t-\t5\t3\t");
    opened_expect(&opened, "frames.tsv", "\n2\t8\t11\t-\t64\t64\t");
    opened_expect(&opened, "by-frame/000001/state.txt", "colour_target 0: 1 texture 5x3 ");
    opened_expect_colour(&opened, "frames/000000.png", 0x00FF00FF);
    opened_expect_colour(&opened, "frames/000001.png", 0xFF0000FF);
    assert_int_equal(opened_count(&opened, "problems.txt", " error: "), 1);
    opened_expect(&opened, "problems.txt", "SetRenderTargets is not executed: a destroyed handle");
    opened_close(&opened);
}

/*
 * A token is retired when it is released, or with the last handle of its resource; an unknown token
 * never is.
 */
static void test_tokens(void **state)
{
    struct trace_writer writer;
    struct trace_stream stream;
    struct opened opened;

    (void)state;
    frames_begin_trace(&writer, &stream);
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
    TRACE(&stream, AEROGPU_IMPORT_SHARED_SURFACE, 4, 0, 78, 0); /* refused: only a view keeps it */
    trace_target(&stream, 4, 0);
    trace_present(&stream);
    frames_end(&writer, &stream);
    opened_trace(&opened, &writer);
    opened_expect(&opened, "frames.tsv", "\n0\t0\t3\t-\t64\t64\t");
    assert_int_equal(opened_count(&opened, "problems.txt", " error: "), 2);
    opened_expect(&opened, "problems.txt", "ExportSharedSurface is not executed: share token was");
    opened_expect(&opened, "problems.txt", "ImportSharedSurface is not executed: share token was");
    opened_close(&opened);
}

/* The same for layouts and samplers. */
static void test_destroyed_layouts_and_samplers(void **state)
{
    static const uint32_t none[] = {AEROGPU_LAYOUT_MAGIC, 1, 0, 0};
    struct trace_writer writer;
    struct trace_stream stream;
    struct opened opened;
    char *text = NULL;
    size_t size = 0;

    (void)state;
    frames_begin_trace(&writer, &stream);
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
    frames_end(&writer, &stream);
    opened_trace(&opened, &writer);
    opened_expect_no_problems(&opened);
    text = walk_read(opened.tree, "by-frame/000000/state.txt", &size);
    assert_null(strstr(text, "input_layout"));
    assert_null(strstr(text, "sampler 2"));
    assert_non_null(strstr(text, "ps sampler 3: 5 unknown"));
    free(text);
    opened_close(&opened);
}

/* A frame that shows nothing has no picture, but keeps its number. */
static void test_frame_without_a_picture(void **state)
{
    struct trace_writer writer;
    struct trace_stream stream;
    struct walk_result result;
    struct opened opened;
    uint64_t inode = 0;

    (void)state;
    frames_begin_trace(&writer, &stream);
    frames_next(&writer, &stream);
    trace_clear(&stream, 0, 0, 1, 1);
    trace_present(&stream);
    frames_end(&writer, &stream);
    opened_trace(&opened, &writer);
    assert_int_equal(tree_find(opened.tree, "frames/000000.png", true, &inode), -ENOENT);
    opened_expect_colour(&opened, "latest.png", 0x0000FFFF);
    opened_expect(&opened, "frames.tsv", "\n0\t0\t3\t-\t-\t-\t0\t-\t0\tno\t");
    walk_tree(opened.tree, NULL, &result);
    opened_close(&opened);
}

/* With several PRESENTs, the last one is the frame's picture, and each can be seen. */
static void test_presents(void **state)
{
    struct trace_writer writer;
    struct trace_stream stream;
    struct opened opened;

    (void)state;
    frames_begin_trace(&writer, &stream);
    trace_texture(&stream, 1, TARGET, AEROGPU_R8G8B8A8, 8, 8, 1, 1);
    trace_texture(&stream, 2, TARGET, AEROGPU_R8G8B8A8, 16, 4, 1, 1);
    trace_target(&stream, 1, 0);
    trace_clear(&stream, 1, 0, 0, 1);
    trace_present(&stream);
    trace_target(&stream, 2, 0);
    trace_clear(&stream, 0, 1, 0, 1);
    trace_present(&stream);
    frames_end(&writer, &stream);
    opened_trace(&opened, &writer);
    opened_expect_no_problems(&opened);
    opened_expect_colour(&opened, "by-frame/000000/presents/00.png", 0xFF0000FF);
    opened_expect_colour(&opened, "by-frame/000000/presents/01.png", 0x00FF00FF);
    opened_expect_colour(&opened, "frames/000000.png", 0x00FF00FF);
    opened_expect_colour(&opened, "by-frame/000000/draws/00000.png", 0xFF0000FF);
    opened_expect(&opened, "hashes.txt", "frame 0: 16x4 sha256=");
    opened_close(&opened);
}

/* Mips and layers in the linear layout, and views of them as targets */
static void test_mips_layers_and_views(void **state)
{
    uint8_t texels[2 * (8 * 4 + 4 * 2 + 2 * 1) * 4];
    struct trace_writer writer;
    struct trace_stream stream;
    struct opened opened;

    (void)state;
    for (size_t i = 0; i < sizeof(texels); i++)
        texels[i] = i < sizeof(texels) / 2 ? 0x20 : 0x60;
    frames_begin_trace(&writer, &stream);
    trace_texture(&stream, 1, TARGET, AEROGPU_R8G8B8A8, 8, 4, 3, 2);
    trace_upload(&stream, 1, 0, texels, sizeof(texels));
    TRACE(&stream, AEROGPU_CREATE_TEXTURE_VIEW, 9, 1, AEROGPU_R8G8B8A8, 1, 1, 1, 1, 0, 0);
    trace_target(&stream, 9, 0);
    trace_clear(&stream, 1, 1, 0, 1);
    trace_present(&stream);
    frames_end(&writer, &stream);
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
    frames_begin_trace(&writer, &stream);
    for (size_t i = 0; i < COUNT_OF(formats); i++) {
        struct aerogpu_shape shape = {formats[i], 12, 8, 1, 1, 0};

        trace_texture(&stream, (uint32_t)i + 1, 8, formats[i], 12, 8, 1, 1);
        trace_upload(&stream, (uint32_t)i + 1, 0, texels, aerogpu_shape_size(&shape));
    }
    frames_end(&writer, &stream);
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

/* Guest memory: backing, dirty ranges, and copies that are written back to it */
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
    frames_begin_trace(&writer, &stream);
    TRACE(&stream, AEROGPU_CREATE_TEXTURE2D, 1, TARGET, AEROGPU_R8G8B8A8, 8, 8, 1, 1, 32, 7, 0, 0,
          0);
    trace_target(&stream, 1, 0);
    trace_present(&stream);
    range.data = memory[0];
    trace_submit(&writer, &stream, &range, 1);
    trace_stream_free(&stream);
    trace_end_frame(&writer);

    /* Reads the upper half again; then writes a copy back, and reads it again. */
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
    frames_begin_trace(&writer, &stream);
    trace_texture(&stream, 1, TARGET, AEROGPU_R8G8B8A8, 8, 8, 1, 1);
    TRACE(&stream, AEROGPU_EXPORT_SHARED_SURFACE, 1, 0, 42, 0);
    TRACE(&stream, AEROGPU_IMPORT_SHARED_SURFACE, 5, 0, 42, 0);
    TRACE(&stream, AEROGPU_DESTROY_RESOURCE, 1, 0);
    trace_target(&stream, 5, 0);
    trace_clear(&stream, 0, 1, 1, 1);
    trace_present(&stream);
    /* The handle of the original stays in use for as long as its alias exists. */
    trace_texture(&stream, 1, TARGET, AEROGPU_R8G8B8A8, 4, 4, 1, 1);
    TRACE(&stream, AEROGPU_DESTROY_RESOURCE, 5, 0);
    trace_texture(&stream, 1, TARGET, AEROGPU_R8G8B8A8, 4, 4, 1, 1);
    TRACE(&stream, AEROGPU_RELEASE_SHARED_SURFACE, 42, 0, 0, 0);
    TRACE(&stream, AEROGPU_EXPORT_SHARED_SURFACE, 1, 0, 42, 0);
    frames_end(&writer, &stream);
    opened_trace(&opened, &writer);
    opened_expect_colour(&opened, "frames/000000.png", 0x00FFFFFF);
    opened_expect_colour(&opened, "resources/000000-texture-0x00000001/00-00.png", 0x00FFFFFF);
    opened_expect(&opened, "problems.txt", "CreateTexture2d is not executed: the handle is in use");
    opened_expect(&opened, "problems.txt", "ExportSharedSurface is not executed: share token was");
    opened_expect(&opened, "resources.tsv", "1\ttexture\t1\t");
    opened_close(&opened);
}

/* Returns a float of a file of little-endian 32-bit floats. */
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

/* Depth as grey and as floats, and a depth target of which only a part is cleared. */
static void test_depth(void **state)
{
    struct trace_writer writer;
    struct trace_stream stream;
    struct opened opened;
    struct picture picture;

    (void)state;
    frames_begin_trace(&writer, &stream);
    trace_texture(&stream, 1, TARGET, AEROGPU_R8G8B8A8, 8, 8, 1, 1);
    trace_texture(&stream, 2, 0x20, AEROGPU_D24S8, 8, 8, 1, 1);
    trace_target(&stream, 1, 2);
    TRACE(&stream, AEROGPU_CLEAR, DEPTH, 0, 0, 0, 0, trace_float(0.5f), 9);
    trace_present(&stream);
    frames_end(&writer, &stream);
    opened_trace(&opened, &writer);
    picture = opened_picture(&opened, "by-frame/000000/depth.png", PNG_FORMAT_LINEAR_Y);
    assert_in_range(((uint16_t *)picture.pixels)[9], 32767, 32768);
    free(picture.pixels);
    assert_float_equal(float_at(&opened, "by-frame/000000/depth.bin", 63), 0.5f, 1e-6);
    opened_close(&opened);
}

/* Direct3D's top-left rule: edges on the pixel centres 10.5 and 20.5 cover 10 to 19. */
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
    frames_begin_trace(&writer, &stream);
    trace_texture(&stream, 1, TARGET, AEROGPU_R8G8B8A8, 64, 64, 1, 1);
    trace_buffer(&stream, 2, 1, sizeof(v));
    trace_upload(&stream, 2, 0, v, sizeof(v));
    trace_target(&stream, 1, 0);
    trace_clear(&stream, 0, 0, 0, 0);
    TRACE(&stream, AEROGPU_SET_VERTEX_BUFFERS, 0, 1, 2, 24, 0, 0);
    TRACE(&stream, AEROGPU_DRAW, 6, 1, 0, 0);
    trace_present(&stream);
    frames_end(&writer, &stream);
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

/* Nothing is drawn outside of the viewport or the scissor; missing vertices are zeros. */
static void test_viewport_and_scissor(void **state)
{
    static const float v[3][6] = {{-9, 9, 1, 1, 1, 1}, {9, 9, 1, 1, 1, 1}, {0, -30, 1, 1, 1, 1}};
    struct trace_writer writer;
    struct trace_stream stream;
    struct opened opened;
    struct picture picture;

    (void)state;
    frames_begin_trace(&writer, &stream);
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
    frames_end(&writer, &stream);
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
    };

    return cmocka_run_group_tests_name("aerogpu_format", tests, NULL, NULL);
}

/*
 * AeroGPU traces through their tree: the rules of gpudumpfs-tree(7) for every file,
 * pictures that need no shader to the pixel, and traces that are damaged.
 */
#include "config.h"

#include "../examples/trace_writer.h"
#include "core/bytes.h"
#include "formats/aerogpu/layout.h"
#include "formats/aerogpu/texels.h"
#include "formats/format.h"
#include "worker/aerogpu.h"

#include "support.h"
#include "walk.h"
#include "worker_scene.h"

#include <errno.h>
#include <jansson.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct opened {
    char *folder;
    struct options options;
    struct text message;
    struct format_dump dump;
    struct tree *tree;
};

static void open_path(struct opened *opened, const char *path)
{
    struct source_params params = {.max_expand = UINT64_C(1) << 32};

    opened->message = (struct text)TEXT_INIT;
    assert_int_equal(format_options_init(&opened->options), 0);
    assert_int_equal(format_open(path, &opened->options, &params, &opened->message, &opened->dump),
                     0);
    assert_string_equal(opened->dump.format->name, "aerogpu");
    assert_int_equal(format_tree(&opened->dump, 0, &opened->tree), 0);
}

static void open_bytes(struct opened *opened, const void *bytes, size_t size)
{
    char *path = NULL;

    *opened = (struct opened){.folder = support_folder()};
    path = support_path(opened->folder, "dump.aerogputrace");
    support_write(path, bytes, size);
    open_path(opened, path);
    free(path);
}

/* What was written so far, ended; the writer is freed. */
static void open_trace(struct opened *opened, struct trace_writer *writer)
{
    trace_end(writer);
    open_bytes(opened, writer->bytes.data, writer->bytes.size);
    trace_free(writer);
}

static void close_opened(struct opened *opened)
{
    tree_destroy(&opened->tree);
    format_close(&opened->dump);
    options_clear(&opened->options);
    text_clear(&opened->message);
    if (opened->folder != NULL)
        support_remove(&opened->folder);
}

static void expect_text(const struct opened *opened, const char *path, const char *part)
{
    size_t size = 0;
    char *text = walk_read(opened->tree, path, &size);

    if (strstr(text, part) == NULL)
        print_message("%s:\n%s", path, text);
    assert_non_null(strstr(text, part));
    free(text);
}

static void expect_no_problems(const struct opened *opened)
{
    size_t size = 0;
    char *text = walk_read(opened->tree, "problems.txt", &size);

    if (size > 0)
        print_message("%s", text);
    assert_int_equal(size, 0);
    free(text);
}

struct picture {
    png_image png;
    uint8_t *pixels;
};

static struct picture read_picture(const struct opened *opened, const char *path, uint32_t format)
{
    struct picture picture = {.png = {.version = PNG_IMAGE_VERSION}};
    size_t size = 0;
    char *bytes = walk_read(opened->tree, path, &size);

    assert_true(png_image_begin_read_from_memory(&picture.png, bytes, size));
    picture.png.format = format;
    picture.pixels = malloc(PNG_IMAGE_SIZE(picture.png));
    assert_non_null(picture.pixels);
    assert_true(png_image_finish_read(&picture.png, NULL, picture.pixels, 0, NULL));
    free(bytes);
    return picture;
}

static uint32_t pixel(const struct picture *picture, uint32_t x, uint32_t y)
{
    const uint8_t *p = picture->pixels + 4 * ((size_t)picture->png.width * y + x);

    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* Every pixel of the picture. */
static void expect_colour(const struct opened *opened, const char *path, uint32_t rgba)
{
    struct picture picture = read_picture(opened, path, PNG_FORMAT_RGBA);

    for (uint32_t y = 0; y < picture.png.height; y++)
        for (uint32_t x = 0; x < picture.png.width; x++)
            if (pixel(&picture, x, y) != rgba)
                fail_msg("%s: %08X at %u,%u", path, pixel(&picture, x, y), x, y);
    free(picture.pixels);
}

/* The corpus. */

struct expected {
    const char *file;
    bool plain; /* no shader draws its picture */
};

static const struct expected fixtures[] = {
    {"aerogpu_a3a0_clear_red", true},
    {"aerogpu_cmd_clear_b8g8r8a8", true},
    {"aerogpu_cmd_clear_b8g8r8x8", true},
    {"aerogpu_cmd_copy_buffer", false},
    {"aerogpu_cmd_copy_texture2d", true},
    {"aerogpu_cmd_indexed_triangle", false},
    {"aerogpu_cmd_indexed_triangle_base_vertex", false},
    {"aerogpu_cmd_indexed_triangle_first_index", false},
    {"aerogpu_cmd_indexed_triangle_u16", false},
    {"aerogpu_cmd_scissor_test", false},
    {"aerogpu_cmd_texture_ld_b5g6r5", false},
    {"aerogpu_cmd_texture_ld_b8g8r8a8", false},
    {"aerogpu_cmd_textured_rgba8_sampler_triangle", false},
    {"aerogpu_cmd_triangle", true},
    {"aerogpu_cmd_triangle_first_vertex", false},
    {"aerogpu_cmd_triangle_vertex_buffer_offset", false},
    {"triangle", false},
};

static void open_fixture(struct opened *opened, const char *name)
{
    char file[128], *path;

    snprintf(file, sizeof(file), "aerogpu/%s.aerogputrace", name);
    path = support_corpus(file);
    *opened = (struct opened){0};
    open_path(opened, path);
    free(path);
}

/* The last column of INDEX.tsv, for that file. */
static void expected_hash(const char *name, char hash[65])
{
    char *path = support_corpus("aerogpu/INDEX.tsv"), *line;
    size_t size = 0;
    uint8_t *index = support_read(path, &size);
    char file[128];

    index[size - 1] = '\0';
    snprintf(file, sizeof(file), "\n%s.aerogputrace\t", name);
    line = strstr((char *)index, file);
    assert_non_null(line);
    line = strchr(line + 1, '\n') != NULL ? strchr(line + 1, '\n') : (char *)index + size - 1;
    memcpy(hash, line - 64, 64);
    hash[64] = '\0';
    free(index);
    free(path);
}

static void test_fixtures(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(fixtures); i++) {
        struct opened opened;
        char hash[65];

        open_fixture(&opened, fixtures[i].file);
        expected_hash(fixtures[i].file, hash);
        expect_text(&opened, "metadata.txt", "verdict: ok\n");
        expect_text(&opened, "by-frame/000000/info.txt",
                    fixtures[i].plain ? "made without shaders" : "drawn by shaders");
        if (fixtures[i].plain) {
            expect_text(&opened, "hashes.txt", hash);
            expect_no_problems(&opened);
        }
        close_opened(&opened);
    }
}

/* The graphics worker needs graphics libraries; where they are not it refuses its first call. */
static bool has_worker(void)
{
    struct worker_params params = {.program = NULL};
    struct aero_params session = {.width = 8, .height = 8};
    struct aero_session *aero = NULL;
    struct worker *worker = NULL;
    bool works = false;

    assert_int_equal(worker_create(&params, &worker), 0);
    assert_int_equal(aero_create(worker, &session, &aero), 0);
    assert_int_equal(worker_acquire(worker, NULL), 0);
    works = aero_reset(aero, 0, NULL) == 0;
    worker_release(worker);
    aero_destroy(&aero);
    worker_destroy(&worker);
    return works;
}

static void test_drawn_fixtures(void **state)
{
    (void)state;
    if (!has_worker())
        skip();
    for (size_t i = 0; i < COUNT_OF(fixtures); i++) {
        struct walk_result result;
        struct opened opened;
        char hash[65];

        if (fixtures[i].plain)
            continue;
        open_fixture(&opened, fixtures[i].file);
        expected_hash(fixtures[i].file, hash);
        expect_text(&opened, "hashes.txt", hash);
        expect_no_problems(&opened);
        if (i % 4 == 0)
            walk_tree(opened.tree, NULL, &result);
        close_opened(&opened);
    }
}

/* Edges are the worker's to draw, always. */
static const char *const edges[] = {"wireframe.png", NULL};

static void test_fixtures_keep_the_rules(void **state)
{
    const struct walk_params params = {.broken = has_worker() ? NULL : edges};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(fixtures); i++) {
        struct walk_result result;
        struct opened opened;

        if (!fixtures[i].plain)
            continue;
        open_fixture(&opened, fixtures[i].file);
        walk_tree(opened.tree, &params, &result);
        assert_true(result.files > 30);
        close_opened(&opened);
    }
}

static void test_fuzz_seeds(void **state)
{
    static const char *const seeds[] = {"aerogpu_submission_empty",
                                        "aerogpu_submission_one_range",
                                        "begin_frame",
                                        "begin_packet_present",
                                        "blob_header",
                                        "meta_begin_frame",
                                        "two_frames_begin_frame"};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(seeds); i++) {
        struct walk_result result;
        struct opened opened;
        char file[128], *path;

        snprintf(file, sizeof(file), "aerogpu/fuzz_seeds/%s", seeds[i]);
        path = support_corpus(file);
        opened = (struct opened){0};
        open_path(&opened, path);
        walk_tree(opened.tree, NULL, &result);
        expect_text(&opened, "problems.txt", "FrameNotPresented");
        expect_text(&opened, "metadata.txt", "verdict: ok\n");
        close_opened(&opened);
        free(path);
    }
}

/* Traces of our own. */

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
    open_trace(&opened, &writer);
    expect_no_problems(&opened);
    for (size_t i = COUNT_OF(cases); i-- > 0;) {
        snprintf(path, sizeof(path), "frames/%06zu.png", i);
        expect_colour(&opened, path, cases[i].rgba);
    }
    close_opened(&opened);
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
    open_trace(&opened, &writer);
    expect_colour(&opened, "frames/000000.png", 0x00FF00FF);
    expect_colour(&opened, "frames/000001.png", 0x00FF00FF);
    expect_text(&opened, "frames.tsv", "\timplicit\t");
    expect_text(&opened, "by-frame/000001/info.txt", "presented: no\n");
    expect_text(&opened, "problems.txt", "FrameNotPresented: frame 1");
    close_opened(&opened);
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
    open_trace(&opened, &writer);
    assert_int_equal(tree_find(opened.tree, "frames/000000.png", true, &inode), -ENOENT);
    expect_colour(&opened, "latest.png", 0x0000FFFF);
    expect_text(&opened, "frames.tsv", "\n0\t0\t3\t-\t-\t-\t0\t-\t0\tno\t");
    walk_tree(opened.tree, NULL, &result);
    close_opened(&opened);
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
    open_trace(&opened, &writer);
    expect_no_problems(&opened);
    expect_colour(&opened, "by-frame/000000/presents/00.png", 0xFF0000FF);
    expect_colour(&opened, "by-frame/000000/presents/01.png", 0x00FF00FF);
    expect_colour(&opened, "frames/000000.png", 0x00FF00FF);
    expect_colour(&opened, "by-frame/000000/draws/00000.png", 0xFF0000FF);
    expect_text(&opened, "hashes.txt", "frame 0: 16x4 sha256=");
    close_opened(&opened);
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
    open_trace(&opened, &writer);
    expect_no_problems(&opened);
    expect_text(&opened, "frames.tsv", "\t4\t2\t0\tR8G8B8A8Unorm\t");
    expect_colour(&opened, "frames/000000.png", 0xFFFF00FF);
    expect_colour(&opened, "resources/000000-texture-0x00000001/01-01.png", 0xFFFF00FF);
    expect_colour(&opened, "resources/000000-texture-0x00000001/00-01.png", 0x20202020);
    expect_colour(&opened, "resources/000000-texture-0x00000001/01-02.png", 0x60606060);
    close_opened(&opened);
}

/* What the CPU's replay reads of a texture is what texels.h decodes. */
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
    open_trace(&opened, &writer);
    for (size_t i = 0; i < COUNT_OF(formats); i++) {
        struct aerogpu_shape shape = {formats[i], 12, 8, 1, 1, 0};
        struct aerogpu_subresource sub;
        struct picture picture;
        char path[80];

        aerogpu_subresource(&shape, 0, 0, &sub);
        assert_true(aerogpu_texels_decode(formats[i], 12, 8, texels, sub.pitch, expected));
        snprintf(path, sizeof(path), "resources/%06zu-texture-0x%08zX/00-00.png", i, i + 1);
        picture = read_picture(&opened, path, PNG_FORMAT_RGBA);
        assert_memory_equal(picture.pixels, expected, sizeof(expected));
        free(picture.pixels);
    }
    close_opened(&opened);
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
    open_trace(&opened, &writer);

    expect_no_problems(&opened);
    expect_colour(&opened, "frames/000000.png", 0x11111111);
    struct picture picture =
        read_picture(&opened, "by-frame/000001/presents/00.png", PNG_FORMAT_RGBA);
    assert_int_equal(pixel(&picture, 7, 3), 0x22222222);
    assert_int_equal(pixel(&picture, 0, 4), 0x11111111);
    free(picture.pixels);
    expect_colour(&opened, "frames/000001.png", 0x0000FFFF);
    expect_text(&opened, "submissions/000000/xref.txt",
                "cmd@0x18 CreateTexture2d handle=1 backing_alloc_id=7 gpa=0x0000000000001000 "
                "size_bytes=256\n");
    expect_text(&opened, "submissions/000000/allocs.txt",
                "alloc_id=7 gpa=0x0000000000001000 size_bytes=256 flags=0x00000000\n");
    close_opened(&opened);
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
    open_trace(&opened, &writer);
    expect_colour(&opened, "frames/000000.png", 0x00FFFFFF);
    expect_colour(&opened, "resources/000000-texture-0x00000001/00-00.png", 0x00FFFFFF);
    expect_text(&opened, "problems.txt", "CreateTexture2d is not executed: the handle is in use");
    expect_text(&opened, "problems.txt", "ExportSharedSurface is not executed: share token was");
    expect_text(&opened, "resources.tsv", "1\ttexture\t1\t");
    close_opened(&opened);
}

/* Depth as grey, and a depth target that only part is cleared of. */
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
    open_trace(&opened, &writer);
    picture = read_picture(&opened, "by-frame/000000/depth.png", PNG_FORMAT_LINEAR_Y);
    assert_in_range(((uint16_t *)picture.pixels)[9], 32767, 32768);
    free(picture.pixels);
    close_opened(&opened);
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
    open_trace(&opened, &writer);
    expect_no_problems(&opened);
    picture = read_picture(&opened, "frames/000000.png", PNG_FORMAT_RGBA);
    for (uint32_t y = 0; y < 64; y++)
        for (uint32_t x = 0; x < 64; x++) {
            bool inside = x >= 10 && x < 20 && y >= 10 && y < 20;

            if (pixel(&picture, x, y) != (inside ? 0xFF8000FF : 0))
                fail_msg("%08X at %u,%u", pixel(&picture, x, y), x, y);
        }
    free(picture.pixels);
    close_opened(&opened);
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
    open_trace(&opened, &writer);
    picture = read_picture(&opened, "frames/000000.png", PNG_FORMAT_RGBA);
    for (uint32_t y = 0; y < 16; y++)
        for (uint32_t x = 0; x < 16; x++) {
            bool inside = x >= 4 && x < 8 && y >= 2 && y < 9;

            if (pixel(&picture, x, y) != (inside ? 0xFFFFFFFF : 0))
                fail_msg("%08X at %u,%u", pixel(&picture, x, y), x, y);
        }
    free(picture.pixels);
    close_opened(&opened);
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
    TRACE(&stream, 0xBEEF, 1, 2, 3);
    TRACE(&stream, 0xBEEF, 1, 2, 3);
    TRACE(&stream, AEROGPU_DRAW, 1);
    trace_target(&stream, 1, 0);
    trace_clear(&stream, 1, 0, 1, 1);
    trace_present(&stream);
    submit(&writer, &stream);
    open_trace(&opened, &writer);
    expect_colour(&opened, "frames/000000.png", 0xFF00FFFF);
    expect_text(&opened, "problems.txt", "no texture has this shape");
    expect_text(&opened, "problems.txt", "the handle is in use by another resource");
    expect_text(&opened, "problems.txt", "UploadResource is not executed: beyond the resource");
    expect_text(&opened, "problems.txt", "CopyTexture2d is not executed: unknown texture");
    expect_text(&opened, "problems.txt", "unknown opcode_id=0x0000BEEF");
    expect_text(&opened, "problems.txt", "Draw is not executed: PayloadSizeMismatch");
    expect_text(&opened, "metadata.txt", "unknown_opcodes: 2\n");
    expect_text(&opened, "submissions/000000/commands.txt",
                " Unknown size_bytes=20 opcode_id=0x0000BEEF payload_len=12\n");
    close_opened(&opened);
}

/* The repository's own pictures of three fixtures. */
static void test_golden_pictures(void **state)
{
    static const char *const names[][2] = {{"aerogpu_cmd_triangle", "aerogpu_cmd_triangle"},
                                           {"aerogpu_a3a0_clear_red", "aerogpu_a3a0_clear_red"},
                                           {"triangle", "triangle_red"}};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(names) - (has_worker() ? 0 : 1); i++) {
        png_image golden = {.version = PNG_IMAGE_VERSION, .format = PNG_FORMAT_RGBA};
        struct picture picture;
        struct opened opened;
        uint8_t *pixels;
        char file[128], *path;

        snprintf(file, sizeof(file), "aerogpu/golden/gpu_trace_%s_64.png", names[i][1]);
        path = support_corpus(file);
        assert_true(png_image_begin_read_from_file(&golden, path));
        golden.format = PNG_FORMAT_RGBA;
        pixels = malloc(PNG_IMAGE_SIZE(golden));
        assert_true(png_image_finish_read(&golden, NULL, pixels, 0, NULL));
        open_fixture(&opened, names[i][0]);
        picture = read_picture(&opened, "frames/000000.png", PNG_FORMAT_RGBA);
        assert_int_equal(picture.png.width, golden.width);
        assert_memory_equal(picture.pixels, pixels, PNG_IMAGE_SIZE(golden));
        close_opened(&opened);
        free(picture.pixels);
        free(pixels);
        free(path);
    }
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
        open_bytes(&opened, writer.bytes.data, writer.bytes.size);
        trace_free(&writer);
        expect_text(&opened, "metadata.txt",
                    damage == 0 ? "frames_rebuilt: no\n" : "frames_rebuilt: yes\n");
        expect_text(&opened, "submissions/000001/info.txt", "trailing_bytes: 25\n");
        expect_colour(&opened, "frames/000000.png", 0xFF0000FF);
        expect_colour(&opened, "frames/000001.png", 0x00FF00FF);
        close_opened(&opened);
    }
}

/* What shaders draw. */

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

/* A triangle over the whole target, of one colour. */
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

/* Genuine DXBC, state that lives on from frame to frame, and back again. */
static void test_shaders_over_frames(void **state)
{
    struct trace_writer writer;
    struct trace_stream stream;
    struct walk_result result;
    struct opened opened;

    (void)state;
    if (!has_worker())
        skip();
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
    open_trace(&opened, &writer);
    expect_colour(&opened, "frames/000001.png", 0x00FF00FF);
    expect_colour(&opened, "frames/000000.png", 0xFF0000FF);
    expect_colour(&opened, "frames/000002.png", 0x0000FFFF);
    expect_colour(&opened, "by-frame/000000/draws/00000.png", 0x00000000);
    expect_text(&opened, "by-frame/000002/info.txt", "made without shaders");
    expect_text(&opened, "resources/000003-shader-0x00000064/disassembly.txt", "vs_4_0\n");
    expect_text(&opened, "resources/000003-shader-0x00000064/translated/shader.glsl", "main");
    expect_no_problems(&opened);
    walk_tree(opened.tree, NULL, &result);
    close_opened(&opened);
}

/* What a shader that nobody can read draws is magenta, with a line; other frames are right. */
static void test_broken_shader(void **state)
{
    struct trace_writer writer;
    struct trace_stream stream;
    struct opened opened;

    (void)state;
    if (!has_worker())
        skip();
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
    open_trace(&opened, &writer);
    expect_colour(&opened, "frames/000000.png", 0xFF00FFFF);
    expect_text(&opened, "problems.txt", " packet 2 ");
    expect_colour(&opened, "frames/000001.png", 0x00FFFFFF);
    close_opened(&opened);
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
    open_trace(&opened, &writer);
    text = walk_read(opened.tree, "submissions/000000/commands.json", &size);
    json = json_loadb(text, size, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &error);
    if (json == NULL)
        fail_msg("%s: %.200s", error.text,
                 text + (error.position > 300 ? error.position - 100 : 0));
    count = json_array_size(json_object_get(json, "records"));
    assert_int_equal(count, 0x800 * 6);
    json_decref(json);
    free(text);
    expect_text(&opened, "submissions/000000/commands.txt", " BindShaders size_bytes=56 ");
    close_opened(&opened);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fixtures),
        cmocka_unit_test(test_drawn_fixtures),
        cmocka_unit_test(test_fixtures_keep_the_rules),
        cmocka_unit_test(test_fuzz_seeds),
        cmocka_unit_test(test_clears),
        cmocka_unit_test(test_implicit_back_buffer),
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
        cmocka_unit_test(test_golden_pictures),
        cmocka_unit_test(test_damage_at_the_end),
        cmocka_unit_test(test_shaders_over_frames),
        cmocka_unit_test(test_broken_shader),
        cmocka_unit_test(test_all_commands_are_described),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

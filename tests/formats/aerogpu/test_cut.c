/* SPDX-License-Identifier: MIT */
/*
 * Cuts: each is as long as was told before, is opened as a trace of its own, and shows what the
 * frame does that it was cut from, with the same state at its end; a cut of it is the same bytes.
 * Of the corpus, of generated traces of all scenes, of random traces, of what is hard to restore.
 */
#include "tests/formats/aerogpu/make.h"
#include "tests/formats/aerogpu/open.h"
#include "tests/formats/aerogpu/random.h"
#include "tests/support/support.h"
#include "tests/support/walk.h"
#include "tests/worker/scene.h"
#include "tests/worker/shaders.h"

#include "base/bytes.h"
#include "formats/aerogpu/cut/cut.h"
#include "formats/aerogpu/cut/initial_state.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t told_size(const struct opened *opened, const char *path)
{
    struct tree_attributes attributes;
    uint64_t inode;

    assert_int_equal(tree_find(opened->tree, path, true, &inode), 0);
    assert_int_equal(tree_stat(opened->tree, inode, NULL, &attributes), 0);
    return attributes.size;
}

static bool is_there(const struct opened *opened, const char *path)
{
    uint64_t inode;

    return tree_find(opened->tree, path, true, &inode) == 0;
}

static uint8_t *read_cut(const struct opened *opened, unsigned frame, size_t *size)
{
    char path[64];
    uint8_t *bytes = NULL;
    uint64_t told;

    snprintf(path, sizeof(path), "by-frame/%06u/frame.aerogputrace", frame);
    told = told_size(opened, path);
    bytes = (uint8_t *)walk_read(opened->tree, path, size);
    assert_int_equal(*size, told);
    return bytes;
}

/* A file of a frame, and of a frame of the cut; false: neither has it. */
static bool name_files(const struct opened *of, unsigned of_frame, const struct opened *cut,
                       unsigned cut_frame, const char *const file[2], char paths[2][64])
{
    snprintf(paths[0], sizeof(paths[0]), "%s%06u%s", file[0], of_frame, file[1]);
    snprintf(paths[1], sizeof(paths[1]), "%s%06u%s", file[0], cut_frame, file[1]);
    assert_int_equal(is_there(of, paths[0]), is_there(cut, paths[1]));
    return is_there(of, paths[0]);
}

static void expect_same_text(const struct opened *of, const struct opened *cut, char paths[2][64],
                             const char *name)
{
    size_t size = 0, cut_size = 0;
    char *text = walk_read(of->tree, paths[0], &size);
    char *cut_text = walk_read(cut->tree, paths[1], &cut_size);

    if (strcmp(text, cut_text) != 0)
        fail_msg("%s: %s:\n%s\nof the cut:\n%s", name, paths[0], text, cut_text);
    free(text);
    free(cut_text);
}

/* Pictures tell in their texts which frame they are of. */
static void expect_same_picture(const struct opened *of, const struct opened *cut,
                                char paths[2][64], const char *name)
{
    struct picture picture = opened_picture(of, paths[0], PNG_FORMAT_RGBA);
    struct picture other = opened_picture(cut, paths[1], PNG_FORMAT_RGBA);

    assert_int_equal(picture.png.width, other.png.width);
    assert_int_equal(picture.png.height, other.png.height);
    for (uint32_t y = 0; y < picture.png.height; y++)
        for (uint32_t x = 0; x < picture.png.width; x++)
            if (opened_pixel(&picture, x, y) != opened_pixel(&other, x, y))
                fail_msg("%s: %s: %08X at %u,%u, of the cut %08X", name, paths[0],
                         opened_pixel(&picture, x, y), x, y, opened_pixel(&other, x, y));
    free(picture.pixels);
    free(other.pixels);
}

static unsigned count_parts(const struct opened *opened, const char *part)
{
    size_t size = 0;
    char *text = walk_read(opened->tree, "problems.txt", &size);
    unsigned count = 0;

    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part))
        count++;
    free(text);
    return count;
}

static size_t problems_of(const struct opened *opened)
{
    size_t size = 0;

    free(walk_read(opened->tree, "problems.txt", &size));
    return size;
}

static void expect_frame(const struct opened *of, unsigned of_frame, const struct opened *cut,
                         unsigned cut_frame, const char *name)
{
    static const char *const pictures[][2] = {{"frames/", ".png"}, {"by-frame/", "/depth.png"}};
    static const char *const state[2] = {"by-frame/", "/state.txt"};
    char paths[2][64];

    for (size_t i = 0; i < COUNT_OF(pictures); i++)
        if (name_files(of, of_frame, cut, cut_frame, pictures[i], paths))
            expect_same_picture(of, cut, paths, name);
    assert_true(name_files(of, of_frame, cut, cut_frame, state, paths));
    expect_same_text(of, cut, paths, name);
}

/* The cut of a frame; `quiet`: it has no problems, as the trace has none. */
static void expect_cut(const struct opened *of, unsigned frame, bool quiet, const char *name)
{
    size_t size = 0, again_size = 0;
    uint8_t *bytes = read_cut(of, frame, &size), *again = NULL;
    struct opened cut;

    opened_bytes(&cut, bytes, size);
    assert_int_equal(tree_dump(cut.tree)->ops->frames(tree_dump(cut.tree)), 1);
    expect_frame(of, frame, &cut, 0, name);
    if (quiet)
        opened_expect_no_problems(&cut);
    again = read_cut(&cut, 0, &again_size);
    assert_int_equal(again_size, size);
    assert_memory_equal(again, bytes, size);
    opened_close(&cut);
    free(again);
    free(bytes);
}

static int collect(void *context, const void *bytes, size_t size)
{
    trace_bytes_add(context, bytes, size);
    return 0;
}

static void expect_range(const struct opened *of, unsigned first, unsigned last, bool quiet,
                         const char *name)
{
    struct dump *dump = tree_dump(of->tree);
    struct trace_bytes bytes = {0};
    struct opened cut;

    assert_int_equal(dump->ops->cut(dump, first, last, NULL, collect, &bytes), 0);
    opened_bytes(&cut, bytes.data, bytes.size);
    assert_int_equal(tree_dump(cut.tree)->ops->frames(tree_dump(cut.tree)), last - first + 1);
    for (unsigned i = first; i <= last; i++)
        expect_frame(of, i, &cut, i - first, name);
    if (quiet)
        opened_expect_no_problems(&cut);
    opened_close(&cut);
    trace_bytes_free(&bytes);
}

/* Every frame, those in the middle also after later ones, and two ranges. */
static void expect_cuts(struct opened *opened, const char *name)
{
    struct dump *dump = tree_dump(opened->tree);
    unsigned frames = (unsigned)dump->ops->frames(dump);
    bool quiet = problems_of(opened) == 0;

    for (unsigned i = 0; i < frames; i++)
        expect_cut(opened, i, quiet, name);
    if (frames < 3)
        return;
    expect_cut(opened, frames / 2, quiet, name);
    expect_range(opened, 0, frames - 1, quiet, name);
    expect_range(opened, frames / 3, frames - 2, quiet, name);
    assert_int_equal(dump->ops->cut(dump, frames - 1, frames, NULL, collect, NULL), -ENOENT);
}

static void test_corpus(void **state)
{
    char *folder = support_corpus("aerogpu"), *path = NULL;
    DIR *directory = opendir(folder);
    struct dirent *entry = NULL;
    unsigned count = 0;

    (void)state;
    assert_non_null(directory);
    while ((entry = readdir(directory)) != NULL) {
        struct opened opened = {0};

        if (strstr(entry->d_name, ".aerogputrace") == NULL)
            continue;
        path = support_path(folder, entry->d_name);
        opened_path(&opened, path);
        expect_cuts(&opened, entry->d_name);
        opened_close(&opened);
        free(path);
        count++;
    }
    closedir(directory);
    free(folder);
    assert_true(count >= 17);
}

static void expect_made(const struct make_params *params, const char *name)
{
    struct opened opened;
    struct made made;

    aerogpu_make(params, &made);
    opened_bytes(&opened, made.writer.bytes.data, made.writer.bytes.size);
    expect_cuts(&opened, name);
    opened_close(&opened);
    aerogpu_made_free(&made);
}

static void test_scenes(void **state)
{
    (void)state;
    expect_made(&(struct make_params){.seed = 1, .frames = 60, .width = 48, .height = 40},
                "scenes");
    for (uint64_t seed = 11; seed < 17; seed += support_stride()) /* other scenes first */
        expect_made(&(struct make_params){.seed = seed, .frames = 8, .width = 40, .height = 32},
                    "scenes");
}

static void test_packets(void **state)
{
    (void)state;
    expect_made(
        &(struct make_params){.seed = 2, .frames = 24, .width = 33, .height = 32, .packets = true},
        "packets");
}

static void test_noise(void **state)
{
    (void)state;
    expect_made(
        &(struct make_params){.seed = 3, .frames = 24, .width = 32, .height = 32, .noise = true},
        "noise");
}

static void test_unfinished(void **state)
{
    (void)state;
    expect_made(
        &(struct make_params){
            .seed = 4, .frames = 12, .width = 32, .height = 32, .unfinished = true},
        "unfinished");
}

static void test_appendix(void **state)
{
    (void)state;
    expect_made(
        &(struct make_params){.seed = 5, .frames = 6, .width = 64, .height = 64, .appendix = true},
        "appendix");
}

static void test_random(void **state)
{
    struct random_params params = {.frames = 6, .commands = 50};

    (void)state;
    for (params.number = 300; params.number < 320; params.number += support_stride()) {
        struct trace_writer writer;
        struct opened opened;
        char name[24];

        snprintf(name, sizeof(name), "random %u", (unsigned)params.number);
        random_trace(&params, &writer);
        opened_bytes(&opened, writer.bytes.data, writer.bytes.size);
        expect_cuts(&opened, name);
        opened_close(&opened);
        trace_free(&writer);
    }
}

/* Traces by hand, of two frames and more. */

static void begin_frame(struct trace_writer *writer, struct trace_stream *stream)
{
    trace_begin_frame(writer);
    trace_stream_begin(stream);
}

static void end_frame(struct trace_writer *writer, struct trace_stream *stream)
{
    trace_submit(writer, stream, NULL, 0);
    trace_stream_free(stream);
    trace_end_frame(writer);
}

static void expect_written(struct trace_writer *writer, const char *name)
{
    struct opened opened;

    opened_trace(&opened, writer);
    expect_cuts(&opened, name);
    opened_close(&opened);
}

static void screen(struct trace_stream *stream, uint32_t handle, uint32_t size)
{
    trace_texture(stream, handle, AEROGPU_USAGE_TARGET, AEROGPU_R8G8B8A8, size, size, 1, 1);
}

/* What is bound by a handle that is destroyed, and given again, is another. */
static void test_given_again(void **state)
{
    struct trace_writer writer = {.version = 2};
    struct trace_stream stream;

    (void)state;
    trace_begin(&writer, 2);
    begin_frame(&writer, &stream);
    screen(&stream, 1, 8);
    trace_target(&stream, 1, 0);
    trace_clear(&stream, 1, 0, 0, 1);
    trace_present(&stream);
    TRACE(&stream, AEROGPU_DESTROY_RESOURCE, 1, 0);
    end_frame(&writer, &stream);
    begin_frame(&writer, &stream);
    screen(&stream, 1, 5);
    trace_present(&stream);
    end_frame(&writer, &stream);
    begin_frame(&writer, &stream);
    trace_clear(&stream, 0, 1, 0, 1);
    trace_present(&stream);
    end_frame(&writer, &stream);
    expect_written(&writer, "given again");
}

static void make_shader(struct trace_stream *stream, uint32_t handle, uint32_t stage,
                        struct blob *code)
{
    trace_command_data(stream, AEROGPU_CREATE_SHADER_DXBC,
                       (const uint32_t[]){handle, stage, (uint32_t)code->size, 0}, 4, code->data,
                       code->size);
    blob_unref(&code);
}

enum { SAMPLER = 20, LAYOUT };

static void make_sampler(struct trace_stream *stream)
{
    TRACE(stream, AEROGPU_CREATE_SAMPLER, SAMPLER, AEROGPU_NEAREST, AEROGPU_REPEAT, AEROGPU_REPEAT,
          AEROGPU_REPEAT);
}

static void make_layout(struct trace_stream *stream, bool flat)
{
    /* ILAY, version 1: POSITION, R32G32_FLOAT or R32G32B32A32_FLOAT, and COLOR, the latter. */
    const uint32_t layout[] = {0x59414C49, 1, 2,          0, 0x7808E88A, 0, flat ? 16 : 2, 0, 0,
                               0,          0, 0xE7C308F8, 0, 2,          0, 0xFFFFFFFF,    0, 0};

    trace_command_data(stream, AEROGPU_CREATE_INPUT_LAYOUT,
                       (const uint32_t[]){LAYOUT, sizeof(layout), 0}, 3, layout, sizeof(layout));
}

/* All of a screen, sampled beyond the right edge of a texture of a red and a green texel. */
static void begin_sampled(struct trace_stream *stream)
{
    static const uint8_t texels[] = {255, 0, 0, 255, 0, 255, 0, 255};
    static const float corners[3][8] = {
        {-1, -1, 0, 1, 1.25f}, {-1, 3, 0, 1, 1.25f}, {3, -1, 0, 1, 1.25f}};

    screen(stream, 1, 8);
    trace_target(stream, 1, 0);
    trace_texture(stream, 2, AEROGPU_USAGE_TEXTURE, AEROGPU_R8G8B8A8, 2, 1, 1, 1);
    trace_upload(stream, 2, 0, texels, sizeof(texels));
    TRACE(stream, AEROGPU_SET_TEXTURE, AEROGPU_PIXEL, 0, 2, 0);
    trace_buffer(stream, 3, AEROGPU_USAGE_VERTEX, sizeof(corners));
    trace_upload(stream, 3, 0, corners, sizeof(corners));
    TRACE(stream, AEROGPU_SET_VERTEX_BUFFERS, 0, 1, 3, 32, 0, 0);
    make_shader(stream, 4, AEROGPU_VERTEX, scene_pass_vertex());
    make_shader(stream, 5, AEROGPU_PIXEL, shader_sample());
    TRACE(stream, AEROGPU_BIND_SHADERS, 4, 5, 0, 0);
    make_layout(stream, false);
    make_sampler(stream);
    TRACE(stream, AEROGPU_SET_INPUT_LAYOUT, LAYOUT, 0);
    TRACE(stream, AEROGPU_SET_SAMPLERS, AEROGPU_PIXEL, 0, 1, 0, SAMPLER);
}

static void shoot(struct trace_stream *stream)
{
    trace_clear(stream, 0, 0, 1, 1);
    TRACE(stream, AEROGPU_DRAW, 3, 1, 0, 0);
    trace_present(stream);
}

/* A sampler, then a layout that are destroyed while they are bound, and made anew in vain. */
static void test_given_again_unbound(void **state)
{
    static const uint32_t expected[] = {0xFF0000FF, 0x00FF00FF, 0x00FF00FF, 0x0000FFFF};
    struct trace_writer writer = {.version = 2};
    struct trace_stream stream;
    struct opened opened;
    char path[64];

    (void)state;
    opened_need_driver();
    trace_begin(&writer, 2);
    for (unsigned i = 0; i < COUNT_OF(expected); i++) {
        begin_frame(&writer, &stream);
        if (i == 0)
            begin_sampled(&stream);
        if (i == 2)
            make_sampler(&stream);
        if (i == 3)
            make_layout(&stream, false);
        shoot(&stream);
        if (i == 0)
            TRACE(&stream, AEROGPU_DESTROY_SAMPLER, SAMPLER, 0);
        if (i == 2)
            TRACE(&stream, AEROGPU_DESTROY_INPUT_LAYOUT, LAYOUT, 0);
        end_frame(&writer, &stream);
    }
    opened_trace(&opened, &writer);
    for (unsigned i = 0; i < COUNT_OF(expected); i++) {
        snprintf(path, sizeof(path), "frames/%06u.png", i);
        opened_expect_colour(&opened, path, expected[i]);
    }
    expect_cuts(&opened, "given again, unbound");
    opened_close(&opened);
}

/* What is bound while its handles come and go: a texture, a target, vertices, an index buffer. */
static void test_bound_by_aliases(void **state)
{
    enum { TOKEN = 30, ALIAS = 40 };
    static const uint16_t indices[] = {0, 1, 2, 0};
    static const uint32_t expected[] = {0xFF0000FF, 0xFF0000FF, 0x00FF00FF, 0x0000FFFF};
    struct trace_writer writer = {.version = 2};
    struct trace_stream stream;
    struct opened opened;
    char path[64];

    (void)state;
    opened_need_driver();
    trace_begin(&writer, 2);
    begin_frame(&writer, &stream);
    begin_sampled(&stream);
    trace_buffer(&stream, 6, AEROGPU_USAGE_INDEX, sizeof(indices));
    trace_upload(&stream, 6, 0, indices, sizeof(indices));
    for (uint32_t i = 0; i < 4; i++) { /* aliases of the target, texture, vertices, indices */
        const uint32_t handle = i < 3 ? 1 + i : 6;

        TRACE(&stream, AEROGPU_EXPORT_SHARED_SURFACE, handle, 0, TOKEN + i, 0);
        TRACE(&stream, AEROGPU_IMPORT_SHARED_SURFACE, ALIAS + i, 0, TOKEN + i, 0);
    }
    trace_target(&stream, ALIAS, 0);
    TRACE(&stream, AEROGPU_SET_TEXTURE, AEROGPU_PIXEL, 0, ALIAS + 1, 0);
    TRACE(&stream, AEROGPU_SET_VERTEX_BUFFERS, 0, 1, ALIAS + 2, 32, 0, 0);
    TRACE(&stream, AEROGPU_SET_INDEX_BUFFER, ALIAS + 3, AEROGPU_UINT16, 0, 0);
    for (unsigned i = 0; i < COUNT_OF(expected); i++) {
        if (i > 0)
            begin_frame(&writer, &stream);
        if (i == 2) /* none that samples far to the right any more */
            TRACE(&stream, AEROGPU_SET_SAMPLERS, AEROGPU_PIXEL, 0, 1, 0, 0);
        trace_clear(&stream, 0, 0, 1, 1);
        TRACE(&stream, AEROGPU_DRAW_INDEXED, 3, 1, 0, 0, 0);
        trace_present(&stream);
        for (uint32_t k = 0; k < 4; k++) {
            if (i == 0) /* target and vertices lose the original handles, the others the aliases */
                TRACE(&stream, AEROGPU_DESTROY_RESOURCE, k % 2 != 0 ? ALIAS + k : 1 + k, 0);
            if (i == 0 && k % 2 != 0)
                trace_buffer(&stream, ALIAS + k, 0, 64); /* another one */
        }
        if (i == 2)
            TRACE(&stream, AEROGPU_DESTROY_RESOURCE, ALIAS + 2, 0); /* the last of the vertices */
        if (i == 2) {
            trace_buffer(&stream, ALIAS + 2, AEROGPU_USAGE_VERTEX, 96);
            trace_buffer(&stream, 3, AEROGPU_USAGE_VERTEX, 96);
        }
        end_frame(&writer, &stream);
    }
    opened_trace(&opened, &writer);
    for (unsigned i = 0; i < COUNT_OF(expected); i++) {
        snprintf(path, sizeof(path), "frames/%06u.png", i);
        opened_expect_colour(&opened, path, expected[i]);
    }
    expect_cuts(&opened, "bound by aliases");
    opened_close(&opened);
}

/* Tokens that were released, and one that is gone with what it named: not to be given again. */
static void test_tokens(void **state)
{
    struct trace_writer writer = {.version = 2};
    struct trace_stream stream;
    struct opened opened, cut;
    size_t size = 0;
    uint8_t *bytes;

    (void)state;
    trace_begin(&writer, 2);
    begin_frame(&writer, &stream);
    TRACE(&stream, AEROGPU_RELEASE_SHARED_SURFACE, 8, 0, 0, 0); /* does nothing */
    screen(&stream, 1, 8);
    screen(&stream, 2, 9);
    TRACE(&stream, AEROGPU_EXPORT_SHARED_SURFACE, 1, 0, 5, 0);
    TRACE(&stream, AEROGPU_EXPORT_SHARED_SURFACE, 1, 0, 6, 0);
    TRACE(&stream, AEROGPU_EXPORT_SHARED_SURFACE, 2, 0, 7, 0);
    TRACE(&stream, AEROGPU_RELEASE_SHARED_SURFACE, 5, 0, 0, 0);
    TRACE(&stream, AEROGPU_DESTROY_RESOURCE, 2, 0);
    trace_present(&stream);
    end_frame(&writer, &stream);
    begin_frame(&writer, &stream);
    for (uint32_t token = 5; token <= 8; token++)
        TRACE(&stream, AEROGPU_EXPORT_SHARED_SURFACE, 1, 0, token, 0);
    TRACE(&stream, AEROGPU_IMPORT_SHARED_SURFACE, 9, 0, 6, 0);
    trace_target(&stream, 9, 0);
    trace_clear(&stream, 0, 1, 0, 1);
    trace_present(&stream);
    end_frame(&writer, &stream);
    opened_trace(&opened, &writer);
    expect_cuts(&opened, "tokens");
    bytes = read_cut(&opened, 1, &size);
    opened_bytes(&cut, bytes, size);
    opened_expect_colour(&cut, "frames/000000.png", 0x00FF00FF);
    assert_int_equal(count_parts(&cut, " is not executed: share token was retired"), 2);
    assert_int_equal(count_parts(&cut, " is not executed"), 2);
    opened_close(&cut);
    opened_close(&opened);
    free(bytes);
}

/* Textures that an alias or a view alone keeps; their first handle is taken as long. */
static void test_kept_by_others(void **state)
{
    struct trace_writer writer = {.version = 2};
    struct trace_stream stream;

    (void)state;
    trace_begin(&writer, 2);
    begin_frame(&writer, &stream);
    screen(&stream, 1, 8);
    screen(&stream, 2, 9);
    TRACE(&stream, AEROGPU_EXPORT_SHARED_SURFACE, 1, 0, 5, 0);
    TRACE(&stream, AEROGPU_IMPORT_SHARED_SURFACE, 7, 0, 5, 0);
    TRACE(&stream, AEROGPU_CREATE_TEXTURE_VIEW, 8, 2, AEROGPU_R8G8B8A8, 0, 1, 0, 1, 0, 0);
    TRACE(&stream, AEROGPU_DESTROY_RESOURCE, 1, 0);
    TRACE(&stream, AEROGPU_DESTROY_RESOURCE, 2, 0);
    trace_target(&stream, 8, 0);
    trace_clear(&stream, 0.25f, 0.5f, 0.75f, 1);
    trace_present(&stream);
    end_frame(&writer, &stream);
    begin_frame(&writer, &stream);
    trace_target(&stream, 7, 0);
    trace_clear(&stream, 0, 0, 1, 1);
    trace_present(&stream);
    TRACE(&stream, AEROGPU_RELEASE_SHARED_SURFACE, 5, 0, 0, 0);
    end_frame(&writer, &stream);
    begin_frame(&writer, &stream);
    screen(&stream, 1, 3); /* is taken */
    screen(&stream, 2, 3);
    TRACE(&stream, AEROGPU_IMPORT_SHARED_SURFACE, 9, 0, 5, 0); /* is retired */
    trace_target(&stream, 1, 0);
    trace_present(&stream);
    end_frame(&writer, &stream);
    begin_frame(&writer, &stream);
    trace_target(&stream, 8, 0);
    trace_present(&stream);
    end_frame(&writer, &stream);
    expect_written(&writer, "kept by others");
}

static void vertices(struct trace_stream *stream, uint32_t handle)
{
    static const float corners[3][6] = {
        {-1, -1, 1, 0, 0, 1}, {1, -1, 0, 1, 0, 1}, {0, 1, 0, 0, 1, 0.5f}};

    trace_buffer(stream, handle, AEROGPU_USAGE_VERTEX, sizeof(corners));
    trace_upload(stream, handle, 0, corners, sizeof(corners));
    TRACE(stream, AEROGPU_SET_VERTEX_BUFFERS, 0, 1, handle, 24, 0, 0);
}

/* A triangle of red that covers everything. */
static void cover(struct trace_stream *stream, uint32_t handle)
{
    static const float corners[3][6] = {
        {-1, -1, 1, 0, 0, 1}, {-1, 3, 1, 0, 0, 1}, {3, -1, 1, 0, 0, 1}};

    trace_buffer(stream, handle, AEROGPU_USAGE_VERTEX, sizeof(corners));
    trace_upload(stream, handle, 0, corners, sizeof(corners));
    TRACE(stream, AEROGPU_SET_VERTEX_BUFFERS, 0, 1, handle, 24, 0, 0);
}

/* The implicit back buffer, which has no handle: cleared, and drawn to. */
static void test_back_buffer(void **state)
{
    struct trace_writer writer = {.version = 2};
    struct trace_stream stream;

    (void)state;
    trace_begin(&writer, 2);
    begin_frame(&writer, &stream);
    trace_clear(&stream, 0.5f, 0, 0.25f, 1);
    vertices(&stream, 4);
    trace_present(&stream);
    end_frame(&writer, &stream);
    for (int i = 0; i < 3; i++) {
        begin_frame(&writer, &stream);
        trace_present(&stream);
        if (i == 0)
            TRACE(&stream, AEROGPU_DRAW, 3, 1, 0, 0);
        end_frame(&writer, &stream);
    }
    begin_frame(&writer, &stream); /* nothing is presented */
    end_frame(&writer, &stream);
    expect_written(&writer, "back buffer");
}

enum { FIRST = 1, SECOND, DEPTH, VERTEX, PIXEL, MISSING = 77 };

/* Two colour targets and one of depth; `drawn`: with a draw of nothing, by shaders. */
static void bind(struct trace_stream *stream, uint32_t first, uint32_t second, uint32_t depth,
                 bool drawn)
{
    TRACE(stream, AEROGPU_SET_RENDER_TARGETS, 2, depth, first, second, 0, 0, 0, 0, 0, 0);
    if (!drawn)
        return;
    TRACE(stream, AEROGPU_BIND_SHADERS, VERTEX, PIXEL, 0, 0);
    TRACE(stream, AEROGPU_DRAW, 0, 1, 0, 0);
    TRACE(stream, AEROGPU_BIND_SHADERS, 0, 0, 0, 0);
}

/* The same pictures by the CPU, and by the worker, from which nothing shows but what is there. */
static void expect_targets(bool drawn)
{
    static const uint32_t expected[] = {0x00FF00FF, 0x0000FFFF, 0xFF0000FF, 0x0000FFFF,
                                        0xFF0000FF, 0xFF0000FF, 0xFF0000FF};
    struct trace_writer writer = {.version = 2};
    struct trace_stream stream;
    struct opened opened;
    char path[64];

    trace_begin(&writer, 2);
    begin_frame(&writer, &stream); /* depth alone: the back buffer stays as it is */
    screen(&stream, FIRST, 8);
    screen(&stream, SECOND, 8);
    trace_texture(&stream, DEPTH, AEROGPU_USAGE_DEPTH, AEROGPU_D32F, 8, 8, 1, 1);
    make_shader(&stream, VERTEX, AEROGPU_VERTEX, scene_pass_vertex());
    make_shader(&stream, PIXEL, AEROGPU_PIXEL, scene_pass_pixel());
    make_layout(&stream, true);
    TRACE(&stream, AEROGPU_SET_INPUT_LAYOUT, LAYOUT, 0);
    cover(&stream, 9);
    trace_clear(&stream, 0, 1, 0, 1);
    bind(&stream, 0, 0, DEPTH, drawn);
    trace_clear(&stream, 1, 0, 0, 1);
    TRACE(&stream, AEROGPU_DRAW, 3, 1, 0, 0);
    trace_present(&stream);
    end_frame(&writer, &stream);
    begin_frame(&writer, &stream); /* the first target is missing: draws do not go to the second */
    bind(&stream, MISSING, FIRST, 0, drawn);
    trace_clear(&stream, 0, 0, 1, 1);
    TRACE(&stream, AEROGPU_DRAW, 3, 1, 0, 0);
    trace_present(&stream);
    end_frame(&writer, &stream);
    begin_frame(&writer, &stream); /* all are missing: it is the back buffer's */
    bind(&stream, MISSING, 0, MISSING, drawn);
    trace_clear(&stream, 1, 0, 0, 1);
    trace_present(&stream);
    end_frame(&writer, &stream);
    begin_frame(&writer, &stream); /* nothing is drawn to the second */
    bind(&stream, FIRST, SECOND, 0, drawn);
    trace_clear(&stream, 0, 0, 1, 1);
    TRACE(&stream, AEROGPU_DRAW, 3, 1, 0, 0);
    if (drawn) {
        TRACE(&stream, AEROGPU_BIND_SHADERS, VERTEX, PIXEL, 0, 0);
        TRACE(&stream, AEROGPU_DRAW, 3, 1, 0, 0);
        TRACE(&stream, AEROGPU_BIND_SHADERS, 0, 0, 0, 0);
    }
    bind(&stream, SECOND, 0, 0, false);
    trace_present(&stream);
    end_frame(&writer, &stream);
    begin_frame(&writer, &stream); /* a depth target of colours: refused */
    bind(&stream, FIRST, 0, SECOND, drawn);
    trace_clear(&stream, 0, 1, 0, 1);
    trace_present(&stream);
    end_frame(&writer, &stream);
    begin_frame(&writer, &stream); /* depth alone at the end, and nothing is presented */
    bind(&stream, 0, 0, DEPTH, drawn);
    end_frame(&writer, &stream);
    begin_frame(&writer, &stream); /* a draw without shaders knows neither masks nor tests */
    TRACE(&stream, AEROGPU_SET_BLEND_STATE, 1, AEROGPU_ZERO, AEROGPU_ONE, 0, 0, 0, 0, 0, 0, 0, 0, 0,
          0);
    TRACE(&stream, AEROGPU_SET_DEPTH_STENCIL_STATE, 1, 1, AEROGPU_NEVER, 1, 0xFFFF);
    TRACE(&stream, AEROGPU_SET_RASTERIZER_STATE, AEROGPU_WIREFRAME, AEROGPU_CULL_FRONT, 0, 0, 0, 0);
    bind(&stream, FIRST, 0, DEPTH, false);
    trace_clear(&stream, 0, 0, 1, 1);
    bind(&stream, FIRST, 0, DEPTH, drawn); /* the worker's from here on */
    TRACE(&stream, AEROGPU_DRAW, 3, 1, 0, 0);
    trace_present(&stream);
    end_frame(&writer, &stream);
    opened_trace(&opened, &writer);
    for (unsigned i = 0; i < COUNT_OF(expected); i++) {
        snprintf(path, sizeof(path), "frames/%06u.png", i);
        opened_expect_colour(&opened, path, expected[i]);
    }
    assert_int_equal(count_parts(&opened, "Clear is not executed: a target is of a format"), 1);
    assert_int_equal(count_parts(&opened, " error: "), drawn ? 2 : 1);
    expect_cuts(&opened, drawn ? "targets, drawn" : "targets");
    opened_close(&opened);
}

static void test_targets(void **state)
{
    (void)state;
    expect_targets(false);
    opened_need_driver();
    expect_targets(true);
}

/* The contents of the one buffer of that handle, at its end. */
static char *read_buffer(const struct opened *opened, uint32_t handle, size_t *size)
{
    char path[64];

    for (unsigned life = 0; life < 32; life++) {
        snprintf(path, sizeof(path), "resources/%06u-buffer-0x%08X/content.bin", life, handle);
        if (is_there(opened, path))
            return walk_read(opened->tree, path, size);
    }
    fail_msg("buffer %u is not there", handle);
    return NULL;
}

/* A buffer that a shader appends to, frame after frame, from where no command has set it. */
static void test_counted(void **state)
{
    enum { SHADER = 8, BUFFER = 9, SIZE = 64 };
    struct trace_writer writer = {.version = 2};
    struct trace_stream stream;
    struct opened opened, cut;
    struct blob *code = shader_append();
    char *expected, *found;
    size_t size = 0;
    uint8_t *bytes;

    (void)state;
    opened_need_driver();
    trace_begin(&writer, 2);
    for (int i = 0; i < 2; i++) {
        begin_frame(&writer, &stream);
        if (i == 0) {
            screen(&stream, 1, 8);
            trace_buffer(&stream, BUFFER, 0, SIZE);
            trace_command_data(&stream, AEROGPU_CREATE_SHADER_DXBC,
                               (const uint32_t[]){SHADER, AEROGPU_COMPUTE, (uint32_t)code->size, 0},
                               4, code->data, code->size);
            TRACE(&stream, AEROGPU_BIND_SHADERS, 0, 0, SHADER, 0);
            TRACE(&stream, AEROGPU_SET_UNORDERED_ACCESS_BUFFERS, AEROGPU_COMPUTE, 0, 1, 0, BUFFER,
                  0, 0, UINT32_MAX);
        }
        TRACE(&stream, AEROGPU_DISPATCH, 1, 1, 1, 0);
        trace_present(&stream);
        end_frame(&writer, &stream);
    }
    blob_unref(&code);
    opened_trace(&opened, &writer);
    expected = read_buffer(&opened, BUFFER, &size);
    bytes = read_cut(&opened, 1, &size);
    opened_bytes(&cut, bytes, size);
    found = read_buffer(&cut, BUFFER, &size);
    assert_int_equal(size, SIZE);
    assert_memory_equal(found, expected, SIZE);
    free(expected);
    free(found);
    free(bytes);
    opened_close(&cut);
    opened_close(&opened);
}

/* A stream of an earlier frame that is submitted again, and presents in both. */
static void submit_again(bool drawn)
{
    struct trace_writer writer = {.version = 2};
    struct trace_stream stream;

    trace_begin(&writer, 2);
    begin_frame(&writer, &stream);
    screen(&stream, 1, 8);
    if (drawn) {
        vertices(&stream, 4);
        TRACE(&stream, AEROGPU_DRAW, 3, 1, 0, 0);
    }
    end_frame(&writer, &stream);
    begin_frame(&writer, &stream);
    trace_target(&stream, drawn ? 0 : 1, 0);
    trace_present(&stream);
    end_frame(&writer, &stream);
    begin_frame(&writer, &stream);
    end_frame(&writer, &stream);
    trace_bytes_put_u32(&writer.bytes, writer.bytes.size - 12 - 56 + 32, 2);
    expect_written(&writer, drawn ? "submitted again, drawn" : "submitted again");
}

static void test_submitted_again(void **state)
{
    (void)state;
    submit_again(false);
    submit_again(true);
}

static void *raise_soon(void *context)
{
    nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
    cancel_raise(context);
    return NULL;
}

/* Walks to the last frame, and is given up on the way, most likely in the one before it. */
static void walk_for_a_while(const struct opened *opened)
{
    struct aerogpu_dump *dump = aerogpu_dump_of(tree_dump(opened->tree));
    struct cancel cancel;
    pthread_t thread;
    int status;

    assert_int_equal(aerogpu_cutter_know(dump, 1, NULL), 0);
    cancel_init(&cancel, NULL);
    assert_int_equal(pthread_create(&thread, NULL, raise_soon, &cancel), 0);
    status = aerogpu_cutter_know(dump, 2, &cancel);
    assert_true(status == 0 || status == -EINTR);
    pthread_join(thread, NULL);
}

/* A walk that was given up inside of a frame does not stand before it. */
static void test_cancelled(void **state)
{
    enum { COMMANDS = 200000 };
    struct trace_writer writer = {.version = 2};
    struct trace_stream stream;
    struct opened opened;

    (void)state;
    trace_begin(&writer, 2);
    for (unsigned frame = 0; frame < 3; frame++) {
        begin_frame(&writer, &stream);
        if (frame == 0) {
            screen(&stream, 1, 8);
            trace_target(&stream, 1, 0);
        }
        for (uint32_t i = 0; frame == 1 && i < COMMANDS; i++)
            TRACE(&stream, AEROGPU_SET_RENDER_STATE, 22, 1 + i % 3);
        trace_clear(&stream, 1, 0, 0, 1);
        trace_present(&stream);
        end_frame(&writer, &stream);
    }
    opened_trace(&opened, &writer);
    walk_for_a_while(&opened);
    expect_cuts(&opened, "cancelled");
    opened_close(&opened);
}

static int add_one(struct aerogpu_state_commands *kept, const struct aerogpu_command *command)
{
    static const struct aerogpu_objects no_aliases;
    uint32_t handle = aerogpu_u32(command, 8);

    switch (command->opcode) {
    case AEROGPU_DESTROY_RESOURCE:
        return aerogpu_state_commands_destroy(kept, AEROGPU_SPACE_RESOURCE, handle);
    case AEROGPU_DESTROY_INPUT_LAYOUT:
        return aerogpu_state_commands_destroy(kept, AEROGPU_SPACE_LAYOUT, handle);
    case AEROGPU_DESTROY_SAMPLER:
        return aerogpu_state_commands_destroy(kept, AEROGPU_SPACE_SAMPLER, handle);
    default:
        return aerogpu_state_commands_add(kept, &no_aliases, command);
    }
}

static void add_all(struct aerogpu_state_commands *kept, const struct trace_stream *written)
{
    struct aerogpu_command command;
    struct aerogpu_stream stream;

    assert_true(aerogpu_stream_open(&stream, written->bytes.data, written->bytes.size));
    while (aerogpu_stream_next(&stream, &command))
        assert_int_equal(add_one(kept, &command), 0);
}

static void test_what_is_kept(void **state)
{
    enum { CULL = 22, FRONT = 18, ZERO_BLEND = 19 };
    /* The word at byte 12 of each that is kept; of a destruction the handle. */
    static const uint32_t expected[] = {1, 2, 0, 1, 12, 9, 3, 0, 0, 0};
    static const uint32_t stubs[] = {40 + 16, 36 + 16, 28 + 16};
    struct aerogpu_state_commands kept;
    struct trace_stream stream;
    uint64_t bytes = 0;
    size_t at = 0, destroyed = 0;

    (void)state;
    assert_int_equal(aerogpu_state_commands_init(&kept), 0);
    trace_stream_begin(&stream);
    TRACE(&stream, AEROGPU_SET_INDEX_BUFFER, 9, AEROGPU_UINT16, 0, 0); /* not needed below */
    TRACE(&stream, AEROGPU_SET_RENDER_STATE, FRONT, 1);
    TRACE(&stream, AEROGPU_SET_RENDER_STATE, CULL, 2); /* by the front faces of then */
    TRACE(&stream, AEROGPU_SET_RENDER_STATE, FRONT, 0);
    TRACE(&stream, AEROGPU_SET_RENDER_STATE, FRONT, 1);
    TRACE(&stream, AEROGPU_SET_RENDER_STATE, ZERO_BLEND, 12); /* sets both factors */
    TRACE(&stream, AEROGPU_SET_TEXTURE, AEROGPU_PIXEL, 9, 5, 0);
    TRACE(&stream, AEROGPU_DESTROY_RESOURCE, 5, 0);
    TRACE(&stream, AEROGPU_SET_RENDER_STATE, ZERO_BLEND, 3);
    TRACE(&stream, AEROGPU_DESTROY_RESOURCE, 6, 0); /* is not bound */
    TRACE(&stream, AEROGPU_SET_INDEX_BUFFER, 10, AEROGPU_UINT16, 0, 0);
    TRACE(&stream, AEROGPU_SET_INPUT_LAYOUT, 5, 0); /* another 5 */
    TRACE(&stream, AEROGPU_DESTROY_INPUT_LAYOUT, 5, 0);
    TRACE(&stream, AEROGPU_SET_SAMPLERS, AEROGPU_PIXEL, 0, 1, 0, 5);
    TRACE(&stream, AEROGPU_DESTROY_SAMPLER, 5, 0);
    add_all(&kept, &stream);
    for (const struct aerogpu_state_command *entry = kept.first; entry != NULL;
         entry = entry->next) {
        bytes += entry->destroyed != 0 ? stubs[destroyed++] : entry->command.size;
        if (entry->destroyed != 0)
            assert_int_equal(entry->destroyed, 5);
        else
            assert_int_equal(aerogpu_u32(&entry->command, 12), expected[at++]);
    }
    assert_int_equal(at, COUNT_OF(expected));
    assert_int_equal(destroyed, COUNT_OF(stubs));
    assert_int_equal(kept.bytes, bytes);
    aerogpu_state_commands_clear(&kept);
    trace_stream_free(&stream);
}

/* Damaged traces: whatever is cut out of them has the size that was told, and can be opened. */
static void expect_damaged(const uint8_t *bytes, size_t size)
{
    struct opened opened, cut;
    struct dump *dump = NULL;

    opened_bytes(&opened, bytes, size);
    dump = tree_dump(opened.tree);
    for (uint64_t i = 0; i < dump->ops->frames(dump); i++) {
        struct trace_bytes out = {0};
        uint64_t told = 0;

        assert_int_equal(aerogpu_cutter_know(aerogpu_dump_of(dump), i, NULL), 0);
        assert_int_equal(aerogpu_cut_size(aerogpu_dump_of(dump), i, &told), 0);
        if (dump->ops->cut(dump, i, i, NULL, collect, &out) == 0) {
            assert_int_equal(out.size, told);
            opened_bytes(&cut, out.data, out.size);
            assert_int_equal(tree_dump(cut.tree)->ops->frames(tree_dump(cut.tree)), 1);
            opened_close(&cut);
        }
        trace_bytes_free(&out);
    }
    opened_close(&opened);
}

static void test_damaged(void **state)
{
    struct random_params params = {.number = 400, .frames = 4, .commands = 30};
    struct trace_writer writer;
    uint64_t random = 77;

    (void)state;
    random_trace(&params, &writer);
    for (int i = 0; i < 60; i++) {
        uint8_t *bytes = malloc(writer.bytes.size);
        size_t size = writer.bytes.size;

        if (i % 3 == 0)
            size -= support_random(&random) % (size / 2);

        assert_non_null(bytes);
        memcpy(bytes, writer.bytes.data, writer.bytes.size);
        for (int j = 0; j < 40; j++)
            bytes[64 + support_random(&random) % (size - 64)] = (uint8_t)support_random(&random);
        expect_damaged(bytes, size);
        free(bytes);
    }
    trace_free(&writer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_corpus),           cmocka_unit_test(test_scenes),
        cmocka_unit_test(test_packets),          cmocka_unit_test(test_noise),
        cmocka_unit_test(test_unfinished),       cmocka_unit_test(test_appendix),
        cmocka_unit_test(test_random),           cmocka_unit_test(test_given_again),
        cmocka_unit_test(test_kept_by_others),   cmocka_unit_test(test_back_buffer),
        cmocka_unit_test(test_counted),          cmocka_unit_test(test_submitted_again),
        cmocka_unit_test(test_what_is_kept),     cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_cancelled),        cmocka_unit_test(test_given_again_unbound),
        cmocka_unit_test(test_bound_by_aliases), cmocka_unit_test(test_tokens),
        cmocka_unit_test(test_targets),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

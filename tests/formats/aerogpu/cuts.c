/* SPDX-License-Identifier: MIT */
#include "tests/formats/aerogpu/cuts.h"

#include "tests/support/support.h"
#include "tests/support/walk.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t told_size(const struct opened *opened, const char *path)
{
    struct tree_attributes attributes;
    uint64_t inode;

    assert_int_equal(tree_find(opened->tree, path, true, &inode), 0);
    assert_int_equal(tree_stat(opened->tree, inode, NULL, &attributes), 0);
    return attributes.size;
}

bool cuts_has_file(const struct opened *opened, const char *path)
{
    uint64_t inode;

    return tree_find(opened->tree, path, true, &inode) == 0;
}

uint8_t *cuts_read(const struct opened *opened, unsigned frame, size_t *size)
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

/* Names a file of a frame, and that of a frame of the cut. Returns false if neither exists. */
static bool name_files(const struct opened *of, unsigned of_frame, const struct opened *cut,
                       unsigned cut_frame, const char *const file[2], char paths[2][64])
{
    snprintf(paths[0], sizeof(paths[0]), "%s%06u%s", file[0], of_frame, file[1]);
    snprintf(paths[1], sizeof(paths[1]), "%s%06u%s", file[0], cut_frame, file[1]);
    assert_int_equal(cuts_has_file(of, paths[0]), cuts_has_file(cut, paths[1]));
    return cuts_has_file(of, paths[0]);
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

/* Compares pixels only, since the text chunks of the PNGs name the frame. */
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

/* Checks the cut of a frame. `quiet`: it must have no problems, since the trace has none. */
static void expect_cut(const struct opened *of, unsigned frame, bool quiet, const char *name)
{
    size_t size = 0, again_size = 0;
    uint8_t *bytes = cuts_read(of, frame, &size), *again = NULL;
    struct opened cut;

    opened_bytes(&cut, bytes, size);
    assert_int_equal(tree_dump(cut.tree)->ops->frames(tree_dump(cut.tree)), 1);
    expect_frame(of, frame, &cut, 0, name);
    if (quiet)
        opened_expect_no_problems(&cut);
    again = cuts_read(&cut, 0, &again_size);
    assert_int_equal(again_size, size);
    assert_memory_equal(again, bytes, size);
    opened_close(&cut);
    free(again);
    free(bytes);
}

int cuts_collect(void *context, const void *bytes, size_t size)
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

    assert_int_equal(dump->ops->cut(dump, first, last, NULL, cuts_collect, &bytes), 0);
    opened_bytes(&cut, bytes.data, bytes.size);
    assert_int_equal(tree_dump(cut.tree)->ops->frames(tree_dump(cut.tree)), last - first + 1);
    for (unsigned i = first; i <= last; i++)
        expect_frame(of, i, &cut, i - first, name);
    if (quiet)
        opened_expect_no_problems(&cut);
    opened_close(&cut);
    trace_bytes_free(&bytes);
}

void cuts_expect(struct opened *opened, const char *name)
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
    assert_int_equal(dump->ops->cut(dump, frames - 1, frames, NULL, cuts_collect, NULL), -ENOENT);
}

/* Traces written by hand */

void cuts_expect_written(struct trace_writer *writer, const char *name)
{
    struct opened opened;

    opened_trace(&opened, writer);
    cuts_expect(&opened, name);
    opened_close(&opened);
}

void cuts_screen(struct trace_stream *stream, uint32_t handle, uint32_t size)
{
    trace_texture(stream, handle, AEROGPU_USAGE_TARGET, AEROGPU_R8G8B8A8, size, size, 1, 1);
}

void cuts_make_shader(struct trace_stream *stream, uint32_t handle, uint32_t stage,
                      struct blob *code)
{
    trace_command_data(stream, AEROGPU_CREATE_SHADER_DXBC,
                       (const uint32_t[]){handle, stage, (uint32_t)code->size, 0}, 4, code->data,
                       code->size);
    blob_unref(&code);
}

void cuts_make_layout(struct trace_stream *stream, uint32_t handle, bool flat)
{
    /* ILAY, version 1: POSITION, R32G32_FLOAT or R32G32B32A32_FLOAT, and COLOR, the latter. */
    const uint32_t layout[] = {0x59414C49, 1, 2,          0, 0x7808E88A, 0, flat ? 16 : 2, 0, 0,
                               0,          0, 0xE7C308F8, 0, 2,          0, 0xFFFFFFFF,    0, 0};

    trace_command_data(stream, AEROGPU_CREATE_INPUT_LAYOUT,
                       (const uint32_t[]){handle, sizeof(layout), 0}, 3, layout, sizeof(layout));
}

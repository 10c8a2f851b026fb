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

#include "base/bytes.h"
#include "formats/aerogpu/cut/cut.h"
#include "formats/aerogpu/cut/past.h"

#include <dirent.h>
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
    for (params.number = 300; params.number < 320; params.number++) {
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_corpus),     cmocka_unit_test(test_scenes),
        cmocka_unit_test(test_packets),    cmocka_unit_test(test_noise),
        cmocka_unit_test(test_unfinished), cmocka_unit_test(test_appendix),
        cmocka_unit_test(test_random),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

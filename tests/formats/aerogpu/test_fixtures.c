/* SPDX-License-Identifier: MIT */
/* The corpus of AeroGPU traces: hashes, golden pictures, the rules of trees */
#include "config.h"

#include "tests/formats/aerogpu/open.h"

#include "tests/support/support.h"
#include "tests/support/walk.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct expected {
    const char *file;
    bool plain; /* no shader is needed for its picture */
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
    opened_path(opened, path);
    free(path);
}

/* Finds the last column of INDEX.tsv for that file. */
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
        opened_expect(&opened, "metadata.txt", "verdict: ok\n");
        opened_expect(&opened, "by-frame/000000/info.txt",
                      fixtures[i].plain ? "made without shaders" : "drawn by shaders");
        if (fixtures[i].plain) {
            opened_expect(&opened, "hashes.txt", hash);
            opened_expect_no_problems(&opened);
        }
        opened_close(&opened);
    }
}

static void test_drawn_fixtures(void **state)
{
    (void)state;
    opened_need_driver();
    for (size_t i = 0; i < COUNT_OF(fixtures); i++) {
        struct walk_result result;
        struct opened opened;
        char hash[65];

        if (fixtures[i].plain)
            continue;
        open_fixture(&opened, fixtures[i].file);
        expected_hash(fixtures[i].file, hash);
        opened_expect(&opened, "hashes.txt", hash);
        opened_expect_no_problems(&opened);
        if (i % 4 == 0)
            walk_tree(opened.tree, NULL, &result);
        opened_close(&opened);
    }
}

/* Edges are always drawn by the worker. */
static const char *const edges[] = {"wireframe.png", NULL};

static void test_fixtures_keep_the_rules(void **state)
{
    const struct walk_params params = {.broken = opened_has_driver() ? NULL : edges};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(fixtures); i++) {
        struct walk_result result;
        struct opened opened;

        if (!fixtures[i].plain)
            continue;
        open_fixture(&opened, fixtures[i].file);
        walk_tree(opened.tree, &params, &result);
        assert_true(result.files > 30);
        opened_close(&opened);
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
        opened_path(&opened, path);
        walk_tree(opened.tree, NULL, &result);
        opened_expect(&opened, "problems.txt", "FrameNotPresented");
        opened_expect(&opened, "metadata.txt", "verdict: ok\n");
        opened_close(&opened);
        free(path);
    }
}

/* The golden pictures of three fixtures, from the repository */
static void test_golden_pictures(void **state)
{
    static const char *const names[][2] = {{"aerogpu_cmd_triangle", "aerogpu_cmd_triangle"},
                                           {"aerogpu_a3a0_clear_red", "aerogpu_a3a0_clear_red"},
                                           {"triangle", "triangle_red"}};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(names) - (opened_has_driver() ? 0 : 1); i++) {
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
        picture = opened_picture(&opened, "frames/000000.png", PNG_FORMAT_RGBA);
        assert_int_equal(picture.png.width, golden.width);
        assert_memory_equal(picture.pixels, pixels, PNG_IMAGE_SIZE(golden));
        opened_close(&opened);
        free(picture.pixels);
        free(pixels);
        free(path);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fixtures),
        cmocka_unit_test(test_drawn_fixtures),
        cmocka_unit_test(test_fixtures_keep_the_rules),
        cmocka_unit_test(test_fuzz_seeds),
        cmocka_unit_test(test_golden_pictures),
    };

    return cmocka_run_group_tests_name("aerogpu_fixtures", tests, NULL, NULL);
}

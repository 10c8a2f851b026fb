/* SPDX-License-Identifier: MIT */
/*
 * What GAPIR payloads draw through the graphics worker: the pictures must be bit-identical to those
 * of apitrace traces that make the same calls, and what cannot be drawn must be reported call by
 * call.
 */
#include "config.h"

#include "tests/formats/apitrace/pictures.h"
#include "tests/formats/gapir/scene.h"
#include "tests/formats/gapir/shown.h"
#include "tests/support/support.h"
#include "tests/support/walk.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GLES "gles_v1.6.1"

static uint8_t *pixels_of(const struct shown *shown, const char *path)
{
    unsigned width, height;
    size_t size;
    char *png = walk_read(shown->tree, path, &size);
    uint8_t *pixels = apitrace_decode(png, size, &width, &height);

    assert_int_equal(width, SCENE_WIDTH);
    assert_int_equal(height, SCENE_HEIGHT);
    free(png);
    return pixels;
}

/* Counts pixels of different colours. Alpha is ignored, since one of the pictures has none. */
static unsigned count_differing(const uint8_t *a, const uint8_t *b)
{
    unsigned differing = 0;

    for (size_t n = 0; n < SCENE_WIDTH * SCENE_HEIGHT; n++)
        differing += memcmp(a + 4 * n, b + 4 * n, 3) != 0;
    return differing;
}

static unsigned count_colours(const uint8_t *pixels)
{
    unsigned colours = 0;

    for (size_t n = 1; n < SCENE_WIDTH * SCENE_HEIGHT; n++)
        colours += memcmp(pixels + 4 * n, pixels + 4 * (n - 1), 4) != 0;
    return colours;
}

/* A payload and a trace of the same calls, opened */
struct pair {
    char *folder;
    struct shown payload;
    struct apitrace_opened trace;
};

static void open_pair(struct scene *scene, const char *option, struct pair *pair)
{
    char *path;

    pair->folder = support_folder();
    scene_write(scene, pair->folder);
    path = support_path(pair->folder, "payload");
    shown_open(path, option, &pair->payload);
    free(path);
    path = support_path(pair->folder, "trace");
    apitrace_open(path, &pair->trace);
    free(path);
}

static void close_pair(struct pair *pair)
{
    shown_close(&pair->payload);
    apitrace_close(&pair->trace);
    support_remove(&pair->folder);
}

/* Checks that a frame is the same in both, and that something is visible in it. */
static void expect_equal(const struct pair *pair, unsigned frame)
{
    char path[64];
    unsigned width, height;
    uint8_t *drawn, *wanted;

    snprintf(path, sizeof(path), "by-frame/%06u/image.png", frame);
    drawn = pixels_of(&pair->payload, path);
    wanted = apitrace_pixels(&pair->trace, path, &width, &height);
    assert_int_equal(width, SCENE_WIDTH);
    assert_int_equal(height, SCENE_HEIGHT);
    assert_true(count_colours(wanted) > 100);
    assert_int_equal(count_differing(drawn, wanted), 0);
    free(drawn);
    free(wanted);
}

/* Checks that a drawn frame is found by its content. */
static void expect_found(const struct pair *pair, unsigned frame)
{
    char path[128], row[64];
    size_t size;
    char *near = walk_read(pair->payload.tree, "near-frames.tsv", &size), *line = near;

    for (unsigned n = 0; n <= frame; n++) {
        line = strchr(line, '\n');
        assert_non_null(line);
        line++;
    }
    snprintf(path, sizeof(path), "find/frame/%.64s/where.tsv", line + 7); /* after NNNNNN */
    snprintf(row, sizeof(row), "\n%u\tframes/%06u.png\n", frame, frame);
    shown_expect(&pair->payload, path, row);
    free(near);
}

static void posts_show_what_traces_show(void **state)
{
    struct scene scene;
    struct pair pair;

    (void)state;
    apitrace_need_graphics();
    scene_begin(&scene);
    scene_draw(&scene);
    scene_post(&scene);
    scene_call(&scene, "glUniform4f", "lffff", 1, 0.25, 0.5, 1.0, 1.0);
    scene_call(&scene, "glDrawArrays", "iii", 4, 0, 3);
    scene_post(&scene);
    open_pair(&scene, NULL, &pair);
    expect_equal(&pair, 1);
    expect_equal(&pair, 0);
    expect_found(&pair, 0);
    expect_found(&pair, 1);
    shown_expect(&pair.payload, "frames.tsv", "\tmesa\tpost\n");
    shown_expect(&pair.payload, "by-frame/000000/drawing.txt", "\nnotes: 0\n");
    close_pair(&pair);
}

/* Without posts, frames end where they are delimited, and show the surface that was drawn on. */
static void delimited_frames_show_what_is_drawn_on(void **state)
{
    struct scene scene;
    struct pair pair;

    (void)state;
    apitrace_need_graphics();
    scene_begin(&scene);
    scene_draw(&scene);
    scene_delimit(&scene);
    open_pair(&scene, NULL, &pair);
    expect_equal(&pair, 0);
    shown_expect(&pair.payload, "frames.tsv", "\tdelimiter\n");
    close_pair(&pair);
}

static void pointers_of_four_bytes(void **state)
{
    struct scene scene;
    struct pair pair;

    (void)state;
    apitrace_need_graphics();
    scene_begin(&scene);
    scene.narrow = true;
    scene_draw(&scene);
    scene_post(&scene);
    open_pair(&scene, "gapir-ptrsize=4", &pair);
    expect_equal(&pair, 0);
    shown_expect(&pair.payload, "by-frame/000000/drawing.txt", "\nnotes: 0\n");
    close_pair(&pair);
}

/* The parts of a mapped buffer that the program does not write stay unchanged. */
static void mapped_buffers_are_written(void **state)
{
    static const float corner[] = {0.8F, 0.9F};
    struct scene scene;
    struct pair pair;

    (void)state;
    apitrace_need_graphics();
    scene_begin(&scene);
    scene_draw(&scene);
    scene_call(&scene, "glBindBuffer", "ii", 0x8892, 7);
    scene_map(&scene, 0x8892, 8, 24, corner, sizeof(corner));
    scene_call(&scene, "glVertexAttribPointer", "iiiiio", 0, 2, 0x1406, 0, 0, 0);
    scene_call(&scene, "glDrawArrays", "iii", 5, 0, 4);
    scene_post(&scene);
    open_pair(&scene, NULL, &pair);
    expect_equal(&pair, 0);
    shown_expect(&pair.payload, "by-frame/000000/drawing.txt", "\nnotes: 0\n");
    close_pair(&pair);
}

/* Opens a payload without a trace. Returns the folder, which the caller removes. */
static char *open_payload(struct scene *scene, const char *option, struct shown *out)
{
    char *folder = support_folder(), *path = support_path(folder, "payload");

    scene_write(scene, folder);
    shown_open(path, option, out);
    free(path);
    return folder;
}

/* A drawn tree also follows the rules of all trees. */
static void posts_are_what_was_read(void **state)
{
    struct walk_result walked;
    struct scene scene;
    struct shown shown;
    size_t size;

    (void)state;
    apitrace_need_graphics();
    scene_begin(&scene);
    scene_draw(&scene);
    scene_post(&scene);
    char *folder = open_payload(&scene, NULL, &shown);
    uint8_t *pixels = pixels_of(&shown, "latest.png");
    char *post = walk_read(shown.tree, "posts/000000.bin", &size);
    assert_int_equal(size, SCENE_WIDTH * SCENE_HEIGHT * 4);
    for (size_t y = 0; y < SCENE_HEIGHT; y++)
        assert_memory_equal(post + (SCENE_HEIGHT - 1 - y) * SCENE_WIDTH * 4,
                            pixels + y * SCENE_WIDTH * 4, SCENE_WIDTH * 4);
    free(pixels);
    free(post);
    walk_tree(shown.tree, NULL, &walked);
    shown_close(&shown);
    support_remove(&folder);
}

/* A post that faults because of the pixels was not made: what the index has for it is not shown. */
static void posts_that_fault_with_pixels_are_not_shown(void **state)
{
    struct scene scene;
    struct shown shown;

    (void)state;
    apitrace_need_graphics();
    scene_begin(&scene);
    scene_draw(&scene);
    BUILD_CALL(&scene.build, GLES, "glPixelStorei", 0xd05, 1);
    BUILD_CALL(&scene.build, GLES, "glReadPixels", 0, 0, SCENE_WIDTH, SCENE_HEIGHT, 0x1908, 0x1401,
               SCENE_PIXELS);
    build_push(&scene.build, GAPIR_VOLATILE_POINTER, SCENE_PIXELS);
    build_push(&scene.build, GAPIR_UINT32, SCENE_WIDTH * SCENE_HEIGHT * 4);
    build_typed(&scene.build, GAPIR_LOAD_V, GAPIR_UINT32, SCENE_PIXELS);
    build_op(&scene.build, GAPIR_ADD, 2);
    build_op(&scene.build, GAPIR_POST, 0);
    scene_delimit(&scene);
    char *folder = open_payload(&scene, NULL, &shown);
    shown_expect(&shown, "frames.tsv", "\tmesa\tpost\n");
    assert_int_equal(walk_try(shown.tree, "posts/000000.bin"), -EIO);
    assert_int_equal(walk_try(shown.tree, "frames/000000.png"), -EIO);
    shown_expect(&shown, "problems.txt", "changes the course of the run");
    shown_close(&shown);
    support_remove(&folder);
}

/* A renderer shares its textures with others, and has its own backbuffer. */
static void renderers_share(void **state)
{
    struct scene scene;
    struct shown shown;

    (void)state;
    apitrace_need_graphics();
    scene_begin(&scene);
    scene_draw(&scene);
    scene_second(&scene, 5);
    scene_call(&scene, "glClearColor", "ffff", 0.0, 1.0, 0.0, 1.0);
    scene_call(&scene, "glClear", "i", 0x4000);
    scene_generate(&scene, "glGenFramebuffers", 12);
    scene_call(&scene, "glBindFramebuffer", "ii", 0x8ca8, 12);
    scene_call(&scene, "glFramebufferTexture2D", "iiiii", 0x8ca8, 0x8ce0, 0xde1, 1, 0);
    scene_call(&scene, "glBlitFramebuffer", "iiiiiiiiii", 1, 2, 4, 6, 0, 0, 3, 4, 0x4000, 0x2600);
    scene_call(&scene, "glBindFramebuffer", "ii", 0x8ca8, 0);
    scene_post(&scene);
    char *folder = open_payload(&scene, NULL, &shown);
    uint8_t *pixels = pixels_of(&shown, "latest.png");
    const uint8_t *low = pixels + (SCENE_HEIGHT - 1) * SCENE_WIDTH * 4;
    static const uint8_t green[] = {0, 255, 0, 255}, cleared[] = {255, 128, 64, 255};
    assert_memory_equal(pixels, green, 4);
    assert_memory_equal(low, cleared, 4);
    free(pixels);
    shown_close(&shown);
    support_remove(&folder);
}

/* Calls that reach beyond memory are left out and reported one by one; the rest is drawn. */
static void refused_calls_are_told(void **state)
{
    struct scene scene;
    struct shown shown;

    (void)state;
    apitrace_need_graphics();
    scene_begin(&scene);
    scene_draw(&scene);
    BUILD_CALL(&scene.build, GLES, "glTexImage2D", 0xde1, 0, 0x1908, 4096, 4096, 0, 0x1908, 0x1401,
               SCENE_BYTES);
    BUILD_CALL(&scene.build, GLES, "glBufferData", 0x8892, SCENE_MEMORY, SCENE_BYTES, 0x88e4);
    BUILD_CALL(&scene.build, GLES, "glReadPixels", 0, 0, 4096, 4096, 0x1908, 0x1401, SCENE_BYTES);
    scene_post(&scene);
    char *folder = open_payload(&scene, NULL, &shown);
    free(pixels_of(&shown, "latest.png"));
    shown_expect(&shown, "by-frame/000000/drawing.txt", "glTexImage2D: it has ");
    shown_expect(&shown, "by-frame/000000/drawing.txt", "glBufferData: argument 2 has ");
    shown_expect(&shown, "by-frame/000000/drawing.txt",
                 "glReadPixels: it writes 67108864 bytes to memory of ");
    shown_expect(&shown, "by-frame/000000/drawing.txt", "\nnotes: 3\n");
    shown_expect(&shown, "problems.txt", "glTexImage2D: it has ");
    shown_close(&shown);
    support_remove(&folder);
}

/*
 * Without a worker there are no pictures that it would draw, and everything else is there.
 * drawing.txt cannot be read either, but is not visited: it is not listed, so that its size is not
 * requested.
 */
static void without_a_worker_the_rest_is_there(void **state)
{
    const char *program = getenv("GPUDUMPFS_GLWORKER");
    char *restored = program != NULL ? strdup(program) : NULL;
    struct walk_result walked;
    struct scene scene;
    struct shown shown;

    (void)state;
    setenv("GPUDUMPFS_GLWORKER", "/nonexistent", 1);
    scene_begin(&scene);
    scene_draw(&scene);
    scene_post(&scene);
    char *folder = open_payload(&scene, NULL, &shown);
    static const char *const broken[] = {"image.png",  "000000.png", "latest.png",
                                         "000000.bin", "post.bin",   "contact-sheet.png",
                                         NULL};
    walk_tree(shown.tree, &(struct walk_params){.broken = broken}, &walked);
    assert_true(walked.broken >= 3);
    shown_expect(&shown, "calls.txt", "glReadPixels(");
    shown_expect(&shown, "problems.txt", "error: ");
    shown_close(&shown);
    support_remove(&folder);
    if (restored != NULL)
        setenv("GPUDUMPFS_GLWORKER", restored, 1);
    else
        unsetenv("GPUDUMPFS_GLWORKER");
    free(restored);
}

/* The user can have all posts drawn, or none. */
static void drivers_by_option(void **state)
{
    static const struct {
        const char *option, *content;
        uint8_t first;
    } drivers[] = {{NULL, "\tvm\t", 7},
                   {"gapir-driver=null", "\tvm\t", 7},
                   {"gapir-driver=mesa", "\tmesa\t", 32}};
    uint8_t *filled = calloc(SCENE_WIDTH * SCENE_HEIGHT, 4);

    (void)state;
    apitrace_need_graphics();
    memset(filled, 7, SCENE_WIDTH * SCENE_HEIGHT * 4);
    for (size_t n = 0; n < COUNT_OF(drivers); n++) {
        struct scene scene;
        struct shown shown;

        scene_begin(&scene);
        scene_draw(&scene);
        build_inline(&scene.build, SCENE_PIXELS, filled, SCENE_WIDTH * SCENE_HEIGHT * 4);
        scene_post(&scene);
        char *folder = open_payload(&scene, drivers[n].option, &shown);
        uint8_t *pixels = pixels_of(&shown, "latest.png");
        assert_int_equal(pixels[(SCENE_WIDTH - 1) * 4], drivers[n].first);
        shown_expect(&shown, "frames.tsv", drivers[n].content);
        free(pixels);
        shown_close(&shown);
        support_remove(&folder);
    }
    free(filled);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(posts_show_what_traces_show),
        cmocka_unit_test(delimited_frames_show_what_is_drawn_on),
        cmocka_unit_test(pointers_of_four_bytes),
        cmocka_unit_test(mapped_buffers_are_written),
        cmocka_unit_test(posts_are_what_was_read),
        cmocka_unit_test(posts_that_fault_with_pixels_are_not_shown),
        cmocka_unit_test(renderers_share),
        cmocka_unit_test(refused_calls_are_told),
        cmocka_unit_test(drivers_by_option),
        cmocka_unit_test(without_a_worker_the_rest_is_there),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

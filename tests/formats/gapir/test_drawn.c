/* SPDX-License-Identifier: MIT */
/*
 * What GAPIR payloads draw by the graphics worker: the pictures of apitrace traces that make the
 * same calls, to the bit; and what cannot be drawn is told call by call.
 */
#include "config.h"

#include "tests/formats/apitrace/pictures.h"
#include "tests/formats/gapir/scene.h"
#include "tests/support/options.h"
#include "tests/support/support.h"
#include "tests/support/walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GLES "gles_v1.6.1"

/* A payload as a tree. */
struct shown {
    struct options options;
    struct format_dump dump;
    struct tree *tree;
};

/* `option`: NULL, or one `name=value`. */
static void show(const char *path, const char *option, struct shown *out)
{
    struct source_params source = {0};
    struct text message = TEXT_INIT;

    *out = (struct shown){0};
    assert_int_equal(format_options_init(&out->options), 0);
    support_take_common_options(&out->options);
    if (option != NULL)
        assert_int_equal(options_parse(&out->options, option, &message), 1);
    assert_int_equal(format_open(path, &out->options, &source, &message, &out->dump), 0);
    assert_int_equal(format_tree(&out->dump, 2, &out->tree), 0);
    text_clear(&message);
}

static void hide(struct shown *shown)
{
    tree_destroy(&shown->tree);
    format_close(&shown->dump);
    options_clear(&shown->options);
}

static void expect_in(const struct shown *shown, const char *path, const char *wanted)
{
    size_t size;
    char *text = walk_read(shown->tree, path, &size);

    if (strstr(text, wanted) == NULL)
        fail_msg("no '%s' in %s:\n%s", wanted, path, text);
    free(text);
}

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

/* Colours: an alpha that one of the pictures has not does not count. */
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

/* A payload and a trace of the same calls, opened. */
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
    show(path, option, &pair->payload);
    free(path);
    path = support_path(pair->folder, "trace");
    apitrace_open(path, &pair->trace);
    free(path);
}

static void close_pair(struct pair *pair)
{
    hide(&pair->payload);
    apitrace_close(&pair->trace);
    support_remove(&pair->folder);
}

/* A frame of both is the same, and there is something to see in it. */
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
    expect_in(&pair.payload, "frames.tsv", "\tmesa\tpost\n");
    expect_in(&pair.payload, "by-frame/000000/drawing.txt", "\nnotes: 0\n");
    close_pair(&pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(posts_show_what_traces_show),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/*
 * Checks the pictures of the apitrace part of the conformance set (tests/conformance/README):
 * OpenGL scenes that any driver must draw the same, read through the tree, the last frame first.
 * Needs the worker and a driver; the test is skipped if there is none.
 */
#include "config.h"

#include "tests/formats/apitrace/pictures.h"
#include "tests/formats/apitrace/script.h"
#include "tests/support/conformance.h"
#include "tests/support/support.h"
#include "tests/support/walk.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE_MAX = 64, FRAMES_MAX = 4, NAME_ROOM = 40 };

static const char window[] = "glXCreateContext(dpy=0x1, vis=null, shareList=null, direct=1) = 0xC\n"
                             "glXMakeCurrent(dpy=0x1, drawable=5, ctx=0xC) = 1\n"
                             "glViewport(x=0, y=0, width=%u, height=%u)\n";

/* A scene up to the end of its lines: its calls, and what its frames show */
struct scene {
    struct conformance table;
    char *folder;
    char name[NAME_ROOM];
    unsigned line; /* line of the table where it begins */
    unsigned width, height;
    struct text script;
    uint32_t frames[FRAMES_MAX][SIDE_MAX][SIDE_MAX]; /* 0xRRGGBB */
    unsigned frame_count;
    unsigned scenes, pictures;
};

static void check_frame(struct scene *scene, const struct apitrace_opened *opened, unsigned frame)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    char path[32], *bytes;
    uint8_t *pixels;
    size_t size;

    snprintf(path, sizeof(path), "frames/%06u.png", frame);
    bytes = walk_read(opened->tree, path, &size);
    assert_true(png_image_begin_read_from_memory(&image, bytes, size));
    image.format = PNG_FORMAT_RGB;
    if (image.width != scene->width || image.height != scene->height)
        conformance_fail(&scene->table, "scene %s of line %u: %s is %ux%u", scene->name,
                         scene->line, path, image.width, image.height);
    pixels = malloc(PNG_IMAGE_SIZE(image));
    assert_non_null(pixels);
    assert_true(png_image_finish_read(&image, NULL, pixels, 0, NULL));
    for (unsigned n = 0; n < scene->width * scene->height; n++) {
        unsigned x = n % scene->width, y = n / scene->width;
        const uint8_t *p = pixels + 3 * (size_t)n;
        uint32_t found = (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];

        if (found != scene->frames[frame][y][x])
            conformance_fail(
                &scene->table, "scene %s of line %u, frame %u: pixel %u,%u is %06x, not %06x",
                scene->name, scene->line, frame, x, y, found, scene->frames[frame][y][x]);
    }
    free(pixels);
    free(bytes);
    scene->pictures++;
}

static void end_scene(struct scene *scene)
{
    char *path;
    struct apitrace_opened opened;

    if (scene->script.length == 0)
        return;
    text_add_char(&scene->script, '\0');
    assert_int_equal(text_status(&scene->script), 0);
    path = support_path(scene->folder, "scene.trace");
    apitrace_script(path, scene->script.bytes);
    apitrace_open(path, &opened);
    for (unsigned frame = scene->frame_count; frame-- > 0;)
        check_frame(scene, &opened, frame);
    apitrace_close(&opened);
    free(path);
    text_clear(&scene->script);
}

static void begin_scene(struct scene *scene, const char *line)
{
    if (sscanf(line, "%39s %u %u", scene->name, &scene->width, &scene->height) != 3 ||
        scene->width - 1 >= SIDE_MAX || scene->height - 1 >= SIDE_MAX)
        conformance_fail(&scene->table, "no scene: %s", line);
    scene->line = scene->table.line;
    scene->frame_count = 0;
    scene->scenes++;
    memset(scene->frames, 0, sizeof(scene->frames));
    text_printf(&scene->script, window, scene->width, scene->height);
}

static void fill(struct scene *scene, const char *line)
{
    unsigned x, y, width, height, colour;

    if (sscanf(line, "%u %u %u %u %x", &x, &y, &width, &height, &colour) != 5 ||
        scene->frame_count == 0 || x + width > scene->width || y + height > scene->height)
        conformance_fail(&scene->table, "no rectangle: %s", line);
    for (unsigned j = y; j < y + height; j++)
        for (unsigned i = x; i < x + width; i++)
            scene->frames[scene->frame_count - 1][j][i] = colour;
}

static void take_line(struct scene *scene, char *line)
{
    const char *verb = strsep(&line, " ");

    if (line == NULL) {
        conformance_fail(&scene->table, "nothing after %s", verb);
    } else if (strcmp(verb, "scene") == 0) {
        end_scene(scene);
        begin_scene(scene, line);
    } else if (strcmp(verb, "call") == 0) {
        text_add(&scene->script, line);
        text_add_char(&scene->script, '\n');
    } else if (strcmp(verb, "frame") == 0) {
        if (scene->frame_count == FRAMES_MAX ||
            conformance_number(&scene->table, line, 10) != scene->frame_count)
            conformance_fail(&scene->table, "not frame %u", scene->frame_count);
        scene->frame_count++;
    } else if (strcmp(verb, "fill") == 0) {
        fill(scene, line);
    } else {
        conformance_fail(&scene->table, "unknown: %s", verb);
    }
}

static void test_scenes_as_the_specification_has_them(void **state)
{
    struct scene *scene;
    char *line;

    (void)state;
    apitrace_need_graphics();
    scene = calloc(1, sizeof(*scene));
    assert_non_null(scene);
    scene->folder = support_folder();
    conformance_open(&scene->table, "apitrace-pictures.txt");
    while ((line = conformance_next(&scene->table)) != NULL)
        take_line(scene, line);
    end_scene(scene);
    assert_int_equal(scene->scenes, 12);
    assert_int_equal(scene->pictures, 13);
    conformance_close(&scene->table);
    support_remove(&scene->folder);
    free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scenes_as_the_specification_has_them),
    };

    return cmocka_run_group_tests_name("conformance_pictures", tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include "tests/formats/psx/view.h"

#include "base/memory.h"
#include "formats/psx/gpu/scanout.h"

#include "tests/support/support.h"
#include "tests/support/walk.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 256 };

const char *const psx_view_recordings[] = {
    "bezier480i",
    "cube",
    "gte",
    "hello",
    "hello-boot",
    "hello-bulk",
    "lines",
    "math",
    "nb-balls480i",
    "nb-billboard",
    "nb-fpscam",
    "nb-gte",
    "nb-gte-boot",
    "nb-hdtv480i",
    "nb-hello",
    "nb-render2tex",
    "nb-rgb24",
    "nb-rgb24-boot",
    "nb-tilesasm",
    "padtest",
    "proctex",
    "pt-bandwidth",
    "pt-clipping",
    "pt-clut-cache",
    "pt-gp0-e1",
    "pt-lines",
    "pt-mask-bit",
    "pt-quad",
    "pt-rectangles",
    "pt-texture-flip",
    "pt-texture-overflow",
    "pt-transparency",
    "pt-triangle",
    "pt-uv-interpolation",
    "pt-vram-to-vram-overlap",
    "raster-phase1",
    "raster-phase2",
    "raster-phase3",
    "raster-phase4",
    "raster-phase5",
    "raster-phase6",
    "raster-phase7",
    "raster-phase8",
    "raster-phase9",
    "raster-phase10",
    "raster-phase11",
    "raster-phase12",
    "raster-phase13",
    "raster-phase14",
    "raster-phase15",
    "raster-phase16",
    "raster-phase17",
    "raster-phase18",
    "raster-phase19",
    "raster-phase20",
    "raster-phase21",
    "raster-phase22",
    "redux-gpu",
    "teapot",
    "teapot-magic14",
    "tetris",
    "torus",
    "torus-load",
};
const size_t psx_view_recording_count = COUNT_OF(psx_view_recordings);

void psx_view_recording(const char *name, struct psx_build *out)
{
    char file[PATH_BYTES], *path;

    snprintf(file, sizeof(file), "psx/real/%s.psxgpu.zst", name);
    path = support_corpus(file);
    *out = (struct psx_build){0};
    out->bytes = support_read_zst(path, &out->size);
    out->room = out->size;
    free(path);
}

void psx_view_cases(void (*visit)(void *context, const char *name, const struct psx_build *build),
                    void *context)
{
    char *path = support_corpus("psx/INDEX.tsv"), name[64], file[PATH_BYTES];
    FILE *index = fopen(path, "r");
    unsigned cases = 0;

    free(path);
    assert_non_null(index);
    while (fscanf(index, "%63s%*[^\n]", name) == 1) {
        struct psx_build build = {0};

        if (name[0] == '#' || cases++ % support_stride() != 0)
            continue;
        snprintf(file, sizeof(file), "psx/%s/dump.psxgpu", name);
        path = support_corpus(file);
        build.bytes = support_read(path, &build.size);
        visit(context, name, &build);
        psx_build_free(&build);
        free(path);
    }
    fclose(index);
    assert_true(cases >= 375);
}

void psx_view_picture(const struct psx_opened *opened, const char *path, struct psx_picture *out)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    size_t size;
    char *bytes = walk_read(opened->tree, path, &size);

    assert_true(png_image_begin_read_from_memory(&image, bytes, size));
    image.format = PNG_FORMAT_RGBA;
    out->rgba = memory_take(PNG_IMAGE_SIZE(image)); /* memory is kept for the next one */
    assert_non_null(out->rgba);
    assert_true(png_image_finish_read(&image, NULL, out->rgba, 0, NULL));
    out->width = image.width;
    out->height = image.height;
    free(bytes);
}

void psx_view_free(struct psx_picture *picture)
{
    if (picture->rgba != NULL)
        memory_give(picture->rgba, (size_t)4 * picture->width * picture->height);
    picture->rgba = NULL;
}

uint32_t psx_view_pixel(const struct psx_picture *picture, unsigned x, unsigned y)
{
    const uint8_t *p = picture->rgba + 4 * ((size_t)y * picture->width + x);

    assert_true(x < picture->width && y < picture->height);
    return (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
}

uint32_t psx_view_rgb(uint16_t pixel)
{
    uint8_t rgb[3];

    psx_scanout_expand(&pixel, 1, rgb);
    return (uint32_t)rgb[0] << 16 | (uint32_t)rgb[1] << 8 | rgb[2];
}

const char *psx_view_path(unsigned frame, const char *format, ...)
{
    static char path[PATH_BYTES];
    int length = snprintf(path, sizeof(path), "by-frame/%06u/", frame);
    va_list list;

    va_start(list, format);
    vsnprintf(path + length, sizeof(path) - (size_t)length, format, list);
    va_end(list);
    return path;
}

/* Returns the start of line `row`, or NULL if there are not that many lines. */
static const char *line_of(const char *text, unsigned row)
{
    while (row-- > 0 && text != NULL) {
        text = strchr(text, '\n');
        text = text != NULL ? text + 1 : NULL;
    }
    return text != NULL && *text != '\0' ? text : NULL;
}

/* Moves *line to its field of that number. Returns the field's length. */
static size_t field_of(const char **line, unsigned number)
{
    while (number-- > 0)
        *line += strcspn(*line, "\t\n") + 1;
    return strcspn(*line, "\t\n");
}

const char *psx_view_cell(const char *table, unsigned row, const char *column)
{
    static char value[1024];
    const char *line = line_of(table, row + 1);
    unsigned number = 0;

    if (line == NULL)
        return NULL;
    for (const char *name = table;; name += strcspn(name, "\t\n") + 1, number++) {
        size_t length = strcspn(name, "\t\n");

        assert_true(length > 0);
        if (length == strlen(column) && memcmp(name, column, length) == 0)
            break;
        assert_int_equal(name[length], '\t');
    }

    size_t length = field_of(&line, number);

    assert_true(length < sizeof(value));
    memcpy(value, line, length);
    value[length] = '\0';
    return value;
}

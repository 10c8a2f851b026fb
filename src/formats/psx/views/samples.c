/* SPDX-License-Identifier: MIT */
/* What draws sample, read from rows of draws.tsv. The textures of two dumps are compared by it. */
#include "formats/psx/views/views.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { U_MAX = 255, V_MAX = 255, NAME_ROOM = 64 };

/* The cells that are read, in the order of `cells` below. */
enum { PAGE, CLUT, DEPTH, WINDOW, UV, SIZE };

static uint32_t min_of(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t max_of(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* Gets the smallest area that contains all of U,V/U,V/... Returns false if there are none. */
static bool read_coordinates(const char *cell, struct dump_area *area)
{
    uint32_t u, v;
    int length;

    *area = (struct dump_area){.x0 = U_MAX, .y0 = V_MAX};
    while (sscanf(cell, "%" SCNu32 ",%" SCNu32 "%n", &u, &v, &length) == 2) {
        area->x0 = min_of(area->x0, u);
        area->y0 = min_of(area->y0, v);
        area->x1 = max_of(area->x1, u);
        area->y1 = max_of(area->y1, v);
        cell += length + (cell[length] == '/');
    }
    return area->x0 <= area->x1;
}

/* Extends the area of a rectangle, which has only one vertex, by its size. */
static void add_size(const char *cell, struct dump_area *area)
{
    uint32_t width, height;

    if (sscanf(cell, "%" SCNu32 ",%" SCNu32, &width, &height) != 2)
        return;
    area->x1 = area->x0 + width - (width > 0);
    area->y1 = area->y0 + height - (height > 0);
}

/* A texture window folds coordinates, so that any texel may be sampled. */
static bool samples(const char *const *cells, const char *texture, struct dump_area *area)
{
    char name[NAME_ROOM];

    snprintf(name, sizeof(name), "%s-%s-%s", cells[PAGE], cells[CLUT], cells[DEPTH]);
    if (strcmp(name, texture) != 0 || !read_coordinates(cells[UV], area))
        return false;
    add_size(cells[SIZE], area);
    area->x1 = min_of(area->x1, U_MAX);
    area->y1 = min_of(area->y1, V_MAX);
    if (strcmp(cells[WINDOW], "0,0,0,0") != 0)
        *area = (struct dump_area){.x1 = U_MAX, .y1 = V_MAX};
    return true;
}

const struct dump_samples psx_compared_samples = {.catalog = "textures.tsv",
                                                  .identity = "identity",
                                                  .frame = "frame",
                                                  .textures = "textures.tsv",
                                                  .texture = "texture",
                                                  .area = "uv",
                                                  .folder = "textures",
                                                  .draws = "draws.tsv",
                                                  .command = "command",
                                                  .cells = {[PAGE] = "page",
                                                            [CLUT] = "clut",
                                                            [DEPTH] = "depth",
                                                            [WINDOW] = "window",
                                                            [UV] = "uv",
                                                            [SIZE] = "size"},
                                                  .samples = samples};

/*
 * overdraw.png: how often a frame wrote each pixel of VRAM, as colours, with their
 * meaning in a strip below; last-writer.bin: by which of its commands last.
 */
#include "formats/psx/inside/inside.h"
#include "formats/psx/inside/paint.h"
#include "formats/psx/inside/watch.h"

#include <stdlib.h>
#include <string.h>

/* From `least` writes on, up to the next row. The colours grow warmer, and never darker. */
static const struct heat {
    uint16_t least;
    uint8_t rgb[3];
    const char *label;
} heats[] = {
    {0, {0, 0, 0}, "0"},
    {1, {30, 40, 150}, "1"},
    {2, {20, 100, 200}, "2"},
    {3, {0, 150, 170}, "3"},
    {4, {0, 165, 80}, "4"},
    {5, {90, 185, 20}, "5"},
    {6, {170, 195, 0}, "6"},
    {7, {225, 190, 0}, "7"},
    {8, {250, 150, 0}, "8"},
    {9, {250, 95, 0}, "9-12"},
    {13, {240, 40, 20}, "13-16"},
    {17, {240, 50, 130}, "17-32"},
    {33, {235, 110, 230}, "33-64"},
    {65, {255, 255, 255}, "65+"},
};

enum {
    HEATS = sizeof(heats) / sizeof(heats[0]),
    LEGEND_LINES = 16,
    LEGEND_STEP = 72, /* columns of one colour and its label */
    SWATCH = 16,
    GLYPH_WIDTH = 3,
    GLYPH_HEIGHT = 5,
    GLYPH_SCALE = 2,
};

/* Digits, minus and plus, a bit a pixel, rows from the top, three bits each. */
static const uint16_t glyphs[] = {
    ['0'] = 075557, ['1'] = 026227, ['2'] = 071747, ['3'] = 071717, ['4'] = 055711, ['5'] = 074717,
    ['6'] = 074757, ['7'] = 071111, ['8'] = 075757, ['9'] = 075717, ['-'] = 000700, ['+'] = 002720,
};

static const struct heat *heat_of(unsigned times)
{
    unsigned i = HEATS - 1;

    while (times < heats[i].least)
        i--;
    return &heats[i];
}

static bool glyph_covers(char c, int x, int y)
{
    return x >= 0 && x < GLYPH_WIDTH && y >= 0 && y < GLYPH_HEIGHT &&
           (glyphs[(unsigned char)c] >>
                (GLYPH_WIDTH * (GLYPH_HEIGHT - 1 - y) + GLYPH_WIDTH - 1 - x) &
            1);
}

static bool label_covers(const char *label, int x, int y)
{
    int advance = (GLYPH_WIDTH + 1) * GLYPH_SCALE;

    if (x < 0 || y < 0 || (size_t)(x / advance) >= strlen(label))
        return false;
    return glyph_covers(label[x / advance], x % advance / GLYPH_SCALE, y / GLYPH_SCALE);
}

static void legend_row(uint32_t y, uint8_t *rgb)
{
    memset(rgb, 64, 3 * (size_t)PSX_VRAM_WIDTH);
    for (int x = 0; x < HEATS * LEGEND_STEP; x++) {
        const struct heat *heat = &heats[x / LEGEND_STEP];
        int column = x % LEGEND_STEP;

        if (column < SWATCH)
            memcpy(rgb + 3 * (size_t)x, heat->rgb, 3);
        else if (label_covers(heat->label, column - SWATCH - 4, (int)y - 3))
            memset(rgb + 3 * (size_t)x, 255, 3);
    }
}

struct map {
    const uint16_t *times;
    uint32_t lines;
};

static void map_row(const void *context, uint32_t y, uint8_t *rgb)
{
    const struct map *map = context;

    if (y >= map->lines) {
        legend_row(y - map->lines, rgb);
        return;
    }
    for (uint32_t x = 0; x < PSX_VRAM_WIDTH; x++)
        memcpy(rgb + 3 * (size_t)x, heat_of(map->times[y * PSX_VRAM_WIDTH + x])->rgb, 3);
}

static int overdraw_header(struct dump *dump, uint64_t frame, struct dump_picture *out)
{
    return dump_picture_init(dump, frame, PSX_VRAM_WIDTH,
                             psx_dump_of(dump)->index.vram_lines + LEGEND_LINES, PICTURE_RGB, 0,
                             out);
}

int psx_overdraw_size(struct dump *dump, uint64_t frame, uint64_t *size)
{
    struct dump_picture picture;
    int status = overdraw_header(dump, frame, &picture);

    return status == 0 ? dump_picture_size(dump, &picture, size) : status;
}

int psx_overdraw_make(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                      struct blob **out)
{
    struct psx_dump *psx = psx_dump_of(dump);
    const struct psx_frame_counts *counts;
    struct watched watched = {0};
    struct dump_picture picture;
    int status = psx_inside_wait(dump, frame, cancel, &counts);

    if (status == 0)
        status = overdraw_header(dump, frame, &picture);
    if (status == 0)
        status = watch_frame(psx, frame, cancel, &watched);
    if (status == 0) {
        struct map map = {watched.trail.times, psx->index.vram_lines};

        status = paint(psx, &picture.header, map_row, &map, out);
    }
    watched_clear(&watched);
    return status;
}

static void store(int32_t number, uint8_t *bytes)
{
    for (unsigned i = 0; i < 4; i++)
        bytes[i] = (uint8_t)((uint32_t)number >> 8 * i);
}

int psx_last_writer_size(struct dump *dump, uint64_t frame, uint64_t *size)
{
    (void)frame;
    *size = sizeof(int32_t) * (uint64_t)PSX_VRAM_WIDTH * psx_dump_of(dump)->index.vram_lines;
    return 0;
}

int psx_last_writer_make(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                         struct blob **out)
{
    struct psx_dump *psx = psx_dump_of(dump);
    const struct psx_frame_counts *counts;
    struct watched watched = {0};
    size_t pixels = (size_t)PSX_VRAM_WIDTH * psx->index.vram_lines;
    int status = psx_inside_wait(dump, frame, cancel, &counts);

    if (status == 0)
        status = watch_frame(psx, frame, cancel, &watched);
    if (status == 0)
        status = blob_create(sizeof(int32_t) * pixels, out);
    for (size_t i = 0; status == 0 && i < pixels; i++)
        store(watched.trail.last[i], (*out)->data + sizeof(int32_t) * i);
    watched_clear(&watched);
    return status;
}

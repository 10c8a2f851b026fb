/* SPDX-License-Identifier: MIT */
/*
 * overdraw.png: how often a frame wrote each pixel of VRAM, as colours, with their
 * meaning in a strip below; last-writer.bin: by which of its commands last.
 */
#include "formats/psx/frame/frame.h"
#include "formats/psx/views/views.h"
#include "image/canvas.h"

#include <stdlib.h>
#include <string.h>

/* From `min` writes on, up to the next row. The colours grow warmer, and never darker. */
static const struct heat {
    uint16_t min;
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
    LEGEND_START = 94, /* the first colour's column; before it the title */
    LEGEND_STEP = 66,  /* columns of one colour and its label */
    LEGEND_TEXT = 4,   /* the texts' first line */
    SWATCH = 16,
    /* Colours of the legend besides those of heat. */
    PAPER = HEATS,
    INK,
};

static const struct heat *heat_of(unsigned times)
{
    unsigned i = HEATS - 1;

    while (times < heats[i].min)
        i--;
    return &heats[i];
}

static void write_text(struct canvas *legend, int64_t x, const char *text)
{
    font_draw(legend, x, LEGEND_TEXT, PSX_VRAM_WIDTH, text, strlen(text), INK);
}

static int draw_legend(struct canvas *legend)
{
    int status = canvas_init(legend, PSX_VRAM_WIDTH, LEGEND_LINES, PAPER);

    if (status != 0)
        return status;
    write_text(legend, SWATCH / 2, "writes a pixel");
    for (unsigned i = 0; i < HEATS; i++) {
        int64_t x = LEGEND_START + (int64_t)i * LEGEND_STEP;

        canvas_fill(legend, x, 0, SWATCH, LEGEND_LINES, (uint8_t)i);
        write_text(legend, x + SWATCH + 4, heats[i].label);
    }
    return 0;
}

static const uint8_t *legend_colour(uint8_t colour)
{
    static const uint8_t paper[3] = {64, 64, 64}, ink[3] = {255, 255, 255};

    if (colour < HEATS)
        return heats[colour].rgb;
    return colour == INK ? ink : paper;
}

struct map {
    const uint16_t *times;
    uint32_t lines;
    struct canvas legend;
};

static void map_row(const void *context, uint32_t y, uint8_t *rgb)
{
    const struct map *map = context;

    for (uint32_t x = 0; x < PSX_VRAM_WIDTH; x++)
        memcpy(rgb + 3 * (size_t)x,
               y < map->lines
                   ? heat_of(map->times[y * PSX_VRAM_WIDTH + x])->rgb
                   : legend_colour(map->legend.pixels[(y - map->lines) * PSX_VRAM_WIDTH + x]),
               3);
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
    struct map map = {.lines = psx->index.vram_lines};
    struct frame_trace trace = {0};
    struct dump_picture picture;
    int status = psx_frame_counts_wait(dump, frame, cancel, &counts);

    if (status == 0)
        status = overdraw_header(dump, frame, &picture);
    if (status == 0)
        status = psx_frame_trace_make(psx, frame, cancel, &trace);
    if (status == 0)
        status = draw_legend(&map.legend);
    if (status == 0) {
        map.times = trace.write_log.times;
        status = psx_paint(psx, &picture.header, map_row, &map, cancel, out);
    }
    canvas_clear(&map.legend);
    psx_frame_trace_clear(&trace);
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
    struct frame_trace trace = {0};
    size_t pixels = (size_t)PSX_VRAM_WIDTH * psx->index.vram_lines;
    int status = psx_frame_counts_wait(dump, frame, cancel, &counts);

    if (status == 0)
        status = psx_frame_trace_make(psx, frame, cancel, &trace);
    if (status == 0)
        status = blob_create(sizeof(int32_t) * pixels, out);
    for (size_t i = 0; status == 0 && i < pixels; i++)
        store(trace.write_log.last[i], (*out)->data + sizeof(int32_t) * i);
    psx_frame_trace_clear(&trace);
    return status;
}

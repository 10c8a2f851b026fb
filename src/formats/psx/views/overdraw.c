/* SPDX-License-Identifier: MIT */
/*
 * overdraw.png: how often a frame wrote each pixel of VRAM, and cost.png: how long the draw
 * took that wrote it last, as colours, with their meaning in a strip below; last-writer.bin:
 * by which of its commands last.
 */
#include "formats/psx/frame/frame.h"
#include "formats/psx/frame/frame_cost.h"
#include "formats/psx/views/views.h"
#include "image/canvas.h"

#include <stdlib.h>
#include <string.h>

/* From `min` on, up to the next row. The colours grow warmer, and never darker. */
struct heat {
    uint16_t min;
    uint8_t rgb[3];
    const char *label;
};

enum { HEATS = 14 };

struct scale {
    const char *title;
    struct heat heats[HEATS];
};

static const struct scale writes = {
    "writes a pixel",
    {
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
    },
};

/* What wrote a pixel: nothing; an upload, or a command of an earlier frame; a draw of this one. */
enum { NOTHING, NO_DRAW, DRAWN };

/* In 1/100 % of the time that the display takes for a frame, from DRAWN on. */
static const struct scale shares = {
    "% of a frame",
    {
        {NOTHING, {0, 0, 0}, "none"},
        {NO_DRAW, {45, 45, 45}, "others"},
        {DRAWN, {30, 40, 150}, "<.02"},
        {DRAWN + 2, {20, 100, 200}, ".02"},
        {DRAWN + 5, {0, 150, 170}, ".05"},
        {DRAWN + 10, {0, 165, 80}, ".1"},
        {DRAWN + 20, {90, 185, 20}, ".2"},
        {DRAWN + 50, {170, 195, 0}, ".5"},
        {DRAWN + 100, {225, 190, 0}, "1"},
        {DRAWN + 200, {250, 150, 0}, "2"},
        {DRAWN + 500, {240, 40, 20}, "5"},
        {DRAWN + 1000, {240, 50, 130}, "10"},
        {DRAWN + 2000, {235, 110, 230}, "20"},
        {DRAWN + 5000, {255, 255, 255}, "50+"},
    },
};

enum {
    LEGEND_LINES = 16,
    LEGEND_START = 94, /* the first colour's column; before it the title */
    LEGEND_STEP = 66,  /* columns of one colour and its label */
    LEGEND_TEXT = 4,   /* the texts' first line */
    SWATCH = 16,
    /* Colours of the legend besides those of heat. */
    PAPER = HEATS,
    INK,
};

static const struct heat *heat_of(const struct scale *scale, unsigned value)
{
    unsigned i = HEATS - 1;

    while (value < scale->heats[i].min)
        i--;
    return &scale->heats[i];
}

static void write_text(struct canvas *legend, int64_t x, const char *text)
{
    font_draw(legend, x, LEGEND_TEXT, PSX_VRAM_WIDTH, text, strlen(text), INK);
}

static int draw_legend(const struct scale *scale, struct canvas *legend)
{
    int status = canvas_init(legend, PSX_VRAM_WIDTH, LEGEND_LINES, PAPER);

    if (status != 0)
        return status;
    write_text(legend, SWATCH / 2, scale->title);
    for (unsigned i = 0; i < HEATS; i++) {
        int64_t x = LEGEND_START + (int64_t)i * LEGEND_STEP;

        canvas_fill(legend, x, 0, SWATCH, LEGEND_LINES, (uint8_t)i);
        write_text(legend, x + SWATCH + 4, scale->heats[i].label);
    }
    return 0;
}

static const uint8_t *legend_colour(const struct scale *scale, uint8_t colour)
{
    static const uint8_t paper[3] = {64, 64, 64}, ink[3] = {255, 255, 255};

    if (colour < HEATS)
        return scale->heats[colour].rgb;
    return colour == INK ? ink : paper;
}

struct map {
    const struct scale *scale;
    const struct write_log *log;
    const struct blob *cycles; /* by draw; NULL: writes are shown */
    uint32_t period;           /* of the display, in cycles */
    uint32_t lines;
    struct canvas legend;
};

static unsigned value_at(const struct map *map, size_t pixel)
{
    int32_t writer = map->log->last[pixel];
    uint64_t share;

    if (map->cycles == NULL)
        return map->log->times[pixel];
    if (writer < 0)
        return writer == WRITE_LOG_NOBODY ? NOTHING : NO_DRAW;
    share = UINT64_C(10000) * psx_frame_cost_of(map->cycles, (uint64_t)writer) / map->period;
    return share < 10000 ? DRAWN + (unsigned)share : DRAWN + 10000;
}

static void map_row(const void *context, uint32_t y, uint8_t *rgb)
{
    const struct map *map = context;

    for (uint32_t x = 0; x < PSX_VRAM_WIDTH; x++)
        memcpy(rgb + 3 * (size_t)x,
               y < map->lines
                   ? heat_of(map->scale, value_at(map, (size_t)y * PSX_VRAM_WIDTH + x))->rgb
                   : legend_colour(map->scale,
                                   map->legend.pixels[(y - map->lines) * PSX_VRAM_WIDTH + x]),
               3);
}

static int map_header(struct dump *dump, uint64_t frame, struct dump_picture *out)
{
    return dump_picture_init(dump, frame, PSX_VRAM_WIDTH,
                             psx_dump_of(dump)->index.vram_lines + LEGEND_LINES, PICTURE_RGB, 0,
                             out);
}

int psx_overdraw_size(struct dump *dump, uint64_t frame, uint64_t *size)
{
    struct dump_picture picture;
    int status = map_header(dump, frame, &picture);

    return status == 0 ? dump_picture_size(dump, &picture, size) : status;
}

/* The frame's counts are known. */
static int paint_map(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                     struct map *map, struct blob **out)
{
    struct psx_dump *psx = psx_dump_of(dump);
    struct frame_trace trace = {0};
    struct dump_picture picture;
    int status = map_header(dump, frame, &picture);

    if (status == 0)
        status = psx_frame_trace_make(psx, frame, cancel, &trace);
    if (status == 0)
        status = draw_legend(map->scale, &map->legend);
    if (status == 0) {
        map->lines = psx->index.vram_lines;
        map->log = &trace.write_log;
        status = psx_paint(psx, &picture.header, map_row, map, cancel, out);
    }
    canvas_clear(&map->legend);
    psx_frame_trace_clear(&trace);
    return status;
}

int psx_overdraw_make(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                      struct blob **out)
{
    const struct psx_frame_counts *counts;
    struct map map = {.scale = &writes};
    int status = psx_frame_counts_wait(dump, frame, cancel, &counts);

    return status == 0 ? paint_map(dump, frame, cancel, &map, out) : status;
}

int psx_cost_make(struct dump *dump, uint64_t frame, const struct cancel *cancel, struct blob **out)
{
    struct psx_dump *psx = psx_dump_of(dump);
    const struct psx_frame_counts *counts;
    struct blob *cycles = NULL;
    struct map map = {.scale = &shares};
    int status = psx_frame_counts_wait(dump, frame, cancel, &counts);

    if (status == 0)
        status = psx_frame_cost_draws(psx, frame, cancel, &cycles);
    if (status == 0) {
        map.cycles = cycles;
        map.period = psx_frame_cost_period(psx, frame);
        status = paint_map(dump, frame, cancel, &map, out);
    }
    blob_unref(&cycles);
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

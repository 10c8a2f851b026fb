/* SPDX-License-Identifier: MIT */
/*
 * overdraw.png: how often a frame wrote each pixel of VRAM. cost.png: how long the draw that wrote
 * it last took. Both as colours, with a legend in a strip below. last-writer.bin: the command of
 * the frame that wrote it last.
 */
#include "formats/psx/frame/frame.h"

#include "base/bytes.h"
#include "formats/psx/frame/frame_cost.h"
#include "formats/psx/views/views.h"
#include "image/heat.h"

#include <stdlib.h>
#include <string.h>

/* What wrote a pixel: nothing; an upload or a command of an earlier frame; a draw of this frame. */
enum { NOTHING, NO_DRAW, DRAWN };

/* In 1/100 % of the time for which the display shows the frame, from DRAWN on. */
static const struct heat_scale shares = {
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

struct map {
    const struct heat_scale *scale;
    const struct psx_write_log *log;
    const struct blob *cycles; /* by draw; NULL: the numbers of writes are shown */
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
                   ? heat_colour(map->scale, value_at(map, (size_t)y * PSX_VRAM_WIDTH + x))
                   : heat_legend_colour(map->scale,
                                        map->legend.pixels[(y - map->lines) * PSX_VRAM_WIDTH + x]),
               3);
}

static int map_header(struct dump *dump, uint64_t frame, struct dump_picture *out)
{
    return dump_picture_init(dump, frame, PSX_VRAM_WIDTH,
                             psx_dump_of(dump)->index.vram_lines +
                                 heat_legend_lines(PSX_VRAM_WIDTH),
                             PICTURE_RGB, 0, out);
}

int psx_overdraw_size(struct dump *dump, uint64_t frame, uint64_t *size)
{
    struct dump_picture picture;
    int status = map_header(dump, frame, &picture);

    return status == 0 ? dump_picture_size(dump, &picture, size) : status;
}

/* The frame's counts must be known. */
static int paint_map(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                     struct map *map, struct blob **out)
{
    struct psx_dump *psx = psx_dump_of(dump);
    struct psx_frame_trace trace = {0};
    struct dump_picture picture;
    int status = map_header(dump, frame, &picture);

    if (status == 0)
        status = psx_frame_trace_make(psx, frame, cancel, &trace);
    if (status == 0)
        status = heat_legend_init(map->scale, PSX_VRAM_WIDTH, &map->legend);
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
    struct map map = {.scale = &heat_writes};
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
    struct psx_frame_trace trace = {0};
    size_t pixels = (size_t)PSX_VRAM_WIDTH * psx->index.vram_lines;
    int status = psx_frame_counts_wait(dump, frame, cancel, &counts);

    if (status == 0)
        status = psx_frame_trace_make(psx, frame, cancel, &trace);
    if (status == 0)
        status = blob_create(sizeof(int32_t) * pixels, out);
    for (size_t i = 0; status == 0 && i < pixels; i++)
        bytes_put_le32((*out)->data + sizeof(int32_t) * i, (uint32_t)trace.write_log.last[i]);
    psx_frame_trace_clear(&trace);
    return status;
}

/* SPDX-License-Identifier: MIT */
/*
 * Lines: one pixel for each step along the longer side. The other coordinate follows from a running
 * remainder, which decides ties as psx-gpu.md 10 does, without a division.
 */

#include "formats/psx/gpu/pixel.h"
#include "formats/psx/gpu/raster.h"

#include <stdlib.h>

/* A coordinate that moves by a distance in `steps` steps, rounded to whole pixels. */
struct line_axis {
    int value, step;
    int remainder, add, limit, whole;
};

/*
 * Begins an axis. The coordinate moves on when remainder / (2 * steps) has reached one half; with
 * `strict` only beyond one half, so that it stays where it is in a tie.
 */
static struct line_axis axis_begin(int from, int to, int steps, bool strict)
{
    return (struct line_axis){
        .value = from,
        .step = to < from ? -1 : 1,
        .add = 2 * abs(to - from),
        .limit = steps + strict,
        .whole = 2 * steps,
    };
}

static void axis_advance(struct line_axis *axis)
{
    axis->remainder += axis->add;
    if (axis->remainder >= axis->limit) {
        axis->remainder -= axis->whole;
        axis->value += axis->step;
    }
}

/* A colour channel between one end and the other. */
struct line_channel {
    int32_t value, step;
};

static struct line_channel channel_begin(uint32_t from, uint32_t to, int steps)
{
    struct line_channel channel = {(int32_t)(from << RASTER_FRACTION) + 2048, 0};

    if (steps > 0)
        channel.step = ((int)to - (int)from) * (1 << RASTER_FRACTION) / steps;
    return channel;
}

struct line_pen {
    struct psx_area area;
    unsigned blend;
    bool dither, check;
    int skipped_parity;
    int line_mask; /* the bits of a line's number that its address has */
    uint16_t set;
};

static void put_pixel(struct psx_gpu *gpu, const struct line_pen *pen, int x, int y,
                      const struct line_channel channel[3])
{
    if (x < pen->area.x0 || x > pen->area.x1 || y < pen->area.y0 || y > pen->area.y1 ||
        (y & 1) == pen->skipped_parity)
        return;

    uint16_t *pixel = &gpu->vram[(y & pen->line_mask) * PSX_VRAM_WIDTH + x];

    gpu->pixels++;
    if (gpu->observer != NULL)
        psx_observe_run(gpu, pixel, 1, pen->check, pen->blend != RASTER_OPAQUE);
    if (pen->check && (*pixel & PIXEL_MASK))
        return;

    const uint8_t *clamp = psx_pixel_clamp + PIXEL_CLAMP_BIAS;

    if (pen->dither)
        clamp += psx_pixel_dither[y & 3][x & 3];

    uint32_t colour = pixel_pack(clamp[channel[0].value >> RASTER_FRACTION],
                                 clamp[channel[1].value >> RASTER_FRACTION],
                                 clamp[channel[2].value >> RASTER_FRACTION]);

    if (pen->blend != RASTER_OPAQUE)
        colour = pixel_blend(*pixel & 0x7FFF, colour, pen->blend);
    *pixel = (uint16_t)(colour | pen->set);
}

static struct line_pen pen_begin(const struct psx_gpu *gpu, const struct psx_draw *draw)
{
    uint32_t mask = gpu->state.registers.e[6];

    return (struct line_pen){
        .area = psx_registers_clip(&gpu->state.registers),
        .blend = draw->semi ? draw->blend : RASTER_OPAQUE,
        .dither = draw->dither,
        .check = mask & 2,
        .skipped_parity = psx_raster_skipped_parity(gpu),
        .line_mask = (int)psx_display_lines(&gpu->state.registers.display) - 1,
        .set = mask & 1 ? PIXEL_MASK : 0,
    };
}

void psx_raster_line(struct psx_gpu *gpu, const struct psx_draw *draw)
{
    struct psx_box box;

    if (psx_draw_box(draw, &gpu->state.registers, &box) != PSX_CULL_NO)
        return;

    /* From left to right; a vertical line keeps the order in which it was sent (psx-gpu.md 10). */
    bool swap = draw->vertex[0].x > draw->vertex[1].x;
    const struct psx_vertex *from = &draw->vertex[swap];
    const struct psx_vertex *to = &draw->vertex[!swap];
    int dx = to->x - from->x;
    int dy = to->y - from->y;
    int steps = dx > abs(dy) ? dx : abs(dy);
    int offset_x, offset_y;

    psx_registers_offset(&gpu->state.registers, &offset_x, &offset_y);
    offset_x += psx_wrap_shift(from->x + offset_x);
    offset_y += psx_wrap_shift((dy < 0 ? to->y : from->y) + offset_y);

    struct line_pen pen = pen_begin(gpu, draw);
    struct line_axis x = axis_begin(from->x + offset_x, to->x + offset_x, steps, true);
    struct line_axis y = axis_begin(from->y + offset_y, to->y + offset_y, steps, false);
    struct line_channel channel[3];

    for (unsigned i = 0; i < 3; i++)
        channel[i] = channel_begin(from->colour >> 8 * i & 0xFF, to->colour >> 8 * i & 0xFF, steps);

    for (int i = 0;; i++) {
        put_pixel(gpu, &pen, x.value, y.value, channel);
        if (i == steps)
            break;
        axis_advance(&x);
        axis_advance(&y);
        for (unsigned c = 0; c < 3; c++)
            channel[c].value += channel[c].step;
    }
}

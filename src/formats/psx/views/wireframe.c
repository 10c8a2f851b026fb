/* SPDX-License-Identifier: MIT */
/*
 * wireframe.png: VRAM at the frame's end, dimmed, with the outlines of everything that the frame
 * drew, clipped to the drawing area. Colours distinguish kinds of commands.
 */
#include "formats/psx/frame/frame.h"
#include "formats/psx/replay/replay.h"
#include "formats/psx/views/views.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const uint8_t colours[][3] = {
    [GP0_POLYGON] = {255, 220, 0},   [GP0_LINE] = {255, 255, 255}, [GP0_POLYLINE] = {255, 255, 255},
    [GP0_RECTANGLE] = {0, 230, 255}, [GP0_FILL] = {90, 120, 255},  [GP0_COPY] = {255, 0, 255},
    [GP0_UPLOAD] = {255, 60, 40},
};
static const uint8_t textured_polygon[3] = {60, 255, 60};

struct wire_canvas {
    uint8_t *rgb;
    int lines;
};

struct pen {
    const struct wire_canvas *canvas;
    struct psx_area area;
    const uint8_t *colour;
    int line_mask; /* the bits of a line number that are addressed */
};

static void put(const struct pen *pen, int x, int y)
{
    if (x < pen->area.x0 || x > pen->area.x1 || y < pen->area.y0 || y > pen->area.y1)
        return;
    x &= PSX_VRAM_WIDTH - 1;
    y &= pen->line_mask;
    if (y >= pen->canvas->lines)
        return;
    memcpy(pen->canvas->rgb + 3 * ((size_t)y * PSX_VRAM_WIDTH + (size_t)x), pen->colour, 3);
}

/* The ends must be at most 2047 apart in each direction. */
static void draw_line(const struct pen *pen, int x0, int y0, int x1, int y1)
{
    int dx = x1 - x0, dy = y1 - y0;
    int steps = abs(dx) > abs(dy) ? abs(dx) : abs(dy);

    for (int i = 0; i <= steps; i++)
        put(pen, steps == 0 ? x0 : x0 + (2 * dx * i + (dx < 0 ? -steps : steps)) / (2 * steps),
            steps == 0 ? y0 : y0 + (2 * dy * i + (dy < 0 ? -steps : steps)) / (2 * steps));
}

static void draw_box(const struct pen *pen, int x, int y, int width, int height)
{
    int x1 = x + width - 1, y1 = y + height - 1;

    draw_line(pen, x, y, x1, y);
    draw_line(pen, x, y1, x1, y1);
    draw_line(pen, x, y, x, y1);
    draw_line(pen, x1, y, x1, y1);
}

/* Where coordinates wrap, a triangle or segment moves as a unit (draw.h). */
static void draw_edges(const struct pen *pen, const struct psx_vertex *v, unsigned count,
                       const struct psx_registers *registers)
{
    int offset_x, offset_y, left = v[0].x, top = v[0].y;

    psx_registers_offset(registers, &offset_x, &offset_y);
    for (unsigned i = 1; i < count; i++) {
        left = v[i].x < left ? v[i].x : left;
        top = v[i].y < top ? v[i].y : top;
    }
    offset_x += psx_wrap_shift(left + offset_x);
    offset_y += psx_wrap_shift(top + offset_y);
    for (unsigned i = 0; i < count; i++) {
        const struct psx_vertex *from = &v[i], *to = &v[(i + 1) % count];

        if (!psx_span_too_large(to->x - from->x, to->y - from->y))
            draw_line(pen, from->x + offset_x, from->y + offset_y, to->x + offset_x,
                      to->y + offset_y);
    }
}

static void outline(const struct wire_canvas *canvas, const struct psx_draw *draw,
                    const struct psx_registers *registers)
{
    struct pen pen = {canvas, psx_registers_clip(registers), colours[draw->kind],
                      (int)psx_display_lines(&registers->display) - 1};
    struct psx_box box;
    int x, y;

    if (psx_draw_box(draw, registers, &box) != PSX_CULL_NO)
        return;
    switch (draw->kind) {
    case GP0_POLYGON:
        if (draw->textured)
            pen.colour = textured_polygon;
        draw_edges(&pen, draw->vertex, 3, registers);
        if (draw->vertex_count == 4)
            draw_edges(&pen, draw->vertex + 1, 3, registers);
        break;
    case GP0_LINE:
    case GP0_POLYLINE:
        draw_edges(&pen, draw->vertex, 2, registers);
        break;
    case GP0_RECTANGLE:
        psx_draw_origin(draw, registers, &x, &y);
        draw_box(&pen, x, y, (int)draw->width, (int)draw->height);
        break;
    default:
        pen.area = (struct psx_area){0, 0, 2 * PSX_VRAM_WIDTH, 2 * canvas->lines};
        draw_box(&pen, box.x, box.y, box.width, box.height);
        break;
    }
}

static bool is_drawn(enum psx_gp0_kind kind)
{
    return psx_kind_draws(kind) || kind == GP0_UPLOAD;
}

/* Outlines the commands that take effect within the frame. */
static int outline_frame(const struct psx_index *index, uint64_t frame, const struct cancel *cancel,
                         const struct wire_canvas *canvas)
{
    struct psx_parser_state checkpoint;
    struct psx_draw draw = {0};
    struct psx_walk walk;
    struct psx_step step;
    unsigned steps = 0;

    psx_index_frame_checkpoint(index, frame, &checkpoint);
    psx_walk_resume(&walk, index, &checkpoint);
    while (walk.at.packet < index->frames[frame + 1].packet && psx_walk_next(&walk, &step)) {
        const struct psx_registers *registers = &walk.at.state.registers;

        if (step.kind == PSX_STEP_GP0 && step.event.type == GP0_EVENT_COMMAND &&
            is_drawn(psx_gp0_table[step.event.op].kind)) {
            psx_draw_decode(&step.event, registers, &draw);
            outline(canvas, &draw, registers);
        } else if (step.kind == PSX_STEP_GP0 && step.event.type == GP0_EVENT_SEGMENT &&
                   draw.kind == GP0_POLYLINE) {
            psx_draw_next_segment(&step.event, &draw);
            outline(canvas, &draw, registers);
        }
        psx_walk_apply(&walk, &step);
        if (psx_walk_cancelled(&steps, cancel))
            return -EINTR;
    }
    return 0;
}

static int dim_frame(struct psx_dump *dump, uint64_t frame, const struct cancel *cancel,
                     const struct wire_canvas *canvas)
{
    struct psx_gpu_instance *instance = NULL;
    struct psx_vram_request request;
    int status;

    psx_vram_request_frame(&dump->index, frame, true, &request);
    status = psx_replay_take(dump, &request, cancel, &instance);
    if (status != 0)
        return status;

    const uint16_t lines = (uint16_t)instance->gpu->lines;
    struct psx_paint_area area = {
        instance->gpu->vram, {lines, lines}, {0, 0, PSX_VRAM_WIDTH, canvas->lines}};

    for (int y = 0; y < canvas->lines; y++) {
        uint8_t *row = canvas->rgb + 3 * (size_t)y * PSX_VRAM_WIDTH;

        psx_paint_area_row(&area, (uint32_t)y, row);
        psx_paint_dim(row, PSX_VRAM_WIDTH);
    }
    psx_replay_give(dump, &instance);
    return 0;
}

static void canvas_row(const void *context, uint32_t y, uint8_t *rgb)
{
    const struct wire_canvas *canvas = context;

    memcpy(rgb, canvas->rgb + 3 * (size_t)y * PSX_VRAM_WIDTH, 3 * (size_t)PSX_VRAM_WIDTH);
}

static int wireframe_header(struct dump *dump, uint64_t frame, struct dump_picture *out)
{
    return dump_picture_init(dump, frame, PSX_VRAM_WIDTH, psx_dump_of(dump)->index.vram_lines,
                             PICTURE_RGB, 0, out);
}

int psx_wireframe_size(struct dump *dump, uint64_t frame, uint64_t *size)
{
    struct dump_picture picture;
    int status = wireframe_header(dump, frame, &picture);

    return status == 0 ? dump_picture_size(dump, &picture, size) : status;
}

int psx_wireframe_make(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                       struct blob **out)
{
    struct psx_dump *psx = psx_dump_of(dump);
    const struct psx_frame_counts *counts;
    struct dump_picture picture;
    struct wire_canvas canvas = {.lines = (int)psx->index.vram_lines};
    int status = psx_frame_counts_wait(dump, frame, cancel, &counts);

    if (status == 0)
        status = wireframe_header(dump, frame, &picture);
    if (status != 0)
        return status;
    canvas.rgb = malloc(3 * (size_t)PSX_VRAM_WIDTH * (size_t)canvas.lines);
    if (canvas.rgb == NULL)
        return -ENOMEM;
    status = dim_frame(psx, frame, cancel, &canvas);
    if (status == 0)
        status = outline_frame(&psx->index, frame, cancel, &canvas);
    if (status == 0)
        status = psx_paint(psx, &picture.header, canvas_row, &canvas, cancel, out);
    free(canvas.rgb);
    return status;
}

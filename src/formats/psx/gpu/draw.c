/* SPDX-License-Identifier: MIT */
#include "formats/psx/gpu/draw.h"

#include <stddef.h>
#include <string.h>

static void decode_position(uint32_t word, struct psx_vertex *vertex)
{
    vertex->x = (int16_t)psx_sign11(word);
    vertex->y = (int16_t)psx_sign11(word >> 16);
}

static void decode_texel(uint32_t word, struct psx_vertex *vertex)
{
    vertex->u = (uint8_t)word;
    vertex->v = (uint8_t)(word >> 8);
}

/* Decodes a texture page, which has the same bits in E1 and in a polygon's attribute. */
static void decode_page(uint32_t page, const struct psx_registers *registers, struct psx_draw *draw)
{
    draw->blend = page >> 5 & 3;
    if (!draw->textured)
        return;
    draw->page = (uint8_t)psx_page_of(psx_registers_page_bits(registers, page));
    draw->depth = (uint8_t)psx_depth_of(page);
}

static void decode_polygon(const struct psx_gp0_event *event, const struct psx_registers *registers,
                           struct psx_draw *draw)
{
    const uint32_t *word = event->words, e1 = registers->e[1];
    uint32_t page = e1;

    draw->vertex_count = draw->op & GP0_QUAD ? 4 : 3;
    for (unsigned i = 0; i < draw->vertex_count; i++) {
        struct psx_vertex *vertex = &draw->vertex[i];

        vertex->colour = (i == 0 || draw->gouraud ? *word++ : event->words[0]) & 0xFFFFFF;
        decode_position(*word++, vertex);
        if (!draw->textured)
            continue;
        decode_texel(*word, vertex);
        if (i == 0)
            draw->clut = (uint16_t)(*word >> 16);
        else if (i == 1)
            page = *word >> 16;
        word++;
    }
    decode_page(page, registers, draw);
    draw->dither = (e1 >> 9 & 1) && !draw->raw && (draw->gouraud || draw->textured);
}

static void decode_line(const struct psx_gp0_event *event, const struct psx_registers *registers,
                        struct psx_draw *draw)
{
    const uint32_t *word = event->words;

    draw->vertex_count = 2;
    for (unsigned i = 0; i < 2; i++) {
        struct psx_vertex *vertex = &draw->vertex[i];

        vertex->colour = (i == 0 || draw->gouraud ? *word++ : event->words[0]) & 0xFFFFFF;
        decode_position(*word++, vertex);
    }
    decode_page(registers->e[1], registers, draw);
    draw->dither = registers->e[1] >> 9 & 1;
}

static void decode_rectangle(const struct psx_gp0_event *event,
                             const struct psx_registers *registers, struct psx_draw *draw)
{
    static const uint8_t sizes[4] = {0, 1, 8, 16};
    const uint32_t *word = event->words, e1 = registers->e[1];

    draw->vertex_count = 1;
    draw->vertex[0].colour = *word++ & 0xFFFFFF;
    decode_position(*word++, &draw->vertex[0]);
    if (draw->textured) {
        decode_texel(*word, &draw->vertex[0]);
        draw->clut = (uint16_t)(*word++ >> 16);
        draw->flip_x = e1 >> 12 & 1;
        draw->flip_y = e1 >> 13 & 1;
    }
    draw->width = draw->height = sizes[draw->op >> 3 & 3];
    if (draw->width == 0) {
        draw->width = *word & 0x3FF;
        draw->height = *word >> 16 & 0x1FF;
    }
    decode_page(e1, registers, draw);
}

static uint32_t decode_line_number(uint32_t place, const struct psx_registers *registers)
{
    return place >> 16 & (psx_display_lines(&registers->display) - 1);
}

static void decode_fill(const struct psx_gp0_event *event, const struct psx_registers *registers,
                        struct psx_draw *draw)
{
    const uint32_t *words = event->words;

    draw->vertex[0].colour = words[0] & 0xFFFFFF;
    draw->x = words[1] & 0x3F0;
    draw->split = registers->model == PSX_GPU_FIRST && (words[1] & 15) == 15;
    draw->y = decode_line_number(words[1], registers);
    draw->width = ((words[2] & 0x3FF) + 15) & ~15u;
    draw->height = words[2] >> 16 & 0x1FF;
}

static void decode_transfer(uint32_t place, uint32_t size, const struct psx_registers *registers,
                            struct psx_draw *draw)
{
    draw->x = place & 0x3FF;
    draw->y = decode_line_number(place, registers);
    draw->width = gp0_transfer_width(size);
    draw->height = gp0_transfer_height(size);
}

static void decode_copy(const struct psx_gp0_event *event, const struct psx_registers *registers,
                        struct psx_draw *draw)
{
    const uint32_t *words = event->words;

    draw->from_x = words[1] & 0x3FF;
    draw->from_y = decode_line_number(words[1], registers);
    decode_transfer(words[2], words[3], registers, draw);
}

/*
 * Clears the draw in parts, of a few stores each. For the complete struct compilers prefer an
 * instruction that is slow to start.
 */
static void clear(struct psx_draw *draw)
{
    memset(draw, 0, offsetof(struct psx_draw, vertex));
    memset(draw->vertex, 0, sizeof(draw->vertex));
    draw->width = draw->height = 0;
    draw->x = draw->y = 0;
    draw->from_x = draw->from_y = 0;
}

void psx_draw_decode(const struct psx_gp0_event *event, const struct psx_registers *registers,
                     struct psx_draw *out)
{
    uint8_t op = event->op;

    clear(out);
    out->kind = psx_gp0_table[op].kind;
    out->op = op;
    out->depth = PSX_DEPTH_NONE;

    bool is_line = out->kind == GP0_LINE || out->kind == GP0_POLYLINE;
    bool is_shape = is_line || out->kind == GP0_POLYGON || out->kind == GP0_RECTANGLE;

    out->semi = is_shape && (op & GP0_SEMI);
    out->textured = is_shape && !is_line && (op & GP0_TEXTURED);
    out->raw = out->textured && (op & GP0_RAW);
    out->gouraud = is_shape && out->kind != GP0_RECTANGLE && (op & GP0_GOURAUD);

    switch (out->kind) {
    case GP0_POLYGON:
        decode_polygon(event, registers, out);
        break;
    case GP0_LINE:
    case GP0_POLYLINE:
        decode_line(event, registers, out);
        break;
    case GP0_RECTANGLE:
        decode_rectangle(event, registers, out);
        break;
    case GP0_FILL:
        decode_fill(event, registers, out);
        break;
    case GP0_COPY:
        decode_copy(event, registers, out);
        break;
    case GP0_UPLOAD:
    case GP0_READ:
        decode_transfer(event->words[1], event->words[2], registers, out);
        break;
    default:
        break;
    }
}

void psx_draw_next_segment(const struct psx_gp0_event *event, struct psx_draw *draw)
{
    const uint32_t *word = event->words;

    draw->vertex[0] = draw->vertex[1];
    if (draw->gouraud)
        draw->vertex[1].colour = *word++ & 0xFFFFFF;
    decode_position(*word, &draw->vertex[1]);
}

/*
 * Converts lines of the drawing area to lines that are addressed, after which the area wraps to
 * line 0.
 */
static void wrap_box(struct psx_box *box, uint32_t addressed)
{
    const int lines = (int)addressed;

    if (box->height >= lines) {
        box->y = 0;
        box->height = lines;
    }
    box->y &= lines - 1;
}

void psx_box_place(struct psx_box *box, struct psx_vram_lines lines, bool around)
{
    const int memory = lines.memory, addressed = lines.addressed, end = box->y + box->height;

    if (addressed < memory) {
        if (end <= addressed)
            return;
        box->y = around ? 0 : box->y;
        box->height = addressed - box->y;
    } else if (end <= addressed) { /* nothing is there after the end of memory */
        box->height = end <= memory ? box->height : memory - box->y;
    } else if (box->y < memory) {
        box->y = around ? 0 : box->y;
        box->height = memory - box->y;
    } else {
        box->y = 0;
        box->height = end - addressed < memory ? end - addressed : memory;
    }
    box->height = box->height > 0 ? box->height : 0;
}

void psx_box_add(struct psx_box *box, const struct psx_box *other, uint32_t addressed)
{
    if (other->width == 0 || other->height == 0)
        return;
    if (box->width == 0 || box->height == 0) {
        *box = *other;
        return;
    }

    int x0 = box->x < other->x ? box->x : other->x;
    int y0 = box->y < other->y ? box->y : other->y;
    int x1 = box->x + box->width;
    int y1 = box->y + box->height;

    if (x1 < other->x + other->width)
        x1 = other->x + other->width;
    if (y1 < other->y + other->height)
        y1 = other->y + other->height;
    *box = (struct psx_box){x0, y0, x1 - x0, y1 - y0};
    wrap_box(box, addressed);
}

void psx_draw_area(const struct psx_registers *registers, struct psx_box *out)
{
    struct psx_area area = psx_registers_clip(registers);

    *out = (struct psx_box){0};
    if (area.x1 < area.x0 || area.y1 < area.y0)
        return;
    *out = (struct psx_box){area.x0, area.y0, area.x1 - area.x0 + 1, area.y1 - area.y0 + 1};
    wrap_box(out, psx_display_lines(&registers->display));
}

/* Clips a half-open span. Returns false if nothing is left. */
static bool clip_box(const struct psx_area *area, int x0, int y0, int x1, int y1,
                     struct psx_box *out)
{
    if (x0 < area->x0)
        x0 = area->x0;
    if (y0 < area->y0)
        y0 = area->y0;
    if (x1 > area->x1 + 1)
        x1 = area->x1 + 1;
    if (y1 > area->y1 + 1)
        y1 = area->y1 + 1;
    if (x0 >= x1 || y0 >= y1)
        return false;
    *out = (struct psx_box){x0, y0, x1 - x0, y1 - y0};
    return true;
}

/* Computes the bounds of `count` vertices. Returns false if two of them are too far apart. */
static bool bound_vertices(const struct psx_vertex *vertices, unsigned count, int bounds[4])
{
    bounds[0] = bounds[2] = vertices[0].x;
    bounds[1] = bounds[3] = vertices[0].y;
    for (unsigned i = 1; i < count; i++) {
        const struct psx_vertex *vertex = &vertices[i];

        if (vertex->x < bounds[0])
            bounds[0] = vertex->x;
        if (vertex->y < bounds[1])
            bounds[1] = vertex->y;
        if (vertex->x > bounds[2])
            bounds[2] = vertex->x;
        if (vertex->y > bounds[3])
            bounds[3] = vertex->y;
    }
    return !psx_span_too_large(bounds[2] - bounds[0], bounds[3] - bounds[1]);
}

static bool has_no_area(const struct psx_vertex *v)
{
    int cross = (v[1].x - v[0].x) * (v[2].y - v[1].y) - (v[2].x - v[1].x) * (v[1].y - v[0].y);

    return cross == 0;
}

/*
 * Computes the box of up to three vertices. `extra` is 1 if the last column and row are drawn too
 * (lines).
 */
static enum psx_cull box_of_vertices(const struct psx_vertex *vertices, unsigned count, int extra,
                                     const struct psx_registers *registers, struct psx_box *out)
{
    struct psx_area area = psx_registers_clip(registers);
    int bounds[4], offset_x, offset_y;

    if (!bound_vertices(vertices, count, bounds))
        return PSX_CULL_SIZE;
    if (count == 3 && has_no_area(vertices))
        return PSX_CULL_EMPTY;

    psx_registers_offset(registers, &offset_x, &offset_y);
    offset_x += psx_wrap_shift(bounds[0] + offset_x);
    offset_y += psx_wrap_shift(bounds[1] + offset_y);
    return clip_box(&area, bounds[0] + offset_x, bounds[1] + offset_y, bounds[2] + offset_x + extra,
                    bounds[3] + offset_y + extra, out)
               ? PSX_CULL_NO
               : PSX_CULL_CLIP;
}

/*
 * Computes the box of a polygon. A quad is two triangles that are culled separately (psx-gpu.md 3,
 * 4).
 */
static enum psx_cull box_of_polygon(const struct psx_draw *draw,
                                    const struct psx_registers *registers, struct psx_box *out)
{
    enum psx_cull first = box_of_vertices(draw->vertex, 3, 0, registers, out);
    struct psx_box half = {0};

    if (draw->vertex_count == 3)
        return first;

    enum psx_cull second = box_of_vertices(draw->vertex + 1, 3, 0, registers, &half);

    psx_box_add(out, &half, psx_display_lines(&registers->display));
    if (first == PSX_CULL_NO || second == PSX_CULL_NO)
        return PSX_CULL_NO;
    return first == PSX_CULL_CLIP || second == PSX_CULL_CLIP ? PSX_CULL_CLIP : first;
}

static enum psx_cull box_of_rectangle(const struct psx_draw *draw,
                                      const struct psx_registers *registers, struct psx_box *out)
{
    struct psx_area area = psx_registers_clip(registers);
    int x, y;

    if (draw->width == 0 || draw->height == 0)
        return PSX_CULL_EMPTY;
    psx_draw_origin(draw, registers, &x, &y);
    return clip_box(&area, x, y, x + (int)draw->width, y + (int)draw->height, out) ? PSX_CULL_NO
                                                                                   : PSX_CULL_CLIP;
}

void psx_draw_origin(const struct psx_draw *draw, const struct psx_registers *registers, int *x,
                     int *y)
{
    int offset_x, offset_y;

    psx_registers_offset(registers, &offset_x, &offset_y);
    *x = psx_sign11((uint32_t)(draw->vertex[0].x + offset_x));
    *y = psx_sign11((uint32_t)(draw->vertex[0].y + offset_y));
}

/* Computes the box of a fill or a transfer. */
static enum psx_cull box_of_move(const struct psx_draw *draw, struct psx_box *out)
{
    if (draw->width == 0 || draw->height == 0)
        return PSX_CULL_EMPTY;
    *out = (struct psx_box){(int)draw->x, (int)draw->y, (int)draw->width, (int)draw->height};
    if (draw->split && out->width < PSX_VRAM_WIDTH)
        out->width += PSX_SPLIT_COLUMNS;
    return PSX_CULL_NO;
}

enum psx_cull psx_draw_box(const struct psx_draw *draw, const struct psx_registers *registers,
                           struct psx_box *out)
{
    enum psx_cull cull;

    *out = (struct psx_box){0};
    switch (draw->kind) {
    case GP0_POLYGON:
        cull = box_of_polygon(draw, registers, out);
        break;
    case GP0_LINE:
    case GP0_POLYLINE:
        cull = box_of_vertices(draw->vertex, 2, 1, registers, out);
        break;
    case GP0_RECTANGLE:
        cull = box_of_rectangle(draw, registers, out);
        break;
    default:
        return box_of_move(draw, out);
    }
    wrap_box(out, psx_display_lines(&registers->display));
    return cull;
}

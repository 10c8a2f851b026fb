/* SPDX-License-Identifier: MIT */
/*
 * Primitives whose texture page overlaps the drawing area, although probably none of them is drawn
 * over what is sampled there. That is common: a page at the right edge of VRAM, for example, goes
 * on at the left edge.
 *
 * The command pass decodes each of them, to find out whether it makes its run of the texel cache
 * stale (gpu/texel_reach.h). A sketch only bounds them: it keeps a list of them, and one box around
 * all texels that they and earlier primitives of the run may sample. As long as no primitive has
 * pixels, within its own bounds, in that box as it is then, the run is not stale yet.
 *
 * When one has, when the list is full, or before a register changes on which it depends, the
 * primitives on the list are decoded as the command pass does, in their order. If another run has
 * begun meanwhile, they do not matter any more.
 */
#include "formats/psx/index/sketch_pass.h"

#include "base/bytes.h"
#include "formats/psx/gpu/draw.h"

#include <limits.h>

static void make_event(const struct psx_sketch_primitive *primitive, struct psx_gp0_event *event)
{
    event->type = GP0_EVENT_COMMAND;
    event->op = primitive->op;
    event->count = psx_gp0_table[primitive->op].words;
    for (unsigned i = 0; i < event->count; i++)
        event->words[i] = bytes_le32(primitive->words + 4 * (size_t)i);
}

/* Decodes a primitive as the command pass does, and records its run if the run becomes stale. */
static void tell(struct psx_sketch *sketch, const struct psx_sketch_primitive *primitive,
                 uint32_t texel_run)
{
    struct psx_state *state = &sketch->walk.at.state;
    struct psx_gp0_event event;

    make_event(primitive, &event);
    state->registers.e[1] = primitive->e1;
    state->texel_run = texel_run;
    psx_stale_runs_look(&sketch->stale_runs, &sketch->reach, state, &event);
}

void psx_sketch_end_look(struct psx_sketch *sketch, uint32_t texel_run)
{
    struct psx_sketch_texels *texels = &sketch->texels;

    if (texels->began && texels->run == texel_run)
        for (unsigned i = 0; i < texels->count; i++)
            tell(sketch, &texels->list[i], texel_run);
    texels->began = false;
    texels->count = 0;
}

/* Begins with what is already recorded of the run. */
static void begin_look(struct psx_sketch *sketch, uint32_t texel_run)
{
    struct psx_sketch_texels *texels = &sketch->texels;
    const struct psx_texel_reach *reach = &sketch->reach;

    texels->run = texel_run;
    texels->began = true;
    texels->read = reach->run == texel_run ? reach->read : (struct psx_box){0};
    texels->count = 0;
}

static void widen(struct psx_texel_span *span, int value)
{
    span->from = value < span->from ? value : span->from;
    span->to = value > span->to ? value : span->to;
}

/* What is known of a primitive by its first byte. */
struct layout {
    unsigned vertices; /* 1 for rectangles */
    unsigned stride;   /* bytes from one vertex to the next, the first of which is at byte 4 */
    bool textured, rectangle;
};

static struct layout layout_of(uint8_t op)
{
    const enum psx_gp0_kind kind = psx_gp0_table[op].kind;
    const bool textured = kind != GP0_LINE && (op & GP0_TEXTURED);
    const bool gouraud = kind != GP0_RECTANGLE && (op & GP0_GOURAUD);

    return (struct layout){
        .vertices = kind == GP0_RECTANGLE ? 1
                    : kind == GP0_LINE    ? 2
                    : op & GP0_QUAD       ? 4
                                          : 3,
        .stride = 4 * (1 + textured + gouraud),
        .textured = textured,
        .rectangle = kind == GP0_RECTANGLE,
    };
}

/* Gets the width and height of a rectangle. */
static void measure_rectangle(const struct psx_sketch_primitive *primitive,
                              const struct layout *layout, int *width, int *height)
{
    static const uint8_t sizes[4] = {0, 1, 8, 16};
    const int size = sizes[primitive->op >> 3 & 3];
    const uint32_t word = size == 0 ? bytes_le32(primitive->words + 4 + layout->stride) : 0;

    *width = size == 0 ? (int)(word & 0x3FF) : size;
    *height = size == 0 ? (int)(word >> 16 & 0x1FF) : size;
}

/*
 * Computes a box that contains all that a textured primitive may sample, as psx_texel_reach_box()
 * does, but without decoding the primitive. Of a rectangle it contains the texels on both sides of
 * the first one, as if the rectangle were drawn both ways.
 */
static void bound_texels(const struct psx_sketch_primitive *primitive, const struct layout *layout,
                         const struct psx_registers *registers, struct psx_box *out)
{
    const uint32_t page = psx_registers_page_bits(registers, primitive->e1);
    const uint8_t *texel = primitive->words + 8;
    struct psx_texel_span u = {texel[0], texel[0]}, v = {texel[1], texel[1]};
    int width, height;

    for (unsigned i = 1; i < layout->vertices; i++) {
        texel += layout->stride;
        widen(&u, texel[0]);
        widen(&v, texel[1]);
    }
    if (layout->rectangle) {
        measure_rectangle(primitive, layout, &width, &height);
        u = (struct psx_texel_span){u.from - width, u.to + width};
        v = (struct psx_texel_span){v.from - height, v.to + height};
    }
    psx_texel_spans_box(u, v, registers->e[2], psx_page_of(page), psx_depth_of(page), out);
}

/*
 * Computes a box that contains all that a primitive may draw, as psx_draw_box() does. Returns false
 * if the drawing area is the only bound known: coordinates wrap.
 */
static bool bound_pixels(const struct psx_sketch_primitive *primitive, const struct layout *layout,
                         const struct psx_registers *registers, struct psx_area *out)
{
    const uint8_t *vertex = primitive->words + 4;
    struct psx_texel_span x = {INT_MAX, INT_MIN}, y = {INT_MAX, INT_MIN};
    int offset_x, offset_y, width = 0, height = 0;

    for (unsigned i = 0; i < layout->vertices; i++, vertex += layout->stride) {
        widen(&x, psx_sign11(bytes_le16(vertex)));
        widen(&y, psx_sign11(bytes_le16(vertex + 2)));
    }
    if (layout->rectangle)
        measure_rectangle(primitive, layout, &width, &height);
    psx_registers_offset(registers, &offset_x, &offset_y);
    *out = (struct psx_area){x.from + offset_x, y.from + offset_y, x.to + offset_x + width,
                             y.to + offset_y + height};
    return out->x0 >= -1024 && out->y0 >= -1024 &&
           !(layout->rectangle && (x.to + offset_x > 1023 || y.to + offset_y > 1023));
}

/* Returns whether the primitive may draw over texels in `read`. */
static bool may_draw_over(const struct psx_sketch_primitive *primitive, const struct layout *layout,
                          const struct psx_registers *registers, const struct psx_area *clip,
                          const struct psx_box *read)
{
    struct psx_area pixels;
    struct psx_box box;

    if (!bound_pixels(primitive, layout, registers, &pixels))
        return true;
    pixels.x0 = pixels.x0 > clip->x0 ? pixels.x0 : clip->x0;
    pixels.y0 = pixels.y0 > clip->y0 ? pixels.y0 : clip->y0;
    pixels.x1 = pixels.x1 < clip->x1 ? pixels.x1 : clip->x1;
    pixels.y1 = pixels.y1 < clip->y1 ? pixels.y1 : clip->y1;
    box = (struct psx_box){pixels.x0, pixels.y0, pixels.x1 - pixels.x0 + 1,
                           pixels.y1 - pixels.y0 + 1};
    return psx_texel_boxes_meet(&box, read);
}

void psx_sketch_look(struct psx_sketch *sketch, const struct psx_sketch_area *area,
                     const struct psx_sketch_primitive *primitive, uint32_t texel_run)
{
    const struct psx_registers *registers = &sketch->walk.at.state.registers;
    const struct layout layout = layout_of(primitive->op);
    struct psx_sketch_texels *texels = &sketch->texels;
    struct psx_box box, read;

    if (!texels->began || texels->run != texel_run || texels->count == PSX_SKETCH_NEAR) {
        psx_sketch_end_look(sketch, texel_run);
        begin_look(sketch, texel_run);
    }
    read = texels->read;
    if (layout.textured) {
        bound_texels(primitive, &layout, registers, &box);
        psx_texel_box_add(&read, &box);
    }
    if (psx_texel_boxes_meet(&area->box, &read) &&
        may_draw_over(primitive, &layout, registers, &area->clip, &read)) {
        psx_sketch_end_look(sketch, texel_run);
        tell(sketch, primitive, texel_run);
    } else if (layout.textured) {
        texels->read = read;
        texels->list[texels->count++] = *primitive;
    }
}

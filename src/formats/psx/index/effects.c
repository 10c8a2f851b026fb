/* SPDX-License-Identifier: MIT */
#include "formats/psx/index/effects.h"

#include "formats/psx/gpu/texel_reach.h"

#include <stdlib.h>

enum {
    MASK_CHECK = 2, /* bit of E6 */
    COORDINATES = 256,
};

/* An inclusive range. */
struct span {
    int from, to;
};

/* Returns the texture coordinates `from` to `to` before the window; modulo 256 they may be all. */
static struct span wrap_span(int from, int to)
{
    if (from < 0 || to >= COORDINATES)
        return (struct span){0, COORDINATES - 1};
    return (struct span){from, to};
}

/* Returns what the window makes of a span: bounds of (c & and) | or. */
static struct span window_span(struct span span, unsigned mask, unsigned offset)
{
    int and = 0xFF & ~(int)(mask << 3), or = (int)((offset & mask) << 3);

    if (mask == 0)
        return span;
    return (struct span){ or, or | and};
}

static void polygon_texels(const struct psx_draw *draw, struct span *u, struct span *v)
{
    *u = (struct span){draw->vertex[0].u, draw->vertex[0].u};
    *v = (struct span){draw->vertex[0].v, draw->vertex[0].v};
    for (unsigned i = 1; i < draw->vertex_count; i++) {
        const struct psx_vertex *vertex = &draw->vertex[i];

        if (vertex->u < u->from)
            u->from = vertex->u;
        if (vertex->u > u->to)
            u->to = vertex->u;
        if (vertex->v < v->from)
            v->from = vertex->v;
        if (vertex->v > v->to)
            v->to = vertex->v;
    }
}

/*
 * Computes the texels of a rectangle, which advance by one a pixel from its corner, whatever is
 * clipped of it (psx-gpu.md 7).
 */
static void rectangle_texels(const struct psx_draw *draw, struct span *u, struct span *v)
{
    int columns = (int)draw->width - 1, rows = (int)draw->height - 1;
    int first = draw->flip_x ? draw->vertex[0].u | 1 : draw->vertex[0].u;

    *u = draw->flip_x ? wrap_span(first - columns, first) : wrap_span(first, first + columns);
    first = draw->vertex[0].v;
    *v = draw->flip_y ? wrap_span(first - rows, first) : wrap_span(first, first + rows);
}

/* Returns texels of a page, inclusive, as halfwords of VRAM: complete lines of the texel cache. */
static struct psx_box texel_box(unsigned page, unsigned depth, struct span u, struct span v)
{
    unsigned shift = PSX_DEPTH_15 - depth; /* log2 of the texels in a halfword */
    int from = (u.from >> shift) / PSX_TEXEL_LINE, to = (u.to >> shift) / PSX_TEXEL_LINE;
    struct psx_box box = {
        .x = (int)(page & 15) * 64 + from * PSX_TEXEL_LINE,
        .y = (int)(page >> 4) * 256 + v.from,
        .width = (to - from + 1) * PSX_TEXEL_LINE,
        .height = v.to - v.from + 1,
    };

    box.x %= PSX_VRAM_WIDTH;
    return box;
}

struct psx_tile_box psx_effects_page(unsigned page, unsigned depth, struct psx_vram_lines lines)
{
    struct span all = {0, COORDINATES - 1};
    struct psx_box box = texel_box(page, depth, all, all);

    return psx_tile_box_around(&box, lines);
}

static struct psx_box texels_of(const struct psx_draw *draw, const struct psx_registers *registers)
{
    const uint32_t e2 = registers->e[2];
    struct span u, v;

    if (draw->kind == GP0_POLYGON)
        polygon_texels(draw, &u, &v);
    else
        rectangle_texels(draw, &u, &v);
    u = window_span(u, e2 & 31, e2 >> 10 & 31);
    v = window_span(v, e2 >> 5 & 31, e2 >> 15 & 31);

    return texel_box(draw->page, draw->depth, u, v);
}

static struct psx_box palette_box(const struct psx_clut_key *key)
{
    return (struct psx_box){(key->id & 0x3F) * 16, key->id >> 6, key->entries, 1};
}

struct psx_tile_box psx_effects_palette(const struct psx_clut_key *key, struct psx_vram_lines lines)
{
    struct psx_box box = palette_box(key);

    return psx_tile_box_around(&box, lines);
}

struct psx_tile_box psx_effects_area(const struct psx_registers *registers)
{
    struct psx_box box;

    psx_draw_area(registers, &box);
    return psx_tile_box_around(&box, psx_registers_lines(registers));
}

/*
 * Returns a box in the lines that memory has, at most or for certain, as psx_tile_box_around() and
 * psx_tile_box_inside() place it.
 */
static struct psx_box placed(struct psx_box box, struct psx_vram_lines lines, bool around)
{
    if (lines.addressed != lines.memory)
        psx_box_place(&box, lines, around);
    return box;
}

static void set_read(const struct psx_box *box, struct psx_vram_lines lines,
                     struct psx_effects *out)
{
    out->read_pixels = placed(*box, lines, true);
    out->read = psx_tile_box_around(box, lines);
}

static void texture_effects(const struct psx_draw *draw, const struct psx_registers *registers,
                            const struct psx_clut_key *clut, bool visible, struct psx_effects *out)
{
    struct psx_clut_key key = *clut;
    struct psx_box texels;

    if (psx_clut_key_latch(&key, psx_registers_palette(registers, draw->clut), draw->depth)) {
        out->fills = PSX_LATCH_PALETTE;
        out->palette = psx_effects_palette(&key, psx_registers_lines(registers));
        out->palette_pixels = placed(palette_box(&key), psx_registers_lines(registers), true);
    }
    if (!visible)
        return;
    texels = texels_of(draw, registers);
    set_read(&texels, psx_registers_lines(registers), out);
    if (draw->depth != PSX_DEPTH_15)
        out->uses = PSX_LATCH_PALETTE;
}

/*
 * Returns whether a quad is a rectangle. Such a quad covers its box except for the right column and
 * the bottom row, which are in no box (psx-gpu.md 4): where its triangles meet, in each row one
 * begins where the other ends. Returns false where lines may wrap, since one of the triangles may
 * be left out then.
 */
static bool is_upright_quad(const struct psx_draw *draw, const struct psx_registers *registers)
{
    const struct psx_vertex *v = draw->vertex;
    int x, y;

    if (draw->vertex_count != 4)
        return false;
    psx_registers_offset(registers, &x, &y);
    if (abs(v[0].y + y) > 1024 || abs(v[3].y + y) > 1024)
        return false;
    if (v[0].y == v[1].y)
        return v[2].y == v[3].y && v[0].x == v[2].x && v[1].x == v[3].x;
    return v[0].x == v[1].x && v[2].x == v[3].x && v[0].y == v[2].y && v[1].y == v[3].y;
}

/* Returns whether a primitive writes each pixel of its box, whatever is there. */
static bool covers_its_box(const struct psx_draw *draw, const struct psx_registers *registers)
{
    if (draw->textured || draw->semi || (registers->e[6] & MASK_CHECK) ||
        psx_registers_skips_lines(registers))
        return false;
    return draw->kind == GP0_RECTANGLE ||
           (draw->kind == GP0_POLYGON && is_upright_quad(draw, registers));
}

/*
 * Sets what is written. `inside` is the part that is certain to be overwritten; NULL if there is
 * none.
 */
static void set_written(const struct psx_box *around, const struct psx_box *inside,
                        struct psx_vram_lines lines, struct psx_effects *out)
{
    out->part_pixels = placed(*around, lines, true);
    out->part = psx_tile_box_around(around, lines);
    if (inside == NULL)
        return;
    out->full_pixels = placed(*inside, lines, false);
    out->full = psx_tile_box_inside(inside, lines);
}

static void primitive_effects(const struct psx_draw *draw, const struct psx_registers *registers,
                              const struct psx_clut_key *clut, struct psx_effects *out)
{
    const struct psx_vram_lines lines = psx_registers_lines(registers);
    struct psx_box box;
    bool visible = psx_draw_box(draw, registers, &box) == PSX_CULL_NO;

    if (visible)
        set_written(&box, covers_its_box(draw, registers) ? &box : NULL, lines, out);
    if (draw->textured)
        texture_effects(draw, registers, clut, visible, out);
}

/* Computes the effects of a fill (which ignores the mask) or a copy. */
static void move_effects(const struct psx_draw *draw, const struct psx_registers *registers,
                         struct psx_effects *out)
{
    const struct psx_vram_lines lines = psx_registers_lines(registers);
    struct psx_box from = {(int)draw->from_x, (int)draw->from_y, (int)draw->width,
                           (int)draw->height};
    bool certain = draw->kind == GP0_FILL ? !psx_registers_skips_lines(registers)
                                          : !(registers->e[6] & MASK_CHECK);
    struct psx_box box, inside;

    if (psx_draw_box(draw, registers, &box) != PSX_CULL_NO)
        return;
    inside = box;
    if (draw->split) { /* without columns of which only the odd or the even ones are filled */
        inside.x += PSX_SPLIT_COLUMNS;
        inside.width = (int)draw->width - PSX_SPLIT_COLUMNS;
    }
    set_written(&box, certain ? &inside : NULL, lines, out);
    if (draw->kind != GP0_COPY)
        return;
    set_read(&from, lines, out);
}

bool psx_event_acts(const struct psx_gp0_event *event)
{
    static const bool acts[] = {
        [GP0_FILL] = true,      [GP0_POLYGON] = true, [GP0_LINE] = true, [GP0_POLYLINE] = true,
        [GP0_RECTANGLE] = true, [GP0_COPY] = true,    [GP0_READ] = true, [GP0_UNKNOWN] = false,
    };

    if (event->type == GP0_EVENT_COMMAND)
        return acts[psx_gp0_table[event->op].kind];
    return event->type == GP0_EVENT_SEGMENT || event->type == GP0_EVENT_DATA;
}

void psx_effects_of(const struct psx_gp0_event *event, const struct psx_registers *registers,
                    const struct psx_clut_key *clut, struct psx_effects *out)
{
    struct psx_draw draw;
    struct psx_box box;

    memset(out, 0, sizeof(*out));
    psx_draw_decode(event, registers, &draw);
    switch (draw.kind) {
    case GP0_FILL:
    case GP0_COPY:
        move_effects(&draw, registers, out);
        break;
    case GP0_READ:
        psx_draw_box(&draw, registers, &box);
        set_read(&box, psx_registers_lines(registers), out);
        out->fills = PSX_LATCH_READ;
        break;
    default:
        primitive_effects(&draw, registers, clut, out);
        break;
    }
}

bool psx_upload_is_masked(const struct psx_state *state)
{
    return (state->registers.e[6] & MASK_CHECK) && !psx_state_ignores_mask(state);
}

void psx_effects_of_upload(const struct psx_transfer *upload, struct psx_vram_lines lines,
                           uint32_t from, uint32_t to, bool masked, struct psx_effects *out)
{
    memset(out, 0, sizeof(*out));
    if (to > upload->total) /* an odd number leaves half of the last word */
        to = upload->total;
    if (from >= to)
        return;

    uint32_t first = from / upload->width, last = (to - 1) / upload->width;
    uint32_t whole = (from + upload->width - 1) / upload->width, behind = to / upload->width;
    struct psx_box box = {upload->x, (int)((upload->y + first) % lines.addressed), upload->width,
                          (int)(last - first + 1)};

    struct psx_box inside = box;

    inside.y = (int)((upload->y + whole) % lines.addressed);
    inside.height = (int)(behind - whole);
    set_written(&box, masked || whole >= behind ? NULL : &inside, lines, out);
}

/* SPDX-License-Identifier: MIT */
#include "formats/psx/gpu/texel_reach.h"

#include <string.h>

enum { COORDINATES = 256 };

static void widen(struct psx_texel_span *span, int value)
{
    span->from = value < span->from ? value : span->from;
    span->to = value > span->to ? value : span->to;
}

/*
 * Returns bounds of the coordinates of a span after the window. Without a window, a span beyond 0
 * to 255 covers all coordinates, which are modulo 256.
 */
static struct psx_texel_span place_span(struct psx_texel_span span, unsigned mask, unsigned offset)
{
    int low = (int)((offset & mask) << 3);

    if (mask != 0)
        return (struct psx_texel_span){low, low | (0xFF & ~(int)(mask << 3))};
    if (span.from < 0 || span.to >= COORDINATES)
        return (struct psx_texel_span){0, COORDINATES - 1};
    return span;
}

/* Computes the texture coordinates before the window. */
static void span_texels(const struct psx_draw *draw, struct psx_texel_span *u,
                        struct psx_texel_span *v)
{
    int u0 = draw->vertex[0].u, v0 = draw->vertex[0].v;
    int columns = (int)draw->width - 1, rows = (int)draw->height - 1;

    *u = (struct psx_texel_span){u0, u0};
    *v = (struct psx_texel_span){v0, v0};
    if (draw->kind == GP0_RECTANGLE) {
        if (draw->flip_x)
            u->to = u0 | 1;
        widen(u, draw->flip_x ? u->to - columns : u0 + columns);
        widen(v, draw->flip_y ? v0 - rows : v0 + rows);
    }
    for (unsigned i = 1; i < draw->vertex_count; i++) {
        widen(u, draw->vertex[i].u);
        widen(v, draw->vertex[i].v);
    }
}

void psx_texel_spans_box(struct psx_texel_span u, struct psx_texel_span v, uint32_t e2,
                         unsigned page, unsigned depth, struct psx_box *out)
{
    static const uint8_t shift[] = {[PSX_DEPTH_4] = 2, [PSX_DEPTH_8] = 1, [PSX_DEPTH_15] = 0};
    int from, to;

    u = place_span(u, e2 & 31, e2 >> 10 & 31);
    v = place_span(v, e2 >> 5 & 31, e2 >> 15 & 31);
    from = (u.from >> shift[depth]) & -PSX_TEXEL_LINE;
    to = (u.to >> shift[depth]) | (PSX_TEXEL_LINE - 1);
    *out = (struct psx_box){
        .x = (int)(page & 15) * 64 + from,
        .y = (int)(page >> 4) * COORDINATES + v.from,
        .width = to - from + 1,
        .height = v.to - v.from + 1,
    };
}

void psx_texel_reach_box(const struct psx_draw *draw, uint32_t e2, struct psx_box *out)
{
    struct psx_texel_span u, v;

    span_texels(draw, &u, &v);
    psx_texel_spans_box(u, v, e2, draw->page, draw->depth, out);
}

/* Returns whether two spans overlap on a ring of `size`. */
static bool meet(int a, int a_length, int b, int b_length, int size)
{
    return ((b - a) & (size - 1)) < a_length || ((a - b) & (size - 1)) < b_length;
}

bool psx_texel_boxes_meet(const struct psx_box *a, const struct psx_box *b)
{
    if (a->width <= 0 || a->height <= 0 || b->width <= 0 || b->height <= 0)
        return false;
    return meet(a->x, a->width, b->x, b->width, PSX_VRAM_WIDTH) &&
           meet(a->y, a->height, b->y, b->height, PSX_VRAM_HEIGHT);
}

static struct psx_box page_box(unsigned page, unsigned depth)
{
    return (struct psx_box){(int)(page & 15) * 64, (int)(page >> 4) * COORDINATES, 64 << depth,
                            COORDINATES};
}

static void follow_run(struct psx_texel_reach *reach, uint32_t run)
{
    if (reach->run == run)
        return;
    reach->run = run;
    reach->stale = reach->sampled = false;
    reach->read = (struct psx_box){0};
}

/*
 * The textures of one run are all in one page, but those with 8 and 15 bits do not reach equally
 * far.
 */
static inline void add_page(struct psx_texel_reach *reach, unsigned page, unsigned depth)
{
    if (reach->sampled && depth <= reach->depth)
        return;
    reach->sampled = true;
    reach->page = (uint8_t)page;
    reach->depth = (uint8_t)depth;
}

static inline void follow_area(struct psx_texel_reach *reach, const struct psx_registers *registers)
{
    const uint32_t area[3] = {registers->e[3], registers->e[4],
                              psx_display_lines(&registers->display)};

    if (memcmp(area, reach->area, sizeof(area)) == 0)
        return;
    memcpy(reach->area, area, sizeof(area));
    memset(reach->known, 0, sizeof(reach->known));
}

bool psx_texel_page_is_apart(const struct psx_registers *registers, unsigned page, unsigned depth)
{
    const struct psx_box texels = page_box(page, depth);
    struct psx_box box;

    psx_draw_area(registers, &box);
    return !psx_texel_boxes_meet(&box, &texels);
}

/* Returns whether the drawing area overlaps nothing of the run's page. */
static inline bool is_apart(struct psx_texel_reach *reach, const struct psx_registers *registers)
{
    const uint32_t bit = UINT32_C(1) << (reach->page & 31);
    const unsigned depth = reach->depth;

    follow_area(reach, registers);
    if (!(reach->known[depth] & bit)) {
        reach->known[depth] |= bit;
        reach->apart[depth] &= ~bit;
        reach->apart[depth] |= psx_texel_page_is_apart(registers, reach->page, depth) ? bit : 0;
    }
    return reach->apart[depth] & bit;
}

/* Returns false if the boxes of what is drawn have to be looked at. */
static inline bool is_told_by_page(struct psx_texel_reach *reach,
                                   const struct psx_registers *registers, bool textured)
{
    if (reach->stale || !reach->sampled)
        return true;
    if (!is_apart(reach, registers))
        return false;
    if (textured)
        reach->read = page_box(reach->page, reach->depth);
    return true;
}

void psx_texel_reach_sample(struct psx_texel_reach *reach, uint32_t run, unsigned page,
                            unsigned depth)
{
    follow_run(reach, run);
    add_page(reach, page, depth);
    if (!reach->stale)
        reach->read = page_box(reach->page, reach->depth);
}

void psx_texel_box_add(struct psx_box *read, const struct psx_box *box)
{
    int x1 = read->x + read->width, y1 = read->y + read->height;

    if (read->width == 0) {
        *read = *box;
        return;
    }
    x1 = box->x + box->width > x1 ? box->x + box->width : x1;
    y1 = box->y + box->height > y1 ? box->y + box->height : y1;
    read->x = box->x < read->x ? box->x : read->x;
    read->y = box->y < read->y ? box->y : read->y;
    read->width = x1 - read->x;
    read->height = y1 - read->y;
}

static void look_closely(struct psx_texel_reach *reach, const struct psx_registers *registers,
                         const struct psx_draw *draw)
{
    struct psx_box written, read;

    if (psx_draw_box(draw, registers, &written) != PSX_CULL_NO)
        return;
    if (draw->textured) {
        psx_texel_reach_box(draw, registers->e[2], &read);
        psx_texel_box_add(&reach->read, &read);
    }
    reach->stale = psx_texel_boxes_meet(&written, &reach->read);
}

void psx_texel_reach_draw(struct psx_texel_reach *reach, uint32_t run,
                          const struct psx_registers *registers, const struct psx_draw *draw)
{
    follow_run(reach, run);
    if (draw->textured)
        add_page(reach, draw->page, draw->depth);
    if (draw->kind == GP0_FILL ? !reach->stale && reach->sampled
                               : !is_told_by_page(reach, registers, draw->textured))
        look_closely(reach, registers, draw);
}

static void look_at_event(struct psx_texel_reach *reach, const struct psx_state *after,
                          const struct psx_gp0_event *event)
{
    struct psx_draw draw;

    psx_draw_decode(event, &after->registers, &draw);
    look_closely(reach, &after->registers, &draw);
}

void psx_texel_reach_event(struct psx_texel_reach *reach, const struct psx_state *after,
                           const struct psx_gp0_event *event)
{
    enum psx_gp0_kind kind;
    bool textured;

    if (event->type != GP0_EVENT_COMMAND) /* other events may have no op */
        return;
    kind = psx_gp0_table[event->op].kind;
    if (kind < GP0_FILL || kind > GP0_RECTANGLE)
        return;
    follow_run(reach, after->texel_run);
    textured = psx_event_is_textured(event);
    if (textured)
        add_page(reach, after->registers.e[1] & 0x1F, psx_depth_of(after->registers.e[1]));
    if (kind == GP0_FILL ? !reach->stale && reach->sampled
                         : !is_told_by_page(reach, &after->registers, textured))
        look_at_event(reach, after, event);
}

bool psx_texel_reach_is_settled(struct psx_texel_reach *reach, const struct psx_state *state,
                                bool textured)
{
    const uint32_t e1 = state->registers.e[1];
    struct psx_box page;

    if (reach->run != state->texel_run || !reach->sampled)
        return !textured;
    if (reach->stale)
        return true;
    if (!is_apart(reach, &state->registers))
        return false;
    page = page_box(reach->page, reach->depth);
    return !textured || (psx_depth_of(e1) <= reach->depth && (e1 & 0x1F) == reach->page &&
                         memcmp(&page, &reach->read, sizeof(page)) == 0);
}

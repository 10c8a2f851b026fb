/* SPDX-License-Identifier: MIT */
#include "formats/psx/index/tile_summary.h"

#include "formats/psx/gpu/draw.h"

static void add_drawn(struct psx_tile_summary *summary, const struct psx_tile_box *part)
{
    psx_tiles_add_box(&summary->written, part);
    psx_tiles_add_box(&summary->drawn, part);
}

/* Adds effects, but nothing to `drawn`. */
static void add_moved(struct psx_tile_summary *summary, const struct psx_effects *effects)
{
    psx_tiles_add_box_but(&summary->exposed, &effects->read, &summary->killed);
    psx_tiles_add_box(&summary->killed, &effects->full);
    psx_tiles_add_box(&summary->written, &effects->part);
}

void psx_tile_summary_add(struct psx_tile_summary *summary, const struct psx_effects *effects)
{
    uint16_t uses = effects->uses;

    if (effects->fills & PSX_LATCH_PALETTE) { /* before the pixels are drawn */
        psx_tiles_add_box_but(&summary->exposed, &effects->palette, &summary->killed);
        uses = 0;
    }
    summary->exposed.latches |= (uint16_t)(uses & ~summary->killed.latches);
    psx_tiles_add_box_but(&summary->exposed, &effects->read, &summary->killed);
    psx_tiles_add_box(&summary->killed, &effects->full);
    add_drawn(summary, &effects->part);
    summary->killed.latches |= effects->fills;
    summary->written.latches |= effects->fills;
}

/* Adds a copy. It can be carried out by itself if it neither checks nor sets the mask bit. */
static void add_copy(struct psx_tile_summary_maker *maker, const struct psx_state *before,
                     const struct psx_gp0_event *event)
{
    struct psx_effects effects;

    psx_effects_of(event, &before->registers, &before->clut, &effects);
    maker->listed = maker->lists && before->registers.e[6] == 0;
    if (maker->listed)
        add_moved(&maker->summary, &effects);
    else
        psx_tile_summary_add(&maker->summary, &effects);
}

static void add_exactly(struct psx_tile_summary_maker *maker, const struct psx_state *before,
                        const struct psx_gp0_event *event)
{
    struct psx_effects effects;

    psx_effects_of(event, &before->registers, &before->clut, &effects);
    psx_tile_summary_add(&maker->summary, &effects);
}

bool psx_tile_summary_has_area(const struct psx_tile_summary_maker *maker,
                               const struct psx_registers *registers)
{
    return maker->has_area && maker->area[0] == registers->e[3] &&
           maker->area[1] == registers->e[4] && maker->area[2] == registers->display.high_lines;
}

/* Adds each drawing area once, until another one comes. */
void psx_tile_summary_add_area(struct psx_tile_summary_maker *maker,
                               const struct psx_registers *registers)
{
    struct psx_tile_box area;

    if (psx_tile_summary_has_area(maker, registers))
        return;
    area = psx_effects_area(registers);
    add_drawn(&maker->summary, &area);
    maker->area[0] = registers->e[3];
    maker->area[1] = registers->e[4];
    maker->area[2] = registers->display.high_lines;
    maker->has_area = true;
}

/*
 * Adds a page, once in a stretch. That is enough: tiles that were overwritten before stay so, and
 * later reads expose no other tiles.
 */
static void add_page(struct psx_tile_summary_maker *maker, unsigned page, unsigned depth,
                     const struct psx_registers *registers)
{
    uint64_t *seen = &maker->pages[depth], bit = UINT64_C(1) << page;
    struct psx_tile_box box;

    if (*seen & bit)
        return;
    *seen |= bit;
    box = psx_effects_page(page, depth, psx_registers_lines(registers));
    psx_tiles_add_box_but(&maker->summary.exposed, &box, &maker->summary.killed);
}

static void add_texture(struct psx_tile_summary_maker *maker, const struct psx_state *before,
                        const struct psx_gp0_event *event)
{
    struct psx_tile_summary *summary = &maker->summary;
    struct psx_clut_key key = before->clut;
    uint32_t page = psx_state_page(before, event);
    unsigned depth = psx_depth_of(page);

    add_page(maker, psx_page_of(page), depth, &before->registers);
    if (depth == PSX_DEPTH_15)
        return;
    if (psx_clut_key_latch(&key, psx_state_clut_id(before, event), depth)) {
        struct psx_tile_box palette =
            psx_effects_palette(&key, psx_registers_lines(&before->registers));

        psx_tiles_add_box_but(&summary->exposed, &palette, &summary->killed);
        summary->killed.latches |= PSX_LATCH_PALETTE;
        summary->written.latches |= PSX_LATCH_PALETTE;
    } else if (!(summary->killed.latches & PSX_LATCH_PALETTE)) {
        summary->exposed.latches |= PSX_LATCH_PALETTE;
    }
}

bool psx_tile_summary_has_texture(const struct psx_tile_summary_maker *maker,
                                  const struct psx_state *state)
{
    const struct psx_tile_summary *summary = &maker->summary;
    uint32_t page = psx_registers_page_bits(&state->registers, state->registers.e[1]);
    unsigned depth = psx_depth_of(page);
    struct psx_clut_key key = state->clut;

    if (!(maker->pages[depth] >> psx_page_of(page) & 1))
        return false;
    return depth == PSX_DEPTH_15 ||
           (!psx_clut_key_latch(&key, key.id, depth) &&
            ((summary->killed.latches | summary->exposed.latches) & PSX_LATCH_PALETTE));
}

bool psx_tile_summary_takes_box(uint8_t op, uint32_t first, uint32_t second)
{
    enum { X = 0x7FF, Y = 0x7FF0000 };

    if (op & (GP0_TEXTURED | GP0_SEMI))
        return false;
    if (psx_gp0_table[op].kind == GP0_RECTANGLE)
        return true;
    return (op & GP0_QUAD) && (!((first ^ second) & X) || !((first ^ second) & Y));
}

static void add_command(struct psx_tile_summary_maker *maker, const struct psx_state *before,
                        const struct psx_gp0_event *event)
{
    switch (psx_gp0_table[event->op].kind) {
    case GP0_POLYGON:
    case GP0_RECTANGLE:
        if (event->op & GP0_TEXTURED)
            add_texture(maker, before, event);
        if (psx_tile_summary_takes_box(event->op, event->words[1],
                                       event->words[event->op & GP0_GOURAUD ? 3 : 2]))
            add_exactly(maker, before, event);
        else
            psx_tile_summary_add_area(maker, &before->registers);
        break;
    case GP0_LINE:
    case GP0_POLYLINE:
        psx_tile_summary_add_area(maker, &before->registers);
        break;
    case GP0_COPY:
        add_copy(maker, before, event);
        break;
    case GP0_FILL:
    case GP0_READ:
        add_exactly(maker, before, event);
        break;
    default:
        break;
    }
}

/*
 * Returns whether an upload is in the stretch from its first halfword to its last, and does not
 * depend on E6.
 */
static bool is_whole(const struct psx_tile_summary_maker *maker, const struct psx_state *state,
                     uint32_t to)
{
    return maker->data_from == 0 && to == state->upload.total &&
           (state->registers.e[6] == 0 || psx_state_ignores_mask(state));
}

static void add_data(struct psx_tile_summary_maker *maker, const struct psx_state *state,
                     uint32_t to)
{
    struct psx_effects effects;

    psx_effects_of_upload(&state->upload, psx_registers_lines(&state->registers), maker->data_from,
                          to, psx_upload_is_masked(state), &effects);
    maker->listed = maker->lists && is_whole(maker, state, to);
    if (maker->listed)
        add_moved(&maker->summary, &effects);
    else
        psx_tile_summary_add(&maker->summary, &effects);
    maker->in_data = false;
}

void psx_tile_summary_end_data(struct psx_tile_summary_maker *maker, const struct psx_state *state)
{
    if (maker->in_data)
        add_data(maker, state, state->upload.done);
}

void psx_tile_summary_event(struct psx_tile_summary_maker *maker, const struct psx_state *before,
                            const struct psx_gp0_event *event)
{
    switch (event->type) {
    case GP0_EVENT_COMMAND:
        add_command(maker, before, event);
        break;
    case GP0_EVENT_SEGMENT:
        psx_tile_summary_add_area(maker, &before->registers);
        break;
    case GP0_EVENT_DATA:
        if (!maker->in_data)
            maker->data_from = before->upload.done;
        maker->in_data = true;
        maker->listed = false;
        if (event->data_last)
            add_data(maker, before, before->upload.total);
        break;
    default:
        break;
    }
}

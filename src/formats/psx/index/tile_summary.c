#include "formats/psx/index/tile_summary.h"

#include "formats/psx/gpu/draw.h"

enum { PAGES = 32 };

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
    psx_tiles_add_box(&summary->written, &effects->part);
    summary->killed.latches |= effects->fills;
    summary->written.latches |= effects->fills;
}

static void add_exactly(struct psx_tile_summary_maker *maker, const struct psx_state *before,
                        const struct gp0_event *event)
{
    struct psx_effects effects;

    psx_effects_of(event, &before->registers, &before->clut, &effects);
    psx_tile_summary_add(&maker->summary, &effects);
}

/* Once for each drawing area, until another comes. */
static void add_area(struct psx_tile_summary_maker *maker, const struct psx_registers *registers)
{
    struct psx_tile_box area;

    if (maker->has_area && maker->area[0] == registers->e[3] && maker->area[1] == registers->e[4] &&
        maker->area[2] == registers->allow_texture_disable)
        return;
    area = psx_effects_area(registers);
    psx_tiles_add_box(&maker->summary.written, &area);
    maker->area[0] = registers->e[3];
    maker->area[1] = registers->e[4];
    maker->area[2] = registers->allow_texture_disable;
    maker->has_area = true;
}

/* Once is enough: what is overwritten by the first time stays so, and is read no earlier. */
static void add_page(struct psx_tile_summary_maker *maker, unsigned page, unsigned depth)
{
    unsigned number = depth * PAGES + page;
    uint64_t *seen = &maker->pages[number / 64], bit = UINT64_C(1) << number % 64;
    struct psx_tile_box box;

    if (*seen & bit)
        return;
    *seen |= bit;
    box = psx_effects_page(page, depth);
    psx_tiles_add_box_but(&maker->summary.exposed, &box, &maker->summary.killed);
}

static void add_texture(struct psx_tile_summary_maker *maker, const struct psx_state *before,
                        const struct gp0_event *event)
{
    struct psx_tile_summary *summary = &maker->summary;
    struct psx_clut_key key = before->clut;
    uint32_t page = psx_state_page(before, event);
    unsigned depth = psx_depth_of(page);

    add_page(maker, page & (PAGES - 1), depth);
    if (depth == PSX_DEPTH_15)
        return;
    if (psx_clut_key_latch(&key, psx_state_clut_id(event), depth)) {
        struct psx_tile_box palette = psx_effects_palette(&key);

        psx_tiles_add_box_but(&summary->exposed, &palette, &summary->killed);
        summary->killed.latches |= PSX_LATCH_PALETTE;
        summary->written.latches |= PSX_LATCH_PALETTE;
    } else if (!(summary->killed.latches & PSX_LATCH_PALETTE)) {
        summary->exposed.latches |= PSX_LATCH_PALETTE;
    }
}

/* Rectangles, and the quads that may be rectangles. */
static bool may_cover_its_box(uint8_t op)
{
    bool quad_or_rectangle = psx_gp0_table[op].kind == GP0_RECTANGLE || (op & GP0_QUAD);

    return quad_or_rectangle && !(op & (GP0_TEXTURED | GP0_SEMI));
}

static void add_command(struct psx_tile_summary_maker *maker, const struct psx_state *before,
                        const struct gp0_event *event)
{
    switch (psx_gp0_table[event->op].kind) {
    case GP0_POLYGON:
    case GP0_RECTANGLE:
        if (event->op & GP0_TEXTURED)
            add_texture(maker, before, event);
        if (may_cover_its_box(event->op))
            add_exactly(maker, before, event);
        else
            add_area(maker, &before->registers);
        break;
    case GP0_LINE:
    case GP0_POLYLINE:
        add_area(maker, &before->registers);
        break;
    case GP0_FILL:
    case GP0_COPY:
    case GP0_READ:
        add_exactly(maker, before, event);
        break;
    default:
        break;
    }
}

static void add_data(struct psx_tile_summary_maker *maker, const struct psx_state *state,
                     uint32_t to)
{
    struct psx_effects effects;

    psx_effects_of_upload(&state->upload, maker->data_from, to, psx_upload_is_masked(state),
                          &effects);
    psx_tile_summary_add(&maker->summary, &effects);
    maker->in_data = false;
}

void psx_tile_summary_end_data(struct psx_tile_summary_maker *maker, const struct psx_state *state)
{
    if (maker->in_data)
        add_data(maker, state, state->upload.done);
}

void psx_tile_summary_event(struct psx_tile_summary_maker *maker, const struct psx_state *before,
                            const struct gp0_event *event)
{
    switch (event->type) {
    case GP0_EVENT_COMMAND:
        add_command(maker, before, event);
        break;
    case GP0_EVENT_SEGMENT:
        add_area(maker, &before->registers);
        break;
    case GP0_EVENT_DATA:
        if (!maker->in_data)
            maker->data_from = before->upload.done;
        maker->in_data = true;
        if (event->data_last)
            add_data(maker, before, before->upload.total);
        break;
    default:
        break;
    }
}

/* SPDX-License-Identifier: MIT */
#include "formats/psx/frame/textures.h"

#include "base/bytes.h"
#include "formats/psx/gpu/pixel.h"

#include <string.h>

enum { WIDTH = PSX_VRAM_WIDTH };

static void note_change(struct psx_texture_identity *identities, unsigned column, unsigned y)
{
    identities->changes[y / VERSION_BLOCK_LINES * VERSION_BLOCK_COLUMNS + column / 4]++;
}

/* Writes pixels within a row, without wrap. `pixels` NULL: they are drawn, and so not known. */
static void write_run(struct psx_texture_identity *identities, unsigned x, unsigned y,
                      unsigned count, const uint16_t *pixels)
{
    unsigned end = x + count;

    identities->work += count / VERSION_CELL + 1;
    if (pixels != NULL)
        memcpy(&identities->vram[y * WIDTH + x], pixels, count * sizeof(*pixels));
    for (unsigned column = x / VERSION_CELL; column * VERSION_CELL < end; column++) {
        bool whole = column * VERSION_CELL >= x && (column + 1) * VERSION_CELL <= end;
        uint64_t *drawn = &identities->drawn[y * VERSION_COLUMNS + column];

        if (pixels == NULL)
            *drawn = identities->stamp;
        else if (whole)
            *drawn = 0;
        note_change(identities, column, y);
    }
}

static void write_row(struct psx_texture_identity *identities, unsigned x, unsigned y,
                      unsigned count, const uint16_t *pixels)
{
    unsigned first;

    x &= WIDTH - 1;
    y &= identities->lines.addressed - 1;
    if (y >= identities->lines.memory)
        return;
    first = count < WIDTH - x ? count : WIDTH - x;
    write_run(identities, x, y, first, pixels);
    if (count > first)
        write_run(identities, 0, y, count - first, pixels != NULL ? pixels + first : NULL);
}

static void write_box(struct psx_texture_identity *identities, const struct psx_box *box)
{
    identities->stamp++;
    for (int y = 0; y < box->height; y++)
        write_row(identities, (unsigned)box->x, (unsigned)(box->y + y), (unsigned)box->width, NULL);
}

static void follow_fill(struct psx_texture_identity *identities, const struct psx_draw *draw,
                        const struct psx_registers *registers)
{
    uint16_t pixels[WIDTH];
    struct psx_box box;

    if (psx_registers_skips_lines(registers) || draw->split) {
        psx_draw_box(draw, registers, &box);
        write_box(identities, &box);
        return;
    }
    for (unsigned i = 0; i < draw->width; i++)
        pixels[i] = pixel_of_colour(draw->vertex[0].colour);
    for (unsigned i = 0; i < draw->height; i++)
        write_row(identities, draw->x, draw->y + i, draw->width, pixels);
}

/*
 * Returns whether all pixels of a copy's source row are known. Those of the destination then are,
 * too, if nothing is masked.
 */
static bool row_is_known(const struct psx_texture_identity *identities, unsigned x, unsigned y,
                         unsigned count)
{
    for (unsigned i = 0; i < count + VERSION_CELL; i += VERSION_CELL) {
        unsigned at = (x + (i < count ? i : count - 1)) & (WIDTH - 1);

        if (identities->drawn[y * VERSION_COLUMNS + at / VERSION_CELL] != 0)
            return false;
    }
    return true;
}

static void follow_copy(struct psx_texture_identity *identities, const struct psx_draw *draw,
                        uint32_t e6)
{
    uint16_t pixels[WIDTH];

    identities->stamp++;
    for (unsigned i = 0; i < draw->height; i++) {
        unsigned from = (draw->from_y + i) & (identities->lines.addressed - 1);
        /* Only between different lines does the order of reads and writes not matter. */
        bool known = !(e6 & 2) && draw->from_y + i != draw->y + i &&
                     row_is_known(identities, draw->from_x, from, draw->width);

        for (unsigned x = 0; known && x < draw->width; x++)
            pixels[x] = identities->vram[from * WIDTH + ((draw->from_x + x) & (WIDTH - 1))] |
                        (e6 & 1 ? PIXEL_MASK : 0);
        write_row(identities, draw->x, draw->y + i, draw->width, known ? pixels : NULL);
    }
}

static void follow_upload(struct psx_texture_identity *identities, const struct psx_state *state,
                          const struct psx_gp0_event *event)
{
    const struct psx_transfer *upload = &state->upload;
    uint32_t e6 = psx_state_ignores_mask(state) ? 0 : state->registers.e[6];
    uint32_t left = upload->total - upload->done, at = upload->done;
    const uint8_t *data = event->data;
    uint16_t pixels[WIDTH];

    if (upload->width == 0)
        return;
    if (left > 2 * event->data_words)
        left = 2 * event->data_words;
    identities->stamp++;
    while (left > 0) {
        uint32_t column = at % upload->width, run = upload->width - column;

        run = run < left ? run : left;
        for (uint32_t i = 0; i < run; i++, data += 2)
            pixels[i] = (uint16_t)(bytes_le16(data) | (e6 & 1 ? PIXEL_MASK : 0));
        write_row(identities, upload->x + column, upload->y + at / upload->width, run,
                  e6 & 2 ? NULL : pixels);
        at += run;
        left -= run;
    }
}

static void follow_draw(struct psx_texture_identity *identities, const struct psx_draw *draw,
                        const struct psx_registers *registers)
{
    struct psx_box box;

    if (psx_draw_box(draw, registers, &box) == PSX_CULL_NO)
        write_box(identities, &box);
}

/*
 * Called for a polyline's first segment. All of its segments are in the drawing area, which is
 * marked as drawn.
 */
static void follow_polyline(struct psx_texture_identity *identities,
                            const struct psx_registers *registers)
{
    struct psx_box box;

    psx_draw_area(registers, &box);
    if (box.width > 0 && box.height > 0)
        write_box(identities, &box);
}

/* The place of a texture or a palette, in cells. */
struct cells {
    unsigned x, y, columns, lines;
};

static struct cells page_cells(uint32_t key)
{
    static const uint8_t columns[] = {[PSX_DEPTH_4] = 4, [PSX_DEPTH_8] = 8, [PSX_DEPTH_15] = 16};
    unsigned page = psx_texture_page(key);

    return (struct cells){(page & 15) * 4, (page >> 4) * 256, columns[psx_texture_depth(key)], 256};
}

static struct cells palette_cells(const struct psx_clut_key *key)
{
    return (struct cells){key->id & 63, key->id >> 6, key->entries / VERSION_CELL, 1};
}

static uint64_t changes_of(const struct psx_texture_identity *identities, const struct cells *cells)
{
    uint64_t changes = 0;

    for (unsigned y = 0; y < cells->lines; y += VERSION_BLOCK_LINES)
        for (unsigned x = 0; x < cells->columns; x++)
            changes +=
                identities->changes[(cells->y + y) / VERSION_BLOCK_LINES * VERSION_BLOCK_COLUMNS +
                                    ((cells->x + x) & (VERSION_COLUMNS - 1)) / 4];
    return changes;
}

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 29;
}

static uint64_t mix_cells(struct psx_texture_identity *identities, const struct cells *cells,
                          uint64_t hash)
{
    identities->work += (uint64_t)cells->lines * cells->columns;
    for (unsigned y = cells->y; y < cells->y + cells->lines; y++)
        for (unsigned i = 0; i < cells->columns; i++) {
            unsigned x = (cells->x + i) & (VERSION_COLUMNS - 1);
            uint64_t words[VERSION_CELL / 4];

            memcpy(words, &identities->vram[y * WIDTH + x * VERSION_CELL], sizeof(words));
            hash = mix(hash, identities->drawn[y * VERSION_COLUMNS + x]);
            for (unsigned w = 0; w < VERSION_CELL / 4; w++)
                hash = mix(hash, words[w]);
        }
    return hash;
}

static uint64_t palette_of(const struct psx_texture_identity *identities, uint32_t key)
{
    unsigned depth = psx_texture_depth(key);

    return depth == PSX_DEPTH_15 ? 0 : identities->palette[depth == PSX_DEPTH_8];
}

uint64_t psx_texture_identity_changes(const struct psx_texture_identity *identities, uint32_t key)
{
    struct cells page = page_cells(key);

    return mix(changes_of(identities, &page), palette_of(identities, key));
}

uint64_t psx_texture_identity_get(struct psx_texture_identity *identities, uint32_t key)
{
    struct cells page = page_cells(key);
    unsigned depth = psx_texture_depth(key);
    uint64_t palette = depth == PSX_DEPTH_15 ? UINT64_C(1) << 16 : psx_texture_clut(key);
    uint64_t place = ((uint64_t)psx_texture_page(key) << 17 | palette) << 2 | depth;

    return mix(mix_cells(identities, &page, mix(place, 1)), palette_of(identities, key));
}

void psx_texture_identity_latch(struct psx_texture_identity *identities,
                                const struct psx_walk *walk, const struct psx_step *step)
{
    struct psx_clut_key latched = walk->at.state.clut;
    struct cells cells;
    struct psx_draw draw;

    if (step->kind != PSX_STEP_GP0 || step->event.type != GP0_EVENT_COMMAND ||
        !psx_kind_draws(psx_gp0_table[step->event.op].kind))
        return;
    psx_draw_decode(&step->event, &walk->at.state.registers, &draw);
    if (draw.depth >= PSX_DEPTH_15 ||
        !psx_clut_key_latch(&latched, psx_registers_palette(&walk->at.state.registers, draw.clut),
                            draw.depth))
        return;
    cells = palette_cells(&latched);
    identities->palette[1] = mix_cells(identities, &cells, 1);
    cells.columns = 1;
    identities->palette[0] = mix_cells(identities, &cells, 1);
}

void psx_texture_identity_step(struct psx_texture_identity *identities, const struct psx_walk *walk,
                               const struct psx_step *step)
{
    const struct psx_state *state = &walk->at.state;
    struct psx_draw draw;

    if (step->kind != PSX_STEP_GP0)
        return;
    identities->lines = psx_registers_lines(&state->registers);
    if (step->event.type == GP0_EVENT_DATA)
        follow_upload(identities, state, &step->event);
    if (step->event.type != GP0_EVENT_COMMAND ||
        !psx_kind_draws(psx_gp0_table[step->event.op].kind))
        return;
    psx_draw_decode(&step->event, &state->registers, &draw);
    if (draw.kind == GP0_FILL)
        follow_fill(identities, &draw, &state->registers);
    else if (draw.kind == GP0_COPY)
        follow_copy(identities, &draw, state->registers.e[6]);
    else if (draw.kind == GP0_POLYLINE)
        follow_polyline(identities, &state->registers);
    else
        follow_draw(identities, &draw, &state->registers);
}

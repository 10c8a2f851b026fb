/* SPDX-License-Identifier: MIT */
#include "formats/psx/gpu/state.h"

#include "formats/psx/gpu/draw.h"

#include <string.h>

void psx_state_reset(struct psx_state *state, enum psx_gpu_model model)
{
    memset(state, 0, sizeof(*state));
    psx_registers_reset(&state->registers, model);
    psx_gp0_parser_reset(&state->parser);
}

/* An upload is counted in halfwords, a read in words. */
static bool is_transfer_sound(const struct psx_transfer *transfer, bool in_words)
{
    uint32_t total = (uint32_t)transfer->width * transfer->height;

    if (transfer->total == 0)
        return transfer->done == 0;
    return transfer->x < PSX_VRAM_WIDTH && transfer->y < PSX_VRAM_HEIGHT_MAX &&
           transfer->width <= PSX_VRAM_WIDTH && transfer->height <= PSX_VRAM_HEIGHT &&
           transfer->total == (in_words ? (total + 1) / 2 : total) &&
           transfer->done < transfer->total;
}

/* Checks the parser, and that there is an upload as long as data is to come. */
static bool is_parser_sound(const struct psx_gp0_parser *parser, const struct psx_transfer *upload)
{
    const struct psx_gp0_info *info = &psx_gp0_table[parser->op];

    if (parser->have > parser->need || parser->need > GP0_WORDS_MAX ||
        (parser->phase != GP0_PHASE_UPLOAD && upload->total != 0))
        return false;
    switch (parser->phase) {
    case GP0_PHASE_IDLE:
        return parser->have == 0;
    case GP0_PHASE_COMMAND:
        return parser->need == info->words && parser->have < parser->need;
    case GP0_PHASE_POLYLINE:
        return info->kind == GP0_POLYLINE && parser->have < parser->need &&
               parser->need == (parser->op & GP0_GOURAUD ? 2 : 1);
    case GP0_PHASE_UPLOAD:
        return info->kind == GP0_UPLOAD && upload->total != 0 &&
               parser->due == (upload->total + 1) / 2 - upload->done / 2;
    default:
        return false;
    }
}

bool psx_state_is_sound(const struct psx_state *state, enum psx_gpu_model model)
{
    const struct psx_clut_key *clut = &state->clut;

    return psx_registers_are_sound(&state->registers, model) &&
           is_parser_sound(&state->parser, &state->upload) &&
           is_transfer_sound(&state->upload, false) && is_transfer_sound(&state->read, true) &&
           (clut->entries == 0 || clut->entries == 16 || clut->entries == 256);
}

uint16_t psx_state_clut_id(const struct psx_state *state, const struct psx_gp0_event *event)
{
    return psx_registers_palette(&state->registers, event->words[2] >> 16);
}

/*
 * Returns the page attribute. It is in vertex 1's texel word; a gouraud vertex has a colour word
 * before it.
 */
static uint32_t page_attribute(const struct psx_gp0_event *event)
{
    return event->words[event->op & GP0_GOURAUD ? 5 : 4] >> 16;
}

uint32_t psx_state_page(const struct psx_state *state, const struct psx_gp0_event *event)
{
    bool polygon = psx_gp0_table[event->op].kind == GP0_POLYGON;

    return psx_registers_page_bits(&state->registers,
                                   polygon ? page_attribute(event) : state->registers.e[1]);
}

static void apply_texture(struct psx_state *state, const struct psx_gp0_event *event, bool polygon)
{
    if (!(event->op & GP0_TEXTURED))
        return;
    if (polygon)
        psx_registers_texture_page(&state->registers, page_attribute(event));
    psx_clut_key_latch(&state->clut, psx_state_clut_id(state, event),
                       state->registers.e[1] >> 7 & 3);
}

/* Keeps the last vertex, and its colour, for the next one. */
static void keep_vertex(struct psx_state *state, const struct psx_gp0_event *event)
{
    if (event->type == GP0_EVENT_COMMAND)
        state->last_vertex[0] = event->words[event->op & GP0_GOURAUD ? 2 : 0] & 0xFFFFFF;
    else if (event->op & GP0_GOURAUD)
        state->last_vertex[0] = event->words[0] & 0xFFFFFF;
    state->last_vertex[1] = event->words[event->count - 1];
}

static void open_transfer(struct psx_transfer *transfer, const struct psx_gp0_event *event)
{
    uint32_t place = event->words[1];

    transfer->x = place & 0x3FF;
    transfer->y = place >> 16 & 0x3FF;
    transfer->width = (uint16_t)gp0_transfer_width(event->words[2]);
    transfer->height = (uint16_t)gp0_transfer_height(event->words[2]);
    transfer->done = 0;
    transfer->total = (uint32_t)transfer->width * transfer->height;
}

static void apply_command(struct psx_state *state, const struct psx_gp0_event *event)
{
    const uint32_t e1 = state->registers.e[1];

    switch (psx_gp0_table[event->op].kind) {
    case GP0_CLEAR_CACHE:
        state->clut.entries = 0;
        state->texel_run++;
        break;
    case GP0_COPY:
        state->texel_run++;
        break;
    case GP0_IRQ:
        state->registers.irq = true;
        break;
    case GP0_POLYGON:
        apply_texture(state, event, true);
        break;
    case GP0_RECTANGLE:
        apply_texture(state, event, false);
        break;
    case GP0_POLYLINE:
        keep_vertex(state, event);
        break;
    case GP0_UPLOAD:
        open_transfer(&state->upload, event);
        state->texel_run++;
        break;
    case GP0_READ:
        open_transfer(&state->read, event);
        state->read.total = (state->read.total + 1) / 2;
        state->texel_run++;
        break;
    case GP0_ENVIRONMENT:
        psx_registers_environment(&state->registers, event->words[0]);
        break;
    default:
        break;
    }
    if (psx_page_drops_texels(e1, state->registers.e[1]))
        state->texel_run++;
}

void psx_state_gp0(struct psx_state *state, const struct psx_gp0_event *event)
{
    switch (event->type) {
    case GP0_EVENT_COMMAND:
        apply_command(state, event);
        break;
    case GP0_EVENT_SEGMENT:
        keep_vertex(state, event);
        break;
    case GP0_EVENT_POLYLINE_END:
        memset(state->last_vertex, 0, sizeof(state->last_vertex));
        break;
    case GP0_EVENT_DATA:
        state->upload.done += 2 * event->data_words;
        if (event->data_last)
            memset(&state->upload, 0, sizeof(state->upload));
        break;
    case GP0_EVENT_NONE:
        break;
    }
}

void psx_state_segment(const struct psx_state *state, const struct psx_gp0_event *segment,
                       struct psx_gp0_event *line)
{
    const uint32_t *from = state->last_vertex;

    *line = (struct psx_gp0_event){
        .type = GP0_EVENT_COMMAND,
        .op = segment->op,
        .count = psx_gp0_table[segment->op].words,
        .words = {from[0], from[1], segment->words[0], segment->words[segment->count - 1]},
    };
}

void psx_state_gp1(struct psx_state *state, uint32_t word)
{
    if ((word >> 24 & 0x3F) <= 1) {
        psx_gp0_parser_reset(&state->parser);
        memset(&state->upload, 0, sizeof(state->upload));
        memset(&state->read, 0, sizeof(state->read));
        memset(state->last_vertex, 0, sizeof(state->last_vertex));
        state->clut.entries = 0;
    }
    if ((word >> 24 & 0x3F) == 0)
        state->texel_run++;
    psx_registers_gp1(&state->registers, word);
}

uint32_t psx_state_read_left(const struct psx_state *state)
{
    return state->read.total - state->read.done;
}

uint32_t psx_state_read(struct psx_state *state, uint32_t words)
{
    uint32_t left = psx_state_read_left(state);
    uint32_t taken = words < left ? words : left;

    state->read.done += taken;
    if (state->read.done == state->read.total)
        memset(&state->read, 0, sizeof(state->read));
    return taken;
}

bool psx_state_ignores_mask(const struct psx_state *state)
{
    return state->restoring && state->upload.width == PSX_VRAM_WIDTH &&
           state->upload.height == PSX_VRAM_HEIGHT;
}

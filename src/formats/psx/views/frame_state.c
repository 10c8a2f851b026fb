/*
 * state.txt: the registers as raw words, then taken apart, then the caches and
 * the parser. All of it is a checkpoint of the index.
 */
#include "formats/psx/views/frames.h"

#include "formats/psx/gpu/state.h"
#include "formats/psx/views/format_command.h"

#include <errno.h>
#include <inttypes.h>

static void add_u32(struct text *text, const char *key, uint32_t value)
{
    text_field(text, key, "%" PRIu32, value);
}

static void add_pair(struct text *text, const char *key, int a, int b)
{
    text_field(text, key, "%d,%d", a, b);
}

static void add_raw(const struct psx_state *state, struct text *text)
{
    const struct psx_registers *registers = &state->registers;
    const struct psx_display *display = &registers->display;
    const uint32_t gp1[] = {display->off,
                            display->dma,
                            display->start,
                            display->x,
                            display->y,
                            display->mode,
                            registers->allow_texture_disable};
    bool reading = psx_state_read_left(state) > 0;

    text_field(text, "gpustat", "0x%08" PRIX32, psx_registers_status(registers, reading));
    text_field(text, "gpuread", "0x%08" PRIX32, registers->gpuread);
    for (unsigned i = 1; i <= 6; i++)
        text_printf(text, "e%u: 0x%08" PRIX32 "\n", i, (0xE0 | i) << 24 | registers->e[i]);
    for (unsigned i = 0; i < 7; i++)
        text_printf(text, "gp1_%02X: 0x%08" PRIX32 "\n", i + 3, (i + 3) << 24 | gp1[i]);
}

static void add_environment(const struct psx_registers *registers, struct text *text)
{
    static const uint8_t depths[4] = {4, 8, 15, 15};
    struct psx_area area = psx_registers_area(registers);
    uint32_t e1 = registers->e[1], e2 = registers->e[2];
    int x, y;

    psx_registers_offset(registers, &x, &y);
    add_u32(text, "page", e1 & 0x1F);
    add_u32(text, "depth", depths[e1 >> 7 & 3]);
    add_u32(text, "blend", e1 >> 5 & 3);
    add_u32(text, "dither", e1 >> 9 & 1);
    add_u32(text, "draw_to_display", e1 >> 10 & 1);
    add_u32(text, "texture_disable", e1 >> 11 & 1);
    add_pair(text, "rect_flip", e1 >> 12 & 1, e1 >> 13 & 1);
    add_pair(text, "window_mask", 8 * (e2 & 0x1F), 8 * (e2 >> 5 & 0x1F));
    add_pair(text, "window_offset", 8 * (e2 >> 10 & 0x1F), 8 * (e2 >> 15 & 0x1F));
    text_field(text, "area", "%d,%d,%d,%d", area.x0, area.y0, area.x1, area.y1);
    add_pair(text, "offset", x, y);
    add_u32(text, "mask_set", registers->e[6] & 1);
    add_u32(text, "mask_check", registers->e[6] >> 1 & 1);
}

static void add_display(const struct psx_registers *registers, struct text *text)
{
    const struct psx_display *display = &registers->display;

    add_u32(text, "display_on", !display->off);
    add_pair(text, "display_start", display->start & 0x3FF, display->start >> 10 & 0x1FF);
    add_pair(text, "display_x", display->x & 0xFFF, display->x >> 12 & 0xFFF);
    add_pair(text, "display_y", display->y & 0x3FF, display->y >> 10 & 0x3FF);
    add_u32(text, "hres", psx_mode_columns(display->mode));
    add_u32(text, "vres", display->mode >> 2 & 1 ? 480 : 240);
    text_field(text, "video", "%s", display->mode >> 3 & 1 ? "PAL" : "NTSC");
    add_u32(text, "display_depth", display->mode >> 4 & 1 ? 24 : 15);
    add_u32(text, "interlace", display->mode >> 5 & 1);
    add_u32(text, "field", registers->field);
    add_u32(text, "dma_direction", display->dma);
    add_u32(text, "irq", registers->irq);
    add_u32(text, "allow_texture_disable", registers->allow_texture_disable);
}

/* Words received and due of the command in progress; of an open polyline, of its next vertex. */
static void add_command(const struct psx_state *state, struct text *text)
{
    const struct gp0_parser *parser = &state->parser;
    uint32_t received = parser->have;
    uint32_t due = (uint32_t)parser->need - parser->have;

    if (parser->phase == GP0_PHASE_IDLE) {
        text_field(text, "command", "none");
        return;
    }
    if (parser->phase == GP0_PHASE_UPLOAD) {
        received = psx_gp0_table[parser->op].words + state->upload.done / 2;
        due = parser->due;
    }
    text_field(text, "command", "%02X received=%" PRIu32 " due=%" PRIu32 "%s", parser->op, received,
               due, parser->phase == GP0_PHASE_POLYLINE ? " open=1" : "");
}

static void add_transfer(const char *name, const struct psx_transfer *transfer, uint32_t done,
                         uint32_t total, struct text *text)
{
    text_field(text, "transfer", "%s at=%u,%u size=%u,%u done=%" PRIu32 " left=%" PRIu32, name,
               transfer->x, transfer->y, transfer->width, transfer->height, done, total - done);
}

/* In words; an upload is counted in halfwords while it goes on. */
static void add_transfers(const struct psx_state *state, struct text *text)
{
    const struct psx_transfer *upload = &state->upload, *read = &state->read;

    if (upload->total > 0)
        add_transfer("upload", upload, upload->done / 2, (upload->total + 1) / 2, text);
    if (read->total > 0)
        add_transfer("read", read, read->done, read->total, text);
    if (upload->total == 0 && read->total == 0)
        text_field(text, "transfer", "none");
}

static void write_state(const struct psx_state *state, struct text *text)
{
    add_raw(state, text);
    add_environment(&state->registers, text);
    add_display(&state->registers, text);
    if (state->clut.entries > 0)
        text_field(text, "clut_cache", "%04X %u", state->clut.id, state->clut.entries);
    else
        text_field(text, "clut_cache", "invalid");
    add_command(state, text);
    add_transfers(state, text);
}

int psx_frame_state(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                    struct text *text)
{
    struct psx_index *index = &psx_dump_of(dump)->index;
    struct psx_parser_state checkpoint;
    int status =
        psx_index_shows(index, frame) ? psx_index_wait_frame(index, frame, cancel) : -ENOENT;

    if (status != 0)
        return status;
    psx_index_frame_checkpoint(index, frame + 1, &checkpoint);
    checkpoint.state.registers.field = index->frames[frame].field;
    write_state(&checkpoint.state, text);
    return 0;
}

int psx_initial_state(struct dump *dump, const struct cancel *cancel, struct text *text)
{
    struct psx_index *index = &psx_dump_of(dump)->index;
    struct psx_parser_state checkpoint;

    if (index->begin_packet == PSX_NO_PACKET)
        return -ENOENT;

    int status = psx_index_wait_packet(index, index->begin_packet, cancel);

    if (status != 0)
        return status;
    psx_index_frame_checkpoint(index, 0, &checkpoint);
    write_state(&checkpoint.state, text);
    return 0;
}

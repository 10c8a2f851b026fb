/* SPDX-License-Identifier: MIT */
#include "formats/psx/views/commands.h"

#include "base/bytes.h"
#include "formats/psx/gpu/state.h"
#include "formats/psx/information.h"

#include <inttypes.h>
#include <string.h>

static const char *const depth_names[] = {
    [PSX_DEPTH_4] = "4",
    [PSX_DEPTH_8] = "8",
    [PSX_DEPTH_15] = "15",
    [PSX_DEPTH_NONE] = "-",
};

/* Operands `key=value`, each with a blank before it. */

static void add_key(struct text *text, const char *key)
{
    text_add_char(text, ' ');
    text_add(text, key);
    text_add_char(text, '=');
}

static void add_number(struct text *text, const char *key, uint64_t value)
{
    add_key(text, key);
    text_add_u64(text, value);
}

static void add_pair(struct text *text, const char *key, int64_t a, int64_t b)
{
    add_key(text, key);
    text_add_i64(text, a);
    text_add_char(text, ',');
    text_add_i64(text, b);
}

/* Writes RRGGBB. The word has R in its low byte. */
static void add_rgb(struct text *text, uint32_t colour)
{
    text_add_hex(text, (colour & 0xFF) << 16 | (colour & 0xFF00) | (colour >> 16 & 0xFF), 6);
}

static void add_box(struct text *text, enum psx_cull cull, const struct psx_box *box)
{
    static const char *const reasons[] = {
        [PSX_CULL_NO] = "",
        [PSX_CULL_SIZE] = "size",
        [PSX_CULL_CLIP] = "clip",
        [PSX_CULL_EMPTY] = "empty",
    };

    if (cull != PSX_CULL_NO) {
        add_key(text, "cull");
        text_add(text, reasons[cull]);
        return;
    }
    add_pair(text, "box", box->x, box->y);
    text_add_char(text, ',');
    text_add_i64(text, box->width);
    text_add_char(text, ',');
    text_add_i64(text, box->height);
}

static void add_vertices(struct text *text, const struct psx_vertex *vertices, unsigned count)
{
    add_key(text, "v");
    for (unsigned i = 0; i < count; i++) {
        if (i > 0)
            text_add_char(text, '/');
        text_add_i64(text, vertices[i].x);
        text_add_char(text, ',');
        text_add_i64(text, vertices[i].y);
    }
}

static void add_colours(struct text *text, const struct psx_vertex *vertices, unsigned count)
{
    add_key(text, "rgb");
    for (unsigned i = 0; i < count; i++) {
        if (i > 0)
            text_add_char(text, '/');
        add_rgb(text, vertices[i].colour);
    }
}

/* A rectangle has no page in its own words: its page is that of E1. */
static void add_texture(struct text *text, const struct psx_draw *draw, bool as_sent)
{
    const bool has_page = !as_sent || draw->kind == GP0_POLYGON;

    add_key(text, "uv");
    for (unsigned i = 0; i < draw->vertex_count; i++) {
        if (i > 0)
            text_add_char(text, '/');
        text_add_u64(text, draw->vertex[i].u);
        text_add_char(text, ',');
        text_add_u64(text, draw->vertex[i].v);
    }
    if (has_page)
        add_number(text, "page", draw->page);
    add_key(text, "clut");
    if (draw->depth == PSX_DEPTH_15 && !as_sent)
        text_add(text, "none");
    else
        text_add_hex(text, draw->clut, 4);
    if (!has_page)
        return;
    add_key(text, "depth");
    text_add(text, depth_names[draw->depth]);
}

static void add_blend(struct text *text, const struct psx_draw *draw, bool as_sent)
{
    const bool own = draw->kind == GP0_POLYGON && draw->textured;

    if (as_sent && !own) {
        if (draw->semi)
            add_number(text, "semi", 1);
        return;
    }
    if (draw->semi || (as_sent && draw->blend != 0))
        add_number(text, "blend", draw->blend);
    if (!draw->semi && as_sent && draw->blend != 0)
        add_number(text, "semi", 0);
}

/* Writes the operands of polygons, single lines and rectangles. */
static void add_shape(struct text *text, const struct psx_draw *draw,
                      const struct psx_command *command)
{
    struct psx_box box;

    add_vertices(text, draw->vertex, draw->vertex_count);
    if (draw->kind == GP0_RECTANGLE)
        add_pair(text, "size", draw->width, draw->height);
    add_colours(text, draw->vertex, draw->gouraud ? draw->vertex_count : 1);
    if (draw->textured)
        add_texture(text, draw, command->as_sent);
    add_blend(text, draw, command->as_sent);
    if (draw->raw)
        add_number(text, "raw", 1);
    if (!command->as_sent)
        add_box(text, psx_draw_box(draw, &command->registers, &box), &box);
}

static void merge_box(struct psx_polyline *polyline, const struct psx_registers *registers)
{
    struct psx_box box;
    enum psx_cull cull = psx_draw_box(&polyline->draw, registers, &box);

    if (polyline->vertices == 2)
        polyline->cull = cull;
    else if (cull == PSX_CULL_NO || (cull == PSX_CULL_CLIP && polyline->cull == PSX_CULL_SIZE))
        polyline->cull = cull == PSX_CULL_NO ? PSX_CULL_NO : PSX_CULL_CLIP;
    psx_box_add(&polyline->box, &box, psx_display_lines(&registers->display));
}

void psx_polyline_begin(struct psx_polyline *polyline, const struct psx_gp0_event *event,
                        const struct psx_registers *registers)
{
    psx_draw_decode(event, registers, &polyline->draw);
    memcpy(polyline->listed, polyline->draw.vertex, 2 * sizeof(polyline->listed[0]));
    polyline->vertices = 2;
    polyline->box = (struct psx_box){0};
    merge_box(polyline, registers);
}

void psx_polyline_add(struct psx_polyline *polyline, const struct psx_gp0_event *event,
                      const struct psx_registers *registers)
{
    psx_draw_next_segment(event, &polyline->draw);
    if (polyline->vertices < PSX_POLYLINE_LISTED)
        polyline->listed[polyline->vertices] = polyline->draw.vertex[1];
    polyline->vertices++;
    merge_box(polyline, registers);
}

static void add_polyline(struct text *text, const struct psx_command *command)
{
    const struct psx_polyline *polyline = command->polyline;
    bool all = polyline->vertices <= PSX_POLYLINE_LISTED;
    unsigned listed = all ? (unsigned)polyline->vertices : PSX_POLYLINE_LISTED;

    add_vertices(text, polyline->listed, listed);
    add_colours(text, polyline->listed, polyline->draw.gouraud ? listed : 1);
    if (!all)
        add_number(text, "more", polyline->vertices - listed);
    add_blend(text, &polyline->draw, command->as_sent);
    if (command->ending != PSX_ENDING_COMPLETE)
        add_number(text, command->ending == PSX_ENDING_ABORTED ? "aborted" : "open", 1);
    if (!command->as_sent)
        add_box(text, polyline->cull, &polyline->box);
}

static void add_fill(struct text *text, const struct psx_draw *draw, bool as_sent)
{
    add_pair(text, "to", draw->x, draw->y);
    add_pair(text, "size", draw->width, draw->height);
    add_key(text, "rgb");
    add_rgb(text, draw->vertex[0].colour);
    if (!as_sent && (draw->width == 0 || draw->height == 0))
        add_box(text, PSX_CULL_EMPTY, NULL);
}

static void add_copy(struct text *text, const struct psx_draw *draw)
{
    add_pair(text, "from", draw->from_x, draw->from_y);
    add_pair(text, "to", draw->x, draw->y);
    add_pair(text, "size", draw->width, draw->height);
}

static uint32_t transfer_words(const struct psx_draw *draw)
{
    return (draw->width * draw->height + 1) / 2;
}

static void add_transfer(struct text *text, const struct psx_draw *draw, bool as_sent)
{
    add_pair(text, draw->kind == GP0_UPLOAD ? "to" : "from", draw->x, draw->y);
    add_pair(text, "size", draw->width, draw->height);
    if (!as_sent)
        add_number(text, "words", transfer_words(draw));
}

static void add_texpage(struct text *text, uint32_t word, const struct psx_registers *registers)
{
    add_number(text, "page", psx_page_of(psx_registers_page_bits(registers, word)));
    add_key(text, "depth");
    text_add(text, depth_names[(word >> 7 & 3) > PSX_DEPTH_15 ? PSX_DEPTH_15 : word >> 7 & 3]);
    add_number(text, "blend", word >> 5 & 3);
    add_number(text, "dither", word >> 9 & 1);
    add_number(text, "todisplay", word >> 10 & 1);
    add_pair(text, "flip", word >> 12 & 1, word >> 13 & 1);
    if (word >> 11 & 1)
        add_number(text, "texture-disable", 1);
}

static void add_environment(struct text *text, uint32_t word, const struct psx_registers *registers)
{
    switch (word >> 24) {
    case 0xE1:
        add_texpage(text, word, registers);
        break;
    case 0xE2:
        add_pair(text, "mask", (word & 0x1F) * 8, (word >> 5 & 0x1F) * 8);
        add_pair(text, "offset", (word >> 10 & 0x1F) * 8, (word >> 15 & 0x1F) * 8);
        break;
    case 0xE3:
    case 0xE4:
        add_pair(text, "at", word & 0x3FF,
                 word >> 10 & (registers->model == PSX_GPU_FIRST ? 0x1FF : 0x3FF));
        break;
    case 0xE5:
        add_pair(text, "by", psx_sign11(word), psx_sign11(word >> 11));
        break;
    default:
        add_number(text, "set", word & 1);
        add_number(text, "check", word >> 1 & 1);
        break;
    }
}

static void add_operands(struct text *text, const struct psx_command *command)
{
    struct psx_draw draw;

    psx_draw_decode(&command->event, &command->registers, &draw);
    switch (draw.kind) {
    case GP0_POLYGON:
    case GP0_LINE:
    case GP0_RECTANGLE:
        add_shape(text, &draw, command);
        break;
    case GP0_POLYLINE:
        add_polyline(text, command);
        break;
    case GP0_FILL:
        add_fill(text, &draw, command->as_sent);
        break;
    case GP0_COPY:
        add_copy(text, &draw);
        break;
    case GP0_UPLOAD:
    case GP0_READ:
        add_transfer(text, &draw, command->as_sent);
        break;
    case GP0_ENVIRONMENT:
        add_environment(text, command->event.words[0], &command->registers);
        break;
    case GP0_UNKNOWN:
        add_key(text, "word");
        text_add_hex(text, command->event.words[0], 8);
        break;
    default:
        break;
    }
}

/* Writes a command that lacks words. Of an upload, the words that were received have been drawn. */
static void add_rest(struct text *text, const struct psx_command *command)
{
    text_add(text, command->ending == PSX_ENDING_ABORTED ? "aborted" : "incomplete");
    add_number(text, "got", command->got);
    add_number(text, "need", command->need);
    if (command->carried_out)
        add_operands(text, command);
}

void psx_format_gp0(struct text *text, const struct psx_command *command)
{
    bool is_open_polyline = command->carried_out && psx_gp0_table[command->op].kind == GP0_POLYLINE;

    if (command->ending != PSX_ENDING_COMPLETE && !is_open_polyline) {
        add_rest(text, command);
        return;
    }
    text_add(text, psx_gp0_table[command->op].name);
    add_operands(text, command);
}

uint32_t psx_mode_columns(uint32_t mode)
{
    static const uint16_t columns[4] = {256, 320, 512, 640};

    return mode >> 6 & 1 ? 368 : columns[mode & 3];
}

static void add_mode(struct text *text, uint32_t mode)
{
    add_number(text, "hres", psx_mode_columns(mode));
    add_number(text, "vres", mode >> 2 & 1 ? 480 : 240);
    add_key(text, "video");
    text_add(text, mode >> 3 & 1 ? "PAL" : "NTSC");
    add_number(text, "depth", mode >> 4 & 1 ? 24 : 15);
    add_number(text, "interlace", mode >> 5 & 1);
}

void psx_format_gp1(struct text *text, uint32_t word, const struct psx_registers *registers)
{
    uint32_t command = word >> 24 & 0x3F;
    uint32_t operand = word & 0xFFFFFF;
    const char *name = psx_gp1_table[command].name;

    text_add(text, name != NULL ? name : "unknown");
    switch (command) {
    case 0x03:
        add_number(text, "on", !(operand & 1));
        break;
    case 0x04:
        add_number(text, "dir", operand & 3);
        break;
    case 0x05:
        add_pair(text, "at", operand & PSX_START_BITS & 0x3FF,
                 operand >> 10 & (psx_display_lines(&registers->display) - 1));
        break;
    case 0x06:
        add_number(text, "x1", operand & 0xFFF);
        add_number(text, "x2", operand >> 12 & 0xFFF);
        break;
    case 0x07:
        add_number(text, "y1", operand & 0x3FF);
        add_number(text, "y2", operand >> 10 & 0x3FF);
        break;
    case 0x08:
        add_mode(text, operand);
        break;
    case 0x09:
        add_number(text, "on", operand & 1);
        break;
    default:
        if (command >= 0x10 && command <= 0x1F)
            add_number(text, "index", operand & 0xF);
        else if (name == NULL) {
            add_key(text, "word");
            text_add_hex(text, word, 8);
        }
        break;
    }
}

static void add_cycles(struct text *text, const struct psx_packet *packet)
{
    uint64_t cycles = packet->words > 0 ? bytes_le32(packet->payload) : 0;

    add_key(text, "cycles");
    if (packet->words > 1)
        cycles |= (uint64_t)bytes_le32(packet->payload + 4) << 32;
    if (packet->words > 0)
        text_add_u64(text, cycles);
    else
        text_add_char(text, '-');
}

void psx_format_event(struct text *text, const struct psx_packet *packet)
{
    text_add(text, psx_packet_name(packet->type));
    switch (packet->type) {
    case PSX_PACKET_VSYNC:
        add_cycles(text, packet);
        break;
    case PSX_PACKET_DISCARD:
    case PSX_PACKET_READBACK:
        add_key(text, "words");
        if (packet->words > 0)
            text_add_u64(text, bytes_le32(packet->payload));
        else
            text_add_char(text, '-');
        break;
    default:
        break;
    }
}

void psx_format_information(struct text *text, const struct psx_packet *packet,
                            enum psx_magic magic)
{
    uint32_t version = packet->words > 0 ? bytes_le32(packet->payload) : 0;
    const char *name = psx_packet_name(packet->type);

    if (name == NULL) {
        text_field(text, "type", "0x%02X", packet->type);
        text_field(text, "words", "%" PRIu32, packet->words);
    } else if (packet->type == PSX_PACKET_VERSION) {
        text_field(text, "gpu_version", "%" PRIu32 " (%s)", version,
                   psx_version_meaning(magic, version));
    } else if (packet->type >= PSX_PACKET_GAME) {
        text_add(text, name);
        text_add(text, ": ");
        text_add_escaped(text, packet->payload, psx_packet_string(packet));
        text_add_char(text, '\n');
    }
}

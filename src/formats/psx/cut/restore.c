/* SPDX-License-Identifier: MIT */
/*
 * State that only drawing produces is restored by drawing. The palette: it is uploaded, a pixel is
 * drawn with it, and the contents of video memory are uploaded after that. The texel cache: video
 * memory is uploaded as the cache knows it, one texel of each line is drawn, and where memory has
 * changed since, pixels are drawn over it, which does not update the cache. A packet of no-ops
 * makes the length independent of what is drawn.
 */
#include "formats/psx/cut/restore.h"

#include "base/bytes.h"
#include "formats/psx/gpu/pixel.h"
#include "formats/psx/gpu/texel_cache.h"
#include "formats/psx/gpu/texel_trace.h"
#include "formats/psx/information.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    HEADER = 4,          /* bytes in a packet's header */
    UPLOAD_HEADER = 3,   /* words in the command of an upload or a read */
    COMMENT_WORDS = 192, /* words in the comment, whatever it says */
    PLACES = PSX_TEXEL_LINES,
    /*
     * Words for all that is drawn, for registers, and for the no-ops: for each texel line a sample
     * of 4 words and 4 pixels of 3 words, which leaves 1024 for the palette and everything else.
     */
    DRAWN_WORDS = 5 << 10,
    HIGH_LINES = 9,    /* a GP1 command */
    PIXEL_RECT = 0x68, /* one pixel of one colour; TEXEL_RECT is the same with a raw texel */
    TEXEL_RECT = 0x6D,
    E1_HIGH = 1 << 11,
};

#define GP0(out, ...) PACKET(out, PSX_PACKET_GP0, __VA_ARGS__)
#define PACKET(out, type, ...)                                                                     \
    psx_packet_write(out, type, (const uint32_t[]){__VA_ARGS__},                                   \
                     sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static void write_gp1(struct text *out, unsigned command, uint32_t operand)
{
    PACKET(out, PSX_PACKET_GP1, (uint32_t)command << 24 | operand);
}

static void write_halfwords(struct text *out, const uint16_t *halfwords, size_t count)
{
    uint8_t bytes[2 * PSX_VRAM_WIDTH];

    for (size_t run; count > 0; count -= run, halfwords += run) {
        run = count < PSX_VRAM_WIDTH ? count : PSX_VRAM_WIDTH;
        psx_halfwords_store(bytes, halfwords, run);
        text_add_bytes(out, (const char *)bytes, 2 * run);
    }
}

/* What is restored, and what of the GPU it is taken from. */
struct restoring {
    const struct psx_restore *restore;
    struct psx_gpu gpu; /* a copy with the state to restore; shares all memory */
    uint16_t *vram;     /* as the texel cache knows it, which is how it is uploaded */
    bool has_texels;
    struct psx_texel_lines texels; /* lines without a tag are empty, or are not restored */
    const char *lost;              /* what cannot be restored; NULL if everything can */
};

static bool has_second_half(const struct psx_restore *restore)
{
    return restore->index->vram_lines > PSX_VRAM_HEIGHT;
}

/*
 * Writes the game and video packets that are copied, at most one of each, unless `out` is NULL.
 * Returns their length in bytes. If another program is writing to the file, they may be others by
 * now.
 */
static uint64_t write_strings(const struct psx_restore *restore, struct text *out)
{
    const struct psx_index *index = restore->index;
    bool taken[2] = {false, false};
    uint64_t bytes = 0;
    struct psx_packet packet;

    for (unsigned i = 0; i < index->string_count; i++) {
        if (index->strings[i].packet >= restore->packet ||
            !psx_packet_read(index->data, index->size, index->strings[i].offset, &packet) ||
            packet.type < PSX_PACKET_GAME || packet.type > PSX_PACKET_VIDEO ||
            packet.words > PSX_STRING_MAX / 4 || packet.words < packet.announced ||
            taken[packet.type - PSX_PACKET_GAME])
            continue;
        taken[packet.type - PSX_PACKET_GAME] = true;
        bytes += HEADER + 4 * (uint64_t)packet.words;
        if (out == NULL)
            continue;
        psx_packet_header_write(out, packet.type, packet.words);
        text_add_bytes(out, (const char *)packet.payload, 4 * (size_t)packet.words);
    }
    return bytes;
}

static void write_comment(const struct restoring *restoring, struct text *out)
{
    const struct psx_index *index = restoring->restore->index;
    char comment[4 * COMMENT_WORDS] = "";

    snprintf(comment, sizeof(comment), "%s%s%s%s%s", restoring->restore->origin,
             restoring->lost != NULL ? "; not restored: " : "",
             restoring->lost != NULL ? restoring->lost : "",
             index->field_option == PSX_FIELD_BOTH ? "; to be replayed with field=both" : "",
             index->texel_cache ? "" : "; to be replayed with psx-texel-cache=off");
    psx_packet_header_write(out, PSX_PACKET_COMMENT, COMMENT_WORDS);
    text_add_bytes(out, comment, sizeof(comment));
}

/* Sets an environment without window, offset and mask, and with all of memory as drawing area. */
static void write_plain_environment(const struct psx_restore *restore, uint32_t e1,
                                    struct text *out)
{
    GP0(out, 0xE1000000 | e1, 0xE2000000, 0xE3000000,
        0xE4000000 | (PSX_VRAM_WIDTH - 1) | (restore->index->vram_lines - 1) << 10, 0xE5000000,
        0xE6000000);
}

/* Writes the header of an upload. All lines of memory must be addressable. */
static void write_upload_header(uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                                struct text *out)
{
    psx_packet_header_write(out, PSX_PACKET_GP0, UPLOAD_HEADER + (width * height + 1) / 2);
    text_add_le32(out, 0xA0000000);
    text_add_le32(out, y << 16 | x);
    text_add_le32(out, height << 16 | width);
}

/* Restores the open read: its data is what it was then, and the same number of words is left. */
static void write_read(const struct restoring *restoring, struct text *out)
{
    const struct psx_transfer *read = &restoring->gpu.state.read;

    if (read->total == 0)
        return;
    write_gp1(out, HIGH_LINES, has_second_half(restoring->restore));
    write_upload_header(read->x, read->y, read->width, read->height, out);
    write_halfwords(out, restoring->gpu.read_data, 2 * (size_t)read->total);
    GP0(out, 0xC0000000, (uint32_t)read->y << 16 | read->x,
        (uint32_t)read->height << 16 | read->width);
    if (read->done > 0)
        PACKET(out, PSX_PACKET_DISCARD, read->done);
}

static uint64_t read_size(const struct psx_transfer *read)
{
    if (read->total == 0)
        return 0;
    return HEADER + 4 + 2 * (HEADER + 4 * UPLOAD_HEADER) + 4 * (uint64_t)read->total +
           (read->done > 0 ? HEADER + 4 : 0);
}

static void write_palette(const struct restoring *restoring, struct text *out)
{
    const struct psx_clut_key *key = &restoring->gpu.state.clut;
    const uint32_t depth = key->entries > 16 ? PSX_DEPTH_8 : PSX_DEPTH_4;

    if (key->entries == 0)
        return;
    write_gp1(out, HIGH_LINES, key->id >> 15);
    write_plain_environment(restoring->restore, depth << 7, out);
    write_upload_header((key->id & 0x3Fu) * 16, key->id >> 6, key->entries, 1, out);
    write_halfwords(out, restoring->gpu.clut, key->entries);
    GP0(out, (uint32_t)TEXEL_RECT << 24, 0, (uint32_t)key->id << 16);
}

static void write_vram(const struct restoring *restoring, struct text *out)
{
    const uint32_t halves = has_second_half(restoring->restore) ? 2 : 1;

    write_gp1(out, HIGH_LINES, halves - 1);
    write_plain_environment(restoring->restore, 0, out);
    for (uint32_t half = 0; half < halves; half++) {
        write_upload_header(0, half * PSX_VRAM_HEIGHT, PSX_VRAM_WIDTH, PSX_VRAM_HEIGHT, out);
        write_halfwords(out, restoring->vram + (size_t)half * PSX_VRAM_HEIGHT * PSX_VRAM_WIDTH,
                        (size_t)PSX_VRAM_HEIGHT * PSX_VRAM_WIDTH);
    }
}

/* The texel cache. */

/* How a line of the texel cache is sampled. */
struct sample {
    bool high; /* whether lines from 512 on must be addressable */
    uint32_t u, v;
};

static bool is_4_bit(const struct psx_state *state)
{
    return (state->registers.e[1] >> 7 & 3) == PSX_DEPTH_4;
}

/*
 * Finds a texel that loads a line of the cache. Returns false if there is none in the current page.
 * If the depth is not 4 bits, 15 bits are used, which reach everything that 8 bits reach.
 */
static bool find_sample(const struct psx_state *state, uint32_t line, struct sample *out)
{
    const uint32_t e1 = state->registers.e[1], lines = PSX_VRAM_WIDTH / PSX_TEXEL_LINE;
    const uint32_t x = line % lines * PSX_TEXEL_LINE, y = line / lines;
    const bool high_palette = state->clut.entries > 0 && state->clut.id >> 15;
    uint32_t page_y = (e1 >> 4 & 1) * 256;

    out->high = e1 & E1_HIGH ? y >= PSX_VRAM_HEIGHT : high_palette;
    if (is_4_bit(state) && high_palette && !out->high)
        return false; /* it would latch another palette */
    page_y += e1 & E1_HIGH && out->high ? PSX_VRAM_HEIGHT : 0;
    out->u = ((x - (e1 & 15) * 64) & (PSX_VRAM_WIDTH - 1)) * (is_4_bit(state) ? 4 : 1);
    out->v = y - page_y;
    return out->u < 256 && y >= page_y && out->v < 256;
}

/* Changes the copy of video memory to what the cache holds. */
static void apply_texels(struct restoring *restoring)
{
    struct psx_texel_lines *texels = &restoring->texels;
    struct sample sample;

    for (unsigned i = 0; i < PLACES; i++) {
        if (texels->tags[i] == 0)
            continue;
        if (find_sample(&restoring->gpu.state, texels->tags[i] - 1, &sample)) {
            memcpy(restoring->vram + (size_t)PSX_TEXEL_LINE * (texels->tags[i] - 1),
                   texels->lines[i], sizeof(texels->lines[i]));
            restoring->has_texels = true;
        } else {
            texels->tags[i] = 0;
            restoring->lost =
                "the texel cache: the current texture page does not reach all of its lines";
        }
    }
}

static void take_texels(struct restoring *restoring)
{
    psx_texel_trace_save(&restoring->gpu, &restoring->texels);
    if (restoring->texels.run == restoring->gpu.state.texel_run)
        apply_texels(restoring);
}

/* Finds a pixel to draw on, at the start of memory, in a line that the cache does not hold. */
static uint32_t find_canvas(const struct psx_texel_lines *texels)
{
    bool held[PLACES + 1] = {false};
    uint32_t line = 0;

    for (unsigned i = 0; i < PLACES; i++)
        if (texels->tags[i] > 0 && texels->tags[i] <= PLACES)
            held[texels->tags[i] - 1] = true;
    while (held[line])
        line++;
    return line * PSX_TEXEL_LINE;
}

static uint32_t place_of(uint32_t pixel)
{
    return pixel / PSX_VRAM_WIDTH << 16 | pixel % PSX_VRAM_WIDTH;
}

/* Draws one texel of each line, all onto the same pixel. */
static void write_samples(const struct restoring *restoring, uint32_t canvas, bool high,
                          struct text *out)
{
    const struct psx_state *state = &restoring->gpu.state;
    const uint32_t palette = state->clut.entries > 0 ? state->clut.id : 0;
    struct sample sample;

    write_gp1(out, HIGH_LINES, high);
    for (unsigned i = 0; i < PLACES; i++) {
        uint32_t tag = restoring->texels.tags[i];

        if (tag != 0 && find_sample(state, tag - 1, &sample) && sample.high == high)
            GP0(out, (uint32_t)TEXEL_RECT << 24, place_of(canvas),
                palette << 16 | sample.v << 8 | sample.u);
    }
}

static void write_pixel(uint32_t pixel, uint16_t colour, struct text *out)
{
    const uint32_t red = colour & 31, green = colour >> 5 & 31, blue = colour >> 10 & 31;

    GP0(out, (uint32_t)PIXEL_RECT << 24 | blue << 19 | green << 11 | red << 3, place_of(pixel));
}

/*
 * Draws what memory holds now over the lines as the cache knows them: the pixels whose bit 15 is
 * `mask`.
 */
static void write_changes(const struct restoring *restoring, uint32_t canvas, bool mask,
                          struct text *out)
{
    const uint16_t *vram = restoring->gpu.vram;

    GP0(out, 0xE6000000 | mask);
    if (vram[canvas] >> 15 == mask)
        write_pixel(canvas, vram[canvas], out);
    for (unsigned i = 0; i < PLACES; i++) {
        uint32_t pixel = PSX_TEXEL_LINE * (restoring->texels.tags[i] - 1);

        for (unsigned j = 0; restoring->texels.tags[i] != 0 && j < PSX_TEXEL_LINE; j++)
            if (vram[pixel + j] != restoring->vram[pixel + j] && vram[pixel + j] >> 15 == mask)
                write_pixel(pixel + j, vram[pixel + j], out);
    }
}

static void write_texels(const struct restoring *restoring, struct text *out)
{
    const struct psx_state *state = &restoring->gpu.state;
    const uint32_t depth = is_4_bit(state) ? PSX_DEPTH_4 : PSX_DEPTH_15;
    const uint32_t canvas = find_canvas(&restoring->texels);

    if (!restoring->has_texels)
        return;
    write_gp1(out, HIGH_LINES, (state->registers.e[1] & E1_HIGH) != 0);
    GP0(out, 0xE1000000 | (state->registers.e[1] & (E1_HIGH | 0x1F)) | depth << 7);
    write_samples(restoring, canvas, false, out);
    write_samples(restoring, canvas, true, out);
    write_gp1(out, HIGH_LINES, has_second_half(restoring->restore));
    write_changes(restoring, canvas, false, out);
    write_changes(restoring, canvas, true, out);
    if (state->clut.entries == 0 && is_4_bit(state))
        write_gp1(out, 1, 0); /* drops the palette but not the cache */
}

/* E1's bit 11 is kept only while lines from 512 on are addressable. GPUREAD is set by way of E5. */
static void write_registers(const struct psx_registers *registers, struct text *out)
{
    const struct psx_display *display = &registers->display;

    write_gp1(out, HIGH_LINES, (registers->e[1] & E1_HIGH) != 0);
    GP0(out, 0xE1000000 | registers->e[1]);
    write_gp1(out, HIGH_LINES, display->high_lines);
    GP0(out, 0xE5000000 | registers->gpuread);
    write_gp1(out, 0x10, 5);
    for (uint32_t i = 2; i <= 6; i++)
        GP0(out, 0xE0000000 | i << 24 | registers->e[i]);
    if (registers->irq)
        GP0(out, 0x1F000000);
    write_gp1(out, 3, display->off);
    write_gp1(out, 4, display->dma);
    write_gp1(out, 5, display->start);
    write_gp1(out, 6, display->x);
    write_gp1(out, 7, display->y);
    write_gp1(out, 8, display->mode);
}

/* The command in progress at port 0. */

/* Writes the pixels received so far, as memory has them. */
static void write_upload(const struct psx_gpu *gpu, struct text *out)
{
    const struct psx_transfer *upload = &gpu->state.upload;
    uint32_t left = upload->done;
    uint16_t row[PSX_VRAM_WIDTH];

    psx_packet_header_write(out, PSX_PACKET_GP0, UPLOAD_HEADER + left / 2);
    text_add_le32(out, (uint32_t)gpu->state.parser.op << 24);
    text_add_le32(out, (uint32_t)upload->y << 16 | upload->x);
    text_add_le32(out, (uint32_t)upload->height << 16 | upload->width);
    for (uint32_t y = upload->y; left > 0; y++) {
        uint32_t run = left < upload->width ? left : upload->width;

        psx_transfer_read_row(gpu, y, upload->x, run, row);
        write_halfwords(out, row, run);
        left -= run;
    }
}

/* Returns whether the mask setting would change pixels when they are written a second time. */
static bool upload_changes_pixels(const struct psx_gpu *gpu)
{
    const struct psx_transfer *upload = &gpu->state.upload;
    uint16_t row[PSX_VRAM_WIDTH];
    uint32_t left = upload->done;

    if (gpu->state.parser.phase != GP0_PHASE_UPLOAD || !(gpu->state.registers.e[6] & 1) ||
        (upload->width == PSX_VRAM_WIDTH && upload->height == PSX_VRAM_HEIGHT))
        return false;
    for (uint32_t y = upload->y; left > 0; y++) {
        uint32_t run = left < upload->width ? left : upload->width;

        psx_transfer_read_row(gpu, y, upload->x, run, row);
        for (uint32_t i = 0; i < run; i++)
            if (!(row[i] & PIXEL_MASK))
                return true;
        left -= run;
    }
    return false;
}

/*
 * Writes a polyline that ends at the last vertex, reached by a segment that is too long to be
 * drawn, and then what has been received of the next vertex.
 */
static void write_polyline(const struct psx_state *state, struct text *out)
{
    const struct psx_gp0_parser *parser = &state->parser;
    const uint32_t colour = state->last_vertex[0], vertex = state->last_vertex[1];
    const uint32_t far = (vertex & ~0x7FFu) | ((vertex ^ 0x400) & 0x7FF);

    if (parser->op & GP0_GOURAUD)
        GP0(out, (uint32_t)parser->op << 24 | colour, far, colour, vertex);
    else
        GP0(out, (uint32_t)parser->op << 24 | colour, far, vertex);
    if (parser->have > 0)
        psx_packet_write(out, PSX_PACKET_GP0, parser->words, parser->have);
}

static void write_command(const struct psx_gpu *gpu, struct text *out)
{
    const struct psx_gp0_parser *parser = &gpu->state.parser;

    if (parser->phase == GP0_PHASE_UPLOAD)
        write_upload(gpu, out);
    else if (parser->phase == GP0_PHASE_POLYLINE)
        write_polyline(&gpu->state, out);
    else if (parser->phase == GP0_PHASE_COMMAND && parser->have > 0)
        psx_packet_write(out, PSX_PACKET_GP0, parser->words, parser->have);
}

static uint64_t command_size(const struct psx_state *state)
{
    const struct psx_gp0_parser *parser = &state->parser;

    switch (parser->phase) {
    case GP0_PHASE_UPLOAD:
        return HEADER + 4 * UPLOAD_HEADER + 2 * (uint64_t)state->upload.done;
    case GP0_PHASE_POLYLINE:
        return HEADER + 4 * (parser->op & GP0_GOURAUD ? 4 : 3) +
               (parser->have > 0 ? HEADER + 4 * (uint64_t)parser->have : 0);
    case GP0_PHASE_COMMAND:
        return parser->have > 0 ? HEADER + 4 * (uint64_t)parser->have : 0;
    default:
        return 0;
    }
}

uint64_t psx_restore_size(const struct psx_restore *restore)
{
    const uint64_t vram = 2 * (uint64_t)PSX_VRAM_WIDTH * restore->index->vram_lines;

    return psx_magic_length(PSX_MAGIC_16) + HEADER + 4 + write_strings(restore, NULL) + HEADER +
           4 * COMMENT_WORDS + PSX_FIELD_PACKET + read_size(&restore->state.read) + vram +
           4 * DRAWN_WORDS + command_size(&restore->state) + HEADER;
}

static void write_head(const struct restoring *restoring, struct text *out)
{
    const struct psx_restore *restore = restoring->restore;

    psx_magic_write(out, PSX_MAGIC_16);
    PACKET(out, PSX_PACKET_VERSION, psx_model_version(restore->index->model));
    write_strings(restore, out);
    write_comment(restoring, out);
    psx_field_write(restore->state.registers.field, out);
    write_gp1(out, 0, 0);
    write_read(restoring, out);
    write_palette(restoring, out);
    write_vram(restoring, out);
    write_texels(restoring, out);
}

/*
 * Writes no-ops of that many bytes, which must be at least those of a header and a word. Returns 0,
 * or -EIO if there cannot be that many.
 */
static int write_no_ops(uint64_t bytes, struct text *out)
{
    if (bytes < HEADER + 4 || bytes > 4 * DRAWN_WORDS)
        return -EIO;
    psx_packet_header_write(out, PSX_PACKET_GP0, (bytes - HEADER) / 4);
    for (uint64_t i = HEADER; i < bytes; i += 4)
        text_add_le32(out, 0);
    return 0;
}

static int write_all(const struct restoring *restoring, struct text *out)
{
    const uint64_t begin = out->length, size = psx_restore_size(restoring->restore);
    struct text tail = TEXT_INIT;
    int status;

    write_registers(&restoring->gpu.state.registers, &tail);
    write_command(&restoring->gpu, &tail);
    psx_packet_write(&tail, PSX_PACKET_BEGIN, NULL, 0);
    write_head(restoring, out);
    status = text_status(&tail);
    if (status == 0)
        status = text_status(out);
    if (status == 0)
        status = write_no_ops(begin + size - out->length - tail.length, out);
    text_add_text(out, &tail);
    text_clear(&tail);
    return status == 0 ? text_status(out) : status;
}

int psx_restore_write(const struct psx_restore *restore, const struct psx_gpu *gpu, bool texels,
                      struct text *out)
{
    const size_t pixels = (size_t)PSX_VRAM_WIDTH * restore->index->vram_lines;
    struct restoring *restoring = calloc(1, sizeof(*restoring));
    int status = -ENOMEM;

    if (restoring == NULL)
        return -ENOMEM;
    restoring->restore = restore;
    restoring->gpu = *gpu;
    restoring->gpu.state = restore->state;
    restoring->vram = malloc(pixels * sizeof(*restoring->vram));
    if (restoring->vram == NULL)
        goto out;
    memcpy(restoring->vram, gpu->vram, pixels * sizeof(*restoring->vram));
    if (upload_changes_pixels(&restoring->gpu))
        restoring->lost = "bit 15 of pixels in the area of the unfinished upload";
    if (texels && gpu->texel_cache != NULL)
        take_texels(restoring);
    status = write_all(restoring, out);
out:
    free(restoring->vram);
    free(restoring);
    return status;
}

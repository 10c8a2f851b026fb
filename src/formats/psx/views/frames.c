/* SPDX-License-Identifier: MIT */
#include "formats/psx/views/views.h"

#include "formats/psx/frame/textures.h"
#include "formats/psx/gpu/draw.h"
#include "formats/psx/gpu/scanout.h"
#include "formats/psx/gpu/state.h"
#include "formats/psx/index/walk.h"
#include "formats/psx/views/commands.h"
#include "tree/tree.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Gets the cycles since the first stamped VSync. Returns false if the frame has no time stamp. */
static bool elapsed(const struct psx_index *index, uint64_t frame, int64_t *cycles)
{
    if (frame >= index->frame_count || index->frames[frame].stamp_words == 0)
        return false;
    *cycles = (int64_t)(index->frames[frame].cycles - index->frames[index->first_stamped].cycles);
    return true;
}

double psx_frame_time(const struct psx_index *index, uint64_t frame)
{
    int64_t cycles;

    return elapsed(index, frame, &cycles) ? (double)cycles / PSX_CLOCK : NAN;
}

void psx_frame_time_write(const struct psx_index *index, uint64_t frame, struct text *text)
{
    int64_t cycles;

    if (!elapsed(index, frame, &cycles)) {
        text_add_char(text, '-');
        return;
    }

    uint64_t count = cycles < 0 ? -(uint64_t)cycles : (uint64_t)cycles;
    uint64_t micro = (count % PSX_CLOCK * 1000000 + PSX_CLOCK / 2) / PSX_CLOCK;

    if (cycles < 0)
        text_add_char(text, '-');
    text_add_u64(text, count / PSX_CLOCK + micro / 1000000);
    text_add_char(text, '.');
    text_add_padded(text, micro % 1000000, 6);
}

void psx_frame_cycles_write(const struct psx_frame *frame, struct text *text)
{
    if (frame->stamp_words == 0)
        text_add_char(text, '-');
    else
        text_add_u64(text, frame->stamp_words == 1 ? (uint32_t)frame->cycles : frame->cycles);
}

bool psx_frame_flips(const struct psx_index *index, uint64_t frame)
{
    uint32_t before =
        frame == 0 ? index->initial_display.start : index->frames[frame - 1].display.start;

    return index->frames[frame].display.start != before;
}

void psx_display_write(const struct psx_screen *screen, struct text *text)
{
    if (screen->off || screen->empty)
        text_add(text, screen->off ? "off" : "empty");
    else
        text_printf(text, "%u,%u", screen->x, screen->y);
}

void psx_mode_write(const struct psx_screen *screen, struct text *text)
{
    text_add_u64(text, screen->width);
    text_add_char(text, 'x');
    text_add_u64(text, screen->height);
    text_add(text, screen->interlaced ? "i@" : "@");
    text_add(text, screen->depth24 ? "24" : "15");
    text_add_char(text, screen->pal ? 'p' : 'n');
}

/* info.txt: what the index has counted, and what one walk over the frame's commands adds. */

/* A set of keys of textures, as a hash table with open addressing, at most half full. */
struct texture_set {
    uint32_t *keys; /* psx_texture_key() + 1; 0 if free */
    uint32_t room, count;
};

struct frame_walk {
    struct texture_set textures;
    struct psx_sampling *sampling;
    uint64_t polygons, lines, rectangles, textured, semi_transparent;
    uint64_t upload_pixels, discards, readbacks, flips;
    int status;
};

static uint32_t *texture_slot(const struct texture_set *set, uint32_t key)
{
    uint32_t slot = key * UINT32_C(2654435761);

    for (slot %= set->room; set->keys[slot] != 0 && set->keys[slot] != key;)
        slot = (slot + 1) % set->room;
    return &set->keys[slot];
}

static int texture_set_grow(struct texture_set *set)
{
    struct texture_set larger = {.room = set->room == 0 ? 64 : set->room * 2};

    larger.keys = calloc(larger.room, sizeof(*larger.keys));
    if (larger.keys == NULL)
        return -ENOMEM;
    for (uint32_t i = 0; i < set->room; i++)
        if (set->keys[i] != 0)
            *texture_slot(&larger, set->keys[i]) = set->keys[i];
    larger.count = set->count;
    free(set->keys);
    *set = larger;
    return 0;
}

/* Most draws sample a texture that is counted already, so only new ones are examined. */
static int count_texture(const struct psx_walk *walk, const struct psx_step *step,
                         const struct psx_draw *draw, struct frame_walk *found)
{
    struct texture_set *set = &found->textures;
    uint32_t key = psx_texture_key(draw) + 1, *slot;
    struct psx_draw sampled;

    if (set->count == PSX_FRAME_TEXTURES_MAX)
        return 0;
    if (set->count >= set->room / 2 && texture_set_grow(set) != 0)
        return -ENOMEM;
    slot = texture_slot(set, key);
    if (*slot == 0 && psx_sampling_of(found->sampling, walk, step, &sampled)) {
        *slot = key;
        set->count++;
    }
    return 0;
}

static void count_draw(const struct psx_walk *walk, const struct psx_step *step,
                       struct frame_walk *found)
{
    struct psx_draw draw;
    struct psx_box box;

    psx_draw_decode(&step->event, &walk->at.state.registers, &draw);
    found->polygons += draw.kind == GP0_POLYGON;
    found->lines += draw.kind == GP0_LINE || draw.kind == GP0_POLYLINE;
    found->rectangles += draw.kind == GP0_RECTANGLE;
    found->textured += draw.textured;
    found->semi_transparent += draw.semi;
    if (draw.kind == GP0_UPLOAD)
        found->upload_pixels += (uint64_t)draw.width * draw.height;
    if (draw.textured && psx_draw_box(&draw, &walk->at.state.registers, &box) == PSX_CULL_NO)
        found->status = count_texture(walk, step, &draw, found);
}

/* Returns whether the word is a GP1(05) that changes something. */
static bool flips(const struct psx_walk *walk, uint32_t word)
{
    return (word >> 24 & 0x3F) == 0x05 &&
           walk->at.state.registers.display.start != (word & PSX_START_BITS);
}

static void count_step(const struct psx_walk *walk, const struct psx_step *step,
                       struct frame_walk *found)
{
    if (step->kind == PSX_STEP_GP1)
        found->flips += flips(walk, step->gp1);
    else if (step->kind == PSX_STEP_PACKET) {
        found->discards += step->packet.type == PSX_PACKET_DISCARD;
        found->readbacks += step->packet.type == PSX_PACKET_READBACK;
    }
}

/*
 * Commands count where they begin, so a command that is incomplete at the frame's end is followed
 * to its end.
 */
static int walk_frame(const struct psx_index *index, uint64_t frame, const struct cancel *cancel,
                      struct frame_walk *found)
{
    uint64_t first = index->frames[frame].packet, end = index->frames[frame + 1].packet;
    struct psx_parser_state checkpoint;
    struct psx_walk walk;
    struct psx_step step;
    unsigned steps = 0;

    psx_index_frame_checkpoint(index, frame, &checkpoint);
    psx_walk_resume(&walk, index, &checkpoint);
    while (found->status == 0) {
        bool is_half = walk.at.state.parser.phase == GP0_PHASE_COMMAND;
        bool inside = walk.at.packet < end;

        bool is_own = walk.at.command_packet >= first && walk.at.command_packet < end;

        if ((!inside && !(is_half && is_own)) || !psx_walk_next(&walk, &step))
            break;
        if (inside)
            count_step(&walk, &step, found);
        if (step.kind == PSX_STEP_GP0 && step.event.type == GP0_EVENT_COMMAND &&
            walk.at.command_packet >= first && walk.at.command_packet < end)
            count_draw(&walk, &step, found);
        psx_walk_apply(&walk, &step);
        if (psx_walk_cancelled(&steps, cancel))
            return -EINTR;
    }
    return found->status;
}

static void add_u64(struct text *text, const char *key, uint64_t value)
{
    text_field(text, key, "%" PRIu64, value);
}

static void add_interval(const struct psx_index *index, uint64_t frame, struct text *text)
{
    const struct psx_frame *now = &index->frames[frame];

    if (frame == 0 || now->stamp_words == 0 || now[-1].stamp_words == 0)
        text_field(text, "interval", "-");
    else
        text_field(text, "interval", "%" PRId64, (int64_t)(now->cycles - now[-1].cycles));
}

static void add_extent(const struct psx_dump *dump, uint64_t number, struct text *text)
{
    const struct psx_index *index = &dump->index;
    const struct psx_frame *frame = &index->frames[number];

    add_u64(text, "first_packet", frame->packet);
    add_u64(text, "last_packet", frame[1].packet - 1);
    add_u64(text, "bytes", frame[1].offset - frame->offset - 4 * (frame[1].packet - frame->packet));
    add_u64(text, "gp0_words", index->counts[number].gp0_words);
    add_u64(text, "gp1_words", index->counts[number].gp1_words);
    text_add(text, "cycles: ");
    psx_frame_cycles_write(frame, text);
    text_add(text, "\ntime: ");
    psx_frame_time_write(index, number, text);
    text_add_char(text, '\n');
    add_interval(index, number, text);
}

static void add_counts(const struct psx_frame_counts *counts, const struct frame_walk *found,
                       struct text *text)
{
    add_u64(text, "commands", counts->commands);
    add_u64(text, "draws", counts->draws);
    add_u64(text, "polygons", found->polygons);
    add_u64(text, "lines", found->lines);
    add_u64(text, "rectangles", found->rectangles);
    add_u64(text, "fills", counts->fills);
    add_u64(text, "copies", counts->copies);
    add_u64(text, "textured", found->textured);
    add_u64(text, "semi_transparent", found->semi_transparent);
    add_u64(text, "uploads", counts->uploads);
    add_u64(text, "upload_pixels", found->upload_pixels);
    add_u64(text, "reads", counts->reads);
    add_u64(text, "discards", found->discards);
    add_u64(text, "readbacks", found->readbacks);
    add_u64(text, "flips", found->flips);
    add_u64(text, "textures", found->textures.count);
}

static void add_field(const struct psx_index *index, const struct psx_frame *frame,
                      const struct psx_screen *screen, struct text *text)
{
    if (!screen->interlaced)
        text_field(text, "field", "-");
    else if (index->field_option == PSX_FIELD_BOTH)
        text_field(text, "field", "both");
    else
        text_field(text, "field", "%u", frame->field);
}

static void add_screen(const struct psx_dump *dump, uint64_t number, struct text *text)
{
    const struct psx_index *index = &dump->index;
    const struct psx_frame *frame = &index->frames[number];
    const struct psx_frame_counts *counts = &index->counts[number];
    struct psx_screen screen;

    psx_display_screen(&frame->display, &screen);
    add_u64(text, "width", screen.width);
    add_u64(text, "height", screen.height);
    text_add(text, "display: ");
    psx_display_write(&screen, text);
    text_add_char(text, '\n');
    add_u64(text, "depth", screen.depth24 ? 24 : 15);
    add_u64(text, "interlace", screen.interlaced);
    add_field(index, frame, &screen, text);
    if (counts->same_picture > 0)
        text_field(text, "same_as", "%0*" PRIu64, (int)tree_frame_digits(&dump->base),
                   number - counts->same_picture);
    else
        text_field(text, "same_as", "-");
    text_field(text, "unfinished", "%s", frame->unfinished ? "yes" : "no");
    add_u64(text, "problems", (uint64_t)frame->defects + counts->defects);
}

int psx_frame_info(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                   struct text *text)
{
    struct psx_dump *psx = psx_dump_of(dump);
    struct frame_walk found = {0};
    int status = psx_index_shows(&psx->index, frame)
                     ? psx_index_wait_frame(&psx->index, frame, cancel)
                     : -ENOENT;

    if (status == 0)
        status = psx_sampling_create(&found.sampling);
    if (status == 0)
        status = walk_frame(&psx->index, frame, cancel, &found);
    if (status == 0) {
        add_extent(psx, frame, text);
        add_counts(&psx->index.counts[frame], &found, text);
        add_screen(psx, frame, text);
    }
    psx_sampling_destroy(&found.sampling);
    free(found.textures.keys);
    return status;
}

/*
 * state.txt: the registers as raw words, then decoded, then the caches and the parser. All of this
 * is in a checkpoint of the index.
 */

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
    const uint32_t gp1[] = {display->off, display->dma,  display->start,     display->x,
                            display->y,   display->mode, display->high_lines};
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
    add_u32(text, "page", psx_page_of(psx_registers_page_bits(registers, e1)));
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
    add_pair(text, "display_start", display->start & 0x3FF,
             display->start >> 10 & (psx_display_lines(display) - 1));
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
    add_u32(text, "allow_texture_disable", display->high_lines);
}

/*
 * Writes the words received and due of the command in progress. For an open polyline they are those
 * of its next vertex.
 */
static void add_command(const struct psx_state *state, struct text *text)
{
    const struct psx_gp0_parser *parser = &state->parser;
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

static void add_transfer(const char *name, const struct psx_transfer *transfer, uint32_t addressed,
                         uint32_t done, uint32_t total, struct text *text)
{
    text_field(text, "transfer", "%s at=%u,%u size=%u,%u done=%" PRIu32 " left=%" PRIu32, name,
               transfer->x, transfer->y & (addressed - 1), transfer->width, transfer->height, done,
               total - done);
}

/* Counts are in words. An upload in progress counts halfwords. */
static void add_transfers(const struct psx_state *state, struct text *text)
{
    const struct psx_transfer *upload = &state->upload, *read = &state->read;
    uint32_t addressed = psx_display_lines(&state->registers.display);

    if (upload->total > 0)
        add_transfer("upload", upload, addressed, upload->done / 2, (upload->total + 1) / 2, text);
    if (read->total > 0)
        add_transfer("read", read, addressed, read->done, read->total, text);
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

/* flips.tsv: the frames whose display begins at another place than that of the frame before. */

/* Writes how long the picture before was shown, in frames, and the resulting flips per second. */
static void write_flip(const struct psx_index *index, uint64_t frame, uint64_t before,
                       struct text *text)
{
    struct psx_screen screen;
    double seconds =
        before == PSX_INITIAL ? NAN : psx_frame_time(index, frame) - psx_frame_time(index, before);

    psx_display_screen(&index->frames[frame].display, &screen);
    text_printf(text, "%" PRIu64 "\t", frame);
    psx_frame_time_write(index, frame, text);
    text_printf(text, "\t%u,%u\t", screen.x, screen.y);
    if (before == PSX_INITIAL)
        text_add_char(text, '-');
    else
        text_add_u64(text, frame - before);
    if (seconds > 0)
        text_printf(text, "\t%.3f\n", 1 / seconds);
    else
        text_add(text, "\t-\n");
}

static int look_back(const struct psx_index *index, const struct cancel *cancel, uint64_t **out)
{
    uint64_t last = PSX_INITIAL;
    uint64_t *before = malloc((index->frame_count / DUMP_PIECE_ROWS + 1) * sizeof(*before));

    if (before == NULL)
        return -ENOMEM;
    for (uint64_t frame = 0; frame < index->frame_count; frame++) {
        if (frame % DUMP_PIECE_ROWS == 0)
            before[frame / DUMP_PIECE_ROWS] = last;
        if (frame % DUMP_PIECE_ROWS == 0 && cancel_requested(cancel)) {
            free(before);
            return -EINTR;
        }
        if (psx_frame_flips(index, frame))
            last = frame;
    }
    *out = before;
    return 0;
}

static void take_lock(struct psx_flips *flips) ACQUIRE(lock_of_psx_flips)
{
    pthread_mutex_lock(&flips->lock);
}

static void give_lock(struct psx_flips *flips) RELEASE(lock_of_psx_flips)
{
    pthread_mutex_unlock(&flips->lock);
}

/*
 * Gets the last flip before the first row of a piece, or PSX_INITIAL if there is none. Returns 0,
 * -ENOMEM or -EINTR.
 */
static int flip_before(struct psx_dump *dump, uint64_t first, const struct cancel *cancel,
                       uint64_t *frame)
{
    struct psx_flips *flips = &dump->flips;
    int status = 0;

    take_lock(flips);
    if (flips->before == NULL)
        status = look_back(&dump->index, cancel, &flips->before);
    if (status == 0)
        *frame = flips->before[first / DUMP_PIECE_ROWS];
    give_lock(flips);
    return status;
}

static int count_frames(struct dump *dump, uint64_t key, const struct cancel *cancel,
                        uint64_t *rows)
{
    (void)key, (void)cancel;
    *rows = psx_dump_of(dump)->index.frame_count;
    return 0;
}

/* Writes the rows for frames `first` to `end` - 1. Frames that do not flip have none. */
static int write_flips(struct dump *dump, uint64_t key, uint64_t first, uint64_t end,
                       const struct cancel *cancel, struct text *text)
{
    const struct psx_index *index = &psx_dump_of(dump)->index;
    uint64_t before = PSX_INITIAL;
    int status = flip_before(psx_dump_of(dump), first, cancel, &before);

    (void)key;
    for (uint64_t frame = first; status == 0 && frame < end; frame++) {
        if (!psx_frame_flips(index, frame))
            continue;
        write_flip(index, frame, before, text);
        before = frame;
    }
    return status;
}

const struct dump_listing psx_flip_table = {
    .columns = "frame\ttime\tdisplay\tframes\trate", .count = count_frames, .rows = write_flips};

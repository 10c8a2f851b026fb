/* SPDX-License-Identifier: MIT */
#include "formats/psx/gpu/scanout.h"
#include "formats/psx/views/views.h"

#include "formats/psx/frame/frame_cost.h"
#include "formats/psx/index/walk.h"
#include "tree/tables.h"

#include <errno.h>
#include <stdio.h>

/*
 * Cycles have a fixed width, and shares the width of the largest possible one, so that the lengths
 * of rows are known in advance.
 */
enum { CYCLES_DIGITS = 10, SHARE_DIGITS = 7 };
#define CYCLES_MAX UINT64_C(9999999999)

/* What a gp0 or gp1 packet adds to its row. */
struct stream_cells {
    uint32_t carry, begins;
    const char *first; /* name of the first command that begins; NULL if none does */
    uint8_t first_op;
};

static void take_step(const struct psx_step *step, struct stream_cells *cells)
{
    uint8_t op = step->packet.payload[4 * (uint64_t)step->word + 3];
    bool begins = step->kind == PSX_STEP_GP1 || step->event.begins;

    if (begins && cells->begins++ == 0) {
        cells->first_op = op;
        cells->first =
            step->kind == PSX_STEP_GP1 ? psx_gp1_table[op & 0x3F].name : psx_gp0_table[op].name;
        if (cells->first == NULL)
            cells->first = "unknown";
    }
    if (cells->begins == 0)
        cells->carry += step->words;
}

static void write_stream_cells(const struct stream_cells *cells, struct text *text)
{
    text_cell(text, cells->carry);
    text_cell(text, cells->begins);
    text_add_char(text, '\t');
    if (cells->first != NULL) {
        text_add_hex(text, cells->first_op, 2);
        text_add_char(text, ',');
        text_add(text, cells->first);
    } else {
        text_add_char(text, '-');
    }
}

void psx_packet_describe(const struct psx_packet *packet, uint64_t frame, struct dump_packet *out)
{
    out->offset = packet->offset;
    out->data = packet->offset + 4;
    out->bytes = 4 * (uint64_t)packet->words;
    out->frame = frame;
    out->type = packet->type;
    out->name = psx_packet_name(packet->type);
    if (out->name == NULL) {
        snprintf(out->name_room, sizeof(out->name_room), "type%02x", packet->type);
        out->name = out->name_room;
    }
}

void psx_packet_type(struct dump *dump, uint32_t type, struct text *text)
{
    (void)dump;
    text_add(text, "0x");
    text_add_hex(text, type, 2);
}

/*
 * Writes one packet's row. The walk must be at the packet's start, and is at its end afterwards.
 * Returns -EIO if the dump ends before that, because another program wrote to it.
 */
static int write_packet_row(struct psx_dump *dump, struct psx_walk *walk, struct text *text)
{
    uint64_t number = walk->at.packet;
    uint64_t frame = walk->at.frame;
    struct dump_packet description;
    struct stream_cells cells = {0};
    struct psx_step step = {0};
    bool stream = false;

    while (walk->at.packet == number && psx_walk_next(walk, &step)) {
        if (step.kind != PSX_STEP_PACKET) {
            stream = true;
            take_step(&step, &cells);
        }
        psx_walk_apply(walk, &step);
    }
    if (walk->at.packet == number)
        return -EIO;
    psx_packet_describe(&step.packet, frame < dump->index.frame_count ? frame : DUMP_NO_FRAME,
                        &description);
    tables_packet(&dump->base, number, &description, text);
    text_cell(text, step.packet.words);
    if (stream)
        write_stream_cells(&cells, text);
    else
        text_add(text, "\t-\t-\t-");
    text_add_char(text, '\n');
    return 0;
}

int psx_packet_rows(struct dump *dump, uint64_t first, uint64_t end, const struct cancel *cancel,
                    struct text *text)
{
    struct psx_dump *psx = psx_dump_of(dump);
    struct psx_parser_state checkpoint;
    struct psx_walk walk;
    int status = psx_index_wait_packet(&psx->index, first, cancel);

    if (status != 0)
        return status;
    psx_index_checkpoint_before(&psx->index, first, 0, &checkpoint);
    psx_walk_resume(&walk, &psx->index, &checkpoint);
    status = psx_walk_to(&walk, first, 0, cancel);
    while (status == 0 && walk.at.packet < end) {
        status = write_packet_row(psx, &walk, text);
        if (status == 0 && cancel_requested(cancel))
            status = -EINTR;
    }
    return status;
}

static void write_counts(const struct psx_frame_counts *counts, struct text *text)
{
    const uint32_t cells[] = {counts->gp0_words, counts->gp1_words, counts->commands,
                              counts->draws,     counts->fills,     counts->uploads,
                              counts->copies,    counts->reads};

    for (unsigned i = 0; i < sizeof(cells) / sizeof(cells[0]); i++)
        text_cell(text, cells[i]);
}

/* The share is in percent of the time for which the display shows the frame. */
static void write_cost(const struct psx_frame_cost *cost, uint32_t period, struct text *text)
{
    uint64_t draws = cost->draws < CYCLES_MAX ? cost->draws : CYCLES_MAX;
    uint64_t transfers = cost->transfers < CYCLES_MAX ? cost->transfers : CYCLES_MAX;
    uint64_t tenths = (1000 * (draws + transfers) + period / 2) / period;

    text_add_char(text, '\t');
    text_add_padded(text, draws, CYCLES_DIGITS);
    text_add_char(text, '\t');
    text_add_padded(text, transfers, CYCLES_DIGITS);
    text_add_char(text, '\t');
    text_add_padded(text, tenths / 10, SHARE_DIGITS);
    text_add_char(text, '.');
    text_add_u64(text, tenths % 10);
}

static int write_cells(struct dump *dump, uint64_t number, bool measured,
                       const struct cancel *cancel, struct text *text)
{
    struct psx_dump *psx = psx_dump_of(dump);
    struct psx_index *index = &psx->index;
    const struct psx_frame *frame = &index->frames[number];
    struct psx_frame_cost cost = {0};
    struct psx_screen screen;
    int status = psx_index_wait_frame(index, number, cancel);

    if (status == 0 && !measured)
        status = psx_frame_cost_sum(psx, number, cancel, &cost);
    if (status != 0)
        return status;
    psx_display_screen(&frame->display, &screen);
    text_add_char(text, '\t');
    psx_frame_cycles_write(frame, text);
    write_counts(&index->counts[number], text);
    text_cell(text, psx_frame_flips(index, number));
    text_add_char(text, '\t');
    psx_display_write(&screen, text);
    text_add_char(text, '\t');
    psx_mode_write(&screen, text);
    text_cell(text, frame->unfinished);
    write_cost(&cost, psx_frame_cost_period(psx, number), text);
    return 0;
}

int psx_frame_cells(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                    struct text *text)
{
    return write_cells(dump, frame, false, cancel, text);
}

int psx_measure_frame_cells(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                            struct text *text)
{
    return write_cells(dump, frame, true, cancel, text);
}

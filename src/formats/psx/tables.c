#include "formats/psx/tables.h"

#include "formats/psx/frame_text.h"
#include "formats/psx/walk.h"
#include "tree/tree.h"

#include <errno.h>

enum { ROWS = 1024 }; /* of one piece */

static uint64_t pieces_of(uint64_t rows)
{
    return (rows + ROWS - 1) / ROWS;
}

static void add_cell(struct text *text, uint64_t value)
{
    text_add_char(text, '\t');
    text_add_u64(text, value);
}

/* What a gp0 or gp1 packet adds to its row. */
struct stream_cells {
    uint32_t carry, begins;
    const char *first; /* name of the first command; NULL: none begins */
    uint8_t first_op;
};

static void take_step(const struct psx_step *step, struct stream_cells *cells)
{
    uint8_t op = step->packet.payload[4 * (uint64_t)step->word + 3];
    bool begins = step->kind == PSX_STEP_GP1 || step->event.begins;

    if (begins && cells->begins++ == 0) {
        cells->first_op = op;
        cells->first = step->kind == PSX_STEP_GP1 ? gp1_table[op & 0x3F].name : gp0_table[op].name;
        if (cells->first == NULL)
            cells->first = "unknown";
    }
    if (cells->begins == 0)
        cells->carry += step->words;
}

static void write_stream_cells(const struct stream_cells *cells, struct text *text)
{
    add_cell(text, cells->carry);
    add_cell(text, cells->begins);
    text_add_char(text, '\t');
    if (cells->first != NULL) {
        text_add_hex(text, cells->first_op, 2);
        text_add_char(text, ' ');
        text_add(text, cells->first);
    } else {
        text_add_char(text, '-');
    }
}

static void write_common_cells(struct psx_dump *dump, uint64_t number, uint64_t frame,
                               const struct psx_packet *packet, struct text *text)
{
    const char *name = psx_packet_name(packet->type);

    text_add_u64(text, number);
    add_cell(text, packet->offset);
    add_cell(text, 4 * (uint64_t)packet->words);
    text_add(text, "\t0x");
    text_add_hex(text, packet->type, 2);
    text_add_char(text, '\t');
    if (name != NULL)
        text_add(text, name);
    else
        text_printf(text, "type%02x", packet->type);
    text_add_char(text, '\t');
    if (frame < dump->index.frame_count)
        text_add_u64(text, frame);
    else
        text_add_char(text, '-');
    add_cell(text, packet->words);
}

/*
 * One packet's row; the walk stands at its start, and then at its end. -EIO where
 * the dump ends before: another program wrote to it.
 */
static int write_packet_row(struct psx_dump *dump, struct psx_walk *walk, struct text *text)
{
    uint64_t number = walk->at.packet;
    uint64_t frame = walk->at.frame;
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
    write_common_cells(dump, number, frame, &step.packet, text);
    if (stream)
        write_stream_cells(&cells, text);
    else
        text_add(text, "\t-\t-\t-");
    text_add_char(text, '\n');
    return 0;
}

/* Rows of the packets first to end - 1. */
static int write_packet_rows(struct psx_dump *dump, uint64_t first, uint64_t end,
                             const struct cancel *cancel, struct text *text)
{
    struct psx_place place;
    struct psx_walk walk;
    int status = psx_index_wait_packet(&dump->index, first, cancel);

    if (status != 0)
        return status;
    psx_index_place_before(&dump->index, first, 0, &place);
    psx_walk_resume(&walk, &dump->index, &place);
    status = psx_walk_to(&walk, first, 0, cancel);
    while (status == 0 && walk.at.packet < end) {
        status = write_packet_row(dump, &walk, text);
        if (status == 0 && cancel_requested(cancel))
            status = -EINTR;
    }
    return status;
}

int psx_packet_table_head(struct dump *dump, uint64_t key, struct text *text)
{
    (void)dump;
    (void)key;
    text_add(text, "packet\toffset\tbytes\ttype\tname\tframe\twords\tcarry\tbegins\tfirst\n");
    return 0;
}

int psx_packet_table_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                            uint64_t *pieces)
{
    (void)key, (void)cancel;
    *pieces = pieces_of(psx_dump_of(dump)->index.packets);
    return 0;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

int psx_packet_table_piece(struct dump *dump, uint64_t key, uint64_t piece,
                           const struct cancel *cancel, struct text *text)
{
    struct psx_dump *psx = psx_dump_of(dump);
    uint64_t first = piece * ROWS;

    (void)key;
    return write_packet_rows(psx, first, least(first + ROWS, psx->index.packets), cancel, text);
}

int psx_frame_packets_pieces(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                             uint64_t *pieces)
{
    const struct psx_index *index = &psx_dump_of(dump)->index;

    (void)cancel;
    if (frame >= index->frame_count)
        return -ENOENT;
    *pieces = pieces_of(index->frames[frame + 1].packet - index->frames[frame].packet);
    return 0;
}

int psx_frame_packets_piece(struct dump *dump, uint64_t frame, uint64_t piece,
                            const struct cancel *cancel, struct text *text)
{
    struct psx_dump *psx = psx_dump_of(dump);
    uint64_t first = psx->index.frames[frame].packet + piece * ROWS;

    return write_packet_rows(psx, first, least(first + ROWS, psx->index.frames[frame + 1].packet),
                             cancel, text);
}

int psx_frame_table_head(struct dump *dump, uint64_t key, struct text *text)
{
    (void)dump;
    (void)key;
    text_add(text,
             "frame\tfirst\tlast\ttime\twidth\theight\tcycles\tgp0_words\tgp1_words\tcommands\t"
             "draws\tfills\tuploads\tcopies\treads\tflip\tdisplay\tmode\tunfinished\n");
    return 0;
}

int psx_frame_table_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                           uint64_t *pieces)
{
    (void)key, (void)cancel;
    *pieces = pieces_of(psx_dump_of(dump)->index.frame_count);
    return 0;
}

static void write_counts(const struct psx_frame_counts *counts, struct text *text)
{
    const uint32_t cells[] = {counts->gp0_words, counts->gp1_words, counts->commands,
                              counts->draws,     counts->fills,     counts->uploads,
                              counts->copies,    counts->reads};

    for (unsigned i = 0; i < sizeof(cells) / sizeof(cells[0]); i++)
        add_cell(text, cells[i]);
}

static void write_frame_row(const struct psx_index *index, uint64_t number, struct text *text)
{
    const struct psx_frame *frame = &index->frames[number];
    struct psx_screen screen;

    psx_display_screen(&frame->display, &screen);
    text_add_u64(text, number);
    add_cell(text, frame->packet);
    add_cell(text, frame[1].packet - 1);
    text_add_char(text, '\t');
    psx_frame_time_write(index, number, text);
    add_cell(text, screen.width);
    add_cell(text, screen.height);
    text_add_char(text, '\t');
    psx_frame_cycles_write(frame, text);
    write_counts(&index->counts[number], text);
    add_cell(text, psx_frame_flips(index, number));
    text_add_char(text, '\t');
    psx_display_write(&screen, text);
    text_add_char(text, '\t');
    psx_mode_write(&screen, text);
    text_add(text, frame->unfinished ? "\t1\n" : "\t0\n");
}

int psx_frame_table_piece(struct dump *dump, uint64_t key, uint64_t piece,
                          const struct cancel *cancel, struct text *text)
{
    struct psx_index *index = &psx_dump_of(dump)->index;
    uint64_t end = least((piece + 1) * ROWS, index->frame_count);
    int status = psx_index_wait_frame(index, end - 1, cancel);

    (void)key;
    for (uint64_t frame = piece * ROWS; status == 0 && frame < end; frame++)
        write_frame_row(index, frame, text);
    return status;
}

#include "formats/gapir/views/lines.h"

#include "formats/gapir/views/disassembly.h"

#include <errno.h>

enum { ROW = 16, PIECE_ROWS = 1024 };

static int disassembly_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                              uint64_t *pieces)
{
    (void)key, (void)cancel;
    *pieces = gapir_dump_of(dump)->replay->scan.mark_count;
    return 0;
}

static int disassembly_piece(struct dump *dump, uint64_t key, uint64_t piece,
                             const struct cancel *cancel, struct text *text)
{
    const struct gapir_replay *replay = gapir_dump_of(dump)->replay;

    (void)key, (void)cancel;
    if (piece >= replay->scan.mark_count)
        return -ENOENT;
    gapir_write_lines(replay, &replay->scan.marks[piece], GAPIR_MARK_LINES, replay->scan.code.count,
                      text);
    return 0;
}

const struct dump_listing gapir_disassembly_listing = {.pieces = disassembly_pieces,
                                                       .piece = disassembly_piece};

/* The first mark behind a pc; mark_count when there is none. */
static uint32_t mark_behind(const struct gapir_scan *scan, uint32_t pc)
{
    uint32_t low = 0, high = scan->mark_count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (scan->marks[middle].pc <= pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static const struct gapir_packet *packet_of(const struct gapir_scan *scan, uint64_t number)
{
    return number < scan->packet_count ? &scan->packets[number] : NULL;
}

/* A packet's pieces begin where it does, and at the marks within it. */
int gapir_packet_text_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                             uint64_t *pieces)
{
    const struct gapir_scan *scan = &gapir_dump_of(dump)->replay->scan;
    const struct gapir_packet *packet = packet_of(scan, key);

    (void)cancel;
    if (packet == NULL)
        return -ENOENT;
    *pieces = 1 + mark_behind(scan, packet->pc + packet->words - 1) - mark_behind(scan, packet->pc);
    return 0;
}

int gapir_packet_text_piece(struct dump *dump, uint64_t key, uint64_t piece,
                            const struct cancel *cancel, struct text *text)
{
    const struct gapir_replay *replay = gapir_dump_of(dump)->replay;
    const struct gapir_scan *scan = &replay->scan;
    const struct gapir_packet *packet = packet_of(scan, key);

    (void)cancel;
    if (packet == NULL)
        return -ENOENT;
    uint32_t end = packet->pc + packet->words,
             next = mark_behind(scan, packet->pc) + (uint32_t)piece;
    struct gapir_mark mark = piece == 0 ? gapir_mark_at(replay, packet->pc) : scan->marks[next - 1];
    if (next < scan->mark_count && scan->marks[next].pc < end)
        end = scan->marks[next].pc;
    gapir_write_lines(replay, &mark, UINT32_MAX, end, text);
    return 0;
}

static int constants_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                            uint64_t *pieces)
{
    uint64_t size = gapir_dump_of(dump)->replay->payload.constants.size;

    (void)key, (void)cancel;
    *pieces = (size + ROW * PIECE_ROWS - 1) / (ROW * PIECE_ROWS);
    return 0;
}

static void write_hex_digits(struct text *text, uint64_t value, unsigned digits)
{
    while (digits-- > 0)
        text_add_char(text, "0123456789abcdef"[value >> 4 * digits & 15]);
}

/* `00000010  67 70 75 … 6d  |gpudumpfs frame.|` */
static void write_row(const struct gapir_slice *constants, uint64_t offset, struct text *text)
{
    uint64_t left = constants->size - offset;
    unsigned count = left < ROW ? (unsigned)left : ROW;
    const uint8_t *bytes = constants->data + offset;

    write_hex_digits(text, offset, 8);
    text_add_char(text, ' ');
    for (unsigned n = 0; n < ROW; n++) {
        text_add_char(text, ' ');
        if (n < count)
            write_hex_digits(text, bytes[n], 2);
        else
            text_add(text, "  ");
    }
    text_add(text, "  |");
    for (unsigned n = 0; n < count; n++)
        text_add_char(text, bytes[n] >= 0x20 && bytes[n] <= 0x7e ? (char)bytes[n] : '.');
    text_add(text, "|\n");
}

static int constants_piece(struct dump *dump, uint64_t key, uint64_t piece,
                           const struct cancel *cancel, struct text *text)
{
    const struct gapir_slice *constants = &gapir_dump_of(dump)->replay->payload.constants;
    uint64_t offset = piece * ROW * PIECE_ROWS;

    (void)key, (void)cancel;
    for (unsigned row = 0; row < PIECE_ROWS && offset < constants->size; row++, offset += ROW)
        write_row(constants, offset, text);
    return 0;
}

const struct dump_listing gapir_constants_listing = {.pieces = constants_pieces,
                                                     .piece = constants_piece};

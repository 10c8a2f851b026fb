/* SPDX-License-Identifier: MIT */
#include "formats/gapir/views/views.h"

#include "tree/tables.h"

#include <errno.h>

void gapir_packet_type(struct dump *dump, uint32_t type, struct text *text)
{
    (void)dump;
    if (gapir_is_command(type))
        text_add_u64(text, type);
    else
        text_add_char(text, '-');
}

static int write_packet_row(struct gapir_dump *dump, const struct gapir_index *index,
                            uint32_t number, struct text *text)
{
    const struct gapir_packet *packet = &dump->replay->scan.packets[number];
    struct dump_packet description;
    int status = dump->base.ops->packet(&dump->base, number, &description);

    if (status < 0)
        return status;
    tables_packet(&dump->base, number, &description, text);
    text_cell(text, packet->pc);
    text_cell(text, packet->words);
    text_cell(text, packet->instructions);
    text_cell(text, packet->calls);
    text_cell(text, packet->posts);
    text_cell(text, packet->inline_bytes);
    text_cell_word(text, index->visits[number].left != 0 ? "yes\n" : "no\n");
    return 0;
}

int gapir_packet_rows(struct dump *dump, uint64_t first, uint64_t end, const struct cancel *cancel,
                      struct text *text)
{
    const struct gapir_index *index;
    int status = gapir_dump_index(gapir_dump_of(dump), cancel, &index);

    for (uint64_t n = first; n < end && status == 0; n++)
        status = write_packet_row(gapir_dump_of(dump), index, (uint32_t)n, text);
    return status;
}

static const struct gapir_packet *packet_of(const struct gapir_scan *scan, uint64_t number)
{
    return number < scan->packet_count ? &scan->packets[number] : NULL;
}

/* A packet's first piece begins with the packet, and the others at the marks within it. */
int gapir_packet_text_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                             uint64_t *pieces)
{
    const struct gapir_scan *scan = &gapir_dump_of(dump)->replay->scan;
    const struct gapir_packet *packet = packet_of(scan, key);

    (void)cancel;
    if (packet == NULL)
        return -ENOENT;
    *pieces = 1 + gapir_lengths_mark_behind(scan, packet->pc + packet->words - 1) -
              gapir_lengths_mark_behind(scan, packet->pc);
    return 0;
}

int gapir_packet_text_length(struct dump *dump, uint64_t key, uint64_t *length)
{
    const struct gapir_dump *gapir = gapir_dump_of(dump);
    const struct gapir_scan *scan = &gapir->replay->scan;
    const struct gapir_packet *packet = packet_of(scan, key);
    uint32_t last;
    bool is_known;

    if (packet == NULL)
        return -ENOENT;
    last = packet->pc + (packet->words > 0 ? packet->words - 1 : 0);
    is_known = gapir_lengths_between(&gapir->packet_lengths,
                                     gapir_lengths_packet_place(scan, (uint32_t)key, packet->pc),
                                     gapir_lengths_packet_place(scan, (uint32_t)key, last), length);
    return is_known ? 0 : -ENODATA;
}

int gapir_packet_text_piece(struct dump *dump, uint64_t key, uint64_t piece,
                            const struct cancel *cancel, struct text *text)
{
    struct gapir_dump *gapir = gapir_dump_of(dump);
    const struct gapir_replay *replay = gapir->replay;
    const struct gapir_scan *scan = &replay->scan;
    const struct gapir_packet *packet = packet_of(scan, key);
    size_t before = text->length;

    (void)cancel;
    if (packet == NULL)
        return -ENOENT;
    uint32_t end = packet->pc + packet->words,
             next = gapir_lengths_mark_behind(scan, packet->pc) + (uint32_t)piece;
    struct gapir_mark mark = piece == 0 ? gapir_mark_at(replay, packet->pc) : scan->marks[next - 1];
    if (next < scan->mark_count && scan->marks[next].pc < end)
        end = scan->marks[next].pc;
    gapir_write_lines(replay, &mark, UINT32_MAX, end, text);
    if (text_status(text) == 0)
        gapir_lengths_note(&gapir->packet_lengths,
                           gapir_lengths_packet_place(scan, (uint32_t)key, mark.pc),
                           (unsigned)(text->length - before));
    return 0;
}

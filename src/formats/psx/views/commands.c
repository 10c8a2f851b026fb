/* SPDX-License-Identifier: MIT */
#include "formats/psx/views/commands.h"

#include "base/bytes.h"
#include "base/hash.h"
#include "formats/psx/index/index.h"
#include "formats/psx/views/buffers.h"
#include "tree/tree.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

enum { LINE_DIGITS = 6, SLOT_DIGITS = 5 };

static unsigned digits_of(uint32_t count, unsigned fewest)
{
    unsigned digits = 1;

    for (uint32_t last = count > 0 ? count - 1 : 0; last >= 10; last /= 10)
        digits++;
    return digits > fewest ? digits : fewest;
}

int psx_lines_init(struct psx_lines *lines, struct text *text, const struct cancel *cancel,
                   unsigned packet_digits, const struct psx_frame_counts *counts)
{
    static const struct psx_frame_counts none;

    if (counts == NULL)
        counts = &none;
    *lines = (struct psx_lines){.text = text, .cancel = cancel, .packet_digits = packet_digits};
    lines->line_digits = digits_of(counts->commands, LINE_DIGITS);
    lines->draw_digits = digits_of(counts->draws, SLOT_DIGITS);
    lines->upload_digits = digits_of(counts->uploads, SLOT_DIGITS);
    lines->polyline = malloc(sizeof(*lines->polyline));
    return lines->polyline == NULL ? -ENOMEM : 0;
}

void psx_lines_clear(struct psx_lines *lines)
{
    free(lines->polyline);
    lines->polyline = NULL;
}

/*
 * Takes the command's words, all of which have been received. Returns true if nothing else of the
 * command follows.
 */
static bool take_command(const struct psx_walk *walk, const struct psx_gp0_event *event,
                         struct psx_command *command)
{
    enum psx_gp0_kind kind = psx_gp0_table[event->op].kind;

    command->event = *event;
    command->registers = walk->at.state.registers;
    command->carried_out = true;
    if (kind == GP0_POLYLINE)
        psx_polyline_begin(command->polyline, event, &command->registers);
    if (kind == GP0_UPLOAD)
        command->need += walk->at.state.parser.due;
    return kind != GP0_POLYLINE && kind != GP0_UPLOAD;
}

/* Hashes word by word, so that it does not matter how packets cut the data. */
static void hash_data(struct psx_command *command, const struct psx_gp0_event *event)
{
    for (uint32_t i = 0; i < event->data_words; i++)
        command->data =
            hash_fold(command->data ^ bytes_le32(event->data + 4 * (size_t)i), hash_secret[1]);
}

/* Returns true if this step ends the command. */
static bool take_step(const struct psx_walk *walk, const struct psx_step *step,
                      struct psx_command *command)
{
    if (step->kind == PSX_STEP_GP1 && psx_gp1_aborts(step->gp1)) {
        command->ending = PSX_ENDING_ABORTED;
        return true;
    }
    if (step->kind != PSX_STEP_GP0)
        return false;
    command->got += step->words;
    switch (step->event.type) {
    case GP0_EVENT_COMMAND:
        return take_command(walk, &step->event, command);
    case GP0_EVENT_SEGMENT:
        psx_polyline_add(command->polyline, &step->event, &command->registers);
        return false;
    case GP0_EVENT_DATA:
        if (command->hashes)
            hash_data(command, &step->event);
        return step->event.data_last;
    case GP0_EVENT_POLYLINE_END:
        return true;
    default:
        return false;
    }
}

int psx_command_follow(const struct psx_walk *walk, const struct psx_step *step,
                       const struct cancel *cancel, struct psx_command *command,
                       uint64_t *end_packet)
{
    struct psx_walk ahead = *walk;
    struct psx_step next = *step;
    unsigned steps = 0;

    command->op = step->packet.payload[4 * (uint64_t)step->word + 3];
    command->need = psx_gp0_table[command->op].words;
    command->got = 0;
    command->data = hash_secret[0];
    command->carried_out = false;
    command->ending = PSX_ENDING_COMPLETE;
    for (;;) {
        if (next.kind == PSX_STEP_GP0)
            *end_packet = next.number;
        if (take_step(&ahead, &next, command))
            return 0;
        psx_walk_apply(&ahead, &next);
        if (!psx_walk_next(&ahead, &next)) {
            command->ending = PSX_ENDING_INCOMPLETE;
            return 0;
        }
        if (psx_walk_cancelled(&steps, cancel))
            return -EINTR;
    }
}

/* Writes `NNNNNN PACKET:WORD[..PACKET] SLOT PORT OP `, which every line begins with. */
static void write_start(const struct psx_lines *lines, const struct psx_walk *walk,
                        const struct psx_step *step, uint64_t end_packet)
{
    if (lines->buffers != NULL)
        return;
    text_add_padded(lines->text, walk->at.lines, lines->line_digits);
    text_add_char(lines->text, ' ');
    text_add_padded(lines->text, step->number, lines->packet_digits);
    text_add_char(lines->text, ':');
    text_add_u64(lines->text, step->word);
    if (end_packet != step->number) {
        text_add(lines->text, "..");
        text_add_padded(lines->text, end_packet, lines->packet_digits);
    }
    text_add_char(lines->text, ' ');
}

static void write_port(const struct psx_lines *lines, const char *port, uint32_t op)
{
    text_add(lines->text, port);
    text_add_hex(lines->text, op, 2);
    text_add_char(lines->text, ' ');
}

/* Writes the number in draws/ or uploads/. */
static void write_slot(const struct psx_lines *lines, const struct psx_walk *walk,
                       const struct psx_command *command)
{
    enum psx_gp0_kind kind = psx_gp0_table[command->op].kind;

    if (lines->buffers != NULL)
        return;
    if (command->carried_out && psx_kind_draws(kind)) {
        text_add_char(lines->text, 'd');
        text_add_padded(lines->text, walk->at.draws, lines->draw_digits);
    } else if (command->carried_out && kind == GP0_UPLOAD) {
        text_add_char(lines->text, 'u');
        text_add_padded(lines->text, walk->at.uploads, lines->upload_digits);
    } else {
        text_add_char(lines->text, '-');
    }
    text_add_char(lines->text, ' ');
}

static int write_gp0(const struct psx_lines *lines, const struct psx_walk *walk,
                     const struct psx_step *step)
{
    struct psx_command command = {.polyline = lines->polyline, .hashes = lines->buffers != NULL};
    uint64_t end_packet = step->number;
    int status = psx_command_follow(walk, step, lines->cancel, &command, &end_packet);

    if (status != 0)
        return status;
    if (lines->buffers != NULL && command.carried_out)
        psx_buffers_gp0(lines->buffers, &command.event, &command.registers, &command.polyline->box);
    write_start(lines, walk, step, end_packet);
    write_slot(lines, walk, &command);
    write_port(lines, "gp0 ", command.op);
    psx_format_gp0(lines->text, &command);
    if (lines->buffers != NULL && psx_gp0_table[command.op].kind == GP0_UPLOAD)
        text_printf(lines->text, " data=%016" PRIX64, command.data);
    text_add_char(lines->text, '\n');
    return 0;
}

static void write_gp1(const struct psx_lines *lines, const struct psx_walk *walk,
                      const struct psx_step *step)
{
    uint32_t word = step->gp1;

    if (lines->buffers != NULL)
        word = psx_buffers_gp1(lines->buffers, word);
    write_start(lines, walk, step, step->number);
    write_port(lines, "- gp1 ", word >> 24);
    psx_format_gp1(lines->text, word, &walk->at.state.registers);
    text_add_char(lines->text, '\n');
}

/* The time of a VSync and the Trace begin do not count as differences between frames. */
static void write_event(const struct psx_lines *lines, const struct psx_walk *walk,
                        const struct psx_step *step)
{
    bool compared = lines->buffers != NULL;

    if (!compared || step->packet.type != PSX_PACKET_BEGIN) {
        write_start(lines, walk, step, step->number);
        write_port(lines, "- evt ", step->packet.type);
    }
    if (!compared ||
        (step->packet.type != PSX_PACKET_VSYNC && step->packet.type != PSX_PACKET_BEGIN))
        psx_format_event(lines->text, &step->packet);
    text_add_char(lines->text, '\n');
}

static int write_step(void *context, const struct psx_walk *walk, const struct psx_step *step)
{
    const struct psx_lines *lines = context;

    switch (step->kind) {
    case PSX_STEP_GP0:
        return step->event.begins ? write_gp0(lines, walk, step) : 0;
    case PSX_STEP_GP1:
        write_gp1(lines, walk, step);
        return 0;
    default:
        if (step->packet.type >= PSX_PACKET_VSYNC && step->packet.type <= PSX_PACKET_BEGIN)
            write_event(lines, walk, step);
        return 0;
    }
}

int psx_lines_write(struct psx_lines *lines, struct psx_walk *walk, uint64_t packet, uint32_t word)
{
    return psx_walk_each(walk, packet, word, write_step, lines, lines->cancel);
}

static int init_lines(struct psx_dump *dump, uint64_t frame, const struct cancel *cancel,
                      struct text *text, struct psx_lines *lines)
{
    const struct psx_frame_counts *counts =
        frame < dump->index.frame_count ? &dump->index.counts[frame] : NULL;

    return psx_lines_init(lines, text, cancel, tree_packet_digits(&dump->base), counts);
}

int psx_commands_pieces(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                        uint64_t *pieces)
{
    struct psx_index *index = &psx_dump_of(dump)->index;

    if (!psx_index_shows(index, frame))
        return -ENOENT;

    int status = psx_index_wait_frame(index, frame, cancel);

    if (status == 0)
        *pieces = index->frame_checkpoints[frame + 1] - index->frame_checkpoints[frame];
    return status;
}

static int write_piece(struct dump *dump, uint64_t frame, uint64_t piece, bool compared,
                       const struct cancel *cancel, struct text *text)
{
    struct psx_dump *psx = psx_dump_of(dump);
    struct psx_buffers buffers;
    struct psx_lines lines;
    int status = psx_index_shows(&psx->index, frame)
                     ? psx_index_wait_frame(&psx->index, frame, cancel)
                     : -ENOENT;

    if (status != 0)
        return status;
    status = init_lines(psx, frame, cancel, text, &lines);
    if (status == 0 && compared) {
        psx_buffers_find(&psx->index, frame, &buffers);
        lines.buffers = &buffers;
    }
    if (status == 0)
        status = psx_walk_checkpoint(&psx->index, psx->index.frame_checkpoints[frame] + piece,
                                     write_step, &lines, cancel);
    psx_lines_clear(&lines);
    return status;
}

int psx_commands_piece(struct dump *dump, uint64_t frame, uint64_t piece,
                       const struct cancel *cancel, struct text *text)
{
    return write_piece(dump, frame, piece, false, cancel, text);
}

int psx_compared_piece(struct dump *dump, uint64_t frame, uint64_t piece,
                       const struct cancel *cancel, struct text *text)
{
    return write_piece(dump, frame, piece, true, cancel, text);
}

/* Reads decimal digits. Returns false if there are none. */
static bool read_digits(const char *at, const char *end, uint64_t *out)
{
    const char *begin = at;

    for (*out = 0; at < end && *at >= '0' && *at <= '9'; at++)
        *out = 10 * *out + (uint64_t)(*at - '0');
    return at > begin;
}

void psx_command_numbers(const char *line, size_t length, uint64_t *packet, uint64_t *draw)
{
    const char *end = line + length;
    size_t second = text_skip_fields(line, length, 1), third = text_skip_fields(line, length, 2);

    *draw = DUMP_NOT_KNOWN;
    if (!read_digits(line + second, end, packet))
        *packet = DUMP_NOT_KNOWN;
    if (third < length && line[third] == 'd' && !read_digits(line + third + 1, end, draw))
        *draw = DUMP_NOT_KNOWN;
}

size_t psx_command_place(const char *line, size_t length, unsigned *inside)
{
    (void)inside;
    return text_skip_fields(line, length, 3);
}

/*
 * Finds the checkpoints that cut the packet's text: all of those within the packet, and the last
 * one at or before its start.
 */
static int packet_checkpoints(struct psx_dump *dump, uint64_t number, const struct cancel *cancel,
                              uint64_t *first, uint64_t *last)
{
    int status = number < dump->index.follow.packets
                     ? psx_index_wait_packet(&dump->index, number, cancel)
                     : -ENOENT;

    if (status != 0)
        return status;
    *first = psx_parser_states_find(&dump->index.checkpoints, number, 0);
    *last = psx_parser_states_find(&dump->index.checkpoints, number, UINT32_MAX);
    return 0;
}

int psx_packet_text_pieces(struct dump *dump, uint64_t packet, const struct cancel *cancel,
                           uint64_t *pieces)
{
    uint64_t first, last;
    int status = packet_checkpoints(psx_dump_of(dump), packet, cancel, &first, &last);

    if (status == 0)
        *pieces = last - first + 1;
    return status;
}

/*
 * Counts the words of a gp0 packet that belong to an earlier command. The walk must be at the
 * packet's start.
 */
static int count_carried(const struct psx_walk *walk, uint32_t words, const struct cancel *cancel,
                         uint32_t *carried)
{
    struct psx_walk ahead = *walk;
    struct psx_step step;

    *carried = 0;
    while (*carried < words && psx_walk_next(&ahead, &step) && !step.event.begins) {
        *carried += step.words;
        psx_walk_apply(&ahead, &step);
        if (cancel_requested(cancel))
            return -EINTR;
    }
    return 0;
}

static int write_continuation(const struct psx_walk *walk, const struct psx_packet *packet,
                              const struct psx_lines *lines)
{
    const struct psx_parser_state *at = &walk->at;
    uint32_t carried = 0;

    if (packet->type != PSX_PACKET_GP0 || at->state.parser.phase == GP0_PHASE_IDLE)
        return 0;

    int status = count_carried(walk, packet->words, lines->cancel, &carried);

    if (status == 0 && carried > 0) {
        text_add(lines->text, "continues ");
        text_add_padded(lines->text, at->command_packet, lines->packet_digits);
        text_printf(lines->text, ":%" PRIu32 " words=%" PRIu32 "\n", at->command_word, carried);
    }
    return status;
}

/*
 * Writes the text from the packet's start, or from a checkpoint within it, to the next checkpoint
 * within it, or the packet's end.
 */
static int write_packet_piece(struct psx_dump *dump, const struct psx_packet *packet,
                              uint64_t number, uint64_t checkpoint, struct psx_lines *lines)
{
    struct psx_parser_state at;
    struct psx_walk walk;
    uint64_t end_packet = number + 1;
    uint32_t end_word = 0;
    int status = 0;

    if (checkpoint + 1 < psx_parser_states_count(&dump->index.checkpoints)) {
        psx_parser_states_get(&dump->index.checkpoints, checkpoint + 1, &at);
        if (at.packet == number) {
            end_packet = number;
            end_word = at.word;
        }
    }
    psx_parser_states_get(&dump->index.checkpoints, checkpoint, &at);
    psx_index_use_noted(&dump->index, number, &at);
    psx_walk_resume(&walk, &dump->index, &at);
    if (at.packet < number || at.word == 0) {
        if ((status = psx_walk_to(&walk, number, 0, lines->cancel)) != 0 ||
            (status = write_continuation(&walk, packet, lines)) != 0)
            return status;
    }
    status = psx_lines_write(lines, &walk, end_packet, end_word);
    if (status == 0)
        psx_index_note_checkpoint(&dump->index, &walk.at);
    return status;
}

/*
 * Waits for the frame's counts: numbers of lines and draws have as many digits as in the frame's
 * commands.txt.
 */
static int wait_for_counts(struct psx_dump *dump, uint64_t frame, const struct cancel *cancel)
{
    return frame == PSX_INITIAL ? 0 : psx_index_wait_frame(&dump->index, frame, cancel);
}

int psx_packet_text_piece(struct dump *dump, uint64_t number, uint64_t piece,
                          const struct cancel *cancel, struct text *text)
{
    struct psx_dump *psx = psx_dump_of(dump);
    struct psx_packet packet;
    struct psx_lines lines;
    uint64_t first, last, frame = psx_index_frame_of(&psx->index, number);
    int status = packet_checkpoints(psx, number, cancel, &first, &last);

    if (status != 0 || (status = psx_index_packet(&psx->index, number, &packet)) != 0 ||
        (status = wait_for_counts(psx, frame, cancel)) != 0)
        return status;
    if (packet.type > PSX_PACKET_BEGIN) {
        psx_format_information(text, &packet, psx->index.magic);
        return 0;
    }
    status = init_lines(psx, frame, cancel, text, &lines);
    if (status == 0)
        status = write_packet_piece(psx, &packet, number, first + piece, &lines);
    psx_lines_clear(&lines);
    return status;
}

#include "formats/psx/views/commands.h"

#include "formats/psx/index/information.h"
#include "formats/psx/views/command_lines.h"
#include "tree/tree.h"

#include <errno.h>
#include <inttypes.h>

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

/* The lines between one checkpoint of the index and the next. */
static int write_from_checkpoint(struct psx_dump *dump, uint64_t number, struct psx_lines *lines)
{
    struct psx_parser_state checkpoint, end;
    struct psx_walk walk;

    psx_parser_states_get(&dump->index.checkpoints, number, &checkpoint);
    psx_parser_states_get(&dump->index.checkpoints, number + 1, &end);
    psx_walk_resume(&walk, &dump->index, &checkpoint);
    return psx_lines_write(lines, &walk, end.packet, end.word);
}

int psx_commands_piece(struct dump *dump, uint64_t frame, uint64_t piece,
                       const struct cancel *cancel, struct text *text)
{
    struct psx_dump *psx = psx_dump_of(dump);
    struct psx_lines lines;
    int status = psx_index_shows(&psx->index, frame)
                     ? psx_index_wait_frame(&psx->index, frame, cancel)
                     : -ENOENT;

    if (status != 0)
        return status;
    status = init_lines(psx, frame, cancel, text, &lines);
    if (status == 0)
        status = write_from_checkpoint(psx, psx->index.frame_checkpoints[frame] + piece, &lines);
    psx_lines_clear(&lines);
    return status;
}

size_t psx_command_place(const char *line, size_t length, unsigned *inside)
{
    (void)inside;
    return text_skip_fields(line, length, 3);
}

/* Places within the packet cut its text; the first one is at or before its start. */
static int packet_checkpoints(struct psx_dump *dump, uint64_t number, const struct cancel *cancel,
                              uint64_t *first, uint64_t *last)
{
    int status = number < dump->index.shown_packets
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

/* Words at the walk's position, the start of a gp0 packet, that belong to an earlier command. */
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

/* From the packet's start or a checkpoint within it to the next such checkpoint or its end. */
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

/* The digits of lines and draws are those of the frame's commands.txt. */
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
        psx_information_write(&packet, psx->index.magic, text);
        return 0;
    }
    status = init_lines(psx, frame, cancel, text, &lines);
    if (status == 0)
        status = write_packet_piece(psx, &packet, number, first + piece, &lines);
    psx_lines_clear(&lines);
    return status;
}

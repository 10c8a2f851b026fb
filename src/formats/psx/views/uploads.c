/* SPDX-License-Identifier: MIT */
/*
 * Uploads: their pixels as 15-bit colours, straight from the stream, and the table of uploads, of
 * one frame or of the dump.
 */
#include "base/bytes.h"
#include "formats/psx/frame/frame.h"
#include "formats/psx/gpu/scanout.h"
#include "formats/psx/views/commands.h"
#include "formats/psx/views/views.h"
#include "tree/names.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UPLOAD_DIGITS = 5, UPLOAD_BITS = 5, PIECES_MAX = 1 << 14 };

static int next_upload(struct dump *dump, uint64_t frame, uint64_t from, uint64_t *upload)
{
    const struct psx_frame_counts *counts;
    int status = psx_frame_counts_get(dump, frame, &counts);

    if (status != 0)
        return status;
    *upload = from;
    return from < counts->uploads && from >> DRAW_BITS == 0 ? 0 : -ENOENT;
}

static int find_upload(struct psx_dump *dump, uint64_t frame, uint64_t number,
                       const struct cancel *cancel, struct psx_found *found, struct psx_draw *draw)
{
    int status = psx_find_command(dump, frame, FIND_UPLOAD, number, cancel, found);

    if (status == 0)
        psx_found_draw(found, draw);
    return status;
}

static int name_upload(struct dump *dump, uint64_t frame, uint64_t number, char *name)
{
    const struct psx_frame_counts *counts;
    struct psx_found found;
    struct psx_draw draw;
    int status = psx_frame_counts_get(dump, frame, &counts);
    unsigned digits;

    if (status == 0)
        status = find_upload(psx_dump_of(dump), frame, number, NULL, &found, &draw);
    if (status != 0)
        return status;
    digits = names_digits(counts->uploads, UPLOAD_DIGITS);
    snprintf(name, RULE_NAME_MAX + 1, "%0*" PRIu64 "-%" PRIu32 "x%" PRIu32 ".png", (int)digits,
             number, draw.x, draw.y);
    return 0;
}

const struct rule_family psx_upload_family = {DRAW_BITS, next_upload, name_upload, NULL};

int psx_upload_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    const struct psx_frame_counts *counts;
    struct dump_picture picture;
    struct psx_found found;
    struct psx_draw draw;
    int status = psx_frame_counts_get(dump, frame_of_key(key), &counts);

    if (status == 0)
        status = find_upload(psx_dump_of(dump), frame_of_key(key), number_of_key(key), NULL, &found,
                             &draw);
    if (status == 0)
        status = dump_picture_init(dump, frame_of_key(key), draw.width, draw.height, PICTURE_RGB,
                                   UPLOAD_BITS, &picture);
    return status == 0 ? dump_picture_size(dump, &picture, size) : status;
}

/* Collects the upload's halfwords from the stream. Missing ones stay 0. */
static int collect(const struct psx_found *found, uint16_t *pixels, size_t count,
                   const struct cancel *cancel)
{
    struct psx_walk walk = found->walk;
    struct psx_step step = found->step;
    size_t done = 0;

    for (;;) {
        psx_walk_apply(&walk, &step);
        if (walk.at.state.parser.phase != GP0_PHASE_UPLOAD || !psx_walk_next(&walk, &step))
            return 0;
        if (step.kind != PSX_STEP_GP0 || step.event.type != GP0_EVENT_DATA)
            continue;
        for (size_t i = 0; i < 2 * (size_t)step.event.data_words && done < count; i++)
            pixels[done++] = bytes_le16(step.event.data + 2 * i);
        if (cancel_requested(cancel))
            return -EINTR;
        if (step.event.data_last)
            return 0;
    }
}

struct upload_pixels {
    const uint16_t *pixels;
    uint32_t width;
};

static void pixels_row(const void *context, uint32_t y, uint8_t *rgb)
{
    const struct upload_pixels *pixels = context;

    psx_scanout_expand(pixels->pixels + (size_t)y * pixels->width, pixels->width, rgb);
}

int psx_upload_make(struct dump *dump, uint64_t key, const struct cancel *cancel, struct blob **out)
{
    struct psx_dump *psx = psx_dump_of(dump);
    const struct psx_frame_counts *counts;
    struct dump_picture picture;
    struct psx_found found;
    struct psx_draw draw;
    uint16_t *pixels;
    int status = psx_frame_counts_wait(dump, frame_of_key(key), cancel, &counts);

    if (status == 0)
        status = find_upload(psx, frame_of_key(key), number_of_key(key), cancel, &found, &draw);
    if (status == 0)
        status = dump_picture_init(dump, frame_of_key(key), draw.width, draw.height, PICTURE_RGB,
                                   UPLOAD_BITS, &picture);
    if (status != 0)
        return status;
    pixels = calloc((size_t)draw.width * draw.height, sizeof(*pixels));
    status = pixels == NULL ? -ENOMEM
                            : collect(&found, pixels, (size_t)draw.width * draw.height, cancel);
    if (status == 0) {
        struct upload_pixels rows = {pixels, draw.width};

        status = psx_paint(psx, &picture.header, pixels_row, &rows, cancel, out);
    }
    free(pixels);
    return status;
}

/* Tables. */

#define COLUMNS "frame\tupload\tpacket\tword\tx\ty\twidth\theight\tbytes\tend"

static void write_row(const struct psx_walk *walk, const struct psx_step *step,
                      const struct psx_command *command, struct text *text)
{
    static const char *const endings[] = {
        [PSX_ENDING_COMPLETE] = "complete",
        [PSX_ENDING_INCOMPLETE] = "incomplete",
        [PSX_ENDING_ABORTED] = "aborted",
    };
    struct psx_draw draw;

    psx_draw_decode(&command->event, &command->registers, &draw);
    if (walk->at.frame < walk->index->frame_count)
        text_add_u64(text, walk->at.frame);
    else
        text_add_char(text, '-');
    text_printf(text, "\t%" PRIu32 "\t%" PRIu64 "\t%" PRIu32, walk->at.uploads, step->number,
                step->word);
    text_printf(text, "\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu64 "\t%s\n",
                draw.x, draw.y, draw.width, draw.height, 2 * (uint64_t)draw.width * draw.height,
                endings[command->ending]);
}

/* State for writing a table. */
struct upload_rows {
    const struct cancel *cancel;
    struct text *text;
};

static int write_step(void *context, const struct psx_walk *walk, const struct psx_step *step)
{
    const struct upload_rows *rows = context;
    struct psx_command command = {0};
    uint64_t end_packet = 0;
    int status;

    if (step->kind != PSX_STEP_GP0 || !step->event.begins ||
        psx_gp0_table[step->packet.payload[4 * (uint64_t)step->word + 3]].kind != GP0_UPLOAD)
        return 0;
    status = psx_command_follow(walk, step, rows->cancel, &command, &end_packet);
    if (status == 0 && command.carried_out)
        write_row(walk, step, &command, rows->text);
    return status;
}

static int write_checkpoint(struct psx_dump *dump, uint64_t checkpoint, const struct cancel *cancel,
                            struct text *text)
{
    struct upload_rows rows = {cancel, text};

    return psx_walk_checkpoint(&dump->index, checkpoint, write_step, &rows, cancel);
}

static int write_frame_piece(struct dump *dump, uint64_t frame, uint64_t piece,
                             const struct cancel *cancel, struct text *text)
{
    struct psx_dump *psx = psx_dump_of(dump);
    const struct psx_frame_counts *counts;
    int status = psx_frame_counts_wait(dump, frame, cancel, &counts);

    return status == 0
               ? write_checkpoint(psx, psx->index.frame_checkpoints[frame] + piece, cancel, text)
               : status;
}

/*
 * Returns the number of checkpoints in a piece of the dump's table. Every frame has a checkpoint,
 * and there may be millions of frames.
 */
static uint64_t checkpoints_of_piece(const struct psx_index *index)
{
    return psx_parser_states_count(&index->checkpoints) / PIECES_MAX + 1;
}

static int count_all_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                            uint64_t *pieces)
{
    struct psx_index *index = &psx_dump_of(dump)->index;
    int status = psx_index_wait_all(index, cancel);
    uint64_t of_piece = checkpoints_of_piece(index);

    (void)key;
    if (status == 0)
        *pieces = (psx_parser_states_count(&index->checkpoints) + of_piece - 2) / of_piece;
    return status;
}

/* Returns the frame that the part of the stream after a checkpoint is in. */
static uint64_t frame_of_checkpoint(const struct psx_index *index, uint64_t checkpoint)
{
    struct psx_parser_state state;

    psx_parser_states_get(&index->checkpoints, checkpoint, &state);
    return state.frame;
}

/* Writes from checkpoint `first` to checkpoint `end`. Skips frames without uploads. */
static int write_checkpoints(struct psx_dump *dump, uint64_t first, uint64_t end,
                             const struct cancel *cancel, struct text *text)
{
    const struct psx_index *index = &dump->index;
    uint64_t frame = frame_of_checkpoint(index, first), next = frame == PSX_INITIAL ? 0 : frame + 1;
    int status = 0;

    while (first < end && status == 0) {
        for (; next <= index->frame_count && index->frame_checkpoints[next] <= first; next++)
            frame = next;
        if (frame < index->frame_count && index->counts[frame].uploads == 0)
            first = index->frame_checkpoints[next];
        else
            status = write_checkpoint(dump, first++, cancel, text);
    }
    return status;
}

static int write_any_piece(struct dump *dump, uint64_t key, uint64_t piece,
                           const struct cancel *cancel, struct text *text)
{
    struct psx_dump *psx = psx_dump_of(dump);
    int status = psx_index_wait_all(&psx->index, cancel);
    uint64_t of_piece = checkpoints_of_piece(&psx->index);
    uint64_t last = psx_parser_states_count(&psx->index.checkpoints) - 1;
    uint64_t first = piece * of_piece;

    (void)key;
    if (status != 0)
        return status;
    return write_checkpoints(psx, first, last - first < of_piece ? last : first + of_piece, cancel,
                             text);
}

const struct dump_listing psx_upload_table = {
    .columns = COLUMNS, .pieces = psx_commands_pieces, .piece = write_frame_piece};
const struct dump_listing psx_all_upload_table = {
    .columns = COLUMNS, .pieces = count_all_pieces, .piece = write_any_piece};

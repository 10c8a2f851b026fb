/* SPDX-License-Identifier: MIT */
/*
 * commands.tsv: a frame's commands to port 0 as rows, with the numbers of commands.txt. The last
 * column needs a walk over the complete frame; its width is fixed.
 */
#include "formats/psx/views/views.h"

#include "formats/psx/frame/frame.h"
#include "formats/psx/frame/frame_cost.h"
#include "formats/psx/gpu/cost.h"
#include "formats/psx/views/rows.h"

#include <errno.h>
#include <inttypes.h>

static uint64_t cycles_of(const struct psx_rows *rows, const struct psx_walk *walk,
                          const struct psx_command *command)
{
    const struct psx_gp0_info *info = &psx_gp0_table[command->op];
    struct psx_draw draw;

    if (rows->cycles == NULL || !command->carried_out)
        return 0;
    if (psx_kind_draws(info->kind))
        return psx_frame_cost_of(rows->cycles, walk->at.draws);
    psx_draw_decode(&command->event, &command->registers, &draw);
    if (info->kind == GP0_UPLOAD)
        return psx_cost_transfer(command->got - info->words);
    return info->kind == GP0_READ ? psx_cost_transfer(((uint64_t)draw.width * draw.height + 1) / 2)
                                  : 0;
}

static void write_row(const struct psx_rows *rows, const struct psx_walk *walk,
                      const struct psx_step *step, const struct psx_command *command,
                      uint64_t last_packet)
{
    static const char *const endings[] = {
        [PSX_ENDING_COMPLETE] = "complete",
        [PSX_ENDING_INCOMPLETE] = "incomplete",
        [PSX_ENDING_ABORTED] = "aborted",
    };
    const struct psx_gp0_info *info = &psx_gp0_table[command->op];
    struct text *text = rows->lines.text;

    text_printf(text, "%" PRIu32 "\t%" PRIu64 "\t%" PRIu32 "\t%" PRIu64 "\t%" PRIu64 "\t%02X\t%s",
                walk->at.lines, step->number, step->word, last_packet, command->got, command->op,
                info->name);
    text_cell_or_none(text, command->carried_out && psx_kind_draws(info->kind), walk->at.draws);
    text_cell_or_none(text, command->carried_out && info->kind == GP0_UPLOAD, walk->at.uploads);
    text_printf(text, "\t%s\t%010" PRIu64 "\n", endings[command->ending],
                cycles_of(rows, walk, command));
}

static int write_step(void *context, const struct psx_walk *walk, const struct psx_step *step)
{
    const struct psx_rows *rows = context;
    struct psx_command command = {.polyline = rows->lines.polyline};
    uint64_t last_packet = step->number;
    int status = 0;

    if (step->kind != PSX_STEP_GP0 || !step->event.begins)
        return 0;
    status = psx_command_follow(walk, step, rows->lines.cancel, &command, &last_packet);
    if (status == 0)
        write_row(rows, walk, step, &command, last_packet);
    return status;
}

static int table_piece(struct dump *dump, uint64_t frame, uint64_t piece,
                       const struct cancel *cancel, struct text *text)
{
    return psx_rows_write(dump, frame, piece, write_step, PSX_ROWS_CYCLES, cancel, text);
}

static int table_measure(struct dump *dump, uint64_t frame, uint64_t piece,
                         const struct cancel *cancel, struct text *text)
{
    return psx_rows_write(dump, frame, piece, write_step, 0, cancel, text);
}

const struct dump_listing psx_command_table = {
    .columns = "command\tpacket\tword\tlast\twords\top\tname\tdraw\tupload\tend\tcycles",
    .pieces = psx_commands_pieces,
    .piece = table_piece,
    .measure = table_measure};

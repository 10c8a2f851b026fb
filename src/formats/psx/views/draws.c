/* SPDX-License-Identifier: MIT */
/*
 * draws.tsv: a frame's drawing commands as rows, with the numbers and operands of commands.txt. The
 * last columns need a replay, or a walk over the complete frame; their width is fixed.
 */
#include "formats/psx/views/views.h"

#include "formats/psx/frame/frame.h"
#include "formats/psx/frame/frame_cost.h"
#include "formats/psx/gpu/scanout.h"
#include "formats/psx/views/rows.h"
#include "tree/names.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_rgb(struct text *text, uint32_t colour)
{
    text_add_hex(text, (colour & 0xFF) << 16 | (colour & 0xFF00) | (colour >> 16 & 0xFF), 6);
}

static void add_pair(struct text *text, int64_t a, int64_t b)
{
    text_add_i64(text, a);
    text_add_char(text, ',');
    text_add_i64(text, b);
}

/* Writes the cell of vertices and that of colours. */
static void add_vertices(struct text *text, const struct psx_vertex *vertices, uint64_t count,
                         bool gouraud)
{
    unsigned listed = count < PSX_POLYLINE_LISTED ? (unsigned)count : PSX_POLYLINE_LISTED;

    for (unsigned i = 0; i < listed; i++) {
        text_add(text, i > 0 ? "/" : "");
        add_pair(text, vertices[i].x, vertices[i].y);
    }
    if (count > listed)
        text_printf(text, "/+%" PRIu64, count - listed);
    text_add_char(text, '\t');
    for (unsigned i = 0; i < (gouraud ? listed : 1); i++) {
        text_add(text, i > 0 ? "/" : "");
        add_rgb(text, vertices[i].colour);
    }
    text_add_char(text, '\t');
}

static void add_shape(struct text *text, const struct psx_command *command,
                      const struct psx_draw *draw)
{
    switch (draw->kind) {
    case GP0_POLYLINE:
        add_vertices(text, command->polyline->listed, command->polyline->vertices, draw->gouraud);
        break;
    case GP0_FILL:
        add_pair(text, draw->x, draw->y);
        text_add_char(text, '\t');
        add_rgb(text, draw->vertex[0].colour);
        text_add_char(text, '\t');
        break;
    case GP0_COPY:
        add_pair(text, draw->from_x, draw->from_y);
        text_add_char(text, '/');
        add_pair(text, draw->x, draw->y);
        text_add(text, "\t-\t");
        break;
    default:
        add_vertices(text, draw->vertex, draw->vertex_count, draw->gouraud);
        break;
    }
}

static void add_number_or_none(struct text *text, bool is_there, uint64_t number)
{
    if (is_there)
        text_add_u64(text, number);
    else
        text_add_char(text, '-');
    text_add_char(text, '\t');
}

static void add_page(struct text *text, const struct psx_draw *draw)
{
    add_number_or_none(text, draw->textured, draw->page);
    if (draw->depth <= PSX_DEPTH_8)
        text_add_hex(text, draw->clut, 4);
    else
        text_add(text, draw->textured ? "none" : "-");
    text_add_char(text, '\t');
    add_number_or_none(text, draw->semi, draw->blend);
}

static void add_uv(struct text *text, const struct psx_draw *draw)
{
    static const char *const depths[] = {"4", "8", "15", "-"};

    for (unsigned i = 0; draw->textured && i < draw->vertex_count; i++) {
        text_add(text, i > 0 ? "/" : "");
        add_pair(text, draw->vertex[i].u, draw->vertex[i].v);
    }
    text_add(text, draw->textured ? "\t" : "-\t");
    text_add(text, depths[draw->depth]);
    text_add_char(text, '\t');
}

static void add_modes(struct text *text, const struct psx_draw *draw,
                      const struct psx_registers *registers)
{
    uint32_t window = registers->e[2], mask = registers->e[6];
    bool has_size = draw->kind == GP0_RECTANGLE || draw->kind == GP0_FILL || draw->kind == GP0_COPY;

    if (draw->textured) {
        add_pair(text, (window & 0x1F) * 8, (window >> 5 & 0x1F) * 8);
        text_add_char(text, ',');
        add_pair(text, (window >> 10 & 0x1F) * 8, (window >> 15 & 0x1F) * 8);
    } else {
        text_add_char(text, '-');
    }
    text_printf(text, "\t%d\t%u,%u\t", draw->dither, mask & 1, mask >> 1 & 1);
    if (has_size)
        add_pair(text, draw->width, draw->height);
    else
        text_add_char(text, '-');
    text_printf(text, "\t%d\t", draw->raw);
}

static void add_box(struct text *text, const struct psx_command *command,
                    const struct psx_draw *draw)
{
    static const char *const reasons[] = {
        [PSX_CULL_NO] = "-",
        [PSX_CULL_SIZE] = "size",
        [PSX_CULL_CLIP] = "clip",
        [PSX_CULL_EMPTY] = "empty",
    };
    struct psx_box box;
    enum psx_cull cull = psx_draw_box(draw, &command->registers, &box);

    if (draw->kind == GP0_POLYLINE) {
        box = command->polyline->box;
        cull = command->polyline->cull;
    }
    if (cull == PSX_CULL_NO) {
        add_pair(text, box.x, box.y);
        text_add_char(text, ',');
        add_pair(text, box.width, box.height);
    } else {
        text_add_char(text, '-');
    }
    text_add_char(text, '\t');
    text_add(text, reasons[cull]);
}

static uint32_t pixels_of(const struct blob *pixels, uint64_t draw)
{
    if (pixels == NULL || draw >= pixels->size / 4)
        return 0;

    uint32_t count;

    memcpy(&count, pixels->data + 4 * draw, sizeof(count));
    return count;
}

static void write_row(const struct psx_rows *rows, const struct psx_walk *walk,
                      const struct psx_step *step, const struct psx_command *command)
{
    struct text *text = rows->lines.text;
    struct psx_area area = psx_registers_area(&command->registers);
    struct psx_draw draw;

    psx_draw_decode(&command->event, &command->registers, &draw);
    text_printf(text, "%" PRIu32 "\t%" PRIu64 "\t%s\t", walk->at.draws, step->number,
                psx_gp0_table[command->op].name);
    add_shape(text, command, &draw);
    add_page(text, &draw);
    text_printf(text, "%d,%d,%d,%d\t%" PRIu32 "\t%02X\t", area.x0, area.y0, area.x1, area.y1,
                walk->at.lines, command->op);
    add_uv(text, &draw);
    add_modes(text, &draw, &command->registers);
    add_box(text, command, &draw);
    text_printf(text, "\t%" PRIu32 "\t%010" PRIu32 "\t%010" PRIu32 "\n", step->word,
                pixels_of(rows->pixels, walk->at.draws),
                psx_frame_cost_of(rows->cycles, walk->at.draws));
}

static int write_step(void *context, const struct psx_walk *walk, const struct psx_step *step)
{
    const struct psx_rows *rows = context;
    struct psx_command command = {.polyline = rows->lines.polyline};
    uint64_t end_packet = 0;
    int status = 0;

    if (step->kind != PSX_STEP_GP0 || !step->event.begins ||
        !psx_kind_draws(psx_gp0_table[step->packet.payload[4 * (uint64_t)step->word + 3]].kind))
        return 0;
    status = psx_command_follow(walk, step, rows->lines.cancel, &command, &end_packet);
    if (status == 0 && command.carried_out)
        write_row(rows, walk, step, &command);
    return status;
}

static int table_piece(struct dump *dump, uint64_t frame, uint64_t piece,
                       const struct cancel *cancel, struct text *text)
{
    return psx_rows_write(dump, frame, piece, write_step, PSX_ROWS_PIXELS | PSX_ROWS_CYCLES, cancel,
                          text);
}

static int table_measure(struct dump *dump, uint64_t frame, uint64_t piece,
                         const struct cancel *cancel, struct text *text)
{
    return psx_rows_write(dump, frame, piece, write_step, 0, cancel, text);
}

const struct dump_listing psx_draw_table = {
    .columns = "draw\tpacket\tkind\tvertices\tcolours\tpage\tclut\tblend\tarea\tcommand\top\tuv\t"
               "depth\twindow\tdither\tmask\tsize\traw\tbox\tcull\tword\tpixels\tcycles",
    .pieces = psx_commands_pieces,
    .piece = table_piece,
    .measure = table_measure};

/*
 * Pictures of draws: VRAM right after each draw, which of its pixels the draw touched, and the
 * frame without the draw. The last draw's picture shows VRAM at the frame's end.
 */

enum { DRAW_DIGITS = 5, VRAM_BITS = 5 };

/* Names. */

static int next_draw(struct dump *dump, uint64_t frame, uint64_t from, uint64_t *draw)
{
    const struct psx_frame_counts *counts;
    int status = psx_frame_counts_get(dump, frame, &counts);

    if (status != 0)
        return status;
    *draw = from;
    return from < counts->draws && from >> DRAW_BITS == 0 ? 0 : -ENOENT;
}

static int name_draw(struct dump *dump, uint64_t frame, uint64_t draw, const char *suffix,
                     char *name)
{
    const struct psx_frame_counts *counts;
    int status = psx_frame_counts_get(dump, frame, &counts);
    unsigned digits;

    if (status != 0)
        return status;
    digits = names_digits(counts->draws, DRAW_DIGITS);
    snprintf(name, RULE_NAME_MAX + 1, "%0*" PRIu64 "%s", (int)digits, draw, suffix);
    return 0;
}

static int name_png(struct dump *dump, uint64_t frame, uint64_t draw, char *name)
{
    return name_draw(dump, frame, draw, ".png", name);
}

static int name_touched(struct dump *dump, uint64_t frame, uint64_t draw, char *name)
{
    return name_draw(dump, frame, draw, "-touched.png", name);
}

static int name_cut(struct dump *dump, uint64_t frame, uint64_t draw, char *name)
{
    return name_draw(dump, frame, draw, ".psxgpu", name);
}

static int name_area(struct dump *dump, uint64_t frame, uint64_t draw, char *name)
{
    return name_draw(dump, frame, draw, "-area.png", name);
}

const struct rule_family psx_draw_family = {DRAW_BITS, next_draw, name_png, NULL};
const struct rule_family psx_draw_touched_family = {DRAW_BITS, next_draw, name_touched, NULL};
const struct rule_family psx_draw_cut_family = {DRAW_BITS, next_draw, name_cut, NULL};
const struct rule_family psx_without_area_family = {DRAW_BITS, next_draw, name_area, NULL};

/* Sizes. */

/* Returns whether boxes overlap, with wrap after the last line that is addressed. */
static bool boxes_meet(const struct psx_box *a, const struct psx_box *b, uint32_t addressed)
{
    int below = (b->y - a->y) & (int)(addressed - 1);
    int above = (a->y - b->y) & (int)(addressed - 1);

    return b->width > 0 && a->x < b->x + b->width && a->x + a->width > b->x &&
           (below < a->height || above < b->height);
}

/*
 * Returns the drawing area, or the destination of a fill or copy that does not overlap it. The
 * width is 0 if there is none.
 */
static struct psx_box area_of(const struct psx_found *found)
{
    const struct psx_registers *registers = &found->walk.at.state.registers;
    struct psx_box area, to = {0};
    struct psx_draw draw;

    psx_draw_area(registers, &area);
    psx_found_draw(found, &draw);
    if (draw.kind == GP0_FILL || draw.kind == GP0_COPY)
        psx_draw_box(&draw, registers, &to);
    return to.width > 0 && !boxes_meet(&to, &area, psx_display_lines(&registers->display)) ? to
                                                                                           : area;
}

static int find_area(struct psx_dump *dump, uint64_t key, const struct cancel *cancel,
                     struct psx_box *box)
{
    struct psx_found found;
    int status =
        psx_find_command(dump, frame_of_key(key), FIND_DRAW, number_of_key(key), cancel, &found);

    if (status == 0)
        *box = area_of(&found);
    return status;
}

static int area_header(struct dump *dump, uint64_t key, const struct psx_box *box,
                       struct dump_picture *out)
{
    bool empty = box->width == 0;

    return dump_picture_init(dump, frame_of_key(key), empty ? 1 : (uint32_t)box->width,
                             empty ? 1 : (uint32_t)box->height, PICTURE_RGB, VRAM_BITS, out);
}

int psx_draw_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    const struct psx_frame_counts *counts;
    struct dump_picture picture;
    struct psx_box box;
    int status = psx_frame_counts_get(dump, frame_of_key(key), &counts);

    if (status == 0)
        status = find_area(psx_dump_of(dump), key, NULL, &box);
    if (status == 0)
        status = area_header(dump, key, &box, &picture);
    return status == 0 ? dump_picture_size(dump, &picture, size) : status;
}

int psx_without_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    struct dump_picture picture;
    int status = dump_picture_header(dump, frame_of_key(key), &picture);

    return status == 0 ? dump_picture_size(dump, &picture, size) : status;
}

/* Contents. */

static int begin_area(struct dump *dump, uint64_t key, const struct cancel *cancel,
                      struct psx_box *box, struct dump_picture *picture)
{
    const struct psx_frame_counts *counts;
    int status = psx_frame_counts_wait(dump, frame_of_key(key), cancel, &counts);

    if (status == 0)
        status = find_area(psx_dump_of(dump), key, cancel, box);
    return status == 0 ? area_header(dump, key, box, picture) : status;
}

/*
 * Returns how many draws must be complete when the draw's picture is taken, as for
 * psx_player_take().
 */
static uint64_t draws_over(const struct psx_dump *dump, uint64_t key)
{
    uint64_t last = dump->index.counts[frame_of_key(key)].draws - 1;

    return number_of_key(key) == last ? last + 2 : number_of_key(key) + 1;
}

static struct psx_paint_area area_in(const struct psx_player *player, const struct psx_box *box)
{
    const struct psx_gpu *gpu = player->gpu;

    return (struct psx_paint_area){gpu->vram, psx_registers_lines(&gpu->state.registers), *box};
}

int psx_draw_make(struct dump *dump, uint64_t key, const struct cancel *cancel, struct blob **out)
{
    struct psx_dump *psx = psx_dump_of(dump);
    struct psx_player *player = NULL;
    struct dump_picture picture;
    struct psx_box box;
    int status = begin_area(dump, key, cancel, &box, &picture);

    if (status == 0)
        status = psx_player_take(psx, frame_of_key(key), draws_over(psx, key), cancel, &player);
    if (status != 0)
        return status;

    struct psx_paint_area area = area_in(player, &box);

    status = psx_paint(psx, &picture.header, psx_paint_area_row, &area, cancel, out);
    psx_player_give(psx, &player);
    return status;
}

/* The area dimmed, with the pixels of one writer in a colour that dimmed pixels never have. */
struct touched {
    struct psx_paint_area area;
    const int32_t *last;
    int32_t writer;
};

static void touched_row(const void *context, uint32_t y, uint8_t *rgb)
{
    static const uint8_t mark[3] = {255, 0, 255};
    const struct touched *touched = context;
    const struct psx_box *box = &touched->area.box;
    uint32_t line = psx_paint_area_line(&touched->area, y);
    uint32_t width = box->width > 0 ? (uint32_t)box->width : 1;

    psx_paint_area_row(&touched->area, y, rgb);
    psx_paint_dim(rgb, width);
    for (uint32_t i = 0; line < touched->area.lines.memory && i < (uint32_t)box->width; i++) {
        uint32_t x = ((uint32_t)box->x + i) & (PSX_VRAM_WIDTH - 1);

        if (touched->last[line * PSX_VRAM_WIDTH + x] == touched->writer)
            memcpy(rgb + 3 * (size_t)i, mark, sizeof(mark));
    }
}

/* Carries out steps with their writes logged until the draw is complete. */
static int run_trace(struct psx_player *player, uint64_t draw, const struct cancel *cancel,
                     struct psx_write_log *write_log)
{
    struct psx_step step;
    int status = psx_write_log_init(write_log, player->gpu->lines);

    player->gpu->observer = &write_log->observer;
    while (status == 0 && player->draws <= draw && psx_player_next(player, &step)) {
        write_log->writer = psx_player_writer(player, &step);
        psx_player_carry_out(player, &step);
        if (cancel_requested(cancel))
            status = -EINTR;
    }
    player->gpu->observer = NULL;
    return status;
}

int psx_draw_touched_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                          struct blob **out)
{
    struct psx_dump *psx = psx_dump_of(dump);
    struct psx_player *player = NULL;
    struct dump_picture picture;
    struct psx_box box;
    struct psx_write_log write_log = {0};
    int status = begin_area(dump, key, cancel, &box, &picture);

    if (status == 0)
        status = psx_player_take(psx, frame_of_key(key), number_of_key(key), cancel, &player);
    if (status != 0)
        return status;
    status = run_trace(player, number_of_key(key), cancel, &write_log);
    if (status == 0) {
        struct touched touched = {area_in(player, &box), write_log.last,
                                  (int32_t)number_of_key(key)};

        status = psx_paint(psx, &picture.header, touched_row, &touched, cancel, out);
    }
    psx_write_log_clear(&write_log);
    psx_player_give(psx, &player);
    return status;
}

/*
 * Carries out the rest of the frame without one draw. The draw's words are missing, and so is what
 * they set.
 */
static int run_without(struct psx_player *player, uint64_t draw, const struct cancel *cancel)
{
    struct psx_step step;

    while (psx_player_next(player, &step)) {
        bool left_out = step.kind == PSX_STEP_GP0 && step.event.type != GP0_EVENT_NONE &&
                        psx_player_writer(player, &step) == (int32_t)draw &&
                        (step.event.type != GP0_EVENT_COMMAND ||
                         psx_kind_draws(psx_gp0_table[step.event.op].kind));

        if (left_out)
            psx_player_pass_over(player, &step);
        else
            psx_player_carry_out(player, &step);
        if (cancel_requested(cancel))
            return -EINTR;
    }
    return 0;
}

static int take_without(struct dump *dump, uint64_t key, const struct cancel *cancel,
                        struct psx_player **out)
{
    struct psx_dump *psx = psx_dump_of(dump);
    const struct psx_frame_counts *counts;
    int status = psx_frame_counts_wait(dump, frame_of_key(key), cancel, &counts);

    if (status == 0 && number_of_key(key) >= counts->draws)
        status = -ENOENT;
    if (status == 0)
        status = psx_player_take_whole(psx, frame_of_key(key), cancel, out);
    if (status == 0)
        status = run_without(*out, number_of_key(key), cancel);
    return status;
}

struct shown {
    const struct psx_screen *screen;
    const struct psx_gpu *gpu;
};

static void shown_row(const void *context, uint32_t y, uint8_t *rgb)
{
    const struct shown *shown = context;

    psx_scanout_row(shown->screen, shown->gpu->vram, shown->gpu->lines, y, rgb);
}

int psx_without_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                     struct blob **out)
{
    struct psx_dump *psx = psx_dump_of(dump);
    struct psx_player *player = NULL;
    struct dump_picture picture;
    struct psx_screen screen;
    int status = dump_picture_header(dump, frame_of_key(key), &picture);

    if (status == 0)
        status = take_without(dump, key, cancel, &player);
    if (status == 0) {
        psx_display_screen(&psx->index.frames[frame_of_key(key)].display, &screen);

        struct shown shown = {&screen, player->gpu};

        status = psx_paint(psx, &picture.header, shown_row, &shown, cancel, out);
    }
    psx_player_forget(psx, &player);
    return status;
}

int psx_without_area_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                          struct blob **out)
{
    struct psx_dump *psx = psx_dump_of(dump);
    struct psx_player *player = NULL;
    struct dump_picture picture;
    struct psx_box box;
    int status = begin_area(dump, key, cancel, &box, &picture);

    if (status == 0)
        status = take_without(dump, key, cancel, &player);
    if (status == 0) {
        struct psx_paint_area area = area_in(player, &box);

        status = psx_paint(psx, &picture.header, psx_paint_area_row, &area, cancel, out);
    }
    psx_player_forget(psx, &player);
    return status;
}

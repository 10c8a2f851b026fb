/*
 * Pictures of draws: VRAM right after each, which of its pixels were touched, and
 * what the frame would be without it. The last one of a frame shows it at its end.
 */
#include "formats/psx/frame/command_finder.h"
#include "formats/psx/frame/frame.h"
#include "formats/psx/frame/frame_player.h"
#include "formats/psx/frame/write_log.h"
#include "formats/psx/gpu/scanout.h"
#include "formats/psx/views/frame_files.h"
#include "formats/psx/views/paint.h"
#include "tree/names.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    digits = names_digits(counts->draws);
    snprintf(name, RULE_NAME_MAX + 1, "%0*" PRIu64 "%s",
             (int)(digits > DRAW_DIGITS ? digits : DRAW_DIGITS), draw, suffix);
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

static int name_area(struct dump *dump, uint64_t frame, uint64_t draw, char *name)
{
    return name_draw(dump, frame, draw, "-area.png", name);
}

const struct rule_family psx_draw_family = {DRAW_BITS, next_draw, name_png, NULL};
const struct rule_family psx_draw_touched_family = {DRAW_BITS, next_draw, name_touched, NULL};
const struct rule_family psx_without_area_family = {DRAW_BITS, next_draw, name_area, NULL};

/* Sizes. */

/* Lines come around at the lower edge. */
static bool boxes_meet(const struct psx_box *a, const struct psx_box *b)
{
    int below = (b->y - a->y) & (PSX_VRAM_HEIGHT - 1);
    int above = (a->y - b->y) & (PSX_VRAM_HEIGHT - 1);

    return b->width > 0 && a->x < b->x + b->width && a->x + a->width > b->x &&
           (below < a->height || above < b->height);
}

/* The drawing area, or where a fill or a copy goes beside it. Width 0: there is none. */
static struct psx_box area_of(const struct found *found)
{
    const struct psx_registers *registers = &found->walk.at.state.registers;
    struct psx_box area, to = {0};
    struct psx_draw draw;

    psx_draw_area(registers, &area);
    psx_found_draw(found, &draw);
    if (draw.kind == GP0_FILL || draw.kind == GP0_COPY)
        psx_draw_box(&draw, registers, &to);
    return to.width > 0 && !boxes_meet(&to, &area) ? to : area;
}

static int find_area(struct psx_dump *dump, uint64_t key, const struct cancel *cancel,
                     struct psx_box *box)
{
    struct found found;
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

/* How many draws are over when this one's picture is taken. */
static uint64_t draws_over(const struct psx_dump *dump, uint64_t key)
{
    uint64_t last = dump->index.counts[frame_of_key(key)].draws - 1;

    return number_of_key(key) == last ? last + 2 : number_of_key(key) + 1;
}

static struct paint_area area_in(const struct player *player, const struct psx_box *box)
{
    return (struct paint_area){player->gpu->vram, PSX_VRAM_HEIGHT, *box};
}

int psx_draw_make(struct dump *dump, uint64_t key, const struct cancel *cancel, struct blob **out)
{
    struct psx_dump *psx = psx_dump_of(dump);
    struct player *player = NULL;
    struct dump_picture picture;
    struct psx_box box;
    int status = begin_area(dump, key, cancel, &box, &picture);

    if (status == 0)
        status = psx_player_take(psx, frame_of_key(key), draws_over(psx, key), cancel, &player);
    if (status != 0)
        return status;

    struct paint_area area = area_in(player, &box);

    status = psx_paint(psx, &picture.header, psx_paint_area_row, &area, cancel, out);
    psx_player_give(psx, &player);
    return status;
}

/* The area dimmed, with the pixels of one writer in a colour that nothing dimmed has. */
struct touched {
    struct paint_area area;
    const int32_t *last;
    int32_t writer;
};

static void touched_row(const void *context, uint32_t y, uint8_t *rgb)
{
    static const uint8_t mark[3] = {255, 0, 255};
    const struct touched *touched = context;
    const struct psx_box *box = &touched->area.box;
    uint32_t line = ((uint32_t)box->y + y) & (touched->area.lines - 1);
    uint32_t width = box->width > 0 ? (uint32_t)box->width : 1;

    psx_paint_area_row(&touched->area, y, rgb);
    psx_paint_dim(rgb, width);
    for (uint32_t i = 0; i < (uint32_t)box->width; i++) {
        uint32_t x = ((uint32_t)box->x + i) & (PSX_VRAM_WIDTH - 1);

        if (touched->last[line * PSX_VRAM_WIDTH + x] == touched->writer)
            memcpy(rgb + 3 * (size_t)i, mark, sizeof(mark));
    }
}

/* Carries on with its writes logged, until that draw is over and no further. */
static int run_trace(struct player *player, uint64_t draw, const struct cancel *cancel,
                     struct write_log *write_log)
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
    struct player *player = NULL;
    struct dump_picture picture;
    struct psx_box box;
    struct write_log write_log = {0};
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

/* The frame's rest, but for one draw: its words are not there, so neither is what they set. */
static int run_without(struct player *player, uint64_t draw, const struct cancel *cancel)
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
                        struct player **out)
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
    struct player *player = NULL;
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
    struct player *player = NULL;
    struct dump_picture picture;
    struct psx_box box;
    int status = begin_area(dump, key, cancel, &box, &picture);

    if (status == 0)
        status = take_without(dump, key, cancel, &player);
    if (status == 0) {
        struct paint_area area = area_in(player, &box);

        status = psx_paint(psx, &picture.header, psx_paint_area_row, &area, cancel, out);
    }
    psx_player_forget(psx, &player);
    return status;
}

/* SPDX-License-Identifier: MIT */
#include "formats/psx/frame/pixel_history.h"

#include "base/array.h"
#include "formats/psx/frame/coverage.h"
#include "formats/psx/frame/textures.h"
#include "formats/psx/gpu/pixel.h"
#include "formats/psx/gpu/texel_cache.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { EVENTS_FIRST = 32 }; /* room for the events of a step at first; it doubles */

/* What is known of one of the pixels during a step. */
struct looked_at {
    unsigned events; /* number of events up to its last one; 0: it has none */
    bool open;       /* `after` of the last event is not known yet */
    bool has_copied;
    uint16_t copied; /* the pixel that a copy moves here, before the row is written */
};

struct history {
    struct psx_observer observer;
    const struct psx_pixels *pixels;
    struct looked_at *looked_at;         /* one for each pixel */
    struct psx_coverage_command command; /* the one being carried out */
    struct psx_pixel_event common;       /* the fields that all events of the step share */
    struct psx_pixel_event *events;
    unsigned count, room;
    int status; /* -ENOMEM if events are missing */
};

static int history_init(struct history *history, const struct psx_pixels *pixels)
{
    history->pixels = pixels;
    history->room = EVENTS_FIRST;
    history->looked_at = calloc(pixels->count, sizeof(*history->looked_at));
    history->events = calloc(history->room, sizeof(*history->events));
    return history->looked_at == NULL || history->events == NULL ? -ENOMEM : 0;
}

static void history_clear(struct history *history)
{
    free(history->looked_at);
    free(history->events);
}

/* Returns the index of the first of the pixels at or after `pixel`. */
static unsigned first_from(const struct psx_pixels *pixels, uint32_t pixel)
{
    unsigned low = 0, high = pixels->count;

    while (low < high) {
        unsigned middle = low + (high - low) / 2;

        if (pixels->pixel[middle] < pixel)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Appends an event, which is valid until the next one is appended. */
static struct psx_pixel_event *add_event(struct history *history, unsigned number, uint16_t before)
{
    struct psx_pixel_event *event;

    if (ARRAY_GROW(history->events, history->count, history->room) != 0) {
        history->status = -ENOMEM;
        history->count--; /* replaces the last event: the history ends with `status` anyway */
    }
    event = &history->events[history->count++];
    *event = history->common;
    event->pixel = history->pixels->pixel[number];
    event->before = event->after = before;
    history->looked_at[number].events = history->count;
    return event;
}

/*
 * Completes the pixel's last event if it is open: it was noted before its write, and `now` is what
 * it wrote.
 */
static void close_event(struct history *history, unsigned number, uint16_t now)
{
    struct looked_at *looked_at = &history->looked_at[number];

    if (looked_at->open)
        history->events[looked_at->events - 1].after = now;
    looked_at->open = false;
}

static struct psx_pixel_source source_at(uint32_t pixel, uint16_t word)
{
    return (struct psx_pixel_source){.is_there = true,
                                     .x = (uint16_t)(pixel % PSX_VRAM_WIDTH),
                                     .y = (uint16_t)(pixel / PSX_VRAM_WIDTH),
                                     .word = word};
}

/* Returns the palette's colour that a texel selects, with its position when it was latched. */
static struct psx_pixel_source entry_of(const struct psx_gpu *gpu, const struct psx_draw *draw,
                                        uint16_t halfword, unsigned u)
{
    unsigned entry =
        draw->depth == PSX_DEPTH_4 ? halfword >> 4 * (u & 3) & 15 : halfword >> 8 * (u & 1) & 255;
    const struct psx_clut_key *key = &gpu->state.clut;

    return (struct psx_pixel_source){
        .is_there = draw->depth <= PSX_DEPTH_8,
        .x = (uint16_t)(((key->id & 0x3Fu) * 16 + entry) & (PSX_VRAM_WIDTH - 1)),
        .y = (uint16_t)(key->id >> 6),
        .word = draw->depth <= PSX_DEPTH_8 ? gpu->clut[entry] : 0,
    };
}

/* Notes the texel as the shader will see it. Returns the texel's colour. */
static uint16_t look_at_texel(const struct psx_gpu *gpu, const struct psx_draw *draw,
                              const struct psx_raster_job *job, int x, int y,
                              struct psx_pixel_event *event)
{
    uint32_t index;
    uint16_t halfword;

    event->u = texel_u(job, x, y);
    event->v = texel_v(job, x, y);
    event->has_uv = true;
    index = texel_index(job->page_x, job->page_y, draw->depth, event->u, event->v);
    halfword =
        *psx_texel_cache_look(gpu->texel_cache, gpu->vram, index, (enum psx_depth)draw->depth);
    event->texel = source_at(index, halfword);
    event->has_texel_place = true;
    event->entry = entry_of(gpu, draw, halfword, event->u);
    return texel_value(draw->depth, job->clut, event->u, halfword);
}

/* Notes the pixel of a polygon or rectangle before it is drawn. */
static struct psx_pixel_event *look_at_pixel(struct history *history, const struct psx_gpu *gpu,
                                             const struct psx_raster_job *job, unsigned number,
                                             int x, int y)
{
    const struct psx_draw *draw = history->observer.draw;
    uint16_t before = gpu->vram[history->pixels->pixel[number]], texel = PIXEL_MASK;
    struct psx_pixel_event *event = add_event(history, number, before);

    if (draw->textured)
        texel = look_at_texel(gpu, draw, job, x, y, event);
    if (job->check & before)
        event->outcome = PSX_PIXEL_MASKED;
    else if (texel == 0)
        event->outcome = PSX_PIXEL_TRANSPARENT;
    else if (draw->semi && (texel & PIXEL_MASK))
        event->blend = (int8_t)draw->blend;
    return event;
}

/* A position in the order in which a job's pixels are drawn. */
struct point {
    int x, y;
};

/* Draws a part of one row. Restores the copy's row in the end. */
static void shade_row(psx_raster_shader *shade, const struct psx_raster_job *job,
                      struct psx_raster_job *copy, int y, int left, int right)
{
    if (y < job->y0 || y >= job->y1 || left >= right)
        return;
    copy->y0 = y;
    copy->y1 = y + 1;
    copy->left[y] = (int16_t)left;
    copy->right[y] = (int16_t)right;
    shade(copy);
    copy->left[y] = job->left[y];
    copy->right[y] = job->right[y];
}

/* Draws what is between two positions, the second one excluded. */
static void shade_between(psx_raster_shader *shade, const struct psx_raster_job *job,
                          struct psx_raster_job *copy, struct point from, struct point to)
{
    if (from.y == to.y) {
        shade_row(shade, job, copy, from.y, from.x, to.x);
        return;
    }
    shade_row(shade, job, copy, from.y, from.x, job->right[from.y]);
    copy->y0 = from.y + 1;
    copy->y1 = to.y;
    if (copy->y0 < copy->y1)
        shade(copy);
    if (to.y < job->y1)
        shade_row(shade, job, copy, to.y, job->left[to.y], to.x);
}

static bool is_in_job(const struct psx_raster_job *job, struct point at)
{
    return at.y >= job->y0 && at.y < job->y1 && at.x >= job->left[at.y] && at.x < job->right[at.y];
}

static struct point point_of(uint32_t pixel)
{
    return (struct point){(int)(pixel % PSX_VRAM_WIDTH), (int)(pixel / PSX_VRAM_WIDTH)};
}

/*
 * A job that covers a pixel is drawn up to the pixel, the pixel is examined and drawn alone, and
 * then the rest is drawn. So the pixel is examined as its shader sees it, even if the job samples
 * what it draws.
 */
static bool note_job(struct psx_observer *observer, const struct psx_gpu *gpu,
                     psx_raster_shader *shade, const struct psx_raster_job *job)
{
    struct history *history = (struct history *)observer;
    const struct psx_pixels *pixels = history->pixels;
    struct point from = {0, job->y0};
    struct psx_raster_job copy;
    bool drawn = false;

    for (unsigned i = first_from(pixels, (uint32_t)job->y0 * PSX_VRAM_WIDTH); i < pixels->count;
         i++) {
        struct point at = point_of(pixels->pixel[i]);
        struct psx_pixel_event *event;

        if (at.y >= job->y1)
            break;
        if (!is_in_job(job, at))
            continue;
        if (!drawn) {
            copy = *job;
            from.x = job->left[job->y0];
            drawn = true;
        }
        shade_between(shade, job, &copy, from, at);
        event = look_at_pixel(history, gpu, job, i, at.x, at.y);
        from = (struct point){at.x + 1, at.y};
        shade_row(shade, job, &copy, at.y, at.x, from.x);
        event->after = gpu->vram[event->pixel];
    }
    if (drawn)
        shade_between(shade, job, &copy, from, (struct point){0, job->y1});
    return !drawn;
}

/* Returns where a copy reads the halfword that it writes to the pixel. */
static uint32_t source_of(const struct psx_coverage_command *command, uint32_t halfword)
{
    const struct psx_draw *copy = &command->draw;
    uint32_t lines = psx_display_lines(&command->registers.display);
    uint32_t y = (copy->from_y + halfword / copy->width) & (lines - 1);

    return y * PSX_VRAM_WIDTH + ((copy->from_x + halfword % copy->width) & (PSX_VRAM_WIDTH - 1));
}

/* Notes the sources of a row's pixels before any of the copy's row is written. */
static void note_copy(struct history *history, const struct psx_gpu *gpu, uint32_t row)
{
    const struct psx_pixels *pixels = history->pixels;
    unsigned i = first_from(pixels, row * PSX_VRAM_WIDTH);

    for (; i < pixels->count && pixels->pixel[i] / PSX_VRAM_WIDTH == row; i++) {
        struct looked_at *looked_at = &history->looked_at[i];
        uint32_t halfword = psx_coverage_halfword(&history->command, pixels->pixel[i]), source;

        if (looked_at->has_copied || halfword == UINT32_MAX)
            continue;
        source = source_of(&history->command, halfword);
        looked_at->has_copied = true;
        looked_at->copied = source / PSX_VRAM_WIDTH < gpu->lines ? gpu->vram[source] : (uint16_t)0;
    }
}

/*
 * Notes what is moved to the pixel: for a copy its source, for an upload the halfword of its data.
 */
static void note_source(const struct history *history, unsigned number,
                        struct psx_pixel_event *event)
{
    const struct psx_coverage_command *command = &history->command;
    uint32_t halfword;

    if (command->kind != GP0_COPY && command->kind != GP0_UPLOAD)
        return;
    halfword = psx_coverage_halfword(command, event->pixel);
    if (command->kind == GP0_COPY) {
        event->texel = source_at(source_of(command, halfword), history->looked_at[number].copied);
        event->has_texel_place = true;
    } else if (halfword >= command->upload.done && halfword < command->data_end) {
        event->texel.is_there = true;
        event->texel.word =
            bytes_le16(command->event->data + 2 * (size_t)(halfword - command->upload.done));
    }
}

static void note_run(struct psx_observer *observer, const struct psx_gpu *gpu, uint32_t index,
                     uint32_t count, bool check, bool blended)
{
    struct history *history = (struct history *)observer;
    const struct psx_pixels *pixels = history->pixels;

    if (history->command.kind == GP0_COPY)
        note_copy(history, gpu, index / PSX_VRAM_WIDTH);
    for (unsigned i = first_from(pixels, index);
         i < pixels->count && pixels->pixel[i] - index < count; i++) {
        uint16_t now = gpu->vram[pixels->pixel[i]];
        struct psx_pixel_event *event;

        close_event(history, i, now);
        event = add_event(history, i, now);
        note_source(history, i, event);
        if (check && (now & PIXEL_MASK))
            event->outcome = PSX_PIXEL_MASKED;
        else if (blended)
            event->blend = (int8_t)history->command.draw.blend;
        history->looked_at[i].open = event->outcome == PSX_PIXEL_WRITTEN;
    }
}

/* A draw that has not reached the pixel may have been prevented: notes why. */
static void note_miss(struct history *history, struct psx_coverage *coverage,
                      const struct psx_gpu *gpu, unsigned number)
{
    static const uint8_t outcomes[] = {
        [COVERAGE_CLIPPED] = PSX_PIXEL_CLIPPED,
        [COVERAGE_FIELD] = PSX_PIXEL_FIELD,
        [COVERAGE_CULLED] = PSX_PIXEL_CULLED,
    };
    uint32_t pixel = history->pixels->pixel[number];
    enum psx_coverage_miss miss;

    if (history->looked_at[number].events > 0)
        return;
    miss = psx_coverage_miss(coverage, &history->command, pixel);
    if (miss != COVERAGE_NONE)
        add_event(history, number, gpu->vram[pixel])->outcome = outcomes[miss];
}

static void begin_step(struct history *history, const struct psx_player *player,
                       const struct psx_step *step)
{
    history->count = 0;
    history->common = (struct psx_pixel_event){
        .packet = player->walk.at.command_packet,
        .word = player->walk.at.command_word,
        .writer = psx_player_writer(player, step),
        .op = step->event.op,
        .blend = -1,
    };
    memset(history->looked_at, 0, history->pixels->count * sizeof(*history->looked_at));
}

static int run_step(struct history *history, struct psx_coverage *coverage,
                    struct psx_player *player, const struct psx_step *step, psx_pixel_visit *visit,
                    void *context)
{
    int status = 0;

    if (!psx_coverage_command(&player->walk, step, &history->command)) {
        psx_player_carry_out(player, step);
        return 0;
    }
    begin_step(history, player, step);
    psx_player_carry_out(player, step);
    for (unsigned i = 0; i < history->pixels->count; i++) {
        close_event(history, i, player->gpu->vram[history->pixels->pixel[i]]);
        note_miss(history, coverage, player->gpu, i);
    }
    status = history->status;
    for (unsigned i = 0; status == 0 && i < history->count; i++)
        status = visit(context, &history->events[i]);
    return status;
}

static int run_frame(struct history *history, struct psx_coverage *coverage,
                     struct psx_player *player, const struct cancel *cancel, psx_pixel_visit *visit,
                     void *context)
{
    struct psx_step step;
    int status = 0;

    while (status == 0 && psx_player_next(player, &step)) {
        status = run_step(history, coverage, player, &step, visit, context);
        if (status == 0 && cancel_requested(cancel))
            status = -EINTR;
    }
    return status;
}

/* Adds the tiles that the pixels are in. */
static void add_tiles(const struct psx_index *index, const struct psx_pixels *pixels,
                      struct psx_tiles *tiles)
{
    const struct psx_vram_lines all = {(uint16_t)index->vram_lines, (uint16_t)index->vram_lines};

    for (unsigned i = 0; i < pixels->count; i++) {
        const struct psx_box pixel = {(int)(pixels->pixel[i] % PSX_VRAM_WIDTH),
                                      (int)(pixels->pixel[i] / PSX_VRAM_WIDTH), 1, 1};
        struct psx_tile_box box = psx_tile_box_around(&pixel, all);

        psx_tiles_add_box(tiles, &box);
    }
}

int psx_pixel_history(struct psx_dump *dump, uint64_t frame, const struct cancel *cancel,
                      struct psx_pixels *pixels, psx_pixel_visit *visit, void *context)
{
    struct history history = {.observer = {.job = note_job, .run = note_run}};
    struct psx_tiles tiles = {0};
    struct psx_coverage coverage;
    struct psx_player *player = NULL;
    int status = psx_coverage_init(&coverage, &dump->index);

    if (status != 0)
        return status;
    add_tiles(&dump->index, pixels, &tiles);
    status = history_init(&history, pixels);
    if (status == 0)
        status = psx_player_take_start(dump, frame, &tiles, cancel, &player);
    if (status == 0) {
        for (unsigned i = 0; i < pixels->count; i++)
            pixels->start[i] = player->gpu->vram[pixels->pixel[i]];
        player->gpu->observer = &history.observer;
        status = run_frame(&history, &coverage, player, cancel, visit, context);
        player->gpu->observer = NULL;
    }
    psx_player_forget(dump, &player);
    history_clear(&history);
    psx_coverage_clear(&coverage);
    return status;
}

/* Returns false if the index rules out that the frame writes any of the pixels. */
static bool may_be_written(const struct psx_index *index, uint64_t frame,
                           const struct psx_pixels *pixels)
{
    unsigned shift = psx_tile_shift(index->vram_lines);
    struct psx_tiles written;

    for (uint64_t i = index->frame_checkpoints[frame]; i < index->frame_checkpoints[frame + 1];
         i++) {
        psx_tile_summary_store_get_written(&index->summaries, i, &written);
        for (unsigned p = 0; p < pixels->count; p++)
            if (psx_tiles_have(&written, pixels->pixel[p] % PSX_VRAM_WIDTH / PSX_TILE_WIDTH,
                               pixels->pixel[p] / PSX_VRAM_WIDTH >> shift))
                return true;
    }
    return false;
}

static bool step_reaches(struct psx_coverage *coverage, const struct psx_walk *walk,
                         const struct psx_step *step, const struct psx_pixels *pixels)
{
    struct psx_coverage_command command;

    if (!psx_coverage_command(walk, step, &command))
        return false;
    for (unsigned i = 0; i < pixels->count; i++)
        if (psx_coverage_reaches(coverage, &command, pixels->pixel[i]))
            return true;
    return false;
}

int psx_pixels_are_reached(const struct psx_index *index, uint64_t frame,
                           const struct psx_pixels *pixels, const struct cancel *cancel, bool *out)
{
    struct psx_parser_state start;
    struct psx_coverage coverage;
    struct psx_walk walk;
    struct psx_step step;
    unsigned steps = 0;
    int status;

    *out = false;
    if (!may_be_written(index, frame, pixels))
        return 0;
    status = psx_coverage_init(&coverage, index);
    if (status != 0)
        return status;
    psx_index_frame_checkpoint(index, frame, &start);
    psx_walk_resume(&walk, index, &start);
    while (status == 0 && !*out && walk.at.packet < index->frames[frame + 1].packet &&
           psx_walk_next(&walk, &step)) {
        *out = step_reaches(&coverage, &walk, &step, pixels);
        psx_walk_apply(&walk, &step);
        if (psx_walk_cancelled(&steps, cancel))
            status = -EINTR;
    }
    psx_coverage_clear(&coverage);
    return status;
}

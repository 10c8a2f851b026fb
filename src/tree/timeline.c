/* SPDX-License-Identifier: MIT */
#include "tree/overview.h"

#include "image/shrink.h"
#include "tree/frame_pixels.h"
#include "tree/names.h"
#include "tree/timeline_lanes.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    PLOT = TIMELINE_PLOT,
    STRIP = 12, /* pictures above the lanes */
    STRIP_CELL = (PLOT - (STRIP - 1) * OVERVIEW_GAP) / STRIP,
    LANE = 110,
    LANE_HEAD = 32,
    AXIS = 44,
    TICKS = 8,
    SERIES = 4,   /* number of pairs of colours */
    GAP_FROM = 7, /* bars wider than this have a gap between them */
};

struct timeline {
    struct dump *dump;
    const struct cancel *cancel;
    uint64_t frames[STRIP]; /* frames of the pictures */
    unsigned pictures, lane_count;
    uint32_t strip_height; /* 0: no frame has a picture */
    uint32_t height;
    uint64_t frame_count;
    struct overview_state *state;
    struct timeline_lanes lanes; /* valid while it is made */
};

/* The layout; these functions never wait. */

static int lay_out(struct dump *dump, struct timeline *out)
{
    struct dump_frame frame = {0};
    uint32_t width;
    int status = 0;

    *out = (struct timeline){
        .dump = dump, .frame_count = dump->ops->frames(dump), .state = &dump->tree->line};
    if (dump_has_pictures(dump))
        status = frame_pixels_choose(dump, STRIP, out->frames, &out->pictures);
    if (status == 0 && out->pictures > 0) {
        status = dump->ops->frame(dump, out->frames[0], &frame);
        if (status == 0)
            shrink_fit(frame.width, frame.height, STRIP_CELL, STRIP_CELL, &width,
                       &out->strip_height);
    }
    out->lane_count = timeline_lanes_count(dump);
    out->height = OVERVIEW_HEAD +
                  (out->strip_height > 0 ? out->strip_height + 2 * OVERVIEW_GAP : 0) +
                  out->lane_count * (LANE_HEAD + LANE) + AXIS;
    return status;
}

int timeline_exists(struct dump *dump, uint64_t key)
{
    uint64_t frames = dump->ops->frames(dump), picture;

    (void)key;
    if (tree_grows(dump->tree))
        return -ENOENT;
    if (frames != DUMP_NOT_KNOWN)
        return frames > 0 ? 0 : -ENOENT;
    return names_next_picture(dump, 0, 0, &picture) == 0 ? 0 : -EAGAIN;
}

int timeline_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    struct timeline timeline;
    int status = lay_out(dump, &timeline);

    (void)key;
    return status == 0 ? overview_size(dump, TIMELINE_WIDTH, timeline.height, size) : status;
}

/* Drawing. */

static void write_number(struct board *board, double number, int64_t x, int64_t y)
{
    char digits[40];
    int length =
        snprintf(digits, sizeof(digits), number == floor(number) ? "%.0f" : "%.1f", number);

    board_write_left_of(board, x, y, OVERVIEW_SMALL, digits, (size_t)length, BOARD_FAINT);
}

/* Draws the mean in a bright colour, and the greatest value above it in a dim one. */
static void draw_bar(struct board *board, const struct timeline_lane *lane, unsigned number,
                     int64_t x, int64_t width, int64_t bottom)
{
    const struct timeline_bucket *bucket = &lane->buckets[x];
    uint8_t bright = (uint8_t)(BOARD_SERIES + 2 * (number % SERIES));
    double scale = lane->max > 0 ? (LANE - 2) / lane->max : 0;
    int64_t max = (int64_t)ceil(bucket->max * scale), mean;

    if (bucket->count == 0)
        return;
    mean = (int64_t)ceil(bucket->sum / (double)bucket->count * scale);
    width -= width > GAP_FROM;
    x += OVERVIEW_MARGIN;
    canvas_fill(&board->canvas, x, bottom - max, width, max, (uint8_t)(bright + 1));
    canvas_fill(&board->canvas, x, bottom - mean, width, mean, bright);
}

static void draw_lane(struct board *board, const struct timeline *timeline,
                      const struct timeline_lane *lane, unsigned number, int64_t y)
{
    board_write(board, OVERVIEW_MARGIN, y + 8, PLOT, OVERVIEW_SMALL, lane->name, strlen(lane->name),
                (enum board_colour)(BOARD_SERIES + 2 * (number % SERIES)));
    write_number(board, lane->max, OVERVIEW_MARGIN + PLOT, y + 8);
    y += LANE_HEAD;
    canvas_fill(&board->canvas, OVERVIEW_MARGIN, y, PLOT, LANE, BOARD_PANEL);
    canvas_fill(&board->canvas, OVERVIEW_MARGIN, y + LANE / 2, PLOT, 1, BOARD_LINE);
    if (timeline->frame_count >= PLOT)
        for (int64_t x = 0; x < PLOT; x++)
            draw_bar(board, lane, number, x, 1, y + LANE);
    else
        for (uint64_t frame = 0; frame < timeline->frame_count; frame++)
            draw_bar(board, lane, number, timeline_column(timeline->frame_count, frame),
                     timeline_column(timeline->frame_count, frame + 1) -
                         timeline_column(timeline->frame_count, frame),
                     y + LANE);
    canvas_hatch(&board->canvas,
                 OVERVIEW_MARGIN + timeline_column(timeline->frame_count, lane->counted), y,
                 PLOT - timeline_column(timeline->frame_count, lane->counted), LANE, BOARD_LINE);
}

/* Returns a step of 1, 2 or 5 times a power of ten with about TICKS steps to the whole. */
static uint64_t step_of(uint64_t count)
{
    static const unsigned steps[] = {1, 2, 5};

    for (uint64_t power = 1;; power *= 10)
        for (unsigned i = 0; i < 3; i++)
            if (count / TICKS <= power * steps[i] || power > UINT64_MAX / 100)
                return power * steps[i];
}

static void draw_axis(struct board *board, const struct timeline *timeline, int64_t y)
{
    uint64_t step = step_of(timeline->frame_count);

    for (uint64_t frame = 0; frame < timeline->frame_count; frame += step) {
        int64_t x = OVERVIEW_MARGIN + timeline_column(timeline->frame_count, frame);
        char digits[24];
        int length = snprintf(digits, sizeof(digits), "%" PRIu64, frame);

        canvas_fill(&board->canvas, x, y, 1, 8, BOARD_FAINT);
        board_write(board, x + 4, y + 8, PLOT, OVERVIEW_SMALL, digits, (size_t)length, BOARD_FAINT);
    }
}

/* Places each picture above its frame's place in time, as far as the other pictures leave room. */
static int place_strip(struct board *board, const struct timeline *timeline)
{
    struct overview_cells cells = {board,           timeline->dump,     timeline->cancel,
                                   timeline->state, timeline->pictures, 0};
    int status = 0;

    for (unsigned i = 0; i < timeline->pictures && status == 0; i++) {
        uint32_t left = (uint32_t)(PLOT - STRIP_CELL) * i /
                        (timeline->pictures > 1 ? timeline->pictures - 1 : 1);
        uint32_t box[4] = {OVERVIEW_MARGIN + left, OVERVIEW_HEAD, STRIP_CELL,
                           timeline->strip_height};

        status = overview_place_frame(&cells, i, timeline->frames[i], box);
    }
    return status;
}

static void add_left_off(struct text *text, const struct timeline *timeline)
{
    int pictures = __builtin_popcountll(atomic_load(&timeline->state->left_off));
    uint64_t frames = timeline_lanes_left_off(&timeline->lanes);
    bool problems = atomic_load(&timeline->state->problems);
    const char *between = "; left off, since the time is used up (-o max-seconds): ";

    if (pictures > 0) {
        text_printf(text, "%s%d picture%s", between, pictures, pictures == 1 ? "" : "s");
        between = ", ";
    }
    if (frames > 0) {
        text_printf(text, "%sfigures of %" PRIu64 " frame%s", between, frames,
                    frames == 1 ? "" : "s");
        between = ", ";
    }
    if (problems)
        text_printf(text, "%sproblems", between);
}

static int write_head(struct board *board, const struct timeline *timeline)
{
    struct text what = TEXT_INIT;
    int status;

    text_printf(&what, "%" PRIu64 " frame%s", timeline->frame_count,
                timeline->frame_count == 1 ? "" : "s");
    add_left_off(&what, timeline);
    if (timeline->frame_count > PLOT)
        text_add(&what, "  of those in a column the mean, and dim above it the greatest");
    text_add_char(&what, '\0');
    status = text_status(&what);
    if (status == 0)
        overview_write_head(board, timeline->dump, what.bytes);
    text_clear(&what);
    return status;
}

static int draw(struct board *board, const struct timeline *timeline)
{
    int64_t y = timeline->height - AXIS - (int64_t)timeline->lane_count * (LANE_HEAD + LANE);
    int status = place_strip(board, timeline);

    if (status == 0)
        status = write_head(board, timeline);
    for (unsigned i = 0; i < timeline->lane_count; i++, y += LANE_HEAD + LANE)
        draw_lane(board, timeline, &timeline->lanes.lanes[i], i, y);
    draw_axis(board, timeline, y + 4);
    return status;
}

/* Reports what is left off. */
static void tell(const struct timeline *timeline)
{
    if (atomic_load(&timeline->state->figures) != 0)
        overview_tell(timeline->dump->tree, timeline->state,
                      "timeline.png: not all frames are counted");
    else if (atomic_load(&timeline->state->problems))
        overview_tell(timeline->dump->tree, timeline->state,
                      "timeline.png: problems are not counted");
    else if (atomic_load(&timeline->state->left_off) != 0)
        overview_tell(timeline->dump->tree, timeline->state,
                      "timeline.png: not all of its pictures are drawn");
}

static int make(struct timeline *timeline, struct blob **out)
{
    const struct picture_header header = {
        .width = TIMELINE_WIDTH, .height = timeline->height, .colour = PICTURE_RGB};
    struct board board;
    int status = board_init(&board, TIMELINE_WIDTH, timeline->height);

    if (status == 0)
        status = timeline_lanes_read(&timeline->lanes, timeline->cancel);
    if (status == 0)
        status = draw(&board, timeline);
    tell(timeline);
    if (status == 0)
        status = board_encode(&board, &header, timeline->dump->options->png, timeline->cancel, out);
    board_clear(&board);
    return status;
}

int timeline_make(struct dump *dump, uint64_t key, const struct cancel *cancel, struct blob **out)
{
    struct timeline timeline;
    struct picture_batch batch;
    int status = lay_out(dump, &timeline);

    if (status == -EAGAIN && (status = readme_know_names(dump, cancel)) == 0)
        status = lay_out(dump, &timeline);
    if (status < 0)
        return status;
    picture_batch_begin(&batch, dump->tree, cancel);
    timeline.cancel = &batch.use.cancel;
    status = timeline_lanes_init(&timeline.lanes, dump, timeline.state, timeline.frame_count);
    if (status == 0)
        status = make(&timeline, out);
    timeline_lanes_clear(&timeline.lanes);
    return picture_batch_end(&batch, status, inode_pack(RULE_TIMELINE, key));
}

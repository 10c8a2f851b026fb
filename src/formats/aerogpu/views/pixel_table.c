/* SPDX-License-Identifier: MIT */
/*
 * pixel/X,Y.tsv: what the commands did to a pixel of the frame's picture, back through the frames
 * that determined it; X,Y.js: the same as a script.
 */
#include "formats/aerogpu/views/views.h"

#include "formats/aerogpu/replay/probe.h"
#include "formats/aerogpu/replay/replay.h"
#include "tree/pixel_files.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { RGBA = 4, FRAMES_MAX = 64 /* maximum number of frames that are searched */ };

/* Names. */

static int next_pixel(struct dump *dump, uint64_t frame, uint64_t from, uint64_t *ordinal)
{
    const struct aerogpu_scan_frame *found = NULL;
    int status = aerogpu_frame_find(dump, frame, &found);

    return status == 0 ? pixel_files_next(from, found->shot.width, found->shot.height, ordinal)
                       : status;
}

const struct rule_family aerogpu_pixel_family = {PIXEL_FILES_BITS, next_pixel, pixel_files_name_tsv,
                                                 pixel_files_parse};
const struct rule_family aerogpu_pixel_js_family = {PIXEL_FILES_BITS, next_pixel,
                                                    pixel_files_name_js, pixel_files_parse};

/* Rows. */

static const struct pixel_column columns[] = {
    {"frame", true},   {"draw", true},    {"packet", true},       {"submission", true},
    {"command", true}, {"offset", false}, {"name", false},        {"outcome", false},
    {"before", false}, {"after", false},  {"depth_before", true}, {"depth_after", true},
    {"blend", true},
};

enum { COLUMNS = sizeof(columns) / sizeof(columns[0]), PLACE_COLUMNS = 7 };

uint32_t aerogpu_draw_number(const struct aerogpu_scan *scan, uint64_t frame, uint64_t tick)
{
    const struct aerogpu_scan_frame *found = &scan->frames[frame];
    uint32_t low = 0, high = found->draws;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (scan->draws[found->first_draw + middle].shot.tick < tick)
            low = middle + 1;
        else
            high = middle;
    }
    return low < found->draws && scan->draws[found->first_draw + low].shot.tick == tick
               ? low
               : AEROGPU_NONE;
}

static void add_colour(struct text *text, bool is_there, const uint8_t rgba[RGBA])
{
    text_add_char(text, '\t');
    for (unsigned i = 0; is_there && i < RGBA; i++)
        text_add_hex(text, rgba[i], 2);
    if (!is_there)
        text_add_char(text, '-');
}

/* JSON has no NaN and no infinity. */
static void add_depth(struct text *text, bool is_there, float depth)
{
    if (is_there && depth - depth == 0)
        text_printf(text, "\t%.9g", (double)depth);
    else
        text_cell_word(text, "-");
}

static const char *outcome_of(const struct aerogpu_event *event, const struct aerogpu_probe *probe)
{
    static const char *const outcomes[AEROGPU_OUTCOMES] = {
        [AEROGPU_OUTCOME_NONE] = "-",          [AEROGPU_OUTCOME_WRITTEN] = "written",
        [AEROGPU_OUTCOME_MASKED] = "masked",   [AEROGPU_OUTCOME_DEPTH] = "depth",
        [AEROGPU_OUTCOME_STENCIL] = "stencil", [AEROGPU_OUTCOME_CULLED] = "culled",
        [AEROGPU_OUTCOME_SCISSOR] = "scissor", [AEROGPU_OUTCOME_DISCARDED] = "discarded",
        [AEROGPU_OUTCOME_UNKNOWN] = "unknown",
    };

    return event->reach.kind == AEROGPU_REACH_CREATE ? "created" : outcomes[probe->outcome];
}

/* The history of one pixel. */
struct history {
    struct aerogpu_write_history writes;
    const struct aerogpu_shot *shot;
    uint32_t x, y;
    struct text text; /* of the frames done so far */
    bool explained;   /* a command wrote it regardless of what was there */
    bool has_first;   /* `first` is set: what it held before the first row */
    uint8_t first[RGBA];
};

static void add_row(struct history *history, struct text *text, const struct aerogpu_event *event,
                    const struct aerogpu_probe *probe)
{
    uint32_t frame = history->writes.events.frame;

    text_add_u64(text, frame);
    aerogpu_cell_or_none(
        text, aerogpu_draw_number(aerogpu_dump_scanned(history->writes.dump), frame, event->tick));
    text_cell(text, event->where.record);
    aerogpu_cell_or_none(text, event->where.submission);
    text_cell(text, event->where.command);
    aerogpu_cell_hex(text, event->offset, 8);
    text_cell_word(text, event->type->name);
    text_cell_word(text, outcome_of(event, probe));
    add_colour(text, probe->had_colour, probe->before);
    add_colour(text, probe->has_colour, probe->after);
    add_depth(text, event->has_depth && probe->had_depth, probe->depth_before);
    add_depth(text, event->has_depth && probe->has_depth, probe->depth_after);
    text_cell_or_none(text, probe->drawn, event->reach.blends);
    text_add_char(text, '\n');
}

/*
 * Determines the outcome of shaders that cannot be run twice from a change of the colour, if there
 * is one.
 */
static void settle_outcome(struct aerogpu_probe *probe)
{
    if (probe->outcome == AEROGPU_OUTCOME_UNKNOWN && probe->had_colour && probe->has_colour &&
        memcmp(probe->before, probe->after, RGBA) != 0)
        probe->outcome = AEROGPU_OUTCOME_WRITTEN;
}

static int tell_event(struct history *history, const struct aerogpu_event *event, bool *first,
                      struct text *text)
{
    const struct aerogpu_write_history *writes = &history->writes;
    struct aerogpu_probe probe;
    int status = aerogpu_replay_probe(writes->dump, writes, history->shot, event, history->x,
                                      history->y, &probe);

    if (status != 0)
        return status;
    settle_outcome(&probe);
    if (probe.outcome == AEROGPU_OUTCOME_NONE)
        return 0;
    add_row(history, text, event, &probe);
    if (*first) {
        history->has_first = probe.had_colour;
        memcpy(history->first, probe.before, RGBA);
    }
    *first = false;
    if (probe.outcome == AEROGPU_OUTCOME_WRITTEN &&
        aerogpu_reach_replaces(&event->reach, &writes->part, history->x, history->y))
        history->explained = true;
    return text_status(text);
}

static void put_before(struct text *text, struct text *more)
{
    text_add_text(more, text);
    text_clear(text);
    *text = *more;
    *more = (struct text)TEXT_INIT;
}

static int tell_frame(struct history *history)
{
    const struct aerogpu_events *events = &history->writes.events;
    struct text text = TEXT_INIT;
    bool first = true;
    int status = 0;

    for (size_t i = 0; status == 0 && i < events->count; i++)
        status = tell_event(history, &events->list[i], &first, &text);
    if (status == 0)
        put_before(&history->text, &text);
    text_clear(&text);
    return status == 0 ? text_status(&history->text) : status;
}

/* Takes the pixel from the picture, if no command explains it. */
static int take_first(struct history *history)
{
    struct aerogpu_pixels pixels;
    int status;

    if (history->text.length > 0)
        return 0;
    status =
        aerogpu_replay_shot(history->writes.dump, history->shot, history->writes.cancel, &pixels);
    if (status != 0)
        return status;
    memcpy(history->first, pixels.data + RGBA * ((size_t)history->y * pixels.width + history->x),
           RGBA);
    history->has_first = true;
    free(pixels.data);
    return 0;
}

/* Writes the row of what the pixel held before all other rows. */
static int tell_start(struct history *history, const char *outcome)
{
    struct text text = TEXT_INIT;
    int status = take_first(history);

    if (status != 0)
        return status;
    text_add_char(&text, '-');
    for (unsigned i = 1; i < PLACE_COLUMNS; i++)
        text_cell_word(&text, "-");
    text_cell_word(&text, outcome);
    text_cell_word(&text, "-");
    add_colour(&text, history->has_first, history->first);
    text_add(&text, "\t-\t-\t-\n");
    put_before(&history->text, &text);
    return text_status(&history->text);
}

static int go_back(struct history *history)
{
    unsigned frames = 0;
    int status = 0;

    while (!history->explained && frames++ < FRAMES_MAX) {
        status = aerogpu_write_history_back(&history->writes);
        if (status == 0)
            status = tell_frame(history);
        if (status != 0)
            break;
    }
    if ((status == 0 || status == -ENOENT) && !history->explained)
        status = tell_start(history, status == 0 ? "earlier" : "initial");
    return status;
}

static int write_rows(struct dump *dump, uint64_t key, const struct cancel *cancel,
                      struct text *text)
{
    struct history history = {.x = pixel_files_column(key), .y = pixel_files_line(key)};
    const struct aerogpu_scan_frame *frame = NULL;
    int status = aerogpu_frame_need(dump, pixel_files_frame(key), cancel, &frame);

    if (status != 0)
        return status;
    history.shot = &frame->shot;
    aerogpu_write_history_init(&history.writes, aerogpu_dump_of(dump),
                               (uint32_t)pixel_files_frame(key), history.shot, cancel);
    status = go_back(&history);
    aerogpu_write_history_clear(&history.writes);
    text_add_text(text, &history.text);
    text_clear(&history.text);
    return status;
}

static const struct pixel_table table = {"pixel", columns, COLUMNS, write_rows};

int aerogpu_pixel_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                       struct blob **out)
{
    return pixel_files_table_make(&table, dump, key, cancel, out);
}

int aerogpu_pixel_js_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                          struct blob **out)
{
    return pixel_files_script_make(&table, dump, key, cancel, out);
}

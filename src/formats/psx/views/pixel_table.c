/* SPDX-License-Identifier: MIT */
/*
 * vram-pixel/X,Y.tsv: what the commands of a frame did to a pixel of video memory, and
 * pixel/X,Y.tsv: to a pixel of the frame's picture, back through the frames that made it what it
 * is. X,Y.js is the same for pages that have no server: a call with the table as JSON. Their names
 * are found, and not listed.
 */
#include "formats/psx/views/views.h"

#include "formats/psx/frame/pixel_history.h"
#include "formats/psx/gpu/pixel.h"
#include "formats/psx/gpu/scanout.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Names and keys: a frame's key above a pixel's line and column. */

enum {
    COLUMN_BITS = 10,
    PIXEL_BITS = COLUMN_BITS + 11, /* a picture has up to 1024 x 2046 pixels */
    FRAMES_MAX = 64,               /* that pixel/ tells of */
};

static uint32_t column_of(uint64_t key)
{
    return (uint32_t)(key & ((1 << COLUMN_BITS) - 1));
}

static uint32_t line_of(uint64_t key)
{
    return (uint32_t)(key >> COLUMN_BITS & ((1 << (PIXEL_BITS - COLUMN_BITS)) - 1));
}

static uint64_t frame_of(uint64_t key)
{
    return key >> PIXEL_BITS;
}

/* `X,Y` and the suffix; the tree compares the name that the number would have. */
static bool parse_pixel(const char *name, uint64_t *ordinal)
{
    unsigned x, y;

    if (sscanf(name, "%4u,%4u", &x, &y) != 2 || x >> COLUMN_BITS != 0 ||
        y >> (PIXEL_BITS - COLUMN_BITS) != 0)
        return false;
    *ordinal = (uint64_t)y << COLUMN_BITS | x;
    return true;
}

static bool parse(struct dump *dump, uint64_t frame, const char *name, uint64_t *ordinal)
{
    (void)dump;
    (void)frame;
    return parse_pixel(name, ordinal);
}

static int name_tsv(struct dump *dump, uint64_t frame, uint64_t ordinal, char *name)
{
    (void)dump;
    (void)frame;
    snprintf(name, RULE_NAME_MAX + 1, "%" PRIu32 ",%" PRIu32 ".tsv", column_of(ordinal),
             line_of(ordinal));
    return 0;
}

static int name_js(struct dump *dump, uint64_t frame, uint64_t ordinal, char *name)
{
    (void)dump;
    (void)frame;
    snprintf(name, RULE_NAME_MAX + 1, "%" PRIu32 ",%" PRIu32 ".js", column_of(ordinal),
             line_of(ordinal));
    return 0;
}

/* The first pixel at or behind that one, line by line, of so many columns and lines. */
static int next_of(uint64_t from, uint32_t width, uint32_t height, uint64_t *ordinal)
{
    uint64_t line = from >> COLUMN_BITS, column = column_of(from);

    if (column >= width) {
        column = 0;
        line++;
    }
    if (line >= height)
        return -ENOENT;
    *ordinal = line << COLUMN_BITS | column;
    return 0;
}

static int next_pixel(struct dump *dump, uint64_t frame, uint64_t from, uint64_t *ordinal)
{
    const struct psx_index *index = &psx_dump_of(dump)->index;
    struct psx_screen screen;

    if (!psx_index_shows(index, frame))
        return -ENOENT;
    psx_display_screen(&index->frames[frame].display, &screen);
    return next_of(from, screen.width, screen.height, ordinal);
}

static int next_vram_pixel(struct dump *dump, uint64_t frame, uint64_t from, uint64_t *ordinal)
{
    const struct psx_index *index = &psx_dump_of(dump)->index;

    if (!psx_index_shows(index, frame))
        return -ENOENT;
    return next_of(from, PSX_VRAM_WIDTH, index->vram_lines, ordinal);
}

const struct rule_family psx_pixel_family = {PIXEL_BITS, next_pixel, name_tsv, parse};
const struct rule_family psx_pixel_js_family = {PIXEL_BITS, next_pixel, name_js, parse};
const struct rule_family psx_vram_pixel_family = {PIXEL_BITS, next_vram_pixel, name_tsv, parse};
const struct rule_family psx_vram_pixel_js_family = {PIXEL_BITS, next_vram_pixel, name_js, parse};

/* Rows. */

struct column {
    const char *name;
    bool is_number; /* decimal */
};

static const struct column columns[] = {
    {"frame", true},       {"draw", true},       {"upload", true},    {"packet", true},
    {"word", true},        {"op", false},        {"name", false},     {"x", true},
    {"y", true},           {"outcome", false},   {"before", false},   {"after", false},
    {"before_rgb", false}, {"after_rgb", false}, {"blend", true},     {"uv", false},
    {"texel_at", false},   {"texel", false},     {"entry_at", false}, {"entry", false},
};

enum { COLUMNS = sizeof(columns) / sizeof(columns[0]) };

static void add_head(struct text *text)
{
    for (unsigned i = 0; i < COLUMNS; i++) {
        text_add(text, i > 0 ? "\t" : "");
        text_add(text, columns[i].name);
    }
    text_add_char(text, '\n');
}

static void add_none(struct text *text, unsigned cells)
{
    while (cells-- > 0)
        text_cell_word(text, "-");
}

static void add_pair(struct text *text, bool known, unsigned a, unsigned b)
{
    if (known)
        text_printf(text, "\t%u,%u", a, b);
    else
        add_none(text, 1);
}

static void add_word(struct text *text, bool known, uint16_t word)
{
    text_add_char(text, '\t');
    if (known)
        text_add_hex(text, word, 4);
    else
        text_add_char(text, '-');
}

static void add_rgb(struct text *text, uint16_t pixel)
{
    uint8_t rgb[3];

    pixel_to_rgb(pixel, rgb);
    text_printf(text, "\t%02X%02X%02X", rgb[0], rgb[1], rgb[2]);
}

static void add_source(struct text *text, const struct psx_pixel_source *source, bool has_place)
{
    add_pair(text, source->is_there && has_place, source->x, source->y);
    add_word(text, source->is_there, source->word);
}

/* The events of one frame as rows. */
struct rows {
    struct text *text;
    uint64_t frame;
    const struct psx_pixels *pixels;
    bool explained[PSX_PIXELS_MAX]; /* written without regard to what was there */
};

static int add_row(void *context, const struct psx_pixel_event *event)
{
    static const char *const outcomes[] = {
        [PSX_PIXEL_WRITTEN] = "written",
        [PSX_PIXEL_MASKED] = "masked",
        [PSX_PIXEL_TRANSPARENT] = "transparent",
        [PSX_PIXEL_CLIPPED] = "clipped",
        [PSX_PIXEL_FIELD] = "field",
        [PSX_PIXEL_CULLED] = "culled",
    };
    struct rows *rows = context;
    struct text *text = rows->text;
    bool uploads = event->writer <= WRITE_LOG_UPLOAD && event->writer != WRITE_LOG_EARLIER;

    text_add_u64(text, rows->frame);
    text_cell_or_none(text, event->writer >= 0, (uint32_t)event->writer);
    text_cell_or_none(text, uploads, (uint32_t)(WRITE_LOG_UPLOAD - (int64_t)event->writer));
    text_cell(text, event->packet);
    text_cell(text, event->word);
    text_printf(text, "\t%02X", event->op);
    text_cell_word(text, psx_gp0_table[event->op].name);
    text_cell(text, event->pixel % PSX_VRAM_WIDTH);
    text_cell(text, event->pixel / PSX_VRAM_WIDTH);
    text_cell_word(text, outcomes[event->outcome]);
    add_word(text, true, event->before);
    add_word(text, true, event->after);
    add_rgb(text, event->before);
    add_rgb(text, event->after);
    text_cell_or_none(text, event->blend >= 0, (uint8_t)event->blend);
    add_pair(text, event->has_uv, event->u, event->v);
    add_source(text, &event->texel, event->has_texel_place);
    add_source(text, &event->entry, true);
    text_add_char(text, '\n');
    for (unsigned i = 0; i < rows->pixels->count; i++)
        rows->explained[i] |= event->pixel == rows->pixels->pixel[i] &&
                              event->outcome == PSX_PIXEL_WRITTEN && event->blend < 0;
    return text_status(text);
}

/* What a pixel held before all that is told. */
static void add_start(struct text *text, const struct psx_pixels *pixels, unsigned number,
                      const char *outcome)
{
    text_add(text, "-");
    add_none(text, 6);
    text_cell(text, pixels->pixel[number] % PSX_VRAM_WIDTH);
    text_cell(text, pixels->pixel[number] / PSX_VRAM_WIDTH);
    text_cell_word(text, outcome);
    add_none(text, 1);
    add_word(text, true, pixels->start[number]);
    add_none(text, 1);
    add_rgb(text, pixels->start[number]);
    add_none(text, 6);
    text_add_char(text, '\n');
}

/* Contents. */

static void put_before(struct text *text, struct text *more)
{
    text_add_text(more, text);
    text_clear(text);
    *text = *more;
    *more = (struct text)TEXT_INIT;
}

static int wait_counts(struct dump *dump, uint64_t frame, const struct cancel *cancel)
{
    const struct psx_frame_counts *counts;

    return psx_frame_counts_wait(dump, frame, cancel, &counts);
}

/* The way back from a frame to where its pixels are explained. */
struct way {
    struct psx_dump *dump;
    const struct cancel *cancel;
    struct psx_pixels pixels;
    struct text text; /* the rows of the frames that are behind */
    struct rows rows;
    unsigned frames; /* of which rows are told */
};

static bool is_explained(const struct way *way)
{
    bool all = true;

    for (unsigned i = 0; i < way->pixels.count; i++)
        all &= way->rows.explained[i];
    return all;
}

static int tell_frame(struct way *way, uint64_t frame)
{
    struct text text = TEXT_INIT;
    int status;

    way->rows.text = &text;
    way->rows.frame = frame;
    status = psx_pixel_history(way->dump, frame, way->cancel, &way->pixels, add_row, &way->rows);
    if (status == 0)
        put_before(&way->text, &text);
    text_clear(&text);
    way->frames++;
    return status == 0 ? text_status(&way->text) : status;
}

static int do_nothing(void *context, const struct psx_pixel_event *event)
{
    (void)context;
    (void)event;
    return 0;
}

static int tell_start(struct way *way, uint64_t last, const char *outcome)
{
    struct text text = TEXT_INIT;
    int status = 0;

    if (way->frames == 0) /* none tells what the pixels are */
        status = psx_pixel_history(way->dump, last, way->cancel, &way->pixels, do_nothing, NULL);
    for (unsigned i = 0; i < way->pixels.count; i++)
        if (!way->rows.explained[i])
            add_start(&text, &way->pixels, i, outcome);
    put_before(&way->text, &text);
    return status;
}

static int go_back(struct way *way, uint64_t last)
{
    const struct psx_index *index = &way->dump->index;
    uint64_t frame = last + 1;
    unsigned steps = 0;
    int status = 0;

    while (status == 0 && frame-- > 0 && way->frames < FRAMES_MAX && !is_explained(way)) {
        bool reached = false;

        status = psx_pixels_are_reached(index, frame, &way->pixels, way->cancel, &reached);
        if (status == 0 && reached)
            status = tell_frame(way, frame);
        if (status == 0 && psx_walk_cancelled(&steps, way->cancel))
            status = -EINTR;
    }
    if (status == 0 && !is_explained(way))
        status = tell_start(way, last, way->frames < FRAMES_MAX ? "initial" : "earlier");
    return status;
}

/* Which halfwords a pixel of the picture is made of, those that are in memory, in VRAM's order. */
static void find_pixels(const struct psx_index *index, const struct psx_screen *screen, uint32_t x,
                        uint32_t y, struct psx_pixels *out)
{
    uint32_t line = (screen->y + y) & (screen->lines - 1);
    uint32_t first = screen->depth24 ? x * 3 / 2 : x;

    *out = (struct psx_pixels){0};
    if (screen->off || screen->empty || line >= index->vram_lines)
        return;
    out->count = screen->depth24 ? 2 : 1;
    for (unsigned i = 0; i < out->count; i++)
        out->pixel[i] = line * PSX_VRAM_WIDTH + ((screen->x + first + i) & (PSX_VRAM_WIDTH - 1));
    if (out->count == 2 && out->pixel[1] < out->pixel[0]) {
        out->pixel[0] = out->pixel[1];
        out->pixel[1] = line * PSX_VRAM_WIDTH + PSX_VRAM_WIDTH - 1;
    }
}

static int write_pixel(struct dump *dump, uint64_t key, const struct cancel *cancel,
                       struct text *text)
{
    struct psx_dump *psx = psx_dump_of(dump);
    struct way way = {.dump = psx, .cancel = cancel, .rows = {.pixels = &way.pixels}};
    struct psx_screen screen;
    int status = wait_counts(dump, frame_of(key), cancel);

    if (status != 0)
        return status;
    psx_display_screen(&psx->index.frames[frame_of(key)].display, &screen);
    find_pixels(&psx->index, &screen, column_of(key), line_of(key), &way.pixels);
    add_head(text);
    if (way.pixels.count > 0)
        status = go_back(&way, frame_of(key));
    text_add_text(text, &way.text);
    text_clear(&way.text);
    return status;
}

static int write_vram_pixel(struct dump *dump, uint64_t key, const struct cancel *cancel,
                            struct text *text)
{
    struct psx_pixels pixels = {{line_of(key) * PSX_VRAM_WIDTH + column_of(key)}, 1, {0}};
    struct rows rows = {.text = text, .frame = frame_of(key), .pixels = &pixels};
    int status = wait_counts(dump, frame_of(key), cancel);

    if (status != 0)
        return status;
    add_head(text);
    return psx_pixel_history(psx_dump_of(dump), frame_of(key), cancel, &pixels, add_row, &rows);
}

typedef int write_history(struct dump *dump, uint64_t key, const struct cancel *cancel,
                          struct text *text);

static int make_table(struct dump *dump, uint64_t key, write_history *write,
                      const struct cancel *cancel, struct blob **out)
{
    struct text text = TEXT_INIT;
    int status = write(dump, key, cancel, &text);

    if (status == 0)
        return text_blob(&text, out);
    text_clear(&text);
    return status;
}

int psx_pixel_make(struct dump *dump, uint64_t key, const struct cancel *cancel, struct blob **out)
{
    return make_table(dump, key, write_pixel, cancel, out);
}

int psx_vram_pixel_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                        struct blob **out)
{
    return make_table(dump, key, write_vram_pixel, cancel, out);
}

/* Scripts. */

/* A cell as JSON; no cell has a character that would have to be escaped. */
static void add_value(struct text *text, const char *cell, size_t length, bool is_number)
{
    bool none = length == 1 && *cell == '-', quoted = !none && !is_number;

    text_add(text, quoted ? "\"" : "");
    text_add_bytes(text, none ? "null" : cell, none ? 4 : length);
    text_add(text, quoted ? "\"" : "");
}

/* A line of the table as an array; where the next one begins. */
static const char *add_array(struct text *text, const char *line, bool head)
{
    for (unsigned i = 0; i < COLUMNS; i++) {
        size_t length = strcspn(line, "\t\n");

        text_add_char(text, i == 0 ? '[' : ',');
        add_value(text, line, length, !head && columns[i].is_number);
        line += length + 1;
    }
    text_add_char(text, ']');
    return line;
}

static void add_call(struct text *text, uint64_t key, const char *place, const struct text *table)
{
    const char *end = table->bytes + table->length, *line;

    text_printf(text,
                "gpudumpfsHistory({\"frame\":%" PRIu64 ",\"%s\":[%" PRIu32 ",%" PRIu32
                "],\n\"columns\":",
                frame_of(key), place, column_of(key), line_of(key));
    line = add_array(text, table->bytes, true);
    text_add(text, ",\n\"rows\":[");
    for (bool first = true; line < end; first = false) {
        text_add(text, first ? "\n" : ",\n");
        line = add_array(text, line, false);
    }
    text_add(text, "]});\n");
}

static int make_script(struct dump *dump, uint64_t key, write_history *write, const char *place,
                       const struct cancel *cancel, struct blob **out)
{
    struct text table = TEXT_INIT, text = TEXT_INIT;
    int status = write(dump, key, cancel, &table);

    if (status == 0)
        status = text_status(&table);
    if (status == 0)
        add_call(&text, key, place, &table);
    text_clear(&table);
    if (status == 0)
        return text_blob(&text, out);
    text_clear(&text);
    return status;
}

int psx_pixel_js_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                      struct blob **out)
{
    return make_script(dump, key, write_pixel, "pixel", cancel, out);
}

int psx_vram_pixel_js_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                           struct blob **out)
{
    return make_script(dump, key, write_vram_pixel, "vram", cancel, out);
}

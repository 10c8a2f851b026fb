/* SPDX-License-Identifier: MIT */
/*
 * vram-pixel/X,Y.tsv: what the commands of a frame did to a pixel of video memory. pixel/X,Y.tsv:
 * the same for a pixel of the frame's picture, back through the frames that produced its value.
 */
#include "formats/psx/views/views.h"

#include "formats/psx/frame/pixel_history.h"
#include "formats/psx/gpu/pixel.h"
#include "formats/psx/gpu/scanout.h"
#include "tree/pixel_files.h"

#include <errno.h>

enum { FRAMES_MAX = 64 }; /* frames that a file of pixel/ covers, at most */

/* Names. */

static int next_pixel(struct dump *dump, uint64_t frame, uint64_t from, uint64_t *ordinal)
{
    const struct psx_index *index = &psx_dump_of(dump)->index;
    struct psx_screen screen;

    if (!psx_index_shows(index, frame))
        return -ENOENT;
    psx_display_screen(&index->frames[frame].display, &screen);
    return pixel_files_next(from, screen.width, screen.height, ordinal);
}

static int next_vram_pixel(struct dump *dump, uint64_t frame, uint64_t from, uint64_t *ordinal)
{
    const struct psx_index *index = &psx_dump_of(dump)->index;

    if (!psx_index_shows(index, frame))
        return -ENOENT;
    return pixel_files_next(from, PSX_VRAM_WIDTH, index->vram_lines, ordinal);
}

const struct rule_family psx_pixel_family = {PIXEL_FILES_BITS, next_pixel, pixel_files_name_tsv,
                                             pixel_files_parse};
const struct rule_family psx_pixel_js_family = {PIXEL_FILES_BITS, next_pixel, pixel_files_name_js,
                                                pixel_files_parse};
const struct rule_family psx_vram_pixel_family = {PIXEL_FILES_BITS, next_vram_pixel,
                                                  pixel_files_name_tsv, pixel_files_parse};
const struct rule_family psx_vram_pixel_js_family = {PIXEL_FILES_BITS, next_vram_pixel,
                                                     pixel_files_name_js, pixel_files_parse};

/* Rows. */

static const struct pixel_column columns[] = {
    {"frame", true},       {"draw", true},       {"upload", true},    {"packet", true},
    {"word", true},        {"op", false},        {"name", false},     {"x", true},
    {"y", true},           {"outcome", false},   {"before", false},   {"after", false},
    {"before_rgb", false}, {"after_rgb", false}, {"blend", true},     {"uv", false},
    {"texel_at", false},   {"texel", false},     {"entry_at", false}, {"entry", false},
};

enum { COLUMNS = sizeof(columns) / sizeof(columns[0]) };

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

enum { HALFWORDS_MAX = 2 }; /* in a pixel of a picture; 2 if it has 24 bits */

/* The halfwords of a pixel of a picture, or one pixel of VRAM. */
struct halfwords {
    uint32_t pixel[HALFWORDS_MAX];
    uint16_t start[HALFWORDS_MAX];
    struct psx_pixels pixels; /* refers to these arrays */
};

static void halfwords_init(struct halfwords *halfwords, unsigned count)
{
    halfwords->pixels = (struct psx_pixels){halfwords->pixel, count, halfwords->start};
}

/* State for writing the events of one frame as rows. */
struct rows {
    struct text *text;
    uint64_t frame;
    const struct psx_pixels *pixels;
    bool explained[HALFWORDS_MAX]; /* a write did not depend on the previous value */
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

/* Writes the value that a pixel had before the events listed. */
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

/* State of the way back from a frame to where the values of its pixels are explained. */
struct way {
    struct psx_dump *dump;
    const struct cancel *cancel;
    struct psx_pixels *pixels;
    struct text text; /* the rows of the frames passed so far */
    struct rows rows;
    unsigned frames; /* number of frames with rows */
};

static bool is_explained(const struct way *way)
{
    bool all = true;

    for (unsigned i = 0; i < way->pixels->count; i++)
        all &= way->rows.explained[i];
    return all;
}

static int tell_frame(struct way *way, uint64_t frame)
{
    struct text text = TEXT_INIT;
    int status;

    way->rows.text = &text;
    way->rows.frame = frame;
    status = psx_pixel_history(way->dump, frame, way->cancel, way->pixels, add_row, &way->rows);
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

    if (way->frames == 0) /* no history has been made, so the values of the pixels are not known */
        status = psx_pixel_history(way->dump, last, way->cancel, way->pixels, do_nothing, NULL);
    for (unsigned i = 0; i < way->pixels->count; i++)
        if (!way->rows.explained[i])
            add_start(&text, way->pixels, i, outcome);
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

        status = psx_pixels_are_reached(index, frame, way->pixels, way->cancel, &reached);
        if (status == 0 && reached)
            status = tell_frame(way, frame);
        if (status == 0 && psx_walk_cancelled(&steps, way->cancel))
            status = -EINTR;
    }
    if (status == 0 && !is_explained(way))
        status = tell_start(way, last, way->frames < FRAMES_MAX ? "initial" : "earlier");
    return status;
}

/*
 * Finds the halfwords that a pixel of the picture consists of: those inside of memory, in the order
 * of VRAM.
 */
static void find_pixels(const struct psx_index *index, const struct psx_screen *screen, uint32_t x,
                        uint32_t y, struct halfwords *out)
{
    uint32_t line = (screen->y + y) & (screen->lines - 1);
    uint32_t first = screen->depth24 ? x * 3 / 2 : x;

    halfwords_init(out, 0);
    if (screen->off || screen->empty || line >= index->vram_lines)
        return;
    halfwords_init(out, screen->depth24 ? 2 : 1);
    for (unsigned i = 0; i < out->pixels.count; i++)
        out->pixel[i] = line * PSX_VRAM_WIDTH + ((screen->x + first + i) & (PSX_VRAM_WIDTH - 1));
    if (out->pixels.count == 2 && out->pixel[1] < out->pixel[0]) {
        out->pixel[0] = out->pixel[1];
        out->pixel[1] = line * PSX_VRAM_WIDTH + PSX_VRAM_WIDTH - 1;
    }
}

static int write_pixel(struct dump *dump, uint64_t key, const struct cancel *cancel,
                       struct text *text)
{
    struct psx_dump *psx = psx_dump_of(dump);
    struct halfwords halfwords;
    struct way way = {.dump = psx,
                      .cancel = cancel,
                      .pixels = &halfwords.pixels,
                      .rows = {.pixels = &halfwords.pixels}};
    struct psx_screen screen;
    int status = wait_counts(dump, pixel_files_frame(key), cancel);

    if (status != 0)
        return status;
    psx_display_screen(&psx->index.frames[pixel_files_frame(key)].display, &screen);
    find_pixels(&psx->index, &screen, pixel_files_column(key), pixel_files_line(key), &halfwords);
    if (halfwords.pixels.count > 0)
        status = go_back(&way, pixel_files_frame(key));
    text_add_text(text, &way.text);
    text_clear(&way.text);
    return status;
}

static int write_vram_pixel(struct dump *dump, uint64_t key, const struct cancel *cancel,
                            struct text *text)
{
    struct halfwords halfwords = {
        .pixel = {pixel_files_line(key) * PSX_VRAM_WIDTH + pixel_files_column(key)}};
    struct rows rows = {.text = text, .frame = pixel_files_frame(key), .pixels = &halfwords.pixels};
    int status = wait_counts(dump, pixel_files_frame(key), cancel);

    if (status != 0)
        return status;
    halfwords_init(&halfwords, 1);
    return psx_pixel_history(psx_dump_of(dump), pixel_files_frame(key), cancel, &halfwords.pixels,
                             add_row, &rows);
}

static const struct pixel_table pixel_table = {"pixel", columns, COLUMNS, write_pixel};
static const struct pixel_table vram_table = {"vram", columns, COLUMNS, write_vram_pixel};

int psx_pixel_make(struct dump *dump, uint64_t key, const struct cancel *cancel, struct blob **out)
{
    return pixel_files_table_make(&pixel_table, dump, key, cancel, out);
}

int psx_vram_pixel_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                        struct blob **out)
{
    return pixel_files_table_make(&vram_table, dump, key, cancel, out);
}

int psx_pixel_js_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                      struct blob **out)
{
    return pixel_files_script_make(&pixel_table, dump, key, cancel, out);
}

int psx_vram_pixel_js_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                           struct blob **out)
{
    return pixel_files_script_make(&vram_table, dump, key, cancel, out);
}

/* SPDX-License-Identifier: MIT */
/*
 * touched.png, overdraw.png and wireframe.png of draws, and the latter two of frames: which pixels
 * were written, how often, and the edges of what was drawn. All come from one look at the draw,
 * which begins before the draw. The last coverage is kept.
 */
#include "formats/apitrace/views/draws.h"
#include "formats/apitrace/views/views.h"

#include "base/bytes.h"
#include "base/locks.h"
#include "image/heat.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    RGB = 3,
    BEGIN_MAX = 1 << 20, /* calls from glBegin() to glEnd() */
    POLL_CALLS = 4096,   /* between two checks of the cancel flag */
};

/* Flag of a key that is a frame's instead of a draw's. */
#define KEY_OF_FRAME (UINT64_C(1) << 63)

struct apitrace_covered {
    uint64_t key;
    struct apitrace_coverage coverage;
};

static void take_lock(struct apitrace_dump *dump) ACQUIRE(lock_of_apitrace_parts)
{
    pthread_mutex_lock(&dump->parts_lock);
}

static void give_lock(struct apitrace_dump *dump) RELEASE(lock_of_apitrace_parts)
{
    pthread_mutex_unlock(&dump->parts_lock);
}

/* Copies a coverage, with references of its own. */
static struct apitrace_coverage share(const struct apitrace_coverage *coverage)
{
    struct apitrace_coverage shared = *coverage;

    blob_ref(shared.pixels);
    if (shared.colours != NULL)
        blob_ref(shared.colours);
    return shared;
}

static bool find_kept(struct apitrace_dump *dump, uint64_t key, struct apitrace_coverage *out)
{
    bool found;

    take_lock(dump);
    found = dump->covered != NULL && dump->covered->key == key;
    if (found)
        *out = share(&dump->covered->coverage);
    give_lock(dump);
    return found;
}

static void swap_kept(struct apitrace_dump *dump, struct apitrace_covered *covered)
{
    struct apitrace_covered *dropped;

    take_lock(dump);
    dropped = dump->covered;
    dump->covered = covered;
    give_lock(dump);
    if (dropped != NULL)
        apitrace_coverage_clear(&dropped->coverage);
    free(dropped);
}

void apitrace_covered_clear(struct apitrace_dump *dump)
{
    swap_kept(dump, NULL);
}

/* Keeps a coverage for later requests. If there is no memory for that, it will be made again. */
static void keep(struct apitrace_dump *dump, uint64_t key, const struct apitrace_coverage *coverage)
{
    struct apitrace_covered *covered = malloc(sizeof(*covered));

    if (covered != NULL) {
        *covered = (struct apitrace_covered){key, share(coverage)};
        swap_kept(dump, covered);
    }
}

/*
 * Reads the colours again from a session that has not looked before the draw, since shaders of a
 * spoilt session may have left other colours.
 */
static int look_again(struct dump *dump, const struct apitrace_watch *watch, uint64_t key,
                      const struct cancel *cancel, struct apitrace_coverage *out)
{
    int status;

    blob_unref(&out->colours);
    status = apitrace_draw_part_bytes(dump, key, watch->place, 1 << APITRACE_PART_COLOUR, cancel,
                                      &out->colours);
    /*
     * Since the watch began, another list of the draw's parts may have replaced the one used for
     * it.
     */
    if (status == 0 && out->colours->size != (size_t)out->width * out->height * out->colour_bytes) {
        blob_unref(&out->colours);
        status = -EIO;
    }
    return status;
}

/*
 * Refuses the result for a frame from a spoilt session. A worker may spoil its session only for a
 * draw, whose colours can be read again.
 */
static int refuse_spoilt(struct dump *dump, const struct apitrace_watch *watch)
{
    problems_add_drawing(dump->problems, PROBLEM_ERROR, PROBLEM_NOWHERE, PROBLEM_NOWHERE,
                         "frame %" PRIu64
                         " cannot be examined: the graphics worker spoilt its session",
                         watch->frame);
    return -EIO;
}

static int look(struct dump *dump, const struct apitrace_watch *watch, uint64_t key,
                const struct cancel *cancel, struct apitrace_coverage *out)
{
    struct apitrace_watched watched = {.ids = NULL};
    int status;

    if (find_kept(apitrace_dump_of(dump), key, out))
        return 0;
    status = apitrace_player_watch(dump, watch, cancel, &watched);
    if (status < 0) {
        apitrace_coverage_clear(&watched.coverage);
        return status;
    }
    *out = watched.coverage;
    if ((out->told & APITRACE_COVERED_SPOILS) != 0 && out->colours != NULL)
        status = watch->draw != NULL ? look_again(dump, watch, key, cancel, out)
                                     : refuse_spoilt(dump, watch);
    if (status < 0) {
        apitrace_coverage_clear(out);
        return status;
    }
    keep(apitrace_dump_of(dump), key, out);
    return 0;
}

static bool is_named(const struct apitrace_index *index, const struct apitrace_record *record,
                     const char *name)
{
    return strcmp(apitrace_index_name(index, record), name) == 0;
}

/*
 * Makes the watch of what glEnd() draws begin at the glBegin() of its thread. That may be in an
 * earlier frame, which a swap of another thread ended. Returns 0 or -EINTR.
 */
static int find_begin(const struct apitrace_index *index, const struct cancel *cancel,
                      struct apitrace_watch *watch)
{
    struct apitrace_record end = apitrace_index_at(index, watch->draw->call);
    uint64_t n = end.number, steps = is_named(index, &end, "glEnd") ? BEGIN_MAX : 0;

    watch->begin = watch->draw->call;
    watch->begin_order = watch->draw->order;
    for (; steps > 0 && n > 0; steps--) {
        const struct apitrace_record record = apitrace_index_at(index, --n);

        if (steps % POLL_CALLS == 0 && cancel_requested(cancel))
            return -EINTR;
        if (record.thread != end.thread)
            continue;
        if (is_named(index, &record, "glEnd"))
            return 0;
        if (!is_named(index, &record, "glBegin"))
            continue;
        watch->begin = record.number;
        watch->begin_order = record.order;
        return 0;
    }
    return 0;
}

static int look_at_draw(struct dump *dump, uint64_t key, const struct cancel *cancel,
                        struct apitrace_coverage *out)
{
    const uint64_t frame = key >> APITRACE_DRAW_BITS;
    struct apitrace_draw_part part, colours;
    struct apitrace_snapshot snapshot;
    struct apitrace_watch watch = {
        .kind = APITRACE_WATCH_COVERAGE, .first = frame, .frame = frame, .draw = &snapshot};
    uint64_t place;
    int status = apitrace_draw_place(dump, key, cancel, &snapshot);

    if (status == 0)
        status = apitrace_draw_know(dump, key, cancel);
    if (status == 0)
        status = apitrace_draw_part_of(dump, key, APITRACE_PART_COVERAGE, &part, &place);
    if (status == 0)
        status = find_begin(apitrace_index_of(dump), cancel, &watch);
    if (status < 0)
        return status;
    watch.base = snapshot.base;
    watch.width = part.width;
    watch.height = part.height;
    if (apitrace_draw_part_of(dump, key, APITRACE_PART_COLOUR, &colours, &place) == 0 &&
        colours.width == part.width && colours.height == part.height && colours.slices == 1) {
        watch.place = (uint32_t)place;
        watch.bytes = colours.bytes;
    }
    return look(dump, &watch, key, cancel, out);
}

static int look_at_frame(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                         struct apitrace_coverage *out)
{
    const struct apitrace_presentation *presentation;
    struct apitrace_watch watch = {.kind = APITRACE_WATCH_COVERAGE, .first = frame, .frame = frame};
    int status = apitrace_dump_presentation(dump, cancel, &presentation);

    if (status < 0)
        return status;
    if (presentation->frames[frame].drawable == APITRACE_NO_DRAWABLE)
        return -ENOENT;
    watch.base = presentation->frames[frame].whole;
    return look(dump, &watch, KEY_OF_FRAME | frame, cancel, out);
}

/* Pictures. */

struct painting {
    const struct apitrace_coverage *coverage;
    struct canvas legend;
};

static uint32_t pixel_at(const struct apitrace_coverage *coverage, uint32_t x, uint32_t y)
{
    const size_t count = (size_t)coverage->width * coverage->height;
    const uint8_t *pixels = coverage->pixels->data + coverage->pixels->size - 4 * count;

    return bytes_le32(pixels + 4 * ((size_t)y * coverage->width + x));
}

/* Paints a row of what is drawn on, dimmed. */
static void paint_dimmed(const struct apitrace_coverage *coverage, uint32_t y, uint8_t *rgb)
{
    const size_t row = (size_t)coverage->width * coverage->colour_bytes;
    const uint8_t *colours;

    memset(rgb, 0, RGB * (size_t)coverage->width);
    if (coverage->colours == NULL)
        return;
    colours = coverage->colours->data + coverage->colours->size - row * (coverage->height - y);
    for (size_t x = 0; x < coverage->width; x++)
        for (unsigned n = 0; n < RGB; n++)
            rgb[RGB * x + n] = colours[coverage->colour_bytes * x + n] / 2;
}

/* Does the same, and paints pixels with one of these bits in a colour that no dimmed pixel has. */
static void paint_marked(const struct apitrace_coverage *coverage, uint32_t bits,
                         const uint8_t mark[RGB], uint32_t y, uint8_t *rgb)
{
    paint_dimmed(coverage, y, rgb);
    for (uint32_t x = 0; x < coverage->width; x++)
        if ((pixel_at(coverage, x, y) & bits) != 0)
            memcpy(rgb + RGB * (size_t)x, mark, RGB);
}

static void touched_row(const void *context, uint32_t y, uint8_t *rgb)
{
    static const uint8_t magenta[RGB] = {255, 0, 255};
    const struct painting *painting = context;

    paint_marked(painting->coverage, APITRACE_COVERED_COUNT, magenta, y, rgb);
}

static void wireframe_row(const void *context, uint32_t y, uint8_t *rgb)
{
    static const uint8_t yellow[RGB] = {255, 255, 0};
    const struct painting *painting = context;

    paint_marked(painting->coverage, APITRACE_COVERED_EDGE, yellow, y, rgb);
}

static void overdraw_row(const void *context, uint32_t y, uint8_t *rgb)
{
    const struct painting *painting = context;
    const struct apitrace_coverage *coverage = painting->coverage;

    for (uint32_t x = 0; x < coverage->width; x++) {
        const size_t legend = (size_t)(y - coverage->height) * coverage->width + x;

        memcpy(rgb + RGB * (size_t)x,
               y < coverage->height
                   ? heat_colour(&heat_writes, pixel_at(coverage, x, y) & APITRACE_COVERED_COUNT)
                   : heat_legend_colour(&heat_writes, painting->legend.pixels[legend]),
               RGB);
    }
}

static int header_of(struct dump *dump, uint64_t frame, uint32_t width, uint32_t height,
                     bool has_legend, struct dump_picture *out)
{
    return dump_picture_init(dump, frame, width,
                             height + (has_legend ? heat_legend_lines(width) : 0), PICTURE_RGB, 8,
                             out);
}

/* Writes a picture and clears the coverage. */
static int paint(struct dump *dump, uint64_t frame, picture_paint *row,
                 struct apitrace_coverage *coverage, const struct cancel *cancel, struct blob **out)
{
    const bool has_legend = row == overdraw_row;
    struct painting painting = {.coverage = coverage};
    struct dump_picture picture;
    int status = header_of(dump, frame, coverage->width, coverage->height, has_legend, &picture);

    if (status == 0 && has_legend)
        status = heat_legend_init(&heat_writes, coverage->width, &painting.legend);
    if (status == 0)
        status = picture_write(&picture.header, dump->options->png, row, &painting, cancel, out);
    canvas_clear(&painting.legend);
    apitrace_coverage_clear(coverage);
    return status;
}

/* Of draws. */

static int has(struct dump *dump, uint64_t key, uint32_t told)
{
    struct apitrace_draw_part part;
    uint64_t place;
    int status = apitrace_draw_part_of(dump, key, APITRACE_PART_COVERAGE, &part, &place);

    return status == 0 && (part.number & told) == 0 ? -ENOENT : status;
}

int apitrace_draw_has_touched(struct dump *dump, uint64_t key)
{
    return has(dump, key, APITRACE_COVERED_FRAGMENTS | APITRACE_COVERED_CHANGES);
}

int apitrace_draw_has_overdraw(struct dump *dump, uint64_t key)
{
    return has(dump, key, APITRACE_COVERED_FRAGMENTS);
}

int apitrace_draw_has_wireframe(struct dump *dump, uint64_t key)
{
    return has(dump, key, APITRACE_COVERED_EDGES);
}

static int draw_size(struct dump *dump, uint64_t key, bool has_legend, uint64_t *size)
{
    struct apitrace_draw_part part;
    struct dump_picture picture;
    uint64_t place;
    int status = apitrace_draw_part_of(dump, key, APITRACE_PART_COVERAGE, &part, &place);

    if (status == 0)
        status = header_of(dump, key >> APITRACE_DRAW_BITS, part.width, part.height, has_legend,
                           &picture);
    return status == 0 ? dump_picture_size(dump, &picture, size) : status;
}

int apitrace_draw_touched_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    return draw_size(dump, key, false, size);
}

int apitrace_draw_overdraw_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    return draw_size(dump, key, true, size);
}

static int make_of_draw(struct dump *dump, uint64_t key, picture_paint *row,
                        const struct cancel *cancel, struct blob **out)
{
    struct apitrace_coverage coverage = {0};
    int status = look_at_draw(dump, key, cancel, &coverage);

    return status == 0 ? paint(dump, key >> APITRACE_DRAW_BITS, row, &coverage, cancel, out)
                       : status;
}

int apitrace_draw_touched_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                               struct blob **out)
{
    return make_of_draw(dump, key, touched_row, cancel, out);
}

int apitrace_draw_overdraw_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                                struct blob **out)
{
    return make_of_draw(dump, key, overdraw_row, cancel, out);
}

int apitrace_draw_wireframe_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                                 struct blob **out)
{
    return make_of_draw(dump, key, wireframe_row, cancel, out);
}

/* Of frames. */

static int frame_size(struct dump *dump, uint64_t frame, bool has_legend, uint64_t *size)
{
    struct dump_picture picture;
    int status = dump_picture_header(dump, frame, &picture);

    if (status == 0)
        status = header_of(dump, frame, picture.header.width, picture.header.height, has_legend,
                           &picture);
    return status == 0 ? dump_picture_size(dump, &picture, size) : status;
}

int apitrace_frame_overdraw_size(struct dump *dump, uint64_t frame, uint64_t *size)
{
    return frame_size(dump, frame, true, size);
}

int apitrace_frame_wireframe_size(struct dump *dump, uint64_t frame, uint64_t *size)
{
    return frame_size(dump, frame, false, size);
}

int apitrace_frame_overdraw_make(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                                 struct blob **out)
{
    struct apitrace_coverage coverage = {0};
    int status = look_at_frame(dump, frame, cancel, &coverage);

    return status == 0 ? paint(dump, frame, overdraw_row, &coverage, cancel, out) : status;
}

int apitrace_frame_wireframe_make(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                                  struct blob **out)
{
    struct apitrace_coverage coverage = {0};
    int status = look_at_frame(dump, frame, cancel, &coverage);

    if (status < 0)
        return status;
    if ((coverage.told & APITRACE_COVERED_FRAGMENTS) == 0 ||
        (coverage.told & APITRACE_COVERED_EDGES) != 0)
        return paint(dump, frame, wireframe_row, &coverage, cancel, out);
    apitrace_coverage_clear(&coverage);
    problems_add_drawing(dump->problems, PROBLEM_WARNING, PROBLEM_NOWHERE, PROBLEM_NOWHERE,
                         "frame %" PRIu64 " has no wireframe: the edges of its draws are unknown",
                         frame);
    return -EIO;
}

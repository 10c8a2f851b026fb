/* SPDX-License-Identifier: MIT */
/*
 * How the pixels of a frame's picture came about: pixel/X,Y.tsv and X,Y.js for one of them,
 * draw-ids.bin and draw-ids.png for all. Both concern the window's pixels, as the worker sees them
 * from call to call.
 */
#include "formats/apitrace/views/views.h"

#include "base/bytes.h"
#include "formats/apitrace/replay/player.h"
#include "image/draw_ids.h"
#include "tree/pixel_files.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    FRAMES_MAX = 64,       /* frames that are examined, up to the one with the picture */
    DEPTH_MAX = 0xFFFFFF,  /* depths have 24 bits */
    DEPTH_DIGITS = 8,      /* digits of a depth, enough to distinguish all values */
    POLL_PIXELS = 1 << 16, /* between two checks of the cancel flag */
    CALL_BYTES = 4,
};

/* Frames. */

/* Gets the frame's picture. Returns -EAGAIN while that is not known, -ENOENT if there is none. */
static int peek_picture(struct dump *dump, uint64_t frame,
                        const struct apitrace_presented_frame **out)
{
    const struct apitrace_presentation *presentation = apitrace_dump_peek_presentation(dump);
    const struct apitrace_index *index = apitrace_index_of(dump);

    if (apitrace_index_grows(index) || frame >= index->follow.frames)
        return -ENOENT;
    if (presentation == NULL)
        return -EAGAIN;
    *out = &presentation->frames[frame];
    return (*out)->drawable == APITRACE_NO_DRAWABLE ? -ENOENT : 0;
}

int apitrace_has_pixels(struct dump *dump, uint64_t frame)
{
    const struct apitrace_presented_frame *presented;

    return peek_picture(dump, frame, &presented);
}

/* Finds the frames that made the picture, as far as they are examined. */
static int find_watch(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                      struct apitrace_watch *out)
{
    const struct apitrace_presentation *presentation;
    int status = apitrace_dump_presentation(dump, cancel, &presentation);

    if (status < 0)
        return status;
    if (presentation->frames[frame].drawable == APITRACE_NO_DRAWABLE)
        return -ENOENT;
    out->frame = frame;
    out->base = presentation->frames[frame].base;
    out->first = frame < FRAMES_MAX ? 0 : frame - FRAMES_MAX + 1;
    if (out->first < out->base)
        out->first = out->base;
    return 0;
}

/* Calls. */

/*
 * Finds the frames of calls, and their ordinals among the draws of the frame; fastest in ascending
 * order.
 */
struct call_finder {
    const struct apitrace_index *index;
    const struct apitrace_presentation *presentation; /* must have been found */
    struct apitrace_walk walk;
    uint64_t frame; /* of the last call; UINT64_MAX if there was none */
    uint64_t next;  /* number after that call */
    uint64_t draws; /* of that frame, before `next` */
};

static void begin_finding(struct call_finder *finder, struct dump *dump)
{
    *finder = (struct call_finder){.index = apitrace_index_of(dump),
                                   .presentation = apitrace_dump_peek_presentation(dump),
                                   .frame = UINT64_MAX};
    apitrace_walk_init(&finder->walk, &finder->index->calls);
}

static bool is_draw(const struct call_finder *finder, const struct apitrace_record *record)
{
    return apitrace_presentation_draws(finder->presentation, finder->index, finder->frame, record);
}

/* Returns whether a call's function may be one that draws; the names of these need no escaping. */
static bool has_plain_name(const struct call_finder *finder, uint64_t call)
{
    const struct apitrace_record record = apitrace_index_at(finder->index, call);
    const struct apitrace_function *function = apitrace_index_function(finder->index, &record);
    const char *name = function != NULL ? function->name.bytes : "";

    return strncmp(name, "gl", 2) == 0 &&
           strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") ==
               strlen(name);
}

/* Gets the frame of a call. Returns false if that is no number of a listed call. */
static bool find_frame(const struct call_finder *finder, uint64_t call, uint64_t *frame)
{
    if (call >= finder->index->calls.count)
        return false;
    *frame = apitrace_index_frame(finder->index, apitrace_index_at(finder->index, call).order);
    return *frame < finder->index->follow.frames;
}

/*
 * Returns the ordinal of a call among the draws of its frame, as in draws.tsv; UINT64_MAX if it is
 * no draw.
 */
static uint64_t find_draw(struct call_finder *finder, uint64_t frame, uint64_t call)
{
    if (frame != finder->frame || call < finder->next) {
        finder->frame = frame;
        finder->next = finder->index->frames[frame].min_number;
        finder->draws = 0;
    }
    for (; finder->next < call; finder->next++)
        finder->draws += is_draw(finder, apitrace_walk_to(&finder->walk, finder->next));
    return is_draw(finder, apitrace_walk_to(&finder->walk, call)) ? finder->draws : UINT64_MAX;
}

/* The history of a pixel. */

static const struct pixel_column columns[] = {
    {"frame", true},         {"draw", true},         {"packet", true},
    {"name", false},         {"outcome", false},     {"before_rgb", false},
    {"after_rgb", false},    {"before_alpha", true}, {"after_alpha", true},
    {"before_depth", true},  {"after_depth", true},  {"before_stencil", true},
    {"after_stencil", true},
};

static int next_pixel(struct dump *dump, uint64_t frame, uint64_t from, uint64_t *ordinal)
{
    const struct apitrace_presented_frame *presented;
    int status = peek_picture(dump, frame, &presented);

    return status == 0 ? pixel_files_next(from, presented->width, presented->height, ordinal)
                       : status;
}

const struct rule_family apitrace_pixel_family = {PIXEL_FILES_BITS, next_pixel,
                                                  pixel_files_name_tsv, pixel_files_parse};
const struct rule_family apitrace_pixel_js_family = {PIXEL_FILES_BITS, next_pixel,
                                                     pixel_files_name_js, pixel_files_parse};

static void add_rgb(struct text *text, const struct apitrace_sight *sight)
{
    if (sight != NULL)
        text_printf(text, "\t%02X%02X%02X", sight->rgba[0], sight->rgba[1], sight->rgba[2]);
    else
        text_cell_word(text, "-");
}

static void add_depth(struct text *text, const struct apitrace_sight *sight)
{
    if (sight != NULL)
        text_printf(text, "\t%.*f", DEPTH_DIGITS, (double)sight->depth / DEPTH_MAX);
    else
        text_cell_word(text, "-");
}

/* What is known of the pixel before and after a call (enum apitrace_watch_plane). */
struct planes {
    uint32_t before, after;
};

static void add_sights(struct text *text, struct planes planes, const struct apitrace_sight *before,
                       const struct apitrace_sight *after)
{
    const struct apitrace_sight *sights[] = {before, after};
    const uint32_t known[] = {planes.before, planes.after};

    for (unsigned n = 0; n < 2; n++)
        add_rgb(text, (known[n] & APITRACE_PLANE_COLOUR) != 0 ? sights[n] : NULL);
    for (unsigned n = 0; n < 2; n++)
        text_cell_or_none(text, (known[n] & APITRACE_PLANE_COLOUR) != 0, sights[n]->rgba[3]);
    for (unsigned n = 0; n < 2; n++)
        add_depth(text, (known[n] & APITRACE_PLANE_DEPTH) != 0 ? sights[n] : NULL);
    for (unsigned n = 0; n < 2; n++)
        text_cell_or_none(text, (known[n] & APITRACE_PLANE_STENCIL) != 0, sights[n]->stencil);
    text_add_char(text, '\n');
}

static void add_change(struct text *text, struct call_finder *finder, uint64_t frame,
                       struct planes planes, const struct apitrace_pixel_change *change)
{
    static const char *const outcomes[] = {
        [APITRACE_PIXEL_WRITTEN] = "written", [APITRACE_PIXEL_UNCHANGED] = "unchanged",
        [APITRACE_PIXEL_CULLED] = "culled",   [APITRACE_PIXEL_SCISSOR] = "scissor",
        [APITRACE_PIXEL_ALPHA] = "alpha",     [APITRACE_PIXEL_STENCIL] = "stencil",
        [APITRACE_PIXEL_DEPTH] = "depth",
    };
    const uint64_t draw = find_draw(finder, frame, change->call);
    const struct apitrace_record record = apitrace_index_at(finder->index, change->call);

    text_add_u64(text, frame);
    apitrace_cell_optional(text, draw);
    text_cell(text, change->call);
    text_cell_word(text, apitrace_index_name(finder->index, &record));
    text_cell_word(text, outcomes[change->outcome]);
    add_sights(text, planes, &change->before, &change->after);
}

/* Appends what the pixel was when the rows begin. */
static void add_start(struct text *text, uint64_t frame, uint32_t known,
                      const struct apitrace_sight *sight)
{
    text_add_u64(text, frame);
    text_add(text, "\t-\t-\t-\t");
    text_add(text, frame == 0 ? "initial" : "earlier");
    add_sights(text, (struct planes){.after = known}, sight, sight);
}

/*
 * Returns what is known where a watch begins: everything, if the session has drawn all frames
 * before; otherwise the colours, if the frame with which the picture begins is over; otherwise
 * nothing. Earlier frames may have been skipped, and what a window contains after a swap is
 * undefined.
 */
static uint32_t known_at_first(const struct apitrace_watch *watch)
{
    if (watch->base == 0)
        return APITRACE_PLANES;
    return watch->first > watch->base ? APITRACE_PLANE_COLOUR : 0;
}

static bool differs(const struct apitrace_pixel_change *change, uint32_t known)
{
    const struct apitrace_sight *before = &change->before, *after = &change->after;

    return (known & APITRACE_PLANE_COLOUR) != 0 &&
           (memcmp(before->rgba, after->rgba, sizeof(before->rgba)) != 0 ||
            ((known & APITRACE_PLANE_DEPTH) != 0 && before->depth != after->depth) ||
            ((known & APITRACE_PLANE_STENCIL) != 0 && before->stencil != after->stencil));
}

/* Drops changes of which it is not known what they did. */
static void drop_unknown(struct apitrace_pixel_changes *changes, uint32_t known)
{
    uint32_t kept = 0;

    for (uint32_t n = 0; n < changes->count; n++) {
        const struct apitrace_pixel_change change = changes->list[n];

        if ((change.flags & APITRACE_PLANES) == 0 && !differs(&change, known) &&
            (change.outcome == APITRACE_PIXEL_WRITTEN || (known & APITRACE_PLANE_COLOUR) == 0))
            continue;
        known |= change.flags & APITRACE_PLANES;
        changes->list[kept++] = change;
    }
    changes->count = kept;
}

/*
 * Finds the change with which the rows begin: the first one of the last frame in which the colour
 * was written regardless of what was there. Returns false if there was no such frame.
 */
static bool find_beginning(const struct call_finder *finder,
                           const struct apitrace_pixel_changes *changes, uint32_t *begin)
{
    const uint32_t wrote = APITRACE_PLANE_COLOUR | APITRACE_PLANE_DRAWN;
    uint64_t wanted, frame;
    uint32_t n = changes->count;

    *begin = 0;
    while (n > 0 && (changes->list[n - 1].flags & wrote) == 0)
        n--;
    if (n == 0 || !find_frame(finder, changes->list[n - 1].call, &wanted))
        return false;
    for (*begin = n - 1; *begin > 0; --*begin)
        if (!find_frame(finder, changes->list[*begin - 1].call, &frame) || frame != wanted)
            break;
    return true;
}

static int add_changes(struct text *text, struct dump *dump, const struct apitrace_watch *watch,
                       struct apitrace_pixel_changes *changes, const struct cancel *cancel)
{
    uint32_t known = known_at_first(watch), begin;
    struct call_finder finder;

    begin_finding(&finder, dump);
    drop_unknown(changes, known);
    if (!find_beginning(&finder, changes, &begin) && (known & APITRACE_PLANE_COLOUR) != 0)
        add_start(text, watch->first, known & changes->planes, &changes->first);
    for (uint32_t n = 0; n < changes->count; n++) {
        struct planes planes = {.before = known & changes->planes};
        uint64_t frame;

        known |= changes->list[n].flags & APITRACE_PLANES;
        planes.after = known & changes->planes;
        if (!find_frame(&finder, changes->list[n].call, &frame) ||
            !has_plain_name(&finder, changes->list[n].call))
            return -EIO; /* the worker invented it */
        if (n >= begin)
            add_change(text, &finder, frame, planes, &changes->list[n]);
        if (cancel_requested(cancel))
            return -EINTR;
    }
    return 0;
}

static int write_pixel(struct dump *dump, uint64_t key, const struct cancel *cancel,
                       struct text *text)
{
    struct apitrace_watch watch = {.kind = APITRACE_WATCH_PIXEL,
                                   .column = pixel_files_column(key),
                                   .line = pixel_files_line(key)};
    struct apitrace_watched watched = {.ids = NULL};
    int status = find_watch(dump, pixel_files_frame(key), cancel, &watch);

    if (status == 0)
        status = apitrace_player_watch(dump, &watch, cancel, &watched);
    if (status == 0)
        status = add_changes(text, dump, &watch, &watched.pixel, cancel);
    free(watched.pixel.list);
    return status;
}

static const struct pixel_table table = {.place = "pixel",
                                         .columns = columns,
                                         .column_count = sizeof(columns) / sizeof(columns[0]),
                                         .rows = write_pixel};

int apitrace_pixel_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                        struct blob **out)
{
    return pixel_files_table_make(&table, dump, key, cancel, out);
}

int apitrace_pixel_js_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                           struct blob **out)
{
    return pixel_files_script_make(&table, dump, key, cancel, out);
}

/* Which calls wrote the pixels, for all of them. */

int apitrace_draw_ids_bin_size(struct dump *dump, uint64_t frame, uint64_t *size)
{
    const struct apitrace_presented_frame *presented;
    int status = peek_picture(dump, frame, &presented);

    if (status == 0)
        *size = (uint64_t)presented->width * presented->height * DRAW_IDS_BYTES;
    return status;
}

/* Converts numbers of calls to frames and calls. */
static int name_writers(struct dump *dump, const uint8_t *calls, uint64_t pixels,
                        const struct cancel *cancel, uint8_t *out)
{
    struct draw_id id = draw_id_none;
    struct call_finder finder;

    begin_finding(&finder, dump);
    for (uint64_t n = 0; n < pixels; n++, out += DRAW_IDS_BYTES) {
        const uint32_t call = bytes_le32(calls + n * CALL_BYTES);

        if (call != id.writer) {
            uint64_t frame = 0;

            id = draw_id_none;
            if (call != APITRACE_WATCHED_NOBODY && !find_frame(&finder, call, &frame))
                return -EIO;
            if (call != APITRACE_WATCHED_NOBODY)
                id = (struct draw_id){(uint32_t)frame, call};
        }
        draw_ids_store(id, out);
        if (n % POLL_PIXELS == 0 && cancel_requested(cancel))
            return -EINTR;
    }
    return 0;
}

int apitrace_draw_ids_bin_make(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                               struct blob **out)
{
    struct apitrace_watch watch = {.kind = APITRACE_WATCH_IDS};
    struct apitrace_watched watched = {.ids = NULL};
    struct blob *ids = NULL;
    uint64_t size = 0;
    int status = find_watch(dump, frame, cancel, &watch);

    if (status == 0)
        status = apitrace_draw_ids_bin_size(dump, frame, &size);
    if (status == 0)
        status = apitrace_player_watch(dump, &watch, cancel, &watched);
    if (status == 0)
        status = blob_create((size_t)size, &ids);
    if (status == 0) {
        const uint64_t pixels = size / DRAW_IDS_BYTES;
        const uint8_t *end = watched.ids->data + watched.ids->size;

        status = name_writers(dump, end - pixels * CALL_BYTES, pixels, cancel, ids->data);
    }
    blob_unref(&watched.ids);
    if (status == 0)
        *out = ids;
    else
        blob_unref(&ids);
    return status;
}

static int png_header(struct dump *dump, uint64_t frame, struct dump_picture *out)
{
    const struct apitrace_presented_frame *presented;
    int status = peek_picture(dump, frame, &presented);

    return status == 0 ? dump_picture_init(dump, frame, presented->width, presented->height,
                                           PICTURE_RGB, 8, out)
                       : status;
}

int apitrace_draw_ids_png_size(struct dump *dump, uint64_t frame, uint64_t *size)
{
    struct dump_picture picture;
    int status = png_header(dump, frame, &picture);

    return status == 0 ? dump_picture_size(dump, &picture, size) : status;
}

int apitrace_draw_ids_png_make(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                               struct blob **out)
{
    const struct apitrace_presentation *presentation;
    struct dump_picture picture;
    struct blob *ids = NULL;
    int status = apitrace_dump_presentation(dump, cancel, &presentation);

    if (status == 0)
        status = png_header(dump, frame, &picture);
    if (status == 0)
        status = apitrace_draw_ids_bin_make(dump, frame, cancel, &ids);
    if (status == 0)
        status = draw_ids_write(&picture.header, dump->options->png, ids, cancel, out);
    blob_unref(&ids);
    return status;
}

/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/views/draws.h"
#include "formats/apitrace/views/views.h"

#include "formats/apitrace/decode/texture_targets.h"
#include "formats/apitrace/replay/player.h"
#include "tree/names.h"
#include "tree/tree.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { DRAW_BITS = APITRACE_DRAW_BITS, NUMBERS_OF_PIECE = 4096, RGB = 3 };
#define DRAW_MASK ((UINT64_C(1) << DRAW_BITS) - 1)

/* Frames. */

int apitrace_frame_picture(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                           struct blob **out)
{
    const struct apitrace_presentation *presentation;
    int status = apitrace_dump_presentation(dump, cancel, &presentation);

    return status == 0 ? apitrace_player_frame(dump, frame, cancel, out) : status;
}

int apitrace_picture_finish(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                            const struct blob *stage, struct blob **out)
{
    struct dump_picture picture;
    int status = dump_picture_header(dump, frame, &picture);
    size_t stride = (size_t)picture.header.width * RGB;

    (void)cancel;
    if (status < 0)
        return status;
    return picture_encode(&picture.header,
                          stage->data + (stage->size - stride * picture.header.height), stride,
                          dump->options->png, out);
}

/* Draws. */

/* What is needed to determine where draws go; all of it has been found. */
struct known {
    const struct apitrace_index *index;
    const struct apitrace_presentation *presentation;
    const struct apitrace_levels *levels;
};

static int peek(struct dump *dump, uint64_t frame, struct known *out)
{
    const struct apitrace_object_index *objects = apitrace_dump_peek_objects(dump);

    *out = (struct known){.index = apitrace_index_of(dump),
                          .presentation = apitrace_dump_peek_presentation(dump)};
    if (objects == NULL || out->presentation == NULL)
        return -EAGAIN;
    out->levels = &objects->levels;
    return frame < out->index->follow.frames ? 0 : -ENOENT;
}

static int find_out(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                    struct known *out)
{
    const struct apitrace_object_index *objects;
    const struct apitrace_presentation *presentation = NULL;
    int status = apitrace_dump_objects(dump, cancel, &objects);

    if (status == 0)
        status = apitrace_dump_presentation(dump, cancel, &presentation);
    if (status < 0)
        return status;
    *out = (struct known){apitrace_index_of(dump), presentation, &objects->levels};
    return frame < out->index->follow.frames ? 0 : -ENOENT;
}

static bool is_draw(const struct known *known, uint64_t frame, const struct apitrace_record *record)
{
    return apitrace_presentation_draws(known->presentation, known->index, frame, record);
}

/*
 * Gets the size of what is drawn on if it is a texture's level: of a 1D array a single row. Returns
 * false if it is not known.
 */
static bool find_level(const struct known *known, const struct apitrace_target *target,
                       uint64_t order, struct apitrace_snapshot *out)
{
    const bool image = target->kind != APITRACE_TARGET_TEXTURE;
    const struct apitrace_level *level =
        apitrace_levels_at(known->levels, image ? target->texture : target->object, target->level,
                           image ? target->made : order);

    if (level == NULL)
        return false;
    out->width = level->width;
    out->height = level->target == APITRACE_TARGET_1D_ARRAY ? 1 : level->height;
    return true;
}

/* Returns the first frame whose draws are part of a draw's target. */
static uint32_t base_of(const struct known *known, uint64_t frame, uint32_t base)
{
    return frame >= known->presentation->unsafe ? 0 : base < frame ? base : (uint32_t)frame;
}

/* Gets the size of a drawable's pictures in a frame. */
static void find_size(const struct known *known, uint64_t frame,
                      const struct apitrace_target *target, struct apitrace_snapshot *out)
{
    const struct apitrace_presented_frame *presented = &known->presentation->frames[frame];
    const struct apitrace_session_drawable *drawable =
        &known->presentation->drawables.list[target->object];

    out->width = target->object == presented->drawable ? presented->width : drawable->width;
    out->height = target->object == presented->drawable ? presented->height : drawable->height;
}

/*
 * Gets the place of a draw that the session can be brought to, whatever its target is. Returns
 * false if there is none.
 */
static bool find_place(const struct known *known, uint64_t frame,
                       const struct apitrace_record *record, struct apitrace_snapshot *out)
{
    const struct apitrace_target *target =
        apitrace_targets_find(&known->presentation->targets, record->order);

    *out = (struct apitrace_snapshot){
        .call = record->number, .order = record->order, .drawable = APITRACE_WATCH_ANY};
    if (target == NULL || (target->kind == APITRACE_TARGET_NONE && target->framebuffer == 0))
        return false;
    out->base = base_of(known, frame, target->whole);
    if (target->kind == APITRACE_TARGET_DRAWABLE) {
        find_size(known, frame, target, out);
        out->drawable = apitrace_watch_handle(known->presentation, target->object);
    }
    return true;
}

/* Gets the picture of a draw. Returns false if it has none. */
static bool find_snapshot(const struct known *known, uint64_t frame,
                          const struct apitrace_record *record, struct apitrace_snapshot *out)
{
    const struct apitrace_target *target =
        apitrace_targets_find(&known->presentation->targets, record->order);

    *out = (struct apitrace_snapshot){.call = record->number, .order = record->order};
    if (target == NULL || target->kind == APITRACE_TARGET_NONE)
        return false;
    out->base = base_of(known, frame, target->base);
    if (target->kind == APITRACE_TARGET_TEXTURE || target->texture != 0)
        return find_level(known, target, record->order, out);
    if (target->kind == APITRACE_TARGET_RENDERBUFFER) {
        out->width = target->width;
        out->height = target->height;
    } else {
        find_size(known, frame, target, out);
    }
    return out->width > 0 && out->height > 0;
}

typedef bool finder(const struct known *known, uint64_t frame, const struct apitrace_record *record,
                    struct apitrace_snapshot *out);

/* Gets the draw of a key. */
static int snapshot_of_key(const struct known *known, uint64_t key, finder *find,
                           struct apitrace_snapshot *out)
{
    uint64_t frame = key >> DRAW_BITS;
    uint64_t number = known->index->frames[frame].min_number + (key & DRAW_MASK);
    struct apitrace_walk walk;

    if (number > known->index->frames[frame].max_number)
        return -ENOENT;
    apitrace_walk_init(&walk, &known->index->calls);
    return is_draw(known, frame, apitrace_walk_to(&walk, number)) &&
                   find(known, frame, apitrace_walk_to(&walk, number), out)
               ? 0
               : -ENOENT;
}

/* Names. */

static int next_found(struct dump *dump, uint64_t frame, uint64_t from, finder *find,
                      uint64_t *ordinal)
{
    const struct apitrace_frame_record *bounds;
    struct apitrace_walk walk;
    struct apitrace_snapshot snapshot;
    struct known known;
    int status = peek(dump, frame, &known);

    if (status < 0)
        return status;
    bounds = &known.index->frames[frame];
    apitrace_walk_init(&walk, &known.index->calls);
    for (*ordinal = from;
         *ordinal <= DRAW_MASK && bounds->min_number + *ordinal <= bounds->max_number; ++*ordinal) {
        const struct apitrace_record *record =
            apitrace_walk_to(&walk, bounds->min_number + *ordinal);

        if (is_draw(&known, frame, record) && find(&known, frame, record, &snapshot))
            return 0;
    }
    return -ENOENT;
}

static int next_draw(struct dump *dump, uint64_t frame, uint64_t from, uint64_t *ordinal)
{
    return next_found(dump, frame, from, find_snapshot, ordinal);
}

static int next_folder(struct dump *dump, uint64_t frame, uint64_t from, uint64_t *ordinal)
{
    return next_found(dump, frame, from, find_place, ordinal);
}

static int write_name(struct dump *dump, uint64_t frame, uint64_t ordinal, const char *suffix,
                      char *name)
{
    const struct apitrace_index *index = apitrace_index_of(dump);

    if (frame >= index->follow.frames)
        return -ENOENT;
    snprintf(name, RULE_NAME_MAX + 1, "%0*" PRIu64 "%s", (int)tree_packet_digits(dump),
             index->frames[frame].min_number + ordinal, suffix);
    return 0;
}

static int name_draw(struct dump *dump, uint64_t frame, uint64_t ordinal, char *name)
{
    return write_name(dump, frame, ordinal, ".png", name);
}

static int name_folder(struct dump *dump, uint64_t frame, uint64_t ordinal, char *name)
{
    return write_name(dump, frame, ordinal, "", name);
}

static bool parse_draw(struct dump *dump, uint64_t frame, const char *name, uint64_t *ordinal)
{
    const struct apitrace_index *index = apitrace_index_of(dump);
    uint64_t number;

    if (name[0] < '0' || name[0] > '9' || frame >= index->follow.frames)
        return false;
    number = strtoull(name, NULL, 10);
    *ordinal = number - index->frames[frame].min_number;
    return number >= index->frames[frame].min_number && *ordinal <= DRAW_MASK;
}

const struct rule_family apitrace_draw_family = {DRAW_BITS, next_draw, name_draw, parse_draw};
const struct rule_family apitrace_draw_folder_family = {DRAW_BITS, next_folder, name_folder,
                                                        parse_draw};

/* Pictures. */

static int header_of(struct dump *dump, uint64_t key, const struct apitrace_snapshot *snapshot,
                     struct dump_picture *out)
{
    return dump_picture_init(dump, key >> DRAW_BITS, snapshot->width, snapshot->height, PICTURE_RGB,
                             8, out);
}

int apitrace_draw_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    struct dump_picture picture;
    struct apitrace_snapshot snapshot;
    struct known known;
    int status = peek(dump, key >> DRAW_BITS, &known);

    if (status == 0)
        status = snapshot_of_key(&known, key, find_snapshot, &snapshot);
    if (status == 0)
        status = header_of(dump, key, &snapshot, &picture);
    return status == 0 ? dump_picture_size(dump, &picture, size) : status;
}

/* Gets the draw of a key, first finding what is not known yet. */
static int find_draw(struct dump *dump, uint64_t key, const struct cancel *cancel,
                     struct apitrace_snapshot *out)
{
    struct known known;
    int status = find_out(dump, key >> DRAW_BITS, cancel, &known);

    return status == 0 ? snapshot_of_key(&known, key, find_snapshot, out) : status;
}

int apitrace_draw_place(struct dump *dump, uint64_t key, const struct cancel *cancel,
                        struct apitrace_snapshot *out)
{
    struct known known;
    int status = find_out(dump, key >> DRAW_BITS, cancel, &known);

    return status == 0 ? snapshot_of_key(&known, key, find_place, out) : status;
}

int apitrace_draw_visit(struct dump *dump, uint64_t key, apitrace_visitor *visit, void *context,
                        const struct cancel *cancel, struct blob **out)
{
    struct apitrace_snapshot snapshot;
    int status = apitrace_draw_place(dump, key, cancel, &snapshot);

    return status == 0 ? apitrace_player_visit(dump, key >> DRAW_BITS, &snapshot, visit, context,
                                               cancel, out)
                       : status;
}

int apitrace_draw_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                       struct blob **out)
{
    struct apitrace_snapshot snapshot;
    int status = find_draw(dump, key, cancel, &snapshot);

    if (status == 0)
        status = apitrace_player_snapshot(dump, key >> DRAW_BITS, &snapshot, cancel, out);
    return status == 0 ? CACHE_FIRST_STAGE : status;
}

int apitrace_draw_finish(struct dump *dump, uint64_t key, const struct cancel *cancel,
                         const struct blob *stage, struct blob **out)
{
    struct dump_picture picture;
    struct apitrace_snapshot snapshot;
    int status = find_draw(dump, key, cancel, &snapshot);

    if (status == 0)
        status = header_of(dump, key, &snapshot, &picture);
    if (status < 0)
        return status;
    return picture_encode(&picture.header,
                          stage->data +
                              (stage->size - (size_t)snapshot.width * snapshot.height * RGB),
                          (size_t)snapshot.width * RGB, dump->options->png, out);
}

/* Compares by drawing order. */
static int compare_draws(const void *a, const void *b)
{
    const struct apitrace_snapshot *first = a, *second = b;

    return (first->order > second->order) - (first->order < second->order);
}

/* Keeps the last `max` draws that are met: each new one replaces the oldest. */
int apitrace_earlier_draws(struct dump *dump, uint64_t frame, const struct apitrace_snapshot *than,
                           const struct cancel *cancel, struct apitrace_snapshot *out, size_t max,
                           size_t *count)
{
    struct apitrace_walk walk;
    struct known known;
    size_t seen = 0;
    int status = find_out(dump, frame, cancel, &known);

    *count = 0;
    if (status < 0)
        return status;
    apitrace_walk_init(&walk, &known.index->calls);
    for (uint64_t n = known.index->frames[frame].min_number; n < than->call; n++) {
        const struct apitrace_record *record = apitrace_walk_to(&walk, n);
        struct apitrace_snapshot snapshot;

        if (cancel_requested(cancel))
            return -EINTR;
        if (is_draw(&known, frame, record) && record->order < than->order &&
            find_snapshot(&known, frame, record, &snapshot))
            out[seen++ % max] = snapshot;
    }
    *count = seen < max ? seen : max;
    qsort(out, *count, sizeof(*out), compare_draws);
    return 0;
}

/* draws.tsv */

/* Counts a row for each call number of the frame; only draws write a line. */
static int count_numbers(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                         uint64_t *rows)
{
    struct known known;
    int status = find_out(dump, frame, cancel, &known);

    *rows = status < 0 ? 0
                       : (uint64_t)known.index->frames[frame].max_number -
                             known.index->frames[frame].min_number + 1;
    return status;
}

static void write_target(const struct known *known, const struct apitrace_target *target,
                         struct text *text)
{
    if (target == NULL || (target->kind == APITRACE_TARGET_NONE && target->framebuffer == 0))
        text_add(text, "\t-");
    else if (target->kind == APITRACE_TARGET_DRAWABLE &&
             known->presentation->drawables.list[target->object].call == APITRACE_NO_CALL)
        text_add(text, "\tassumed");
    else if (target->kind == APITRACE_TARGET_DRAWABLE)
        text_printf(text, "\tdrawable,0x%" PRIx64,
                    known->presentation->drawables.list[target->object].handle);
    else
        text_printf(text, "\tframebuffer,%" PRIu32, target->framebuffer);
    if (target != NULL && target->kind == APITRACE_TARGET_TEXTURE)
        text_printf(text, ",texture,%" PRIu32 ",level,%" PRIu32, target->object, target->level);
    else if (target != NULL && target->kind == APITRACE_TARGET_RENDERBUFFER)
        text_printf(text, ",renderbuffer,%" PRIu32, target->object);
}

static void write_draw(const struct known *known, uint64_t frame,
                       const struct apitrace_record *record, struct text *text)
{
    struct apitrace_snapshot snapshot;
    bool shown = find_snapshot(known, frame, record, &snapshot);

    text_add_u64(text, record->number);
    text_cell(text, record->thread);
    text_cell_word(text, apitrace_index_name(known->index, record));
    write_target(known, apitrace_targets_find(&known->presentation->targets, record->order), text);
    if (shown)
        text_printf(text, "\t%" PRIu32 "\t%" PRIu32 "\n", snapshot.width, snapshot.height);
    else
        text_add(text, "\t-\t-\n");
}

static int write_draws(struct dump *dump, uint64_t frame, uint64_t first, uint64_t end,
                       const struct cancel *cancel, struct text *text)
{
    struct apitrace_walk walk;
    struct known known;
    int status = find_out(dump, frame, cancel, &known);

    if (status < 0)
        return status;
    apitrace_walk_init(&walk, &known.index->calls);
    for (uint64_t n = first; n < end; n++) {
        const struct apitrace_record *record =
            apitrace_walk_to(&walk, known.index->frames[frame].min_number + n);

        if (is_draw(&known, frame, record))
            write_draw(&known, frame, record, text);
    }
    return 0;
}

const struct dump_listing apitrace_draws_listing = {
    .columns = "packet\tthread\tfunction\ttarget\twidth\theight",
    .count = count_numbers,
    .rows = write_draws,
    .piece_rows = NUMBERS_OF_PIECE};

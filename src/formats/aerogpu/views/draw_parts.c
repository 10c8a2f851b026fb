/* SPDX-License-Identifier: MIT */
/*
 * draws/NNNNN/: what a draw or clear used and left: textures and buffers that are bound, targets,
 * shaders, and which pixels it wrote. Names and sizes come from the scan.
 */
#include "formats/aerogpu/views/draw_folder.h"

#include "formats/aerogpu/replay/probe.h"
#include "formats/aerogpu/replay/replay.h"
#include "tree/names.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SLOT_BITS = 8, /* the bits of a member's ordinal below its stage */
    SLOT_MASK = (1 << SLOT_BITS) - 1,
    DRAW_DIGITS = 5,
    RGBA = 4,
    RGB = 3,
};

static const char *const stage_names[AEROGPU_PROGRAMS] = {"ps", "vs", "gs", "hs", "ds", "cs"};

/* The draw of a folder. */

int aerogpu_draw_find(struct dump *dump, uint64_t folder, const struct aerogpu_scan_draw **out)
{
    const struct aerogpu_scan_frame *frame = NULL;
    uint64_t number = folder & ((UINT64_C(1) << DRAW_FOLDER_BITS) - 1);
    int status = aerogpu_frame_find(dump, folder >> DRAW_FOLDER_BITS, &frame);

    if (status == 0 && number >= frame->draws)
        status = -ENOENT;
    if (status == 0)
        *out = &aerogpu_dump_scanned(aerogpu_dump_of(dump))->draws[frame->first_draw + number];
    return status;
}

int aerogpu_draw_need(struct dump *dump, uint64_t folder, const struct cancel *cancel,
                      const struct aerogpu_scan_draw **out)
{
    const struct aerogpu_scan_frame *frame = NULL;
    int status = aerogpu_frame_need(dump, folder >> DRAW_FOLDER_BITS, cancel, &frame);

    return status == 0 ? aerogpu_draw_find(dump, folder, out) : status;
}

static int next_folder(struct dump *dump, uint64_t frame, uint64_t from, uint64_t *ordinal)
{
    const struct aerogpu_scan_frame *found = NULL;
    int status = aerogpu_frame_find(dump, frame, &found);

    *ordinal = from;
    return status == 0 && from >= found->draws ? -ENOENT : status;
}

static int name_folder(struct dump *dump, uint64_t frame, uint64_t ordinal, char *name)
{
    const struct aerogpu_scan_frame *found = NULL;
    int status = aerogpu_frame_find(dump, frame, &found);

    if (status == 0)
        snprintf(name, RULE_NAME_MAX + 1, "%0*" PRIu64,
                 (int)names_digits(found->draws, DRAW_DIGITS), ordinal);
    return status;
}

const struct rule_family aerogpu_draw_folder_family = {DRAW_FOLDER_BITS, next_folder, name_folder,
                                                       NULL};

/* What is bound. */

static const struct aerogpu_bound *bound_of(struct dump *dump, const struct aerogpu_scan_draw *draw)
{
    return aerogpu_dump_scanned(aerogpu_dump_of(dump))->bound + draw->first_bound;
}

static uint64_t ordinal_of(const struct aerogpu_bound *bound)
{
    return (uint64_t)bound->stage << SLOT_BITS | bound->slot;
}

/*
 * Finds the first resource bound in this role with an ordinal of at least `from`. Returns 0,
 * -ENOENT or -EAGAIN.
 */
static int next_bound(struct dump *dump, uint64_t folder, enum aerogpu_bound_role role,
                      uint64_t from, const struct aerogpu_bound **out)
{
    const struct aerogpu_scan_draw *draw = NULL;
    int status = aerogpu_draw_find(dump, folder, &draw);

    if (status != 0)
        return status;
    for (uint32_t i = 0; i < draw->bound; i++) {
        const struct aerogpu_bound *bound = &bound_of(dump, draw)[i];

        if (bound->role == role && ordinal_of(bound) >= from) {
            *out = bound;
            return 0;
        }
    }
    return -ENOENT;
}

/* Finds the resource with exactly this ordinal. */
static int find_bound(struct dump *dump, uint64_t folder, enum aerogpu_bound_role role,
                      uint64_t ordinal, const struct aerogpu_bound **out)
{
    int status = next_bound(dump, folder, role, ordinal, out);

    return status == 0 && ordinal_of(*out) != ordinal ? -ENOENT : status;
}

static int next_of_role(struct dump *dump, uint64_t folder, enum aerogpu_bound_role role,
                        uint64_t from, uint64_t *ordinal)
{
    const struct aerogpu_bound *bound = NULL;
    int status = next_bound(dump, folder, role, from, &bound);

    if (status == 0)
        *ordinal = ordinal_of(bound);
    return status;
}

void aerogpu_bound_shot(const struct aerogpu_scan *scan, const struct aerogpu_bound *bound,
                        const struct aerogpu_shot *back, uint64_t tick, struct aerogpu_shot *out)
{
    const struct aerogpu_life *life;
    struct aerogpu_subresource sub = {0};

    *out = *back; /* for the implicit back buffer */
    if (bound->life == AEROGPU_NONE)
        return;
    life = &scan->lives[bound->life];
    *out = (struct aerogpu_shot){.tick = tick,
                                 .format = life->object.shape.format,
                                 .life = bound->life,
                                 .slot = AEROGPU_SHOT_UNBOUND,
                                 .drawn = bound->drawn};
    if (life->object.kind == AEROGPU_OBJECT_VIEW) {
        out->life = life->texture;
        out->format = aerogpu_format_of_view(scan->lives[life->texture].object.shape.format,
                                             life->object.view.format);
        out->mip = life->object.view.base_mip;
        out->layer = life->object.view.base_layer;
    }
    aerogpu_subresource(&scan->lives[out->life].object.shape, out->mip, out->layer, &sub);
    out->width = sub.width;
    out->height = sub.height;
}

/* Gets the shot of what is bound, after the draw. */
static int shot_of(struct dump *dump, uint64_t folder, const struct aerogpu_bound *bound,
                   struct aerogpu_shot *out)
{
    const struct aerogpu_scan_draw *draw = NULL;
    int status = aerogpu_draw_find(dump, folder, &draw);

    if (status != 0)
        return status;
    aerogpu_bound_shot(aerogpu_dump_scanned(aerogpu_dump_of(dump)), bound, &draw->shot,
                       draw->shot.tick, out);
    return out->width != 0 ? 0 : -ENOENT;
}

/* Links to resources/. */

static int make_link(struct dump *dump, uint64_t key, enum aerogpu_bound_role role,
                     struct blob **out)
{
    const struct aerogpu_bound *bound = NULL;
    struct text text = TEXT_INIT;
    char name[RULE_NAME_MAX + 1];
    int status = find_bound(dump, key >> DRAW_PART_BITS, role, key & DRAW_PART_MASK, &bound);

    if (status == 0)
        status = aerogpu_resource_name(dump, 0, bound->life, name);
    if (status != 0)
        return status;
    text_add(&text, "../../../../../resources/");
    text_add(&text, name);
    return text_blob(&text, out);
}

static int next_program(struct dump *dump, uint64_t folder, uint64_t from, uint64_t *ordinal)
{
    int status = aerogpu_has_all(dump, 0); /* resources/ exists */

    return status == 0 ? next_of_role(dump, folder, AEROGPU_BOUND_PROGRAM, from, ordinal) : status;
}

static int name_program(struct dump *dump, uint64_t folder, uint64_t ordinal, char *name)
{
    (void)dump, (void)folder;
    snprintf(name, RULE_NAME_MAX + 1, "%s", stage_names[(ordinal >> SLOT_BITS) % AEROGPU_PROGRAMS]);
    return 0;
}

/* Parses PS and PS-SS, ignoring what follows. */
static bool parse_stage(struct dump *dump, uint64_t folder, const char *name, uint64_t *ordinal)
{
    unsigned slot = 0;

    (void)dump, (void)folder;
    for (uint64_t stage = 0; stage < AEROGPU_PROGRAMS; stage++)
        if (strncmp(name, stage_names[stage], 2) == 0) {
            if (name[2] == '-' && sscanf(name + 3, "%3u", &slot) != 1)
                return false;
            *ordinal = stage << SLOT_BITS | (slot & SLOT_MASK);
            return true;
        }
    return false;
}

const struct rule_family aerogpu_draw_program_family = {DRAW_PART_BITS, next_program, name_program,
                                                        parse_stage};

int aerogpu_draw_program_link(struct dump *dump, uint64_t key, const struct cancel *cancel,
                              struct blob **out)
{
    (void)cancel;
    return make_link(dump, key, AEROGPU_BOUND_PROGRAM, out);
}

/* textures/ */

static int next_texture(struct dump *dump, uint64_t folder, uint64_t from, uint64_t *ordinal)
{
    return next_of_role(dump, folder, AEROGPU_BOUND_TEXTURE, from, ordinal);
}

static int next_texture_link(struct dump *dump, uint64_t folder, uint64_t from, uint64_t *ordinal)
{
    int status = aerogpu_has_all(dump, 0);

    return status == 0 ? next_texture(dump, folder, from, ordinal) : status;
}

static int put_slot(uint64_t ordinal, const char *suffix, char *name)
{
    snprintf(name, RULE_NAME_MAX + 1, "%s-%02u%s",
             stage_names[(ordinal >> SLOT_BITS) % AEROGPU_PROGRAMS],
             (unsigned)(ordinal & SLOT_MASK), suffix);
    return 0;
}

static int name_texture_link(struct dump *dump, uint64_t folder, uint64_t ordinal, char *name)
{
    (void)dump, (void)folder;
    return put_slot(ordinal, "", name);
}

static int name_texture(struct dump *dump, uint64_t folder, uint64_t ordinal, char *name)
{
    (void)dump, (void)folder;
    return put_slot(ordinal, ".png", name);
}

const struct rule_family aerogpu_draw_texture_link_family = {DRAW_PART_BITS, next_texture_link,
                                                             name_texture_link, parse_stage};
const struct rule_family aerogpu_draw_texture_family = {DRAW_PART_BITS, next_texture, name_texture,
                                                        parse_stage};

int aerogpu_draw_texture_link(struct dump *dump, uint64_t key, const struct cancel *cancel,
                              struct blob **out)
{
    (void)cancel;
    return make_link(dump, key, AEROGPU_BOUND_TEXTURE, out);
}

static int part_shot(struct dump *dump, uint64_t key, enum aerogpu_bound_role role,
                     struct aerogpu_shot *out)
{
    const struct aerogpu_bound *bound = NULL;
    uint64_t folder = key >> DRAW_PART_BITS;
    int status = find_bound(dump, folder, role, key & DRAW_PART_MASK, &bound);

    return status == 0 ? shot_of(dump, folder, bound, out) : status;
}

static int part_size(struct dump *dump, uint64_t key, enum aerogpu_bound_role role, uint64_t *size)
{
    struct aerogpu_shot shot;
    int status = part_shot(dump, key, role, &shot);

    return status == 0 ? aerogpu_shot_size(dump, key >> DRAW_PART_BITS >> DRAW_FOLDER_BITS, &shot,
                                           PICTURE_RGBA, size)
                       : status;
}

static int make_part(struct dump *dump, uint64_t key, enum aerogpu_bound_role role,
                     const struct cancel *cancel, struct blob **out)
{
    const struct aerogpu_scan_draw *draw = NULL;
    struct aerogpu_shot shot;
    int status = aerogpu_draw_need(dump, key >> DRAW_PART_BITS, cancel, &draw);

    if (status == 0)
        status = part_shot(dump, key, role, &shot);
    return status == 0 ? aerogpu_shot_make(dump, key >> DRAW_PART_BITS >> DRAW_FOLDER_BITS, &shot,
                                           cancel, out)
                       : status;
}

int aerogpu_draw_texture_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    return part_size(dump, key, AEROGPU_BOUND_TEXTURE, size);
}

int aerogpu_draw_texture_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                              struct blob **out)
{
    return make_part(dump, key, AEROGPU_BOUND_TEXTURE, cancel, out);
}

/* colour-K.png */

static int next_colour(struct dump *dump, uint64_t folder, uint64_t from, uint64_t *ordinal)
{
    return next_of_role(dump, folder, AEROGPU_BOUND_COLOUR, from, ordinal);
}

static int name_colour(struct dump *dump, uint64_t folder, uint64_t ordinal, char *name)
{
    (void)dump, (void)folder;
    snprintf(name, RULE_NAME_MAX + 1, "colour-%u.png", (unsigned)ordinal);
    return 0;
}

static bool parse_colour(struct dump *dump, uint64_t folder, const char *name, uint64_t *ordinal)
{
    unsigned slot;

    (void)dump, (void)folder;
    if (sscanf(name, "colour-%1u", &slot) != 1)
        return false;
    *ordinal = slot;
    return true;
}

const struct rule_family aerogpu_draw_colour_family = {DRAW_PART_BITS, next_colour, name_colour,
                                                       parse_colour};

int aerogpu_draw_colour_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    return part_size(dump, key, AEROGPU_BOUND_COLOUR, size);
}

int aerogpu_draw_colour_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                             struct blob **out)
{
    return make_part(dump, key, AEROGPU_BOUND_COLOUR, cancel, out);
}

/* buffers/ */

static int next_vertices(struct dump *dump, uint64_t folder, uint64_t from, uint64_t *ordinal)
{
    return next_of_role(dump, folder, AEROGPU_BOUND_VERTEX, from, ordinal);
}

static int name_vertices(struct dump *dump, uint64_t folder, uint64_t ordinal, char *name)
{
    (void)dump, (void)folder;
    snprintf(name, RULE_NAME_MAX + 1, "vertex-%u.bin", (unsigned)ordinal);
    return 0;
}

static bool parse_vertices(struct dump *dump, uint64_t folder, const char *name, uint64_t *ordinal)
{
    unsigned slot;

    (void)dump, (void)folder;
    if (sscanf(name, "vertex-%2u", &slot) != 1)
        return false;
    *ordinal = slot;
    return true;
}

const struct rule_family aerogpu_draw_vertices_family = {DRAW_PART_BITS, next_vertices,
                                                         name_vertices, parse_vertices};

static int next_constants(struct dump *dump, uint64_t folder, uint64_t from, uint64_t *ordinal)
{
    return next_of_role(dump, folder, AEROGPU_BOUND_CONSTANT, from, ordinal);
}

static int name_constants(struct dump *dump, uint64_t folder, uint64_t ordinal, char *name)
{
    (void)dump, (void)folder;
    snprintf(name, RULE_NAME_MAX + 1, "%s-constants-%u.bin",
             stage_names[(ordinal >> SLOT_BITS) % AEROGPU_PROGRAMS],
             (unsigned)(ordinal & SLOT_MASK));
    return 0;
}

static bool parse_constants(struct dump *dump, uint64_t folder, const char *name, uint64_t *ordinal)
{
    unsigned slot;
    char stage[3];

    if (sscanf(name, "%2[a-z]-constants-%2u", stage, &slot) != 2 ||
        !parse_stage(dump, folder, stage, ordinal))
        return false;
    *ordinal |= slot;
    return true;
}

const struct rule_family aerogpu_draw_constants_family = {DRAW_PART_BITS, next_constants,
                                                          name_constants, parse_constants};

uint64_t aerogpu_bound_bytes(const struct aerogpu_scan *scan, const struct aerogpu_bound *bound)
{
    uint64_t all = scan->lives[bound->life].object.size;
    uint64_t rest = bound->offset < all ? all - bound->offset : 0;

    return bound->size != 0 && bound->size < rest ? bound->size : rest;
}

int aerogpu_bound_read(struct dump *dump, const struct aerogpu_bound *bound, uint64_t tick,
                       const struct cancel *cancel, struct blob **out)
{
    struct aerogpu_dump *aerogpu = aerogpu_dump_of(dump);
    const struct aerogpu_scan *scan = aerogpu_dump_scanned(aerogpu);
    struct aerogpu_object object = scan->lives[bound->life].object;
    size_t size = (size_t)aerogpu_bound_bytes(scan, bound);
    struct blob *all = NULL;
    int status = blob_create(size, out);

    object.number = bound->life;
    if (status != 0 || size == 0)
        return status;
    if (!bound->drawn) {
        status =
            aerogpu_replay_bytes(aerogpu, &object, tick, bound->offset, size, cancel, (*out)->data);
    } else {
        status = aerogpu_replay_drawn_bytes(aerogpu, &object, tick, cancel, &all);
        if (status == 0)
            memcpy((*out)->data, all->data + bound->offset, size);
    }
    blob_unref(&all);
    if (status != 0)
        blob_unref(out);
    return status;
}

static int buffer_size(struct dump *dump, uint64_t folder, enum aerogpu_bound_role role,
                       uint64_t ordinal, uint64_t *size)
{
    const struct aerogpu_bound *bound = NULL;
    int status = find_bound(dump, folder, role, ordinal, &bound);

    if (status == 0)
        *size = aerogpu_bound_bytes(aerogpu_dump_scanned(aerogpu_dump_of(dump)), bound);
    return status;
}

static int make_buffer(struct dump *dump, uint64_t folder, enum aerogpu_bound_role role,
                       uint64_t ordinal, const struct cancel *cancel, struct blob **out)
{
    const struct aerogpu_scan_draw *draw = NULL;
    const struct aerogpu_bound *bound = NULL;
    int status = aerogpu_draw_need(dump, folder, cancel, &draw);

    if (status == 0)
        status = find_bound(dump, folder, role, ordinal, &bound);
    return status == 0 ? aerogpu_bound_read(dump, bound, draw->shot.tick, cancel, out) : status;
}

int aerogpu_draw_vertices_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    return buffer_size(dump, key >> DRAW_PART_BITS, AEROGPU_BOUND_VERTEX, key & DRAW_PART_MASK,
                       size);
}

int aerogpu_draw_vertices_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                               struct blob **out)
{
    return make_buffer(dump, key >> DRAW_PART_BITS, AEROGPU_BOUND_VERTEX, key & DRAW_PART_MASK,
                       cancel, out);
}

int aerogpu_draw_constants_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    return buffer_size(dump, key >> DRAW_PART_BITS, AEROGPU_BOUND_CONSTANT, key & DRAW_PART_MASK,
                       size);
}

int aerogpu_draw_constants_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                                struct blob **out)
{
    return make_buffer(dump, key >> DRAW_PART_BITS, AEROGPU_BOUND_CONSTANT, key & DRAW_PART_MASK,
                       cancel, out);
}

int aerogpu_draw_has_indices(struct dump *dump, uint64_t folder)
{
    const struct aerogpu_bound *bound = NULL;

    return find_bound(dump, folder, AEROGPU_BOUND_INDEX, 0, &bound);
}

int aerogpu_draw_indices_size(struct dump *dump, uint64_t folder, uint64_t *size)
{
    return buffer_size(dump, folder, AEROGPU_BOUND_INDEX, 0, size);
}

int aerogpu_draw_indices_make(struct dump *dump, uint64_t folder, const struct cancel *cancel,
                              struct blob **out)
{
    return make_buffer(dump, folder, AEROGPU_BOUND_INDEX, 0, cancel, out);
}

/* touched.png */

static int touched_shot(struct dump *dump, uint64_t folder, const struct aerogpu_shot **out)
{
    const struct aerogpu_scan_draw *draw = NULL;
    int status = aerogpu_draw_find(dump, folder, &draw);

    if (status == 0 && draw->shot.width == 0)
        status = -ENOENT;
    if (status == 0)
        *out = &draw->shot;
    return status;
}

int aerogpu_draw_has_touched(struct dump *dump, uint64_t folder)
{
    const struct aerogpu_shot *shot = NULL;

    return touched_shot(dump, folder, &shot);
}

int aerogpu_draw_touched_size(struct dump *dump, uint64_t folder, uint64_t *size)
{
    const struct aerogpu_shot *shot = NULL;
    int status = touched_shot(dump, folder, &shot);

    return status == 0
               ? aerogpu_shot_size(dump, folder >> DRAW_FOLDER_BITS, shot, PICTURE_RGB, size)
               : status;
}

/*
 * Dims the picture, converts its pixels from four bytes to three in place, and shows what was
 * written in magenta.
 */
static void mark_touched(struct aerogpu_pixels *pixels, const uint8_t *mask)
{
    static const uint8_t mark[RGB] = {255, 0, 255};

    for (size_t i = 0; i < (size_t)pixels->width * pixels->height; i++) {
        uint8_t *rgb = pixels->data + RGB * i;
        const uint8_t *rgba = pixels->data + RGBA * i;

        for (unsigned j = 0; j < RGB; j++)
            rgb[j] = mask[i] != 0 ? mark[j] : rgba[j] / 2;
    }
}

static int make_mask(struct dump *dump, uint64_t folder, const struct aerogpu_shot *shot,
                     const struct cancel *cancel, uint8_t *mask)
{
    struct aerogpu_dump *aerogpu = aerogpu_dump_of(dump);
    struct aerogpu_write_history history;
    struct aerogpu_event event;
    int status;

    aerogpu_write_history_init(&history, aerogpu, (uint32_t)(folder >> DRAW_FOLDER_BITS), shot,
                               cancel);
    status = aerogpu_write_history_find(&history, shot->tick, &event);
    if (status == 0)
        status = aerogpu_replay_mask(aerogpu, &history, &event, mask);
    aerogpu_write_history_clear(&history);
    return status == -ENOENT ? 0 : status; /* the shot is not a target of the draw */
}

int aerogpu_draw_touched_make(struct dump *dump, uint64_t folder, const struct cancel *cancel,
                              struct blob **out)
{
    const struct aerogpu_scan_draw *draw = NULL;
    struct aerogpu_pixels pixels = {0};
    struct blob *mask = NULL;
    int status = aerogpu_draw_need(dump, folder, cancel, &draw);

    if (status == 0)
        status = aerogpu_replay_shot(aerogpu_dump_of(dump), &draw->shot, cancel, &pixels);
    if (status != 0)
        return status;
    status = blob_create((size_t)pixels.width * pixels.height, &mask);
    if (status == 0) {
        memset(mask->data, 0, mask->size);
        status = make_mask(dump, folder, &draw->shot, cancel, mask->data);
    }
    if (status == 0) {
        mark_touched(&pixels, mask->data);
        status = aerogpu_pixels_encode(dump, folder >> DRAW_FOLDER_BITS, &pixels, PICTURE_RGB, out);
    }
    blob_unref(&mask);
    free(pixels.data);
    return status;
}

/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/views/views.h"

#include "formats/apitrace/decode/texture_targets.h"
#include "formats/apitrace/replay/player.h"
#include "tree/tree.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Uploads. */

static struct apitrace_object_list textures_of(const struct apitrace_object_index *objects)
{
    return (struct apitrace_object_list){objects->texture_count, objects->textures,
                                         sizeof(*objects->textures)};
}

/* Only uploads with a picture are members. */
static int next_texture(struct dump *dump, uint64_t parent_key, uint64_t from, uint64_t *place)
{
    const struct apitrace_object_index *objects = apitrace_dump_peek_objects(dump);

    (void)parent_key;
    if (objects == NULL)
        return -EAGAIN;
    for (*place = from; *place < objects->texture_count; ++*place)
        if (objects->textures[*place].colour != 0)
            return 0;
    return -ENOENT;
}

static int next_frame_upload(struct dump *dump, uint64_t frame, uint64_t from, uint64_t *place)
{
    const struct apitrace_object_index *objects = apitrace_dump_peek_objects(dump);
    struct apitrace_object_list list;
    int status;

    if (objects == NULL)
        return -EAGAIN;
    list = textures_of(objects);
    do {
        status = apitrace_object_next_in_frame(apitrace_index_of(dump), &list, frame, from, place);
        from = *place + 1;
    } while (status == 0 && objects->textures[*place].colour == 0);
    return status;
}

static int name_texture(struct dump *dump, uint64_t parent_key, uint64_t place, char *name)
{
    const struct apitrace_object_index *objects = apitrace_dump_peek_objects(dump);
    const struct apitrace_texture *texture;

    (void)parent_key;
    if (objects == NULL)
        return -EAGAIN;
    if (place >= objects->texture_count)
        return -ENOENT;
    texture = &objects->textures[place];
    snprintf(name, RULE_NAME_MAX + 1, "%0*" PRIu32 "-%" PRIu32 "x%" PRIu32 ".png",
             (int)tree_packet_digits(dump), texture->number, texture->image.width,
             texture->image.height * texture->image.depth);
    return 0;
}

static bool parse_texture(struct dump *dump, uint64_t parent_key, const char *name, uint64_t *place)
{
    const struct apitrace_object_index *objects = apitrace_dump_peek_objects(dump);
    struct apitrace_object_list list;

    (void)parent_key;
    *place = 0;
    if (objects == NULL)
        return true;
    list = textures_of(objects);
    return apitrace_object_parse(&list, name, place);
}

/* Makes the header of an upload's picture, with the texts of its frame. */
static int texture_header(struct dump *dump, const struct apitrace_texture *texture,
                          struct dump_picture *out)
{
    const struct apitrace_index *index = apitrace_index_of(dump);
    uint64_t order = apitrace_index_at(index, texture->number).order;

    if (texture->colour == 0)
        return -ENOENT;
    return dump_picture_init(dump, apitrace_index_frame(index, order), texture->image.width,
                             texture->image.height * texture->image.depth, texture->colour, 8, out);
}

uint64_t apitrace_texture_frame(struct dump *dump, uint64_t key)
{
    const struct apitrace_object_index *objects = apitrace_dump_peek_objects(dump);
    const struct apitrace_index *index = apitrace_index_of(dump);

    if (objects == NULL || key >= objects->texture_count)
        return DUMP_NO_FRAME;
    return apitrace_index_frame(index,
                                apitrace_index_at(index, objects->textures[key].number).order);
}

int apitrace_texture_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    const struct apitrace_object_index *objects = apitrace_dump_peek_objects(dump);
    struct dump_picture picture;
    int status;

    if (objects == NULL)
        return -EAGAIN;
    if (key >= objects->texture_count)
        return -ENOENT;
    status = texture_header(dump, &objects->textures[key], &picture);
    return status < 0 ? status : dump_picture_size(dump, &picture, size);
}

struct painting {
    const struct apitrace_image *image;
    const uint8_t *data;
};

static void paint(const void *context, uint32_t y, uint8_t *pixels)
{
    const struct painting *painting = context;

    apitrace_image_row(painting->image, painting->data, y, pixels);
}

static int make_picture(struct dump *dump, const struct apitrace_texture *texture,
                        const struct cancel *cancel, struct blob **out)
{
    struct dump_picture picture;
    struct blob *data = NULL;
    int status = texture_header(dump, texture, &picture);

    if (status == 0)
        status = apitrace_texture_read(apitrace_index_of(dump), texture, cancel, &data);
    if (status == 0) {
        const struct painting painting = {&texture->image, data->data};

        status = picture_write(&picture.header, dump->options->png, paint, &painting, cancel, out);
    }
    blob_unref(&data);
    return status;
}

int apitrace_texture_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                          struct blob **out)
{
    const struct apitrace_object_index *objects;
    int status = apitrace_dump_objects(dump, cancel, &objects);

    if (status < 0)
        return status;
    return key < objects->texture_count ? make_picture(dump, &objects->textures[key], cancel, out)
                                        : -ENOENT;
}

const struct rule_family apitrace_texture_family = {0, next_texture, name_texture, parse_texture};
const struct rule_family apitrace_frame_upload_family = {0, next_frame_upload, name_texture,
                                                         parse_texture};

/* textures.tsv */

static int count_textures(struct dump *dump, uint64_t key, const struct cancel *cancel,
                          uint64_t *rows)
{
    const struct apitrace_object_index *objects;
    int status = apitrace_dump_objects(dump, cancel, &objects);

    (void)key;
    *rows = status < 0 ? 0 : objects->texture_count;
    return status;
}

static void add_texture(const struct apitrace_index *index, uint64_t n,
                        const struct apitrace_texture *texture, struct text *text)
{
    const char *target = apitrace_target_name(texture->target);
    uint64_t order = apitrace_index_at(index, texture->number).order;

    text_add_u64(text, n);
    text_cell(text, texture->number);
    apitrace_cell_optional(text, apitrace_index_frame(index, order));
    if (target != NULL)
        text_printf(text, "\t%s", target);
    else
        text_printf(text, "\t0x%X", texture->target);
    text_cell(text, texture->object);
    text_cell(text, texture->level);
    text_cell(text, texture->x);
    text_cell(text, texture->y);
    text_cell(text, texture->z);
    text_cell(text, texture->image.width);
    text_cell(text, texture->image.height);
    text_cell(text, texture->image.depth);
    text_printf(text, "\t0x%X\t0x%X\t0x%X", texture->internal, texture->image.format,
                texture->image.type);
    text_cell(text, texture->bytes);
    text_printf(text, "\t%s\n", texture->status);
}

static int write_textures(struct dump *dump, uint64_t key, uint64_t first, uint64_t end,
                          const struct cancel *cancel, struct text *text)
{
    const struct apitrace_object_index *objects;
    int status = apitrace_dump_objects(dump, cancel, &objects);

    (void)key;
    for (uint64_t n = first; status == 0 && n < end; n++)
        add_texture(apitrace_index_of(dump), n, &objects->textures[n], text);
    return status;
}

const struct dump_listing apitrace_textures_listing = {
    .columns = "texture\tpacket\tframe\ttarget\tobject\tlevel\tx\ty\tz\twidth\theight\tdepth\t"
               "internal_format\tformat\ttype\tbytes\tstatus",
    .count = count_textures,
    .rows = write_textures};

/* Levels of textures at a frame's end: the key is the frame's, with the index in the list. */

enum { LEVEL_BITS = 24, OBJECT_DIGITS = 5, LEVEL_DIGITS = 2 };

static bool is_there(const struct apitrace_index *index, uint64_t frame,
                     const struct apitrace_level *level)
{
    uint64_t last = index->frames[frame].end - 1;

    return level->begin < last && level->end >= last;
}

/* Gets the levels. Returns 0, -EAGAIN, or -ENOENT if the frame has no picture. */
static int find_levels(struct dump *dump, uint64_t frame, const struct apitrace_levels **out)
{
    const struct apitrace_object_index *objects = apitrace_dump_peek_objects(dump);
    const struct apitrace_presentation *presentation = apitrace_dump_peek_presentation(dump);

    if (objects == NULL || presentation == NULL)
        return -EAGAIN;
    if (frame >= apitrace_index_of(dump)->frame_count ||
        presentation->frames[frame].drawable == APITRACE_NO_DRAWABLE)
        return -ENOENT;
    *out = &objects->levels;
    return 0;
}

static int next_level(struct dump *dump, uint64_t frame, uint64_t from, uint64_t *place)
{
    const struct apitrace_levels *levels = NULL;
    int status = find_levels(dump, frame, &levels);

    if (status < 0)
        return status;
    for (*place = from; *place < levels->count; ++*place)
        if (is_there(apitrace_index_of(dump), frame, &levels->list[*place]))
            return 0;
    return -ENOENT;
}

static int name_level(struct dump *dump, uint64_t frame, uint64_t place, char *name)
{
    const struct apitrace_levels *levels = NULL;
    int status = find_levels(dump, frame, &levels);

    if (status < 0)
        return status;
    if (place >= levels->count)
        return -ENOENT;
    snprintf(name, RULE_NAME_MAX + 1, "%0*" PRIu32 "-%0*" PRIu32 ".png", OBJECT_DIGITS,
             levels->list[place].object, LEVEL_DIGITS, levels->list[place].level);
    return 0;
}

static bool parse_level(struct dump *dump, uint64_t frame, const char *name, uint64_t *place)
{
    const struct apitrace_levels *levels = NULL;
    char *end = NULL;
    const struct apitrace_level *found;
    uint64_t object, level;
    int status = find_levels(dump, frame, &levels);

    *place = 0;
    if (status == -EAGAIN)
        return true;
    if (status < 0 || name[0] < '0' || name[0] > '9')
        return false;
    object = strtoull(name, &end, 10);
    if (*end != '-' || end[1] < '0' || end[1] > '9')
        return false;
    level = strtoull(end + 1, NULL, 10);
    found =
        apitrace_levels_at(levels, object, level, apitrace_index_of(dump)->frames[frame].end - 1);
    if (found == NULL)
        return false;
    *place = (uint64_t)(found - levels->list);
    return true;
}

/* Takes a key apart. Returns 0, -EAGAIN or -ENOENT. */
static int level_of_key(struct dump *dump, uint64_t key, uint64_t *frame,
                        const struct apitrace_level **out)
{
    uint64_t place = key & ((UINT64_C(1) << LEVEL_BITS) - 1);
    const struct apitrace_levels *levels = NULL;
    int status;

    *frame = key >> LEVEL_BITS;
    status = find_levels(dump, *frame, &levels);
    if (status < 0)
        return status;
    if (place >= levels->count || !is_there(apitrace_index_of(dump), *frame, &levels->list[place]))
        return -ENOENT;
    *out = &levels->list[place];
    return 0;
}

int apitrace_level_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    const struct apitrace_level *level = NULL;
    struct dump_picture picture;
    uint64_t frame;
    int status = level_of_key(dump, key, &frame, &level);

    if (status == 0)
        status = dump_picture_init(dump, frame, level->width, level->height * level->slices,
                                   PICTURE_RGBA, 8, &picture);
    return status < 0 ? status : dump_picture_size(dump, &picture, size);
}

int apitrace_level_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                        struct blob **out)
{
    const struct apitrace_object_index *objects;
    const struct apitrace_presentation *presentation;
    const struct apitrace_level *level = NULL;
    uint64_t frame = 0;
    int status = apitrace_dump_objects(dump, cancel, &objects);

    if (status == 0)
        status = apitrace_dump_presentation(dump, cancel, &presentation);
    if (status == 0)
        status = level_of_key(dump, key, &frame, &level);
    return status == 0 ? apitrace_player_level(dump, frame, level, cancel, out) : status;
}

const struct rule_family apitrace_level_family = {LEVEL_BITS, next_level, name_level, parse_level};

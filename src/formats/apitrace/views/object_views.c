#include "formats/apitrace/views/object_views.h"

#include "formats/apitrace/dump.h"
#include "formats/apitrace/replay/player.h"
#include "tree/names.h"
#include "tree/tree.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { GROUP_DIGITS = 5, GROUP_PACKETS = 1000, GROUP_BITS = 40 };

/* Groups of a thousand calls: those that have any of a list of objects. */

static int name_group(struct dump *dump, uint64_t parent_key, uint64_t group, char *name)
{
    uint64_t packets = dump->followed ? 0 : dump->ops->packets(dump);
    unsigned digits = names_digits((packets + GROUP_PACKETS - 1) / GROUP_PACKETS);

    (void)parent_key;
    snprintf(name, RULE_NAME_MAX + 1, "%0*" PRIu64,
             (int)(digits > GROUP_DIGITS ? digits : GROUP_DIGITS), group);
    return 0;
}

/* Blobs: the key is the place in the index's list. */

static int next_blob_in(struct dump *dump, uint64_t first, uint64_t last, uint64_t from,
                        uint64_t *place)
{
    const struct apitrace_index *index = apitrace_index_of(dump);
    uint64_t min = apitrace_index_blobs(index, first);

    *place = from > min ? from : min;
    return *place < index->blob_count && index->blobs[*place].number <= last ? 0 : -ENOENT;
}

static int next_blob_group(struct dump *dump, uint64_t parent_key, uint64_t from, uint64_t *group)
{
    const struct apitrace_index *index = apitrace_index_of(dump);
    uint64_t place = 0;
    int status = from > UINT32_MAX
                     ? -ENOENT
                     : next_blob_in(dump, from * GROUP_PACKETS, UINT64_MAX, 0, &place);

    (void)parent_key;
    if (status == 0)
        *group = index->blobs[place].number / GROUP_PACKETS;
    return status;
}

static int next_group_blob(struct dump *dump, uint64_t group, uint64_t from, uint64_t *place)
{
    return next_blob_in(dump, group * GROUP_PACKETS, group * GROUP_PACKETS + GROUP_PACKETS - 1,
                        from, place);
}

static bool in_frame(const struct apitrace_index *index, uint64_t frame, uint64_t number)
{
    const struct apitrace_frame_record *record = &index->frames[frame];
    uint64_t order = apitrace_record_of(index, number).order;

    return order >= record->first && order < record->end;
}

static int next_frame_blob(struct dump *dump, uint64_t frame, uint64_t from, uint64_t *place)
{
    const struct apitrace_index *index = apitrace_index_of(dump);
    int status;

    if (frame >= index->frame_count)
        return -ENOENT;
    do {
        status = next_blob_in(dump, index->frames[frame].min_number,
                              index->frames[frame].max_number, from, place);
        from = *place + 1;
    } while (status == 0 && !in_frame(index, frame, index->blobs[*place].number));
    return status;
}

static int name_blob(struct dump *dump, uint64_t parent_key, uint64_t place, char *name)
{
    const struct apitrace_index *index = apitrace_index_of(dump);

    (void)parent_key;
    if (place >= index->blob_count)
        return -ENOENT;
    snprintf(name, RULE_NAME_MAX + 1, "%0*" PRIu32 "-%" PRIu32 ".bin",
             (int)tree_packet_digits(dump), index->blobs[place].number,
             index->blobs[place].ordinal);
    return 0;
}

/* NNNNNNNN-K.bin */
static bool parse_blob(struct dump *dump, uint64_t parent_key, const char *name, uint64_t *place)
{
    const struct apitrace_index *index = apitrace_index_of(dump);
    char *end = NULL;
    uint64_t number, ordinal;

    (void)parent_key;
    if (name[0] < '0' || name[0] > '9')
        return false;
    number = strtoull(name, &end, 10);
    if (*end != '-' || end[1] < '0' || end[1] > '9' || number > UINT32_MAX)
        return false;
    ordinal = strtoull(end + 1, NULL, 10);
    *place = apitrace_index_blobs(index, number);
    if (ordinal > index->blob_count - *place)
        return false;
    *place += ordinal;
    return *place < index->blob_count && index->blobs[*place].number == number;
}

int apitrace_blob_size(struct dump *dump, uint64_t place, uint64_t *size)
{
    const struct apitrace_index *index = apitrace_index_of(dump);

    if (place >= index->blob_count)
        return -ENOENT;
    *size = index->blobs[place].size;
    return 0;
}

int apitrace_blob_make(struct dump *dump, uint64_t place, const struct cancel *cancel,
                       struct blob **out)
{
    const struct apitrace_index *index = apitrace_index_of(dump);

    if (place >= index->blob_count)
        return -ENOENT;
    return apitrace_read_blob(&index->stream, index->blobs[place].position,
                              index->blobs[place].size, cancel, out);
}

const struct rule_family apitrace_blob_group_family = {GROUP_BITS, next_blob_group, name_group,
                                                       NULL};
const struct rule_family apitrace_blob_family = {0, next_group_blob, name_blob, parse_blob};
const struct rule_family apitrace_frame_blob_family = {0, next_frame_blob, name_blob, parse_blob};

/* Shaders and textures: the key is the place in the list, which is by number. */

/* A list of objects, as far as names need it. */
struct list {
    uint64_t count;
    const void *first;
    size_t size;
};

static struct list shaders_of(const struct apitrace_object_index *objects)
{
    return (struct list){objects->shader_count, objects->shaders, sizeof(*objects->shaders)};
}

static struct list textures_of(const struct apitrace_object_index *objects)
{
    return (struct list){objects->texture_count, objects->textures, sizeof(*objects->textures)};
}

/* Both begin with the number of their call. */
static uint32_t number_at(const struct list *list, uint64_t place)
{
    uint32_t number;

    memcpy(&number, (const char *)list->first + place * list->size, sizeof(number));
    return number;
}

static uint64_t find_number(const struct list *list, uint64_t number)
{
    uint64_t low = 0, high = list->count;

    while (low < high) {
        uint64_t middle = low + (high - low) / 2;

        if (number_at(list, middle) < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The place of the call that a name begins with. */
static bool parse_number(const struct list *list, const char *name, uint64_t *place)
{
    uint64_t number;

    if (name[0] < '0' || name[0] > '9')
        return false;
    number = strtoull(name, NULL, 10);
    *place = find_number(list, number);
    return *place < list->count && number_at(list, *place) == number;
}

/* The next place whose call is in the frame. */
static int next_in_frame(struct dump *dump, const struct list *list, uint64_t frame, uint64_t from,
                         uint64_t *place)
{
    const struct apitrace_index *index = apitrace_index_of(dump);
    uint64_t min;

    if (frame >= index->frame_count)
        return -ENOENT;
    min = find_number(list, index->frames[frame].min_number);
    for (*place = from > min ? from : min;
         *place < list->count && number_at(list, *place) <= index->frames[frame].max_number;
         ++*place)
        if (in_frame(index, frame, number_at(list, *place)))
            return 0;
    return -ENOENT;
}

static int next_shader(struct dump *dump, uint64_t parent_key, uint64_t from, uint64_t *place)
{
    const struct apitrace_object_index *objects = apitrace_dump_peek_objects(dump);

    (void)parent_key;
    if (objects == NULL)
        return -EAGAIN;
    *place = from;
    return from < objects->shader_count ? 0 : -ENOENT;
}

static int next_frame_shader(struct dump *dump, uint64_t frame, uint64_t from, uint64_t *place)
{
    const struct apitrace_object_index *objects = apitrace_dump_peek_objects(dump);
    struct list list;

    if (objects == NULL)
        return -EAGAIN;
    list = shaders_of(objects);
    return next_in_frame(dump, &list, frame, from, place);
}

static int name_shader(struct dump *dump, uint64_t parent_key, uint64_t place, char *name)
{
    const struct apitrace_object_index *objects = apitrace_dump_peek_objects(dump);

    (void)parent_key;
    if (objects == NULL)
        return -EAGAIN;
    if (place >= objects->shader_count)
        return -ENOENT;
    snprintf(name, RULE_NAME_MAX + 1, "%0*" PRIu32 "-%s%s", (int)tree_packet_digits(dump),
             objects->shaders[place].number, objects->shaders[place].stage,
             objects->shaders[place].suffix);
    return 0;
}

/* Before they are found any place will do: the tree looks the name up next, which is not known yet.
 */
static bool parse_shader(struct dump *dump, uint64_t parent_key, const char *name, uint64_t *place)
{
    const struct apitrace_object_index *objects = apitrace_dump_peek_objects(dump);
    struct list list;

    (void)parent_key;
    *place = 0;
    if (objects == NULL)
        return true;
    list = shaders_of(objects);
    return parse_number(&list, name, place);
}

int apitrace_shader_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    const struct apitrace_object_index *objects = apitrace_dump_peek_objects(dump);

    if (objects == NULL)
        return -EAGAIN;
    if (key >= objects->shader_count)
        return -ENOENT;
    *size = objects->shaders[key].bytes;
    return 0;
}

int apitrace_shader_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                         struct blob **out)
{
    const struct apitrace_object_index *objects;
    int status = apitrace_dump_objects(dump, cancel, &objects);

    if (status < 0)
        return status;
    return key < objects->shader_count
               ? apitrace_shader_read(apitrace_index_of(dump), &objects->shaders[key], cancel, out)
               : -ENOENT;
}

/* Those that have a picture. */
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
    struct list list;
    int status;

    if (objects == NULL)
        return -EAGAIN;
    list = textures_of(objects);
    do {
        status = next_in_frame(dump, &list, frame, from, place);
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
    struct list list;

    (void)parent_key;
    *place = 0;
    if (objects == NULL)
        return true;
    list = textures_of(objects);
    return parse_number(&list, name, place);
}

/* The header of an upload's picture, with the texts of its frame. */
static int texture_header(struct dump *dump, const struct apitrace_texture *texture,
                          struct dump_picture *out)
{
    const struct apitrace_index *index = apitrace_index_of(dump);
    uint64_t order = apitrace_record_of(index, texture->number).order;

    if (texture->colour == 0)
        return -ENOENT;
    return dump_picture_init(dump, apitrace_index_frame(index, order), texture->image.width,
                             texture->image.height * texture->image.depth, texture->colour, 8, out);
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

const struct rule_family apitrace_shader_family = {0, next_shader, name_shader, parse_shader};
const struct rule_family apitrace_frame_shader_family = {0, next_frame_shader, name_shader,
                                                         parse_shader};
const struct rule_family apitrace_texture_family = {0, next_texture, name_texture, parse_texture};
const struct rule_family apitrace_frame_upload_family = {0, next_frame_upload, name_texture,
                                                         parse_texture};

/* Levels of textures at a frame's end: the key is the frame's with the place in the list. */

enum { LEVEL_BITS = 24, OBJECT_DIGITS = 5, LEVEL_DIGITS = 2 };

static bool is_there(const struct apitrace_index *index, uint64_t frame,
                     const struct apitrace_level *level)
{
    uint64_t last = index->frames[frame].end - 1;

    return level->begin < last && level->end >= last;
}

/* What is needed to tell: 0, -EAGAIN, -ENOENT for a frame that is not drawn. */
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
    *place = apitrace_levels_place(levels, object, level);
    while (*place < levels->count && levels->list[*place].object == object &&
           levels->list[*place].level == level) {
        if (is_there(apitrace_index_of(dump), frame, &levels->list[*place]))
            return true;
        ++*place;
    }
    return false;
}

/* A key taken apart: 0, -EAGAIN, -ENOENT. */
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

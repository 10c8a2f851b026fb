/* SPDX-License-Identifier: MIT */
/* resources/: pixels that calls of Direct3D hand over to textures; the key is the place in the
 * list. */
#include "formats/apitrace/views/views.h"

#include "image/pixel_format.h"
#include "tree/tree.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int next_image(struct dump *dump, uint64_t parent_key, uint64_t from, uint64_t *place)
{
    const struct apitrace_object_index *objects = apitrace_dump_peek_objects(dump);

    (void)parent_key;
    if (objects == NULL)
        return -EAGAIN;
    *place = from;
    return from < objects->image_count ? 0 : -ENOENT;
}

static int name_image(struct dump *dump, uint64_t parent_key, uint64_t place, char *name)
{
    const struct apitrace_object_index *objects = apitrace_dump_peek_objects(dump);
    const struct apitrace_d3d_image *image;

    (void)parent_key;
    if (objects == NULL)
        return -EAGAIN;
    if (place >= objects->image_count)
        return -ENOENT;
    image = &objects->images[place];
    snprintf(name, RULE_NAME_MAX + 1, "%0*" PRIu32 "-%02" PRIu32 "-%04" PRIu32 ".png",
             (int)tree_packet_digits(dump), image->number, image->level, image->layer);
    return 0;
}

/* Numbers behind dashes; others are no name of a file there. */
static bool parse_numbers(const char *name, uint64_t numbers[2])
{
    for (unsigned n = 0; n < 2; n++) {
        char *end = NULL;

        name += strcspn(name, "-");
        if (name[0] != '-' || name[1] < '0' || name[1] > '9')
            return false;
        numbers[n] = strtoull(++name, &end, 10);
        name = end;
    }
    return true;
}

static bool parse_image(struct dump *dump, uint64_t parent_key, const char *name, uint64_t *place)
{
    const struct apitrace_object_index *objects = apitrace_dump_peek_objects(dump);
    struct apitrace_object_list list;
    uint64_t numbers[2], first;

    (void)parent_key;
    *place = 0;
    if (objects == NULL)
        return true;
    list = (struct apitrace_object_list){objects->image_count, objects->images,
                                         sizeof(*objects->images)};
    if (!apitrace_object_parse(&list, name, &first) || !parse_numbers(name, numbers))
        return false;
    for (*place = first; *place < objects->image_count &&
                         objects->images[*place].number == objects->images[first].number;
         ++*place)
        if (objects->images[*place].level == numbers[0] &&
            objects->images[*place].layer == numbers[1])
            return true;
    return false;
}

static int header_of(struct dump *dump, const struct apitrace_d3d_image *image,
                     struct dump_picture *out)
{
    const struct apitrace_index *index = apitrace_index_of(dump);
    const uint64_t order = apitrace_index_at(index, image->number).order;

    return dump_picture_init(dump, apitrace_index_frame(index, order), image->width,
                             image->height * image->depth, image->format->look, 8, out);
}

int apitrace_d3d_image_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    const struct apitrace_object_index *objects = apitrace_dump_peek_objects(dump);
    struct dump_picture picture;
    int status;

    if (objects == NULL)
        return -EAGAIN;
    if (key >= objects->image_count)
        return -ENOENT;
    status = header_of(dump, &objects->images[key], &picture);
    return status < 0 ? status : dump_picture_size(dump, &picture, size);
}

struct painting {
    const struct apitrace_d3d_image *image;
    const uint8_t *data;
};

static void paint(const void *context, uint32_t y, uint8_t *pixels)
{
    const struct painting *painting = context;
    const struct apitrace_d3d_image *image = painting->image;

    pixel_format_lines(image->format, painting->data + y / image->height * image->slice,
                       image->pitch, image->width, y % image->height, 1, pixels);
}

int apitrace_d3d_image_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                            struct blob **out)
{
    const struct apitrace_object_index *objects;
    struct dump_picture picture;
    struct blob *data = NULL;
    int status = apitrace_dump_objects(dump, cancel, &objects);

    if (status == 0 && key >= objects->image_count)
        status = -ENOENT;
    if (status == 0)
        status = header_of(dump, &objects->images[key], &picture);
    if (status == 0)
        status =
            apitrace_d3d_image_read(apitrace_index_of(dump), &objects->images[key], cancel, &data);
    if (status == 0) {
        const struct painting painting = {&objects->images[key], data->data};

        status = picture_write(&picture.header, dump->options->png, paint, &painting, cancel, out);
    }
    blob_unref(&data);
    return status;
}

const struct rule_family apitrace_d3d_image_family = {0, next_image, name_image, parse_image};

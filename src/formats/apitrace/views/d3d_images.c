/* SPDX-License-Identifier: MIT */
/*
 * resources/: pixels that calls of Direct3D hand over to textures; the key is the index in the list
 * of writes.
 */
#include "formats/apitrace/views/views.h"

#include "image/pixel_format.h"
#include "tree/tree.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool apitrace_d3d_has_picture(const struct apitrace_resource *resource, uint32_t height,
                              uint32_t depth)
{
    return resource->pixels != NULL && !apitrace_d3d_is_buffer(resource) && height > 0 &&
           depth <= PICTURE_MAX / height;
}

static const struct pixel_format *format_of(const struct apitrace_object_index *objects,
                                            const struct apitrace_d3d_write *write)
{
    return objects->d3d.resources[write->to.resource].pixels;
}

static bool has_picture(const struct apitrace_object_index *objects,
                        const struct apitrace_d3d_write *write)
{
    return write->status == APITRACE_D3D_OK && write->kind < APITRACE_D3D_COPY &&
           apitrace_d3d_has_picture(&objects->d3d.resources[write->to.resource], write->height,
                                    write->depth);
}

static int next_image(struct dump *dump, uint64_t parent_key, uint64_t from, uint64_t *place)
{
    const struct apitrace_object_index *objects = apitrace_dump_peek_objects(dump);

    (void)parent_key;
    if (objects == NULL)
        return -EAGAIN;
    while (from < objects->d3d.write_count && !has_picture(objects, &objects->d3d.writes[from]))
        from++;
    *place = from;
    return from < objects->d3d.write_count ? 0 : -ENOENT;
}

static int name_image(struct dump *dump, uint64_t parent_key, uint64_t place, char *name)
{
    const struct apitrace_object_index *objects = apitrace_dump_peek_objects(dump);
    const struct apitrace_d3d_write *image;

    (void)parent_key;
    if (objects == NULL)
        return -EAGAIN;
    if (place >= objects->d3d.write_count)
        return -ENOENT;
    image = &objects->d3d.writes[place];
    snprintf(name, RULE_NAME_MAX + 1, "%0*" PRIu32 "-%02" PRIu32 "-%04" PRIu32 ".png",
             (int)tree_packet_digits(dump), image->number, image->to.level, image->to.layer);
    return 0;
}

bool apitrace_d3d_parse_numbers(const char *name, uint64_t numbers[2])
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
    list = (struct apitrace_object_list){objects->d3d.write_count, objects->d3d.writes,
                                         sizeof(*objects->d3d.writes)};
    if (!apitrace_object_parse(&list, name, &first) || !apitrace_d3d_parse_numbers(name, numbers))
        return false;
    for (*place = first; *place < objects->d3d.write_count &&
                         objects->d3d.writes[*place].number == objects->d3d.writes[first].number;
         ++*place)
        if (objects->d3d.writes[*place].to.level == numbers[0] &&
            objects->d3d.writes[*place].to.layer == numbers[1])
            return has_picture(objects, &objects->d3d.writes[*place]);
    return false;
}

static int header_of(struct dump *dump, const struct apitrace_object_index *objects, uint64_t place,
                     struct dump_picture *out)
{
    const struct apitrace_d3d_write *image = &objects->d3d.writes[place];

    if (!has_picture(objects, image))
        return -ENOENT;
    return dump_picture_init(dump, apitrace_index_frame(apitrace_index_of(dump), image->order),
                             image->width, image->height * image->depth,
                             format_of(objects, image)->look, 8, out);
}

int apitrace_d3d_image_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    const struct apitrace_object_index *objects = apitrace_dump_peek_objects(dump);
    struct dump_picture picture;
    int status;

    if (objects == NULL)
        return -EAGAIN;
    if (key >= objects->d3d.write_count)
        return -ENOENT;
    status = header_of(dump, objects, key, &picture);
    return status < 0 ? status : dump_picture_size(dump, &picture, size);
}

static void paint(const void *context, uint32_t y, uint8_t *pixels)
{
    const struct apitrace_d3d_painting *painting = context;

    pixel_format_lines(painting->format, painting->data + y / painting->height * painting->slice,
                       painting->pitch, painting->width, y % painting->height, 1, pixels);
}

int apitrace_d3d_paint(struct dump *dump, const struct dump_picture *picture,
                       const struct apitrace_d3d_painting *painting, const struct cancel *cancel,
                       struct blob **out)
{
    return picture_write(&picture->header, dump->options->png, paint, painting, cancel, out);
}

int apitrace_d3d_image_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                            struct blob **out)
{
    const struct apitrace_object_index *objects;
    const struct apitrace_d3d_write *image;
    struct dump_picture picture;
    struct blob *data = NULL;
    int status = apitrace_dump_objects(dump, cancel, &objects);

    if (status == 0 && key >= objects->d3d.write_count)
        status = -ENOENT;
    if (status == 0)
        status = header_of(dump, objects, key, &picture);
    image = status == 0 ? &objects->d3d.writes[key] : NULL;
    if (status == 0)
        status = apitrace_read_blob(&apitrace_index_of(dump)->stream, image->position, image->bytes,
                                    cancel, &data);
    if (status == 0) {
        const struct apitrace_d3d_painting painting = {.format = format_of(objects, image),
                                                       .data = data->data,
                                                       .width = image->width,
                                                       .height = image->height,
                                                       .pitch = image->pitch,
                                                       .slice = image->slice};

        status = apitrace_d3d_paint(dump, &picture, &painting, cancel, out);
    }
    blob_unref(&data);
    return status;
}

const struct rule_family apitrace_d3d_image_family = {0, next_image, name_image, parse_image};

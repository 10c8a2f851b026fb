/* SPDX-License-Identifier: MIT */
#include "formats/gapir/views/views.h"

#include <errno.h>

enum { RGB = 3 };

/* Returns the post that ends a frame, or NULL if the frame does not end with one. */
static const struct gapir_post_record *post_of(const struct gapir_index *index, uint64_t frame)
{
    uint32_t post = index->frames[frame].post;

    return post != GAPIR_NO_POST ? &index->posts[post] : NULL;
}

bool gapir_frame_header(const struct gapir_index *index, uint32_t frame, struct picture_header *out)
{
    const struct gapir_frame_record *record = &index->frames[frame];
    const struct gapir_post_record *post = post_of(index, frame);

    *out = (struct picture_header){
        .width = record->width, .height = record->height, .colour = PICTURE_RGB};
    if (post != NULL)
        *out = (struct picture_header){.width = post->shape.width,
                                       .height = post->shape.height,
                                       .colour = post->shape.format->pixel.look};
    else if (record->format != NULL)
        out->colour = record->format->pixel.look;
    return out->width != 0 && out->height != 0 && picture_size(out) != 0;
}

static const uint8_t *row_of(const struct gapir_framebuffer_shape *shape, const uint8_t *post,
                             uint32_t y)
{
    uint32_t row = shape->bottom_up ? shape->height - 1 - y : y;

    return post + shape->offset + (uint64_t)row * shape->stride;
}

/* The rows of a picture, taken from a post's bytes. */
struct painting {
    const struct gapir_framebuffer_shape *shape;
    const uint8_t *post;
};

static void paint_row(const void *context, uint32_t y, uint8_t *pixels)
{
    const struct painting *painting = context;
    const struct gapir_framebuffer_shape *shape = painting->shape;

    pixel_format_lines(&shape->format->pixel, row_of(shape, painting->post, y), 0, shape->width, 0,
                       1, pixels);
}

/* The state of making a frame's picture. */
struct making {
    const struct dump *dump;
    /* NULL: the picture is of the surface that is drawn on or presented */
    const struct gapir_post_record *post;
    const struct gapir_format *format; /* of the presented image; NULL: RGB */
    struct picture_header header;
    const struct cancel *cancel;
    struct blob **out;
};

static int paint_post(const struct making *making, const struct gapir_vm_instance *instance)
{
    const uint8_t *bytes = gapir_vm_instance_bytes(instance, &making->post->bytes);
    const struct painting painting = {.shape = &making->post->shape, .post = bytes};

    return bytes == NULL ? -EIO
                         : picture_write(&making->header, making->dump->options->png, paint_row,
                                         &painting, making->cancel, making->out);
}

/* Paints rows from the top, in the format of the presented image. */
static int paint_presented(const struct making *making, const uint8_t *pixels)
{
    const struct gapir_framebuffer_shape shape = {.format = making->format,
                                                  .width = making->header.width,
                                                  .height = making->header.height,
                                                  .stride = making->header.width *
                                                            making->format->pixel.bytes};
    const struct painting painting = {.shape = &shape, .post = pixels};

    return picture_write(&making->header, making->dump->options->png, paint_row, &painting,
                         making->cancel, making->out);
}

/* Paints what the graphics worker has drawn: a post that was read back, or the surface itself. */
static int paint_drawn(void *context, const struct gapir_player_sight *sight)
{
    const struct making *making = context;
    const struct picture_header *header = &making->header;
    const struct gapir_player_picture want = {
        .width = header->width,
        .height = header->height,
        .pixel_bytes = making->format != NULL ? making->format->pixel.bytes : RGB};
    const uint8_t *pixels;
    struct blob *owner = NULL;
    int status;

    if (making->post != NULL)
        return gapir_player_has_post(sight) ? paint_post(making, sight->instance) : -EIO;
    status = gapir_player_picture(sight, &want, &pixels, &owner);
    if (status == 0 && making->format != NULL)
        status = paint_presented(making, pixels);
    else if (status == 0)
        status = picture_encode(header, pixels, (size_t)header->width * RGB,
                                making->dump->options->png, making->out);
    blob_unref(&owner);
    return status;
}

static int make_undrawn(struct gapir_dump *dump, uint64_t steps, const struct making *making)
{
    struct gapir_vm_instance *instance = NULL;
    int status = gapir_dump_take_vm(dump, steps, making->cancel, &instance);

    if (status == 0)
        status = paint_post(making, instance);
    gapir_vm_pool_park(dump->pool, &instance);
    return status;
}

int gapir_frame_picture(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                        struct blob **out)
{
    struct gapir_dump *gapir = gapir_dump_of(dump);
    struct dump_picture picture;
    const struct gapir_index *index;
    int status = gapir_dump_index(gapir, cancel, &index);

    if (status == 0)
        status = dump_picture_header(dump, frame, &picture);
    if (status != 0)
        return status;
    struct making making = {.dump = dump,
                            .post = post_of(index, frame),
                            .format = index->frames[frame].format,
                            .header = picture.header,
                            .cancel = cancel,
                            .out = out};
    uint64_t steps = index->frames[frame].site.steps;
    if (making.post != NULL && !making.post->drawn)
        return make_undrawn(gapir, steps, &making);
    return gapir_dump_show(gapir, index, steps, cancel, paint_drawn, &making);
}

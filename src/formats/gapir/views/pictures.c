/* SPDX-License-Identifier: MIT */
#include "formats/gapir/views/views.h"

#include <errno.h>

bool gapir_frame_header(const struct gapir_index *index, uint32_t frame, struct picture_header *out)
{
    uint32_t post = index->frames[frame].post;

    if (post == GAPIR_NO_POST)
        return false;
    const struct gapir_framebuffer_shape *shape = &index->posts[post].shape;
    *out = (struct picture_header){
        .width = shape->width, .height = shape->height, .colour = shape->format->pixel.look};
    return picture_size(out) != 0;
}

static const uint8_t *row_of(const struct gapir_framebuffer_shape *shape, const uint8_t *post,
                             uint32_t y)
{
    uint32_t row = shape->bottom_up ? shape->height - 1 - y : y;

    return post + shape->offset + (uint64_t)row * shape->stride;
}

/* A post's bytes, as a picture's rows. */
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

int gapir_frame_picture(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                        struct blob **out)
{
    struct gapir_dump *gapir = gapir_dump_of(dump);
    struct gapir_vm_instance *instance = NULL;
    struct dump_picture picture;
    const struct gapir_index *index;
    int status = gapir_dump_index(gapir, cancel, &index);

    if (status == 0)
        status = dump_picture_header(dump, frame, &picture);
    if (status != 0)
        return status;
    const struct gapir_post_record *post = &index->posts[index->frames[frame].post];
    status = gapir_dump_take_vm(gapir, post->site.steps, cancel, &instance);
    if (status != 0)
        return status;
    const uint8_t *bytes = gapir_vm_instance_bytes(instance, &post->bytes);
    const struct painting painting = {.shape = &post->shape, .post = bytes};
    status = bytes == NULL ? -EIO
                           : picture_write(&picture.header, dump->options->png, paint_row,
                                           &painting, cancel, out);
    gapir_vm_pool_park(gapir->pool, &instance);
    return status;
}

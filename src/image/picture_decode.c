/* SPDX-License-Identifier: MIT */
#include "image/picture.h"

#include "base/memory.h"
#include "image/picture_stored.h"

#include <errno.h>
#include <png.h>

static bool begin(const void *png, size_t size, png_image *image)
{
    *image = (png_image){.version = PNG_IMAGE_VERSION};
    return png_image_begin_read_from_memory(image, png, size) != 0;
}

int picture_look(const void *png, size_t size, struct picture_shape *out)
{
    png_image image;
    bool is_png = begin(png, size, &image);

    if (is_png)
        *out = (struct picture_shape){.width = image.width,
                                      .height = image.height,
                                      .is_16bit = image.format & PNG_FORMAT_FLAG_LINEAR};
    png_image_free(&image);
    return is_png ? 0 : -EIO;
}

static int decode_any(const void *png, size_t size, enum picture_colour colour,
                      struct picture_pixels *out)
{
    static const png_color black = {0, 0, 0};
    png_image image;
    int status = -EIO;

    if (!begin(png, size, &image))
        goto out;
    image.format = colour == PICTURE_RGBA ? PNG_FORMAT_RGBA : PNG_FORMAT_RGB;
    out->bytes = memory_take(PNG_IMAGE_SIZE(image));
    if (out->bytes == NULL) {
        status = -ENOMEM;
        goto out;
    }
    out->width = image.width;
    out->height = image.height;
    out->colour = colour;
    if (png_image_finish_read(&image, &black, out->bytes, 0, NULL))
        status = 0;
    else
        picture_pixels_clear(out);
out:
    png_image_free(&image);
    return status;
}

int picture_decode(const void *png, size_t size, enum picture_colour colour,
                   struct picture_pixels *out)
{
    int status;

    *out = (struct picture_pixels){0};
    status = picture_decode_stored(png, size, colour, out);
    return status == -ENOTSUP ? decode_any(png, size, colour, out) : status;
}

void picture_pixels_clear(struct picture_pixels *pixels)
{
    if (pixels->bytes != NULL)
        memory_give(pixels->bytes, (size_t)pixels->colour * pixels->width * pixels->height);
    *pixels = (struct picture_pixels){0};
}

/* SPDX-License-Identifier: MIT */
/*
 * Pixels that a GL program uploads, as pictures: formats and types of glTexImage, and
 * the block formats of glCompressedTexImage. Pure functions, any thread.
 */
#ifndef GPUDUMPFS_APITRACE_DECODE_PIXELS_H
#define GPUDUMPFS_APITRACE_DECODE_PIXELS_H

#include "image/pixel_format.h"

#include <stdbool.h>
#include <stdint.h>

/* glPixelStore's settings for unpacking. */
struct apitrace_unpack {
    uint32_t alignment, row_length, image_height, skip_pixels, skip_rows, skip_images;
    bool swap;
};

struct apitrace_image {
    uint32_t width, height, depth;
    uint32_t format, type; /* as GL names them; of a compressed one, `type` is 0 */
    struct apitrace_unpack unpack;
};

/* How the pixels of that format are shown; 0: it is not known. */
enum picture_colour apitrace_image_colour(const struct apitrace_image *image);

/* Bytes that the upload reads of its data, from the first; false when they are too many. */
bool apitrace_image_bytes(const struct apitrace_image *image, uint64_t *bytes);

/*
 * One row of the picture, slices of a deep image one below the other: width * colour
 * bytes. `data` has the bytes that apitrace_image_bytes() tells.
 */
void apitrace_image_row(const struct apitrace_image *image, const uint8_t *data, uint32_t row,
                        uint8_t *out);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Decodes the pixels that a GL program uploads: the formats and types of glTexImage, and the block
 * formats of glCompressedTexImage. Pure functions, any thread.
 */
#ifndef GPUDUMPFS_APITRACE_DECODE_PIXELS_H
#define GPUDUMPFS_APITRACE_DECODE_PIXELS_H

#include "image/pixel_format.h"

#include <stdbool.h>
#include <stdint.h>

/* The settings of glPixelStore for unpacking. */
struct apitrace_unpack {
    uint32_t alignment, row_length, image_height, skip_pixels, skip_rows, skip_images;
    bool swap;
};

struct apitrace_image {
    uint32_t width, height, depth;
    uint32_t format, type; /* GL's enumerators; `type` is 0 if compressed */
    struct apitrace_unpack unpack;
};

/* Returns how the pixels of that format are shown; 0 if the format is not known. */
enum picture_colour apitrace_image_colour(const struct apitrace_image *image);

/*
 * Gets how many bytes of its data the upload reads, counted from the first; 0 if the format is not
 * known. Returns false if there are too many.
 */
bool apitrace_image_bytes(const struct apitrace_image *image, uint64_t *bytes);

/*
 * Decodes one row of the picture into width * colour bytes; the slices of a deep image are below
 * each other. `data` must have as many bytes as apitrace_image_bytes() states.
 */
void apitrace_image_row(const struct apitrace_image *image, const uint8_t *data, uint32_t row,
                        uint8_t *out);

#endif

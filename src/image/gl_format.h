/* SPDX-License-Identifier: MIT */
/*
 * Formats and types in which OpenGL reads pixels from memory and writes them (glTexImage,
 * glReadPixels), as descriptors of pixel_format.h. Does not include block formats. Pure functions,
 * any thread.
 */
#ifndef GPUDUMPFS_IMAGE_GL_FORMAT_H
#define GPUDUMPFS_IMAGE_GL_FORMAT_H

#include "image/pixel_format.h"

/*
 * Formats are shown with 8 bits per channel, and those with a single channel as grey; integers are
 * shown unscaled (PIXEL_UINT, PIXEL_SINT). A single channel is in red, green and blue, except for
 * RED, which is in red only.
 */
struct gl_format {
    struct pixel_format pixel;
    unsigned unit; /* bytes of each number, whose order programs may have swapped */
};

/*
 * Finds the descriptor of a format and type. Returns false if one is unknown, or they do not fit
 * together.
 */
bool gl_format_find(uint32_t format, uint32_t type, struct gl_format *out);

#endif

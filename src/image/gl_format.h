/* SPDX-License-Identifier: MIT */
/*
 * What OpenGL takes pixels from memory as, and gives them as (glTexImage, glReadPixels): formats
 * and types, as descriptors of pixel_format.h. Block formats are not among them. Pure functions,
 * any thread.
 */
#ifndef GPUDUMPFS_IMAGE_GL_FORMAT_H
#define GPUDUMPFS_IMAGE_GL_FORMAT_H

#include "image/pixel_format.h"

/*
 * Shown with 8 bits a channel, a single one as grey; integers as they are, PIXEL_UINT and
 * PIXEL_SINT. A single one is in red, green and blue, but that of RED in red alone.
 */
struct gl_format {
    struct pixel_format pixel;
    unsigned unit; /* bytes of each number, which programs may have swapped */
};

/* False: not known, or they do not go together. */
bool gl_format_find(uint32_t format, uint32_t type, struct gl_format *out);

#endif

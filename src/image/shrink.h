/* SPDX-License-Identifier: MIT */
/* Pictures made smaller, by means of areas. Pure functions, any thread. */
#ifndef GPUDUMPFS_IMAGE_SHRINK_H
#define GPUDUMPFS_IMAGE_SHRINK_H

#include "image/picture.h"

/*
 * The largest sides, at least 1 and at most those of a box, that a picture has in its own
 * proportion; it is not enlarged.
 */
void shrink_fit(uint32_t width, uint32_t height, uint32_t box_width, uint32_t box_height,
                uint32_t *out_width, uint32_t *out_height);

/*
 * Row y of a picture of PICTURE_RGB shrunk to these sides: `rgb` has width * 3 bytes. Each pixel is
 * the mean of those that fall on it, at least one.
 */
void shrink_row(const struct picture_pixels *from, uint32_t width, uint32_t height, uint32_t y,
                uint8_t *rgb);

#endif

/* SPDX-License-Identifier: MIT */
/* Makes pictures smaller, by averaging areas. Pure functions, any thread. */
#ifndef GPUDUMPFS_IMAGE_SHRINK_H
#define GPUDUMPFS_IMAGE_SHRINK_H

#include "image/picture.h"

/*
 * Computes the largest sides, at least 1 and at most those of the box, with which a picture keeps
 * its proportions. It is not enlarged.
 */
void shrink_fit(uint32_t width, uint32_t height, uint32_t box_width, uint32_t box_height,
                uint32_t *out_width, uint32_t *out_height);

/*
 * Computes row y of a PICTURE_RGB picture shrunk to these sides; `rgb` has width * 3 bytes. Each
 * pixel is the mean of the original pixels that it covers, at least one.
 */
void shrink_row(const struct picture_pixels *from, uint32_t width, uint32_t height, uint32_t y,
                uint8_t *rgb);

#endif

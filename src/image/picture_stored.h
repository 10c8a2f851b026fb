/* SPDX-License-Identifier: MIT */
/* Reads PNGs of our own quickly; for picture_decode() alone. A pure function. */
#ifndef GPUDUMPFS_IMAGE_PICTURE_STORED_H
#define GPUDUMPFS_IMAGE_PICTURE_STORED_H

#include "image/picture.h"

/*
 * As picture_decode(), of PNGs as picture_begin() lays them out, with 8 bits a channel, in colour:
 * a copy, a fraction of what libpng takes. -ENOTSUP: it is another one, or broken, or
 * what is transparent would have to be blended.
 */
int picture_decode_stored(const uint8_t *png, size_t size, enum picture_colour colour,
                          struct picture_pixels *out);

#endif

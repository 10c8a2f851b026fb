/* SPDX-License-Identifier: MIT */
/* Decodes our own PNGs quickly; for picture_decode() only. A pure function. */
#ifndef GPUDUMPFS_IMAGE_PICTURE_STORED_H
#define GPUDUMPFS_IMAGE_PICTURE_STORED_H

#include "image/picture.h"

/*
 * Decodes like picture_decode(), but only PNGs as picture_begin() lays them out, in colour and with
 * 8 bits per channel. This is a copy, and takes a fraction of libpng's time. Returns -ENOTSUP if
 * the PNG is another one or is damaged, or if transparent pixels would have to be blended.
 */
int picture_decode_stored(const uint8_t *png, size_t size, enum picture_colour colour,
                          struct picture_pixels *out);

#endif

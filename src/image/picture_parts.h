/* SPDX-License-Identifier: MIT */
/* What writing and reading of pictures have alike; for src/image alone. Pure functions. */
#ifndef GPUDUMPFS_IMAGE_PICTURE_PARTS_H
#define GPUDUMPFS_IMAGE_PICTURE_PARTS_H

#include "image/picture.h"

enum {
    PICTURE_SIGNATURE_BYTES = 8,
    PICTURE_CHUNK_BYTES = 12, /* length, type and check sum of every chunk */
    PICTURE_IHDR_BYTES = 13,
    PICTURE_ZLIB_HEAD = 2,
    PICTURE_ZLIB_TAIL = 4,
    PICTURE_BLOCK_HEAD = 5,
    PICTURE_BLOCK_MAX = 65535, /* bytes of data in one stored deflate block */
};

/* A chunk's check sum: of its type and contents. */
uint32_t picture_crc32(const uint8_t *bytes, size_t size);

/*
 * As picture_decode(), of PNGs as picture_begin() lays them out, with 8 bits a channel, in colour:
 * a copy, a fraction of what libpng takes. -ENOTSUP: it is another one, or broken, or
 * what is transparent would have to be blended.
 */
int picture_decode_stored(const uint8_t *png, size_t size, enum picture_colour colour,
                          struct picture_pixels *out);

#endif

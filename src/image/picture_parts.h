/* SPDX-License-Identifier: MIT */
/* Shared by the writing and reading of pictures; for src/image only. Pure functions. */
#ifndef GPUDUMPFS_IMAGE_PICTURE_PARTS_H
#define GPUDUMPFS_IMAGE_PICTURE_PARTS_H

#include <stddef.h>
#include <stdint.h>

enum {
    PICTURE_SIGNATURE_BYTES = 8,
    PICTURE_CHUNK_BYTES = 12, /* length, type and checksum of every chunk */
    PICTURE_IHDR_BYTES = 13,
    PICTURE_ZLIB_HEAD = 2,
    PICTURE_ZLIB_TAIL = 4,
    PICTURE_BLOCK_HEAD = 5,
    PICTURE_BLOCK_MAX = 65535, /* maximum bytes of data in one stored deflate block */
};

/* Returns the CRC-32 of bytes, such as the type and contents of a chunk. */
uint32_t picture_crc32(const uint8_t *bytes, size_t size);

#endif

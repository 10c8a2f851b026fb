/* SPDX-License-Identifier: MIT */
/*
 * Numbers by which pictures are found again: equal where each pixel is, or close where they look
 * alike. Pure functions of pixels of PICTURE_RGB, any thread.
 */
#ifndef GPUDUMPFS_IMAGE_FINGERPRINT_H
#define GPUDUMPFS_IMAGE_FINGERPRINT_H

#include "base/sha256.h"
#include "image/picture.h"

/* SHA-256 over width and height, 32 bits each, little-endian, and the pixels, 3 bytes each. */
void fingerprint_sha256(const struct picture_pixels *pixels, uint8_t digest[SHA256_SIZE]);

/*
 * The difference hash (dHash) that N. Krawetz described (hackerfactor.com, "Kind of Like That",
 * 2013): the picture as 9 x 8 means of luminance (ITU-R BT.601), and a bit for each two beside
 * each other, 1 if the left one is darker; row by row, from the highest bit on.
 */
uint64_t fingerprint_dhash(const struct picture_pixels *pixels);

/* Bits that differ. There, pictures up to 10 are taken for kin. */
enum { FINGERPRINT_NEAR = 10 };
static inline unsigned fingerprint_distance(uint64_t a, uint64_t b)
{
    return (unsigned)__builtin_popcountll(a ^ b);
}

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Numbers for finding pictures again: equal if all pixels are equal, or close if the pictures look
 * alike. Pure functions of PICTURE_RGB pixels, any thread.
 */
#ifndef GPUDUMPFS_IMAGE_FINGERPRINT_H
#define GPUDUMPFS_IMAGE_FINGERPRINT_H

#include "base/sha256.h"
#include "image/picture.h"

/* Hashes width and height, 32 bits each, little-endian, and the pixels, 3 bytes each. */
void fingerprint_sha256(const struct picture_pixels *pixels, uint8_t digest[SHA256_SIZE]);

/*
 * Returns the difference hash (dHash) that N. Krawetz described (hackerfactor.com, "Kind of Like
 * That", 2013): the picture is reduced to 9 x 8 means of luminance (ITU-R BT.601), and each two
 * neighbours in a row give a bit, 1 if the left one is darker; row by row, from the highest bit
 * down.
 */
uint64_t fingerprint_dhash(const struct picture_pixels *pixels);

/*
 * The number of bits that differ. Krawetz considers pictures up to a distance of 10 to be
 * variations of each other.
 */
enum { FINGERPRINT_NEAR = 10 };
static inline unsigned fingerprint_distance(uint64_t a, uint64_t b)
{
    return (unsigned)__builtin_popcountll(a ^ b);
}

#endif

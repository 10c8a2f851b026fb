/*
 * ASTC of the LDR profile: blocks of 4x4 to 12x12 texels in 16 bytes, as the Khronos
 * Data Format Specification has them. Every block is decoded; what is none of
 * the profile is magenta, as there. Pure functions, any thread.
 */
#ifndef GPUDUMPFS_IMAGE_ASTC_H
#define GPUDUMPFS_IMAGE_ASTC_H

#include <stdbool.h>
#include <stdint.h>

enum { ASTC_TEXELS_MOST = 144 };

/* RGBA8 of each texel of a block of `width` x `height` (4 to 12), row by row. */
void astc_decode(const uint8_t block[16], unsigned width, unsigned height, bool srgb, uint8_t *to);

#endif

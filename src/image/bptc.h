/*
 * BPTC, the block formats BC7 and BC6H: 4x4 texels in 16 bytes, as the Khronos Data
 * Format Specification has them. Every block is decoded. Pure functions, any thread.
 */
#ifndef GPUDUMPFS_IMAGE_BPTC_H
#define GPUDUMPFS_IMAGE_BPTC_H

#include <stdbool.h>
#include <stdint.h>

/* BC7: RGBA8 of each texel, row by row. */
void bptc_decode(const uint8_t block[16], uint8_t to[64]);

/* BC6H: the half floats red, green and blue of each texel. */
void bptc_decode_halves(const uint8_t block[16], bool is_signed, uint16_t to[48]);

#endif

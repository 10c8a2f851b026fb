/*
 * Texels between memory and RGBA8: B8G8R8A8, X8, 565 and 5551, and the block
 * formats BC1, BC2, BC3 and BC7, expanded by one piece of code for pictures and for
 * the worker's textures (aerogpu.md 3.6); colours and depths as texels, and depth as grey
 * (aerogpu.md 4.5). Pure functions, any thread.
 */
#ifndef GPUDUMPFS_AEROGPU_DECODE_TEXELS_H
#define GPUDUMPFS_AEROGPU_DECODE_TEXELS_H

#include "formats/aerogpu/decode/abi.h"

/*
 * Expands `width` x `rows` texels to RGBA8. Rows of texels, of blocks in block
 * formats, stand `pitch` bytes apart in `from`; those of `to` are tight. Texels of
 * blocks beyond the edges are dropped. Alpha is 255 in X8 formats; sRGB bytes stay as
 * they are. False for depth formats, and what is none.
 */
bool aerogpu_texels_decode(uint32_t format, uint32_t width, uint32_t rows, const uint8_t *from,
                           size_t pitch, uint8_t *to);

/*
 * The way back, for formats of one texel a block: 565 and 5551 take the nearest
 * value, X8 gets 255. False for others.
 */
bool aerogpu_texels_encode(uint32_t format, uint32_t width, uint32_t rows, const uint8_t *from,
                           uint8_t *to, size_t pitch);

/* One block of 4x4 texels to 64 bytes of RGBA8, by the base format (AEROGPU_BC1, ...). */
void aerogpu_bc1_decode(const uint8_t block[8], uint8_t to[64]);
void aerogpu_bc2_decode(const uint8_t block[16], uint8_t to[64]);
void aerogpu_bc3_decode(const uint8_t block[16], uint8_t to[64]);

/*
 * A colour (red, green, blue, alpha) as a texel of a format that is neither depth nor
 * compressed, rounded to the nearest; sRGB formats take it as linear. Bytes of the
 * texel, at most 4; 0: not such a format.
 */
uint32_t aerogpu_colour_encode(uint32_t format, const float colour[4], uint8_t texel[4]);

/* The bits of a texel of a depth format, and in `mask` which of them are meant. */
uint32_t aerogpu_depth_encode(uint32_t format, float depth, uint32_t stencil, bool with_depth,
                              bool with_stencil, uint32_t *mask);

/* `width` texels of a depth format as 16-bit grey, high byte first. */
void aerogpu_depth_row(uint32_t format, const uint8_t *texels, uint32_t width, uint8_t *grey);

#endif

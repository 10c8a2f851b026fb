/*
 * Colours and depths as texels, and depth as grey (aerogpu.md 3.6, 4.5); texels.h
 * has the way from texels to RGBA8. Pure functions, any thread.
 */
#ifndef GPUDUMPFS_AEROGPU_REPLAY_COLOUR_H
#define GPUDUMPFS_AEROGPU_REPLAY_COLOUR_H

#include "formats/aerogpu/decode/layout.h"

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

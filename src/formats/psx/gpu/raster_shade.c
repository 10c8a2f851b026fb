/* SPDX-License-Identifier: MIT */
/* The plain C shaders, which read texels from VRAM; and the tables and plain C runs of pixel.h. */

#include "formats/psx/gpu/pixel.h"
#include "formats/psx/gpu/raster.h"
#include "formats/psx/gpu/raster_texel.h"

#include <string.h>

#define FETCH(job, texture, depth, uv) fetch(texture, depth, uv)
#include "formats/psx/gpu/raster_pixels.inc"
#include "formats/psx/gpu/raster_table.inc"

COARSE_SHADERS(DEFINE)

const struct psx_raster_ops psx_raster_ops_c = {"c", &psx_runs_c, COARSE_SHADE_TABLE};

/* Tables and plain C runs of pixel.h. */

/* The eight values of a channel that become `level`. */
#define LEVEL(level)                                                                               \
    [PIXEL_CLAMP_BIAS + 8 * (level)... PIXEL_CLAMP_BIAS + 8 * (level) + 7] = (level)
#define LEVELS(level) LEVEL(level), LEVEL((level) + 1), LEVEL((level) + 2), LEVEL((level) + 3)

const uint8_t psx_pixel_clamp[PIXEL_CLAMP_SIZE] = {
    [0 ... PIXEL_CLAMP_BIAS - 1] = 0,
    LEVELS(0),
    LEVELS(4),
    LEVELS(8),
    LEVELS(12),
    LEVELS(16),
    LEVELS(20),
    LEVELS(24),
    LEVELS(28),
    [PIXEL_CLAMP_BIAS + 8 * 32 ... PIXEL_CLAMP_SIZE - 1] = 31,
};

const int8_t psx_pixel_dither[4][4] = {
    {-4, 0, -3, 1},
    {2, -2, 3, -1},
    {-3, 1, -4, 0},
    {3, -1, 2, -2},
};

static void fill(uint16_t *to, uint32_t count, uint16_t pixel)
{
    for (uint32_t i = 0; i < count; i++)
        to[i] = pixel;
}

static void move(uint16_t *to, const void *from, uint32_t count, uint16_t set, uint16_t check)
{
    const uint8_t *next = from;

    for (uint32_t i = 0; i < count; i++, next += sizeof(*to)) {
        uint16_t pixel;

        memcpy(&pixel, next, sizeof(pixel));
        if (!(to[i] & check))
            to[i] = pixel | set;
    }
}

static void expand(const uint16_t *pixels, uint32_t count, uint8_t *rgb)
{
    for (uint32_t i = 0; i < count; i++)
        pixel_to_rgb(pixels[i], rgb + 3 * (size_t)i);
}

const struct psx_runs psx_runs_c = {fill, move, expand};

/*
 * Which texel a pixel samples: the plain arithmetic of psx-gpu.md 6, apart from
 * the shaders, for those who look on. Pure functions.
 */
#ifndef GPUDUMPFS_PSX_FRAME_TEXEL_H
#define GPUDUMPFS_PSX_FRAME_TEXEL_H

#include "formats/psx/gpu/raster.h"

static inline uint8_t texel_coordinate(const struct raster_plane *plane, int x, int y)
{
    return (uint8_t)((plane->origin + (int64_t)x * plane->dx + (int64_t)y * plane->dy) >>
                     RASTER_FRACTION);
}

/* U and V behind the window. */
static inline uint8_t texel_u(const struct raster_job *job, int x, int y)
{
    return (uint8_t)((texel_coordinate(&job->u, x, y) & job->and_u) | job->or_u);
}

static inline uint8_t texel_v(const struct raster_job *job, int x, int y)
{
    return (uint8_t)((texel_coordinate(&job->v, x, y) & job->and_v) | job->or_v);
}

/* The halfword that (u, v) of a page stands for, behind the palette. */
static inline uint16_t texel_fetch(const uint16_t *vram, unsigned page_x, unsigned page_y,
                                   unsigned depth, const uint16_t *clut, unsigned u, unsigned v)
{
    const uint16_t *row = vram + (size_t)(page_y + v) * PSX_VRAM_WIDTH;

    switch (depth) {
    case PSX_DEPTH_4:
        return clut[row[(page_x + (u >> 2)) & (PSX_VRAM_WIDTH - 1)] >> 4 * (u & 3) & 15];
    case PSX_DEPTH_8:
        return clut[row[(page_x + (u >> 1)) & (PSX_VRAM_WIDTH - 1)] >> 8 * (u & 1) & 255];
    default:
        return row[(page_x + u) & (PSX_VRAM_WIDTH - 1)];
    }
}

#endif

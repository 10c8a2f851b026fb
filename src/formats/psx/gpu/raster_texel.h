/* SPDX-License-Identifier: MIT */
/*
 * Reads texels one by one, for the shaders that do so. U and V advance packed in 64 bits, and the
 * window's offset is part of the page's address. For inner loops: everything is inlined, with the
 * depth as a constant.
 */
#ifndef GPUDUMPFS_PSX_GPU_RASTER_TEXEL_H
#define GPUDUMPFS_PSX_GPU_RASTER_TEXEL_H

#include "formats/psx/gpu/raster.h"

#define INLINE static inline __attribute__((always_inline))

enum { U_SHIFT = 32 };

struct psx_raster_walk {
    uint64_t origin, dx, dy;
};

INLINE uint64_t walk_at(const struct psx_raster_walk *walk, int x, int y)
{
    return walk->origin + walk->dx * (uint64_t)x + walk->dy * (uint64_t)y;
}

INLINE struct psx_raster_walk pack_texels(const struct psx_raster_plane *u,
                                          const struct psx_raster_plane *v)
{
#define PACK(field) (((uint64_t)(int64_t)u->field << U_SHIFT) + (uint64_t)(int64_t)v->field)
    return (struct psx_raster_walk){PACK(origin), PACK(dx), PACK(dy)};
#undef PACK
}

/*
 * A page as the shaders read it. The window's offset has no bit in common with what the mask leaves
 * of U and V, so it is part of the page's place.
 */
struct psx_raster_texture {
    const uint16_t *page; /* row 0 of the page, in column 0 of VRAM */
    const uint16_t *clut;
    unsigned x;     /* the page's column */
    unsigned and_v; /* V's mask, times the width of VRAM */
    unsigned and_u; /* U's mask, shifted to columns */
};

INLINE struct psx_raster_texture texture_of(const struct psx_raster_job *job, int depth)
{
    const int shift = depth == PSX_DEPTH_4 ? 2 : depth == PSX_DEPTH_8 ? 1 : 0;

    return (struct psx_raster_texture){
        .page = job->vram + (job->page_y + job->or_v) * PSX_VRAM_WIDTH,
        .clut = job->clut,
        .x = job->page_x + (job->or_u >> shift),
        .and_v = job->and_v * (unsigned)PSX_VRAM_WIDTH,
        .and_u = job->and_u >> shift,
    };
}

enum { V_TO_ROW = RASTER_FRACTION - 10, U_BIT = U_SHIFT + RASTER_FRACTION };

/* Returns the halfword that contains a texel. */
INLINE const uint16_t *texel_place(const struct psx_raster_texture *texture, int depth, uint64_t uv)
{
    const uint16_t *row = texture->page + ((unsigned)(uv >> V_TO_ROW) & texture->and_v);

    switch (depth) {
    case PSX_DEPTH_4: /* a page of 64 halfwords never passes the right edge */
        return row + texture->x + ((unsigned)(uv >> (U_BIT + 2)) & texture->and_u);
    case PSX_DEPTH_8:
        return row + ((texture->x + ((unsigned)(uv >> (U_BIT + 1)) & texture->and_u)) & 1023);
    default:
        return row + ((texture->x + ((unsigned)(uv >> U_BIT) & texture->and_u)) & 1023);
    }
}

/* Returns the texel in a halfword. */
INLINE unsigned texel_of(const struct psx_raster_texture *texture, int depth, uint64_t uv,
                         unsigned halfword)
{
    switch (depth) {
    case PSX_DEPTH_4:
        return texture->clut[halfword >> (uv >> (U_BIT - 2) & 12) & 15];
    case PSX_DEPTH_8:
        return texture->clut[halfword >> (uv >> (U_BIT - 3) & 8) & 255];
    default:
        return halfword;
    }
}

INLINE unsigned fetch(const struct psx_raster_texture *texture, int depth, uint64_t uv)
{
    return texel_of(texture, depth, uv, *texel_place(texture, depth, uv));
}

#endif

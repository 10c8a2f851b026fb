/* SPDX-License-Identifier: MIT */
/*
 * The plain C shaders: one template, made anew for every combination of features
 * as constants, so that a shader holds no test of them. Colours walk packed in
 * 64 bits, 21 bits a channel, and texture coordinates 32 bits each: one addition
 * steps them all, and no carry crosses a border where it is read, since at
 * covered pixels each part lies in its range (raster.h).
 */

#include "formats/psx/gpu/pixel.h"
#include "formats/psx/gpu/raster.h"
#include "formats/psx/gpu/raster_texel.h"

#include <string.h>

enum { GREEN_SHIFT = 21, RED_SHIFT = 42 };

INLINE struct raster_walk pack_colours(const struct raster_plane plane[3])
{
#define PACK(field)                                                                                \
    (((uint64_t)(int64_t)plane[0].field << RED_SHIFT) +                                            \
     ((uint64_t)(int64_t)plane[1].field << GREEN_SHIFT) + (uint64_t)(int64_t)plane[2].field)
    return (struct raster_walk){PACK(origin), PACK(dx), PACK(dy)};
#undef PACK
}

/* A channel before dithering: the colour's, or the texel's times the colour's. */
INLINE unsigned modulate(int depth, unsigned texel5, unsigned colour8)
{
    return depth == PSX_DEPTH_NONE ? colour8 : texel5 * colour8 >> 4;
}

INLINE void shade_rows(const struct raster_job *job, int depth, int colour, bool dither,
                       unsigned blend)
{
    const bool textured = depth != PSX_DEPTH_NONE;
    const struct texture texture = texture_of(job, depth);
    const unsigned set = job->set, check = job->check;
    const unsigned r_flat = job->flat[0], g_flat = job->flat[1], b_flat = job->flat[2];
    struct raster_walk rgb_walk = {0}, uv_walk = {0};

    if (colour == RASTER_GOURAUD || colour == RASTER_COARSE)
        rgb_walk = pack_colours(job->plane);
    if (textured)
        uv_walk = pack_texels(&job->u, &job->v);

    for (int y = job->y0; y < job->y1; y++) {
        const int right = job->right[y];
        int x = job->left[y];
        uint16_t *row = job->vram + y * PSX_VRAM_WIDTH;
        const int8_t *offsets = psx_pixel_dither[y & 3];
        uint64_t rgb = walk_at(&rgb_walk, x, y), uv = walk_at(&uv_walk, x, y);

        for (; x < right; x++, rgb += rgb_walk.dx, uv += uv_walk.dx) {
            const unsigned back = row[x];
            unsigned texel = 0, pixel;

            if (back & check)
                continue;
            if (textured) {
                texel = fetch(&texture, depth, uv);
                if (texel == 0)
                    continue;
            }
            if (colour == RASTER_RAW) {
                pixel = texel & 0x7FFF;
            } else {
                const bool flat = colour == RASTER_FLAT;
                unsigned r8 = flat ? r_flat : (unsigned)(rgb >> (RED_SHIFT + 12));
                unsigned g8 = flat ? g_flat : (rgb >> (GREEN_SHIFT + 12)) & 0xFF;
                unsigned b8 = flat ? b_flat : (rgb >> 12) & 0xFF;
                const uint8_t *clamp = psx_pixel_clamp + PIXEL_CLAMP_BIAS;

                if (colour == RASTER_COARSE)
                    r8 &= 0xF8, g8 &= 0xF8, b8 &= 0xF8;
                if (dither)
                    clamp += offsets[x & 3];
                pixel = pixel_pack(clamp[modulate(depth, texel & 31, r8)],
                                   clamp[modulate(depth, texel >> 5 & 31, g8)],
                                   clamp[modulate(depth, texel >> 10 & 31, b8)]);
            }
            if (blend != RASTER_OPAQUE && (!textured || (texel & PIXEL_MASK)))
                pixel = pixel_blend(back & 0x7FFF, pixel, blend);
            row[x] = (uint16_t)(pixel | (texel & PIXEL_MASK) | set);
        }
    }
}

#include "formats/psx/gpu/raster_table.inc"

/* Of textured shapes, which nothing else is cut for. */
#define COARSE_SHADERS(X)                                                                          \
    BLENDS(X, 0, 3, 0)                                                                             \
    BLENDS(X, 0, 3, 1)                                                                             \
    BLENDS(X, 1, 3, 0)                                                                             \
    BLENDS(X, 1, 3, 1)                                                                             \
    BLENDS(X, 2, 3, 0)                                                                             \
    BLENDS(X, 2, 3, 1)

COARSE_SHADERS(DEFINE)

const struct raster_ops psx_raster_ops_c = {
    "c", &psx_runs_c, {SHADERS(ENTRY) COARSE_SHADERS(ENTRY)}};

/* Of pixel.h: tables, and runs in plain C. */

/* The eight values of a channel that come out as `level`. */
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

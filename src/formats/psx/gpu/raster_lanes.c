/* SPDX-License-Identifier: MIT */
/*
 * The vector shaders for 16-byte registers, which every present machine has: SSE2, NEON. These have
 * no gathers: texels are fetched one by one.
 */
#include "formats/psx/gpu/raster_texel.h"

#define LANES 8
#define SLACK 1
#include "formats/psx/gpu/raster_lanes.inc"

struct texels {
    struct psx_raster_texture texture;
    struct psx_raster_walk walk;
    uint64_t uv;
};

INLINE void texels_begin(const struct psx_raster_job *job, int depth, struct walker *walker,
                         struct texels *texels)
{
    (void)walker;
    texels->texture = texture_of(job, depth);
    texels->walk = pack_texels(&job->u, &job->v);
}

INLINE void texels_row(struct texels *texels, int x, int y)
{
    texels->uv = walk_at(&texels->walk, x, y);
}

INLINE lanes texels_next(struct texels *texels, int depth, const struct walker *walker)
{
    lanes next = {};

    (void)walker;
    UNROLL
    for (unsigned i = 0; i < LANES; i++) {
        next[i] = (uint16_t)fetch(&texels->texture, depth, texels->uv);
        texels->uv += texels->walk.dx;
    }
    return next;
}

#include "formats/psx/gpu/raster_rows.inc"
#include "formats/psx/gpu/raster_table.inc"

/*
 * Runs in 16-byte registers, which every present machine has: SSE2, NEON. Not all of them can
 * shuffle bytes, so pixels of 24 bits are joined by shifts. The contents of the low half of a wider
 * lane depend on byte order: big-endian machines use the plain code.
 */

typedef uint64_t pairs __attribute__((vector_size(2 * LANES)));

/* Stores six bytes, and two that the next store overwrites. */
static inline void store_pair(uint8_t *rgb, uint64_t pair)
{
    memcpy(rgb, &pair, sizeof(pair));
}

/* Joins `low` below `high`, 24 bits of each half. */
static inline pairs join_pairs(pairs low, pairs high)
{
    return low | high << 24;
}

static inline void expand_block(const uint16_t *pixels, uint8_t *rgb)
{
    lanes all = load(pixels);
    lanes red_green = (all << 3 & 0x00F8) | (all << 6 & 0xF800);
    lanes blue = all >> 7 & 0x00F8;

    red_green |= red_green >> 5 & 0x0707;
    blue |= blue >> 5;

    wide_lanes even = ((wide_lanes)red_green & 0xFFFF) | (wide_lanes)blue << 16;
    wide_lanes odd = (wide_lanes)red_green >> 16 | ((wide_lanes)blue & 0xFFFF0000);
    pairs first = join_pairs((pairs)even & UINT32_MAX, (pairs)odd & UINT32_MAX);
    pairs second = join_pairs((pairs)even >> 32, (pairs)odd >> 32);

    store_pair(rgb, first[0]);
    store_pair(rgb + 6, second[0]);
    store_pair(rgb + 12, first[1]);
    store_pair(rgb + 18, second[1]);
}

const struct psx_runs psx_runs_lanes = {fill, move, expand};

const struct psx_raster_ops psx_raster_ops_lanes = {"lanes", &psx_runs_lanes, SHADE_TABLE};

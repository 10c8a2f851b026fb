/*
 * The vector shaders for 16-byte registers, which every machine of today has:
 * SSE2, NEON. There are no gathers: texels are fetched one by one.
 */
#include "formats/psx/gpu/raster_texel.h"

#define LANES 8
#include "formats/psx/gpu/raster_lanes.inc"

struct texels {
    struct texture texture;
    struct raster_walk walk;
    uint64_t uv;
};

INLINE void texels_begin(const struct raster_job *job, int depth, struct walker *walker,
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

const struct raster_ops psx_raster_ops_lanes = {"lanes", &psx_runs_lanes, SHADE_TABLE};

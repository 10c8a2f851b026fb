/* SPDX-License-Identifier: MIT */
/*
 * The shaders that look up each texel in the texel cache, for runs in which the cache can be seen.
 */

#include "formats/psx/gpu/pixel.h"
#include "formats/psx/gpu/raster.h"
#include "formats/psx/gpu/raster_texel.h"
#include "formats/psx/gpu/texel_cache.h"

#include <string.h>

INLINE unsigned fetch_cached(const struct psx_raster_job *job,
                             const struct psx_raster_texture *texture, int depth, uint64_t uv)
{
    struct psx_texel_cache *cache = job->cache;
    const uint16_t *at = texel_place(texture, depth, uv);
    const size_t halfword = (size_t)(at - job->vram);
    const uint32_t line = (uint32_t)(halfword / PSX_TEXEL_LINE);
    const unsigned place = psx_texel_cache_place(line, (enum psx_depth)depth);

    if (cache->tags[place] != line + 1) {
        cache->tags[place] = line + 1;
        memcpy(cache->lines[place], at - halfword % PSX_TEXEL_LINE, sizeof(cache->lines[place]));
    }
    return texel_of(texture, depth, uv, cache->lines[place][halfword % PSX_TEXEL_LINE]);
}

#define FETCH(job, texture, depth, uv) fetch_cached(job, texture, depth, uv)
#include "formats/psx/gpu/raster_pixels.inc"
#include "formats/psx/gpu/raster_table.inc"

COARSE_SHADERS(DEFINE)

const struct psx_raster_ops psx_raster_ops_cached = {"cached", &psx_runs_c, COARSE_SHADE_TABLE};

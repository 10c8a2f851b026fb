/* SPDX-License-Identifier: MIT */
/*
 * When texels have to be looked up in the texel cache, and what the cache holds then. Until
 * something is drawn over texels that it may hold (texel_reach.h), textures are read from VRAM, and
 * what is drawn is noted. Then the lines of the cache are found from these notes, and from there on
 * every texel is looked up. The result is the same as if every texel were looked up from the start.
 * For use inside the replay core, one thread per VRAM.
 */
#ifndef GPUDUMPFS_PSX_GPU_TEXEL_TRACE_H
#define GPUDUMPFS_PSX_GPU_TEXEL_TRACE_H

#include "formats/psx/gpu/draw.h"
#include "formats/psx/gpu/texel_cache.h"

/*
 * Called before the GPU carries out a drawing command, whose page has been applied, or a fill. This
 * function and the next do nothing if the texel cache is left out.
 */
void psx_texel_trace_draw(const struct psx_gpu *gpu, const struct psx_draw *draw);

/* Called before VRAM is changed by anything except a command, in the middle of a run. */
void psx_texel_trace_settle(const struct psx_gpu *gpu);

/* Copies out what the cache holds. The GPU must have a cache. */
void psx_texel_trace_save(const struct psx_gpu *gpu, struct psx_texel_lines *out);

#endif

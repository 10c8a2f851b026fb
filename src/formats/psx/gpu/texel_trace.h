/* SPDX-License-Identifier: MIT */
/*
 * When texels have to be looked up in the texel cache, and what it then holds: until
 * something is drawn over texels that it may hold (texel_reach.h), textures are read from VRAM
 * and what was drawn is noted; then the lines are found out from these notes, and from there on
 * every texel is looked up. The result is that of looking up every texel from the start.
 * Inside the replay core, one thread per VRAM.
 */
#ifndef GPUDUMPFS_PSX_GPU_TEXEL_TRACE_H
#define GPUDUMPFS_PSX_GPU_TEXEL_TRACE_H

#include "formats/psx/gpu/draw.h"
#include "formats/psx/gpu/texel_cache.h"

/*
 * Before the GPU carries out a drawing command, whose page is taken over, or a fill. These
 * do nothing where the texel cache is left out.
 */
void psx_texel_trace_draw(const struct psx_gpu *gpu, const struct psx_draw *draw);

/* Before VRAM is changed by another way than a command, in the middle of a run. */
void psx_texel_trace_settle(const struct psx_gpu *gpu);

/* What the cache holds; the GPU has one. */
void psx_texel_trace_save(const struct psx_gpu *gpu, struct psx_texel_lines *out);

#endif
